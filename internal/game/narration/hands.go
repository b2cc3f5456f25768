package narration

import (
	"slices"
	"strings"

	"hob/internal/game/account"
	"hob/internal/game/rules/story"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// hands holds what somebody is said to take, find, give, put somewhere or lose, and what is said to come into a pocket or a hand.
func (c *checker) hands(i int, k class, s who) {
	hero := s.id == c.d.HeroID()
	if k&cRefuse != 0 && (!hero || c.toks[i].phrase&cRefuse != 0) && c.d.With("", func(p account.Passed) bool { return p.From == s.id || !hero && p.To == s.id }) { // "you keep it"
		c.doubt(Item, c.toks[i].span, "this changed hands")
		return
	}
	if k&cStash != 0 {
		c.stashed(i)
	}
	toYou := k&cGive != 0 && !s.mild && has(c.toks[i+1:min(i+3, len(c.toks))], cYou) // "a stranger gives you a ring"
	if k&(cTake|cFind|cGive|cPut|cLose) == 0 || s.your && k&(cGive|cPut|cLose) == 0 || c.pictured(i) || s.other && c.lang != "zh" && k&cLose == 0 && !toYou {
		return
	}
	list := c.objects(i, s, k)
	by := s.id
	if s.vague && k&cTake == 0 || hero && k&cGive != 0 && (c.toYou(i) || has(c.toks[i+1:c.end(i, false)], cYou)) {
		by = ""
	}
	if c.lang == "ru" && k&cGive != 0 && !hero && len(list) == 0 && c.handsYou(i) {
		c.doubt(Item, c.toks[i].span, "this did not come to you")
	}
	for _, o := range list {
		if o.light || c.handedOver(i, k, by, o) {
			return
		}
	}
}

// handsYou reports whether what is given at i is given to the hero, who has got nothing in this turn.
func (c *checker) handsYou(i int) bool {
	near := c.toks[max(c.start(i, false), i-2):min(i+3, c.end(i, false))]
	return has(near, cYour) && !has(c.clause(i), cLight|cMild) && !c.d.With("", func(p account.Passed) bool { return p.To == c.d.HeroID() })
}

// handedOver holds one thing that a verb is about. It reports whether that is wrong.
func (c *checker) handedOver(i int, k class, by string, o object) bool {
	d, hero := c.d, c.d.HeroID()
	if o.goods {
		if k&cGive == 0 && (by != "" && by != hero) || (o.it || o.at > 0 && c.toks[o.at-1].word == "the") && d.With("", func(p account.Passed) bool { return p.To == hero }) || c.known(o.at) || k&(cLose|cPut) != 0 && k&(cTake|cGive) == 0 && by != hero ||
			k&(cTake|cGive) == 0 && c.d.IsThere(c.toks[o.at].stem) {
			return false
		}
		c.doubt(Item, c.between(i, o.at), "there is no such thing to be had")
		return true
	}
	fits := func(id string) bool {
		kind, holder := d.Before.Holder(id)
		switch {
		case k&(cTake|cGive) != 0:
			return d.With(id, func(p account.Passed) bool {
				return by == "" || p.From == by || p.To == by && k&cTake != 0 || k&cGive != 0 && p.To == hero && by != hero
			}) ||
				k&cTake != 0 && kind == world.ActorKind && (by == "" || holder == by)
		case k&cFind != 0:
			return d.Seen[id]
		case by != hero && by != "" && holder == by: // he puts his own away
			return true
		}
		return o.at > 0 && c.lex.lists.has("theirs", c.toks[o.at-1]) ||
			d.With(id, func(p account.Passed) bool { return p.To != hero || k&cPut != 0 })
	}
	if slices.ContainsFunc(o.things, fits) {
		return false
	}
	report := c.doubt
	if !slices.ContainsFunc(o.things, func(id string) bool { return d.Seen[id] }) { // nobody can tell of it
		report = c.flag
	}
	report(Item, c.between(i, o.at), "this did not change hands")
	return true
}

// stashed holds that something came into the hero's pocket or hand, which stands at i: "a coin settles in your palm".
func (c *checker) stashed(i int) {
	from, to, hero := c.start(i, false), c.end(i, false), c.d.HeroID()
	before := c.toks[max(from, i-4):i]
	if c.lang == "ru" {
		before = c.toks[max(from, i-2):i] // "в ваш карман"
	}
	into := slices.ContainsFunc(before, func(t token) bool { return c.lex.lists.has("into", t) }) && (c.lang != "ru" || c.toks[i-1].class&(cPrep|cDet|cYour) != 0)
	if i > 0 && c.toks[i].stop == 0 && c.lang == "en" && c.owns(i-1) || c.lang == "ru" && c.ofOther(i) || c.lang == "zh" && c.relative(i) {
		return
	}
	if c.lang != "zh" && (!into || c.lang == "en" && !has(before, cYour)) || c.toks[i+1].stop == 0 && (c.toks[i+1].class&cTitle != 0 || len(c.named(i+1, world.ActorKind)) > 0) {
		return
	}
	for j := i - 1; j >= max(c.start(i, true), i-13); j-- {
		if o, ok := c.thing(j); ok {
			if !o.light {
				c.handedOver(i, cTake, hero, o)
			}
			return
		}
	}
	yours := c.lang == "en" || c.lang == "ru" && has(c.toks[from:i], cYou|cYour) || i > 0 && (c.toks[i-1].class&(cYou|cYour) != 0 || c.toks[i-1].word == "的")
	moved := has(c.toks[from:to], cGive|cPut|cTake) || signed(c.toks[from:to], sSettle)
	if moved && yours && (c.lang != "en" || c.lex.lists.has("holds", c.toks[i])) && !has(before, cLight|cMild) && !signed(c.toks[from:i], sBody) && !signed(c.toks[from:to], sDamage) && !c.d.With("", func(p account.Passed) bool { return p.To == hero }) {
		c.doubt(Item, c.between(from, i), "this did not come to you")
	}
}

// ofOther reports whether a part of a body at i in Russian is said to be somebody else's, or a measure: "на ладони у Осрика".
func (c *checker) ofOther(i int) bool {
	list := c.clause(i)
	at := slices.IndexFunc(list, func(t token) bool { return t.word == "у" })
	return at >= 0 && at < len(list)-1 && list[at+1].class&cYour == 0 || c.toks[i+1].word == "от"
}

// known reports whether a word stands in what is known of an object that changed hands or that the hero has.
func (c *checker) known(j int) bool {
	in := func(texts ...string) bool {
		return strings.Contains(spelling.Lower(strings.Join(texts, " ")), strings.TrimSuffix(c.toks[j].stem, "子"))
	}
	return slices.ContainsFunc(c.d.Passed, func(p account.Passed) bool { return in(p.Thing.Name, p.Thing.Desc) }) ||
		slices.ContainsFunc(story.VisibleInside(c.d.After, c.d.HeroID(), 6), func(t story.VisibleThing) bool { return in(t.Name) })
}
