package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// tells holds one telling against how the calls of the turn came out.
func (c *checker) tells(t *telling) {
	r := c.course()
	switch {
	case t.class&(tMiss|tHome) != 0:
		c.shooting(t, r)
	case t.class&tAlive != 0 && c.lives(t):
		c.flag(Death, t.at, "this one died in this turn")
	case t.class&tUnhurt != 0 && c.harmless(t, r):
		c.flag(HP, t.at, "somebody was hurt in this turn")
	case t.class&tEnd != 0 && c.noMore(t):
		c.flag(Death, t.at, "nobody died like this in this turn")
	case t.class&tReveal != 0 && (t.who.sort == actor || t.who.sort == pronoun || c.points(t)):
		c.revealed(t)
	}
	if !r.refused {
		c.passing(t, r)
	}
	if t.class&(tFailed|tSolved) != 0 {
		c.trying(t, r)
	}
	switch {
	case t.class&(tOpened|tShut) != 0:
		c.opening(t, r)
	case t.class&tEnded != 0:
		c.ending(t, r)
	case t.class&(tBleed|tMended) != 0:
		c.bleeding(t)
	case t.class&(tAway|tStay|tThere|tBelow) != 0:
		c.staying(t, r)
	}
}

// passing holds that what changed hands in this turn did not, or was lost.
func (c *checker) passing(t *telling, r *course) {
	yours := t.who.sort == player || t.who.sort == other && t.who.ids != nil
	switch {
	case t.class&tRefuse != 0 && c.declined(t, r):
		c.flag(Outcome, t.at, "this was given and taken in this turn")
	case t.class&tKeep != 0 && len(r.given) > 0 && (yours || shares(t.topic, r.given)) && c.kept(t, r):
		c.flag(Outcome, t.at, "this was given away in this turn")
	case t.class&tEmpty != 0 && len(r.got) > 0 && len(r.given) == 0 && (t.who.sort <= player || t.who.sort == other && t.you):
		c.flag(Outcome, t.at, "something was given or taken in this turn")
	case t.class&tVanish != 0 && t.who.sort != player && (shares(t.topic, r.got) || shares(t.topic, r.given) || shares(t.topic, r.laid)):
		c.flag(Outcome, t.at, "this is where the facts say that it is")
	case t.class&tBack != 0 && len(r.got) > 0 && (t.who.sort == player || t.you) && c.putBack(t, r):
		c.flag(Outcome, t.at, "this was taken in this turn")
	}
}

// trying holds that what somebody tried came off, or did not.
func (c *checker) trying(t *telling, r *course) {
	if t.who.sort == actor || t.sentence&tSoon != 0 {
		return // others may understand what they like, and what is so at first is not so in the end
	}
	done := t.who.sort != pronoun && slices.ContainsFunc(t.named, func(f found) bool {
		return f.kind == world.ThingKind && (slices.Contains(r.got, f.id) || slices.Contains(r.given, f.id))
	})
	switch {
	case t.class&tFailed != 0 && !r.refused && (done || r.passed > 0 && r.failed == 0 && !c.ofSomebody(t)):
		c.flag(Outcome, t.at, "this came off in this turn")
	case t.class&tSolved != 0 && r.failed > 0 && r.passed == 0:
		c.flag(Outcome, t.at, "this did not come off in this turn")
	}
}

// bleeding holds that who is told bleeds, or is whole again.
func (c *checker) bleeding(t *telling) {
	hero := c.d.heroID()
	switch {
	case t.class&tBleed != 0 && (t.who.sort == player || t.you) && !c.hurt(hero):
		c.flag(HP, t.at, "nobody was hurt like this in this turn")
	case t.class&tMended != 0 && (t.who.sort <= player || t.you) && c.hurt(hero) && c.lacks() && (!c.healed(hero) || c.wholly(t)):
		c.flag(HP, t.at, "not all wounds were healed in this turn")
	}
}

// staying holds that somebody left, stayed, or is behind what barred their way.
func (c *checker) staying(t *telling, r *course) {
	moved := func(id string) bool { return c.d.moved(id, "") }
	switch {
	case t.class&tAway != 0 && t.who.sort == actor && !slices.Contains(t.who.ids, c.d.heroID()) && !c.any(t.who, moved) && !c.aFewSteps(t.at.end):
		c.flag(Move, t.at, "nobody left in this turn")
	case t.class&tStay != 0 && (t.who.sort == player || t.who.sort == actor) && c.any(t.who, moved):
		c.flag(Outcome, t.at, "they went in this turn")
	case (t.class&tThere != 0 || t.class&tBelow != 0 && c.lang == "zh") && r.stopped && (t.who.sort == player || t.you):
		c.flag(Move, t.at, "the way was barred in this turn")
	}
}

// shooting holds that an attack of who is told hit or missed.
func (c *checker) shooting(t *telling, r *course) {
	own := t.who.sort == player && !(c.within(t.at, "мимо") && t.about&tShot == 0 && !t.you) || t.who.sort == other && t.who.ids != nil ||
		(t.who.sort == other || t.who.sort == nobody) && t.about&tShot != 0
	switch {
	case !own || r.hits+r.misses == 0 || t.class&tMiss != 0 && c.lang == "ru" && !c.past(t):
	case t.class&tMiss != 0 && r.misses == 0:
		c.flag(Outcome, t.at, "this hit in this turn")
	case t.class&tHome != 0 && r.hits == 0:
		c.flag(Outcome, t.at, "this missed in this turn")
	}
}

// past reports whether what flies past in Russian flies past somebody, or just past.
func (c *checker) past(t *telling) bool {
	if !c.within(t.at, "мимо") {
		for i := t.word + 1; i < len(c.toks) && c.toks[i].stop == 0; i++ {
			if c.toks[i].word == "мимо" {
				return c.pastAt(i)
			}
		}
		return true
	}
	return c.pastAt(t.word)
}

func (c *checker) pastAt(i int) bool {
	if i+1 >= len(c.toks) || c.toks[i+1].stop != 0 || c.lex.of(c.toks[i+1].word)&(cConj|cPron) != 0 || c.toks[i+1].word == "цели" {
		return true
	}
	list, ok := c.mentionAt(i + 1)
	return ok && persons(list) != nil
}

// lives reports whether somebody is said to be alive who died in this turn.
func (c *checker) lives(t *telling) bool {
	var died []string
	for id, state := range c.d.falls {
		if state == world.Dead {
			died = append(died, id)
		}
	}
	switch t.who.sort {
	case actor:
		return !slices.ContainsFunc(t.who.ids, func(id string) bool { return !slices.Contains(died, id) })
	case pronoun:
		return len(died) == 1
	case nobody, other:
		return slices.ContainsFunc(t.named, func(f found) bool { return slices.Contains(died, f.id) })
	}
	return false
}

// harmless reports whether somebody is said to be unhurt who was hurt in this turn.
func (c *checker) harmless(t *telling, r *course) bool {
	hero := c.d.heroID()
	switch {
	case t.who.sort == player || t.who.sort == nobody && t.you || t.who.sort == other && t.you:
		return c.harmed(hero)
	case t.who.sort == actor:
		return !slices.ContainsFunc(t.who.ids, func(id string) bool { return !c.harmed(id) })
	case t.who.sort == pronoun || t.who.sort == nobody:
		return len(r.targets) == 1 && c.harmed(r.targets[0]) && !c.harmed(hero)
	}
	return false
}

// declined reports whether somebody is said to refuse what they took or gave in this turn.
func (c *checker) declined(t *telling, r *course) bool {
	if t.who.sort != actor && t.who.sort != pronoun || len(r.given)+len(r.got) == 0 {
		return false
	}
	if t.who.sort == actor && !shares(t.who.ids, r.to) && !shares(t.who.ids, r.from) {
		return false
	}
	if after := c.draft.open[t.at.end:]; c.lang == "zh" {
		return !c.within(t.at, "拒绝") || after == "" || strings.ContainsRune("了给收交接你把让，。！", firstRune(after))
	}
	i := t.word
	for j := i + 1; j < len(c.toks)-1 && j < i+5 && c.toks[j].stop == 0; j++ {
		switch c.toks[j].word {
		case "it", "them", "give", "take", "accept", "hand", "part", "дать", "давать", "отдать", "взять", "брать", "принять",
			"ее", "его", "их", "руку":
			return true
		}
		if list, ok := c.mentionAt(j); ok && things(list) != nil {
			return shares(things(list), append(slices.Clone(r.given), r.got...))
		}
		if c.lex.of(c.toks[j].word)&cClaim == 0 && c.lex.of(c.toks[j].word)&(cConj|cAct|cSay) != 0 {
			break
		}
	}
	return i+1 >= len(c.toks)-1 || c.toks[i+1].stop != 0 || c.lex.of(c.toks[i+1].word)&cConj != 0
}

// kept reports whether what who is told keeps was given away.
func (c *checker) kept(t *telling, r *course) bool {
	if shares(t.topic, r.given) {
		return true
	}
	for _, f := range t.named {
		if f.kind == world.ThingKind {
			return slices.Contains(r.given, f.id)
		}
	}
	if c.lang == "zh" {
		return true
	}
	i := t.word
	return t.who.sort == player && i+1 < len(c.toks) && slices.ContainsFunc(c.toks[i+1:min(i+3, len(c.toks))], func(o token) bool {
		return o.word == "it" || o.word == "them" || c.lang == "ru" && (o.word == "ее" || o.word == "его" || o.word == "себе")
	})
}

// ofSomebody reports whether it is somebody else who does not understand.
func (c *checker) ofSomebody(t *telling) bool {
	return t.who.sort == pronoun && slices.ContainsFunc(t.named, func(f found) bool { return f.kind == world.ActorKind }) ||
		slices.ContainsFunc(t.named, func(f found) bool { return f.kind == world.ActorKind && f.at < t.at.at })
}

// lacks reports whether who is told is still hurt, so that not all is mended.
func (c *checker) lacks() bool {
	a := c.d.hero
	return a != nil && a.HP.Known && a.HPMax.Known && a.HP.N < a.HPMax.N
}

// revealed flags a deed that somebody is said to have done, and that nobody told of.
func (c *checker) revealed(t *telling) {
	word := c.draft.open[t.at.at:t.at.end]
	known := !c.points(t) && c.heard(word)
	if c.lang != "zh" { // as a word of its own: what is stolen is known without who stole it
		known = !c.points(t) && (c.common0[stem(c.lang, lowered(word))] || strings.Contains(c.facts(), " "+lowered(word)+" "))
	}
	if !known {
		c.flag(Secret, t.at, "nobody knows this yet")
	}
}

// putBack reports whether what is left or put back was taken in this turn.
func (c *checker) putBack(t *telling, r *course) bool {
	for _, f := range t.named {
		if f.kind == world.ThingKind {
			return slices.Contains(r.got, f.id)
		}
	}
	return len(r.got) == 1
}

// noMore reports whether somebody is said to be no more who is.
func (c *checker) noMore(t *telling) bool {
	if (t.who.sort == player || t.who.sort == nobody) && t.you {
		return !c.down(c.d.heroID())
	}
	if t.who.sort == actor {
		return !slices.ContainsFunc(t.who.ids, c.down)
	}
	named := false
	for _, f := range t.named {
		if f.kind == world.ActorKind {
			if named = true; c.down(f.id) {
				return false
			}
		}
	}
	return named || t.who.sort == pronoun && !c.down("")
}

// points reports whether words point at somebody: "it was she who ...".
func (c *checker) points(t *telling) bool {
	word := lowered(c.draft.open[t.at.at:t.at.end])
	return word == "it" || word == "это" || strings.HasPrefix(word, "是")
}

// aFewSteps reports whether somebody goes but a few steps.
func (c *checker) aFewSteps(i int) bool {
	s := lowered(c.draft.open[i:min(len(c.draft.open), i+40)])
	if end := strings.IndexAny(s, ".!?"); end >= 0 {
		s = s[:end]
	}
	return strings.Contains(s, "step") || strings.Contains(s, "pace") || strings.Contains(s, "шаг") || strings.Contains(s, "步")
}

// wholly reports whether a clause says that nothing at all is left of a wound.
func (c *checker) wholly(t *telling) bool {
	s := lowered(c.draft.open[t.at.at:min(len(c.draft.open), t.at.end+40)])
	return slices.ContainsFunc([]string{"full", "complete", "as new", "полностью", "новень", "совершенно", "完", "新", "彻底", "如初", "痊愈"}, func(w string) bool {
		return strings.Contains(s, w)
	})
}
