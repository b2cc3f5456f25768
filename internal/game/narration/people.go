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
			case !d.Seen[n.id] && (c.speaks(i) && !has(c.toks[i+n.n:min(i+n.n+2, len(c.toks))], cMay|cPast|cNot) || c.present(i, n)): // not "Marta would say"
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

// newcomers flags people who are nobody that is there: who speaks next to a speech, or does something and was never heard of.
func (c *checker) newcomers() {
	for i := range len(c.toks) - 1 {
		t := &c.toks[i]
		if t.class&cPeople == 0 || t.class&cTitle != 0 && t.class&cMild == 0 || len(t.names) > 0 || c.owns(i) || c.withdrawn(i) ||
			c.relative(i) || c.pictured(i) || c.described(i) || c.governed(i) {
			continue
		}
		if c.speaks(i) || c.introduced(i) {
			c.flag(Person, t.span, "nobody knows this one")
		} else if !c.d.IsThere(t.stem) && (c.bare(i) || c.comes(i)) {
			c.doubt(Person, t.span, "nobody knows this one") // "the old teacher": it may be somebody who is there
		}
	}
}

// introduced reports whether somebody at i stands behind "a" and does something: "a sergeant props himself up".
func (c *checker) introduced(i int) bool {
	return slices.ContainsFunc(c.toks[max(c.start(i, false), i-3):i], func(t token) bool { return t.word == "a" || t.word == "an" || t.word == "another" }) && c.comes(i)
}

// comes reports whether somebody at i begins a clause, or does something in it.
func (c *checker) comes(i int) bool {
	from, to := c.start(i, false), c.end(i, false)
	first := !slices.ContainsFunc(c.toks[from:i], func(t token) bool { return t.class&^(cDet|cTitle|cAux|cConj|cMild|cLight) != 0 })
	return first && i < from+4 && to > i+2 || has(c.toks[i+1:to], cAppear|cVerb) && c.acts(i, i+1)
}

// bare reports whether a word for people needs no verb to do something: a Russian nominative, a Chinese word that nothing follows up.
func (c *checker) bare(i int) bool {
	t := &c.toks[i]
	if i > c.start(i, false) && c.toks[i-1].class&(cPron|cConj) != 0 { // 她母亲
		return false
	}
	return c.lang == "zh" && t.class&cAppear == 0 && c.toks[i+1].stop == 0 ||
		c.lang == "ru" && !spelling.HasEnd(t.word, "а", "у", "ом", "ем", "е", "и", "ы", "ой", "ей", "ов", "ами", "ам", "ах", "ю", "я", "ях")
}

// pictured reports whether a clause goes on to say that what it tells of at i is a picture or a memory.
func (c *checker) pictured(i int) bool {
	return slices.ContainsFunc(c.toks[i:c.end(i, false)], func(t token) bool { return t.class&cDream&^t.phrase != 0 })
}

// described reports whether the word at i is a word for somebody who is there, or may be, as "the boy" is.
func (c *checker) described(i int) bool {
	anybody := c.lex.lists.has("anybody", c.toks[i])
	return slices.ContainsFunc(c.d.After.Actors(), func(a *world.Actor) bool {
		return c.d.Seen[a.ID] && a.ID != c.d.HeroID() && (anybody || strings.Contains(spelling.Lower(a.Name+" "+a.Desc), c.toks[i].stem))
	})
}
