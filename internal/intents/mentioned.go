package intents

import (
	"slices"
	"strings"
)

// What an order is about may be named before it: "draft2.txt can go, delete it", "we're out of oat milk, stick it on the shopping list". The rule
// mentions of a language's file is what may be said of a {thing} there, and its table of pronouns has the words that stand for the thing in the order. With
// the thing in the place of that word, the order is read like any other.

// parsesOfMentioned returns how the orders of a text are read that speak of a thing named before them.
func (l *language) parsesOfMentioned(t folded, loose bool) (all []parse) {
	if mentions := l.section("rule.mentions"); mentions != "" {
		m := &matcher{folded: t, lang: l, timed: map[string]timed{}}
		starts := l.startsOfOrders(t)
		for _, w := range l.wordsOf(t.norm) {
			if w.from > 0 && l.startsWith("fronted", t.norm[w.from:]) && !l.endsInWord("hopeless", t.norm) {
				starts = append(starts, w.from) // die Milch | kannst du abhaken
			}
		}
		if len(starts) > mostClauses {
			return nil
		}
		for _, start := range starts {
			pronouns := m.pronounsBehind(start)
			if len(pronouns) == 0 {
				continue
			}
			for _, thing := range m.thingsBefore(start, mentions) {
				words := strings.Trim(m.original(thing.from, thing.to), " ,;")
				if first, rest, more := strings.Cut(words, " "); more && l.has("omitted", fold(first).norm) {
					words = rest
				}
				for _, p := range pronouns {
					order := t.text[t.at[start]:t.at[p.from]] + strings.ReplaceAll(p.means, "{thing}", words) + " " + strings.TrimLeft(t.text[t.at[p.to]:], " ")
					all = append(all, slices.DeleteFunc(l.parsesOf(fold(order), loose), func(p parse) bool { return p.holdsMoreThan(fold(words).norm) })...)
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(p parse) bool { // no chore, or one whose words may go on
		return p.isOwn() || kindOf(p.kind).tool == "" || len(p.slots) == 0 || slices.ContainsFunc(p.slots, func(s slot) bool {
			return s.isLater() || s.isFree() && s.name != "time"
		})
	})
}

// holdsMoreThan reports whether a slot has swallowed a thing with words around it: in "tomorrow you could tick the milk", tomorrow is none.
func (p parse) holdsMoreThan(thing string) bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool {
		words := strings.Trim(p.text.norm[s.from:s.to], " ,;")
		return words != thing && strings.Contains(words, thing)
	})
}

// pronoun is words that mean what was named before, where they stand; means has {thing} in it.
type pronoun struct {
	span
	means string
}

// pronounsBehind returns the pronouns behind a position. With an article for one of them, the order is none.
func (m *matcher) pronounsBehind(start int) (all []pronoun) {
	for pos := start; pos < len(m.norm); pos++ {
		if end, means := m.longestValue("pronoun", pos); end > 0 && m.isBoundary(pos) {
			all = append(all, pronoun{span{pos, end}, means})
			pos = end
		}
	}
	return all
}

// thingsBefore returns where the things stand that are named before a position, each by one of the ways to say something of a thing, or alone. A thing has
// no words that say something themselves.
func (m *matcher) thingsBefore(start int, mentions string) (things []span) {
	begins := map[int]bool{m.skip(0): true}
	m.sequence(m.lang.section("before"), 0, func(pos int) { begins[m.skip(pos)] = true })
	for begin := range begins {
		m.sequence(mentions, begin, func(pos int) {
			thing := span{m.slots[len(m.slots)-1].from, m.slots[len(m.slots)-1].to}
			if m.skip(pos) >= start && !slices.Contains(things, thing) {
				things = append(things, thing)
			}
		})
	}
	if len(things) == 0 {
		things = []span{{m.skip(0), start}}
	}
	return slices.DeleteFunc(things, func(thing span) bool {
		return m.lang.begins("states", m.norm[thing.from:thing.to]) || m.hasWord(thing.from, thing.to, "finite", "copulas", "tells", "reported")
	})
}
