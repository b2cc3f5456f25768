package intents

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/numerals"
)

// What stands in a sum, and what dice look like.
var (
	numeralShape = lazyregexp.New(`^(?:\.?[0-9]+(?:[.,' ]?[0-9]+)*)`)
	plainShape   = lazyregexp.New(`^(?:[0-9]*[.,]?[0-9]+)$`)
	timeShape    = lazyregexp.New(`^(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}|[0-9]{1,2}:[0-9]{2})(?:[^0-9.]|$)`)
	// Whole numbers with marks between their thousands: Russian writes a space there.
	groupedShape        = lazyregexp.New(`^[1-9][0-9]{0,2}(?:[,' ][0-9]{3})+(?:\.|$)`)
	groupedGermanShape  = lazyregexp.New(`^[1-9][0-9]{0,2}(?:[.' ][0-9]{3})+(?:,|$)`)
	groupedRussianShape = lazyregexp.New(`^[1-9][0-9]{0,2}(?:[' ][0-9]{3})+(?:[.,]|$)`)
	dottedShape         = lazyregexp.New(`^[1-9][0-9]{0,2}\.[0-9]{3}$`)

	diceShape   = lazyregexp.New(`^(?:[0-9]{0,3} ?[dwkкд] ?[0-9]{1,4}(?:[a-z]{2}[0-9]{1,2})?(?: ?[+-] ?[0-9]{1,4})?)`)
	sidedShape  = lazyregexp.New(`^(?:(?:([0-9]{1,3}|[一两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?)?([0-9]{1,4}|[一二三四五六七八九十]{1,3}|百) ?面的?(?:骰子|色子|骰)?)`)
	pluralShape = lazyregexp.New(`^(?:([0-9]{1,3}|[两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?|([俩仨]) ?)(?:骰子|色子)`)
)

// sum yields a sum. What the language's values call an operator, such as plus, is one.
func (m *matcher) sum(pos int, yield func(end int, value any)) {
	if isDigit(m.norm[pos]) && timeShape().MatchString(m.norm[pos:]) {
		return
	}
	sum, operators, afterNumber := "", 0, false
	for at := pos; at < len(m.norm); {
		if m.norm[at] == ' ' {
			at++
			continue
		}
		end, part := m.partOfSum(at)
		if part == "b" { // divide 12 by 4; without a verb the word says it by itself: 12 на 4
			part = ""
			for words := append([]string{m.norm[at:end]}, strings.FieldsFunc(m.norm[:pos], func(r rune) bool { return r == ' ' || r == ',' })...); len(words) > 0 && part == ""; words = words[:len(words)-1] {
				part, _ = m.lang.value("by", words[len(words)-1])
			}
		}
		isNumber := part != "" && isDigit(part[len(part)-1])
		if part == "" || isNumber && afterNumber {
			return
		}
		if !isNumber && part != "(" && part != ")" {
			operators++
		}
		sum, at, afterNumber = sum+part, end, isNumber
		if operators > 0 && m.isBoundary(at) && isSum(sum) {
			yield(at, strings.Replace(sum, "o", "*", 1))
		}
	}
}

// partOfSum returns a number, an operator or a bracket at a position, and where it ends: 0 where there is none. An o is the "of" of 15%
// of 80.
func (m *matcher) partOfSum(at int) (end int, part string) {
	if isDigit(m.norm[at]) || m.norm[at] == '.' {
		if digits := numeralShape().FindString(m.norm[at:]); digits != "" {
			if number, ok := m.lang.numeral(digits); ok {
				return at + len(digits), number
			}
			return 0, ""
		}
	}
	if strings.IndexByte("()%", m.norm[at]) >= 0 {
		return at + 1, m.norm[at : at+1]
	}
	if rest, ok := strings.CutPrefix(m.norm[at:], hanPercent); ok && rest != "" {
		if end, part = m.partOfSum(at + len(hanPercent)); end > 0 && isDigit(part[len(part)-1]) {
			return end, part + "%"
		}
		return 0, ""
	}
	if end, part = m.spelledNumeral(at); end > 0 {
		return end, part
	}
	m.lang.values("operator", m.norm[at:], func(written, means string) {
		behind := at + len(written)
		whole := m.isBoundary(behind) && m.isBoundary(at)
		if end == 0 && (whole || !isJoined(rune(written[0]))) {
			end, part = behind, means
		}
	})
	return end, part
}

// hanPercent stands before a number of hundredths.
const hanPercent = "百分之"

// numeral returns a number without the marks between its thousands and with a decimal point, or false where it may be another: 1.000 is
// one or a thousand in Russian.
func (l *language) numeral(text string) (string, bool) {
	grouped := groupedShape
	switch l.name {
	case "de":
		grouped = groupedGermanShape
	case "ru":
		grouped = groupedRussianShape
	}
	whole := grouped().FindString(text)
	switch {
	case whole != "":
		if rest := text[len(whole):]; strings.ContainsAny(rest, "., '") {
			return "", false
		} else if rest != "" {
			whole, text = whole[:len(whole)-1], "."+rest
		} else {
			text = ""
		}
		return strings.NewReplacer(",", "", ".", "", " ", "", "'", "").Replace(whole) + text, true
	case !plainShape().MatchString(text), l.name == "ru" && dottedShape().MatchString(text):
		return "", false
	}
	return strings.Replace(text, ",", ".", 1), true
}

// spelledNumeral is spelledNumber with the places behind a point, as in 四十七点五.
func (m *matcher) spelledNumeral(at int) (end int, number string) {
	end, number = m.spelledNumber(at)
	rest, ok := strings.CutPrefix(m.norm[end:], "点")
	if end == 0 || !ok || m.lang.name != "zh" {
		return end, number
	}
	end += len("点")
	fraction := ""
	for _, r := range rest {
		digit, n := numerals.Read(string(r), "zh")
		if n == 0 || digit > 9 {
			break
		}
		fraction += strconv.Itoa(int(digit))
		end += n
	}
	if fraction == "" {
		return 0, ""
	}
	return end, number + "." + fraction
}

// spelledNumber returns a whole number in words that stands at a position, and where it ends: two hundred and forty, sechshundertachtzig,
// 三百六十五. It is 0 where there is none.
func (m *matcher) spelledNumber(at int) (end int, number string) {
	value, size := numerals.Read(m.norm[at:], m.lang.name)
	if end = at + size; size == 0 || value != math.Trunc(value) || !m.isBoundary(at) || !m.isBoundary(end) {
		return 0, ""
	}
	return end, strconv.FormatFloat(value, 'f', -1, 64)
}

// dice yields dice, as they are written in games or in words.
func (m *matcher) dice(pos int, yield func(end int, value any)) {
	m.bareDice(pos, func(end int, value any) {
		yield(end, value)
		if behind, sum := m.addedTo(end); behind > 0 && !strings.ContainsAny(value.(string), "+-") {
			m.lettered(behind-end, behind, value.(string)+sum, yield)
		}
	})
}

// addedTo returns what is added to the dice that end at a position, or taken off, such as "+3" of "and add 3", and where that ends; 0 where nothing is.
func (m *matcher) addedTo(at int) (end int, sum string) {
	at = m.skip(at)
	m.lang.values("and", m.norm[at:], func(written, _ string) {
		if next := m.skip(at + len(written)); next > at+len(written) && end == 0 {
			end, sum = m.operand(next)
		}
	})
	if end > 0 {
		return end, sum
	}
	return m.operand(at)
}

// operand returns the sign and the number at a position, and where that ends.
func (m *matcher) operand(at int) (end int, sum string) {
	m.lang.values("operator", m.norm[at:], func(written, sign string) {
		next := m.skip(at + len(written))
		n, number := m.spelledNumber(next)
		if digits := numberShape().FindString(m.norm[next:]); digits != "" {
			n, number = next+len(digits), digits
		}
		if n > 0 && (sign == "+" || sign == "-") && m.isBoundary(at+len(written)) && m.isBoundary(n) {
			end, sum = n, sign+number
		}
	})
	return end, sum
}

// bareDice yields dice to which nothing is added.
func (m *matcher) bareDice(pos int, yield func(end int, value any)) {
	m.sided(pos, yield)
	m.worded(pos, yield)
	if end, n := m.spelledNumber(pos); end > 0 && end < len(m.norm) && m.norm[end] == ' ' && !isDigit(m.norm[pos]) { // three d6
		m.shaped(diceShape(), end+1, func(end int, value any) {
			if of := diceName(value); !isDigit(of[0]) {
				yield(end, n+of)
			}
		})
	}
	if strings.IndexAny(m.norm[pos:], "0123456789 dwkкд") != 0 {
		return
	}
	m.shaped(diceShape(), pos, func(end int, value any) {
		name := diceName(value)
		if !isDigit(name[0]) { // a d20 is one of them
			name = "1" + name
		}
		yield(end, name)
	})
}

// diceName returns dice as the tool has them, such as 2d6.
func diceName(written any) string {
	return strings.NewReplacer(" ", "", "w", "d", "к", "d", "д", "d").Replace(strings.ToLower(written.(string)))
}

// sided yields the dice that Chinese calls by their sides, as in 两个二十面骰子.
func (m *matcher) sided(pos int, yield func(end int, value any)) {
	if !strings.ContainsFunc(m.norm[pos:], isHan) {
		return
	}
	number := func(s string) string {
		if n, size := numerals.Read(s, "zh"); size > 0 && size == len(s) {
			return strconv.Itoa(int(n))
		}
		return cmp.Or(map[string]string{"": "1", "百": "100"}[s], s)
	}
	m.shaped(sidedShape(), pos, func(end int, _ any) {
		if parts := sidedShape().FindStringSubmatch(m.norm[pos:end]); parts != nil {
			yield(end, number(parts[1])+"d"+number(parts[2]))
		}
	})
	m.shaped(pluralShape(), pos, func(end int, _ any) {
		if parts := pluralShape().FindStringSubmatch(m.norm[pos:end]); parts != nil && parts[0] == m.norm[pos:end] {
			m.lettered(end-pos, end, number(parts[1]+parts[2])+"d6", yield)
		}
	})
}

// worded yields dice whose sides are a word, as in two six-sided dice, or in кубик на двадцать граней.
func (m *matcher) worded(pos int, yield func(end int, value any)) {
	count, counted := "1", 0
	if of, _ := m.longestValue("sides", pos); of > 0 { // twenty-sided counts none
	} else if end, n := m.spelledNumber(pos); end > 0 {
		pos, count, counted = m.skip(end), n, end
	} else if isDigit(m.norm[pos]) {
		if digits := numberShape().FindString(m.norm[pos:]); strings.HasPrefix(m.norm[pos+len(digits):], " ") {
			pos, count, counted = m.skip(pos+len(digits)), digits, pos+len(digits)
		}
	}
	if end, sides := m.longestValue("whole_die", pos); end > 0 { // двадцатигранник
		m.lettered(end-pos, end, count+"d"+sides, yield)
		return
	}
	first, second := "sides", "die"
	end, sides := m.longestValue(first, pos)
	if end == 0 {
		first, second = "die", "with_sides"
		end, _ = m.longestValue(first, pos)
	}
	if end == 0 {
		return
	}
	noun := end
	end, means := m.longestValue(second, m.skip(end))
	switch {
	case sides == "" && end > 0:
		sides = means
	case sides == "" && counted > 0 && count != "1":
		end, sides = noun, "6"
	case end == 0 && (sides == "" || sides == "6"): // a normal one, of whatever
		return
	case end == 0: // the twenty-sided one
		end = noun
	}
	m.lettered(end-pos, end, count+"d"+sides, yield)
}
