package narration

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/world"
)

// meta flags what belongs to the machinery: code, tools, ids, a model that speaks of itself.
func (c *checker) meta() {
	s := c.draft.text
	low := lowered(s)
	for _, sign := range []string{"```", "<think", "</think", "[/inst", "as an ai", "language model", "as a language", "как ии", "языковая модель",
		"искусственный интеллект", "作为ai", "作为人工智能", "作为一个ai", "语言模型", "must not", "facts:", "tool_call", "function_call", "assistant:", "system prompt"} {
		if i := strings.Index(low, sign); i >= 0 && len(low) == len(s) {
			c.flag(Meta, span{i, i + len(sign)}, "this is not part of a story")
		} else if i >= 0 {
			c.flag(Meta, span{0, min(len(s), 60)}, "this is not part of a story")
		}
	}
	if i := strings.Index(s, `":`); i >= 0 && strings.ContainsAny(s[:i], "{[") {
		c.flag(Meta, span{max(0, strings.LastIndexAny(s[:i], "{[")), i + 2}, "this is JSON, not a story")
	}
	c.refusal()
	for _, t := range (&draft{text: s, open: s}).tokens("zh") {
		if strings.Contains(t.word, "_") && !c.named(s[t.at:t.end]) {
			c.flag(Meta, t.span, "tools and ids are not part of a story")
		}
	}
}

// refusal flags what a model says to whoever asks it, and lines in brackets, which look like hob's own. Whoever says so in the story
// says it in quotes.
func (c *checker) refusal() {
	open := strings.ReplaceAll(lowered(c.draft.open), "’", "'")
	for _, sign := range []string{"i can't help with", "i cannot help with", "i can't assist", "i cannot assist", "i can't continue this", "i cannot continue this",
		"i'm not able to continue", "не могу помочь с эт", "не могу продолжать эт", "我无法协助", "我不能协助", "我无法继续", "我不能继续", "无法满足"} {
		if strings.Contains(open, sign) {
			c.flag(Meta, span{0, min(len(c.draft.text), 60)}, "this is not part of a story")
		}
	}
	at := 0
	for line := range strings.Lines(c.draft.text) {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") {
			c.flag(Meta, span{at, at + len(line)}, "what stands in brackets is not part of a story")
		}
		at += len(line)
	}
}

// named reports whether a word with a low line in it is part of what somebody gave a name.
func (c *checker) named(word string) bool {
	if c.common0 == nil {
		c.learn()
	}
	return strings.Contains(c.text0, lowered(word))
}

// script flags a draft in another language, as far as its letters show it.
func (c *checker) script() {
	var latin, cyrillic, chinese int
	for _, r := range c.draft.text {
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			latin++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		case unicode.Is(unicode.Han, r):
			chinese += 2
		}
	}
	own, others := latin, cyrillic+chinese
	switch c.lang {
	case "ru":
		own, others = cyrillic, latin+chinese
	case "zh":
		own, others = chinese, latin+cyrillic
	}
	if own == 0 && others > 0 || own*3 < others {
		c.flag(Language, span{0, min(len(c.draft.text), 60)}, "write in the language of the story ("+c.lang+")")
	}
}

// limits flags what is never to be in the story, wherever it stands.
func (c *checker) limits() {
	for _, term := range c.d.After.Self().Lines {
		if at, ok := c.mentions(term); ok {
			c.flag(Limit, at, "this must not be in the story")
		}
	}
}

// mentions reports whether all words of a term stand in one place of the draft.
func (c *checker) mentions(term string) (span, bool) {
	low := lowered(c.draft.text)
	if han(term) {
		for _, piece := range strings.FieldsFunc(term, func(r rune) bool { return !unicode.Is(unicode.Han, r) || r == '的' || r == '对' || r == '和' }) {
			i := strings.Index(low, piece)
			if i < 0 || utf8.RuneCountInString(piece) < 2 && term != piece {
				return span{}, false
			}
		}
		return span{0, min(len(c.draft.text), 60)}, true
	}
	all := (&draft{text: c.draft.text, open: c.draft.text}).tokens(c.lang)
	where := span{-1, -1}
	some := false
	for rest := term; rest != ""; {
		w, after := nextWord(rest)
		if rest = after; w == "" || utf8.RuneCountInString(w) < 3 {
			continue
		}
		some = true
		s, hit := stem(c.lang, lowered(w)), false
		for _, t := range all {
			if t.stem == s {
				where, hit = t.span, true
			}
		}
		if !hit {
			return span{}, false
		}
	}
	return where, some
}

// secrets flags what somebody knows and does not say.
func (c *checker) secrets() {
	for _, a := range c.d.After.Actors() {
		c.secret(a.Secret)
	}
	for _, f := range c.d.After.Facts() {
		if f.Secret {
			c.secret(f.Text)
		}
	}
	for _, l := range c.d.After.LoreList() {
		if l.Secret {
			c.secret(l.Text)
		}
	}
	for _, k := range c.d.After.Clocks() {
		if !k.Visible {
			c.secret(k.Name)
		}
	}
}

// secret flags the draft if it has most of the words of a text that are not known anyway.
func (c *checker) secret(text string) {
	if text == "" || !c.touches(text) {
		return
	}
	if c.common0 == nil {
		c.learn()
	}
	low := lowered(c.draft.text)
	own, hits, last := 0, 0, ""
	seen := map[string]bool{}
	count := func(w string, there bool) {
		if seen[w] {
			return
		}
		if seen[w] = true; there {
			hits++
			last = w
		}
		own++
	}
	if c.lang == "zh" && han(text) {
		for pair := range pairsOf(lowered(text)) {
			if !strings.Contains(c.text0, pair) {
				count(pair, strings.Contains(low, pair))
			}
		}
	} else {
		for rest := text; rest != ""; {
			w, after := nextWord(rest)
			if rest = after; utf8.RuneCountInString(w) < 4 {
				continue
			}
			s := stem(c.lang, lowered(w))
			if !c.common0[s] && c.lex.of(lowered(w))&(cPrep|cDet|cPron|cBe|cConj|cMay|cIf|cNot) == 0 {
				count(s, c.said(s))
			}
		}
	}
	if last != "" && hits*5 >= own*3 && hits >= min(own, 2) {
		c.flag(Secret, span{0, min(len(c.draft.text), 80)}, "nobody knows this yet")
	}
}

// touches reports whether a draft has enough of a text's words that it is worth reading.
func (c *checker) touches(text string) bool {
	if c.lang == "zh" && han(text) {
		return true
	}
	hits, all := 0, 0
	for rest := text; rest != ""; {
		w, after := nextWord(rest)
		if rest = after; utf8.RuneCountInString(w) >= 4 {
			if all++; c.said(stem(c.lang, lowered(w))) {
				hits++
			}
		}
	}
	return hits > 0 && hits >= min(all, 2)
}

// said reports whether a stem stands in the draft, in speech or out of it.
func (c *checker) said(stemmed string) bool {
	if len(c.stems[stemmed]) > 0 {
		return true
	}
	for _, q := range c.draft.quotes {
		for rest := c.draft.text[q.at:q.end]; rest != ""; {
			w, after := nextWord(rest)
			if rest = after; w != "" && stem(c.lang, lowered(w)) == stemmed {
				return true
			}
		}
	}
	return false
}

// absent reports whether somebody is not where the story is.
func (c *checker) absent(a *world.Actor) bool {
	if len(c.d.places) == 0 {
		return false
	}
	for _, w := range []*world.World{c.d.Before, c.d.After} {
		if x := w.Actor(a.ID); x != nil && c.d.at(x.Place) {
			return false
		}
	}
	return true
}
