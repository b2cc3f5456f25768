package rules

import (
	"slices"
	"strings"
	"unicode"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// FindTopic returns which of somebody's lines that may be said (open, indexes of talk) words ask for: the one whose
// topic they are, else the first with one of its keys in them, else the first with its topic in them; -1 for none.
func FindTopic(talk []world.Talk, open []int, words string) int {
	words = spelling.Lower(strings.TrimSpace(words))
	for _, i := range open {
		if words != "" && spelling.Lower(talk[i].Topic) == words {
			return i
		}
	}
	for _, i := range open {
		if slices.ContainsFunc(talk[i].Keys, func(key string) bool { return mentions(words, key) }) {
			return i
		}
	}
	for _, i := range open {
		if mentions(words, talk[i].Topic) {
			return i
		}
	}
	return -1
}

// mentions reports whether words in lower case contain a key: each of its words in any form and order. In a script
// without spaces, such as Chinese, the key may stand anywhere.
func mentions(words, key string) bool {
	key = spelling.Lower(strings.TrimSpace(key))
	if strings.ContainsFunc(key, Unspaced) {
		return strings.Contains(words, key)
	}
	parts, said := Words(key), Words(words)
	isSaid := func(part string) bool {
		return slices.ContainsFunc(said, func(w string) bool { return spelling.Akin(w, part) })
	}
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { return !isSaid(part) })
}

// Words returns the words of a text: its runs of letters and digits.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Unspaced reports whether a letter belongs to a script that is written without spaces.
func Unspaced(r rune) bool {
	return r > 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
