package narration

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// written puts what is written of the world: what is secret, or what is not.
func (d *digest) written(secret bool, put func(string)) {
	w := d.After
	for _, f := range w.Facts() {
		if f.Secret == secret {
			put(f.Text)
		}
	}
	for _, l := range w.LoreList() {
		if l.Secret == secret {
			put(l.Text)
		}
	}
	for _, k := range w.Clocks() {
		if k.Visible != secret {
			put(k.Name)
			if k.Visible {
				put(k.OnFull)
			}
		}
	}
}

// pieces returns what a text is known again by: the stems of its longer words, in Chinese all pairs of characters.
func (c *checker) pieces(text string) map[string]bool {
	all := map[string]bool{}
	if c.lang == "zh" && han(text) {
		runes := []rune(lowered(text))
		for i := range max(0, len(runes)-1) {
			if unicode.Is(unicode.Han, runes[i]) && unicode.Is(unicode.Han, runes[i+1]) {
				all[string(runes[i:i+2])] = true
			}
		}
		return all
	}
	for _, w := range words(text) {
		if utf8.RuneCountInString(w) > 3 && c.lex.of(w)&cGrammar == 0 {
			all[stem(c.lang, w)] = true
		}
	}
	return all
}

func (c *checker) isCommon(piece string) bool {
	c.learn()
	return c.common[piece] || c.lang == "zh" && strings.Contains(c.text, piece)
}

// knows reports whether words stand in what has been told or written down for all to know.
func (c *checker) knows(text string) bool {
	c.learn()
	if text = strings.TrimSpace(lowered(text)); text == "" || strings.Contains(c.text, text) {
		return true
	}
	return c.lang != "zh" && !slices.ContainsFunc(words(text), func(w string) bool { return !c.common[stem(c.lang, w)] })
}

// isThere reports whether a word stands in what is told of the world: that a player says it makes nothing so.
func (c *checker) isThere(t *token) bool {
	c.learn()
	return strings.Contains(c.there, t.stem)
}

// learn gathers what is known.
func (c *checker) learn() {
	if c.common != nil {
		return
	}
	var b strings.Builder
	put := func(texts ...string) {
		for _, s := range texts {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	w := c.d.After
	put(c.d.Recent...)
	put(w.Self().Title, w.Self().Desc, w.Self().GoalText)
	for _, q := range w.Quests() {
		put(append(q.Objectives, q.Title)...)
	}
	c.d.written(false, func(text string) { put(text) })
	c.d.seenTexts(put)
	c.there = lowered(b.String())
	for _, l := range c.d.Says {
		put(l.Text)
	}
	c.text = lowered(strings.ToValidUTF8(b.String(), " "))
	c.common = map[string]bool{}
	for _, word := range words(c.text) {
		c.common[stem(c.lang, word)] = true
	}
}

// knownNumbers returns the numbers in what has been told or written down for all to know.
func (c *checker) knownNumbers() []int64 {
	c.learn()
	if c.counted == nil {
		c.counted = []int64{0}
		for _, n := range c.numerals(c.plainTokens(c.allTexts())) {
			c.counted = append(c.counted, n.n)
		}
	}
	return c.counted
}

// allTexts returns all that is known, with what people who are there have not said yet.
func (c *checker) allTexts() string {
	c.learn()
	text := c.text
	for _, a := range c.d.After.Actors() {
		for i := 0; c.d.seen[a.Place] && i < len(a.Talk); i++ {
			text += "\n" + a.Talk[i].Text
		}
	}
	return text
}
