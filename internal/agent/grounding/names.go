package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// names adds the names of a line to the claims. A capital that begins a sentence says nothing, and in German no capital
// does; there it takes a title, a family or a street.
func (r *reader) names() {
	if r.isTitle() {
		return
	}
	for i, w := range r.caps {
		if isNameLike(w.text) && !r.isCalendar(w.text) && r.units[lowered(w.text)] == nil && (r.c.hasName(w.text) || r.isNameAt(i)) {
			r.add(claim{mark: mark{kind: name}, text: w.text})
		}
	}
}

// isTitle reports whether a line is a title: most of its words have capitals.
func (r *reader) isTitle() bool {
	all := 0
	for w := range strings.FieldsSeq(r.text) {
		if unicode.IsLetter(firstRune(strings.TrimLeft(w, "*_"))) {
			all++
		}
	}
	text := strings.TrimSpace(r.text)
	return (strings.HasSuffix(text, ":") || strings.HasSuffix(text, "**")) && len(r.caps) >= 2 && len(r.caps)*3 >= all*2
}

// isNameLike reports whether a word with a capital can be a name: it has small letters, too, and is no short form.
func isNameLike(w string) bool {
	n := utf8.RuneCountInString(w)
	return strings.IndexFunc(w, unicode.IsLower) > 0 && (n >= 4 || n == 3 && !strings.ContainsAny(w, "'’"))
}

// isCalendar reports whether a word is a day or a month.
func (r *reader) isCalendar(w string) bool {
	w = lowered(w)
	return r.is("month", w) || r.is("weekday", w) || r.is("season", w)
}

// isNameAt reports whether the capital word at i, which no source has, is a name.
func (r *reader) isNameAt(i int) bool {
	w := r.caps[i]
	low := lowered(w.text)
	titled := r.is("title", strings.TrimRight(w.before, "."))
	if titled || r.besideOthers(i) {
		return true
	}
	if r.c.german && !unicode.Is(unicode.Cyrillic, firstRune(low)) {
		street := r.suffix("street", low)
		behind := strings.TrimLeft(r.text[w.at+len(w.text):], " ")
		return street != "" && len(low) > len(street)+2 && behind != "" && isDigit(behind[0])
	}
	if !w.begins {
		return !r.is("common", low)
	}
	// A name that begins a sentence stands before another name.
	return i+1 < len(r.caps) && r.caps[i+1].follow && isNameLike(r.caps[i+1].text) && !r.isCalendar(r.caps[i+1].text) && !r.starts(low) &&
		!r.c.hasName(r.caps[i+1].text)
}

// starts reports whether a word often begins a sentence before a name.
func (r *reader) starts(low string) bool { return r.is("starter", low) || r.is("common", low) }

// besideOthers reports whether the word beside the one at i stands in the sources beside another word with a capital:
// Schreinerei Hahn where they have Schreinerei Holm.
func (r *reader) besideOthers(i int) bool {
	capital := func(w string) bool { return unicode.IsUpper(firstRune(w)) && utf8.RuneCountInString(w) > 2 }
	if i > 0 && r.caps[i].follow && !r.isCalendar(r.caps[i-1].text) {
		if _, behind, ok := r.c.find(r.caps[i-1].text + " "); ok && capital(wordAt(behind)) {
			return true
		}
	}
	if i+1 < len(r.caps) && r.caps[i+1].follow && !r.starts(lowered(r.caps[i].text)) && !r.c.german {
		before, _, ok := r.c.find(" " + r.caps[i+1].text)
		before = tail(before, maxWord)
		return ok && capital(before[strings.LastIndexAny(before, " \n\t,.;:|")+1:])
	}
	return false
}

// hasName reports whether the sources have a name, in this case or another, or as a part of a word.
func (c *checker) hasName(text string) bool {
	low := lowered(text)
	if !isHan(firstRune(low)) && c.hasWord(low) {
		return true
	}
	low = strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "’s")
	if unicode.Is(unicode.Cyrillic, firstRune(low)) {
		if c.cyrillic == nil {
			c.cyrillic = c.stems()
		}
		w := low
		for drop := 0; drop <= 3 && utf8.RuneCountInString(w) >= 3; drop++ {
			if c.cyrillic[w] {
				return true
			}
			_, size := utf8.DecodeLastRuneInString(w)
			w = w[:len(w)-size]
		}
	}
	return c.contains(low)
}

// hasIdentifier reports whether the sources have a path, an address or such a name: as it stands, or in parts that they all
// have.
func (c *checker) hasIdentifier(text string) bool {
	low := lowered(text)
	for _, prefix := range []string{"https://", "http://", "./", "~/"} {
		low = strings.TrimPrefix(low, prefix)
	}
	low = strings.Trim(low, "/.")
	if low == "" || c.contains(low) {
		return true
	}
	if strings.ContainsAny(low, "/:") && !strings.Contains(low, "@") {
		return !c.isElsewhere(low) && c.hasParts(low, "/:")
	}
	if strings.ContainsAny(low, "0123456789") && len(low) < 40 {
		if c.squeezed == "" {
			c.squeezed = squeeze.Replace(c.low) + "\n"
		}
		if c.pay() && strings.Contains(c.squeezed, squeeze.Replace(low)) {
			return true
		}
	}
	return strings.Contains(low, "-") && !strings.Contains(low, ".") && c.hasParts(low, "-") // 44-file where they have 44 files
}

// squeeze takes out what may group the digits and letters of a name.
var squeeze = strings.NewReplacer("-", "", " ", "", "_", "")

// hasParts reports whether the sources have each part of a name, as words.
func (c *checker) hasParts(low, seps string) bool {
	for part := range strings.FieldsFuncSeq(low, func(r rune) bool { return strings.ContainsRune(seps, r) }) {
		if !c.hasWhole(part) {
			return false
		}
	}
	return true
}

// hasWhole reports whether a text stands in the sources with nothing of a word before and behind it.
func (c *checker) hasWhole(part string) bool {
	if c.words[part] {
		return true
	}
	inWord := func(r rune) bool {
		return r != utf8.RuneError && (isLetter(r) || unicode.IsDigit(r))
	}
	for at := 0; c.pay(); {
		i := strings.Index(c.low[at:], part)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(c.low[:i])
		if !inWord(before) && !inWord(firstRune(c.low[i+len(part):])) {
			return true
		}
		at = i + 1
	}
	return true
}

// isElsewhere reports whether the sources have the file of a path, and only in other folders than the path's.
func (c *checker) isElsewhere(low string) bool {
	i := strings.LastIndexByte(low, '/')
	if i < 0 || len(low)-i < 5 || !strings.Contains(low[i:], ".") {
		return false
	}
	folder, base := low[strings.LastIndexByte(low[:i], '/')+1:i], low[i+1:]
	seen := false
	for at := 0; c.pay(); {
		k := strings.Index(c.low[at:], base)
		if k < 0 {
			return seen
		}
		k += at
		if k == 0 || c.low[k-1] != '/' || strings.HasSuffix(c.low[:k-1], folder) {
			return false
		}
		seen, at = true, k+1
	}
	return false
}

// hasPhone reports whether the sources have a telephone number, however it is grouped.
func (c *checker) hasPhone(text string) bool {
	only := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '\n' {
				return r
			}
			return -1
		}, s)
	}
	if c.digits == "" {
		c.digits = only(c.low) + "\n"
	}
	return !c.pay() || strings.Contains(c.digits, only(text))
}
