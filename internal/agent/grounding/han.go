package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// han reads a run of Chinese characters: numbers and names of persons in it, and what a name in Latin letters ends.
func (r *reader) han() {
	rest := r.text[r.at:]
	end := strings.IndexFunc(rest, func(x rune) bool { return !isHan(x) })
	if end < 0 {
		end = len(rest)
	}
	run, begin := rest[:end], r.at
	r.at += end
	for i := 0; i < len(run); {
		if v, n := r.numberWord(run[i:]); n > 0 && r.hanQuantity(begin, begin+i, v, n) {
			i += n
			continue
		}
		n := utf8.RuneLen(firstRune(run[i:]))
		if person := r.nameAt(run, i); person != "" && r.c.scripts[unicode.Han] {
			r.add(claim{mark: mark{kind: name, from: begin + i}, text: person})
			n = len(person)
		}
		i += n
	}
}

// hanQuantity adds the number that stands at a place, if it is one of something: most characters for numbers are parts of
// words, too. begin is where the run begins.
func (r *reader) hanQuantity(begin, at int, v float64, n int) bool {
	behind := firstRune(r.text[at+n:])
	if !r.is("measure", string(behind)) {
		return n > len("一")
	}
	before, _ := utf8.DecodeLastRuneInString(r.text[begin:at])
	x := claim{mark: mark{kind: quantity, from: at, to: at + n, word: true, number: number{val: v}}}
	switch {
	case v < 3 && (behind != '点' || v == 1 && r.suffix("afternoon", r.low[:at]) == "") || strings.ContainsRune("第周期", before):
	case behind == '月' && v <= 12:
		r.add(claim{mark: mark{kind: date, from: at, to: at + n + len("月"), date: day{month: int(v)}}})
	case strings.ContainsRune("月日号分", behind):
	default:
		x.unit, x.noun, _ = r.unitBehind(r.text[at+n:])
		r.asClock(&x)
		if x.kind == clock && x.to == at+n {
			x.to += len("点")
			if strings.HasPrefix(r.text[x.to:], "半") {
				x.to += len("半")
			}
		}
		r.add(x)
	}
	return true
}

// nameAt returns the name of a place, a maker or a person that begins at i of a run, or "". It is a person's where a usual
// family name is followed by a title or by two usual parts of given names, or it stands behind a word such as 是, or at the
// beginning, and a word such as 的 or 说 behind the name, or nothing.
func (r *reader) nameAt(run string, i int) string {
	rest := run[i:]
	family := firstRune(rest)
	if place := r.prefix("hanproper", rest); place != "" || !r.is("family", string(family)) {
		return place
	}
	if title := r.prefix("hantitle", rest[3:]); title != "" && !strings.HasSuffix(run[:i], "主") { // 主任
		if last, _ := utf8.DecodeLastRuneInString(run[:i]); strings.ContainsRune("小老阿", last) { // the sources may have no title: 小郭
			return rest[:3]
		}
		return rest[:3+len(title)]
	}
	if len(rest) >= 9 && r.is("given", rest[3:6]) && r.is("given", rest[6:9]) {
		return rest[:9]
	}
	if i > 0 && r.suffix("person", run[:i]) == "" {
		return ""
	}
	for _, end := range []int{9, 6} { // the characters of names have three bytes each
		if len(rest) >= end && (len(rest) == end && i > 0 || r.prefix("behind", rest[end:]) != "") {
			return rest[:end]
		}
	}
	return ""
}
