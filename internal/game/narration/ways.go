package narration

import (
	"slices"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// left reports whether somebody who stayed is said to be on a way.
func (c *checker) left(i, j int) bool {
	s, goes := c.subject(i), c.toks[i].class&(cGo|cAway) != 0
	direct := !slices.ContainsFunc(c.toks[i+1:max(i+1, j)], func(t token) bool { return t.sign&(sAlong|sInto) == 0 && t.class&^(cDet|cYour|cMild|cLight) != 0 })
	return s.id != "" && j > i && j <= i+4 && !s.your && (goes || direct) && (s.id != c.d.HeroID() || goes) && !c.d.Moved(s.id, "") && c.unharmed(s.id) && !c.looks(i)
}

// off holds that somebody who stayed is told to be off, by whatever verb: "Moth scuttles off", 小汤姆一阵风去了.
func (c *checker) off() {
	for i := 1; i < len(c.toks)-1; i++ {
		t, v := &c.toks[i], &c.toks[i-1]
		if !c.lex.lists.has("off", *t) || c.cancelled(i) || c.looks(i) || c.lang == "en" && (t.stop != 0 || v.class&^(cGo|cAway) != 0 || v.sign&sDamage != 0 || len(v.names) > 0 || spelling.HasEnd(v.word, "ing")) || c.lang == "zh" && i != c.end(i, false)-1 {
			continue
		}
		if s := c.subject(i - 1); s.id != "" && !s.your && s.id != c.d.HeroID() && !c.d.Moved(s.id, "") && c.unharmed(s.id) {
			c.flag(Move, c.between(i-1, i), "this one did not go")
		}
	}
}

// looks reports whether words before i in its clause only look or point there.
func (c *checker) looks(i int) bool { return signed(c.toks[c.start(i, false):i], sLook) }

// lying holds that somebody lies there who does not: "Marta lies behind the counter".
func (c *checker) lying() {
	for i := range len(c.toks) - 1 {
		if !c.lex.lists.has("lying", c.toks[i]) || c.toks[i+1].stop != 0 || c.cancelled(i) || c.noun(i) || has(c.toks[c.start(i, false):i], cIt) {
			continue
		}
		if s := c.subject(i); !s.your && s.id != c.d.HeroID() && c.unharmed(s.id) {
			c.flag(Death, c.toks[i].span, "this one does not lie there")
		}
	}
}

// elsewhere holds that the hero is at another place: "you have drifted out to the orchard", "the crossing is round you again".
func (c *checker) elsewhere() {
	for j := range len(c.toks) - 1 {
		ids := c.named(j, world.PlaceKind)
		if len(ids) == 0 || c.toks[j].names[0].at != j || c.owns(j) || c.cancelled(j) {
			continue
		}
		stayed, unlocked := !c.d.Moved(c.d.HeroID(), ""), c.d.Unlocked()
		here := slices.ContainsFunc(ids, func(p string) bool { return c.d.At(p) || c.d.Moved("", p) })
		seen := slices.ContainsFunc(unlocked, func(p string) bool { return slices.Contains(ids, p) })
		if stayed && here && c.about(j, sBehind) || !here && (stayed && !seen && c.about(j, sRound) || c.entered(c.start(j, false), j) && !c.relative(j)) {
			c.flag(Move, c.toks[j].span, "nobody went there")
		}
	}
}

// about reports whether the clause of j says that something is behind the hero, or round them.
func (c *checker) about(j int, k class) bool {
	from, to := c.start(j, false), c.end(j, false)
	for i := from; i < to; i++ {
		if c.toks[i].sign&k != 0 && (c.lang == "zh" || k == sBehind && c.lang == "ru" || has(c.toks[i:min(i+2, to)], cYou|cYour)) {
			return k == sBehind || !c.looks(to-1)
		}
	}
	return false
}

// entered reports whether the hero is said to be in or at a place that is named at j, in a clause that begins at from.
func (c *checker) entered(from, j int) bool {
	k := j - 1
	for k > from && c.toks[k].class&cDet != 0 {
		k--
	}
	if k <= from || c.toks[k].sign&sInto == 0 || c.toks[k-1].class&(cDoor|cSpot) != 0 || c.toks[k-1].sign&sPath != 0 || c.looks(j) || has(c.toks[from:k], cFind) { // "you find a way to"
		return false
	}
	you := cYou
	if c.lang == "ru" && has(c.toks[from:k], cGo|cEnter) {
		you |= cYour // "the path leads you to"
	}
	y := from + slices.IndexFunc(c.toks[from:k], func(t token) bool { return t.class&you != 0 })
	return you != cYou && y >= from || y == from || y > from && c.toks[y-1].class&(cConj|cAux) != 0
}
