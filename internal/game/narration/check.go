package narration

import (
	"slices"
	"strings"
	"unicode"

	"hob/internal/game/account"
	"hob/internal/game/spelling"
	"hob/internal/lazyregexp"
)

// mostFlags is how many flags there are at most: a model needs no more to write something else.
const mostFlags = 12

// Check holds a draft against what happened. It returns what it says and what is not so, in no case more than a few flags; none
// is a draft that may be told. It takes any bytes, and the beginning of a draft up to the end of a sentence as well.
func Check(t account.Turn, text string) []Flag { return newChecker(t.Digest()).check(text) }

// Holds reports whether a sentence of the engine's own has no flag. It may have been told before.
func Holds(d *account.Digest, text string) bool {
	c := newChecker(d)
	c.own = true
	return len(c.check(text)) == 0
}

// checker reads drafts of one turn.
type checker struct {
	d      *account.Digest
	lang   string
	lex    *lexicon
	draft  *draft
	toks   []token
	flags  []Flag
	doubts []doubt
	own    bool // what is read are the engine's own words, which may be told again

	counted   []int64            // the numbers that are known
	countedOf map[string][]int64 // the same by the words behind them
}

func newChecker(d *account.Digest) *checker {
	return &checker{d: d, lang: d.Language(), lex: lexicons()[d.Language()]()}
}

func (c *checker) check(text string) []Flag {
	c.read(text)
	if len(text) > mostRead {
		c.flag(Meta, span{0, min(len(c.draft.text), 40)}, "this is much too long")
	}
	if !strings.ContainsFunc(c.draft.text, spelling.IsLetter) {
		return []Flag{{Kind: Empty, Problem: "nothing is told"}}
	}
	c.meta()
	c.again()
	c.script()
	c.banned()
	c.unmarked()
	c.strangers()
	c.numbers()
	c.people()
	c.newcomers()
	c.claims()
	c.stated()
	return c.flags
}

// read takes a draft apart.
func (c *checker) read(text string) {
	c.draft, c.flags, c.doubts = newDraft(text), nil, nil
	known, longest := func(string) bool { return false }, c.lex.longest
	var forms []nameForm
	if c.lang == "zh" {
		forms = c.nameForms(func(string) bool { return true })
		all := map[string]bool{}
		for _, f := range forms {
			all[f.stems[0]] = true
			longest = max(longest, len(f.stems[0]))
		}
		known = func(s string) bool { return all[s] || c.lex.has(s) }
		longest = min(longest, 60)
	}
	c.toks = c.draft.tokens(c.lang, known, longest)
	c.lex.classify(c.toks)
	if c.lang != "zh" {
		stems := map[string]bool{}
		for i := range c.toks {
			stems[c.toks[i].stem] = true
		}
		forms = c.nameForms(func(s string) bool { return stems[s] })
	}
	c.names(slices.DeleteFunc(forms, func(f nameForm) bool { return len(f.stems) == 0 }))
}

// flag adds a flag for words of the draft.
func (c *checker) flag(kind string, at span, problem string) {
	c.add(kind, spelling.Line(c.draft.text[at.at:min(at.end, len(c.draft.text))], 120), problem)
}

// add adds a flag, once for the same evidence.
func (c *checker) add(kind, evidence, problem string) {
	if len(c.flags) >= mostFlags || slices.ContainsFunc(c.flags, func(f Flag) bool { return f.Kind == kind && f.Evidence == evidence }) {
		return
	}
	c.flags = append(c.flags, Flag{kind, evidence, "“" + evidence + "”: " + problem + "."})
}

// machinery is what no story has: code, a model's own marks, JSON, lines in brackets, and words joined as ids are.
var machinery = lazyregexp.New("(?im)```|</?think|\\[/inst|must not|facts:|tool_call|function_call|assistant:|[{\\[][^{\\[]*\":|^[ \\t]*\\[.*\\][ \\t]*$|[a-z0-9]+(_[a-z0-9]+)+")

// meta flags what belongs to the machinery: code, tools, ids, a model that speaks of itself.
func (c *checker) meta() {
	for _, m := range machinery().FindAllStringIndex(c.draft.text, -1) {
		if found := c.draft.text[m[0]:m[1]]; !strings.Contains(found, "_") || !c.d.Knows(found) {
			c.flag(Meta, span{m[0], m[1]}, "this is not part of a story")
		}
	}
	for i := range c.toks {
		if c.toks[i].class&cMachine != 0 {
			c.flag(Meta, c.toks[i].span, "this is not part of a story")
		}
	}
}

// again flags words that were told of an earlier turn, where something has happened since.
func (c *checker) again() {
	same := func(s string) string { return strings.Join(spelling.Words(s), " ") }
	now := same(c.draft.text)
	if len(c.d.Events) > 0 && !c.own && slices.ContainsFunc(c.d.Recent, func(old string) bool { return same(old) == now }) && now != same(c.d.Tell()) {
		c.flag(Meta, span{0, min(len(c.draft.text), 60)}, "this was told before: tell what happened now")
	}
}

// script flags a draft in another language, as far as its letters show it.
func (c *checker) script() {
	letters := map[string]int{}
	for _, r := range c.draft.text {
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			letters["en"]++
		case unicode.Is(unicode.Cyrillic, r):
			letters["ru"]++
		case unicode.Is(unicode.Han, r):
			letters["zh"] += 2
		}
	}
	own := letters[c.lang]
	if all := letters["en"] + letters["ru"] + letters["zh"]; own*4 < all {
		c.flag(Language, span{0, min(len(c.draft.text), 60)}, "write in the language of the story ("+c.lang+")")
	}
}

// unmarked flags marks of what there is not.
func (c *checker) unmarked() {
	for _, m := range c.draft.marks {
		w, kind := c.d.After, map[string]string{"object": Item, "player": Person, "location": Place}[m.kind]
		if w.Thing(m.id) == nil && w.Actor(m.id) == nil && w.Place(m.id) == nil && c.d.Before.Thing(m.id) == nil && c.d.Before.Actor(m.id) == nil {
			c.flag(kind, m.span, "there is nothing with this id")
		}
	}
}

// banned flags what must not be told, in speech too.
func (c *checker) banned() {
	for _, b := range c.d.Banned(c.draft.text) {
		kind := Secret
		if b.Line {
			kind = Limit
		}
		c.add(kind, b.Words, b.Problem)
	}
}
