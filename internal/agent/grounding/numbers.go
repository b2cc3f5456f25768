package grounding

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// number is a number as it stands in a text.
type number struct {
	val    float64
	dec    int    // digits behind the decimal sign
	unit   unit   // its dimension is none where no unit stands beside it
	noun   string // the word behind it that is no unit
	line   int    // of the sources
	col    int    // which number of its line it is
	own    bool   // of a result
	part   bool   // of a date, a time or a name: no quantity by itself
	approx bool   // the answer says that it is rounded
	word   bool   // written as a word
	scaled bool   // a word such as thousand stands behind it
	minus  bool   // below zero
	hour   bool   // a word before it makes it an hour, if it can be one
	day    bool   // a word before it makes it a day of a month, if it can be one
	next   int32  // the next number of the sources with the same value, or -1
}

// day is a date; year 0 is one without a year, day 0 a month.
type day struct{ year, month, day int }

// ordinal is the number of a day, for differences.
func (d day) ordinal() int {
	year := d.year
	if year == 0 {
		year = 2001
	}
	return int(time.Date(year, time.Month(d.month), max(d.day, 1), 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// parseDigits reads a number at the beginning of s, which is a digit: its readings, as value and decimals, and its bytes.
// There is none for what is an address or a version. Spaces may group thousands if spaced; commas belong to a number if commas.
func parseDigits(s string, spaced, commas bool) (vals [2]number, count, n int) {
	var groups [8]string
	var seps [8]byte
	k := 0
	for {
		begin := n
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		groups[k] = s[begin:n]
		if n+1 >= len(s) || k == len(groups)-1 {
			break
		}
		sep, width := s[n], 1
		switch {
		case (sep == '.' || sep == ',' && commas || sep == '\'') && isDigit(s[n+1]):
		case spaced && (sep == ' ' || strings.HasPrefix(s[n:], "\u00a0") || strings.HasPrefix(s[n:], "\u202f")):
			if sep != ' ' {
				_, width = utf8.DecodeRuneInString(s[n:])
			}
			rest := s[n+width:]
			three := len(rest) >= 3 && isDigit(rest[0]) && isDigit(rest[1]) && isDigit(rest[2]) && (len(rest) == 3 || !isDigit(rest[3]))
			if !three || len(groups[0]) > 3 || k > 0 && seps[k-1] != ' ' {
				width = 0
			}
			sep = ' '
		default:
			width = 0
		}
		if width == 0 {
			break
		}
		seps[k] = sep
		k++
		n += width
	}
	value := func(whole []string, fraction string) number {
		v := 0.0
		for _, g := range whole {
			for i := range len(g) {
				v = v*10 + float64(g[i]-'0')
			}
		}
		scale := 1.0
		for i := range len(fraction) {
			v = v*10 + float64(fraction[i]-'0')
			scale *= 10
		}
		return number{val: v / scale, dec: len(fraction)}
	}
	if k == 0 {
		vals[0] = value(groups[:1], "")
		return vals, 1, n
	}
	threes := len(groups[0]) <= 3
	for _, g := range groups[1:k] {
		threes = threes && len(g) == 3
	}
	last := seps[k-1]
	same := true
	for _, s := range seps[:k] {
		same = same && s == seps[0]
	}
	switch {
	case same && k > 1:
		if threes && len(groups[k]) == 3 {
			vals[0] = value(groups[:k+1], "")
			return vals, 1, n
		}
		return vals, 0, n
	case k > 1:
		if threes && last != ' ' && last != '\'' {
			vals[0] = value(groups[:k], groups[k])
			return vals, 1, n
		}
		return vals, 0, n
	case last == ' ' || last == '\'':
		vals[0] = value(groups[:2], "")
		return vals, 1, n
	case len(groups[1]) == 3 && threes && groups[0] != "0":
		vals[0], vals[1] = value(groups[:2], ""), value(groups[:1], groups[1])
		return vals, 2, n
	}
	vals[0] = value(groups[:1], groups[1])
	return vals, 1, n
}

// small reads a number of at most so many digits at the beginning of s.
func small(s string, digits int) (v, n int) {
	for n < len(s) && n < digits && isDigit(s[n]) {
		v = v*10 + int(s[n]-'0')
		n++
	}
	if n < len(s) && isDigit(s[n]) {
		return 0, 0
	}
	return v, n
}

// parseClock reads a time of day or a duration such as 9:05 or 01:13:07, in sixtieths of its first part.
func parseClock(s string) (v float64, n int) {
	a, i := small(s, 3)
	if i == 0 || i+2 >= len(s) || s[i] != ':' {
		return 0, 0
	}
	b, j := small(s[i+1:], 2)
	if j != 2 || b > 59 {
		return 0, 0
	}
	n = i + 1 + j
	v = float64(a*60 + b)
	if n+2 < len(s) && s[n] == ':' {
		if c, k := small(s[n+1:], 2); k == 2 && c < 60 {
			return v + float64(c)/60, n + 3
		}
	}
	return v, n
}

// parseDate reads a date at the beginning of s, in lower case.
func parseDate(s string) (d day, n int) {
	a, i := small(s, 4)
	if i == 0 && (len(s) < 16 || s[8] != 't') {
		return day{}, 0
	}
	at := func(k int) byte {
		if k < len(s) {
			return s[k]
		}
		return 0
	}
	valid := func(y, m, dd, n int) (day, int) {
		if m < 1 || m > 12 || dd < 0 || dd > 31 {
			return day{}, 0
		}
		if y > 0 && y < 100 {
			y += 2000
		}
		return day{y, m, dd}, n
	}
	if i == 0 && len(s) > 15 && s[8] == 't' { // 20261124t144500, of calendars
		y, k := small(s[:4], 4)
		m, l := small(s[4:6], 2)
		dd, o := small(s[6:8], 2)
		if k == 4 && l == 2 && o == 2 {
			return valid(y, m, dd, 8)
		}
	}
	switch sep := at(i); {
	case i == 4 && (sep == '-' || sep == '/'):
		b, j := small(s[i+1:], 2)
		if j != 2 {
			return day{}, 0
		}
		if at(i+1+j) == sep {
			if c, k := small(s[i+2+j:], 2); k == 2 {
				return valid(a, b, c, i+2+j+k)
			}
		}
		return valid(a, b, 0, i+1+j)
	case i <= 2 && (sep == '.' || sep == '/'):
		b, j := small(s[i+1:], 2)
		if j == 0 {
			if four, k := small(s[i+1:], 4); k == 4 && sep == '/' && four > 1000 {
				return valid(four, a, 0, i+1+k)
			}
			break
		}
		if at(i+1+j) != sep {
			break
		}
		c, k := small(s[i+2+j:], 4)
		switch {
		case (k == 4 || k == 2) && sep == '/' && a > 12:
			return valid(c, b, a, i+2+j+k)
		case (k == 4 || k == 2) && sep == '/':
			if b > 12 {
				return valid(c, a, b, i+2+j+k)
			}
			return valid(c, b, a, i+2+j+k)
		case k == 4 || k == 2:
			return valid(c, b, a, i+2+j+k)
		case k == 0 && sep == '.' && j == 2 && !isDigit(at(i+2+j)) && b > 0:
			return valid(0, b, a, i+2+j)
		}
	}
	if i == 4 && strings.HasPrefix(s[i:], "年") {
		n = i + len("年")
		rest, more := parseDate(s[n:])
		if more > 0 && rest.year == 0 {
			rest.year = a
			return rest, n + more
		}
		return day{}, 0
	}
	if i <= 2 && strings.HasPrefix(s[i:], "月") {
		n = i + len("月")
		if b, j := small(s[n:], 2); j > 0 && (strings.HasPrefix(s[n+j:], "日") || strings.HasPrefix(s[n+j:], "号")) {
			return valid(0, a, b, n+j+len("日"))
		}
		return valid(0, a, 0, n)
	}
	// 4 March 2026, 10. März, 4th of March
	if i <= 2 && a >= 1 && a <= 31 {
		n = i
		for _, suffix := range []string{"st", "nd", "rd", "th", "."} {
			if strings.HasPrefix(s[n:], suffix) {
				n += len(suffix)
				break
			}
		}
		if at(n) != ' ' && !strings.HasPrefix(s[n:], "\u00a0") {
			return day{}, 0
		}
		_, width := utf8.DecodeRuneInString(s[n:])
		n += width
		n += len(s[n:]) - len(strings.TrimPrefix(s[n:], "of "))
		w := wordAt(s[n:])
		if m := monthOf(w); m > 0 {
			n += len(w)
			return withYear(s, day{0, m, a}, n)
		}
	}
	return day{}, 0
}

// withYear adds the year that stands behind a date.
func withYear(s string, d day, n int) (day, int) {
	rest := strings.TrimLeft(s[n:], ". ,\u00a0")
	if y, k := small(rest, 4); k == 4 && y > 1000 && len(s)-n-len(rest) <= 4 && !strings.HasPrefix(rest[k:], ":") {
		d.year = y
		n = len(s) - len(rest) + k
	}
	return d, n
}

// parseMonthDate reads a date that begins with the name of a month: March 4, 2026, or November 2027.
func parseMonthDate(s string) (d day, n int) {
	w := wordAt(s)
	m := monthOf(w)
	if m == 0 || len(w) == len(s) {
		return day{}, 0
	}
	rest := strings.TrimLeft(s[len(w):], ". ")
	n = len(s) - len(rest)
	if n == len(w) || n > len(w)+2 {
		return day{}, 0
	}
	if v, k := small(rest, 4); k == 4 && v > 1000 {
		return day{v, m, 0}, n + k
	} else if v, k := small(rest, 2); k > 0 && v >= 1 && v <= 31 && !strings.HasPrefix(rest[k:], ":") && w != "may" {
		return withYear(s, day{0, m, v}, n+k)
	}
	return day{}, 0
}

// wordAt is the letters that s begins with.
func wordAt(s string) string {
	for i, r := range s {
		if !unicode.IsLetter(r) || unicode.Is(unicode.Han, r) {
			return s[:i]
		}
	}
	return s
}

// unitBehind reads the unit or the word behind a number, s beginning behind it, in lower case. direct: nothing is between.
func unitBehind(s string) (u unit, noun string, n int) {
	begin := s
	s = strings.TrimLeft(s, "*_`")
	spaces := 0
	for spaces < 2 {
		r, size := utf8.DecodeRuneInString(s)
		if r != ' ' && r != '\u00a0' && r != '\u202f' && !(r == '-' && spaces == 0) {
			break
		}
		s = s[size:]
		spaces++
	}
	end := func(width int) int { return len(begin) - len(s) + width }
	for _, sign := range []string{"%", "°c", "°f", "°", "℃", "€", "£", "$", "₽", "¥", "m/s", "km/h", "м/с", "км/ч", "m²", "м²"} {
		if strings.HasPrefix(s, sign) {
			u, _ := unitOf(sign)
			return u, "", end(len(sign))
		}
	}
	r, _ := utf8.DecodeRuneInString(s)
	if unicode.Is(unicode.Han, r) {
		for _, size := range []int{9, 6, 3} {
			if len(s) >= size {
				if u, ok := unitOf(s[:size]); ok {
					return u, "", end(size)
				}
			}
		}
		return unit{}, string(r), end(utf8.RuneLen(r))
	}
	w := wordAt(s)
	if w == "" {
		return unit{}, "", 0
	}
	if spaces == 0 && (w == "g" || w == "m" || w == "t" || w == "k") {
		return unit{}, w, end(len(w)) // 44G, 5m: of bytes as well as of grams, metres, minutes
	}
	if u, ok := unitOf(w); ok {
		return u, "", end(len(w))
	}
	return unit{}, stem(w), end(len(w))
}

// stem is the beginning of a word that other forms of it share.
func stem(w string) string {
	n := utf8.RuneCountInString(w)
	for drop := min(3, max(n-4, 0)); drop > 0; drop-- {
		_, size := utf8.DecodeLastRuneInString(w)
		w = w[:len(w)-size]
	}
	if n > 2 && n <= 4 {
		w = strings.TrimSuffix(w, "s")
	}
	return w
}

// table is the numbers of the sources.
type table struct {
	nums   []number
	heads  map[float64]int32
	clocks []float64 // as parseClock has them
	dates  []day
	lines  []int // of each result: how many lines that are not empty it has
	text   string
	own    int
	commas bool // of the line that is being read: commas belong to its numbers
}

// commasOf counts the commas of the line that text begins with.
func commasOf(text string) int {
	line, _, _ := strings.Cut(text, "\n")
	return strings.Count(line, ",")
}

// isCSV reports whether in the line that text begins with commas stand between values: there are two or more, and one that
// groups no thousands and has no blank behind it.
func isCSV(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if strings.Count(line, ",") < 2 || strings.Contains(line, ", ") || strings.Count(line, ";") > 1 {
		return false
	}
	for i := range len(line) {
		if line[i] != ',' || i == 0 || i+1 == len(line) || line[i+1] == ' ' {
			continue
		}
		k := i + 1
		for k < len(line) && isDigit(line[k]) {
			k++
		}
		if !isDigit(line[i-1]) || k != i+4 {
			return true
		}
	}
	return false
}

// readTable reads the numbers of text, which is in lower case; the first own bytes are of results.
func readTable(text string, own int) *table {
	t := &table{text: text, own: own, heads: map[float64]int32{}}
	line, col := 0, 0
	t.commas = !isCSV(text)
	columns := commasOf(text)
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case b == '\n':
			line, col = line+1, 0
			i++
			t.commas = !isCSV(text[i:]) && !(!t.commas && commasOf(text[i:]) == columns)
			columns = commasOf(text[i:])
		case isDigit(b):
			n := t.readDigits(i, line, &col)
			i += n
		case b < utf8.RuneSelf && (b < 'a' || b > 'z'):
			i++
		default:
			w := wordAt(text[i:])
			if w == "" {
				r, size := utf8.DecodeRuneInString(text[i:])
				if v, n := hanNumber(text[i:]); n > 0 {
					u, noun, _ := unitBehind(text[i+n:])
					t.add(number{val: v, unit: u, noun: noun, line: line, col: -1, own: i < own, word: true})
					size = n
				}
				_ = r
				i += size
				continue
			}
			if v, ok := numberWord(w); ok && (v > 1) {
				u, noun, _ := unitBehind(text[i+len(w):])
				t.add(number{val: v, unit: u, noun: noun, line: line, col: -1, own: i < own, word: true})
			} else if d, n := parseMonthDate(text[i:]); n > 0 {
				t.addDate(d, line, i < own)
				i += n
				continue
			}
			i += len(w)
		}
	}
	return t
}

// readDigits reads what begins with the digit at i, and returns its bytes.
func (t *table) readDigits(i, line int, col *int) int {
	s := t.text[i:]
	own := i < t.own
	if d, n := parseDate(s); n > 0 {
		t.addDate(d, line, own)
		if strings.HasPrefix(s[n:], "t") && n+1 < len(s) && isDigit(s[n+1]) {
			n++
			if v, k := small(s[n:], 6); k == 6 {
				t.clocks = append(t.clocks, float64(v/10000*60+v/100%100))
				n += k
			}
		}
		return n
	}
	if v, n := parseClock(s); n > 0 {
		t.clocks = append(t.clocks, v)
		return n
	}
	before, _ := utf8.DecodeLastRuneInString(t.text[:i])
	vals, count, n := parseDigits(s, t.commas, t.commas)
	if count == 0 { // an address, a version
		for j := 0; j < n; {
			if !isDigit(s[j]) {
				j++
				continue
			}
			v, k := small(s[j:], 9)
			if k == 0 {
				break
			}
			t.add(number{val: float64(v), line: line, col: -1, own: own, part: true})
			j += k
		}
		return n
	}
	inName := i > 0 && (unicode.IsLetter(before) && !unicode.Is(unicode.Han, before) && before != 'x' || before == '_' || before == '/' && !isDigit(s[n-1]))
	u, noun, _ := unitBehind(s[n:])
	if u.dim == noDimension {
		u = unitBefore(t.text[:i])
	}
	for k := range count {
		v := vals[k]
		v.unit, v.noun, v.line, v.col, v.own, v.part = u, noun, line, *col, own, inName
		t.add(v)
	}
	*col++
	if strings.ContainsAny(s[:n], " \u00a0") { // it may be two numbers
		for part := range strings.FieldsSeq(s[:n]) {
			v, _ := small(part, 9)
			t.add(number{val: float64(v), line: line, col: -1, own: own, part: true})
		}
	}
	return n
}

// unitBefore is the currency whose sign stands before a number.
func unitBefore(before string) unit {
	before = strings.TrimRight(before, " \u00a0")
	for _, sign := range []string{"€", "£", "$", "₽", "¥", "eur", "usd", "gbp", "chf"} {
		if strings.HasSuffix(before, sign) {
			u, _ := unitOf(sign)
			return u
		}
	}
	return unit{}
}

func (t *table) add(n number) {
	n.next = -1
	if i, ok := t.heads[n.val]; ok {
		n.next = i
	}
	t.heads[n.val] = int32(len(t.nums))
	t.nums = append(t.nums, n)
}

func (t *table) addDate(d day, line int, own bool) {
	t.dates = append(t.dates, d)
	if d.year > 0 {
		t.add(number{val: float64(d.year), line: line, col: -1, own: own, part: true})
	}
}
