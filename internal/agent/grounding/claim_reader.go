package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// claim is something of an answer that is checked.
type claim struct {
	mark
	text     string
	approx   bool   // the answer says that it is rounded
	limit    bool   // or that it is over or under it
	hour     bool   // a word before it makes it an hour, if it can be one
	dayOf    bool   // a word before it makes it a day of a month, if it can be one
	labelled string // the word that makes it a label
	weekday  int
	sentence sentence
	line     int    // of the answer: the index of its first claim
	low      string // its line in lower case
	stands   bool   // the sources have it
	ok       bool   // they have it, or it follows from them
	far      bool   // by numbers that nothing but their unit holds together
	tried    int    // values near it that it was compared with before
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
	sentences []sentence
	label     int // see labelEnd
}

// spaced is a text between blanks, in which blanks stand for the marks of sentences.
func spaced(text string) string {
	return " " + strings.Map(func(x rune) rune {
		if strings.ContainsRune(".,;:!?()*\"“”„", x) {
			return ' '
		}
		return x
	}, text) + " "
}

// claimsOf reads the claims of one line.
func (c *checker) claimsOf(line, next string) {
	text := strings.TrimLeft(line, " \t>#")
	if v, n := digits(text, 1, 3); v > 0 && n+1 < len(text) && strings.IndexByte(".)", text[n]) >= 0 && text[n+1] == ' ' {
		text = text[n+1:] // the number of a list
	}
	r := reader{lexicon: c.lexicon, c: c, first: len(c.claims), text: text, low: lowered(text), begins: true}
	r.label = r.labelEnd()
	r.readSentences()
	for r.at < len(r.text) {
		r.step()
	}
	r.weekdays()
	isHead := strings.HasPrefix(next, "|") && strings.Trim(next, "|:- ") == ""
	if !strings.HasPrefix(line, "#") && !isHead {
		r.names()
	}
}

func (r *reader) add(x claim) {
	if x.text == "" {
		x.text = r.text[x.from:x.to]
	}
	x.line, x.sentence, x.low = r.first, r.sentenceAt(x.from), r.low
	r.c.claims = append(r.c.claims, x)
}

// step reads what stands at the place.
func (r *reader) step() {
	first, size := utf8.DecodeRuneInString(r.text[r.at:])
	begins, token := r.begins, ""
	switch next := r.text[r.at+size:]; {
	case first == '/' && strings.HasSuffix(r.text[:r.at], "-"): // Ein-/Ausgabe
	case isHan(first):
		r.begins = false
		r.han()
		return
	case strings.ContainsRune(".!?:•|。！？：；", first) && !strings.HasPrefix(next, "/"):
		r.begins = true
	case first < utf8.RuneSelf && isDigit(byte(first)) || first == '+' || isLetter(first) || strings.ContainsRune("/.@", first) || strings.HasPrefix(r.text[r.at:], "~/") || r.isOption():
		r.begins = false
		token = r.token(r.at)
	}
	switch {
	case token == "":
		r.at += size
	case !r.phone() && !r.number(token):
		r.word(token, begins)
	}
}

// isOption reports whether an option of a command stands at the place: --delete.
func (r *reader) isOption() bool {
	name, ok := strings.CutPrefix(r.low[r.at:], "--")
	return ok && len(wordAt(name)) > 1 && (r.at == 0 || strings.IndexByte(" `", r.low[r.at-1]) >= 0)
}

// maxToken is how many bytes of a token are looked at.
const maxToken = 256

// token is what stands at a place up to a blank, a bracket, a quote or a Chinese character, without the marks at its end.
func (r *reader) token(at int) string {
	s := r.text[at:min(len(r.text), at+maxToken)]
	for i, x := range s {
		inNumber := x == ',' && i > 0 && i+1 < len(s) && isDigit(s[i-1]) && isDigit(s[i+1]) && strings.IndexFunc(s[:i], unicode.IsLetter) < 0
		if !inNumber && (unicode.IsSpace(x) || strings.ContainsRune("\"`*()[]{}<>«»„“”|;,、。，；：（）！？《》!?—–…=", x) || isHan(x)) {
			s = s[:i]
			break
		}
	}
	s = strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s")
	return strings.TrimRight(s, ".:!?'’-_")
}

// phoneForm is digits in groups, of which a telephone number has at least seven.
var phoneForm = lazyregexp.New(`^(?:\+\d|\d+[- ]?\(\d+\)|\d+ ?-\d|0\d{2,5}[ /]\d{4}|1\d\d \d{4} )[-\d ()]*\d`)

// phone reads a telephone number.
func (r *reader) phone() bool {
	before, _ := utf8.DecodeLastRuneInString(r.text[:r.at])
	s := phoneForm().FindString(r.text[r.at:min(len(r.text), r.at+30)])
	n := len(onlyDigits(s))
	if _, isDate := r.parseDate(r.low[r.at:]); n < 7 || n > 15 || isDate > 0 || unicode.IsLetter(before) || strings.ContainsRune(".,/", before) {
		return false
	}
	r.add(claim{mark: mark{kind: telephone, from: r.at, to: r.at + len(s)}})
	r.at += len(s)
	return true
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// number reads a number, a date or a time at the place, which the token begins, and reports whether the token is one.
func (r *reader) number(token string) bool {
	at := r.at
	if len(token) > 1 && token[0] == 'x' && isDigit(token[1]) { // x3
		at++
	}
	if first := r.low[at]; !isDigit(first) && !isLetter(firstRune(token)) || r.isVersion(at, token) {
		return false
	}
	x := claim{mark: r.readAt(r.low, at, true, true)}
	if x.kind == date && x.dec > 0 && !r.c.hasDate(x.date) { // 23.06. ends a sentence
		x.kind, x.to = quantity, x.to-1
		x.unitTo = x.to
	}
	if _, n := digits(strings.TrimLeft(r.low[x.to:], " "), 1, 2); x.kind == date && n > 0 && !r.c.german && strings.Contains(r.low[x.from:x.to], ". ") { // at 8. December 24 is
		x.mark = r.readAt(r.low[:at+strings.IndexByte(r.low[at:], '.')], at, true, true)
	}
	if next := r.next(x.to); x.kind == quantity && x.dec == 0 && next != "" {
		if d, n := r.parseDate(next); n > 0 && d.day > 0 && d.year == 0 && !x.isNamed() { // 11 and 12 May
			x.kind, x.date = date, day{month: d.month, day: int(x.val)}
		} else if n > 0 && d.day == 0 && d.year == 0 && x.val <= 12 && !x.isNamed() { // 7—9 月
			x.kind, x.date = date, day{month: int(x.val)}
		}
	}
	switch x.kind {
	case quantity:
		return r.quantity(x, token)
	case clock:
		next := strings.TrimLeft(r.low[x.to:], " ")
		x.afternoon(r.says("afternoon", next))
		x.approx = r.isRounded("about", x.from) || r.says("orso", next)
	case nothing:
		return false
	}
	r.add(x)
	r.at = x.to
	return true
}

// next is what stands behind a word such as and, if it begins with a digit, or "": in 11 and 12, 68 to 77 °F, 7 h 30 min.
func (r *reader) next(at int) string {
	rest := strings.TrimLeft(r.low[at:], " .,")
	rest = strings.TrimLeft(strings.TrimPrefix(rest, r.prefix("and", rest)), " ")
	rest = r.withoutWeekday(rest)
	if rest == "" || !isDigit(rest[0]) {
		return ""
	}
	return rest
}

func (x *claim) afternoon(is bool) {
	if is && x.minutes < 720 {
		x.minutes += 720
	}
}

// quantity adds a number, unless the token is a name that begins with one: 0f3c9, 3_files.
func (r *reader) quantity(x claim, token string) bool {
	behind, before := wordAt(r.low[x.to:]), wordBefore(r.low[:x.from])
	rest := token[min(len(token), x.to-r.at):]
	if ending, ok := strings.CutPrefix(r.low[x.to:], "-"); ok && r.is("ordinal", wordAt(ending)) { // 12-го
		x.to, behind = x.to+1, wordAt(ending)
	}
	if hasEnding := (behind == "x" || r.is("ordinal", behind)) && !x.word || behind == "s" && x.val > 1000; hasEnding { // 2nd, 3x, the 1990s
		x.dayOf = x.unit == nil && behind != "x"
		x.unit, x.noun, _ = r.unitBehind(r.low[x.to+len(behind):])
	} else if !x.word && x.beginsName(behind, rest) {
		return false
	}
	if half := r.prefix("half", r.low[x.to:]); half != "" { // 46 and a half minutes
		x.val, x.dec, behind = x.val+.5, 1, ""
		x.to += len(half)
		var n int
		x.unit, x.noun, n = r.unitBehind(r.low[x.to:])
		x.unitTo = x.to + n
	}
	if x.unit == nil {
		x.unit = r.unitOfAll(x.to)
	}
	r.at = x.to + len(behind)
	if x.val == 100 && r.is("per", before) && (x.unit == nil || !x.unit.isCurrency()) { // 6 litres a 100 km
		return true
	}
	r.asClock(&x)
	if x.kind == quantity && (!x.dayOf || x.isNamed()) {
		r.withParts(&x)
	}
	r.qualify(&x, before)
	if x.val > 2 || !x.word || x.kind == clock {
		r.add(x)
	}
	r.at = max(r.at, x.to)
	if x.scaled {
		r.at = max(r.at, x.unitTo)
	}
	return true
}

// beginsName reports whether a number is but the beginning of a name: behind is the word right behind it, rest the rest of its token.
func (x *claim) beginsName(behind, rest string) bool {
	if behind == "" {
		return strings.HasPrefix(rest, "_") || strings.HasPrefix(rest, "/") && !strings.HasPrefix(rest, "/2")
	}
	return x.unit == nil && len(x.noun) > 1 || strings.ContainsAny(rest, "0123456789") && !strings.Contains(rest, "-")
}

// unitOfAll is the unit of the whole of which the number before a place is a part, or of the number that is listed behind it: 21 of
// 36 months, 20 to 25 °C.
func (r *reader) unitOfAll(at int) *unit {
	if next := r.next(at); next != "" && r.prefix("and", strings.TrimLeft(r.low[at:], " ")) != "" {
		if m := r.readAt(next, 0, true, true); m.kind == quantity {
			return m.unit
		}
	}
	next := strings.TrimLeft(r.low[at:], " ")
	all := strings.TrimLeft(next[len(r.prefix("outof", next)):], " *")
	if !r.says("outof", next) || all == "" || !isDigit(all[0]) {
		return nil
	}
	return r.readAt(all, 0, true, true).unit
}

// qualify notes what the words around a number say of it.
func (r *reader) qualify(x *claim, before string) {
	isWhole, isPlain := x.dec == 0 && !x.word, x.unit == nil
	x.limit = r.isRounded("limit", x.from)
	x.approx = x.limit || x.scaled || r.isRounded("about", x.from) || r.says("orso", strings.TrimLeft(r.low[x.unitTo:], " "))
	x.label = r.isLabel(x.mark, r.low[:x.from])
	if x.label || isWhole && isPlain && r.isBehindCapital(x.from) {
		x.labelled = before
	}
	x.dayOf = isWhole && isPlain && x.val <= 31 && (x.dayOf || r.is("article", before) || x.noun == "日" || x.noun == "号")
	x.hour = x.dec == 0 && x.val <= 24 && (isPlain || x.unit.factor == 3600) && (r.is("hour", before) || r.isHourRange(x.to))
	x.minus = x.is("temperature") && (strings.HasSuffix(r.low[:x.from], " -") || strings.HasSuffix(r.low[:x.from], "−"))
	if x.is("percent") {
		x.text = r.text[x.from:x.unitTo]
	}
}

// isBehindCapital reports whether right before a place stands a word with a capital that begins no sentence.
func (r *reader) isBehindCapital(at int) bool {
	last := len(r.caps) - 1
	return last >= 0 && !r.caps[last].begins && at-r.caps[last].at-len(r.caps[last].text) <= len(". ")
}

// isHourRange reports whether behind a place stands another hour, as in 19–20 Uhr.
func (r *reader) isHourRange(at int) bool {
	next := r.next(at)
	_, n := digits(next, 1, 2)
	return n > 0 && r.says("oclock", strings.TrimLeft(next[n:], " "))
}

// withParts adds what stands behind a length of time in a smaller unit: 7 h 30 min, 17 min 49 s.
func (r *reader) withParts(x *claim) {
	for next := r.next(x.unitTo); next != "" && x.is("time"); next = r.next(x.unitTo) {
		m := r.readAt(next, 0, false, false)
		if m.unit == nil && m.val < 60 && x.unit.factor == 3600 && strings.HasPrefix(r.low[x.unitTo:], " "+next[:m.to]) { // 1 h 40
			m.unit, m.unitTo = r.units["min"], m.to
		}
		if m.kind != quantity || x.word && r.prefix("and", strings.TrimLeft(r.low[x.unitTo:], " ")) == "" || !x.addPart(m) {
			return
		}
		x.to = len(r.low) - len(next) + m.unitTo
		x.unitTo = x.to
	}
}

// asClock makes a time of day of a number: 6 pm, quarter past two, 三点半.
func (r *reader) asClock(x *claim) {
	off, quarter := r.value("before", r.suffix("before", strings.TrimRight(tail(r.low[:x.from], 40), " ")))
	next := strings.TrimLeft(r.low[x.to:], " ")
	if behind := strings.TrimLeft(r.low[x.unitTo:], " "); x.is("time") && x.unit.factor == 3600 && r.says("daytime", behind) { // 6 часов вечера
		x.unit, next = nil, behind
	}
	if x.unit != nil || x.val > 24 || x.dec > 0 || !quarter && !r.says("oclock", next) && !r.says("daytime", next) {
		return
	}
	x.kind, x.minutes = clock, x.val*60+off
	if behind, ok := strings.CutPrefix(next, "点"); ok {
		behind = strings.TrimLeft(behind, " ")
		v, n := r.numberWord(behind)
		if m, k := digits(behind, 1, 2); k > 0 {
			v, n = float64(m), k
		}
		if rest := strings.TrimLeft(behind[n:], " "); n > 0 && strings.HasPrefix(rest, "分") || n > len("五") {
			x.minutes += v
			x.to = len(r.low) - len(strings.TrimPrefix(rest, "分"))
		} else if strings.HasPrefix(behind, "半") {
			x.minutes += 30
		}
	}
	x.afternoon(r.says("afternoon", next) || isHan(firstRune(r.suffix("afternoon", strings.TrimRight(r.low[:x.from], " ")))))
}

// isRounded reports whether one of the words of a class before a place says that what follows is rounded.
func (r *reader) isRounded(class string, at int) bool {
	before := strings.TrimRight(tail(r.low[:at], 40), " *")
	if sign := firstRune(r.suffix(class, before)); sign != utf8.RuneError && !isLetter(sign) {
		return true
	}
	fields := strings.Fields(before)
	return slices.ContainsFunc(fields[max(0, len(fields)-4):], func(w string) bool { return r.is(class, strings.Trim(w, ",.()")) })
}

// isVersion reports whether a token of digits is an address or a version: it has two points and is no date and no number.
func (r *reader) isVersion(at int, token string) bool {
	if above, below, ok := strings.Cut(token, "/"); ok && len(above) <= 3 && len(below) <= 3 && below == onlyDigits(below) { // 128/82
		return false
	}
	if strings.Count(token, "/") > 1 || strings.Contains(token, "/") && len(onlyDigits(token)) > 4 { // of a contract
		_, n := r.parseDate(r.low[at:])
		return n == 0 && isDigit(token[0])
	}
	if strings.Count(token, ".") < 2 || !isDigit(token[0]) {
		return false
	}
	_, n := r.parseDate(r.low[at:])
	_, _, _, ok := parseDigits(token, false, true)
	return n == 0 && !ok
}

// word reads a token that is no number: an identifier, or a word with a capital.
func (r *reader) word(token string, begins bool) {
	at := r.at
	r.at += len(token)
	isOption := strings.HasPrefix(token, "--")
	isLabelled := !begins && utf8.RuneCountInString(token) == 1 && unicode.IsUpper(firstRune(token)) && r.is("label", wordBefore(r.low[:at])) // hall B
	if isLabelled || isOption || r.isIdentifier(at, token) {
		r.add(claim{mark: mark{kind: identifier, from: at, to: r.at}})
		return
	}
	if m, ok := r.value("month", lowered(token)); ok && (len(token) > 3 || m == 5) && !begins && (unicode.IsUpper(firstRune(token)) || isCyrillic(token)) {
		r.add(claim{mark: mark{kind: date, from: at, to: r.at, date: day{month: int(m)}}})
		return
	}
	if cut := strings.IndexAny(token, "/-+"); cut > 0 { // and/or, Anne-Marie, Ctrl+C
		r.at = at + cut
		if unicode.IsUpper(firstRune(token[cut+1:])) { // EU/UK
			r.at++
		}
		token = token[:cut]
	}
	isLow := len(token) > 3 && token == lowered(token)
	isQuoted := at > 0 && r.text[at-1] == '`' && strings.HasPrefix(r.text[r.at:], "`")
	isForeign := r.c.foreign && scriptOf(firstRune(token)) == unicode.Latin && !r.is("world", token) && !r.is("common", token) && !r.c.isEnglish(token) // секция пира notebook
	if r.is("program", token) || isLow && (isQuoted || isForeign) {
		r.add(claim{mark: mark{kind: name, from: at, to: r.at}})
	}
	if unicode.IsUpper(firstRune(token)) {
		follow := len(r.caps) > 0 && r.caps[len(r.caps)-1].at+len(r.caps[len(r.caps)-1].text)+1 == at
		r.caps = append(r.caps, capital{text: token, at: at, begins: begins, before: wordBefore(r.low[:at]), follow: follow})
	}
}

// Forms of identifiers: a path, an address, two words with a point or an underscore between, a name with a capital inside,
// a number with a word behind it, which is no identifier.
var (
	pathForm     = lazyregexp.New(`^(?:[\pL\d]+@\pL+$|[~.]?\.?/.*\pL.*\pL|.*\pL{3}.*/.*/|.*/.*\pL{3}.*/|.*/.*[\pL\d][._].*|.*[\pL\d][._].*/.*|.*://.*|.*\pL@.*\..*)`)
	dottedForm   = lazyregexp.New(`\pL{3}.*[._]\pL|\pL[._].*\pL{3}|^\pL\.\pL\pL$|^\pL\pL\.\pL$`)
	camelForm    = lazyregexp.New(`\p{Ll}\p{Lu}`)
	compoundForm = lazyregexp.New(`^\d[\d.,]*-[^\d]*$`)
)

// isIdentifier reports whether the token at a place is a path, an address or a name as programs have them.
func (r *reader) isIdentifier(at int, token string) bool {
	switch {
	case strings.IndexFunc(token, unicode.IsLetter) < 0:
		return r.isVersion(at, token)
	case strings.ContainsAny(token, "/@"):
		return pathForm().MatchString(token)
	case strings.ContainsAny(token, "0123456789"):
		first, _, _ := strings.Cut(lowered(token), "-") // CO2-Wert
		return !compoundForm().MatchString(token) && !r.is("plain", lowered(token)) && !r.is("plain", first)
	}
	quoted := at > 0 && r.text[at-1] == '`'
	first, last, joined := strings.Cut(lowered(token), "-")
	if r.c.german && joined && !quoted && r.c.words[first] && unicode.IsUpper(firstRune(token[len(first)+1:])) { // Ubuntu-Image
		return false
	}
	return dottedForm().MatchString(token) || quoted && (joined || camelForm().MatchString(token)) || joined && len(first) > 2 && first[0] < utf8.RuneSelf && (strings.Contains(r.c.low, first+"-") || strings.Contains(r.c.low, "-"+last+" "))
}
