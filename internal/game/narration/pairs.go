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
	sBody, sDamage, sPath, sAlong, sLook, sInto class = 1 << (6 * iota), 2 << (6 * iota), 4 << (6 * iota), 8 << (6 * iota),
		16 << (6 * iota), 32 << (6 * iota)
	sSettle, sOpening, sTread, sFading, sBehind, sRound
)

// signNames returns the sections of a table that are signs, in their order.
func signNames() []string {
	return strings.Fields("body damage path along look enters settle opening tread fading behind round")
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
		{0, sBody, sDamage, HP, "nobody was hurt like this", c.harmed},                                                   // "the glass opens your palm"
		{cGo | cAway, sAlong, sPath, Move, "this one did not go", c.left},                                                // "Tam is halfway down the path"
		{0, sTread, sFading, Move, "nobody went away", func(_, j int) bool { return !c.d.Moved("", "") && !c.looks(j) }}, // "his steps grow fainter"
		{cDoor | cChest, 0, sOpening, State, "nothing was opened in this turn", c.wide},                                  // "the lid flips up"
	}
}

// effects holds what words say only together against the turn.
func (c *checker) effects() {
	pairs := c.pairs()
	for from := 0; from < len(c.toks)-1; {
		to := c.end(from, false)
		for _, p := range pairs {
			for i := from; i < to && len(c.flags) < mostFlags; i++ {
				for j := max(from, i-reach); j < min(to, i+reach) && (c.toks[i].sign&p.one != 0 || c.toks[i].class&p.of != 0); j++ {
					if i != j && c.toks[j].sign&p.two != 0 && p.wrong(i, j) && !c.cancelled(max(i, j)) && !c.cancelled(min(i, j)) {
						c.flag(p.kind, c.between(i, j), p.problem)
					}
				}
			}
		}
		from = to
	}
	c.off()
	c.lying()
	c.elsewhere()
	c.newcomers()
}

// wide reports whether a door or a lid at i is said to be open, and nothing was opened: who walks goes through doors.
func (c *checker) wide(i, j int) bool {
	lid := c.toks[i].class&(cChest|cDoor) == cChest
	return max(i-j, j-i) < 6 && !has(c.toks[min(i, j):max(i, j)], cConj) && len(c.d.Unlocked()) == 0 && (lid || !c.d.Moved("", "") || c.openClosed(i, who{}))
}

// whose returns whose the part of a body at j is; in English the word before it says so.
func (c *checker) whose(j int) (ids []string) {
	from, to := max(c.start(j, false), j-2*reach), min(c.end(j, false), j+2*reach)
	if c.lang == "en" {
		from, to = max(from, j-4), j
	}
	if your := c.toks[max(from, j-3):min(to, j+1)]; c.lang != "en" && has(your, cYour) {
		return []string{c.d.HeroID()} // 它咬进你的胳膊
	}
	for k := to - 1; k >= from; k-- {
		t := &c.toks[k]
		switch {
		case t.class&cYour != 0, t.class&cYou != 0 && (c.lang != "en" || has(c.toks[k:j], cDet)):
			ids = append(ids, c.d.HeroID())
		case c.lang != "en" || c.owns(k):
			ids = append(ids, c.named(k, world.ActorKind)...)
		}
		if c.lex.lists.has("theirs", *t) || c.lang != "en" && t.class&cPron != 0 {
			if w := c.last(k); w.id != "" {
				ids = append(ids, w.id)
			}
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
	scarred := func(id string) bool { // "his scalded arms"
		a := c.d.After.Actor(id)
		return a != nil && strings.Contains(spelling.Lower(a.Desc), c.toks[j].stem)
	}
	if slices.ContainsFunc(ids, scarred) || len(ids) > 0 && ids[0] != c.d.HeroID() && j == i-1 && spelling.HasEnd(c.toks[j].word, c.lex.lists["adjective"]...) || len(ids) == 0 && (c.lang == "en" || c.hurtAny() || len(c.d.Falls) > 0 || c.d.IsThere(c.toks[i].stem)) {
		return false
	}
	return !c.subject(j).mild && !signed(c.toks[min(j, max(i, j-2)):j], sAlong) && !has(c.clause(i), cMiss) && !c.near(i) && c.allUnharmed(ids)
}

// allUnharmed reports whether of some people all are there and live, and were not hurt in this turn.
func (c *checker) allUnharmed(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !c.unharmed(id) })
}

// hurtAny reports whether anybody was hurt in this turn.
func (c *checker) hurtAny() bool {
	return slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.To < h.From })
}

// near reports whether the part of a body at i only says where something is: "a hand's breadth from your knee", 膝盖边.
func (c *checker) near(i int) bool {
	if c.lang == "zh" {
		return c.lex.lists.has("near", c.toks[i+1]) || slices.ContainsFunc(c.toks[max(0, i-2):i], func(t token) bool { return c.lex.lists.has("near", t) })
	}
	if c.toks[i].class&cStash != 0 && signed(c.clause(i), sSettle) {
		return true
	}
	return slices.ContainsFunc(c.toks[max(c.start(i, false), i-3):i], func(t token) bool { return c.lex.lists.has("near", t) })
}
