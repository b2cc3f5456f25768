package when

import "strconv"

// number reads a number that may have a half: 20, twenty-five, 1.5, anderthalb, полтора, 二十五.
func (p *reader) number(i int) (value float64, next int, ok bool) {
	if i >= len(p.tokens) {
		return 0, i, false
	}
	if t := p.tokens[i]; t.kind == 'n' {
		if p.mark(i+1, ".") || p.mark(i+1, ",") {
			if f := p.token(i + 2); f.kind == 'n' && !f.spaced && !p.tokens[i+1].spaced {
				v, err := strconv.ParseFloat(t.text+"."+f.text, 64)
				return v, i + 3, err == nil
			}
		}
		return float64(t.number), i + 1, true
	}
	text, next, ok := p.word(i, "n")
	if !ok {
		return 0, i, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, next, err == nil
}

// whole reads a number without a fraction.
func (p *reader) whole(i int) (int, int, bool) {
	if t := p.token(i); t.kind == 'n' {
		return t.number, i + 1, true
	}
	v, next, ok := p.number(i)
	if !ok || v != float64(int(v)) {
		return 0, i, false
	}
	return int(v), next, true
}

// ordinal reads 3rd, third, twenty-first, 3., третьего, 3-го. The third of German is a number with a dot.
func (p *reader) ordinal(i int) (int, int, bool) {
	if t := p.token(i); t.kind == 'n' {
		j := i + 1
		if p.lang == "de" {
			if p.mark(j, ".") && !p.tokens[j].spaced {
				return t.number, j + 1, true
			}
			return 0, i, false
		}
		if p.lang == "ru" && p.mark(j, "-") {
			j++
		}
		if _, next, ok := p.word(j, "ordmark"); ok && (p.lang != "en" || !p.tokens[j].spaced) {
			return t.number, next, true
		}
		return 0, i, false
	}
	if p.lang == "zh" {
		v, next, ok := p.whole(i)
		_, next, marked := p.word(next, "ordmark")
		return v, next, ok && marked
	}
	if text, next, ok := p.word(i, "ord"); ok {
		v, _ := strconv.Atoi(text)
		return v, next, true
	}
	if tens, next, ok := p.whole(i); ok && (tens == 20 || tens == 30) {
		if p.mark(next, "-") {
			next++
		}
		if text, after, ok := p.word(next, "ord"); ok {
			if v, _ := strconv.Atoi(text); v >= 1 && v <= 9 {
				return tens + v, after, true
			}
		}
	}
	return 0, i, false
}

// ordinalWord returns the ordinal number that a word is.
func (p *reader) ordinalWord(word string) (n int, ok bool) {
	for _, m := range p.words.phrases[word] {
		if m.is == "ord" {
			n, err := strconv.Atoi(m.value)
			return n, err == nil
		}
	}
	return 0, false
}
