package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// claim is something of an answer that is checked.
type claim struct {
	mark
	text    string
	approx  bool // the answer says that it is rounded
	minus   bool // below zero
	hour    bool // a word before it makes it an hour, if it can be one
	dayOf   bool // a word before it makes it a day of a month, if it can be one
	label   bool // it is the name of a thing, such as a platform's
	between bool // a clock that may be a length of time
	weekday int
	ok      bool // the sources support it
}

// reader reads one line of an answer.
type reader struct {
	lexicon
	c         *checker
	first     int // index of the line's first claim
	text, low string
	at        int
	begins    bool // a sentence begins here
	caps      []capital
}

// capital is a word with a capital letter.
type capital struct {
	text   string
	at     int
	begins bool   // a sentence
	before string // the word before it, in lower case
	follow bool   // nothing but a space stands between it and the one before
}

// claimsOf reads the claims of one line.
func (c *checker) claimsOf(line string) {
	trimmed := strings.TrimLeft(line, " \t>#")
	if v, n := small(trimmed, 3); v > 0 && n+1 < len(trimmed) && (trimmed[n] == '.' || trimmed[n] == ')') && trimmed[n+1] == ' ' {
		trimmed = trimmed[n+1:] // the number of a list
	}
	r := reader{lexicon: c.lexicon, c: c, first: len(c.claims), text: trimmed, low: lowered(trimmed), begins: true}
	for r.at < len(r.text) {
		r.step()
	}
	r.weekdays()
	r.names()
}

func (r *reader) add(x claim) {
	if x.text == "" {
		x.text = r.text[x.from:x.to]
	}
	r.c.claims = append(r.c.claims, x)
}

// step reads what stands at the place.
func (r *reader) step() {
	first, size := utf8.DecodeRuneInString(r.text[r.at:])
	begins := r.begins
	switch {
	case isHan(first):
		r.begins = false
		r.han()
	case strings.ContainsRune(".!?:•|。", first) && !(first == '.' && r.at+1 < len(r.text) && r.text[r.at+1] == '/'):
		r.begins = true
		r.at += size
	case isDigit(r.text[r.at]) || first == '+' && r.at+1 < len(r.text) && isDigit(r.text[r.at+1]):
		r.begins = false
		if token := r.token(r.at); !r.phone() && !r.number(token) {
			r.word(token, begins)
		}
	case isLetter(first) || strings.ContainsRune("/~.@", first):
		r.begins = false
		if token := r.token(r.at); token == "" {
			r.at += size
		} else if !r.number(token) {
			r.word(token, begins)
		}
	default:
		r.at += size
	}
}

// maxToken is how many bytes of a token are looked at.
const maxToken = 256

// token is what stands at a place up to a blank, a bracket, a quote or a Chinese character, without the marks at its end.
func (r *reader) token(at int) string {
	s := r.text[at:min(len(r.text), at+maxToken)]
	end := len(s)
	for i, x := range s {
		if unicode.IsSpace(x) || strings.ContainsRune("\"`*()[]{}<>«»„“”|;,、。;()《》!?—–…=", x) || isHan(x) {
			if x == ',' && i > 0 && i+1 < len(s) && isDigit(s[i-1]) && isDigit(s[i+1]) {
				continue
			}
			end = i
			break
		}
	}
	return strings.TrimRight(s[:end], ".:!?'’-_")
}

// phone reads a telephone number: at least seven digits in groups.
func (r *reader) phone() bool {
	if before, _ := utf8.DecodeLastRuneInString(r.text[:r.at]); unicode.IsLetter(before) || strings.ContainsRune(".,/", before) {
		return false
	}
	s := r.text[r.at:]
	digits, groups, end, dashes := 0, 0, 0, 0
	last := byte(0)
	for i := 0; i < len(s) && digits < 20; i++ {
		b := s[i]
		if isDigit(b) {
			digits++
			if !isDigit(last) {
				groups++
			}
			end = i + 1
		} else if b == '-' && b == last || !strings.ContainsRune(" -()", rune(b)) && !(b == '+' && i == 0) {
			if strings.ContainsRune(".,:/", rune(b)) && i+1 < len(s) && isDigit(s[i+1]) {
				return false
			}
			break
		} else if b == '-' || b == '(' {
			dashes++
		}
		last = b
	}
	if digits < 7 && !(digits == 6 && dashes >= 2) || digits > 15 || s[0] != '+' && (groups < 2 || dashes == 0) {
		return false
	}
	if _, n := r.parseDate(r.low[r.at:]); n > 0 {
		return false
	}
	r.add(claim{mark: mark{kind: telephone, from: r.at, to: r.at + end}})
	r.at += end
	return true
}

// number reads a number, a date or a time at the place, which the token begins, and reports whether the token is one.
func (r *reader) number(token string) bool {
	at := r.at
	if len(token) > 1 && token[0] == 'x' && isDigit(token[1]) { // x3
		at++
	}
	if isHan(firstRune(token)) || strings.Count(token, ".") > 1 && r.isAddress(at, token) {
		return false
	}
	x := claim{mark: r.readAt(r.low, at, true, true)}
	if x.kind == date && x.dec > 0 && !r.c.hasDate(x.date) { // 23.06. ends a sentence
		x.kind, x.to = quantity, x.to-1
		x.unitTo = x.to
	}
	if x.kind != quantity {
		return r.moment(x)
	}
	if strings.ContainsAny(r.low[x.from:x.to], " \u00a0\u202f") && !x.word { // it may be two numbers, of which the sources have one
		if head := r.readAt(r.low, at, false, true); len(r.c.same[x.val]) == 0 && len(r.c.same[head.val]) > 0 {
			x.mark = head
		}
	}
	if d, ok := r.dayOfList(x.number, r.low[x.to:]); ok {
		x.kind, x.date = date, d
		return r.moment(x)
	}
	behind := wordAt(r.low[x.to:])
	if end := r.ordinal(&x, behind); end == 0 && !x.word && r.isName(x, token[min(len(token), x.to-r.at):], behind) {
		return false
	} else if end > 0 {
		x.unitTo = end
	}
	r.asClock(&x)
	r.inContext(&x)
	if x.val == 100 && r.is("per", wordBefore(r.low[:at])) { // 6 litres a 100 km
		r.at = x.to
		return true
	}
	r.withMinutes(&x)
	if x.is("percent") {
		x.text = r.text[x.from:x.unitTo]
	}
	if !x.word || x.val > 2 || x.kind == clock {
		r.add(x)
	}
	r.at = max(x.to, x.to+len(wordAt(r.low[x.to:]))) // a unit belongs to the token
	return true
}

// moment adds a date or a time of day; it reports whether the claim is one.
func (r *reader) moment(x claim) bool {
	switch x.kind {
	case clock:
		if next := strings.TrimLeft(r.low[x.to:], " "); x.minutes < 720 && r.says("afternoon", next) {
			x.minutes += 720
		}
		u, _, _ := r.unitBehind(r.low[x.to:])
		x.between = u != nil && u.dim == "time" || r.in("long", r.c.said)
	case date:
	default:
		return false
	}
	r.add(x)
	r.at = x.to
	return true
}

// ordinal reads what makes 2nd, 3x and the 1990s of a number; it returns where that ends, or 0.
func (r *reader) ordinal(x *claim, behind string) int {
	switch behind {
	case "st", "nd", "rd", "th":
		x.dayOf = x.unit == nil
	case "x":
	case "s":
		if x.val <= 1000 {
			return 0
		}
	default:
		return 0
	}
	end := x.to + len(behind)
	u, noun, n := r.unitBehind(r.low[end:])
	x.unit, x.noun = u, noun
	return end + n
}

// isName reports whether a token that begins with a number is a name: 0f3c9, 12abc, 3_files.
func (r *reader) isName(x claim, rest, behind string) bool {
	if behind == "" {
		return rest != "" && (rest[0] == '_' || rest[0] == '/' && !strings.HasPrefix(rest, "/2"))
	}
	return x.unit == nil && len(x.noun) > 1 || strings.ContainsAny(rest, "0123456789") && !strings.Contains(rest, "-")
}

// inContext adds to a number what the words around it say of it.
func (r *reader) inContext(x *claim) {
	behind := r.low[x.to:]
	if x.unit == nil {
		r.unitOfNext(x, behind)
	}
	w := wordAt(strings.TrimLeft(behind, " \u00a0-"))
	if w == "" {
		w = r.prefix("scale", strings.TrimLeft(behind, " "))
	}
	scaled := false
	if k, ok := r.value("scale", w); ok {
		x.val, x.alt, scaled = x.val*k, x.alt*k, true
		if x.word {
			x.to = len(r.low) - len(strings.TrimLeft(behind, " \u00a0-")) + len(w)
		}
	}
	before := wordBefore(r.low[:x.from])
	if last := len(r.c.claims) - 1; x.kind == quantity && x.unit == nil && x.noun == "" && last >= r.first && r.c.claims[last].kind == quantity {
		x.unit = r.c.claims[last].unit // 14 days and 7
	}
	x.approx = scaled || r.isRounded(x.from)
	x.label = x.dec == 0 && x.unit == nil && r.is("label", before)
	x.minus = x.from > 0 && (strings.HasSuffix(r.low[:x.from], "-") && !strings.HasSuffix(r.low[:x.from-1], "0") || strings.HasSuffix(r.low[:x.from], "−"))
	x.dayOf = x.dec == 0 && x.val <= 31 && x.unit == nil && !x.word && (x.dayOf || r.is("article", before))
	x.hour = x.dec == 0 && x.val <= 24 && !x.word && (x.unit == nil || x.unit.factor == 3600) && r.is("hour", before)
}

// unitOfNext takes the unit of the next number where only a word such as to stands between: from 68 to 77 °F.
func (r *reader) unitOfNext(x *claim, behind string) {
	rest := strings.TrimLeft(behind, " ")
	and := r.prefix("and", rest)
	rest = strings.TrimLeft(rest[len(and):], " ")
	if and == "" || rest == "" || !isDigit(rest[0]) {
		return
	}
	if next := r.readAt(rest, 0, true, true); next.kind == quantity {
		x.unit, x.noun = next.unit, next.noun
	}
}

// isRounded reports whether one of the words before a place says that what follows is rounded.
func (r *reader) isRounded(at int) bool {
	before := strings.TrimRight(tail(r.low[:at], 40), " *")
	if sign := firstRune(r.suffix("about", before)); sign != utf8.RuneError && !isLetter(sign) {
		return true
	}
	fields := strings.Fields(before)
	for _, w := range fields[max(0, len(fields)-4):] {
		if r.is("about", strings.Trim(w, ",.()")) {
			return true
		}
	}
	return false
}

// withMinutes adds the minutes that stand behind hours: 7 h 30 min.
func (r *reader) withMinutes(x *claim) {
	if !x.is("time") || x.unit.factor != 3600 || x.word {
		return
	}
	rest := strings.TrimLeft(r.low[x.unitTo:], " ,")
	and := r.prefix("and", rest)
	rest = strings.TrimLeft(rest[len(and):], " ")
	if rest == "" || !isDigit(rest[0]) {
		return
	}
	if m := r.readAt(rest, 0, false, false); m.kind == quantity && m.is("time") && m.unit.factor == 60 && m.val < 60 {
		x.val, x.unit = x.val*60+m.val, m.unit
		x.to = len(r.low) - len(rest) + m.unitTo
		x.unitTo = x.to
	}
}

// asClock makes an hour of the day of a number: 6 pm, quarter past two, 三点半.
func (r *reader) asClock(x *claim) {
	if x.unit != nil || x.val > 24 || x.dec > 0 {
		return
	}
	off, quarter := r.value("before", r.suffix("before", strings.TrimRight(tail(r.low[:x.from], 40), " ")))
	next := strings.TrimLeft(r.low[x.to:], " ")
	if !quarter && !r.says("oclock", next) {
		return
	}
	x.kind, x.minutes = clock, x.val*60+off
	if strings.HasPrefix(next, "点半") {
		x.minutes += 30
	}
	if x.minutes < 720 && (r.says("afternoon", next) || isHan(firstRune(r.suffix("afternoon", r.low[:x.from])))) {
		x.minutes += 720
	}
}

// dayOfList reads the first day of such as 11 and 12 May.
func (r *reader) dayOfList(n number, behind string) (day, bool) {
	rest := strings.TrimLeft(behind, ". ,")
	and := r.prefix("and", rest)
	rest = strings.TrimLeft(rest[len(and):], " ")
	if n.dec > 0 || n.val < 1 || n.val > 31 || and == "" || rest == "" || !isDigit(rest[0]) {
		return day{}, false
	}
	d, length := r.parseDate(rest)
	if length == 0 || d.day == 0 || d.year > 0 && rest[0] > '3' {
		return day{}, false
	}
	d.day = int(n.val)
	return d, true
}

// isAddress reports whether a token of digits is an address or a version: it has two points and is no date and no number.
func (r *reader) isAddress(at int, token string) bool {
	if !isDigit(token[0]) {
		return false
	}
	if _, n := r.parseDate(r.low[at:]); n > 0 {
		return false
	}
	_, _, _, ok := parseDigits(token, false, true)
	return !ok
}

// word reads a token that is no number.
func (r *reader) word(token string, begins bool) {
	at := r.at
	low := r.low[at : at+len(token)]
	r.at += len(token)
	quoted := at > 0 && r.text[at-1] == '`'
	if r.isIdentifier(token, quoted) || r.c.foreign && r.isLatinWord(low) {
		r.add(claim{mark: mark{kind: identifier, from: at, to: r.at}})
		return
	}
	if cut := strings.IndexAny(token, "/-"); cut > 0 { // and/or, Anne-Marie
		token = token[:cut]
		r.at = at + cut
	}
	if !unicode.IsUpper(firstRune(token)) {
		return
	}
	follow := len(r.caps) > 0 && r.caps[len(r.caps)-1].at+len(r.caps[len(r.caps)-1].text)+1 == at
	r.caps = append(r.caps, capital{text: token, at: at, begins: begins, before: wordBefore(r.low[:at]), follow: follow})
}

// isLatinWord reports whether a word is of Latin letters, such as a program's name, and no unit.
func (r *reader) isLatinWord(w string) bool {
	for i := range len(w) {
		if !isLetter(rune(w[i])) && w[i] != '-' && !isDigit(w[i]) {
			return false
		}
	}
	return len(w) >= 4 && r.units[w] == nil && !r.is("common", w)
}

// isIdentifier reports whether a token is a path, an address or a name as programs have them. quoted: it stands in
// backquotes.
func (r *reader) isIdentifier(token string, quoted bool) bool {
	letters, parts, run, longest := 0, 0, 0, 0
	inner, was := false, ' ' // a capital inside a word
	for _, x := range token {
		switch {
		case unicode.IsLetter(x):
			letters++
			run++
			longest = max(longest, run)
			inner = inner || unicode.IsUpper(x) && unicode.IsLower(was)
		default:
			if strings.ContainsRune("._@", x) && (unicode.IsLetter(was) || unicode.IsDigit(was)) {
				parts++
			}
			run = 0
		}
		was = x
	}
	slashes := strings.Count(token, "/")
	switch {
	case letters == 0:
		return r.isAddress(r.at, token+" ") && strings.Count(token, ".") > 1
	case strings.Contains(token, "://"), strings.Contains(token, "@") && parts > 0 && letters > 3:
		return true
	case slashes > 0 && strings.ContainsRune("/~.", rune(token[0])):
		return letters > 1
	case slashes > 0:
		return longest > 2 && (parts > 0 || slashes > 1)
	case strings.ContainsAny(token, "0123456789"):
		i := strings.IndexByte(token, '-')
		compound := i > 0 && isDigit(token[0]) && !strings.ContainsAny(token[i:], "0123456789") // 14-day, 3-fold
		return !compound && !r.is("plain", lowered(token))
	case strings.Contains(token, "."):
		return parts > 0 && (longest > 2 || strings.Count(token, ".") == 1 && letters == 3)
	case strings.Contains(token, "_"):
		return parts > 0 && letters > 2
	}
	return quoted && inner
}
