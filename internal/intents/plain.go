package intents

import (
	"slices"
	"strings"
)

// Words are said in more ways than sentences have: "is", "haste" and "щас" are ist, hast du and сейчас. The table plain of a language's values has
// such words, and the ones that sentences are written with. A text that is no chore is read with those in their place.

// inPlain reads a text that is no chore with its words as sentences have them.
func (s *Sentences) inPlain(text, lang string) Reading {
	for i := range s.langs() {
		l := &s.langs()[i]
		if lang != "" && l.name != lang || !l.mayBe(fold(text)) {
			continue
		}
		if plain := l.plain(text); plain != text {
			if r := s.ReadIn(l.name, plain); r.Kind != "" && r.keeps(text) {
				return r
			}
		}
	}
	return Reading{}
}

// plain returns a text with the words and the orders that sentences are written with. In quotes they are meant as they are.
func (l *language) plain(text string) string {
	if l.section("values.plain") == "" || strings.ContainsAny(text, "\n\r") || strings.Contains(fold(text).norm, `"`) {
		return text
	}
	return l.asOrders(l.withPlainWords(text))
}

// withPlainWords returns a text with the words that sentences are written with.
func (l *language) withPlainWords(text string) string {
	words, isPlain := strings.Fields(text), true
	for i, word := range words {
		bare := strings.TrimRight(word, ",;.!?:")
		if plain, known := l.value("plain", fold(bare).norm); known {
			words[i], isPlain = plain+word[len(bare):], false
		}
	}
	if isPlain {
		return text
	}
	return strings.Join(words, " ")
}

// keeps reports whether what a reading notes, writes down, looks for or runs stands so in a text.
func (r Reading) keeps(text string) bool {
	return !slices.ContainsFunc(r.Chores(), func(r Reading) bool {
		return r.from != nil && slices.ContainsFunc(r.from.slots, func(s slot) bool {
			return (s.is(verbatim|brief) || s.isFree() && !s.isLater()) && !strings.Contains(text, r.from.text.original(s.from, s.to))
		})
	})
}
