package intents

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// slotKind is a type of slots.
type slotKind struct {
	fill   filler
	traits trait
	marks  string // of "?!:" those that its words may have, besides commas
}

// filler yields what a slot may hold at pos: the position behind it, and its value; nil where that is what [matcher.wordsOf] makes of the words.
type filler func(m *matcher, pos int, yield func(end int, value any))

// trait is what is true of a type of slots.
type trait uint16

const (
	guarded    trait = 1 << iota // a person's own words: see isCertain
	guardedHan                   // they are so where they are Chinese, which is written on without a space
	free                         // any words: what is noted, written down or said later
	written                      // it is what stands in a file
	verbatim                     // no sound of thinking and no politeness is taken out of it
	whole                        // a reason behind a comma is a part of it
	stopped                      // the full stop of a date or an ordinal at its end is, too
	brief                        // a name of some words: behind a comma stands something else
	edged                        // a name that may swallow what stands at the edges of a message
	object                       // hob's own things are no name of it: "delete the notes"
	fixed                        // its shape or a table says what it is: it names something
	many                         // things of a list
	present                      // a file or a folder that must be there
)

var slotKinds = sync.OnceValue(allSlotKinds)

// allSlotKinds returns the types of slots that sentences may have.
func allSlotKinds() map[string]slotKind {
	return map[string]slotKind{
		// Words of a person's own, as many as there are.
		"text":    {words(longest), guarded | free | whole | stopped | edged, "?!:"},
		"deed":    {(*matcher).deed, guarded | free | whole | stopped | edged, "?!:"}, // that begin with a Russian infinitive
		"content": {words(longest), guarded | free | written | verbatim | whole | stopped, "?!:"},
		"command": {words(longest), guarded | verbatim | whole, "?!:"},
		// Some words: what is looked for, or a name.
		"query": {words(8), guarded | brief | edged | object, ""},
		"note":  {words(8), guarded | whole | stopped | brief | edged | object, ""},
		"owned": {(*matcher).owned, guarded | whole | stopped | brief | edged | object, ""}, // what is somebody's, such as Ben's phone number
		"story": {words(5), guarded | brief | edged | object, ""},
		"name":  {words(2), guarded | edged, ""},
		"topic": {words(2), guarded, ""},
		"skill": {either((*matcher).skill, valued("skill")), 0, ""}, // what it is called in the language, too
		"items": {words(40), guarded | edged | object | many, ""},   // with commas or "and" between them

		"quoted":   {(*matcher).quoted, fixed, ""},                                                                                     // what stands in quotes
		"who":      {(*matcher).who, 0, ""},                                                                                            // a name such as 小明
		"program":  {shaped(programShape), guarded | verbatim, "?!"},                                                                   // a command in Latin letters with what it is given, such as df -h
		"shell":    {(*matcher).shell, guarded | verbatim, ""},                                                                         // a known program, or a word with a flag behind it
		"path":     {(*matcher).path, guardedHan | present, ""},                                                                        // a file that is there
		"new":      {(*matcher).path, guardedHan, ""},                                                                                  // one that is to be made
		"to":       {(*matcher).target, guardedHan, ""},                                                                                // that, or a folder
		"dir":      {either(either((*matcher).quoted, shaped(dirShape)), (*matcher).hyphened), guardedHan | present, ""},               // a folder
		"unit":     {(*matcher).unit, object, ""},                                                                                      // a name in Latin letters, as of a service
		"tool":     {either(shaped(toolShape), valued("tool")), fixed, ""},                                                             // the name of a tool, such as read_file
		"zone":     {either(shaped(zoneShape), valued("zone")), fixed, ""},                                                             // of a time zone, such as Europe/Berlin, or a city that the values name
		"url":      {(*matcher).url, guardedHan | fixed, ":"},                                                                          // an address
		"n":        {(*matcher).number, fixed, ""},                                                                                     // a whole number
		"nth":      {(*matcher).ordinal, fixed, ""},                                                                                    // one such as пятую
		"length":   {(*matcher).minutes, guarded | free, ""},                                                                           // minutes or hours, such as ten minutes
		"extra":    {(*matcher).extraMinutes, guarded | free, ""},                                                                      // such as ten more minutes
		"dice":     {(*matcher).dice, fixed, ""},                                                                                       // such as 2d6
		"sum":      {(*matcher).sum, fixed, ""},                                                                                        // of digits
		"list":     {either(either(valued("list"), (*matcher).compoundList), either((*matcher).listOf, (*matcher).listBy)), fixed, ""}, // what the file of sentences names in its values
		"task":     {valued("task"), fixed, ""},                                                                                        // a list by the name of one of its things: new task
		"tale":     {valued("tale"), fixed, ""},
		"past":     {valued("past"), fixed, ""},
		"day":      {valued("day"), fixed, ""},
		"timer":    {compound("timer"), 0, ""},      // in German, a word such as Nudeltimer: the name of the timer
		"reminder": {compound("erinnerung"), 0, ""}, // and Zahnarzterinnerung
		"skilled":  {compound("skill"), 0, ""},      // and Garten-Skill
		"noted":    {compound("notizen"), 0, ""},    // and Gartennotizen
		"noting":   {compound("notiz"), 0, ""},      // and WLAN-Notiz
	}
}

// is reports whether one of some traits is true of the type of a slot.
func (s slot) is(traits trait) bool { return slotKinds()[s.kind].traits&traits != 0 }

// mayHave reports whether the words of a slot may have some marks.
func (s slot) mayHave(marks string) bool { return strings.Contains(slotKinds()[s.kind].marks, marks) }

// isFree reports whether a slot holds what is noted, written down or said later, which may be any words. Others hold names of things.
func (s slot) isFree() bool {
	return s.is(written) || s.is(free) && !slices.Contains([]string{"query", "about", "title"}, s.name)
}

// isLater reports whether a slot holds what a person is to be reminded of, or when.
func (s slot) isLater() bool { return s.name == "remind" || s.name == "before" }

// What slots of some types look like.
var (
	pathShape    = lazyregexp.New(`^(?:[\p{L}\p{N}_~][\p{L}\p{N}_./~-]*\.[a-z0-9]{1,8})`)
	dirShape     = lazyregexp.New(`^(?:[\p{L}\p{N}_][\p{L}\p{N}_/-]*)`)
	yearShape    = lazyregexp.New(`^(?:[\p{L}\p{N}_][\p{L}\p{N}_/-]* (?:19|20)[0-9]{2})`) // of one that has its year behind it: Налоги 2026
	toolShape    = lazyregexp.New(`^(?:[a-z]+(?:_[a-z0-9]+)+|(?:fetch|game|job|process|time|oracle|recap|scene)\b)`)
	unitShape    = lazyregexp.New(`^(?:[a-z0-9][a-z0-9@._-]*)`)
	programShape = lazyregexp.New(`^(?:[a-z][a-z0-9_-]* (?:[a-z_]+ )*[-./~0-9][^\p{Han},;!?]*)`)
	shellShape   = lazyregexp.New(`^(?:(?:` + knownPrograms + `|` + grownPrograms + ` [a-z-]+)(?:` + shellWord + `)*|[a-z][a-z0-9_.-]*(?: [a-z]+)? ` + shellFlag + `(?:` + shellWord + `)*)$`)
	whoShape     = lazyregexp.New(`^(?:[小阿]\p{Han}|[A-Z][a-z]+)`)
	fileShape    = lazyregexp.New(`^[^@]+\.[a-z]{2,4}$`) // plan.md is no service; nginx.service has a longer ending
	endingShape  = lazyregexp.New(`\.[a-z0-9]{1,8}$`)    // of a name of a file
	urlShape     = lazyregexp.New(`^(?:https?://[^\s"<>]+|` + bareAddress + `(?::[0-9]+)?(?:/[^\s"<>]*)?)`)
	hostShape    = lazyregexp.New(`^(?:` + bareAddress + `$)`)
	clauseBehind = lazyregexp.New(`[,;!?]\p{Han}`)                // Chinese goes on behind an address without a space
	nameShape    = lazyregexp.New(`^(?:[\p{L}\p{N}_ ./~()+-]+$)`) // of a file, in quotes
	zoneShape    = lazyregexp.New(`^(?:(?:africa|america|antarctica|arctic|asia|atlantic|australia|europe|indian|pacific|etc)(?:/[a-z0-9_+-]+){1,2}|utc\b)`)
	numberShape  = lazyregexp.New(`^(?:[0-9]{1,9})`)
	amountShape  = lazyregexp.New(`^[0-9]+(?:[.-][0-9]+)+[a-z]{0,2}$`) // 1.5, 1.5kg, 192.168.1.1
	goesOn       = lazyregexp.New(`^(?:.*\.[a-z0-9]{1,8}\p{Han})`)     // behind the ending of a file, Chinese goes on with other words
)

// Commands of a shell as people write them in a sentence: a program that is no English word, one with an order of its own, and what they are given. A
// plain word stands only right behind a flag.
const (
	knownPrograms = `(?:df|du|ls|ps|uptime|uname|whoami|hostname|lsblk|lscpu|lsusb|lspci|lsof|ifconfig|netstat|ss|dmesg|htop|pwd|nproc|vmstat|iostat|sensors|printenv|mount|blkid)`
	grownPrograms = `(?:git|docker|podman|systemctl|apt|apt-get|dnf|pacman|snap|flatpak|ip|npm|pip|cargo|go|kubectl|nmcli|ufw|crontab|zpool|zfs)`
	shellFlag     = `--?[a-z][^\s,;!?]*`
	shellWord     = ` (?:` + shellFlag + `(?: [a-z0-9]+)?|[^\s,;!?]*[./~=0-9][^\s,;!?]*)`
)

// bareAddress is a host without a scheme: of a few top-level domains, since notes.txt is none, or one that begins with www.
const bareAddress = `(?:www\.(?:[a-z0-9-]+\.)+[a-z]{2,}|(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|io|dev|app|eu|de|at|ch|uk|fr|nl|pl|ru|ua|by|kz|cn|tw|hk|jp|in|us|ca|au|tv|me|xyz|wiki))\b`

// fill yields what a slot of a type may hold at pos.
func (m *matcher) fill(kind string, pos int, yield func(end int, value any)) {
	if pos < len(m.norm) && m.isBoundary(pos) && !(m.norm[pos] == '\'' && pos > 0 && m.norm[pos-1] != ' ') { // it's is one word
		m.waysOf(part{opSlot, kind, pos}, func(found func(end int, value any)) { slotKinds()[kind].fill(m, pos, found) }, yield)
	}
}

// words yields one word, two, and so on, up to most. A Chinese letter is a third of a word.
func words(most int) filler {
	return func(m *matcher, pos int, yield func(end int, value any)) {
		if m.norm[pos] == '-' && pos > 0 && m.norm[pos-1] != ' ' { // the end of a word such as to-do
			return
		}
		for end, n := pos, 0; n < 3*most; n++ {
			next := m.nextBoundary(end)
			if next == end {
				return
			}
			if r, _ := utf8.DecodeLastRuneInString(m.norm[:next]); !isHan(r) {
				n += 2
			}
			if end = next; strings.HasSuffix(m.norm[:end], " -") { // a dash that stands alone parts a sentence, and ends no words
				continue
			}
			if short, is := strings.CutSuffix(m.norm[pos:end], "'s"); is && short != "" { // the pizza's in
				yield(end-len("'s"), nil)
			}
			yield(end, nil)
		}
	}
}

// deed yields words as "text" does, of which the first is a Russian infinitive: what is to be done, and no question.
func (m *matcher) deed(pos int, yield func(end int, value any)) {
	if m.lang.isDeed(m.norm[pos:m.wordEnd(pos)]) {
		words(longest)(m, pos, yield)
	}
}

// owned yields something of a person who is named: Ben's phone number, Bens Telefonnummer.
func (m *matcher) owned(pos int, yield func(end int, value any)) {
	first, _ := utf8.DecodeRuneInString(m.original(pos, m.wordEnd(pos)))
	end := m.wordEnd(pos)
	if !unicode.IsUpper(first) || !m.lang.ends("genitives", m.norm[pos:end]) || m.lang.startsWithAny(m.norm[pos:], "states", "wonders", "vague") {
		return
	}
	words(8)(m, pos, func(to int, value any) {
		if to > end && !m.hasWord(pos, to, "joiners") {
			yield(to, value)
		}
	})
}

// unitOfTime finds what each length of time has.
var unitOfTime = lazyregexp.New(`\b(?:se(?:c|cs|conds?|k|kunden?)|min(?:s|utes?|uten?)?|h|hrs?|hours?|[hms]|half|quarters?)\b|[0-9](?:[hms]|min|sec|sek|std)|` +
	`minüt|minut|stund|\bstd|halb|viertel|сек|мин|час|полч|четверт|[秒分刻时時钟鐘]`)

// minutes yields a length of time that is no day: ten minutes, hour. It is as a reminder that rang can be put off by it.
func (m *matcher) minutes(pos int, yield func(end int, value any)) {
	if !unitOfTime().MatchString(m.norm[pos:]) { // to read a length takes long
		return
	}
	words(6)(m, pos, func(end int, _ any) {
		said := strings.Replace(strings.Trim(m.original(pos, end), " ,"), " more ", " ", 1)
		if isShortLength(said, m.lang.name) {
			yield(end, said)
		} else if isShortLength("1 "+said, m.lang.name) { // another hour
			yield(end, "1 "+said)
		}
	})
}

// extraMinutes yields a length of time that comes on top of another: ten more minutes.
func (m *matcher) extraMinutes(pos int, yield func(end int, value any)) {
	if !strings.Contains(m.norm[pos:], " more ") {
		return
	}
	m.minutes(pos, func(end int, _ any) {
		if strings.Contains(m.norm[pos:end], " more ") {
			yield(end, strings.Trim(m.original(pos, end), " ,"))
		}
	})
}

// shell yields a command: the words behind it are of the sentence.
func (m *matcher) shell(pos int, yield func(end int, value any)) {
	words(12)(m, pos, func(end int, value any) {
		if shellShape().MatchString(strings.TrimRight(m.norm[pos:end], " ")) {
			yield(end, value)
		}
	})
}

// shaped yields what an expression finds.
func shaped(shape func() *regexp.Regexp) filler {
	return func(m *matcher, pos int, yield func(end int, value any)) { m.shaped(shape(), pos, yield) }
}

// valued yields what the language's table of values has.
func valued(table string) filler {
	return func(m *matcher, pos int, yield func(end int, value any)) { m.valued(table, pos, yield) }
}

// either yields what two fillers do.
func either(first, second filler) filler {
	return func(m *matcher, pos int, yield func(end int, value any)) {
		first(m, pos, yield)
		second(m, pos, yield)
	}
}

// lettered yields a value whose words count as letters of the sentence, so that it is nearer than what holds them as a person's own.
func (m *matcher) lettered(letters, end int, value any, yield func(end int, value any)) {
	m.counting(letters, 0, func() { yield(end, value) })
}

// path yields the name of a file, in quotes or without.
func (m *matcher) path(pos int, yield func(end int, value any)) {
	m.quoted(pos, func(end int, value any) {
		if text, _ := value.(string); nameShape().MatchString(text) {
			yield(end, value)
		}
	})
	m.file(pos, yield)
}

// target yields the name of a file or a folder to be made: a folder is written with a slash at its end.
func (m *matcher) target(pos int, yield func(end int, value any)) {
	m.quoted(pos, func(end int, value any) {
		name, _ := value.(string)
		ext := path.Ext(name) // of a file, as in "Copy of May.xlsx"
		if isFile := len(ext) > 1 && !strings.Contains(ext, " "); !isFile && !pathShape().MatchString(strings.ToLower(name)) {
			value = strings.TrimSuffix(name, "/") + "/"
		}
		yield(end, value)
	})
	m.file(pos, yield)
	for _, shape := range []*regexp.Regexp{dirShape(), yearShape()} {
		m.shaped(shape, pos, func(end int, value any) { yield(end, strings.TrimSuffix(value.(string), "/")+"/") })
	}
}

// hyphened yields the name of a folder that a hyphen joins with the word for one: Downloads-Ordner.
func (m *matcher) hyphened(pos int, yield func(end int, value any)) {
	m.shaped(dirShape(), pos, func(end int, value any) {
		if at := strings.LastIndexByte(m.norm[pos:end], '-'); at > 0 && m.lang.has("folders", m.norm[pos+at+1:end]) {
			m.lettered(end-pos-at, end, value.(string)[:at], yield)
		}
	})
}

// who yields a Chinese name, or one in Latin letters. The words behind it are nearer than those with it.
func (m *matcher) who(pos int, yield func(end int, value any)) {
	if name := m.nameAt(pos); name != "" {
		m.lettered(len(name), pos+len(name), name, yield)
	}
}

// nameAt returns the name of a person that a Chinese text has at a position, "" where there is none.
func (f folded) nameAt(pos int) string {
	name := whoShape().FindString(f.text[f.at[pos]:])
	if end := pos + len(name); end > len(f.norm) || !f.isBoundary(end) {
		return ""
	}
	return name
}

// unit yields the name of a service, also without the ending of nginx-Dienst.
func (m *matcher) unit(pos int, yield func(end int, value any)) {
	m.quoted(pos, yield)
	m.shaped(unitShape(), pos, func(end int, value any) {
		if name := m.norm[pos:end]; hostShape().MatchString(name) || fileShape().MatchString(name) {
			return
		}
		yield(end, value)
		for _, suffix := range [...]string{"-dienst", "-service", "-log", "-logs", "-protokoll"} {
			if name, ok := strings.CutSuffix(m.norm[pos:end], suffix); ok {
				m.lettered(len(suffix), end, name, yield)
			}
		}
	})
}

// skill yields a word. A Chinese name may be longer, in quotes.
func (m *matcher) skill(pos int, yield func(end int, value any)) {
	words(1)(m, pos, yield)
	if m.norm[pos] == '"' && strings.ContainsFunc(m.norm[pos:], isHan) {
		m.quoted(pos, yield)
	}
}

// url yields an address.
func (m *matcher) url(pos int, yield func(end int, value any)) {
	m.shaped(urlShape(), pos, func(end int, value any) {
		if clauseBehind().MatchString(m.norm[pos:end]) {
			return
		}
		address := value.(string)
		if !strings.Contains(address, "://") {
			address = "https://" + address
		}
		yield(end, address)
	})
}

// number yields a whole number, in digits or in words.
func (m *matcher) number(pos int, yield func(end int, value any)) {
	end, text := pos, numberShape().FindString(m.norm[pos:])
	if end += len(text); text == "" {
		end, text = m.spelledNumber(pos)
	}
	if text == "" && m.lang.endsInWord("lasts", m.before(pos)) { // die letzten beiden, and not "delete both"
		end, text = m.longestValue("counts", pos)
	}
	n, err := strconv.Atoi(text)
	isOnce := func() bool { return m.norm[pos:end] == "一" && !strings.HasSuffix(m.before(pos), "第") } // 撤销最近一次操作 is undo, and no undo_many of 1
	if err == nil && m.isBoundary(end) && !isOnce() {
		yield(end, n)
	}
}

// ordinal yields the number of a place, such as fifth. The last one has none.
func (m *matcher) ordinal(pos int, yield func(end int, value any)) {
	m.valued("place", pos, func(end int, value any) {
		if n, err := strconv.Atoi(value.(string)); err == nil && n > 0 {
			yield(end, n)
		}
	})
}

// wordsOf returns the value of a slot of a person's own words, or false where they can be none.
func (m *matcher) wordsOf(s slot) (any, bool) {
	if s.is(many) {
		last := s.to
		if m.skip(0) < s.from { // "got the milk, tick it off"; where a text begins with things, a story ends at the comma
			last = s.from + len(strings.TrimRight(m.norm[s.from:s.to], " ,;"))
		}
		if s.to < len(m.norm) { // Кончилась бумага. Запиши её
			last = s.from + len(strings.TrimRight(m.norm[s.from:last], " ."))
		}
		items := m.items(s.from, last)
		return items, items != nil
	}
	text := unquote(strings.Trim(m.original(s.from, s.to)+m.ownStop(s), " ,:;，：；、"))
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || strings.IndexAny(text, ".)]!?") == 0 {
		return nil, false
	}
	if s.kind == "note" && m.lang.endsInWord("numbered", m.before(s.from)) {
		if end, n := m.spelledNumber(s.from); end == s.to {
			return n, true // note number seven
		}
	}
	first, rest, more := strings.Cut(text, " ")
	manner, said, isSaid := strings.Cut(strings.Replace(text, "：", ":", 1), ":")
	switch {
	case isSaid && s.name == "text" && m.lang.saysHow(fold(manner).norm):
		text = strings.TrimSpace(said) // note quickly: buy stamps
	case more && s.name == "text" && m.lang.has("asides", fold(strings.TrimRight(first, ",:")).norm):
		text = strings.TrimLeft(rest, ",: ") // note please: the key is with Ann
	case s.kind == "story":
		text = "open " + text
	case more && s.is(brief) && m.lang.has("omitted", fold(first).norm):
		text = rest // the notes about the boiler have boiler in them
	case s.name == "content": // a file of text ends with the end of a line
		text += "\n"
	}
	return text, true
}

// ownStop returns what stands behind the last word of a message where it is a part of the words of a slot, and not the end of the sentence: the
// pictures behind what is noted or written down, the full stop of a date or an ordinal ("9.12."), and that of what stands in a file behind a colon.
func (m *matcher) ownStop(s slot) string {
	if s.to != len(m.norm) || !s.is(stopped) || s.name == "time" {
		return ""
	}
	behind := m.text[m.at[s.to]:]
	if last := strings.LastIndexFunc(behind, isEmoji); last >= 0 && s.isFree() && !isNod(behind) {
		_, n := utf8.DecodeRuneInString(behind[last:])
		return behind[:last+n]
	}
	if s.name == "remind" {
		return ""
	}
	stop, _ := utf8.DecodeRuneInString(behind)
	last, _ := utf8.DecodeLastRuneInString(m.norm[:s.to])
	isDate := stop == '.' && unicode.IsDigit(last) && strings.Contains(m.norm[max(s.from, strings.LastIndexByte(m.norm[:s.to], ' ')):s.to], ".")
	isBehindColon := s.is(written) && strings.HasSuffix(m.before(s.from), ":")
	if isDate || isBehindColon && strings.ContainsRune(".。", stop) {
		return string(stop)
	}
	return ""
}

// nextBoundary returns where the word behind pos ends, with the spaces before it and the marks that belong to it. A Chinese letter is
// a word.
func (m *matcher) nextBoundary(pos int) int {
	for pos < len(m.norm) && m.norm[pos] == ' ' {
		pos++
	}
	for begin := pos; pos < len(m.norm); {
		r, n := utf8.DecodeRuneInString(m.norm[pos:])
		if r == ' ' || isHan(r) && pos > begin {
			break
		}
		pos += n
		if isHan(r) {
			break
		}
	}
	return pos
}

// quoted yields what stands in quotes.
func (m *matcher) quoted(pos int, yield func(end int, value any)) {
	if mark := m.norm[pos]; mark == '"' || mark == '\'' {
		if n := strings.IndexByte(m.norm[pos+1:], mark); n > 0 {
			yield(pos+n+2, m.original(pos+1, pos+1+n))
		}
	}
}

// shaped yields what an expression finds at pos.
func (m *matcher) shaped(re *regexp.Regexp, pos int, yield func(end int, value any)) {
	found := re.FindStringIndex(m.norm[pos:])
	if found == nil {
		return
	}
	end := pos + found[1]
	for end > pos && strings.IndexByte(".,!?-", m.norm[end-1]) >= 0 {
		end--
	}
	if end > pos && m.isBoundary(end) {
		yield(end, m.original(pos, end))
	}
	// Chinese is written on without a space: a name may end before any of its letters.
	for i := end; i > pos; {
		r, n := utf8.DecodeLastRuneInString(m.norm[pos:i])
		if i -= n; isHan(r) && i > pos && re.FindString(m.norm[pos:i]) == m.norm[pos:i] {
			yield(i, m.original(pos, i))
		}
	}
}

// file yields a name of a file, which is no host, and no number.
func (m *matcher) file(pos int, yield func(end int, value any)) {
	m.shaped(pathShape(), pos, func(end int, value any) {
		latin := strings.TrimLeftFunc(m.norm[pos:end], isHan) // before a host, they are words
		if !hostShape().MatchString(latin) && !amountShape().MatchString(latin) && !goesOn().MatchString(m.norm[pos:end]) {
			yield(end, value)
		}
	})
}

// valued yields what the language's table of values has.
func (m *matcher) valued(table string, pos int, yield func(end int, value any)) {
	quote := 0
	if m.norm[pos] == '"' {
		quote = 1
	}
	m.lang.values(table, m.norm[pos+quote:], func(written, means string) {
		end := pos + quote + len(written)
		if quote > 0 && (end >= len(m.norm) || m.norm[end] != '"') || !m.isBoundary(end) {
			return
		}
		m.lettered(len(written), end+quote, means, yield) // the file of sentences has these words
	})
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// unquote returns s without the quotes around it.
func unquote(s string) string {
	for _, pair := range [...][2]string{{`"`, `"`}, {`'`, `'`}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"《", "》"}, {"‘", "’"}} {
		if inner, ok := strings.CutPrefix(s, pair[0]); ok {
			if inner, ok := strings.CutSuffix(inner, pair[1]); ok && !strings.ContainsAny(inner, pair[0]+pair[1]) {
				return strings.TrimSpace(inner)
			}
		}
	}
	return s
}

// saysHow reports whether words before a colon only say how what is behind it is kept, and why: "for later, I'll ask again: ...".
func (l *language) saysHow(words string) bool {
	first, more, _ := strings.Cut(words, ",")
	return l.has("manners", first) && (more == "" || !slices.ContainsFunc(strings.Split(more, ","), func(why string) bool {
		return !l.begins("reasons", strings.TrimSpace(why)) && !l.has("manners", strings.TrimSpace(why))
	}))
}
