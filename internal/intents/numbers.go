package intents

import (
	"cmp"
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
	pluralShape = lazyregexp.New(`^(?:([0-9]{1,3}|[两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?(?:骰子|色子))`)
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
		if part == "b" { // divide 12 by 4
			words := m.before(pos)
			part, _ = m.lang.value("by", words[strings.LastIndexByte(words, ' ')+1:])
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
	for _, table := range []string{"operator", "n"} {
		m.lang.values(table, m.norm[at:], func(written, means string) {
			behind := at + len(written)
			whole := m.isBoundary(behind) && m.isBoundary(at)
			if end == 0 && (whole || table == "operator" && !isJoined(rune(written[0]))) {
				end, part = behind, means
			}
		})
	}
	if end == 0 && m.isBoundary(at) {
		return m.compoundNumber(at)
	}
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

// spelledNumeral returns a number in words that stands at a position, and where it ends: two hundred and forty, 三百六十五, 四十七点五. It is 0
// where there is none, or one below a hundred: the table of the language has those.
func (m *matcher) spelledNumeral(at int) (end int, number string) {
	value, size := numerals.Read(m.norm[at:], m.lang.name)
	if end = at + size; size == 0 || !m.isBoundary(at) || !m.isBoundary(end) {
		return 0, ""
	}
	number = strconv.FormatFloat(value, 'f', -1, 64)
	if rest, ok := strings.CutPrefix(m.norm[end:], "点"); ok && m.lang.name == "zh" {
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
		return end + len("点"), number + "." + fraction
	}
	if said := m.norm[at:end]; value < 100 || m.lang.name != "zh" && !strings.Contains(said, " ") {
		return 0, ""
	}
	return end, number
}

// compoundNumber returns the number that a German word at a position is, and where it ends: sechshundertachtzig. The table of the language has those up
// to a hundred. 0 is none.
func (m *matcher) compoundNumber(at int) (end int, number string) {
	end = m.wordEnd(at)
	rest, total, found := m.norm[at:end], 0, false
	for _, big := range []struct {
		word  string
		value int
	}{{"tausend", 1000}, {"hundert", 100}} {
		before, after, ok := strings.Cut(rest, big.word)
		if !ok {
			continue
		}
		n, known := m.lang.smallNumber(cmp.Or(before, "ein"))
		if !known {
			return 0, ""
		}
		total, rest, found = total+n*big.value, strings.TrimPrefix(after, "und"), true
	}
	if n, known := m.lang.smallNumber(rest); known {
		total, rest = total+n, ""
	}
	if m.lang.name != "de" || !found || rest != "" {
		return 0, ""
	}
	return end, strconv.Itoa(total)
}

// smallNumber returns the number that the table of the language has for a word.
func (l *language) smallNumber(word string) (n int, known bool) {
	means, known := l.value("n", word)
	n, _ = strconv.Atoi(means)
	return n, known
}

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
	number := func(s string) string {
		if n, known := m.lang.value("n", s); known {
			return n
		}
		return cmp.Or(map[string]string{"": "1", "一": "1", "百": "100"}[s], s)
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
