package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// people flags those who act and are not there, are dead, or whom nobody knows.
func (c *checker) people() {
	for i := range c.toks {
		t := &c.toks[i]
		for _, n := range t.names {
			if n.kind != world.ActorKind || n.at != i || c.owns(i+n.n-1) && !c.limb(i+n.n) {
				continue
			}
			a := c.d.After.Actor(n.id)
			switch {
			case a == nil:
			case c.d.seen[n.id] && c.d.moved(c.d.heroID(), "") && !c.d.moved(n.id, "") && a.Place != c.d.here() && has(c.clause(i), cFollow) && !c.withdrawn(i):
				c.flag(Move, c.between(i, i+n.n-1), "this one has not come along")
			case !c.d.seen[n.id] && c.present(i, n):
				c.flag(Person, c.between(i, i+n.n-1), "this one is not here")
			case dead(a) && c.d.falls[n.id] == "" && (c.acts(i+n.n, false) || i > 0 && t.stop == 0 && c.toks[i-1].class&cAppear != 0 && c.spoken(i-1)):
				c.flag(Person, c.between(i, i+n.n-1), "the dead do nothing")
			}
		}
		c.unknown(i)
	}
}

// limb reports whether the words from i on are a part or a sign of somebody that says that they are there: a voice, a hand.
func (c *checker) limb(i int) bool {
	return slices.ContainsFunc(c.toks[min(i, len(c.toks)):min(i+4, len(c.toks))], func(t token) bool { return t.class&cPart != 0 && t.stop == 0 })
}

// present reports whether somebody who is named at i is said to be there.
func (c *checker) present(i int, n name) bool {
	if c.withdrawn(i) || c.relative(i) || c.lang == "zh" && i > 0 && c.toks[i].stop == 0 && c.toks[i-1].class&cPrep != 0 && !strings.Contains("和与跟", c.toks[i-1].word) {
		return false
	}
	if i > 0 && c.toks[i].stop == 0 && c.toks[i-1].class&cPerson != 0 && c.lang != "zh" {
		return false
	}
	if n.bent { // "you see Marta"
		return slices.ContainsFunc(c.toks[c.start(i, false):i], func(t token) bool { return t.class&cFind != 0 })
	}
	listed := 0 // "Tam, Berta, Marta: the names"
	for j := max(0, i-4); j < min(i+n.n+4, len(c.toks)); j++ {
		for _, o := range c.toks[j].names {
			if o.kind == world.ActorKind && o.at == j && o.id != n.id && !c.d.seen[o.id] {
				listed++
			}
		}
	}
	return listed == 0 || c.acts(i+n.n, true)
}

// relative reports whether a name at i stands in words that only say which thing is meant: "the fire Ilse gave you".
func (c *checker) relative(i int) bool {
	switch c.lang {
	case "zh":
		for j := i + 1; j < min(i+5, c.end(i, false)); j++ {
			if c.toks[j].word == "的" && c.toks[j-1].class&(cPron|cYou) == 0 {
				return true
			}
		}
		return false
	case "ru":
		return slices.ContainsFunc(c.toks[c.start(i, false):i], func(t token) bool { return t.class&cWhich != 0 })
	}
	return i > 1 && c.toks[i].stop == 0 && c.toks[i-1].class&(cGrammar|cVerb|cTitle) == 0 && !c.toks[i-1].large && !strings.HasSuffix(c.toks[i-1].word, "ly")
}

// withdrawn reports whether the sentence before i, or its clause, says that what it tells is not so here and now.
func (c *checker) withdrawn(i int) bool {
	if c.cancelled(i) {
		return true
	}
	for j := i; j < c.end(i, false) && j-i < 12; j++ {
		if c.toks[j].class&(cMay|cNot) != 0 && j-i < 6 || c.toks[j].class&cPast != 0 && (c.toks[j].phrase == 0 && j-i < 4) {
			return true
		}
		if ids := c.named(j, world.PlaceKind); len(ids) > 0 && !slices.ContainsFunc(ids, c.d.at) {
			return true
		}
	}
	for j := c.start(i, true); j < i; j++ {
		if c.toks[j].class&cPast != 0 {
			return true
		}
	}
	return false
}

// acts reports whether somebody whose name ends before i does something there, lying aside.
func (c *checker) acts(i int, lying bool) bool {
	for j := i; j < len(c.toks) && j-i < 7; j++ {
		s := c.toks[j].stop
		if ends(s) || s == ':' {
			return false
		}
		if s == ',' && j == i && lying { // "Marta, flour to the elbow, gives"
			if e := c.end(j, false); e < len(c.toks) && c.toks[e].stop == ',' {
				return c.acts(e, true)
			}
		}
		k := c.toks[j].class
		if !lying && (k&(cLie|cDie|cDead|cNot|cMay|cPast|cYou|cIt) != 0 || len(c.toks[j].names) > 0) {
			return false
		}
		if k&(cAppear|cVerb) != 0 && (lying || k&cLie == 0) {
			return true
		}
		if k&(cAux) != 0 && lying && j == i {
			return true
		}
		if k&(cConj|cPrep) != 0 && c.lang != "zh" {
			return false
		}
	}
	return false
}

// unknown flags somebody whom nobody knows: by a title and a name, or as a stranger who does something.
func (c *checker) unknown(i int) {
	t := &c.toks[i]
	if t.large && len(t.names) == 0 && t.class == 0 && c.stranger(i) {
		c.flag(Person, t.span, "nobody knows this one")
		return
	}
	if len(t.names) > 0 || t.class&(cTitle|cPeople) == 0 || c.withdrawn(i) || i > 0 && t.stop == 0 && c.toks[i-1].class&cPerson != 0 {
		return
	}
	if c.lang == "zh" {
		from := i
		for from > c.start(i, false) && c.toks[from-1].class == 0 && len(c.toks[from-1].names) == 0 {
			from--
		}
		if t.class&cTitle != 0 && from < i && i-from < 5 &&
			c.acts(i+1, false) && !c.knows(c.draft.open[c.toks[from].at:t.end]) || t.class&cPeople != 0 && c.acts(i+1, false) && !c.knows(t.word) && !c.alone() {
			c.flag(Person, c.between(from, i), "nobody knows this one")
		}
		return
	}
	if t.class&cTitle != 0 && i+1 < len(c.toks) && len(c.toks[i+1].names) == 0 && c.toks[i+1].large && (c.toks[i+1].stop == 0 || c.toks[i+1].stop == '.') {
		if !c.knows(c.toks[i+1].word) && !strings.Contains(" old young little big ", " "+t.word+" ") && (c.acts(i+2, false) || i > 0 && t.stop == 0 && c.toks[i-1].class&cAppear != 0) {
			c.flag(Person, c.between(i, i+1), "nobody knows this one")
		}
		return
	}
	if t.class&cPeople != 0 && c.acts(i+1, false) && !c.knows(t.word) && !c.alone() {
		for j := max(c.start(i, false), i-3); j <= i; j++ {
			if w := c.toks[j].word; w == "a" || w == "an" || w == "another" || w == "some" || w == "somebody" || w == "someone" || c.lang == "ru" {
				c.flag(Person, t.span, "nobody knows this one")
				return
			}
		}
	}
}

// stranger reports whether the word with a capital at i is the name of somebody whom nobody knows, and who does something.
func (c *checker) stranger(i int) bool {
	if c.knows(c.toks[i].word) || c.withdrawn(i) {
		return false
	}
	if c.toks[i].stop == 0 && i > 0 && c.toks[i-1].class&cAppear != 0 && c.spoken(i-1) {
		return true // "Come," whispers Elias
	}
	return i+1 < len(c.toks) && c.toks[i+1].stop == 0 && c.toks[i+1].class&cAppear != 0 && (c.toks[i].stop == 0 || c.toks[i].stop == ',' || c.toks[i].stop == '"') &&
		(c.toks[i].stop != 0 || c.toks[i-1].class&(cDet|cPrep|cYour) == 0 && (c.lang != "ru" || c.toks[i-1].class&(cConj|cAux|cAppear) != 0))
}

// spoken reports whether speech ends before the word at i.
func (c *checker) spoken(i int) bool {
	return slices.ContainsFunc(c.draft.quotes, func(q span) bool {
		return q.end <= c.toks[i].at && !strings.ContainsFunc(c.draft.text[q.end:c.toks[i].at], lettered)
	})
}

// alone reports whether the one who is told of may be meant by any word for a person: there is somebody.
func (c *checker) alone() bool {
	for id := range c.d.seen {
		if a := c.d.After.Actor(id); a != nil && id != c.d.heroID() {
			return true
		}
	}
	return false
}
