package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/spelling"
)

// How well words fit a name; more is better.
const (
	noFit     = iota
	beginning // each is a word of it, or the beginning of one
	someWords // each is a word of it
	lastWords // and its last word is one of them: a salt herring is a herring, and a herring barrel is a barrel
	allWords  // they are all of its words, in any case
	exactly
)

// fit returns how well words fit a name.
func fit(words, name []string) int {
	switch {
	case len(words) == 0 || len(name) == 0:
		return noFit
	case slices.Equal(words, name):
		return exactly
	}
	if slices.ContainsFunc(words, isHan) {
		return fitPart(words, name)
	}
	words = splitWords(words, name)
	best := someWords
	for _, word := range words {
		switch {
		case slices.ContainsFunc(name, func(n string) bool { return spelling.Akin(word, n) }):
		case slices.ContainsFunc(name, func(n string) bool { return begins(word, n) || isDiminutive(word, n) || isDiminutive(n, word) }):
			best = beginning
		default:
			return noFit
		}
	}
	if last := name[len(name)-1]; best == someWords && last[0] < 128 && spelling.Akin(words[len(words)-1], last) {
		best = lastWords
	}
	if best > beginning && len(words) == len(name) && !slices.ContainsFunc(name, func(n string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return spelling.Akin(word, n) })
	}) {
		return allWords
	}
	return best
}

// splitWords writes a word that is two of a name's as two: "icehouse" for the Ice House.
func splitWords(words, name []string) []string {
	for at, word := range words {
		for i := 1; i < len(name); i++ {
			if len(word) == len(name[i-1])+len(name[i]) && strings.HasPrefix(word, name[i-1]) && strings.HasSuffix(word, name[i]) {
				return slices.Concat(words[:at], name[i-1:i+1], words[at+1:])
			}
		}
	}
	return words
}

// fitPart is fit for Chinese: any part of a name fits.
func fitPart(words, name []string) int {
	best := noFit
	for i := 0; i+len(words) <= len(name); i++ {
		if slices.Equal(words, name[i:i+len(words)]) && (len(words) > 1 || isHead(name, i)) {
			best = someWords
			if i+len(words) == len(name) {
				return lastWords
			}
		}
	}
	if best > noFit {
		return best
	}
	// 箱子 is said of a 橡木箱, too.
	if n := len(words) - 1; n > 0 && (words[n] == "子" || words[n] == "头") && slices.Contains(name, words[n-1]) && fitPart(words[:n], name) > noFit {
		return beginning
	}
	return noFit
}

// isHead reports whether a character of a Chinese name says what kind of thing it is: it is the last one, or the last
// before 子 or 头, or before a word for a part of it: 塔底 is at the 塔. So 看海 does not look at 海丝特.
func isHead(name []string, at int) bool {
	rest := name[at+1:]
	return len(rest) == 0 || len(rest) == 1 && strings.Contains("子头底口里内外边旁", rest[0])
}

// isGivenName reports whether a character is the given name in a Chinese name: 南·托利弗.
func isGivenName(word, name string) bool {
	return isHan(word) && strings.HasPrefix(name, word+"·")
}

// begins reports whether a word of at least four letters is a prefix of another one.
func begins(word, of string) bool {
	return len(word) >= 4 && strings.HasPrefix(of, word) && utf8.RuneCountInString(word) >= 4
}

// isDiminutive reports whether a Russian noun is a diminutive of another one: уголёк of уголь.
func isDiminutive(word, small string) bool {
	if word == "" || !isCyrillic(word) {
		return false
	}
	base := strings.TrimRight(word, "аеиоуыэюяьй")
	rest, ok := strings.CutPrefix(strings.TrimRight(small, "аеиоуыэюяьй"), base)
	return ok && utf8.RuneCountInString(base) > 3 && slices.Contains([]string{"ек", "ок", "ик", "ечек", "очек", "к", "очк", "ечк"}, rest)
}

func isCyrillic(word string) bool { return word[0] == 0xD0 || word[0] == 0xD1 }
