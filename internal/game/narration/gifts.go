package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// pouched flags what is slipped into a hand or a pocket of who is told, in a turn in which they came by nothing.
func (c *checker) pouched(k *clause, i int, cl class) {
	if cl&tSlip == 0 || len(c.course().got) > 0 {
		return
	}
	thing, pouch, hi := false, -1, k.hi
	for hi < len(c.toks)-1 && c.toks[hi].stop == 0 {
		hi++ // "something cold and small into your palm"
	}
	for j := i + 1; j < hi; j++ {
		w := c.toks[j].word
		if list, ok := c.mentionAt(j); ok && things(list) != nil {
			if c.any(who{sort: player}, func(id string) bool { return c.has(id, things(list)) }) {
				return
			}
			thing = true
		}
		if pouch < 0 && c.told[j]&tPouch != 0 && c.into(k, j) {
			pouch = j
			if c.lang == "en" {
				break
			}
			continue
		}
		switch {
		case slices.Contains([]string{"hand", "hands", "finger", "fingers", "arm", "kiss", "chill", "breath", "руку", "рука", "палец"}, w):
			return
		case w == "something" || w == "way" || w == "a" || w == "an" || w == "что-то" || w == "нечто" || c.lex.of(w)&cGoods != 0:
			thing = true
		}
	}
	if pouch >= 0 && (thing || c.lang == "ru" && c.unnamed(k, i, k.hi)) {
		c.flag(Item, span{c.toks[i].at, c.toks[pouch].end}, "nobody was given anything in this turn")
	}
}

// unnamed reports whether something that stands between two words in Russian is put somewhere: a noun that no preposition governs.
func (c *checker) unnamed(k *clause, i, j int) bool {
	for n := i + 1; n < j; n++ {
		if c.told[n]&tPouch != 0 {
			continue
		}
		if cl := c.lex.of(c.toks[n].word); cl&(cPrep|cYou|cYours|cDet|cAdverb|cVague|cBody) == 0 && !adjective(c.toks[n].word) && !c.governed(k, n) &&
			hasAny(c.toks[n].word, "ек", "ок", "ку", "ик", "ль", "ец", "ое", "ую") {
			return true
		}
	}
	return false
}

// into reports whether the word at j is a hand or a pocket of who is told, into which something comes.
func (c *checker) into(k *clause, j int) bool {
	into, yours := false, false
	for n := j - 1; n >= k.lo && n >= j-4 && c.toks[n+1].stop == 0; n-- {
		switch w := c.toks[n].word; {
		case w == "into" || w == "in" || w == "в" || w == "во" || w == "за":
			into = true
		case c.lex.of(w)&cYours != 0:
			yours = true
		}
		if into {
			break
		}
	}
	if !yours && c.lang == "ru" {
		yours = slices.ContainsFunc(c.toks[k.lo:j], func(t token) bool {
			return t.word == "вам" || t.word == "вас" || t.word == "тебе" || t.word == "тебя"
		})
	}
	return into && yours
}

// pouchedHan does the same for a Chinese clause.
func (c *checker) pouchedHan(k *hanClause) {
	s := c.draft.open[k.at:k.end]
	if len(c.course().got) > 0 {
		return
	}
	for _, e := range c.tell.list {
		i := -1
		if e.class&tPouch != 0 {
			i = strings.Index(s, e.word)
		}
		if i < 0 {
			continue
		}
		before, ok := strings.CutSuffix(strings.TrimSuffix(s[:i], "的"), "你")
		if !ok || !c.slipped(lastRunes(before, 2)) || strings.ContainsAny(before, "风光雨雪寒冷热暖温气水影手汗") ||
			!strings.Contains(before, "把") && !strings.Contains(before, "东西") && !strings.Contains(before, "一") {
			continue
		}
		if slices.ContainsFunc(c.found, func(f found) bool {
			return f.kind == world.ThingKind && f.at >= k.at && f.end <= k.end && c.has(c.d.heroID(), []string{f.id})
		}) {
			continue
		}
		c.flag(Item, span{k.at, k.at + i + len(e.word)}, "nobody was given anything in this turn")
		return
	}
}

func (c *checker) slipped(s string) bool {
	return slices.ContainsFunc(c.tell.list, func(e entry) bool { return e.class&tSlip != 0 && strings.Contains(s, e.word) })
}

// besidesHan flags a thing that a Chinese clause adds to what was taken or given before it.
func (c *checker) besidesHan(k *hanClause) {
	s := c.draft.open[k.at:k.end]
	for _, more := range []string{"还有", "以及", "连同", "外加"} {
		i := strings.Index(s, more)
		if i < 0 || k.claimed&(cTake|cFind|cGive) == 0 {
			continue
		}
		if o := c.thingHan(span{k.at + i + len(more), k.end}); o.sort == goods {
			c.flag(Item, span{k.at + i, o.end}, "there is no such thing to be had")
		}
	}
}

// bareRussian reports whether a clause is but a thing in the accusative, that goes on with what was taken or given.
func (c *checker) bareRussian(k *clause) bool {
	if k.lo == k.first || k.joint != "и" || k.hi-k.lo > 6 {
		return false
	}
	ends := func(i int) bool { return i == k.hi || c.lex.of(c.toks[i].word)&cPrep != 0 }
	for i := k.lo + 1; i < k.hi; i++ {
		w := c.toks[i].word
		cl := c.lex.of(w)
		if list, ok := c.mentionAt(i); ok {
			f := longestOf(list)
			return f.kind == world.ThingKind && ends(f.at0+f.n)
		}
		switch {
		case cl&(cPrep|cClaim|cYou|cPron) != 0 && cl&cNoun == 0:
			return false
		case cl&cGoods != 0:
			return !hasAny(w, "а", "я") && ends(i+1)
		case cl&(cDet|cYours) == 0 && !adjective(w) && !hasAny(w, "ую", "юю"):
			return false
		}
	}
	return false
}

// alongHan flags a second thing that a Chinese clause joins to one that was taken.
func (c *checker) alongHan(k *hanClause, o object, v hanVerb, w who) {
	if o.sort != known || v.class&cTake == 0 || w.sort != player {
		return
	}
	s := c.draft.open
	for _, f := range c.found {
		joined := f.at > o.end && f.at-o.end <= 6 && f.end <= k.end && slices.Contains([]string{"和", "与", "及", "以及", "、"}, s[o.end:f.at])
		if joined && f.kind == world.ThingKind && f.full && !c.took(c.d.heroID(), []string{f.id}) {
			c.flag(Item, span{o.at, f.end}, "nobody took both in this turn")
			return
		}
	}
}
