package grounding

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// number is a number with its unit.
type number struct {
	val  float64
	dec  int    // digits behind the decimal sign
	unit *unit  // nil: no unit stands beside it
	noun string // the stem of the word behind it that is no unit
}

// is reports whether a number has a unit of that dimension.
func (n number) is(dim string) bool { return n.unit != nil && n.unit.dim == dim }

// addPart adds a length of time in a smaller unit, if m is one that completes n.
func (n *number) addPart(m mark) bool {
	if !n.is("time") || !m.is("time") || m.unit.factor >= n.unit.factor || n.unit.factor > 7*86400 || m.val*m.unit.factor >= n.unit.factor {
		return false
	}
	n.val, n.dec, n.unit = n.val*n.unit.factor/m.unit.factor+m.val, m.dec, m.unit
	return true
}

// little reports whether a number is so small that there is always a sum that fits.
func (n number) little() bool { return n.dec == 0 && n.val < 100 }

// maxGroups is how many groups of digits a number has at most.
const maxGroups = 8

// parseDigits reads the number that s begins with, and its bytes. 1.234 is two numbers: alt is the other one. Addresses and
// versions are none: ok is false. Spaces may group thousands if spaced; commas belong to a number if commas.
func parseDigits(s string, spaced, commas bool) (num number, alt float64, n int, ok bool) {
	var groups [maxGroups]string
	var seps [maxGroups]byte
	k := 0
	for {
		begin := n
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		groups[k] = s[begin:n]
		sep, width := separator(s[n:], spaced && len(groups[0]) <= 3 && (k == 0 || seps[k-1] == ' '), commas)
		if width == 0 || k == maxGroups-1 {
			break
		}
		seps[k] = sep
		k++
		n += width
	}
	same, threes := true, len(groups[0]) <= 3
	for i := range k {
		same = same && seps[i] == seps[0]
		threes = threes && (len(groups[i+1]) == 3 || i == k-1)
	}
	last := seps[max(0, k-1)]
	thousands := threes && len(groups[k]) == 3
	switch {
	case k == 0:
		return value(groups[:1], ""), 0, n, true
	case k > 1 && same:
		return value(groups[:k+1], ""), 0, n, thousands
	case k > 1:
		return value(groups[:k], groups[k]), 0, n, threes && last != ' ' && last != '\''
	case last == ' ' || last == '\'':
		return value(groups[:2], ""), 0, n, true
	case thousands && groups[0] != "0":
		return value(groups[:1], groups[1]), value(groups[:2], "").val, n, true
	}
	return value(groups[:1], groups[1]), 0, n, true
}

// separator reads what stands between two groups of digits, a blank for each kind of space, and its bytes.
func separator(s string, spaced, commas bool) (sep byte, width int) {
	if len(s) < 2 {
		return 0, 0
	}
	if c := s[0]; (c == '.' || c == ',' && commas || c == '\'') && isDigit(s[1]) {
		return c, 1
	}
	for _, space := range []string{" ", "\u00a0", "\u202f"} {
		rest, ok := strings.CutPrefix(s, space)
		if ok && spaced && len(rest) >= 3 && isDigit(rest[0]) && isDigit(rest[1]) && isDigit(rest[2]) && (len(rest) == 3 || !isDigit(rest[3])) {
			return ' ', len(space)
		}
	}
	return 0, 0
}

// value is the number with these groups of digits before its decimal sign, and behind.
func value(whole []string, fraction string) number {
	v, scale := 0.0, 1.0
	for _, g := range whole {
		for i := range len(g) {
			v = v*10 + float64(g[i]-'0')
		}
	}
	for i := range min(len(fraction), 15) {
		v = v*10 + float64(fraction[i]-'0')
		scale *= 10
	}
	return number{val: v / scale, dec: min(len(fraction), 15)}
}

// digits reads a number that s begins with, of at least and at most so many digits, and how many these are: 0 where there
// are less or more.
func digits(s string, least, most int) (v, n int) {
	for n < len(s) && n < most && isDigit(s[n]) {
		v = v*10 + int(s[n]-'0')
		n++
	}
	if n < least || n < len(s) && isDigit(s[n]) {
		return 0, 0
	}
	return v, n
}

// parseClock reads a time of day or a duration such as 9:05 or 01:13:07, in sixtieths of its first part.
func parseClock(s string) (v float64, n int) {
	a, i := digits(s, 1, 3)
	if i == 0 || i == len(s) || s[i] != ':' {
		return 0, 0
	}
	b, j := digits(s[i+1:], 2, 2)
	if j == 0 || b > 59 {
		return 0, 0
	}
	n = i + 1 + j
	v = float64(a*60 + b)
	if sec, _, k, ok := parseDigits(s[i+1:], false, false); ok && sec.dec > 0 && sec.dec < 3 { // 2:14.55
		return float64(a*60) + sec.val, i + 1 + k
	}
	if n < len(s) && s[n] == ':' {
		if c, k := digits(s[n+1:], 2, 2); k > 0 && c < 60 {
			n += 3
			if sec, _, k, _ := parseDigits(s[n-2:], false, false); sec.dec > 0 { // 0:00:01.25
				return v + sec.val/60, n - 2 + k
			}
			return v + float64(c)/60, n
		}
	}
	return v, n
}

// day is a date; year 0 is one without a year, day 0 a month.
type day struct{ year, month, day int }

// time is the beginning of a day, in some year where it has none.
func (d day) time() time.Time {
	year := d.year
	if year == 0 {
		year = 2001
	}
	return time.Date(year, time.Month(d.month), max(d.day, 1), 0, 0, 0, 0, time.UTC)
}

// daysTo is how many days lie between two dates.
func (d day) daysTo(x day) float64 { return d.time().Sub(x.time()).Abs().Hours() / 24 }

// plus is the date so many days later.
func (d day) plus(days int) day {
	t := d.time().AddDate(0, 0, days)
	return day{t.Year(), int(t.Month()), t.Day()}
}

// same reports whether two dates may be one day; what one does not say it does not contradict.
func (d day) same(x day) bool {
	return x.month == d.month && (x.day == d.day || x.day == 0 || d.day == 0) && (x.year == d.year || x.year == 0 || d.year == 0)
}

// parseDate reads the date that s, in lower case, begins with, and its bytes.
func (l lexicon) parseDate(s string) (day, int) {
	if s == "" {
		return day{}, 0
	}
	digit := isDigit(s[0])
	if digit && !mayBeDate(s) || !digit && !l.is("month", wordAt(s)) {
		return day{}, 0
	}
	for _, p := range l.forms {
		if digit == (p[0] == 'n') {
			continue
		}
		if d, n := l.match(p, s); n > 0 && d.month >= 1 && d.month <= 12 && d.day <= 31 {
			if isHour := !digit && d.day > 0 && d.year == 0 && l.says("oclock", strings.TrimLeft(s[n:], " ")); isHour { // from November to March 11 am to 4 pm
				continue
			}
			if d.year > 0 && d.year < 100 {
				d.year += 2000
			}
			return d, n
		}
	}
	return day{}, 0
}

// mayBeDate reports whether behind the digits that s begins with stands what goes on a date. Most numbers are none.
func mayBeDate(s string) bool {
	n := 1
	for n < len(s) && n < 9 && isDigit(s[n]) {
		n++
	}
	if n == 8 { // 20261124, also before a letter
		return strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")
	}
	if n+1 >= len(s) || n > 4 {
		return false
	}
	next := s[n+1]
	switch s[n] {
	case '-':
		return isDigit(next)
	case '/':
		return isDigit(next) || isLetter(rune(next))
	case '.':
		return isDigit(next) || next == ' '
	case ':':
		return n == 4 && isDigit(next)
	case ' ', 0xc2: // a blank that does not break
		return !isDigit(next)
	}
	return strings.IndexByte("snrt", s[n]) >= 0 || s[n] >= utf8.RuneSelf
}

// match reads a date of a form; words.txt has the forms.
func (l lexicon) match(p, s string) (d day, n int) {
	for i := 0; i < len(p); i++ {
		least := 1
		if i+1 < len(p) && p[i+1] == p[i] {
			least, i = 2, i+1
		}
		k, ok := l.matchPart(p[i], least, s[n:], &d)
		if !ok {
			return day{}, 0
		}
		n += k
	}
	if goesOn(p[len(p)-1], s[n:]) {
		return day{}, 0
	}
	return d, n
}

// matchPart reads into d the part of a date that a sign of a form stands for, and its bytes.
func (l lexicon) matchPart(sign byte, least int, s string, d *day) (n int, ok bool) {
	switch sign {
	case 'y':
		d.year, n = digits(head(s, 4), 4, 4)
		return n, d.year >= 1000
	case 'Y':
		if d.year, n = digits(head(s, 4), 4, 4); n == 0 {
			d.year, n = digits(head(s, 2), 2, 2)
		}
	case 'm':
		d.month, n = digits(head(s, 2), least, 2)
		return n, d.month > 0
	case 'd':
		d.day, n = digits(head(s, 2), least, 2)
		return n, d.day > 0
	case 'n':
		w := wordAt(s)
		m, _ := l.value("month", w)
		d.month = int(m)
		return len(w), d.month > 0
	case '*':
		if slices.Contains([]string{"st", "nd", "rd", "th"}, head(s, 2)) {
			n = 2
		}
		return n, true
	case ',':
		return len(s) - len(strings.TrimPrefix(s, ",")), true
	case ' ':
		n = len(head(s, 3)) - len(strings.TrimLeft(head(s, 3), " .\u00a0"))
	default:
		n = min(len(s), 1)
		return n, n > 0 && s[0] == sign
	}
	return n, n > 0
}

// goesOn reports whether behind a date, whose form ends with last, stands what makes something else of it.
func goesOn(last byte, rest string) bool {
	if rest == "" || isDigit(rest[0]) {
		return rest != "" && strings.IndexByte("mdyY*.", last) >= 0
	}
	isSign := rest[0] == '.' || rest[0] == ':' && last == '*' // 10.10.10.17, the 8 of May 8:30
	return isSign && len(rest) > 1 && isDigit(rest[1])
}

// head is the first n bytes of a text.
func head(s string, n int) string { return s[:min(n, len(s))] }

// unitBehind reads the unit or the word that stands behind a number, s in lower case beginning there, and its bytes.
func (l lexicon) unitBehind(s string) (u *unit, noun string, n int) {
	begin := len(s)
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
	n = begin - len(s)
	w := wordAt(s)
	if spaces == 0 && (len(w) == 1 || len(w) == 2 && w[1] == 'i') && strings.IndexByte("kmgtb", w[0]) >= 0 {
		return nil, w, n + len(w) // 44G, 5m, 128Mi: of bytes as well as of grams, metres, minutes, miles
	}
	for size := min(len(s), l.longest); size > len(w); size-- { // km/h, °C, 公里
		if u := l.units[s[:size]]; u != nil && wordAt(s[:size]) != s[:size] {
			return u, "", n + size
		}
	}
	if w == "" {
		if r, size := utf8.DecodeRuneInString(s); isHan(r) {
			return nil, string(r), n + size
		}
		return nil, "", 0
	}
	if u := l.units[w]; u != nil {
		return u, "", n + len(w)
	}
	if l.is("and", w) || l.is("hour", w) || l.is("article", w) {
		return nil, "", n + len(w)
	}
	return nil, stem(w), n + len(w)
}

// unitBefore is the currency whose sign stands before a number.
func (l lexicon) unitBefore(before string) *unit {
	before = tail(before, 12)
	if strings.HasSuffix(before, "  ") { // a cell of its own, as in a table of rates
		return nil
	}
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " ")); last < utf8.RuneSelf && last != '$' && !isLetter(last) {
		return nil
	}
	w := wordBefore(before)
	for _, sign := range []string{w, w[strings.LastIndexFunc(w, isLetter)+1:]} {
		if u := l.units[sign]; u != nil && u.factor == 1 && u.isCurrency() {
			return u
		}
	}
	return nil
}

// sameUnit reports whether two units measure the same by the same measure.
func sameUnit(a, b *unit) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.dim == b.dim && (a.factor == b.factor || a.dim == "data" && a.binary == b.binary)
}

// convert returns what a value with a unit is in another: several of data, as a kilobyte may be 1000 bytes or 1024.
func convert(v float64, from, to *unit) (out [3]float64, n int) {
	switch {
	case from == nil || to == nil:
		return [3]float64{v}, 1
	case from.dim != to.dim:
		return out, 0
	case from.dim == "data":
		return [3]float64{v * from.factor / to.factor, v * from.binary / to.factor, v * from.binary / to.binary}, 3
	}
	return [3]float64{(v-from.zero)*from.factor/to.factor + to.zero}, 1
}

// near reports whether a, as the answer writes it, is v: exactly, rounded or cut to the digits that are written, or about so
// where the answer says that.
func (x claim) near(v float64) bool {
	v = math.Abs(v)
	off := math.Abs(v - x.val)
	if off > 1 && off > 0.1*v || v == 0 && x.val != 0 || math.IsNaN(v) {
		return false
	}
	step := math.Pow10(-x.dec)
	if x.word && x.dec > 0 { // six and a half
		step = .5
	}
	if off <= step*0.5+1e-9*v {
		// 7 is not 7.4 rounded where nothing says so.
		return off <= 1e-9*v+1e-12 || x.approx || x.val >= 100 || x.dec > 0 || x.is("percent")
	}
	if x.dec > 0 && x.val >= 10 && v > x.val && off < step*(1-1e-6) { // cut
		return true
	}
	if !x.approx {
		return false
	}
	for whole := x.val; x.dec == 0 && whole >= 10 && math.Mod(whole, 10) == 0; whole /= 10 {
		step *= 10 // 400 is said of 409
	}
	return off <= 0.1*v && (off <= 0.6*step || v > x.val && off < step)
}

// nearUnit reports whether a is a value with a unit, converted and rounded.
func (x claim) nearUnit(v float64, u *unit) bool {
	all, n := convert(v, u, x.unit)
	return slices.ContainsFunc(all[:n], func(w float64) bool { return x.near(w) || w != v && x.val >= 10 && math.Abs(w-x.val) <= 0.5 })
}
