package narration

import (
	"strings"

	"hob/internal/game/world"
)

// verbHan holds one verb against what happened.
func (c *checker) verbHan(k *hanClause, v hanVerb, w who) {
	doer := w.sort == player || w.sort == actor
	switch {
	case v.class&(cTake|cFind|cGive|cDrop|cHave) != 0:
		if v.class&cFind != 0 && doer {
			c.uncovering(v.span, k.end)
		}
		c.handlingHan(k, v, w, doer)
	case v.class&cGo != 0:
		c.goingHan(k, v, w)
	case v.class&cBe != 0:
		if o, ids := c.placeHan(k, v.end); w.sort == player && (c.subjectHan(k, v.at).sort == player || v.end-v.at > len("在")) && len(ids) > 0 && o.at-v.end <= 3 && !c.any(w, func(string) bool {
			return anyOf(ids, c.d.at)
		}) {
			c.flag(Place, span{v.at, o.end}, "the story is somewhere else")
		}
	case v.class&(cDie|cDead) != 0:
		c.dyingHan(k, v, w)
	case v.class&cKill != 0:
		if t := c.targetHan(k, v, w); t.sort != nobody && !c.any(t, c.down) {
			c.flag(Death, v.span, "nobody died like this in this turn")
		}
	case v.class&(cWound|cStrike) != 0:
		c.harmingHan(k, v, w)
	case v.class&cHurt != 0:
		if doer && !c.any(w, c.hurt) {
			c.flag(HP, v.span, "nobody is hurt like this")
		}
	case v.class&cHeal != 0:
		s := c.draft.open[k.at:k.end]
		if (strings.Contains(s, "生命") || strings.Contains(s, "伤") || strings.Contains(s, "体力")) && !c.healed("") {
			c.flag(HP, v.span, "nobody was healed in this turn")
		}
	}
}

func anyOf(ids []string, f func(string) bool) bool {
	for _, id := range ids {
		if f(id) {
			return true
		}
	}
	return false
}

func (c *checker) handlingHan(k *hanClause, v hanVerb, w who, doer bool) {
	after := c.draft.open[v.end:k.end]
	verb := c.draft.open[v.at:v.end]
	yours := strings.Contains(verb, "你") || verb == "到手"
	if yours && v.class&cTake != 0 {
		w, doer = who{sort: player}, true
	}
	o := c.objectHan(k, v)
	whole := span{min(v.at, o.at), max(v.end, o.end)}
	if o.sort == noObject {
		if v.class&cTake != 0 && doer && c.barelyHan(k, v) {
			c.flag(Item, v.span, "nobody took anything in this turn")
		}
		return
	}
	c.alongHan(k, o, v, w)
	if v.class&cGive != 0 {
		to := c.targetHan(k, hanVerb{span: v.span}, who{})
		if yours || strings.HasPrefix(after, "你") || strings.HasPrefix(after, "了你") {
			to = who{sort: player}
		}
		if to.sort != nobody {
			c.giving(w, to, o)
			return
		}
		v.class = cDrop
	}
	if !doer {
		return
	}
	took := c.any(w, func(id string) bool { return c.took(id, o.ids) })
	has := o.sort == known && c.any(w, func(id string) bool { return c.has(id, o.ids) })
	gave := c.any(w, func(id string) bool { return c.gave(id, o.ids) })
	switch {
	case strings.Contains(verb, "留") && strings.HasPrefix(after, "原") && o.sort == known && !has:
	case v.class&cDrop != 0 && o.sort == known && !gave && !took:
		c.flag(Item, whole, "this did not change hands in this turn")
	case v.class&cDrop != 0 && o.sort == goods && w.sort != player:
	case v.class&cDrop != 0 && o.sort == goods:
		c.flag(Item, whole, "nobody has such a thing")
	case v.class&cDrop != 0:
	case v.class&cHave != 0 && v.class&cTake == 0:
		if o.sort == known && !has || o.sort == goods && w.sort == player {
			c.flag(Item, whole, "this is not in those hands")
		}
	case o.sort == goods:
		c.flag(Item, whole, "there is no such thing to be had")
	case v.class&cFind != 0 && anyOf(o.ids, func(id string) bool { return c.d.seen[id] }):
	case !took && !(has && (strings.Contains(verb, "出") || strings.Contains(verb, "举") || strings.Contains(verb, "提"))):
		c.flag(Item, whole, "nobody took this in this turn")
	}
}

// barelyHan reports whether something is taken that was named before, and nothing was.
func (c *checker) barelyHan(k *hanClause, v hanVerb) bool {
	switch c.draft.open[v.at:v.end] {
	case "收进口袋", "拿了", "拿走", "捡了", "捡起", "收起", "拾起", "拿起", "取走", "拿到", "收好":
	default:
		return false
	}
	if c.took("", nil) {
		return false
	}
	for _, f := range c.found {
		if f.kind == world.ThingKind && f.at >= k.first && f.end <= v.at && c.has(c.d.heroID(), []string{f.id}) {
			return false
		}
	}
	return true
}

// placeHan finds a place that is named in a clause behind i.
func (c *checker) placeHan(k *hanClause, i int) (at span, ids []string) {
	for _, f := range c.found {
		if f.kind == world.PlaceKind && f.at >= i && f.end <= k.end && (ids == nil || f.at <= at.at) {
			at, ids = f.span, append(ids, f.id)
		}
	}
	return at, ids
}

func (c *checker) goingHan(k *hanClause, v hanVerb, w who) {
	if strings.Contains(c.draft.open[k.at:v.at], "把你") {
		w = who{sort: player}
	}
	if w.sort != player && w.sort != actor {
		return
	}
	at, ids := c.placeHan(k, v.end)
	if len(ids) > 0 && c.doorHan(k, v, at.end) {
		return
	}
	anywhere := c.any(w, func(id string) bool { return c.d.moved(id, "") })
	switch {
	case len(ids) > 0 && !c.any(w, func(id string) bool { return c.went(id, ids) }):
		kind := Move
		if anywhere && w.sort == player {
			kind = Place
		}
		c.flag(kind, span{v.at, at.end}, "nobody went there in this turn")
	case !anywhere && (w.sort == player || len(ids) == 0):
		if at, ok := c.astrayHan(k, v); ok {
			c.flag(Move, at, "nobody went anywhere in this turn")
		}
	case !anywhere && len(ids) == 0:
		for _, e := range c.lex.list {
			if i := strings.Index(c.draft.open[v.end:k.end], e.word); e.class&cOutward != 0 && i >= 0 && i <= 12 {
				c.flag(Move, span{v.at, v.end + i + len(e.word)}, "nobody went anywhere in this turn")
				return
			}
		}
	}
}

func (c *checker) dyingHan(k *hanClause, v hanVerb, w who) {
	if w.sort == other || w.sort == nobody {
		w = who{}
		for _, e := range c.lex.list {
			if e.class&cCreature != 0 && strings.Contains(c.draft.open[k.at:v.at], e.word) {
				w = who{sort: pronoun}
			}
		}
	}
	if w.sort != nobody && !c.any(w, c.down) {
		c.flag(Death, v.span, "nobody died like this in this turn")
	}
}

// targetHan finds whom a verb strikes: behind it, behind 把, or, with 被, who is named before it.
func (c *checker) targetHan(k *hanClause, v hanVerb, w who) who {
	s := c.draft.open
	if strings.Contains(s[k.at:v.at], "被") && w.sort != other {
		return w
	}
	var t who
	at := k.end
	for _, f := range c.found {
		pre := f.at < v.at && hasAny(s[k.at:max(k.at, f.at)], "把", "将")
		if f.kind != world.ActorKind || f.at < k.at || f.end > k.end || f.at < v.end && !pre || f.at > at {
			continue
		}
		if f.at < at {
			t = who{sort: actor}
		}
		at = f.at
		t.ids = append(t.ids, f.id)
	}
	after := s[v.end:k.end]
	if i := strings.Index(after, "你"); i >= 0 && v.end+i < at {
		return who{sort: player}
	}
	if i := strings.Index(after, "它"); i >= 0 && i <= 6 && v.end+i < at && t.sort == nobody {
		return who{sort: pronoun}
	}
	return t
}

func (c *checker) harmingHan(k *hanClause, v hanVerb, w who) {
	t := c.targetHan(k, v, w)
	if t.sort == nobody {
		return
	}
	if v.class&cWound == 0 {
		if (w.sort == player || w.sort == actor || len(w.ids) > 0) && !c.any(t, c.struck) {
			c.flag(HP, v.span, "no such blow was struck in this turn")
		}
		return
	}
	if !c.any(t, c.harmed) {
		c.flag(HP, v.span, "nobody was hurt like this in this turn")
	}
}

// peopleHan holds that who speaks and acts is there and can.
func (c *checker) peopleHan(k *hanClause) {
	s := c.draft.open
	for _, f := range c.found {
		if f.kind != world.ActorKind || f.at < k.at || f.end > k.end || strings.HasPrefix(s[f.end:], "的") {
			continue
		}
		var ids []string
		for _, o := range c.found {
			if o.kind == world.ActorKind && o.at <= f.at && o.end >= f.end {
				ids = append(ids, o.id)
			}
		}
		still, gone := c.still(ids)
		if !still && !gone {
			continue
		}
		for _, e := range c.lex.list {
			i := strings.Index(s[f.end:k.end], e.word)
			if i < 0 || i > 36 || e.class&(cSay|cAct) == 0 && (!gone || e.class&cCome == 0) || !c.assertedHan(k, hanVerb{span{f.end + i, f.end + i + len(e.word)}, e.class}) {
				continue
			}
			kind := Person
			if e.class&cSay != 0 {
				kind = Speech
			}
			c.flag(kind, span{f.at, f.end + i + len(e.word)}, "this one cannot do that now, or is not here")
			break
		}
	}
}
