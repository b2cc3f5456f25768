package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// states holds what somebody is said to be: dead, hurt, somewhere.
func (c *checker) states(k *clause) {
	for i := k.lo; i < k.hi; i++ {
		cl := c.lex.at(c.toks, i)
		if cl&(cDead|cHurt|cBe) == 0 || !c.asserted(k, i) {
			continue
		}
		w := c.subject(k, i)
		if w.sort == nobody {
			w = c.inherited(k, i)
		}
		switch {
		case cl&cDead != 0 && c.predicate(k, i):
			if (w.sort == player || w.sort == actor || w.sort == pronoun) && !c.any(w, c.down) {
				c.flag(Death, c.toks[i].span, "nobody died like this")
			}
		case cl&cHurt != 0 && (c.lang == "ru" || c.predicate(k, i)):
			if (w.sort == player || w.sort == actor) && !c.any(w, c.hurt) {
				c.flag(HP, c.toks[i].span, "nobody is hurt like this")
			}
		case cl&cBe != 0 && (w.sort == player || c.lang == "ru" && (c.next(i, "вами", "тобой"))):
			c.being(k, i)
		}
	}
	c.owning(k)
}

// owning holds that something is said to be yours: "the key is yours", "теперь у вас".
func (c *checker) owning(k *clause) {
	for i := k.lo; i < k.hi; i++ {
		w := c.toks[i].word
		yours := w == "yours" && i > k.lo && c.lex.of(c.toks[i-1].word)&(cBe|cAdverb) != 0 ||
			(w == "вас" || w == "тебя") && i > k.lo && c.toks[i-1].word == "у"
		if !yours || !c.asserted(k, i) || slices.ContainsFunc(c.toks[i:k.hi], func(t token) bool { return t.word == "нет" || t.word == "не" }) {
			continue
		}
		for j := k.lo; j < k.hi; j++ {
			o, ok := c.objectAt(k, j)
			if !ok || o.sort == vague || o.sort == it || c.lang == "en" && j > i {
				continue
			}
			if o.sort == known && c.has(c.d.heroID(), o.ids) || o.sort == goods && c.like(o) {
				return
			}
			for _, v := range c.toks[k.lo:k.hi] {
				if c.lang == "ru" && c.lex.of(v.word)&(cTake|cGive|cDrop|cMay) != 0 {
					return // "Осрик берёт у вас"
				}
			}
			c.flag(Item, span{min(o.at, c.toks[i].at), max(o.end, c.toks[i].end)}, "this is not in those hands")
			return
		}
	}
}

// predicate reports whether a word says what somebody is, rather than which one.
func (c *checker) predicate(k *clause, i int) bool {
	if c.lang == "ru" {
		return true
	}
	if i > k.lo && c.lex.of(c.toks[i-1].word)&(cDet|cYours) != 0 {
		return false
	}
	for j := max(k.lo, i-3); j < i; j++ {
		if c.lex.of(c.toks[j].word)&(cBe|cWalk|cNot) != 0 || hasAny(c.toks[j].word, "drops", "dropped", "crumples", "collapses") {
			return true
		}
	}
	return i == k.lo && i > k.first
}

// being holds where "you" are.
func (c *checker) being(k *clause, i int) {
	for j := i + 1; j < k.hi; j++ {
		list, ok := c.mentionAt(j)
		if !ok || list[0].kind != world.PlaceKind {
			continue
		}
		at := j - 1
		for at > i && c.lex.of(c.toks[at].word)&cDet != 0 {
			at--
		}
		switch c.toks[at].word {
		case "вами", "тобой":
		case "in", "inside", "within", "at", "в", "во", "на", "внутри":
		default:
			return
		}
		for _, f := range list {
			if f.kind == world.PlaceKind && c.d.at(f.id) {
				return
			}
		}
		c.flag(Place, span{c.toks[i].at, c.toks[j+list[0].n-1].end}, "the story is somewhere else")
		return
	}
}

// people holds that who speaks and acts is there and can, and that nobody is who was not.
func (c *checker) people(k *clause) {
	for i := k.lo; i < k.hi; i++ {
		list, ok := c.mentionAt(i)
		if !ok {
			c.newcomer(k, i)
			c.unheard(k, i)
			continue
		}
		ids := persons(list)
		if strings.HasSuffix(c.toks[i+list[0].n-1].word, "'s") {
			continue // whose something is
		}
		still, gone := c.still(ids)
		if ids == nil || !still && !gone {
			continue
		}
		cl, at := c.does(k, i, i+list[0].n)
		if n := i - 1; cl == 0 && gone && n >= k.lo && c.toks[i].stop == 0 && c.lex.of(c.toks[n].word)&cBe != 0 && c.subject(k, n).sort == nobody &&
			hasAny(c.toks[n].word, "s", "ит", "ет") && c.toks[n].word != "is" && c.toks[n].word != "was" {
			cl, at = cAct, c.toks[n].span // "on a crate sits Berta"
		}
		switch {
		case cl&cSay != 0:
			c.flag(Speech, span{min(c.toks[i].at, at.at), max(at.end, c.toks[i].end)}, "this one cannot speak now")
		case cl&cAct != 0 && !c.governed(k, i):
			c.flag(Person, span{min(c.toks[i].at, at.at), max(at.end, c.toks[i].end)}, "this one cannot act now, or is not here")
		}
	}
}

// does returns what somebody who is named from word i to j does: the verb behind the name, or before it, as behind speech.
func (c *checker) does(k *clause, i, j int) (class, span) {
	for n := j; n < k.hi && n < j+6; n++ {
		cl := c.lex.of(c.toks[n].word)
		if _, ok := c.mentionAt(n); ok && cl&(cSay|cAct) == 0 {
			if list, _ := c.mentionAt(n); persons(list) != nil {
				break
			}
		}
		if cl&cYou != 0 && c.nominative(n) {
			break
		}
		if cl&(cSay|cAct) != 0 && !c.noun(k, n) && c.asserted(k, n) {
			return cl, c.toks[n].span
		}
	}
	if n := i - 1; n >= k.lo && c.toks[i].stop == 0 && c.lex.of(c.toks[n].word)&cAct != 0 && hasAny(c.toks[n].word, "s", "ет", "ит", "ется", "ится") &&
		c.subject(k, n).sort == nobody && c.asserted(k, n) && !c.noun(k, n) {
		return cAct, c.toks[n].span // "in comes Marta"
	}
	if cl, at := c.beyond(k, j); cl != 0 {
		return cl, at
	}
	for n := max(k.lo, i-4); n < i; n++ {
		if cl := c.lex.of(c.toks[n].word); cl&cSay != 0 && (c.toks[k.lo].stop == '"' || n == i-1 || c.lang == "ru") && c.subject(k, n).sort == nobody {
			return cSay, c.toks[n].span
		}
	}
	return 0, span{}
}

// beyond finds the verb of somebody who is named at the end of a clause, behind what is put between commas: "Marta, flour to the
// elbow, waves".
func (c *checker) beyond(k *clause, j int) (class, span) {
	if j != k.hi || c.toks[j].stop != ',' {
		return 0, span{}
	}
	for n := j + 1; n < len(c.toks)-1 && n < j+8; n++ {
		if stop := c.toks[n].stop; stop == ',' {
			cl := c.lex.of(c.toks[n].word)
			if cl&(cSay|cAct) != 0 && hasAny(c.toks[n].word, "s", "ет", "ит", "ется", "ится") {
				return cl, c.toks[n].span
			}
			return 0, span{}
		} else if stop != 0 {
			return 0, span{}
		}
	}
	return 0, span{}
}

// newcomer flags somebody who turns up out of nothing: "a stranger steps out of the dark".
func (c *checker) newcomer(k *clause, i int) {
	if c.lang != "en" || c.lex.of(c.toks[i].word)&cPeople == 0 || c.knows(c.toks[i].word) {
		return
	}
	for j := i - 1; j >= k.lo && j >= i-3; j-- {
		cl := c.lex.of(c.toks[j].word)
		if cl&cPrep != 0 {
			return
		}
		if cl&cIndef == 0 || c.governed(k, j) {
			continue
		}
		if does, at := c.does(k, j, i+1); does&(cSay|cAct) != 0 {
			c.flag(Person, span{c.toks[j].at, at.end}, "nobody like this is here")
		}
		return
	}
}
