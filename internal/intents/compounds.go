package intents

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/lazyregexp"
)

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
	if found == nil || !m.isBoundary(pos+len(found[0])) || m.lang.has("nolists", found[1]) || len(found[1]) < 3 && !inTwo {
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
	m.letters += len("liste")
	yield(end, name)
	m.letters -= len("liste")
}

// compoundTimer yields the name of a timer that stands in one word with it: Nudeltimer. A word that the sentences know, such as Küchentimer, is nearer.
func (m *matcher) compoundTimer(pos int, yield func(end int, value any)) {
	end := m.wordEnd(pos)
	name, ok := strings.CutSuffix(m.norm[pos:end], "timer")
	if name = strings.TrimSuffix(name, "-"); !ok || len(name) < 2 {
		return
	}
	m.letters += len("timer")
	yield(end, m.original(pos, pos+len(name)))
	m.letters -= len("timer")
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
	l.values("n", word, func(written, means string) {
		if written == word {
			n, _ = strconv.Atoi(means)
			known = true
		}
	})
	return n, known
}
