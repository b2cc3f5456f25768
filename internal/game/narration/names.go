package narration

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// name is an entity that words of a draft name.
type name struct {
	kind world.Kind
	id   string
	full bool // by all of its name
	bent bool // in another case than the nominative
	at   int  // the first token, and how many
	n    int
}

// nameForm is one way to name an entity: the stems of its words, and the first as it stands; in Chinese the characters.
type nameForm struct {
	name
	stems []string
	word  string
	large bool // it is written with a capital
	last  bool // it is what stands last in the name
}

// nameForms returns all ways to name what a draft with these stems may name. In Chinese all of them are there.
func (c *checker) nameForms(has func(stem string) bool) (list []nameForm) {
	each := func(kind world.Kind, id, text string) {
		if c.lang == "zh" && spelling.HasHan(text) {
			list = append(list, formsHan(kind, id, text)...)
			return
		}
		if _, stems := c.nameWords(text); slices.ContainsFunc(stems, has) {
			list = append(list, c.formsOf(kind, id, text)...)
		}
	}
	for _, a := range c.d.After.Actors() {
		each(world.ActorKind, a.ID, a.Name)
	}
	for _, p := range c.d.After.Places() {
		each(world.PlaceKind, p.ID, p.Name)
	}
	for _, t := range c.d.After.Things() {
		each(world.ThingKind, t.ID, t.Name)
	}
	return list
}

// nameWords returns the words of a name without an article before it, and their stems.
func (c *checker) nameWords(text string) (list, stems []string) {
	if list = spelling.Words(text); len(list) > 1 && list[0] == "the" {
		list = list[1:]
	}
	for _, w := range list {
		stems = append(stems, spelling.Stem(c.lang, w))
	}
	return list, stems
}

// formsOf returns the ways to name something in a language with spaces: by all of its name, by what it is ("key" of a bone key), and by what somebody is called.
func (c *checker) formsOf(kind world.Kind, id, text string) (list []nameForm) {
	n := name{kind: kind, id: id, full: true}
	first, stems := c.nameWords(text)
	list = append(list, nameForm{name: n, stems: stems, word: first[0], large: kind == world.ActorKind && len(stems) == 1 && text != spelling.Lower(text)})
	n.full = len(stems) == 1
	if title := c.lex.of(first[0]); kind == world.ActorKind && title&cTitle != 0 && title&cMild == 0 {
		list = append(list, nameForm{name: n, stems: stems[:1], word: first[0]})
	}
	for _, w := range c.heads(kind, text) {
		list = append(list, nameForm{n, []string{spelling.Stem(c.lang, w)}, w, kind == world.ActorKind && !strings.Contains(text, w), strings.HasSuffix(spelling.Lower(text), " "+w)})
	}
	return list
}

// heads returns the words by which something may be called for short.
func (c *checker) heads(kind world.Kind, text string) (list []string) {
	head, set := "", false
	for _, w := range strings.Fields(text) {
		w = strings.TrimFunc(w, func(r rune) bool { return !spelling.IsLetter(r) })
		low := spelling.Lower(w)
		r, _ := utf8.DecodeRuneInString(w)
		if w == "" || slices.Contains(c.lex.lists["joining"], low) {
			if set = set || head != ""; c.lex.of(head)&cMeasure != 0 && strings.HasSuffix(text, "s") {
				head, set = "", false // "a pair of spectacles"
			}
			continue
		}
		if kind == world.ActorKind && unicode.IsUpper(r) && len(w) > 2 && c.lex.of(low)&cTitle == 0 {
			list = append(list, low)
		}
		if !set {
			head = low
			set = len(c.lex.lists["adjective"]) > 0 && !spelling.HasEnd(low, c.lex.lists["adjective"]...)
		}
	}
	return append(list, head)
}

// formsHan returns the ways to name something in Chinese: all of its name, what stands behind a dot in it, what it is at its end, and
// what somebody is called before a title.
func formsHan(kind world.Kind, id, text string) (list []nameForm) {
	add := func(full bool, words ...string) {
		for _, w := range words {
			list = append(list, nameForm{name: name{kind: kind, id: id, full: full}, stems: []string{w}, word: w})
		}
	}
	add(true, text)
	if i := strings.LastIndex(text, "·"); i > 0 {
		if kind == world.ActorKind {
			add(true, text[:i])
		}
		text = text[i+len("·"):]
		add(true, text)
	}
	runes := []rune(text)
	n := len(runes)
	if n > 2 && kind != world.PlaceKind {
		add(false, string(runes[n-2:]))
	}
	if kind == world.ActorKind && n > 3 {
		add(true, string(runes[:n-2]))
	}
	return list
}

// names finds what the draft names, and takes from the words of a longer name what they would claim by themselves.
func (c *checker) names(forms []nameForm) {
	at := map[string][]int{}
	for i := range c.toks {
		at[c.toks[i].stem] = append(at[c.toks[i].stem], i)
	}
	for _, f := range forms {
		for _, i := range at[f.stems[0]] {
			if i+len(f.stems) > len(c.toks) || !c.same(i, f.stems) {
				continue
			}
			if f.large && !c.toks[i].large && !(f.last && c.d.Seen[f.id]) { // the pale hound
				continue
			}
			if f.large && !f.full && c.inTitle(i, f.id) {
				continue
			}
			if !f.full && !c.d.Seen[f.id] && (c.toks[i].class&cStash != 0 || c.toks[i].sign&sBody != 0) { // "your fist" is not the stone fists
				continue
			}
			n := f.name
			n.at, n.n, n.bent = i, len(f.stems), c.toks[i].word != f.word
			for j := i; j < i+n.n; j++ {
				c.toks[j].names = append(c.toks[j].names, n)
			}
		}
	}
	for i := range c.toks {
		t := &c.toks[i]
		longest := 0
		for _, n := range t.names {
			longest = max(longest, n.n)
		}
		t.names = slices.DeleteFunc(t.names, func(n name) bool { return n.n < longest })
		if longest > 0 {
			t.class &= cDoor | cGoods | cSpot | cGold
		}
	}
}

// inTitle reports whether the word at i ends a known name of something else than an actor: the Rain Stone is not the man who is called Stone.
func (c *checker) inTitle(i int, actor string) bool {
	if i == 0 || c.toks[i].stop != 0 || !c.toks[i-1].large {
		return false
	}
	title := c.toks[i-1].word + " " + c.toks[i].word
	return !strings.Contains(spelling.Lower(c.d.After.Actor(actor).Name), title) && c.d.Knows(title)
}

func (c *checker) same(i int, stems []string) bool {
	for j, s := range stems {
		if c.toks[i+j].stem != s {
			return false
		}
	}
	return true
}

// named returns what the word at i names of a kind.
func (c *checker) named(i int, kind world.Kind) (ids []string) {
	for _, n := range c.toks[i].names {
		if n.kind == kind {
			ids = append(ids, n.id)
		}
	}
	return ids
}

// strangers flags things that are named, and that nobody can see or know of.
func (c *checker) strangers() {
	for i := range c.toks {
		for _, n := range c.toks[i].names {
			if n.at != i || !n.full || c.d.Seen[n.id] || n.kind != world.ThingKind {
				continue
			}
			where := span{c.toks[i].at, c.toks[i+n.n-1].end}
			if c.d.Knows(c.draft.open[where.at:where.end]) {
				continue
			}
			if t := c.d.After.Thing(n.id); t != nil && !t.Hidden && !c.cancelled(i) {
				c.flag(Item, where, "this is not here")
			}
		}
	}
}
