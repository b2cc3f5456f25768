package intents

import (
	"strings"

	"hob/internal/lazyregexp"
)

// What dice look like.
var (
	diceShape   = lazyregexp.New(`^(?:[0-9]{0,3} ?[dwkкд] ?[0-9]{1,4}(?:[a-z]{2}[0-9]{1,2})?(?: ?[+-] ?[0-9]{1,4})?)`)
	sidedShape  = lazyregexp.New(`^(?:(?:([0-9]{1,3}|[一两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?)?([0-9]{1,4}|[一二三四五六七八九十]{1,3}|百) ?面的?(?:骰子|色子|骰)?)`)
	pluralShape = lazyregexp.New(`^(?:([0-9]{1,3}|[两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?(?:骰子|色子))`)
)

// dice yields dice, as they are written in games or in words.
func (m *matcher) dice(pos int, yield func(end int, value any)) {
	m.sided(pos, yield)
	m.worded(pos, yield)
	if strings.IndexAny(m.norm[pos:], "0123456789 dwkкд") != 0 {
		return
	}
	m.shaped(diceShape(), pos, func(end int, value any) {
		if text := value.(string); !isDigit(text[0]) { // a d20 is one of them
			value = "1" + text
		}
		yield(end, strings.NewReplacer(" ", "", "w", "d", "к", "d", "д", "d").Replace(strings.ToLower(value.(string))))
	})
}

// sided yields the dice that Chinese calls by their sides, as in 两个二十面骰子.
func (m *matcher) sided(pos int, yield func(end int, value any)) {
	if !strings.ContainsFunc(m.norm[pos:], isHan) {
		return
	}
	number := func(s string) (n string) {
		n = map[string]string{"": "1", "一": "1", "百": "100"}[s]
		m.lang.values("n", s, func(written, means string) {
			if written == s {
				n = means
			}
		})
		if n == "" {
			n = s
		}
		return n
	}
	m.shaped(sidedShape(), pos, func(end int, _ any) {
		if parts := sidedShape().FindStringSubmatch(m.norm[pos:end]); parts != nil {
			yield(end, number(parts[1])+"d"+number(parts[2]))
		}
	})
	m.shaped(pluralShape(), pos, func(end int, _ any) {
		if parts := pluralShape().FindStringSubmatch(m.norm[pos:end]); parts != nil && parts[0] == m.norm[pos:end] {
			m.lettered(end-pos, end, number(parts[1])+"d6", yield)
		}
	})
}

// worded yields dice whose sides are a word, as in two six-sided dice, or in кубик на двадцать граней.
func (m *matcher) worded(pos int, yield func(end int, value any)) {
	longest := func(table string, at int) (end int, means string) {
		m.lang.values(table, m.norm[at:], func(written, value string) {
			if at+len(written) > end && m.isBoundary(at+len(written)) {
				end, means = at+len(written), value
			}
		})
		return end, means
	}
	count, counted := "1", 0
	if end, n := longest("n", pos); end > 0 {
		pos, count, counted = m.skip(end), n, end
	} else if isDigit(m.norm[pos]) {
		if digits := numberShape().FindString(m.norm[pos:]); strings.HasPrefix(m.norm[pos+len(digits):], " ") {
			pos, count, counted = m.skip(pos+len(digits)), digits, pos+len(digits)
		}
	}
	first, second := "sides", "die"
	end, sides := longest(first, pos)
	if end == 0 {
		first, second = "die", "with_sides"
		end, _ = longest(first, pos)
	}
	if end == 0 {
		return
	}
	noun := end
	end, means := longest(second, m.skip(end))
	switch {
	case sides == "" && end > 0:
		sides = means
	case sides == "" && counted > 0 && count != "1":
		end, sides = noun, "6"
	case end == 0:
		return
	}
	m.lettered(end-pos, end, count+"d"+sides, yield)
}
