package intents

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// items returns the things of a list that stand between two positions, or nil where it is none.
func (m *matcher) items(from, to int) (items []string) {
	begin, quoted := from, false
	cut := func(end int) bool {
		item := unquote(strings.Trim(m.original(begin, end), " ,;:"))
		for first, rest, _ := strings.Cut(item, " "); m.lang.has("omitted", fold(first).norm) && slices.Contains([]int{1, 2}, len(strings.Fields(rest))); first, rest, _ = strings.Cut(item, " ") {
			item = strings.TrimSpace(rest) // a list says yoghurt, and not both the yoghurt; what is longer is something to do
		}
		if item == "" {
			return end > begin || begin > from // two commas
		}
		if isQuoted := strings.HasPrefix(strings.TrimLeft(m.norm[begin:end], " "), `"`); begin == from {
			quoted = isQuoted
		} else if quoted && !isQuoted && end == to && m.norm[begin-1] == ',' && strings.Contains(item, " ") { // tick "call the bank", done at last
			return false
		}
		if strings.Contains(item, ":") || len(strings.Fields(item)) > 7 || utf8.RuneCountInString(item) > 60 {
			return false
		}
		items = append(items, m.things(item)...)
		return true
	}
	for at := from; at < to; {
		at = max(at, m.quoteEnd(at, to)) // what stands in quotes is one, with its commas
		if at == to {
			break
		}
		if c := m.norm[at]; (c == ',' || c == ';') && !(at > from && at+1 < to && isDigit(m.norm[at-1]) && isDigit(m.norm[at+1])) {
			if !cut(at) {
				return nil
			}
			begin, at = at+1, at+1
			continue
		}
		joined := 0
		if m.isBoundary(at) && (at > begin || begin > from) { // and, behind a comma
			m.lang.values("and", m.norm[at:to], func(written, _ string) {
				if joined == 0 && m.isBoundary(at+len(written)) && !m.isWhole(at, at+len(written)) {
					joined = len(written)
				}
			})
		}
		if joined > 0 {
			if m.hasWord(begin, at, "attached") || !cut(at) { // chips with salt and vinegar
				return nil
			}
			begin, at = at+joined, at+joined
			continue
		}
		_, n := utf8.DecodeRuneInString(m.norm[at:])
		at += n
	}
	if begin >= to || !cut(to) {
		return nil
	}
	return items
}

// quoteEnd returns where the quotes that begin at a position end, if a thing of a list that ends at to does there; else 0.
func (m *matcher) quoteEnd(at, to int) (end int) {
	m.quoted(at, func(behind int, _ any) {
		if behind == to || behind < to && strings.IndexByte(" ,;", m.norm[behind]) >= 0 {
			end = behind
		}
	})
	return end
}

// things returns the things that stand side by side in a part of a list, as in "milk eggs": each is a word of goods, and no two of them are
// the name of another, as in "rice milk" or 蜂蜜酸奶. Chinese has no spaces within a name.
func (m *matcher) things(item string) []string {
	parts, space := strings.Fields(item), " "
	if isChinese := func(s string) bool { return !strings.ContainsFunc(s, func(r rune) bool { return !isHan(r) }) }; isChinese(item) {
		parts, space = m.goodsIn(item), ""
	} else if len(parts) > 1 && !slices.ContainsFunc(parts, func(s string) bool { return !isChinese(s) }) {
		return parts
	}
	var things []string
	for i := 0; i < len(parts); i++ {
		if !m.lang.has("goods", fold(parts[i]).norm) {
			return []string{item}
		}
		thing := parts[i]
		if i+1 < len(parts) && (m.lang.has("flavoured", fold(parts[i+1]).norm) || m.lang.has("compounds", fold(thing+" "+parts[i+1]).norm)) {
			things = append(things, thing+space+parts[i+1])
			i++
			continue
		}
		things = append(things, parts[i])
	}
	if len(things) < 2 {
		return []string{item}
	}
	return things
}

// goodsIn cuts Chinese that is nothing but words of goods into those, the longest first; nil where it is not.
func (m *matcher) goodsIn(text string) (words []string) {
	for text != "" {
		longest := 0
		for end := range text + "." {
			if m.lang.has("goods", fold(text[:end]).norm) {
				longest = end
			}
		}
		if longest == 0 {
			return nil
		}
		words, text = append(words, text[:longest]), text[longest:]
	}
	return words
}

// isWhole reports whether a joiner between two positions stands in a name that is one, such as "mac and cheese", or between hyphens.
func (m *matcher) isWhole(from, to int) bool {
	if strings.HasSuffix(m.before(from), "-") { // Salz- und Pfefferstreuer
		return true
	}
	for name := range m.lang.list("wholes") {
		for at := max(0, from-len(name)); at <= from; at++ {
			if strings.HasPrefix(m.norm[at:], name) && at+len(name) >= to && m.isBoundary(at) && m.isBoundary(at+len(name)) {
				return true
			}
		}
	}
	return false
}

// German writes the name of a list in one word with "Liste": Werkstattliste. What shops and groups are called may stand alone before it: dm Liste.
var (
	listInOne    = lazyregexp.New(`^(?:([a-z][a-z-]+?)-?liste)`)
	listInTwo    = lazyregexp.New(`^(?:([a-z][a-z0-9]+) liste)`)
	bentEnding   = lazyregexp.New(`(?:e|en|er|es|em)$`) // of an adjective: die lange Liste
	joinedEnding = lazyregexp.New(`(?:[bfgkt]s)$`)      // Hochzeits-, Geburtstags-, but no Haus-
)

// compoundList yields the name of a list that the table of the language does not have, of those that stand in one word with "Liste". One that is
// most likely a slip of a name in the table is that one, where slips are forgiven.
func (m *matcher) compoundList(pos int, yield func(end int, value any)) {
	if m.lang.name != "de" {
		return
	}
	inTwo, found := false, listInOne().FindStringSubmatch(m.norm[pos:])
	if found == nil {
		inTwo, found = true, listInTwo().FindStringSubmatch(m.norm[pos:])
	}
	if found == nil || !m.isBoundary(pos+len(found[0])) || m.lang.has("nolists", found[1]) || len(found[1]) < 3 && !inTwo && !strings.HasSuffix(found[0], "-liste") {
		return
	}
	isOther := func(list string) bool { return m.lang.has(list, found[1]) }
	if inTwo && (bentEnding().MatchString(found[1]) || slices.ContainsFunc(strings.Fields("verbs articles hangs behind fillers joiners reported negation vague quantities asides imperatives"), isOther)) {
		return
	}
	end, known, slip, joined := pos+len(found[0]), "", "", strings.ReplaceAll(found[0], "-liste", "liste")
	for line := range strings.Lines(m.lang.section("values.list")) {
		switch written, means, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); {
		case written == found[0]:
			return
		case written == joined:
			known = means
		case distance(joined, written, 1) == 1:
			slip = means
		}
	}
	name := strings.TrimRight(strings.ToLower(m.original(pos, pos+len(found[1]))), "-")
	if joinedEnding().MatchString(found[1]) && !inTwo {
		name = strings.TrimSuffix(name, "s")
	}
	if name = cmp.Or(known, name); known == "" && slip != "" {
		if !m.loose {
			return
		}
		name = slip
		m.forgiven++
		defer func() { m.forgiven-- }()
	}
	m.lettered(len("liste"), end, name, yield)
}

// compound returns what yields the name of a thing that stands in one word with it: Nudeltimer, Zahnarzt-Erinnerung. A word that the sentences know, such
// as Küchentimer, is nearer.
func compound(noun string) func(m *matcher, pos int, yield func(end int, value any)) {
	return func(m *matcher, pos int, yield func(end int, value any)) {
		end := m.wordEnd(pos)
		for end < len(m.norm) && m.norm[end] == '-' {
			end = m.wordEnd(end + 1)
		}
		name, ok := strings.CutSuffix(m.norm[pos:end], noun)
		isJoined := !strings.HasSuffix(name, "-")
		if name = strings.TrimSuffix(name, "-"); !ok || len(name) < 2 {
			return
		}
		if name = m.original(pos, pos+len(name)); isJoined && noun == "erinnerung" && joinedEnding().MatchString(strings.ToLower(name)) {
			name = strings.TrimSuffix(name, "s") // Geburtstagserinnerung
		}
		m.lettered(len(noun), end, name, yield)
	}
}

// listOf yields the list of somebody: Lenas Wunschliste, Mum's shopping list. It stands behind a word that leads to a list.
func (m *matcher) listOf(pos int, yield func(end int, value any)) {
	name, rest, ok := strings.Cut(m.norm[pos:], " ")
	if owned := strings.HasSuffix(name, "'s") || strings.HasSuffix(name, "s'"); m.lang.name == "en" && ok && owned && !m.isDay(strings.TrimRight(name, "'s")) {
		at := len(m.norm) - len(rest)
		m.valued("list", at, func(end int, _ any) {
			m.lettered(len(name), end, strings.TrimSuffix(strings.ToLower(m.original(pos, end)), " list"), yield)
		})
	}
	owner := strings.TrimRight(strings.TrimSuffix(name, "s"), "'")
	if m.isDay(owner) {
		return
	}
	if m.lang.name != "de" || !ok || len(owner) < 2 || owner == name || strings.ContainsAny(name, ",;:.\"") || m.lang.isSmall(name) || m.lang.has("determiners", name) || m.lang.has("quantities", name) ||
		!slices.Contains([]string{"auf", "von", "aus", "in", "zeig", "zeige", "lies", "leere", "an"}, m.lastWord(pos)) {
		return
	}
	at := len(m.norm) - len(rest)
	list := func(end int, _ any) {
		m.lettered(len(name), end, strings.ToLower(owner)+"s "+strings.ToLower(m.original(at, end)), yield)
	}
	m.valued("list", at, list)
	m.compoundList(at, list)
}

// listBy yields a German list behind which its owner stands, by the name that listOf gives it: die Wunschliste von Paul.
func (m *matcher) listBy(pos int, yield func(end int, value any)) {
	if m.lang.name != "de" {
		return
	}
	owned := func(end int, _ any) {
		rest, ok := strings.CutPrefix(m.norm[end:], " von ")
		at := len(m.norm) - len(rest)
		name := m.norm[at:m.wordEnd(at)]
		if !ok || len(name) < 2 || m.lang.isSmall(name) || m.lang.has("determiners", name) || m.lang.has("quantities", name) || m.lang.has("behind", name) || m.isDay(name) {
			return
		}
		owner := strings.ToLower(m.original(at, at+len(name)))
		m.lettered(len(name), at+len(name), strings.TrimSuffix(owner, "s")+"s "+strings.ToLower(m.original(pos, end)), yield)
	}
	m.valued("list", pos, owned)
	m.compoundList(pos, owned)
}

// isDay reports whether a word is a day or a time of some days, which owns no list: today's shopping list.
func (m *matcher) isDay(word string) bool {
	is := false
	for _, table := range []string{"day", "past"} {
		for _, text := range []string{word, "the " + word, "die " + word} {
			m.lang.values(table, text, func(written, _ string) { is = is || written == text })
		}
	}
	return is
}

// lastWord returns the word before pos.
func (m *matcher) lastWord(pos int) string {
	before := strings.Fields(m.norm[:pos])
	if len(before) == 0 {
		return ""
	}
	return before[len(before)-1]
}
