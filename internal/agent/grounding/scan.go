package grounding

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// kind is what a mark is.
type kind int

const (
	nothing kind = iota
	quantity
	clock
	date
	weekday    // beside a date
	identifier // a path, an address, a version, a name with digits
	name       // of a person, a place, a thing
	telephone
)

// mark is a number, a time or a date in a text.
type mark struct {
	kind kind
	number
	alt      float64 // the other number that 1.234 may be, or 0
	minutes  float64 // of a clock
	date     day
	from, to int // in the text, a unit not included
	unitTo   int // where its unit or noun ends, to if it has none
	word     bool
	second   bool // the other reading of a number
	scaled   bool // a word such as million is in it
	part     bool // of a date, a time or a name: no quantity by itself
	minus    bool // it is below zero
	label    bool // it names something, such as a platform
	own      bool // of a result
	line     int  // of the sources
	col      int  // which number of its line it is, or -1
}

// readAt reads the mark that begins at a place of a text in lower case: a digit, a letter or a Chinese character. Where
// there is none its kind is nothing; to is then where an address or a version ends.
func (l lexicon) readAt(text string, at int, spaced, commas bool) mark {
	s := text[at:]
	m := mark{from: at, to: at, unitTo: at, col: -1}
	if d, n := l.parseDate(s); n > 0 {
		m.kind, m.date, m.to = date, d, at+n
		if d.day > 0 && d.year == 0 && s[n-1] == '.' { // 23.06. is a number, too, at the end of a sentence
			m.number, _, _, _ = parseDigits(s, false, true)
		}
		return m
	}
	if isDigit(s[0]) {
		if v, n := parseClock(s); n > 0 {
			m.kind, m.minutes, m.to = clock, v, at+n
			return m
		}
		num, alt, n, ok := parseDigits(s, spaced, commas)
		m.to = at + n
		if !ok {
			return m
		}
		m.kind, m.number, m.alt = quantity, num, alt
		if hour := math.Floor(num.val); num.dec == 2 && hour < 24 && l.says("oclock", strings.TrimLeft(text[m.to:], " ")) { // 9.30 am
			m.kind, m.minutes = clock, hour*60+math.Round((num.val-hour)*100)
			return m
		}
	} else {
		v, n := l.numberWord(s)
		if n == 0 {
			return m
		}
		m.kind, m.val, m.to, m.word = quantity, v, at+n, true
	}
	if strings.HasPrefix(strings.TrimLeft(text[m.to:], " "), "折") && m.val < 10 { // 八折 is 80 %
		m.val, m.unit, m.unitTo = m.val*10, l.units["%"], m.to
		return m
	}
	behind := m.to + l.scale(&m, text[m.to:])
	var n int
	m.unit, m.noun, n = l.unitBehind(text[behind:])
	m.unitTo = behind + n
	if m.unit == nil {
		if m.unit = l.unitBefore(text[:at]); m.unit != nil { // EUR 820 plus
			m.noun, m.unitTo = "", behind
		}
	}
	return m
}

// scale multiplies a number by the word behind it, such as million, and returns where that ends.
func (l lexicon) scale(m *mark, behind string) int {
	rest := strings.TrimLeft(head(behind, maxWord), " \u00a0-")
	w := wordAt(rest)
	if isHan(firstRune(rest)) {
		w = l.prefix("scale", rest)
	}
	k, ok := l.value("scale", w)
	if !ok {
		return 0
	}
	m.val, m.alt, m.scaled = m.val*k, m.alt*k, true
	m.dec = max(0, m.dec-int(math.Log10(k)))
	return min(len(behind), maxWord) - len(rest) + len(w)
}

// sources are what the results and the other texts say.
type sources struct {
	original string
	low      string // in lower case, results first
	own      int    // bytes of low that are of results
	figures  []mark // numbers, in their order
	same     map[float64][]int
	clocks   map[int]bool // in minutes, rounded and cut
	dates    map[day]bool
	allTimes []float64 // the first clocks, in their order
	rowTimes []mark    // clocks of results that are told apart by their lines
	ownTimes int       // of allTimes: those of results
	allDates []day     // the first dates
	ownDates []day     // of these, those of results
	rowDates []mark    // dates of results that are told apart by their lines
	years    []float64
	lengths  []mark       // lengths of time
	days     map[int]bool // of a month, which is not named: the 25th
	words    map[string]bool
	lines    []string // of low
}

// maxTogether is how many numbers, times or dates are taken together in pairs.
const maxTogether = 60

// readSources reads texts in one pass.
func (l lexicon) readSources(text string, own int) *sources {
	s := &sources{original: text, low: lowered(text), own: own, same: map[float64][]int{}, clocks: map[int]bool{}, dates: map[day]bool{},
		words: map[string]bool{}, days: map[int]bool{}}
	s.lines = strings.Split(s.low, "\n")
	at, columns, commas := 0, 0, true
	for i, line := range s.lines {
		n := strings.Count(line, ",")
		if m, h, ok := cronTime(line); ok { // 30 6 * * 1
			s.addClock(h*60 + m)
		}
		csv := isCSV(line, n) || !commas && n == columns
		columns, commas = n, !csv
		l.readLine(s, at, at+len(line), i, commas)
		at += len(line) + 1
	}
	return s
}

// lineReader reads one line of sources.
type lineReader struct {
	lexicon
	*sources
	at, end int
	line    int
	commas  bool // they belong to numbers
	col     int  // see mark
	before  mark // the number before, or the length of time that it completes
}

// readLine reads the line of sources between two places.
func (l lexicon) readLine(s *sources, at, end, line int, commas bool) {
	r := lineReader{lexicon: l, sources: s, at: at, end: end, line: line, commas: commas}
	sep, cell := cellEnd(s.low[at:end], commas), 0
	for r.at < end {
		b := s.low[r.at]
		if b >= utf8.RuneSelf || isDigit(b) || 'a' <= b && b <= 'z' {
			r.step()
			continue
		}
		if b == sep {
			cell++
			r.col = cell * cellNumbers
		}
		r.at++
	}
}

// step reads the word, the number, the time or the date that begins at the place.
func (r *lineReader) step() {
	w := wordAt(r.low[r.at:r.end])
	if w != "" {
		r.words[w] = true
	}
	last, _ := utf8.DecodeLastRuneInString(r.low[:r.at])
	m := r.readAt(r.low[:r.end], r.at, r.commas && !isLetter(last), r.commas) // nvme0n1 465.8G are two
	m.line, m.own = r.line, r.at < r.own
	switch {
	case m.kind == nothing && m.to > r.at: // an address, a version
		r.addParts(m)
	case m.kind == clock:
		r.takeClock(m)
	case m.kind == date:
		r.takeDate(&m)
	case m.kind == quantity && !r.takeShortDate(&m):
		r.takeQuantity(m, last)
	}
	if m.to > r.at {
		r.at = m.to
		return
	}
	_, size := utf8.DecodeRuneInString(r.low[r.at:])
	r.at += max(len(w), size)
}

// takeClock adds a time of day, with the days before it where it is a length of time.
func (r *lineReader) takeClock(m mark) {
	r.addClock(m.minutes)
	if long := r.before; long.is("time") && long.unit.factor == 86400 && long.line == m.line && m.from-long.unitTo < len(",  ")+1 { // up 63 days, 5:18
		long.val, long.dec, long.unit, long.to, long.col = long.val*1440+m.minutes, 0, r.units["min"], m.to, -1
		r.add(long)
	}
	if m.minutes >= 1440 { // line 48 in 48:11
		r.addParts(m)
	}
	if m.own {
		r.ownTimes = len(r.allTimes)
		if len(r.rowTimes) < maxTogether*2 {
			r.rowTimes = append(r.rowTimes, m)
		}
	}
}

// takeDate adds a date, with the time of day that calendars write behind it: 20261124t144500.
func (r *lineReader) takeDate(m *mark) {
	r.addDate(*m)
	if m.dec > 0 {
		r.add(*m)
	}
	if v, n := digits(r.low[m.to:r.end], 6, 6); n > 0 && r.low[m.to-1] == 't' {
		r.addClock(float64(v/10000*60 + v/100%100))
		m.to += n
	} else if strings.HasPrefix(r.low[m.to:r.end], "t") {
		m.to++
	}
}

// takeShortDate adds the day and the month that begin a row or an entry of a log, and reports whether a number is of these.
func (r *lineReader) takeShortDate(m *mark) bool {
	rest := r.low[r.at:r.end]
	first, _ := digits(head(rest, 2), 2, 2)
	switch {
	case (r.at == 0 || r.low[r.at-1] == '\n') && rowDate().MatchString(rest): // 02.04 tomatoes
		r.add(*m)
		month, _ := digits(rest[3:], 2, 2)
		m.date = day{month: month, day: first}
	case logDate().MatchString(rest): // 11-24 16:20
		second, _ := digits(rest[3:], 2, 2)
		m.date = day{month: first, day: second}
		m.to = r.at + len("11-24")
	default:
		return false
	}
	m.kind = date
	r.addDate(*m)
	return true
}

// takeQuantity adds a number, and what it is together with the one before it. last is the character before it.
func (r *lineReader) takeQuantity(m mark, last rune) {
	behind := r.low[m.to:r.end]
	m.part = !m.word && (isLetter(last) && last != 'x' || last == '_' || last == '/' && !isDigit(r.low[m.to-1]) || last == ':' && strings.HasPrefix(r.low[m.to:], ":"))
	m.minus = hasMinus(r.low[:r.at])
	m.label = r.isLabel(m, r.low[:r.at])
	r.addFraction(r.sources, r.before, m, behind)
	if m.unit == nil && m.val <= 100 && r.is("percentkey", keyBefore(r.low[:r.at])) {
		m.unit = r.units["%"]
	}
	if !m.word {
		m.col = r.col
		r.col++
	}
	if m.val != 1 || !m.word {
		r.add(m)
	}
	r.shareUnit(r.sources, m)
	r.complete(&m)
	if m.word && m.val <= 12 && strings.HasPrefix(behind, "月") { // 三月
		r.addDate(mark{date: day{month: int(m.val)}, line: m.line, own: m.own})
	}
	if m.dec == 0 && m.val <= 31 && m.unit == nil {
		r.readShort(r.sources, m, behind)
	}
}

// complete adds the length of time of which a number is the smaller part, as in 2 h 50 min and 3h 52m, and keeps that length, or else
// the number, as the one before.
func (r *lineReader) complete(m *mark) {
	long := r.before
	if long.is("time") && long.unit.factor == 3600 && m.unit == nil && m.noun == "m" && m.from == long.unitTo+1 {
		m.unit, m.noun, m.unitTo = r.units["min"], "", m.to+1
	}
	r.before = *m
	if m.from-long.unitTo < len(" and ")+1 && long.addPart(*m) {
		long.unitTo, long.col, long.own = m.unitTo, -1, m.own
		r.add(long)
		r.before = long
	}
}

// cellNumbers is how many numbers a cell of a table has at most, for the number of a column.
const cellNumbers = 8

// cellEnd is the mark that parts the cells of a line, 0 where it is not of a table.
func cellEnd(line string, commas bool) byte {
	if !commas {
		return ','
	}
	for _, sep := range []byte{';', '\t', '|'} {
		if strings.Count(line, string(sep)) > 1 {
			return sep
		}
	}
	return 0
}

// addFraction adds the number of which m is the numerator, and which before may be the whole part of: 3/4, 2 1/4.
func (l lexicon) addFraction(s *sources, before, m mark, behind string) {
	rest, ok := strings.CutPrefix(behind, "/")
	below, n := digits(rest, 1, 1)
	if !ok || n == 0 || m.val == 0 || m.dec > 0 || m.val >= float64(below) || below > 8 || strings.HasPrefix(rest[n:], "/") {
		return
	}
	m.val, m.dec, m.col = m.val/float64(below), 2, -1
	if before.kind == quantity && before.line == m.line && before.to+1 == m.from && before.dec == 0 {
		m.val += before.val
	}
	m.unit, m.noun, _ = l.unitBehind(rest[n:])
	s.add(m)
}

// logDate is how a line of a log may begin that leaves out the year, or of a Chinese calendar: 11/30 周一.
var logDate = lazyregexp.New(`^(0\d|1[012])(-[0-3]\d( \d\d:\d\d|[,;\t])|/[0-3]\d ?[（(]?(周|星期))`)

// rowDate is the day and the month that a line may begin with, without a point behind them.
var rowDate = lazyregexp.New(`^[0-3]\d\.(0\d|1[012]) +[^\d ]`)

// cronTime is the time of day of a line of a crontab.
func cronTime(line string) (minute, hour float64, ok bool) {
	f := strings.Fields(head(line, maxWord))
	if len(f) < 5 || f[2] != "*" && f[3] != "*" && f[4] != "*" {
		return 0, 0, false
	}
	m, k := digits(f[0], 1, 2)
	h, n := digits(f[1], 1, 2)
	return float64(m), float64(h), k == len(f[0]) && n == len(f[1])
}

// readShort reads the day of a month or the time of day that a little number is by what stands behind it: 12-19 December,
// 19 Uhr.
func (l lexicon) readShort(s *sources, m mark, behind string) {
	rest := strings.TrimLeft(head(behind, maxWord), " ")
	if m.val <= 24 && l.says("oclock", rest) {
		minutes, _ := digits(strings.TrimLeft(strings.TrimPrefix(rest, "点"), " "), 2, 2)
		s.addClock(m.val*60 + float64(minutes))
	}
	if w := wordAt(strings.TrimPrefix(behind, "-")); w != "" && l.is("ordinal", w) || strings.HasPrefix(behind, "日") || strings.HasPrefix(behind, "号") {
		s.days[int(m.val)] = true
	}
	rest = strings.TrimLeft(rest, ". ")
	w := l.prefix("and", rest)
	rest = l.withoutWeekday(strings.TrimLeft(rest[len(w):], " "))
	if w == "" || rest == "" || !isDigit(rest[0]) {
		return
	}
	if d, _ := l.parseDate(rest); m.val >= 1 && int(m.val) < d.day {
		d.day = int(m.val)
		s.addDate(mark{date: d, line: m.line, own: m.own})
	}
}

// hasMinus reports whether a text ends with the sign of a number below zero, and not with a dash.
func hasMinus(before string) bool {
	rest, ok := strings.CutSuffix(before, "-")
	last, _ := utf8.DecodeLastRuneInString(rest)
	return ok && (rest == "" || strings.ContainsRune(" \t\n,;:|=(\"", last))
}

// isLabel reports whether a number names something: platform 4, track no. 4, and not a sentence ends before it.
func (l lexicon) isLabel(m mark, before string) bool {
	w := wordBefore(before)
	rest := strings.TrimRight(before, " ")
	ends := strings.HasSuffix(rest, ",") || strings.HasSuffix(rest, ".") && len(w) > len("tel")
	return m.dec == 0 && m.unit == nil && !ends && l.is("label", w)
}

// add adds a number, with the other that it may be. Of equal ones with one unit only the first is looked up by its value.
func (s *sources) add(m mark) {
	s.figures = append(s.figures, m)
	if m.isYear() && len(s.years) < maxTogether {
		s.years = append(s.years, m.val)
	}
	if m.is("time") && !m.part && len(s.lengths) < maxTogether {
		s.lengths = append(s.lengths, m)
	}
	if same := s.same[m.val]; !slices.ContainsFunc(same, func(i int) bool { return s.figures[i].unit == m.unit && s.figures[i].part == m.part }) {
		s.same[m.val] = append(same, len(s.figures)-1)
	}
	if m.alt > 0 {
		m.val, m.dec, m.alt, m.second = m.alt, 0, 0, true
		s.add(m)
	}
	if strings.ContainsAny(s.low[m.from:m.to], " \u00a0") { // it may be two numbers
		s.addParts(m)
	}
}

// shareUnit gives the unit of a number to those that are listed before it: 40, 60 and 100 euros, 4 x 5 m.
func (l lexicon) shareUnit(s *sources, m mark) {
	for i := len(s.figures) - 2; i >= 0 && m.unit != nil; i-- {
		n := &s.figures[i]
		gap := tail(s.low[min(n.to, m.from):m.from], 8)
		raw := strings.Trim(gap, " ")
		between := strings.TrimRight(raw, "- −") // of -4 to -12 °C
		if raw == "/" || between == "" && raw != "" && !strings.Contains(gap, "  ") {
			between = "-"
		}
		across := m.is("length") && l.is("across", between)
		if n.line != m.line || n.unit != nil || n.noun != "" && !l.is("and", n.noun) && !across || n.part || between != "," && !l.is("and", between) && !across {
			return
		}
		n.unit, n.noun, m.from = m.unit, "", n.from
	}
}

// addParts adds the numbers that an address, a version or a group of digits has.
func (s *sources) addParts(m mark) {
	text := s.low[m.from:m.to]
	m.part, m.col, m.unit, m.noun, m.dec = true, -1, nil, "", 0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if v, n := digits(part, 1, 9); n > 0 {
			m.val = float64(v)
			m.from, m.to, m.alt = 0, 0, 0
			s.add(m)
		}
	}
}

func (s *sources) addClock(v float64) {
	if len(s.allTimes) < maxTogether && !slices.Contains(s.allTimes, v) {
		s.allTimes = append(s.allTimes, v)
	}
	s.clocks[int(v)], s.clocks[int(v+0.5)] = true, true
}

func (s *sources) addDate(m mark) {
	if !s.dates[m.date] && len(s.allDates) < maxTogether {
		s.allDates = append(s.allDates, m.date)
		if m.own {
			s.ownDates = append(s.ownDates, m.date)
		}
	}
	if m.own && m.date.day > 0 && len(s.rowDates) < maxTogether {
		s.rowDates = append(s.rowDates, m)
	}
	s.dates[m.date] = true
	if m.date.year > 0 {
		s.add(mark{kind: quantity, number: number{val: float64(m.date.year)}, line: m.line, col: -1, own: m.own, part: true})
	}
}

// isDecimal reports whether the comma at i is the only one between blanks, and digits stand on both sides of it: 5,20 x 4,10 m.
func isDecimal(line string, i int) bool {
	from, to := strings.LastIndexByte(line[:i], ' ')+1, i+1+strings.IndexByte(line[i+1:]+" ", ' ')
	return isDigit(line[i-1]) && isDigit(line[i+1]) && strings.Count(line[from:to], ",") == 1
}

// isCSV reports whether in a line with so many commas they stand between values: there are two or more, and one that is in no
// number and has no blank behind it.
func isCSV(line string, commas int) bool {
	if commas < 2 || strings.Contains(line, ", ") || strings.Contains(line, "  ") || strings.Count(line, ";") > 1 {
		return false
	}
	for i := range len(line) {
		if line[i] != ',' || i == 0 || i+1 == len(line) || line[i+1] == ' ' {
			continue
		}
		if _, n := digits(line[i+1:], 3, 3); (n != 3 || !isDigit(line[i-1])) && !isDecimal(line, i) {
			return true
		}
	}
	return false
}

// hasWord reports whether the sources have a word, in this case or another.
func (s *sources) hasWord(low string) bool {
	return s.words[low] || slices.ContainsFunc([]string{"'s", "’s", "s", "es", "n", "en", "e", "er", "ers"}, func(ending string) bool {
		w, ok := strings.CutSuffix(low, ending)
		return ok && len(w) > 2 && s.words[w]
	})
}
