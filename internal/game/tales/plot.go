package tales

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// talk adds a line to say. The order of the lines counts: of those with the same keys the first one
// whose condition holds is said.
func (m *maker) talk(l *line) {
	id, name := l.next(), l.next()
	a := m.actors[id]
	if a == nil {
		l.fail("there is no actor %q before this line: make it above, or mend the id", shorten(id))
		return
	}
	key := id + "." + name
	if !isID(name) || slices.Contains([]string{"desc", "wants", "secret"}, name) {
		l.fail("%q is no name for what is said: it begins with a letter, and has a to z, 0 to 9 and _; and not desc, wants or secret", shorten(name))
	}
	if no := m.talks[key]; no > 0 {
		l.fail("%s says %s in line %d already: choose another name", id, name, no)
	}
	m.talks[key] = l.no
	talk := world.Talk{
		Text: m.word(key, mostText), When: l.condition(), Skill: l.text("skill"), DC: l.num("dc", 1, 2*mostStat),
		Reveals: l.names(l.text("reveals"), "fact"), Gives: l.names(l.text("gives"), "thing"),
	}
	if talk.Skill != "" && !slices.Contains(rules.Skills(), talk.Skill) {
		l.fail("there is no skill %q: use force, finesse, wits, charm or lore", shorten(talk.Skill))
	}
	if (talk.Skill == "") != (talk.DC == 0) {
		l.fail("a check has both: skill= and dc=, such as skill=charm dc=12")
	}
	m.addKeys(l, &talk, id, key)
	a.Talk = append(a.Talk, talk)
	m.spoken[id] = append(m.spoken[id], l.no)
}

// addKeys adds the keys and the topic of a talk. A greeting has none.
func (m *maker) addKeys(l *line, talk *world.Talk, id, key string) {
	as, quiet := l.text("as"), l.flag("quiet")
	if l.flag("greeting") {
		if as != "" || quiet {
			l.fail("a greeting is not asked for: leave out as= and quiet")
		}
		return
	}
	if as != "" {
		if key = id + "." + as; m.words.text[key+".keys"] == "" {
			l.fail("as=%s: nothing else that %s says is asked for as that: name one that has words in %s.keys", shorten(as), id, shorten(key))
		}
	}
	talk.Keys = m.keys(key + ".keys")
	if !quiet {
		talk.Topic = m.word(key+".topic", mostName)
	}
}

// quest adds a quest. An offered one is shown nowhere before somebody takes it up; its objectives
// count all the same.
func (m *maker) quest(l *line) {
	id := m.id(l)
	q := &world.Quest{
		ID: id, Order: m.next(), Title: m.word(id, mostName), State: world.Active, Giver: l.names(l.text("giver"), "actor"), Ends: l.flag("ends"),
		When: map[string]string{},
	}
	if q.Ends {
		q.Ending = m.ending
	}
	if l.flag("offered") {
		q.State = world.Offered
	}
	m.quests[id] = q
	m.put(q)
}

// goal adds an objective to a quest.
func (m *maker) goal(l *line) {
	id, name := l.next(), l.next()
	q := m.quests[id]
	if q == nil {
		l.fail("there is no quest %q before this line: make it above, or mend the id", shorten(id))
		return
	}
	text, when := m.word(id+"."+name, mostLine), l.condition()
	switch {
	case when == "":
		l.fail("nothing says when it is met: add when and a condition, such as when has obj_key")
	case q.When[text] != "":
		l.fail("the quest has an objective of the same words already: write others")
	default:
		q.Objectives = append(q.Objectives, text)
		q.When[text] = when
		m.goals[id+"."+text] = l.no
	}
}

func (m *maker) clock(l *line) {
	if !m.begun {
		l.fail("begin must stand before all clocks: move it up")
	}
	id := m.id(l)
	c := &world.Clock{
		ID: id, Order: m.next(), Name: m.word(id, mostName), OnFull: m.once(id+".full", mostLine), Segments: l.num("segments", 4, 12),
		Visible: l.flag("visible"), PerMinutes: l.num("minutes", 1, mostMinutes), Since: m.self.Minute, OnFail: l.flag("onfail"),
		Fails: l.names(l.text("fails"), "quest"), Thing: l.names(l.text("thing"), "thing item"),
	}
	if c.Thing != "" && c.Fails != "" {
		l.fail("what ends a quest is for all to see, wherever %s is: leave out thing= or fails=", shorten(c.Thing))
	}
	if c.Segments == 0 || c.Segments%2 > 0 {
		l.fail("a clock has segments=4, 6, 8, 10 or 12")
	}
	m.put(c)
}

func (m *maker) lore(l *line) {
	id := m.id(l)
	m.put(&world.Lore{
		ID: id, Order: m.next(), Keys: m.keys(id + ".keys"), Text: m.word(id, mostLine), Priority: l.num("priority", 0, mostRule),
		Secret: l.flag("secret"),
	})
}
