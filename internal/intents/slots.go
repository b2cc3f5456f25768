package intents

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// isSlotType reports whether sentences may have slots of that type:
//
//	text, content, command   words of a person's own, as many as there are
//	program                  a command in Latin letters with what it is given, such as df -h
//	who                      a name such as 小明
//	query, note, story       some words: what is looked for, or a name
//	quoted                   what stands in quotes
//	items                    things of a list, with commas or "and" between them
//	name, topic              a word or two
//	path, new, to, dir       names of files that are there, or are to be made, and of folders
//	unit                     a name in Latin letters, as of a service
//	tool                     the name of a tool, such as read_file
//	skill                    a word
//	url, n, dice, sum        an address, a whole number, dice such as 2d6, a sum of digits
//	zone                     the name of a time zone, such as Europe/Berlin, or a city that the values name
//	list, tale, day          what the file of sentences names in its values
//	timer                    in German, a word such as Nudeltimer: the name of the timer
func isSlotType(s string) bool {
	return slices.Contains(strings.Fields("text content command program who query note story items name topic path new to dir unit tool skill url n dice sum quoted list zone tale day timer"), s)
}

// What slots of some types look like.
var (
	pathShape    = lazyregexp.New(`^(?:[\p{L}\p{N}_~][\p{L}\p{N}_./~-]*\.[a-z0-9]{1,8})`)
	dirShape     = lazyregexp.New(`^(?:[\p{L}\p{N}_][\p{L}\p{N}_/-]*)`)
	toolShape    = lazyregexp.New(`^(?:[a-z]+(?:_[a-z0-9]+)+|(?:fetch|game|job|process|time|oracle|recap|scene)\b)`)
	unitShape    = lazyregexp.New(`^(?:[a-z0-9][a-z0-9@._-]*)`)
	programShape = lazyregexp.New(`^(?:[a-z][a-z0-9_-]* (?:[a-z_]+ )*[-./~0-9][^\p{Han},;!?]*)`)
	whoShape     = lazyregexp.New(`^(?:[小阿]\p{Han})`)
	fileShape    = lazyregexp.New(`^[^@]+\.[a-z]{2,4}$`) // plan.md is no service; nginx.service has a longer ending
	urlShape     = lazyregexp.New(`^(?:https?://[^\s"<>]+|` + bareAddress + `(?::[0-9]+)?(?:/[^\s"<>]*)?)`)
	hostShape    = lazyregexp.New(`^(?:` + bareAddress + `$)`)
	clauseBehind = lazyregexp.New(`[,;!?]\p{Han}`) // Chinese goes on behind an address without a space
	diceShape    = lazyregexp.New(`^(?:[0-9]{0,3} ?[dwkкд] ?[0-9]{1,4}(?:[a-z]{2}[0-9]{1,2})?(?: ?[+-] ?[0-9]{1,4})?)`)
	nameShape    = lazyregexp.New(`^(?:[\p{L}\p{N}_ ./~()+-]+$)`) // of a file, in quotes
	sidedShape   = lazyregexp.New(`^(?:(?:([0-9]{1,3}|[一两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?)?([0-9]{1,4}|[一二三四五六七八九十]{1,3}|百) ?面的?(?:骰子|色子|骰)?)`)
	pluralShape  = lazyregexp.New(`^(?:([0-9]{1,3}|[两二三四五六七八九十]{1,3}) ?[个颗枚粒只] ?(?:骰子|色子))`)
	zoneShape    = lazyregexp.New(`^(?:(?:africa|america|antarctica|arctic|asia|atlantic|australia|europe|indian|pacific|etc)(?:/[a-z0-9_+-]+){1,2}|utc\b)`)
	numberShape  = lazyregexp.New(`^(?:[0-9]{1,9})`)
	amountShape  = lazyregexp.New(`^[0-9]+(?:[.-][0-9]+)+[a-z]{0,2}$`) // 1.5, 1.5kg, 192.168.1.1
	goesOn       = lazyregexp.New(`^(?:.*\.[a-z0-9]{1,8}\p{Han})`)     // behind the ending of a file, Chinese goes on with other words
)

// bareAddress is a host without a scheme: of a few top-level domains, since notes.txt is none, or one that begins with www.
const bareAddress = `(?:www\.(?:[a-z0-9-]+\.)+[a-z]{2,}|(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|io|dev|app|eu|de|at|ch|uk|fr|nl|pl|ru|ua|by|kz|cn|tw|hk|jp|in|us|ca|au|tv|me|xyz|wiki))\b`

// fill yields what a slot may hold at pos: the position behind it, and its value.
func (m *matcher) fill(kind string, pos int, yield func(end int, value any)) {
	if pos >= len(m.norm) || !m.isBoundary(pos) {
		return
	}
	switch kind {
	case "text", "content", "command":
		m.words(pos, len(m.norm), yield)
	case "program":
		m.shaped(programShape(), pos, yield)
	case "items":
		m.words(pos, 40, yield)
	case "query", "note":
		m.words(pos, 8, yield)
	case "story":
		m.words(pos, 5, yield)
	case "name", "topic":
		m.words(pos, 2, yield)
	case "quoted":
		m.quoted(pos, yield)
	case "path", "new":
		m.quoted(pos, func(end int, value any) {
			if text, _ := value.(string); nameShape().MatchString(text) {
				yield(end, value)
			}
		})
		m.file(pos, yield)
	case "dir":
		m.quoted(pos, yield)
		m.shaped(dirShape(), pos, yield)
	case "to": // a folder is written with a slash at its end
		m.quoted(pos, func(end int, value any) {
			if name, _ := value.(string); !pathShape().MatchString(strings.ToLower(name)) && !hasExtension(name) {
				value = strings.TrimSuffix(name, "/") + "/"
			}
			yield(end, value)
		})
		m.file(pos, yield)
		m.shaped(dirShape(), pos, func(end int, value any) { yield(end, strings.TrimSuffix(value.(string), "/")+"/") })
	case "who":
		if name := whoShape().FindString(m.norm[pos:]); name != "" {
			m.letters += len(name) // so that the words behind it are nearer than those with it
			yield(pos+len(name), m.original(pos, pos+len(name)))
			m.letters -= len(name)
		}
	case "tool":
		m.shaped(toolShape(), pos, yield)
		m.valued(kind, pos, yield)
	case "unit":
		m.quoted(pos, yield)
		m.shaped(unitShape(), pos, func(end int, value any) {
			if name := m.norm[pos:end]; hostShape().MatchString(name) || fileShape().MatchString(name) {
				return
			}
			yield(end, value)
			for _, suffix := range [...]string{"-dienst", "-service"} { // as in nginx-Dienst
				if name, ok := strings.CutSuffix(m.norm[pos:end], suffix); ok {
					m.letters += len(suffix) // so that nginx is nearer than nginx-Dienst
					yield(end, name)
					m.letters -= len(suffix)
				}
			}
		})
	case "skill":
		m.words(pos, 1, yield)
		if m.norm[pos] == '"' && strings.ContainsFunc(m.norm[pos:], isHan) { // a Chinese name may be longer
			m.quoted(pos, yield)
		}
	case "url":
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
	case "dice":
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
	case "sum":
		m.sum(pos, yield)
	case "zone":
		m.shaped(zoneShape(), pos, yield)
		m.valued(kind, pos, yield)
	case "n":
		number := func(end int, value any) {
			if n, err := strconv.Atoi(value.(string)); err == nil {
				yield(end, n)
			}
		}
		if isDigit(m.norm[pos]) {
			m.shaped(numberShape(), pos, number)
		}
		m.valued(kind, pos, number)
	case "list":
		m.valued(kind, pos, yield)
		m.compoundList(pos, yield)
	case "timer":
		m.compoundTimer(pos, yield)
	default:
		m.valued(kind, pos, yield)
	}
}

// hasExtension reports whether a quoted name ends as a file's does: "Copy of May.xlsx".
func hasExtension(name string) bool {
	ext := path.Ext(name)
	return len(ext) > 1 && !strings.Contains(ext, " ")
}

// words yields one word, two, and so on, up to most. A Chinese letter is a third of a word. The value is what wordsOf makes of
// them, once the whole text fits.
func (m *matcher) words(pos, most int, yield func(end int, value any)) {
	for end, n := pos, 0; n < 3*most; n++ {
		next := m.nextBoundary(end)
		if next == end {
			return
		}
		if r, _ := utf8.DecodeLastRuneInString(m.norm[:next]); !isHan(r) {
			n += 2
		}
		end = next
		yield(end, nil)
	}
}

// wordsOf returns the value of a slot of a person's own words, or false where they can be none.
func (m *matcher) wordsOf(s slot) (any, bool) {
	if s.kind == "items" {
		last := s.to
		if m.skip(0) < s.from { // "got the milk, tick it off"; where a text begins with things, a story ends at the comma
			last = s.from + len(strings.TrimRight(m.norm[s.from:s.to], " ,;"))
		}
		items := m.items(s.from, last)
		return items, items != nil
	}
	text := unquote(strings.Trim(m.original(s.from, s.to)+m.ownStop(s), " ,:;，：；、"))
	if strings.IndexFunc(text, isWritten) < 0 || strings.IndexAny(text, ".)]!?") == 0 {
		return nil, false
	}
	if n, known := m.lang.smallNumber(fold(text).norm); known && s.kind == "note" && m.lang.endsInWord("numbered", strings.TrimRight(m.norm[:s.from], " ")) {
		return strconv.Itoa(n), true // note number seven
	}
	first, rest, more := strings.Cut(text, " ")
	manner, said, isSaid := strings.Cut(strings.Replace(text, "：", ":", 1), ":")
	switch {
	case isSaid && s.name == "text" && m.lang.has("manners", fold(manner).norm):
		text = strings.TrimSpace(said) // note quickly: buy stamps
	case more && s.name == "text" && m.lang.has("asides", fold(strings.TrimRight(first, ",:")).norm):
		text = strings.TrimLeft(rest, ",: ") // note please: the key is with Ann
	case more && (s.kind == "query" || s.kind == "note") && m.lang.has("omitted", fold(first).norm):
		text = rest // the notes about the boiler have boiler in them
	case s.name == "content": // a file of text ends with the end of a line
		text += "\n"
	case s.kind == "story":
		text = "open " + text
	}
	return text, true
}

func isWritten(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
			m.letters += end - pos
			yield(end, number(parts[1])+"d6")
			m.letters -= end - pos
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
	m.letters += end - pos
	yield(end, count+"d"+sides)
	m.letters -= end - pos
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
		m.letters += len(written) // the file of sentences has these words
		yield(end+quote, means)
		m.letters -= len(written)
	})
}

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
			part = m.operatorOf(pos)
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

// operatorOf is what a "by" means behind the verb before a sum, "" where there is none.
func (m *matcher) operatorOf(pos int) (operator string) {
	words := strings.TrimRight(m.norm[:pos], " ")
	verb := words[strings.LastIndexByte(words, ' ')+1:]
	m.lang.values("by", verb, func(written, means string) {
		if written == verb {
			operator = means
		}
	})
	return operator
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
