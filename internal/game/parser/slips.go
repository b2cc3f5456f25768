package parser

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// nearly returns what tokens name but for one letter.
func (r *reader) nearly(list []token, so func(*entity) bool, mask kind) []*entity {
	list = r.withoutArticle(list)
	if !r.options.Alone || len(list) > 3 || isHan(list[0].text) || r.sight().place != nil && r.partly(list, r.description()) {
		return nil // what the place's own words speak of is no slip
	}
	return slices.DeleteFunc(slices.Collect(r.visible(mask, so)), func(e *entity) bool { return !slip(texts(list), e.words()) })
}

// slip reports whether all words are words of a name, in any form or with a letter wrong.
func slip(words, name []string) bool {
	return !isHan(words[0]) && !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(name, func(n string) bool {
			return akin(word, n) || slips(word, n) || slips(stem(word), stem(n))
		})
	})
}

// stem returns a Russian word without the vowel at its end, which changes with the case; what is of another script has none.
func stem(word string) string {
	if last, n := utf8.DecodeLastRuneInString(word); word != "" && isCyrillic(word) && vowel(last) {
		return word[:len(word)-n]
	}
	return ""
}

// corrected reads a command of whose first words one has a letter wrong.
func (r *reader) corrected(list []token) (Meaning, bool) {
	for i := range min(len(list), 2) {
		for _, t := range r.langs {
			word := t.meant(list[i].text)
			if word == "" || len(r.best(list[i:i+1], nil, ^kind(0))) > 0 {
				continue
			}
			right := slices.Clone(list)
			right[i].text = word
			if m, ok := r.reads(right); ok {
				return m, true
			}
		}
	}
	return Meaning{}, false
}

// meant returns the only word of the commands from which a word differs by a slip, or "" where it is one of them.
func (t table) meant(wrong string) (only string) {
	if utf8.RuneCountInString(wrong) < 5 || isHan(wrong) {
		return ""
	}
	for word := range strings.FieldsFuncSeq(t.commands, func(c rune) bool { return strings.ContainsRune(" ()|;:{}?+~.\n", c) }) {
		switch {
		case word == wrong:
			return ""
		case word == only || !slips(wrong, word):
		case only != "" && !akin(only, word):
			return ""
		default:
			only = word
		}
	}
	return only
}

// slips reports whether two words of five letters and more are one slip apart: a letter too many, one too few, another one, or two
// that have changed places. Their first letter is the same.
func slips(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) < 5 || len(y) < 5 || x[0] != y[0] {
		return false
	}
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	return swapped || len(x) <= 1 && len(y) <= 1
}
