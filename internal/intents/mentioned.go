package intents

import (
	"slices"
	"strings"
)

// What an order is about may be named before it: "draft2.txt can go, delete it", "we're out of oat milk, stick it on the shopping list". The rule
// mentions of a language's file is what may be said of a {thing} there, and its table of pronouns has the words that stand for the thing in the order. With
// the thing in the place of that word, the order is read like any other. A pronoun may stand for the one day or place that was named, too, of which
// something is looked up: "Priya comes on Saturday, is anything on that day?"

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
			for _, p := range pronouns {
				all = append(all, l.parsesOfNamed(t, start, p, loose)...)
			}
			for _, thing := range m.thingsBefore(start, mentions) {
				words := strings.TrimRight(strings.Trim(m.original(thing.from, thing.to), " ,;"), ".!")
				if first, rest, more := strings.Cut(words, " "); more && l.has("omitted", fold(first).norm) {
					words = rest
				}
				for _, p := range pronouns {
					if !strings.Contains(p.means, "{thing}") {
						continue
					}
					order := t.text[t.at[start]:t.at[p.from]] + strings.ReplaceAll(p.means, "{thing}", words) + " " + strings.TrimLeft(t.text[t.at[p.to]:], " ")
					before := p.from - start
					all = append(all, slices.DeleteFunc(l.parsesOf(fold(order), loose), func(p parse) bool {
						return p.holdsMoreThan(fold(words).norm) || p.holdsAcross(before) || thing.isWanted && p.takesAway() || thing.isLacking && p.ticksAnywhere() ||
							strings.HasPrefix(p.kind, "reminder_cancel") && l.saysTime(strings.ReplaceAll(t.norm[:start], "'s", "")) // it may come again
					})...)
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(p parse) bool { // no chore, or one whose words may go on
		return p.isOwn() || kindOf(p.kind).tool == "" || len(p.slots) == 0 && !p.onlyLooks() || slices.ContainsFunc(p.slots, func(s slot) bool {
			return s.isLater() || s.isFree() && s.name != "time"
		})
	})
}

// parsesOfNamed returns how an order is read that asks for something of a day, or of a place, which is named once before it.
func (l *language) parsesOfNamed(t folded, start int, p pronoun, loose bool) []parse {
	before := t.norm[:start]
	if l.hasWord(before, "condition", "negation") {
		return nil
	}
	for _, table := range []string{"day", "zone"} {
		if !strings.Contains(p.means, "{"+table+"}") {
			continue
		}
		var named []string
		for at := 0; at < len(before); at++ {
			if end, _ := (&matcher{folded: t, lang: l}).longestValue(table, at); end > 0 && end <= start && t.isBoundary(at) && t.isBoundary(end) {
				named = append(named, t.original(at, end))
				at = end - 1
			}
		}
		if len(named) != 1 {
			return nil
		}
		order := t.text[t.at[start]:t.at[p.from]] + strings.ReplaceAll(p.means, "{"+table+"}", named[0]) + " " + strings.TrimLeft(t.text[t.at[p.to]:], " ")
		return slices.DeleteFunc(l.parsesOf(fold(order), loose), func(p parse) bool { return !p.onlyLooks() || !p.has(table) })
	}
	return nil
}

// takesAway reports whether an order deletes or ends what it is about.
func (p parse) takesAway() bool {
	name, _, _ := strings.Cut(p.kind, "/")
	return slices.Contains([]string{
		"note_remove", "fact_forget", "list_tick", "list_remove", "list_clear", "file_delete", "reminder_cancel", "reminder_done", "process_stop", "tool_off", "skill_close",
	}, name)
}

// ticksAnywhere reports whether an order ticks something off and names no list: what is out may be the bins, which are no thing of one.
func (p parse) ticksAnywhere() bool { return p.kind == "list_tick" && !p.has("list") }

// holdsMoreThan reports whether a slot has swallowed a thing with words around it: in "tomorrow you could tick the milk", tomorrow is none.
func (p parse) holdsMoreThan(thing string) bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool {
		words := strings.Trim(p.text.norm[s.from:s.to], " ,;")
		return words != thing && strings.Contains(words, thing)
	})
}

// holdsAcross reports whether a slot begins before a place of the text and ends behind it: in "apples on the list, Dan loves them", "Dan loves" is no part of
// a thing.
func (p parse) holdsAcross(at int) bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool { return s.from < at && s.to > at })
}

// pronoun is words that mean what was named before, where they stand; means has {thing} in it.
type pronoun struct {
	span
	means string
}

// pronounsBehind returns the pronouns behind a position. With an article for one of them, the order is none.
func (m *matcher) pronounsBehind(start int) (all []pronoun) {
	for pos := start; pos < len(m.norm); pos++ {
		if end, means := m.longestValue("pronoun", pos); end > 0 && m.isBoundary(pos) && !strings.HasPrefix(m.norm[end:], "'") { // it's
			all = append(all, pronoun{span{pos, end}, means})
			pos = end
		}
	}
	return all
}

// thing is words for what is named before an order. Somebody may say that it is wanted, "we need report.txt", or that there is none left.
type thing struct {
	span
	isWanted, isLacking bool
}

// thingsBefore returns the things that are named before a position, each by one of the ways to say something of a thing, or alone. A thing has no words
// that say something themselves, and is no order.
func (m *matcher) thingsBefore(start int, mentions string) (things []thing) {
	begins := map[int]bool{m.skip(0): true}
	m.sequence(m.lang.section("before"), 0, func(pos int) { begins[m.skip(pos)] = true })
	last := func() span { return span{m.slots[len(m.slots)-1].from, m.slots[len(m.slots)-1].to} }
	wanted, lacking := map[span]bool{}, map[span]bool{}
	for begin := range begins {
		m.rule("wanting", begin, func(int) { wanted[last()] = true })
		if m.lang.section("rule.lacking") != "" {
			m.rule("lacking", begin, func(int) { lacking[last()] = true })
		}
		if m.lang.section("rule.unwanted") != "" { // nobody wants it
			m.rule("unwanted", begin, func(int) {
				if len(m.slots) > 0 {
					delete(wanted, last())
				}
			})
		}
		m.sequence(mentions, begin, func(pos int) {
			if strings.Trim(m.norm[min(pos, start):start], " ,;.!") == "" && last().to <= start && !slices.ContainsFunc(things, func(t thing) bool { return t.span == last() }) {
				things = append(things, thing{span: last()})
			}
		})
	}
	if len(things) == 0 {
		for begin := range begins {
			if begin < start {
				things = append(things, thing{span: span{begin, start}})
			}
		}
	}
	things = slices.DeleteFunc(slices.Clone(things), func(t thing) bool { // the more of its words the rule has, the nearer it is
		return slices.ContainsFunc(things, func(o thing) bool { return o.to == t.to && o.from > t.from || o.from == t.from && o.to < t.to })
	})
	for i, t := range things {
		things[i].isWanted, things[i].isLacking = wanted[t.span], lacking[t.span]
	}
	return slices.DeleteFunc(things, func(thing thing) bool {
		words := strings.Trim(m.norm[thing.from:thing.to], " ,;.!")
		if strings.Contains(words, ". ") || strings.Contains(words, "? ") { // it is a story
			return true
		}
		isMore := m.lang.endsInWord("adds", strings.TrimRight(words, ".!; ")) // Bob.txt too: the one before is meant as well
		return isMore || m.lang.endsInWord("therefore", words) || m.lang.startsWith("reminds", words) || m.lang.consistsOf(words, "abstracts") ||
			m.lang.begins("states", m.norm[thing.from:thing.to]) || m.hasWord(thing.from, thing.to, "finite", "copulas", "tells", "reported")
	})
}
