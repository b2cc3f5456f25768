package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// object is what a verb is about.
type object struct {
	span
	sort     objectSort
	ids      []string // of a known thing: those that may be meant
	definite bool     // "the", "your"
}

type objectSort int

const (
	noObject objectSort = iota
	known               // a thing of the world
	it                  // it, them
	goods               // something that one can have, and that is not known
	vague               // a look, a breath, a hand
)

// object finds what the verb at i is about: in English the words behind it, in Russian also those before it.
func (c *checker) object(k *clause, i int) object {
	if c.lang == "ru" {
		return c.objectRussian(k, i)
	}
	j := i + 1
	for j < k.hi && (c.lex.of(c.toks[j].word)&(cAdverb|cMeasure) != 0 && c.lex.of(c.toks[j].word)&cGoods == 0 || hasAny(c.toks[j].word, "ly") ||
		slices.Contains([]string{"up", "out", "down", "off", "back", "away", "you", "around"}, c.toks[j].word)) {
		j++
	}
	if list, ok := c.mentionAt(j); ok && j < k.hi && list[0].kind == world.ActorKind && c.toks[j+list[0].n].stop == 0 {
		j += list[0].n // "hand Osric the key"
	}
	return c.phrase(k, j)
}

// phrase reads the words from j on as a thing with what belongs to it.
func (c *checker) phrase(k *clause, j int) (o object) {
	start := j
	for ; j < k.hi && (j == start || c.toks[j].stop == 0); j++ {
		w := c.toks[j].word
		cl := c.lex.of(w)
		if ids, n := c.wholeThing(j); n > 1 { // "the key to the cellar"
			o.span, o.sort, o.ids = span{c.toks[start].at, c.toks[j+n-1].end}, known, ids
			j += n - 1
			continue
		}
		switch {
		case w == "it" || w == "them":
			return object{c.toks[j].span, it, nil, true}
		case w == "the" || cl&cYours != 0 || w == "this" || w == "that":
			o.definite = true
		case w == "of" && j > start && c.lex.of(c.toks[j-1].word)&cMeasure != 0:
			if next := c.phrase(k, j+1); next.sort != noObject && next.sort != vague {
				return next
			}
			return o
		case cl&(cPrep|cYou|cConj) != 0 && cl&cDet == 0:
			return o
		}
		switch list, ok := c.mentionEnding(j); {
		case ok && !strings.HasSuffix(w, "'s"):
			if ids := things(list); ids != nil {
				o.span, o.sort, o.ids = span{c.toks[start].at, c.toks[j].end}, known, ids
			} else {
				o.span, o.sort, o.ids = c.toks[j].span, vague, nil
			}
		case cl&cVague != 0 && (cl&cGoods == 0 || o.sort == noObject):
			o.span, o.sort, o.ids = c.toks[j].span, vague, nil
		case cl&cGoods != 0 && !strings.HasSuffix(w, "'s"):
			o.span, o.sort, o.ids = span{c.toks[start].at, c.toks[j].end}, goods, nil
		case o.sort != noObject && cl&(cClaim|cBe) != 0:
			return o
		}
	}
	return o
}

// wholeThing returns the things that are named in full from word j on, and by how many words.
func (c *checker) wholeThing(j int) (ids []string, n int) {
	for _, f := range c.first[j] {
		if f.kind == world.ThingKind && f.full && f.n >= n {
			if f.n > n {
				ids = nil
			}
			ids, n = append(ids, f.id), f.n
		}
	}
	return ids, n
}

func things(list []found) (ids []string) {
	for _, full := range []bool{true, false} {
		for _, f := range list {
			if f.kind == world.ThingKind && f.full == full {
				ids = append(ids, f.id)
			}
		}
		if ids != nil {
			return ids
		}
	}
	return nil
}

// objectRussian takes the nearest thing that no preposition governs: behind the verb, else before it.
func (c *checker) objectRussian(k *clause, i int) (o object) {
	for j := i + 1; j < k.hi; j++ {
		cl := c.lex.of(c.toks[j].word)
		if cl&cClaim != 0 && cl&cNoun == 0 {
			break
		}
		if found, ok := c.objectAt(k, j); ok {
			return found
		}
	}
	addressed := false
	for j := i - 1; j >= k.lo; j-- {
		if found, ok := c.objectAt(k, j); ok && (found.sort == known || found.sort == goods && addressed) {
			return found
		}
		addressed = addressed || c.toks[j].word == "вы" || c.toks[j].word == "ты"
		if w := c.toks[j].word; (w == "его" || w == "ее" || w == "их") && j == i-1 {
			return object{c.toks[j].span, it, nil, true}
		}
	}
	return o
}

func (c *checker) objectAt(k *clause, j int) (object, bool) {
	if w := c.toks[j].word; w == "его" || w == "ее" || w == "их" {
		if j+1 >= k.hi || c.toks[j+1].stop != 0 || c.lex.of(c.toks[j+1].word)&(cPrep|cConj|cAdverb) != 0 {
			return object{c.toks[j].span, it, nil, true}, true
		}
		return object{}, false
	}
	if list, ok := c.mentionEnding(j); ok {
		begin := j
		for _, f := range list {
			begin = min(begin, f.at0)
		}
		if ids := things(list); ids != nil && !c.governed(k, begin) {
			return object{span{c.toks[begin].at, c.toks[j].end}, known, ids, false}, true
		}
		return object{}, false
	}
	if _, ok := c.mentionAt(j); ok || c.governed(k, j) {
		return object{}, false
	}
	for at := max(0, j-9); at < j; at++ { // within a name
		for _, f := range c.first[at] {
			if j < f.at0+f.n {
				return object{}, false
			}
		}
	}
	switch cl := c.lex.of(c.toks[j].word); {
	case cl&cMeasure != 0 && j+1 < k.hi && c.lex.of(c.toks[j+1].word)&cGoods != 0:
		return object{c.toks[j+1].span, goods, nil, false}, true
	case cl&cGoods != 0 && cl&cVague == 0:
		return object{c.toks[j].span, goods, nil, false}, true
	case cl&cVague != 0:
		return object{c.toks[j].span, vague, nil, false}, true
	}
	return object{}, false
}

// verb holds one verb against what happened.
func (c *checker) verb(k *clause, i int, cl class, w who) {
	doer := w.sort == player || w.sort == actor
	if cl&(cTake|cFind|cGive|cDrop|cHave) != 0 {
		if ids := c.lately(k.first, i); w.sort == pronoun && ids != nil {
			w, doer = who{sort: actor, ids: ids}, true // "... to Osric, and he takes it"
		}
		c.handling(k, i, cl, w, doer)
	}
	if cl&cFind != 0 && doer && k.hi > i+1 {
		c.uncovering(c.toks[i].span, c.toks[k.hi-1].end)
	}
	if cl&(cGo|cWalk) != 0 {
		c.going(k, i, cl, w)
	}
	if cl&(cDie|cKill) != 0 {
		c.dying(k, i, cl, w)
	}
	if cl&(cWound|cStrike) != 0 {
		c.harming(k, i, cl, w)
	}
	if cl&cHeal != 0 {
		c.healing(k, i)
	}
}

// handling holds verbs of taking, giving, dropping and having.
func (c *checker) handling(k *clause, i int, cl class, w who, doer bool) {
	o := c.object(k, i)
	if o.sort == noObject && cl&cGive != 0 {
		c.handsOver(k, i, w)
	}
	if o.sort == noObject || o.sort == vague {
		return
	}
	if o.sort == goods && c.garment(o) {
		return
	}
	to := c.recipient(k, i)
	if !doer && (cl&cGive == 0 || w.sort != pronoun && to.sort != player) { // whoever gives something to a player, it is given or not
		return
	}
	if cl&cGive != 0 && to.sort != nobody {
		c.giving(w, to, o)
		return
	}
	owned := o.sort == known && c.any(w, func(id string) bool { return c.has(id, o.ids) })
	verb := span{c.toks[i].at, max(o.end, c.toks[i].end)}
	if o.at < verb.at {
		verb.at = o.at
	}
	switch {
	case o.sort == known && c.leaves(k, i, w, o):
	case cl&(cTake|cFind) != 0:
		c.taking(k, i, cl, w, o, owned, verb)
	case cl&(cDrop|cGive) != 0 && o.sort == known:
		if !c.any(w, func(id string) bool { return c.gave(id, o.ids) }) && !c.any(w, func(id string) bool { return c.took(id, o.ids) }) {
			c.flag(Item, verb, "this did not change hands in this turn")
		}
	case cl&(cDrop|cGive) != 0 && o.sort == goods && !o.definite && (w.sort == player || cl&cGive != 0):
		c.flag(Item, verb, "nobody has such a thing")
	case cl&cHave != 0 && o.sort == known && !owned && (w.sort == player || o.definite || c.lang != "en"):
		c.flag(Item, verb, "this is not in those hands")
	case cl&cHave != 0 && o.sort == goods && w.sort == player && !c.like(o):
		c.flag(Item, verb, "nobody has such a thing")
	}
}

// garment reports whether something is what somebody wears: their own coat.
func (c *checker) garment(o object) bool {
	words := strings.Fields(lowered(c.draft.open[o.at:o.end]))
	return len(words) > 1 && slices.Contains([]string{"your", "his", "her", "their", "its"}, words[0]) &&
		slices.Contains([]string{"coat", "jacket", "shawl", "scarf", "cloak", "boots", "gloves", "hood", "hat", "blanket"}, words[len(words)-1]) && len(words) < 4
}

// taking holds that somebody came by something.
func (c *checker) taking(k *clause, i int, cl class, w who, o object, owned bool, verb span) {
	took := c.any(w, func(id string) bool { return c.took(id, o.ids) })
	switch {
	case o.sort == known && took, o.sort == known && owned && (cl&cFind != 0 || c.outOf(k, i)):
	case o.sort == known && cl&cTake == 0 && slices.ContainsFunc(o.ids, func(id string) bool { return c.d.seen[id] }):
	case o.sort == known:
		c.flag(Item, verb, "nobody took this in this turn")
	case o.sort == it && cl&cTake != 0:
		if !c.any(w, func(id string) bool { return c.took(id, nil) }) && !c.any(w, func(id string) bool { return c.has(id, c.earlier(k, i)) }) {
			c.flag(Item, verb, "nobody took anything in this turn")
		}
	case o.sort == goods && !(o.definite && c.any(w, func(id string) bool { return c.took(id, nil) }) && !c.tookNamed()):
		if cl&cTake == 0 && o.definite || c.like(o) && c.any(w, func(id string) bool { return c.took(id, nil) }) {
			return
		}
		c.flag(Item, verb, "there is no such thing to be had")
	}
}

// lately returns whoever was named in the words from one on before another.
func (c *checker) lately(from, until int) (ids []string) {
	for _, f := range c.found {
		if f.kind == world.ActorKind && f.n > 0 && f.at0 >= from && f.at0 < until {
			ids = append(ids, f.id)
		}
	}
	return ids
}

// tookNamed reports whether the draft names what changed hands in this turn, so that other words mean something else.
func (c *checker) tookNamed() bool {
	return slices.ContainsFunc(c.found, func(f found) bool {
		return f.kind == world.ThingKind && c.took("", []string{f.id})
	})
}

// earlier returns the things that were named before word i in its sentence.
func (c *checker) earlier(k *clause, i int) (ids []string) {
	for _, f := range c.found {
		if f.kind == world.ThingKind && f.n > 0 && f.at0 >= k.first && f.at0 < i {
			ids = append(ids, f.id)
		}
	}
	return ids
}

// like reports whether somebody of the party has something that is called like an unknown thing for short.
func (c *checker) like(o object) bool {
	return slices.ContainsFunc(c.found, func(f found) bool { return f.kind == world.ThingKind && f.at >= o.at && f.end <= o.end })
}

// outOf reports whether somebody takes their own: out of a pocket, from the belt.
func (c *checker) outOf(k *clause, i int) bool {
	for j := i; j < k.hi; j++ {
		switch c.toks[j].word {
		case "out", "your", "из", "свой", "свою", "свое", "hand", "hands", "steady", "tighter":
			return true
		}
		if c.lex.of(c.toks[j].word)&cBody != 0 {
			return true
		}
	}
	return false
}

// recipient finds who is given something.
func (c *checker) recipient(k *clause, i int) who {
	for j := i + 1; j < k.hi; j++ {
		if cl := c.lex.of(c.toks[j].word); cl&cYou != 0 {
			return who{sort: player}
		}
		list, ok := c.mentionAt(j)
		if ok && list[0].kind == world.ActorKind {
			return who{sort: actor, ids: persons(list)}
		}
	}
	for j := k.lo; j < i && c.lang == "ru"; j++ {
		if w := c.toks[j].word; w == "вам" || w == "тебе" {
			return who{sort: player}
		}
	}
	return who{}
}

func persons(list []found) (ids []string) {
	for _, f := range list {
		if f.kind == world.ActorKind {
			ids = append(ids, f.id)
		}
	}
	return ids
}

// giving holds that somebody gave somebody something.
func (c *checker) giving(from, to who, o object) {
	given := c.any(to, func(id string) bool { return c.took(id, o.ids) })
	if from.sort == pronoun || from.sort == nobody {
		given = given || o.sort == known && c.any(to, func(id string) bool { return c.has(id, o.ids) })
	}
	switch {
	case given && o.sort != goods:
	case o.sort == known, o.sort == it:
		c.flag(Item, o.span, "this was not given to them in this turn")
	case o.sort == goods && !(given && o.definite):
		c.flag(Item, o.span, "there is no such thing to be given")
	}
}
