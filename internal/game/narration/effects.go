package narration

import (
	"slices"
	"strings"

	"hob/internal/game/account"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// The signs, in the order of their names in [signNames]: small classes of words that claim nothing alone, but together, or with a name.
const (
	sBody class = 1 << iota
	sDamage
	sVital
	sEnding
	sPath
	sAlong
	sLook
	sInto
	sSettle
	sOpening
	sClosing
	sTread
	sFading
	sBehind
	sRound
)

// signNames returns the sections of a table that are signs, in their order.
func signNames() []string {
	return []string{"body", "damage", "vital", "ending", "path", "along", "look", "enters", "settle", "opening", "closing",
		"tread", "fading", "behind", "round"}
}

// pair is a rule on two words of one clause, in either order: each is of a class, or has a sign.
type pair struct {
	of            class
	one, two      class // signs
	kind, problem string
	wrong         func(one, two int) bool
}

// pairs are the rules on two words.
func (c *checker) pairs() []pair {
	return []pair{
		{0, sBody, sDamage, HP, "nobody was hurt like this", c.harmed},                  // "the glass opens your palm"
		{0, sVital, sEnding, Death, "this one lives", c.ended},                          // "his chest no longer moves"
		{cGo | cAway, sAlong, sPath, Move, "this one did not go", c.left},               // "Tam is halfway down the path"
		{0, sTread, sFading, Move, "nobody went away", c.faded},                         // "his steps grow fainter"
		{cDoor | cChest, 0, sOpening, State, "nothing was opened in this turn", c.wide}, // "the lid flips up"
		{cDoor | cChest, 0, sClosing, State, "nothing was shut in this turn", c.closes}, // "the gate clangs to"
	}
}

// effects holds what words say only together against the turn.
func (c *checker) effects() {
	for from := 0; from < len(c.toks)-1; {
		to := c.end(from, false)
		for _, p := range c.pairs() {
			for i := from; i < to; i++ {
				for j := from; j < to && (c.toks[i].sign&p.one != 0 || c.toks[i].class&p.of != 0); j++ {
					if i != j && c.toks[j].sign&p.two != 0 && max(i-j, j-i) < reach && p.wrong(i, j) && !c.cancelled(max(i, j)) && !c.cancelled(min(i, j)) {
						c.flag(p.kind, c.between(i, j), p.problem)
					}
				}
			}
		}
		from = to
	}
	c.lying()
	c.elsewhere()
	c.scenery()
	c.newcomers()
}

// wide reports whether a door or a lid at i is said to be open, and nothing was opened: who walks goes through doors.
func (c *checker) wide(i, j int) bool {
	return max(i-j, j-i) < 6 && !has(c.toks[min(i, j):max(i, j)], cConj) && len(c.d.Unlocked()) == 0 && (!c.d.Moved("", "") || c.openClosed(i, who{}) || c.toks[i].class&cChest != 0 && c.toks[i].class&cDoor == 0)
}

// closes reports whether a door or a lid at i is said to fall shut, and nothing was shut.
func (c *checker) closes(i, j int) bool {
	return max(i-j, j-i) < 6 && len(c.d.Shut()) == 0 && !c.d.Moved(c.d.HeroID(), "")
}

// newcomers flags people who are nobody that is there: who speaks next to a speech, or does something and was never heard of.
func (c *checker) newcomers() {
	for i := range len(c.toks) - 1 {
		t := &c.toks[i]
		if t.class&cPeople == 0 || t.class&cTitle != 0 && t.class&cMild == 0 || len(t.names) > 0 || c.owns(i) || c.withdrawn(i) || c.relative(i) || c.pictured(i) {
			continue
		}
		from, to := c.start(i, false), c.end(i, false)
		a := c.lang == "en" && slices.ContainsFunc(c.toks[max(from, i-3):i], func(t token) bool { return t.word == "a" || t.word == "an" || t.word == "another" })
		first := !slices.ContainsFunc(c.toks[from:i], func(t token) bool { return t.class&^(cDet|cTitle|cAux|cConj|cMild|cLight) != 0 }) && i-from < 4 && to > i+2
		switch {
		case c.described(i), c.governed(i):
		case c.speaks(i), (a || !c.d.IsThere(t.stem)) && (first || has(c.toks[i+1:to], cAppear|cVerb) && c.acts(i, i+1)):
			c.flag(Person, t.span, "nobody knows this one")
		}
	}
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

// whose returns whose the part of a body at j is; in English the word before it says so.
func (c *checker) whose(j int) (ids []string) {
	from, to := c.start(j, false), c.end(j, false)
	if c.lang == "en" {
		from, to = max(from, j-4), j
	}
	for k := to - 1; k >= from; k-- {
		t := &c.toks[k]
		switch {
		case t.class&cYour != 0, t.class&cYou != 0 && (c.lang != "en" || has(c.toks[k:j], cDet)):
			ids = append(ids, c.d.HeroID())
		case c.lang != "en" || c.owns(k):
			ids = append(ids, c.named(k, world.ActorKind)...)
		}
		if w := c.last(k); w.id != "" && (c.lex.lists.has("theirs", *t) || c.lang != "en" && t.class&cPron != 0) {
			ids = append(ids, w.id)
		}
		if c.lang == "en" && len(ids) > 0 {
			return ids[:1]
		}
	}
	return ids
}

// unharmed reports whether somebody is there and lives, and was not hurt in this turn.
func (c *checker) unharmed(id string) bool {
	a := c.d.After.Actor(id)
	return a != nil && a.State != world.Dead && c.d.Seen[id] && c.d.Falls[id] == "" && !c.changed(id, false)
}

// harmed reports whether a body is damaged and nobody whose it may be was hurt.
func (c *checker) harmed(i, j int) bool {
	ids := c.whose(i)
	return (len(ids) > 0 || c.lang != "en" && !c.hurtAny() && !c.d.IsThere(c.toks[i].stem)) && !c.subject(j).mild && !has(c.clause(i), cMiss) && !c.near(i) && !slices.ContainsFunc(ids, func(id string) bool { return !c.unharmed(id) })
}

// hurtAny reports whether anybody was hurt in this turn.
func (c *checker) hurtAny() bool {
	return slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.To < h.From })
}

// near reports whether the part of a body at i only says where something is: "a hand's breadth from your knee", 膝盖边.
func (c *checker) near(i int) bool {
	if c.lang == "zh" {
		return c.lex.lists.has("near", c.toks[i+1])
	}
	if c.toks[i].class&cStash != 0 && slices.ContainsFunc(c.clause(i), func(t token) bool { return t.sign&sSettle != 0 }) {
		return true
	}
	return slices.ContainsFunc(c.toks[max(c.start(i, false), i-3):i], func(t token) bool { return c.lex.lists.has("near", t) })
}

// ended reports whether somebody who lives is said to have no life in them.
func (c *checker) ended(i, j int) bool {
	ids := c.whose(i)
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !c.unharmed(id) })
}

// left reports whether somebody who stayed is said to be on a way.
func (c *checker) left(i, j int) bool {
	s := c.subject(i)
	hero := s.id == c.d.HeroID()
	return s.id != "" && j > i && j <= i+4 && !s.your && (!hero || c.toks[i].class&(cGo|cAway) != 0) && !c.d.Moved(s.id, "") && c.unharmed(s.id) && !c.looks(i)
}

// faded reports whether steps are said to go away and nobody went.
func (c *checker) faded(_, _ int) bool { return !c.d.Moved("", "") }

// looks reports whether words before i in its clause only look or point there.
func (c *checker) looks(i int) bool {
	return slices.ContainsFunc(c.toks[c.start(i, false):i], func(t token) bool { return t.sign&sLook != 0 })
}

// lying holds that somebody lies there who does not.
func (c *checker) lying() {
	for i := range len(c.toks) - 1 {
		if c.toks[i].class&cLie == 0 || c.cancelled(i) || c.noun(i) || has(c.toks[c.start(i, false):i], cIt) {
			continue
		}
		s := c.subject(i)
		if s.your || s.id == c.d.HeroID() || !c.unharmed(s.id) {
			continue
		}
		c.flag(Death, c.toks[i].span, "this one does not lie there")
	}
}

// elsewhere holds that the hero is at another place: "you have drifted out to the orchard", "the crossing is round you again".
func (c *checker) elsewhere() {
	hero := c.d.HeroID()
	for j := range len(c.toks) - 1 {
		ids := c.named(j, world.PlaceKind)
		if len(ids) == 0 || c.toks[j].names[0].at != j || c.owns(j) || c.cancelled(j) {
			continue
		}
		from, to := c.start(j, false), c.end(j, false)
		sign := func(k class) bool {
			for i := from; i < to; i++ {
				if c.toks[i].sign&k != 0 && (c.lang == "zh" || k == sBehind && c.lang == "ru" || has(c.toks[i:min(i+2, to)], cYou|cYour)) {
					return true
				}
			}
			return false
		}
		here := slices.ContainsFunc(ids, func(p string) bool { return c.d.At(p) || c.d.Moved("", p) })
		switch {
		case c.d.Moved(hero, ""):
		case here && sign(sBehind), !here && sign(sRound) && !c.looks(to-1) && !slices.ContainsFunc(c.d.Unlocked(), func(p string) bool { return slices.Contains(ids, p) }):
			c.flag(Move, c.toks[j].span, "nobody went there")
		}
		if !here && c.entered(from, j) && !c.relative(j) {
			c.flag(Move, c.toks[j].span, "nobody went there")
		}
	}
}

// entered reports whether the hero is said to be in or at a place that is named at j, in a clause that begins at from.
func (c *checker) entered(from, j int) bool {
	k := j - 1
	for k > from && c.toks[k].class&cDet != 0 {
		k--
	}
	if k <= from || c.toks[k].sign&sInto == 0 || c.toks[k-1].class&(cDoor|cSpot) != 0 || c.toks[k-1].sign&sPath != 0 || c.looks(j) {
		return false
	}
	you := cYou
	if c.lang == "ru" && has(c.toks[from:k], cGo|cEnter) {
		you |= cYour // "the path leads you to"
	}
	y := from + slices.IndexFunc(c.toks[from:k], func(t token) bool { return t.class&you != 0 })
	return you != cYou && y >= from || y == from || y > from && c.toks[y-1].class&(cConj|cAux) != 0
}

// scenery holds that what stands only in the words on one other place is here: "pillars like tree trunks".
func (c *checker) scenery() {
	count := map[string]int{}
	for _, p := range c.d.After.Places() {
		for w := range c.d.Pieces(p.Desc) {
			count[w]++
		}
	}
	for _, p := range c.d.After.Places() {
		if c.d.At(p.ID) || c.d.Moved("", p.ID) || p.Visited || slices.Contains(c.d.Unlocked(), p.ID) {
			continue
		}
		words, first := c.d.Pieces(p.Desc), -1
		for i := range len(c.toks) - 1 {
			t := &c.toks[i]
			if ends(t.stop) {
				first = -1
			}
			if !words[t.stem] || count[t.stem] > 1 || t.class != 0 || len(t.names) > 0 || c.d.Knows(t.word) || c.cancelled(i) {
				continue
			}
			if first >= 0 && first < i-1 && t.stem != c.toks[first].stem {
				c.flag(Move, c.between(first, i), "this is not here")
			}
			first = i
		}
	}
}
