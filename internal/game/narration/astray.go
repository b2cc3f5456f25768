package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// astray finds where "you" are said to have gone by the verb at i, in a turn in which nobody went anywhere: a place by its name, a
// word for a place, a name that nothing has. Steps to what and to who is there are no way to another place, nor are those within one.
func (c *checker) astray(k *clause, i int, cl class) (span, bool) {
	if c.lang == "ru" {
		return c.astrayRussian(k, i)
	}
	open := cl&cGo != 0 // "you enter the hall": what comes next is where
	bare := true        // nothing but "back", "out" and the like came yet
	for j := i + 1; j < k.hi && j < i+16; j++ {
		w, word := c.toks[j].word, c.lex.of(c.toks[j].word)
		switch {
		case bare && word&cAway != 0 && c.closed(k, j+1):
			return span{c.toks[i].at, c.toks[j].end}, true
		case w == "to" || w == "into" || w == "onto" || w == "inside" || w == "outside" || w == "of" && c.toks[j-1].word == "out",
			c.toks[j-1].word == "yourself" && (w == "in" || w == "on" || w == "at"):
			if end, ok := c.spot(k, j+1, w == "to"); ok {
				return span{c.toks[i].at, c.toks[end].end}, true
			}
			open, bare = false, false
		case w == "toward" || w == "towards" || w == "for":
			return span{}, false
		case w == "back" || w == "out" || w == "over" || w == "up" || w == "down" || w == "on" || w == "off" || word&cAdverb != 0 ||
			hasAny(w, "ly", "ward", "wards") || w == "straight" || w == "away" || w == "your" || w == "way" || w == "yourself":
		case open:
			end, ok := c.spot(k, j, false)
			return span{c.toks[i].at, c.toks[end].end}, ok
		case word&cPrep != 0:
			open, bare = false, false
		case bare:
			return span{}, false // what is moved, pushed or led
		}
	}
	return span{}, false
}

// spot reports whether the words from j on are a place to go to, and the last of them. A bare word for something else does, after "to",
// begin no place: "to look at the hall".
func (c *checker) spot(k *clause, j int, infinitive bool) (last int, ok bool) {
	strange := false // a name that nobody knows, or a part of it
	for n := j; n < k.hi && n < j+5 && (n == j || c.toks[n].stop == 0); n++ {
		t, word := &c.toks[n], c.lex.of(c.toks[n].word)
		if strings.HasSuffix(t.word, "'s") {
			continue
		}
		if list, named := c.mentionAt(n); named {
			if f := longestOf(list); f.kind == world.PlaceKind && c.closed(k, n+f.n) {
				return n + f.n - 1, true
			} else if f.kind != world.PlaceKind {
				return n, false
			}
		}
		strange = strange || t.large && word == 0 && !c.heard(t.word)
		switch {
		case word&cSpot != 0 && c.closed(k, n+1):
			return n, !(n+1 < k.hi && c.toks[n+1].stop == 0 && c.toks[n+1].word == "of")
		case word&(cPrep|cConj|cYou|cPron) != 0 && word&cDet == 0:
			return n, false
		case t.large && strange && c.closed(k, n+1):
			return n, true
		case n == j && infinitive && word&(cDet|cYours|cSpot) == 0 && !t.large:
			return n, false
		}
	}
	return j, false
}

// closed reports whether a noun cannot go on with the word at n: "the mill" does in "the mill wheel".
func (c *checker) closed(k *clause, n int) bool {
	if n >= k.hi || c.toks[n].stop != 0 {
		return true
	}
	w := c.toks[n].word
	return c.lex.of(w)&(cPrep|cConj|cAdverb|cPron|cYou|cDet|cYours|cBe|cIf) != 0 || hasAny(w, "ly", "ing", "again") || w == "once" || w == "together"
}

// longestOf returns what is named by most words.
func longestOf(list []found) found {
	return slices.MaxFunc(list, func(a, b found) int { return a.n - b.n })
}

// astrayRussian looks for a way into, onto or out of a place. The case tells where one goes from where one is: a word that ends like
// the latter is no goal.
func (c *checker) astrayRussian(k *clause, i int) (span, bool) {
	for j := i + 1; j < k.hi && j < i+8; j++ {
		w, word := c.toks[j].word, c.lex.of(c.toks[j].word)
		switch {
		case word&cAway != 0:
			return span{c.toks[i].at, c.toks[j].end}, true
		case w == "к" || w == "ко" || word&cClaim != 0 && word&(cNoun|cBody) == 0:
			return span{}, false
		case w == "в" || w == "во" || w == "на" || w == "из" || w == "с" || w == "со" || w == "до":
			into := w == "в" || w == "во" || w == "на"
			if end, ok := c.spotRussian(k, j+1, into); ok {
				return span{c.toks[i].at, c.toks[end].end}, true
			}
		}
	}
	return span{}, false
}

func (c *checker) spotRussian(k *clause, j int, into bool) (last int, ok bool) {
	for n := j; n < k.hi && n < j+4 && c.toks[n].stop == 0; n++ {
		t, word := &c.toks[n], c.lex.of(c.toks[n].word)
		if list, named := c.mentionAt(n); named {
			f := longestOf(list)
			end := n + f.n - 1
			return end, f.kind == world.PlaceKind && !(into && hasAny(c.toks[end].word, "е", "и", "ом", "ых", "их", "ах", "ях"))
		}
		switch {
		case word&cSpot != 0:
			return n, !into || !hasAny(t.word, "и")
		case t.large && word == 0 && !c.heard(t.word):
			return n, !into || !hasAny(t.word, "е", "и", "ом", "ой")
		case word&(cDet|cYours) == 0 && !adjective(t.word) && !hasAny(t.word, "ую", "юю", "ой", "ей", "ого", "его", "ых", "их"):
			return n, false
		}
	}
	return j, false
}

// astrayHan finds the same behind a Chinese verb.
func (c *checker) astrayHan(k *hanClause, v hanVerb) (span, bool) {
	s := c.draft.open
	if strings.HasPrefix(s[v.end:], "的") {
		return span{}, false // "the house that you left"
	}
	if at, ids := c.placeHan(k, v.end); len(ids) > 0 && at.at-v.end <= 6 {
		return span{v.at, at.end}, !withinHan(s[at.end:k.end])
	}
	for _, e := range c.lex.list {
		if e.class&(cOutward|cSpot) == 0 {
			continue
		}
		i, most := strings.Index(s[v.end:k.end], e.word), 12
		if e.class&cSpot != 0 {
			most = 18
		}
		at := span{v.end + i, v.end + i + len(e.word)}
		if i >= 0 && i <= most && !withinHan(s[at.end:k.end]) && !hasAny(s[v.end:at.at], "的旁", "边") && c.freeHan(at) {
			return span{v.at, at.end}, true
		}
	}
	return span{}, false
}

// doorHan reports whether somebody only comes up to the door of a place, or to what else there is of it here.
func (c *checker) doorHan(k *hanClause, v hanVerb, i int) bool {
	s := c.draft.open
	if !hasAny(s[v.at:v.end], "到") || !strings.HasPrefix(s[i:k.end], "的") {
		return false
	}
	return strings.Contains(s[i:k.end], "门") || slices.ContainsFunc(c.found, func(f found) bool {
		return f.kind == world.ThingKind && f.at >= i && f.end <= k.end && c.d.seen[f.id]
	})
}

// withinHan reports whether the words behind a place name a part of it, or what is there.
func withinHan(after string) bool {
	for _, part := range []string{"中央", "中间", "正中", "中心", "另一", "一角", "角落", "一侧", "一边", "一端", "尽头", "边", "旁", "里的", "的", "门", "前", "深处", "入口"} {
		if strings.HasPrefix(after, part) {
			return true
		}
	}
	return false
}

// freeHan reports whether words are no part of the name of a thing or of somebody.
func (c *checker) freeHan(at span) bool {
	return !slices.ContainsFunc(c.found, func(f found) bool {
		return f.kind != world.PlaceKind && f.full && f.at <= at.at && f.end >= at.end
	})
}
