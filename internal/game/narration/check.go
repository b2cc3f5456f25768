package narration

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostFlags is how many flags there are at most: a model needs no more to write something else.
const mostFlags = 12

// Check holds a draft against what happened. It returns what it says and what is not so, in no case more than a few flags; none
// is a draft that may be told. It takes any bytes, and the beginning of a draft up to the end of a sentence as well.
func (t Turn) Check(text string) []Flag { return newChecker(t.digest()).check(text) }

// checker reads drafts of one turn.
type checker struct {
	d     *digest
	lang  string
	lex   *lexicon
	draft *draft
	toks  []token
	flags []Flag
	own   bool // what is read are the engine's own words, which may be told again

	common  map[string]bool // the stems of all that is known
	text    string          // and all of it
	there   string          // all of it but what players said
	counted []int64         // the numbers that are known
}

func newChecker(d *digest) *checker {
	return &checker{d: d, lang: d.lang(), lex: lexicons()[d.lang()]()}
}

func (c *checker) check(text string) []Flag {
	c.read(text)
	if len(text) > mostRead {
		c.flag(Meta, span{0, min(len(c.draft.text), 40)}, "this is much too long")
	}
	if !strings.ContainsFunc(c.draft.text, lettered) {
		return []Flag{{Kind: Empty, Problem: "nothing is told"}}
	}
	c.meta()
	c.again()
	c.script()
	c.limits()
	c.unmarked()
	c.strangers()
	c.secrets()
	c.numbers()
	c.people()
	c.claims()
	return c.flags
}

// hushed reports whether a sentence says what must not be told: a secret, or what is behind a line.
func (c *checker) hushed(text string) bool {
	c.read(text)
	c.limits()
	c.strangers()
	c.secrets()
	return slices.ContainsFunc(c.flags, func(f Flag) bool { return f.Kind == Secret || f.Kind == Limit })
}

// read takes a draft apart.
func (c *checker) read(text string) {
	c.draft, c.flags = newDraft(text), nil
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

// flag adds a flag, once for the same words.
func (c *checker) flag(kind string, at span, problem string) {
	evidence := plain(c.draft.text[at.at:min(at.end, len(c.draft.text))], 120)
	if len(c.flags) >= mostFlags || slices.ContainsFunc(c.flags, func(f Flag) bool { return f.Kind == kind && f.Evidence == evidence }) {
		return
	}
	c.flags = append(c.flags, Flag{kind, evidence, "“" + evidence + "”: " + problem + "."})
}

// machinery is what no story has: code, a model's own marks, JSON, lines in brackets, and words joined as ids are.
var machinery = regexp.MustCompile("(?im)```|</?think|\\[/inst|must not|facts:|tool_call|function_call|assistant:|[{\\[][^{\\[]*\":|^[ \\t]*\\[.*\\][ \\t]*$|[a-z0-9]+(_[a-z0-9]+)+")

// meta flags what belongs to the machinery: code, tools, ids, a model that speaks of itself.
func (c *checker) meta() {
	for _, m := range machinery.FindAllStringIndex(c.draft.text, -1) {
		if found := c.draft.text[m[0]:m[1]]; !strings.Contains(found, "_") || !c.knows(found) {
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
	same := func(s string) string { return strings.Join(words(s), " ") }
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

// limits flags what is never to be in the story, wherever it stands.
func (c *checker) limits() {
	low := lowered(c.draft.text)
	stems := map[string]bool{}
	for _, w := range words(c.draft.text) {
		stems[stem(c.lang, w)] = true
	}
	for _, term := range c.d.After.Self().Lines {
		some, all := false, true
		for _, w := range words(term) {
			for _, piece := range strings.FieldsFunc(w, func(r rune) bool { return r == '的' || r == '对' || r == '和' }) {
				switch {
				case han(piece):
					some, all = true, all && strings.Contains(low, piece)
				case utf8.RuneCountInString(piece) > 2:
					some, all = true, all && stems[stem(c.lang, piece)]
				}
			}
		}
		if some && all {
			c.flag(Limit, span{0, min(len(c.draft.text), 60)}, "“"+plain(term, 60)+"” must not be in the story")
		}
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

// secrets flags what somebody knows and does not say.
func (c *checker) secrets() {
	for _, a := range c.d.After.Actors() {
		c.secret(a.Secret)
	}
	c.d.written(true, c.secret)
}

// secret flags the draft if it has most of the words of a text that are not known anyway, in speech or out of it.
func (c *checker) secret(text string) {
	told := c.pieces(c.draft.text)
	own, hits := 0, 0
	for piece := range c.pieces(text) {
		if !c.isCommon(piece) {
			own++
			if told[piece] {
				hits++
			}
		}
	}
	if hits > 0 && hits*5 >= own*3 && hits >= min(own, 2) {
		c.flag(Secret, span{0, min(len(c.draft.text), 80)}, "nobody knows this yet")
	}
}
