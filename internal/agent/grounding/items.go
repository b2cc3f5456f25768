package grounding

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// kind is what an item of an answer is.
type kind int

const (
	nothing    kind = iota
	identifier      // a path, an address, a version, a name with digits
	anyName         // of a person, a place, a thing
	telephone
	quantity
	clock
	date
	weekday // beside a date
)

// item is something of an answer that may be checked.
type item struct {
	kind     kind
	text     string
	readings []number // of a quantity
	minutes  float64  // of a clock
	date     day
	day      time.Weekday
	between  bool // a clock that may be a length of time
	label    bool // a quantity that is the name of a thing, such as a platform's
}

// items are the items of the answer.
func (c *checker) items() []item {
	if c.found != nil {
		return c.found
	}
	c.found = []item{}
	for line := range strings.SplitSeq(c.answer, "\n") {
		c.readLine(line)
	}
	return c.found
}

// readLine reads the items of one line.
func (c *checker) readLine(line string) {
	trimmed := strings.TrimLeft(line, " \t>#")
	if v, n := small(trimmed, 3); n > 0 && v > 0 && n+1 < len(trimmed) && (trimmed[n] == '.' || trimmed[n] == ')') && trimmed[n+1] == ' ' {
		trimmed = trimmed[n+1:] // the number of a list
	}
	low := strings.ToLower(trimmed)
	if len(low) != len(trimmed) { // a letter that is longer in lower case
		trimmed = low
	}
	r := reader{c: c, first: len(c.found), text: trimmed, low: low, begins: true}
	for r.at < len(r.text) {
		r.step()
	}
	r.weekdays()
	r.names()
}

// weekdays adds the days of the week that stand beside a date.
func (r *reader) weekdays() {
	var all []item
	for i := 0; i < len(r.low); {
		w := wordAt(r.low[i:])
		at := i
		if w == "" {
			_, size := utf8.DecodeRuneInString(r.low[i:])
			for _, size := range []int{9, 6} {
				if i+size <= len(r.low) {
					if _, ok := weekdayOf(r.low[i : i+size]); ok {
						w = r.low[i : i+size]
					}
				}
			}
			if w == "" {
				i += size
				continue
			}
		}
		i += len(w)
		d, ok := weekdayOf(w)
		if !ok {
			continue
		}
		near, gap := day{}, 24
		for _, x := range r.dates {
			if off := min(max(x.from-i, at-x.to), 99); off >= 0 && off < gap && x.date.day > 0 {
				between := r.low[min(i, x.to):max(at, x.from)]
				if !strings.ContainsAny(between, ".;:") || off < 4 || strings.Contains(between, ". ") && off < 3 {
					near, gap = x.date, off
				}
			}
		}
		if near.day > 0 {
			all = append(all, item{kind: weekday, text: r.text[at : at+len(w)], date: near, day: d})
		}
	}
	r.c.found = append(r.c.found, all...)
}

// placed is a date with its place in the line.
type placed struct {
	date     day
	from, to int
}

// reader reads one line of an answer.
type reader struct {
	c         *checker
	first     int // index of the line's first item
	text, low string
	at        int
	begins    bool // a sentence begins here
	caps      []capital
	dates     []placed
}

// capital is a word with a capital letter.
type capital struct {
	text   string
	at     int
	begins bool   // a sentence
	before string // the word before it, in lower case
	follow bool   // nothing but a space stands between it and the one before
}

func (r *reader) add(it item) { r.c.found = append(r.c.found, it) }

// step reads the next token.
func (r *reader) step() {
	rest := r.text[r.at:]
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.Is(unicode.Han, first):
		r.han()
		return
	case first == ' ' || first == '\t' || strings.ContainsRune("\"'`*_()[]{}<>«»„“”‘’,;|~≈=+-–—…•、,。;:()《》「」\\", first):
		if strings.ContainsRune("•|。", first) {
			r.begins = true
		}
		if strings.ContainsRune("-–+", first) && r.at+1 < len(r.text) && r.phone() {
			return
		}
		r.at += size
		return
	case strings.ContainsRune(".!?:", first):
		r.begins = true
		r.at += size
		return
	}
	if r.phone() {
		return
	}
	token := r.token(rest)
	end := r.at + len(token)
	begins := r.begins
	r.begins = false
	if token == "" {
		r.at += size
		return
	}
	if !r.number(token) {
		r.word(token, begins)
	}
	if r.at < end {
		r.at = end
	}
}

// token is what s begins with up to a blank, a bracket, a quote or a Chinese character, without the marks at its end.
func (r *reader) token(s string) string {
	end := len(s)
	for i, x := range s {
		if x == ' ' || x == '\t' || x == '\u00a0' || x == '\u202f' || strings.ContainsRune("\"`*()[]{}<>«»„“”|;,、。;()《》!?—–…=", x) || unicode.Is(unicode.Han, x) {
			if x == ',' && i > 0 && i+1 < len(s) && isDigit(s[i-1]) && isDigit(s[i+1]) {
				continue
			}
			end = i
			break
		}
	}
	return strings.TrimRight(s[:end], ".:!?'’-_")
}

// phone reads a number of a telephone: at least seven digits in groups.
func (r *reader) phone() bool {
	if r.at > 0 {
		if before, _ := utf8.DecodeLastRuneInString(r.text[:r.at]); unicode.IsLetter(before) || unicode.IsDigit(before) || before == '.' || before == ',' || before == '/' {
			return false
		}
	}
	s := r.text[r.at:]
	digits, groups, end, dashes := 0, 0, 0, 0
	last := byte(0)
	for i := range len(s) {
		b := s[i]
		if isDigit(b) {
			digits++
			if !isDigit(last) {
				groups++
			}
			end = i + 1
		} else if b != ' ' && b != '-' && b != '(' && b != ')' && !(b == '+' && i == 0) {
			if (b == '.' || b == ',' || b == ':' || b == '/') && i+1 < len(s) && isDigit(s[i+1]) {
				return false
			}
			break
		} else if b == '-' || b == '(' {
			dashes++
			if b == last {
				return false
			}
		}
		last = b
	}
	if digits < 7 && !(digits == 6 && dashes >= 2) || digits > 15 || s[0] != '+' && (groups < 2 || dashes == 0) {
		return false
	}
	if _, n := parseDate(r.low[r.at:]); n > 0 {
		return false
	}
	r.add(item{kind: telephone, text: s[:end]})
	r.at += end
	return true
}

// number reads a number, a date or a time at the place, which the token begins. It reports whether the token is one.
func (r *reader) number(token string) bool {
	low := r.low[r.at:]
	if d, n := parseMonthDate(low); n > 0 {
		r.addDate(d, n)
		return true
	}
	skip := len(token) - len(strings.TrimLeft(token, "€$£¥₽x×≈~+-#"))
	if strings.HasPrefix(token, "x") && (len(token) < 2 || !isDigit(token[1])) {
		skip = 0
	}
	if skip >= len(token) || !isDigit(token[skip]) {
		return false
	}
	s := low[skip:]
	if isAddress(token[skip:]) {
		return false
	}
	if d, n := parseDate(s); n > 0 {
		it := item{kind: date, text: r.text[r.at+skip : r.at+skip+n], date: d}
		if vals, count, _ := parseDigits(s, false, true); d.year == 0 && count > 0 && vals[0].dec == 2 {
			it.readings = vals[:count]
			it.text = strings.TrimSuffix(it.text, ".")
		}
		r.dates = append(r.dates, placed{d, r.at, r.at + skip + n})
		r.add(it)
		r.at += skip + n
		return true
	}
	if v, n := parseClock(s); n > 0 {
		behind := strings.TrimLeft(s[n:], " ")
		if strings.HasPrefix(behind, "pm") || strings.HasPrefix(behind, "p.m") {
			if v < 720 {
				v += 720
			}
		}
		u, _, _ := unitBehind(s[n:])
		between := u.dim == duration || r.c.speaksOf("took|takes|lasts|long|dauer|pace|tempo|длит|в пути|在路上|用时|duration|average|schnitt|средн")
		r.add(item{kind: clock, text: token[skip:][:min(n, len(token)-skip)], minutes: v, between: between})
		r.at += skip + n
		return true
	}
	vals, count, n := parseDigits(s, true, true)
	if count == 0 {
		return false
	}
	if strings.ContainsAny(s[:n], " \u00a0\u202f") { // it may be two numbers, of which the sources have one
		head, _, _ := parseDigits(s, false, true)
		if !r.c.hasNumber(vals[0]) && r.c.hasNumber(head[0]) {
			vals, count, n = parseDigits(s, false, true)
		}
	}
	behind := s[n:]
	w := wordAt(behind)
	if d, ok := r.dayOfList(vals[0], behind); ok {
		r.add(item{kind: date, text: r.text[r.at+skip : r.at+skip+n], date: d})
		r.at += skip + n
		return true
	}
	ordinalDay := false
	for _, ordinal := range []string{"st", "nd", "rd", "th", "x", "s"} { // 2nd, 3x, the 1990s
		if w == ordinal && ordinal != "s" || w == ordinal && vals[0].val > 1000 {
			behind, ordinalDay = behind[len(w):], w != "x" && w != "s"
			w = ""
			break
		}
	}
	u, noun, length := unitBehind(behind)
	if w != "" && u.dim == noDimension && len(noun) > 1 || w == "" && n < len(token)-skip && (behind[0] == '_' || behind[0] == '/' && !strings.HasPrefix(behind, "/2")) {
		return false // a name that begins with digits
	}
	if rest := token[min(skip+n, len(token)):]; w != "" && strings.ContainsAny(rest, "0123456789") && !strings.Contains(rest, "-") {
		return false // 0f3c9
	}
	if u.dim == noDimension {
		u = unitBefore(low[:skip])
		if u.dim == noDimension {
			u = unitBefore(r.low[:r.at])
		}
	}
	if u.dim == noDimension { // from 3 to 6 pm, 68 to 77 °F
		u, noun = unitBehindNext(behind, u, noun)
	}
	if k := scaleOf(noun); k == 0 {
		if k = scaleOf(wordAt(strings.TrimLeft(behind, " \u00a0"))); k > 0 {
			for i := range vals {
				vals[i].val *= k
				vals[i].scaled = true
			}
		}
	}
	before := lastWord(r.low[:r.at])
	if vals[0].val == 100 && isPer(before) { // 6 litres a 100 km
		r.at += skip + n
		return true
	}
	it := item{kind: quantity, text: r.text[r.at+skip : r.at+skip+n], label: isLabel(before) && vals[0].dec == 0 && u.dim == noDimension}
	if u.dim == percent {
		it.text = r.text[r.at+skip : r.at+skip+n+length]
	}
	if last := len(r.c.found) - 1; u.dim == noDimension && noun == "" && last >= r.first && r.c.found[last].kind == quantity {
		u = r.c.found[last].readings[0].unit // 14 days and 7
	}
	approx := r.isRounded()
	for _, v := range vals[:count] {
		v.unit, v.noun, v.approx = u, noun, approx || v.scaled
		v.minus = strings.HasPrefix(token, "-") || strings.HasSuffix(r.low[:r.at], "-") && !strings.HasSuffix(strings.TrimSuffix(r.low[:r.at], "-"), "0") || strings.HasSuffix(r.low[:r.at], "−")
		v.day = v.dec == 0 && v.val <= 31 && (ordinalDay || isArticle(before)) && u.dim == noDimension
		v.hour = v.dec == 0 && v.val <= 24 && isHourWord(before) && (u.dim == noDimension || u.factor == 3600)
		it.readings = append(it.readings, v)
		if u.dim == money && u.base == "gbp" && length > 3 { // pounds are a mass, too
			v.unit, _ = unitOf("lb")
			it.readings = append(it.readings, v)
		}
	}
	if u.dim == duration && u.factor == 3600 { // 7 h 30 min
		if m, used := minutesBehind(s[n+length:]); used > 0 {
			v := number{val: vals[0].val*60 + m, approx: approx}
			v.unit, _ = unitOf("min")
			it.readings = []number{v}
			it.text = r.text[r.at+skip : r.at+skip+n+length+used]
			r.add(it)
			r.at += skip + n + length + used
			return true
		}
	}
	if u.dim == noDimension && vals[0].val <= 24 && vals[0].dec == 0 && (clockWord(noun) || clockWord(wordAt(strings.TrimLeft(behind, " ")))) {
		it.kind, it.minutes = clock, vals[0].val*60
		if strings.HasPrefix(behind, "点半") {
			it.minutes += 30
		}
		if next := strings.TrimLeft(behind, " "); it.minutes < 720 && (strings.HasPrefix(next, "pm") || strings.HasPrefix(next, "p.m") || strings.HasPrefix(next, "вечера")) {
			it.minutes += 720
		}
	}
	r.add(it)
	r.at += skip + n
	if w != "" { // the unit belongs to the token
		r.at += len(w)
	}
	return true
}

// dayOfList reads the first day of such as 11 and 12 May.
func (r *reader) dayOfList(n number, behind string) (day, bool) {
	if n.dec > 0 || n.val < 1 || n.val > 31 {
		return day{}, false
	}
	rest := strings.TrimLeft(behind, ". ,")
	for _, w := range []string{"and ", "to ", "or ", "und ", "bis ", "oder ", "и ", "по ", "–", "- ", "-", "& ", "и до "} {
		if next, ok := strings.CutPrefix(rest, w); ok {
			rest = strings.TrimPrefix(next, " ")
			break
		}
	}
	if len(rest) == len(behind) {
		return day{}, false
	}
	d, length := parseDate(rest)
	if length == 0 || d.day == 0 || d.year > 0 && rest[0] > '3' {
		return day{}, false
	}
	d.day = int(n.val)
	return d, true
}

func (r *reader) addDate(d day, n int) {
	r.dates = append(r.dates, placed{d, r.at, r.at + n})
	r.add(item{kind: date, text: r.text[r.at : r.at+n], date: d})
	r.at += n
}

// minutesBehind reads the minutes behind hours: and 15 min.
func minutesBehind(s string) (m float64, n int) {
	rest := s
	for _, w := range []string{" and", " und", " и"} {
		rest = strings.TrimPrefix(rest, w)
	}
	rest = strings.TrimLeft(rest, " ,")
	v, k := small(rest, 2)
	if k == 0 || v > 59 {
		return 0, 0
	}
	u, _, length := unitBehind(rest[k:])
	if u.dim != duration || u.factor != 60 {
		return 0, 0
	}
	return float64(v), len(s) - len(rest) + k + length
}

// unitBehindNext is the unit of the next number where only a word such as to stands between.
func unitBehindNext(behind string, u unit, noun string) (unit, string) {
	rest := strings.TrimLeft(behind, " ")
	for _, w := range []string{"to ", "and ", "or ", "bis ", "und ", "auf ", "oder ", "до ", "и ", "или ", "–", "-", "— "} {
		next, ok := strings.CutPrefix(rest, w)
		if !ok {
			continue
		}
		next = strings.TrimLeft(next, " ")
		if next == "" || !isDigit(next[0]) {
			return u, noun
		}
		if _, count, n := parseDigits(next, true, true); count > 0 {
			if v, k := parseClock(next); k > 0 || v > 0 {
				return u, noun
			}
			u, noun, _ = unitBehind(next[n:])
		}
		return u, noun
	}
	return u, noun
}

// lastWord is the word before a place.
func lastWord(before string) string {
	before = strings.TrimRight(before, " *_")
	i := strings.LastIndexAny(before, " (*_\u00a0") + 1
	return strings.Trim(before[i:], ".,:;")
}

// isPer reports whether a number behind a word is what another is counted by.
func isPer(w string) bool {
	return strings.Contains(" per pro auf je на every каждые a out von of 每 ", " "+w+" ")
}

// isHourWord reports whether a number behind a word may be an hour of the day.
func isHourWord(w string) bool {
	return strings.Contains(" from to between and until till at by before after um von bis zwischen und ab nach vor с до в к после между и – - ", " "+w+" ")
}

// isArticle reports whether a number behind a word may be the day of a month.
func isArticle(w string) bool {
	return strings.Contains(" the am dem den der vom zum on of until bis ab с до по на ", " "+w+" ")
}

// isAddress reports whether a token of digits is an address or a version: it has two points and is no date and no number.
func isAddress(s string) bool {
	if strings.Count(s, ".") < 2 {
		return false
	}
	if _, n := parseDate(s); n > 0 {
		return false
	}
	_, count, _ := parseDigits(s, false, true)
	return count == 0
}

// isRounded reports whether a word before the place says that what follows is rounded.
func (r *reader) isRounded() bool {
	before := r.low[:r.at]
	if len(before) > 40 {
		before = before[len(before)-40:]
		for !utf8.RuneStart(before[0]) {
			before = before[1:]
		}
	}
	before = strings.TrimRight(before, " *")
	if strings.HasSuffix(before, "~") || strings.HasSuffix(before, "≈") || strings.HasSuffix(before, "约") {
		return true
	}
	for _, w := range strings.Fields(before)[max(0, len(strings.Fields(before))-4):] {
		switch strings.Trim(w, ",.()") {
		case "about", "around", "roughly", "approximately", "approx", "almost", "nearly", "over", "than", "some", "close", "under", "just",
			"rund", "etwa", "ca", "circa", "ungefähr", "knapp", "gut", "fast", "über", "mehr", "kaum",
			"около", "примерно", "почти", "более", "больше", "чуть", "порядка", "приблизительно":
			return true
		}
	}
	for _, w := range []string{"大约", "约", "左右", "接近", "将近", "近"} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return false
}

// word reads a token that is no number.
func (r *reader) word(token string, begins bool) {
	at := r.at
	low := r.low[at : at+len(token)]
	if isIdentifier(token, r.at > 0 && r.text[r.at-1] == '`') {
		r.add(item{kind: identifier, text: token})
		return
	}
	if r.c.foreign && isLatinWord(low) {
		r.add(item{kind: identifier, text: token})
		return
	}
	if strings.Contains(token, "/") || strings.Contains(token, "-") { // and/or, Anne-Marie
		cut := strings.IndexAny(token, "/-")
		if cut > 0 {
			token, low = token[:cut], low[:cut]
			r.at += cut
		}
	}
	if v, ok := numberWord(low); ok {
		if next := wordAt(strings.TrimLeft(r.low[at+len(token):], " -")); scaleOf(next) > 0 || v >= 20 && isOrdinal(next) {
			return
		}
		if v > 2 {
			u, noun, _ := unitBehind(r.low[at+len(token):])
			if last := len(r.c.found) - 1; noun == "" && u.dim == noDimension && last >= r.first && r.c.found[last].kind == quantity {
				u = r.c.found[last].readings[0].unit
			}
			if off, ok := quarter(r.low[:at]); ok {
				r.add(item{kind: clock, text: token, minutes: v*60 + off})
			} else if clockWord(noun) || clockWord(wordAt(strings.TrimLeft(r.low[at+len(token):], " "))) {
				r.add(item{kind: clock, text: token, minutes: v * 60})
			} else {
				r.add(item{kind: quantity, text: token, readings: []number{{val: v, unit: u, noun: noun, approx: r.isRounded(), word: true}}})
			}
		}
		return
	}
	letter, _ := utf8.DecodeRuneInString(token)
	if !unicode.IsUpper(letter) {
		return
	}
	before := strings.TrimRight(r.low[:at], " ")
	follow := len(r.caps) > 0 && r.caps[len(r.caps)-1].at+len(r.caps[len(r.caps)-1].text)+1 == at
	begin := strings.LastIndexAny(before, " \t(\"„«*") + 1
	r.caps = append(r.caps, capital{text: token, at: at, begins: begins, before: before[begin:], follow: follow})
}

// isOrdinal reports whether a word goes on a number that a word of tens begins: forty-third.
func isOrdinal(w string) bool {
	for _, stem := range []string{"перв", "втор", "трет", "четв", "пят", "шест", "седьм", "восьм", "девят", "first", "second", "third", "four", "fif", "six", "seven", "eigh", "nin", "one", "two", "three", "five", "один", "дв", "три", "сем", "восем"} {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}

// quarter is how many minutes before or after an hour the words before it say: a quarter to eight, halb acht.
func quarter(before string) (float64, bool) {
	before = strings.TrimRight(before, " ")
	for _, w := range []struct {
		words string
		off   float64
	}{
		{"quarter to", -15}, {"quarter past", 15}, {"half past", 30}, {"viertel vor", -15}, {"viertel nach", 15}, {"dreiviertel", -15}, {"halb", -30},
		{"без четверти", -15}, {"четверть", -45}, {"половина", -30},
	} {
		if strings.HasSuffix(before, w.words) {
			return w.off, true
		}
	}
	return 0, false
}

// isLatinWord reports whether a word is of Latin letters, such as a program's name, and no unit.
func isLatinWord(w string) bool {
	for i := range len(w) {
		if (w[i] < 'a' || w[i] > 'z') && w[i] != '-' && !isDigit(w[i]) {
			return false
		}
	}
	_, isUnit := unitOf(w)
	return len(w) >= 4 && !isUnit && !isKnownWord(w)
}

// isIdentifier reports whether a token is a path, an address or a name as programs have them. quoted: it stands in
// backquotes.
func isIdentifier(token string, quoted bool) bool {
	digits := strings.ContainsAny(token, "0123456789")
	letters, upperInside, parts := 0, false, 0
	was := ' '
	longest, run := 0, 0
	for _, r := range token {
		switch {
		case unicode.IsLetter(r):
			letters++
			run++
			longest = max(longest, run)
			upperInside = upperInside || unicode.IsUpper(r) && unicode.IsLower(was)
		case r == '.' || r == '_' || r == '@':
			if unicode.IsLetter(was) || unicode.IsDigit(was) {
				parts++
			}
			run = 0
		default:
			run = 0
		}
		was = r
	}
	switch {
	case letters == 0:
		return isAddress(token)
	case strings.Contains(token, "://"), strings.Contains(token, "@") && parts > 0 && letters > 3:
		return true
	case strings.Contains(token, "/"):
		if token == "/" || token == "./" || token == "../" || token == "~/" {
			return false
		}
		if strings.HasPrefix(token, "/") || strings.HasPrefix(token, "~/") || strings.HasPrefix(token, "./") {
			return letters > 1
		}
		return parts > 0 && longest > 2 || strings.Count(token, "/") > 1 && longest > 2
	case digits:
		return !isWordWithDigits(token)
	case strings.Contains(token, ".") && parts > 0:
		return longest > 2 || strings.Count(token, ".") == 1 && letters == 3
	case strings.Contains(token, "_") && parts > 0:
		return letters > 2
	case quoted && upperInside:
		return true
	}
	return false
}

// isWordWithDigits reports whether a token has digits and is a plain word all the same: CO2, m², 5-fold.
func isWordWithDigits(token string) bool {
	switch strings.ToLower(token) {
	case "co2", "h2o", "mp3", "mp4", "utf-8", "sha256", "sha-256", "base64", "x86", "i18n", "ipv4", "ipv6", "a4", "2d", "3d", "4k", "24h", "h264", "b2b":
		return true
	}
	i := strings.IndexByte(token, '-')
	return i > 0 && isDigit(token[0]) && !strings.ContainsAny(token[i:], "0123456789") // 14-day, 3-fold
}

// han reads a run of Chinese characters: numbers and names of persons in it.
func (r *reader) han() {
	rest := r.text[r.at:]
	end := len(rest)
	for i, x := range rest {
		if !unicode.Is(unicode.Han, x) {
			end = i
			break
		}
	}
	run := rest[:end]
	after := r.text[r.at+end:]
	r.begins = false
	// 库存.csv, 会议室B
	tail, width := utf8.DecodeLastRuneInString(run)
	if strings.HasPrefix(after, ".") && len(after) > 2 {
		if ext := r.token(after[1:]); ext != "" && len(ext) <= 5 && unicode.IsLetter(rune(ext[0])) {
			if !strings.Contains(r.c.all, string(tail)+"."+strings.ToLower(ext)) {
				r.add(item{kind: identifier, text: run[max(0, len(run)-2*width):] + "." + ext})
			}
			r.at += end + 1 + len(ext)
			return
		}
	}
	if len(after) > 0 && 'A' <= after[0] && after[0] <= 'Z' && (len(after) == 1 || !isLatin(after[1])) {
		if !strings.Contains(r.c.all, strings.ToLower(string(tail)+after[:1])) && !strings.Contains(r.c.all, strings.ToLower(string(tail)+" "+after[:1])) {
			r.add(item{kind: identifier, text: after[:1]})
		}
	}
	for i := 0; i < len(run); {
		if v, n := hanNumber(run[i:]); n > 0 && r.hanQuantity(run, i, v, n) {
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(run[i:])
		if name := personAt(run, i); name != "" {
			r.add(item{kind: anyName, text: name})
			n = len(name)
		}
		i += n
	}
	r.at += end
}

func isLatin(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || isDigit(b) }

// hanQuantity adds the number that stands at i of a run, if it is one of something. Most characters for numbers are parts of
// words, too.
func (r *reader) hanQuantity(run string, i int, v float64, n int) bool {
	behind := run[i+n:]
	measures := "个件台笔条项次人份位本张只间种天年月日号点分小周名家篇辆行块元米公度岁杯瓶箱页"
	next, _ := utf8.DecodeRuneInString(behind)
	if behind == "" || !strings.ContainsRune(measures, next) {
		return n > len("一")
	}
	if i > 0 {
		before, _ := utf8.DecodeLastRuneInString(run[:i])
		if strings.ContainsRune("第周期", before) {
			return true
		}
	}
	switch {
	case v < 3:
	case next == '点':
		it := item{kind: clock, text: run[i : i+n+len("点")], minutes: v * 60}
		if strings.HasPrefix(behind, "点半") {
			it.minutes += 30
			it.text += "半"
		}
		r.add(it)
	case next == '月' || next == '日' || next == '号' || next == '分':
		if next == '月' && v <= 12 {
			r.add(item{kind: date, text: run[i : i+n+len("月")], date: day{0, int(v), 0}})
		}
	default:
		u, noun, _ := unitBehind(behind)
		r.add(item{kind: quantity, text: run[i : i+n], readings: []number{{val: v, unit: u, noun: noun, word: true}}})
	}
	return true
}

// personAt returns the name of a person that begins at i of a run, or "". It is one where a usual family name stands behind
// a word such as 是, or at the beginning, and a word such as 的 or 说 behind the name, or nothing.
func personAt(run string, i int) string {
	const families = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范石廖贾韦付方邹熊白孟秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
	family, n := utf8.DecodeRuneInString(run[i:])
	if !strings.ContainsRune(families, family) {
		return ""
	}
	bound := i == 0
	for _, w := range []string{"是", "由", "为", "叫", "和", "与", "给", "找", "人", "师", "长", "理", "生", "者"} {
		bound = bound || strings.HasSuffix(run[:i], w)
	}
	if !bound {
		return ""
	}
	for _, count := range []int{2, 1} {
		end := i + n
		for range count {
			_, size := utf8.DecodeRuneInString(run[end:])
			end += size
		}
		if utf8.RuneCountInString(run[i:end]) != count+1 {
			continue
		}
		rest := run[end:]
		ends := rest == ""
		for _, w := range []string{"的", "说", "主持", "负责", "先生", "女士", "老师", "在", "是", "和", "医生", "经理"} {
			ends = ends || strings.HasPrefix(rest, w)
		}
		if ends && (i > 0 || rest != "") {
			return run[i:end]
		}
	}
	return ""
}

// hasDigits reports whether the sources have a number of a telephone, however it is grouped.
func (c *checker) hasDigits(text string) bool {
	only := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '\n' {
				return r
			}
			return -1
		}, s)
	}
	if c.digits == "" {
		c.digits = only(c.all) + "\n"
	}
	return strings.Contains(c.digits, only(text))
}

// hasIdentifier reports whether the sources have a path, an address or such a name: as it stands, or in parts that they all
// have.
func (c *checker) hasIdentifier(text string) bool {
	low := strings.ToLower(text)
	if strings.Contains(c.all, low) {
		return true
	}
	low = strings.TrimPrefix(strings.TrimPrefix(low, "https://"), "http://")
	low = strings.TrimPrefix(strings.TrimPrefix(low, "./"), "~/")
	low = strings.Trim(low, "/.")
	if low == "" || strings.Contains(c.all, low) {
		return true
	}
	squeezed := strings.NewReplacer("-", "", " ", "", "_", "").Replace(low)
	if len(squeezed) < 40 && strings.ContainsAny(low, "0123456789") && strings.Contains(c.squeezedSources(), squeezed) {
		return true
	}
	if strings.ContainsAny(low, "/:") && !strings.Contains(low, "@") {
		if c.isElsewhere(low) {
			return false
		}
		for part := range strings.FieldsFuncSeq(low, func(r rune) bool { return r == '/' || r == ':' }) {
			if !c.hasWhole(part) {
				return false
			}
		}
		return true
	}
	return c.hasCompound(low)
}

// isElsewhere reports whether the sources have the file of a path, and only in other folders than the path's.
func (c *checker) isElsewhere(low string) bool {
	i := strings.LastIndexByte(low, '/')
	if i < 0 {
		return false
	}
	base := low[i+1:]
	folder := low[strings.LastIndexByte(low[:i], '/')+1 : i]
	if len(base) < 4 || !strings.Contains(base, ".") {
		return false
	}
	seen := false
	for at := 0; ; {
		k := strings.Index(c.all[at:], base)
		if k < 0 {
			return seen
		}
		k += at
		if k == 0 || c.all[k-1] != '/' || strings.HasSuffix(c.all[:k-1], folder) {
			return false
		}
		seen = true
		at = k + 1
	}
}

// hasCompound reports whether a name with digits is letters and a number that stand in the sources apart, such as 44 files
// in 44-file, or 2 seats in 2-seat.
func (c *checker) hasCompound(low string) bool {
	if !strings.Contains(low, "-") || strings.Contains(low, ".") {
		return false
	}
	for part := range strings.SplitSeq(low, "-") {
		if part != "" && !c.hasWhole(part) {
			return false
		}
	}
	return true
}

// hasWhole reports whether a text stands in the sources with nothing of a word before and behind it.
func (c *checker) hasWhole(part string) bool {
	for at := 0; ; {
		i := strings.Index(c.all[at:], part)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(c.all[:i])
		behind, _ := utf8.DecodeRuneInString(c.all[i+len(part):])
		word := func(r rune) bool {
			return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
		}
		if !word(before) && !word(behind) {
			return true
		}
		at = i + 1
	}
}

// squeezedSources are the sources without blanks, dashes and underscores.
func (c *checker) squeezedSources() string {
	if c.squeezed == "" {
		c.squeezed = strings.NewReplacer("-", "", " ", "", "_", "").Replace(c.all[:min(len(c.all), maxSource)]) + " "
	}
	return c.squeezed
}
