package narration

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostFlags is how many flags there are at most: a model needs no more to write something else.
const mostFlags = 12

// Check holds a draft against what happened. It returns what it says and what is not so, in no case more than a few flags; none
// is a draft that may be told. It takes any bytes.
func (t Turn) Check(text string) []Flag { return newChecker(t.digest()).check(text) }

// checker reads drafts of one turn.
type checker struct {
	d    *digest
	lang string
	lex  *lexicon
	tell *lexicon

	draft  *draft
	toks   []token          // the last one is the end of the text
	stems  map[string][]int // where each stem stands
	starts [starts]bool     // how its words begin
	pairs  map[string]bool  // of Chinese characters
	found  []found
	first  [][]found // by the token with which they begin
	final  [][]found // and by the one with which they end
	flags  []Flag

	told    []class   // what each word means among the tellings
	toldHan []hanVerb // and where there are no words

	common0 map[string]bool // the stems of all that is known
	text0   string          // and all of it
	facts0  string          // what is a fact of the turn, and who spoke in it; "" is not read yet
	own     bool            // what is read are the rules' own words
}

func newChecker(d *digest) *checker {
	if d.lex == nil {
		d.lex, d.tell = lexiconOf(d.lang()), tellingsOf(d.lang())
	}
	return &checker{d: d, lang: d.lang(), lex: d.lex, tell: d.tell}
}

func (c *checker) check(text string) []Flag {
	c.read(text)
	if len(text) > mostRead {
		c.flag(Meta, span{0, min(len(c.draft.text), 40)}, "this is much too long")
	}
	if !strings.ContainsFunc(c.draft.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return []Flag{{Kind: Empty, Problem: "nothing is told"}}
	}
	c.meta()
	c.again()
	c.script()
	c.limits()
	c.names()
	c.secrets()
	c.strangers()
	c.numbers()
	c.times()
	if c.lang == "zh" {
		c.readToldHan()
		c.claimsHan()
	} else {
		c.readTold()
		c.claims()
	}
	c.searching()
	return c.flags
}

// hushed reports whether a sentence says what nobody is to know.
func (c *checker) hushed(text string) bool {
	c.read(text)
	c.names()
	c.secrets()
	c.strangers()
	return slices.ContainsFunc(c.flags, func(f Flag) bool { return f.Kind == Secret })
}

// read takes a draft apart.
func (c *checker) read(text string) {
	c.draft = newDraft(text)
	c.flags = nil
	c.toks = c.draft.tokens(c.lang)
	c.toks = append(c.toks, token{span: span{len(c.draft.open), len(c.draft.open)}, stop: c.last()})
	c.stems = make(map[string][]int, len(c.toks))
	c.starts = [starts]bool{}
	for i := range c.toks[:len(c.toks)-1] {
		one, n := utf8.DecodeRuneInString(c.toks[i].word)
		two, _ := utf8.DecodeRuneInString(c.toks[i].word[n:])
		c.starts[startOf(one, two)] = true
		c.stems[c.toks[i].stem] = append(c.stems[c.toks[i].stem], i)
	}
	if c.lang == "zh" {
		c.pairs = pairsOf(c.draft.open)
	}
}

// last returns the mark at the end of the draft.
func (c *checker) last() rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(c.draft.open, " \n\t*_"))
	if r == '?' || r == '？' {
		return '?'
	}
	return '.'
}

// flag adds a flag, once for the same words.
func (c *checker) flag(kind string, at span, problem string) {
	evidence := plain(c.draft.text[at.at:min(at.end, len(c.draft.text))], 120)
	if len(c.flags) >= mostFlags || slices.ContainsFunc(c.flags, func(f Flag) bool { return f.Kind == kind && f.Evidence == evidence }) {
		return
	}
	c.flags = append(c.flags, Flag{kind, evidence, "“" + evidence + "”: " + problem + "."})
}

// knows reports whether words stand in what has been told or written down for all to know.
func (c *checker) knows(words string) bool {
	if c.common0 == nil {
		c.learn()
	}
	if strings.Contains(c.text0, lowered(words)) {
		return true
	}
	if c.lang == "zh" {
		return false
	}
	for rest := words; rest != ""; {
		w, after := nextWord(rest)
		rest = after
		if w != "" && !c.common0[stem(c.lang, lowered(w))] {
			return false
		}
	}
	return true
}

// learn gathers what is known.
func (c *checker) learn() {
	var b strings.Builder
	put := func(texts ...string) {
		for _, s := range texts {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	w := c.d.After
	put(c.d.Recent...)
	for _, l := range c.d.Says {
		put(l.Text)
	}
	put(w.Self().Title, w.Self().Desc, w.Self().GoalText)
	for _, l := range w.LoreList() {
		if !l.Secret {
			put(l.Text)
		}
	}
	for _, q := range w.Quests() {
		put(append(q.Objectives, q.Title)...)
	}
	for _, f := range w.Facts() {
		if !f.Secret {
			put(f.Text)
		}
	}
	for _, k := range w.Clocks() {
		if k.Visible {
			put(k.Name, k.OnFull)
		}
	}
	c.seenTexts(put)
	c.text0 = lowered(strings.ToValidUTF8(b.String(), " "))
	c.common0 = map[string]bool{}
	for rest := c.text0; rest != ""; {
		word, after := nextWord(rest)
		rest = after
		if word != "" {
			c.common0[stem(c.lang, word)] = true
		}
	}
}

// seenTexts puts the words on what can be seen, in no order: only what stands in them matters.
func (c *checker) seenTexts(put func(...string)) {
	w := c.d.After
	all := func(attrs map[string]string) {
		for _, v := range attrs {
			put(v)
		}
	}
	for id := range c.d.seen {
		if a := w.Actor(id); a != nil {
			put(a.Name)
			if a.Role != "pc" { // who a hero has been is about nobody here
				put(a.Desc)
			}
			all(a.Attrs)
			for _, talk := range a.Talk {
				if talk.Said {
					put(talk.Text)
				}
			}
		}
		if t := w.Thing(id); t != nil {
			put(t.Name, t.Desc)
			all(t.Attrs)
		}
	}
	for _, p := range w.Places() {
		if p.Visited || slices.Contains(c.d.places, p.ID) {
			put(p.Name, p.Desc, p.Situation)
			all(p.Attrs)
		} else if c.d.seen[p.ID] {
			put(p.Name)
		}
	}
}
