package narration

import (
	"slices"
	"strings"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// people flags those who act and are not there, are dead, or whom nobody knows.
func (c *checker) people() {
	d, hero := c.d, c.d.HeroID()
	for i := range len(c.toks) - 1 {
		for _, n := range c.toks[i].names {
			a := d.After.Actor(n.id)
			if n.at != i || a == nil || c.owns(i+n.n-1) {
				continue
			}
			switch at := c.between(i, i+n.n-1); {
			case d.Moved(hero, "") && a.Place != d.Here() && has(c.clause(i), cFollow):
				c.flag(Move, at, "this one has not come along")
			case !d.Seen[n.id] && c.present(i, n):
				c.flag(Person, at, "this one is not here")
			case a.State == world.Dead && d.Falls[n.id] == "" && c.acts(i, i+n.n):
				c.flag(Person, at, "the dead do nothing")
			}
		}
		if from, to, ok := c.unknown(i); ok && (!c.d.Knows(c.draft.open[c.toks[from].at:c.toks[to].end]) || c.speaks(to)) && !c.withdrawn(i) {
			c.flag(Person, c.between(from, to), "nobody knows this one")
		}
	}
}

// present reports whether somebody who is named at i is said to be there.
func (c *checker) present(i int, n name) bool {
	if c.withdrawn(i) || c.relative(i) {
		return false
	}
	if c.toks[i].stop == 0 && c.toks[i-1].class&cPerson != 0 { // "news of Marta"
		return false
	}
	if n.bent { // "you see Marta"
		return has(c.toks[c.start(i, false):i], cFind)
	}
	for j := max(0, i-4); j < min(i+n.n+4, len(c.toks)); j++ { // "Tam, Berta, Marta: the names"
		if slices.ContainsFunc(c.toks[j].names, func(o name) bool { return o.kind == world.ActorKind && o.id != n.id && !c.d.Seen[o.id] }) {
			return false
		}
	}
	return true
}

// acts reports whether somebody whose name stands from i to end does something; the dead may lie, and speak no more.
func (c *checker) acts(i, end int) bool {
	if i > 0 && c.toks[i].stop == 0 && c.toks[i-1].class&cAppear != 0 { // "Go," says Tom
		return true
	}
	if has(c.clause(i), cDead|cDie) {
		return false
	}
	for j := end; j < min(end+7, c.end(i, true)); j++ {
		switch k := c.toks[j].class; {
		case k&(cLie|cNot|cMay|cPast|cYou|cIt) != 0:
			return false
		case k&(cAppear|cVerb) != 0:
			return true
		}
	}
	return false
}

// unknown returns where somebody is named whom no record knows, and who does something: by a title and a name, or by a name alone.
func (c *checker) unknown(i int) (from, to int, ok bool) {
	t, n := &c.toks[i], &c.toks[i+1]
	switch {
	case len(t.names) > 0 || i > 0 && t.stop == 0 && c.toks[i-1].class&cPerson != 0:
	case c.lang == "zh":
		for from = i; from > 0 && c.toks[from].stop == 0 && c.toks[from-1].class == 0; {
			from--
		}
		return from, i, t.class&cTitle != 0 && from < i && i-from < 5 && c.acts(from, i+1)
	case t.class&cTitle != 0 && t.class&cMild == 0:
		return i + 1, i + 1, len(n.names) == 0 && n.large && n.stop == 0 && c.acts(i, i+2)
	case t.large && t.class == 0:
		return i, i, c.speaks(i) || t.stop == 0 && n.stop == 0 && n.class&cAppear != 0 &&
			c.toks[i-1].class&(cDet|cPrep|cYour) == 0 && (c.lang != "ru" || c.toks[i-1].class&cConj != 0)
	}
	return 0, 0, false
}

// speaks reports whether somebody at i says what stands before it: "Come," whispers old Elias. The verb may be any word.
func (c *checker) speaks(i int) bool {
	for k := i; k > max(0, i-4); k-- {
		if c.toks[k].stop != 0 || k < i && c.toks[k].class&(cConj|cPrep|cYou) != 0 {
			return false
		}
		if first := &c.toks[k-1]; slices.ContainsFunc(c.draft.quotes, func(q span) bool {
			return q.end <= first.at && !strings.ContainsFunc(c.draft.text[q.end:first.at], spelling.IsLetter) && first.class&(cPron|cDet|cConj) == 0
		}) {
			return true
		}
	}
	return false
}
