package intents

import (
	"cmp"
	"slices"
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
	m.lettered(len("liste"), end, name, yield)
}

// compoundTimer yields the name of a timer that stands in one word with it: Nudeltimer. A word that the sentences know, such as Küchentimer, is nearer.
func (m *matcher) compoundTimer(pos int, yield func(end int, value any)) {
	end := m.wordEnd(pos)
	name, ok := strings.CutSuffix(m.norm[pos:end], "timer")
	if name = strings.TrimSuffix(name, "-"); !ok || len(name) < 2 {
		return
	}
	m.lettered(len("timer"), end, m.original(pos, pos+len(name)), yield)
}
