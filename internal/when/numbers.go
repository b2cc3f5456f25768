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
	if p.lang == "zh" {
		return p.hanNumber(i)
	}
	value, next, ok = p.numberWord(i)
	if !ok || value < 20 || value > 90 {
		return value, next, ok
	}
	j := next
	if p.mark(j, "-") {
		j++
	}
	if unit, after, ok := p.numberWord(j); ok && unit >= 1 && unit < 10 && unit == float64(int(unit)) {
		return value + unit, after, true
	}
	return value, next, true
}

func (p *reader) numberWord(i int) (float64, int, bool) {
	text, next, ok := p.word(i, "n")
	if !ok {
		return 0, i, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, next, err == nil
}

// hanNumber reads 五, 十五, 二十五, 一百二十, and digits one by one: 二〇二六.
func (p *reader) hanNumber(i int) (float64, int, bool) {
	total, digit, digits, j := 0, -1, 0, i
	placed := false
	for {
		v, next, ok := p.numberWord(j)
		if !ok || digits >= mostDigits {
			break
		}
		n := int(v)
		switch {
		case n == 10 || n == 100:
			total += max(digit, 1) * n
			if digit == 0 {
				total -= n
			}
			digit, placed = -1, true
		case digit < 0:
			digit = n
		case placed:
			digit = n // 一百〇五
		default:
			digit = digit*10 + n
		}
		digits++
		j = next
	}
	if j == i {
		return 0, i, false
	}
	return float64(total + max(digit, 0)), j, true
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
		if v, next, ok := p.hanNumber(i); ok {
			if _, next, ok := p.word(next, "ordmark"); ok {
				return int(v), next, true
			}
		}
		return 0, i, false
	}
	if text, next, ok := p.word(i, "ord"); ok {
		v, _ := strconv.Atoi(text)
		return v, next, true
	}
	if tens, next, ok := p.numberWord(i); ok && tens >= 20 && tens <= 30 {
		if p.mark(next, "-") {
			next++
		}
		if text, after, ok := p.word(next, "ord"); ok {
			if v, _ := strconv.Atoi(text); v >= 1 && v <= 9 {
				return int(tens) + v, after, true
			}
		}
	}
	return 0, i, false
}
