package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// denied flags a deed that is said not to have been done, and was: a thing that was taken, given or put away in this turn, by who
// did it.
func (c *checker) denied(k *clause, i int, cl class) {
	if cl&(cTake|cGive|cDrop|cFind|cGo) == 0 || !c.negated(k, i) {
		return
	}
	r, w := c.course(), c.subject(k, i)
	if w.sort == nobody && k.lo > k.first {
		w = c.inherited(k, i)
	}
	if w.sort == nobody && c.lang == "ru" && slices.ContainsFunc(c.toks[k.lo:i], func(t token) bool { return t.word == "вам" || t.word == "тебе" }) {
		w.sort = player
	}
	if r.refused || w.sort != player && w.sort != actor {
		return
	}
	o := c.object(k, i)
	done := r.got
	if w.sort == actor || cl&(cGive|cDrop) != 0 {
		done = r.given
	}
	if w.sort == actor && !shares(w.ids, r.to) {
		return
	}
	if o.sort == known && shares(o.ids, done) {
		c.flag(Outcome, span{c.toks[i].at, max(o.end, c.toks[i].end)}, "this was done in this turn")
	}
}

// negated reports whether a word right before the verb at i denies it.
func (c *checker) negated(k *clause, i int) bool {
	for j := i - 1; j >= k.lo && j >= i-4; j-- {
		switch w := c.toks[j].word; {
		case c.lang == "ru" && (w == "не" || w == "нельзя" || w == "невозможно"):
			return true
		case slices.Contains([]string{"not", "cannot", "can't", "don't", "didn't", "won't", "couldn't", "unable", "doesn't"}, w):
			return true
		}
	}
	return false
}

// deniedHan does the same for a Chinese clause.
func (c *checker) deniedHan(k *hanClause, v hanVerb) {
	r := c.course()
	if v.class&(cTake|cGive|cDrop) == 0 || r.refused {
		return
	}
	near := lastRunes(c.draft.open[k.at:v.at], 4)
	if !slices.ContainsFunc([]string{"没", "无法", "不能", "不愿", "不肯"}, func(s string) bool { return strings.Contains(near, s) }) {
		return
	}
	w := c.subjectHan(k, v.at)
	if w.sort == nobody {
		w = k.who
	}
	done := r.got
	if v.class&(cGive|cDrop) != 0 {
		done = r.given
	}
	if o := c.objectHan(k, v); w.sort == player && o.sort == known && shares(o.ids, done) {
		c.flag(Outcome, span{min(o.at, v.at), max(o.end, v.end)}, "this was done in this turn")
	}
}

// parting reports whether the verb at i says that somebody goes out of where the story is: with the place, a word for one or nothing
// behind it.
func (c *checker) parting(k *clause, i int) bool {
	w := c.toks[i].word
	leaves := w == "leaves" || w == "exits" || w == "departs" || w == "left"
	if c.lang == "ru" {
		leaves = w == "уходит" || w == "выходит" || w == "ушел" || w == "ушла" || w == "вышел" || w == "вышла" || w == "покидает"
	}
	if !leaves {
		return false
	}
	for j := i + 1; j < k.hi; j++ {
		if list, ok := c.mentionAt(j); ok {
			return list[0].kind == world.PlaceKind && c.closed(k, j+list[0].n)
		}
		cl := c.lex.of(c.toks[j].word)
		switch {
		case cl&(cOutward|cSpot) != 0:
			return true
		case c.lang == "ru" && (c.toks[j].word == "из" || c.toks[j].word == "прочь"):
			return true
		case cl&(cDet|cAdverb) == 0:
			return false
		}
	}
	return w != "left" && c.toks[k.hi].stop != 0
}

// handsOver flags what somebody is said to hand to who is told, whatever it is called, in a turn in which they came by nothing.
func (c *checker) handsOver(k *clause, i int, w who) {
	if w.sort != actor && w.sort != pronoun || len(c.course().got) > 0 || i+3 > k.hi {
		return
	}
	verb, to, what := c.toks[i].word, c.toks[i+1].word, c.toks[i+2].word
	switch {
	case c.lang == "en" && slices.Contains([]string{"hands", "handed", "hand", "passes", "passed", "gives", "gave", "slips"}, verb) && to == "you" &&
		c.lex.of(what)&cDet != 0 && i+3 < k.hi:
		gives := strings.HasPrefix(verb, "g")
		for j := i + 3; j < k.hi && j < i+7 && c.toks[j].stop == 0; j++ {
			if c.lex.of(c.toks[j].word)&(cVague|cPrep) != 0 {
				return
			}
		}
		if !gives || c.returned(k, i) {
			c.flag(Item, span{c.toks[i].at, c.toks[i+3].end}, "nobody was given anything in this turn")
		}
	case c.lang == "ru" && (to == "вам" || to == "тебе") && hasAny(verb, "протягивает", "вручает", "передает", "сует", "дарит") &&
		c.lex.of(what)&(cVague|cPrep|cConj|cBody) == 0:
		for j := i + 2; j < k.hi && c.toks[j].stop == 0; j++ {
			if c.lex.of(c.toks[j].word)&(cVague|cBody) != 0 || strings.HasPrefix(c.toks[j].word, "ладон") {
				return
			}
		}
		c.flag(Item, span{c.toks[i].at, c.toks[i+2].end}, "nobody was given anything in this turn")
	}
}

// returned reports whether something is said to be given for something else.
func (c *checker) returned(k *clause, i int) bool {
	for j := k.first; j < i; j++ {
		if w := c.toks[j].word; w == "return" || w == "exchange" || w == "thanks" || w == "reward" {
			return true
		}
	}
	return false
}

// leaves reports whether something stays where it is: it is left where it lies, or raised or lowered by who holds it anyway.
func (c *checker) leaves(k *clause, i int, w who, o object) bool {
	held := c.any(w, func(id string) bool {
		return slices.ContainsFunc(o.ids, func(thing string) bool { return c.d.Before.Carries(id, thing) && c.d.After.Carries(id, thing) })
	})
	verb := c.toks[i].word
	starts := func(s string) bool { return strings.HasPrefix(verb, s) }
	switch {
	case slices.ContainsFunc([]string{"lift", "rais", "hoist", "lower", "поднима", "подня", "опуска", "опусти"}, starts):
		return held && c.wielded(o) && !slices.ContainsFunc(c.toks[i:k.hi], func(t token) bool { return c.lex.of(t.word)&cArrive != 0 })
	case slices.ContainsFunc([]string{"leav", "left", "оставл", "оставил"}, starts):
		return !held && !c.any(w, func(id string) bool { return c.has(id, o.ids) }) && slices.ContainsFunc(c.toks[k.lo:k.hi], func(t token) bool {
			switch t.word {
			case "where", "alone", "behind", "be", "untouched", "там", "месте", "покое":
				return true
			}
			return false
		})
	}
	return false
}

// wielded reports whether something is a light or a weapon, which one raises and lowers without taking it or putting it down.
func (c *checker) wielded(o object) bool {
	words := strings.Fields(lowered(c.draft.open[o.at:o.end]))
	return slices.ContainsFunc(words, func(w string) bool {
		for _, start := range []string{"lamp", "lantern", "torch", "candle", "bow", "sword", "shield", "spear", "blade", "staff",
			"ламп", "фонар", "факел", "свеч", "лук", "меч", "щит", "копь", "клинок", "посох"} {
			if strings.HasPrefix(w, start) {
				return true
			}
		}
		return false
	})
}
