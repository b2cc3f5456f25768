package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/spelling"
)

// findSlips finds what tokens name with a typing error.
func (r *reader) findSlips(list []token, fits func(*entity) bool, mask kind) []*entity {
	list = r.withoutArticle(list)
	if !r.options.NoModel || len(list) > 3 || isHan(list[0].text) || r.sight().place != nil && r.sharesWord(list, r.description()) {
		return nil // a word of the place's text is no typing error
	}
	return slices.DeleteFunc(slices.Collect(r.visible(mask, fits)), func(e *entity) bool { return !isSlipOf(texts(list), e.words()) })
}

// isSlipOf reports whether all words are words of a name, in any form or with a typing error.
func isSlipOf(words, name []string) bool {
	return !isHan(words[0]) && !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(name, func(n string) bool {
			return spelling.Akin(word, n) || isSlip(word, n) || isSlip(stem(word), stem(n))
		})
	})
}

// stem returns a Russian word without its last vowels, which change with the case; "" if it ends with none, and for all
// other scripts.
func stem(word string) string {
	if base := strings.TrimRight(word, "аеиоуыэюяй"); word != "" && isCyrillic(word) && base != word {
		return base
	}
	return ""
}

// readCorrected reads a command with a typing error in its first two words, or with its verb in another form.
func (r *reader) readCorrected(list []token) (Meaning, bool) {
	for _, r.table = range r.langs {
		list = r.withoutPolite(list)
		for i := range min(len(list), 2) {
			words := []string{r.table.correct(list[i].text)}
			if i == 0 {
				words = append(verbsOf(list[0].text), words...)
			}
			for _, word := range words {
				if word == "" || len(r.findBest(list[i:i+1], nil, ^kind(0))) > 0 {
					continue
				}
				right := slices.Clone(list)
				right[i].text = word
				if m, ok := r.readVerb(right); ok {
					return m, true
				}
			}
		}
	}
	return Meaning{}, false
}

// verbsOf returns the verbs that an English word in -ing may come from (opening, putting, taking), or a Russian
// imperative to several people (откройте).
func verbsOf(word string) []string {
	if base, ok := strings.CutSuffix(word, "ing"); ok && len(base) > 1 {
		return []string{base, base[:len(base)-1], base + "e"}
	}
	for _, end := range [...]string{"те", "тесь"} {
		if base, ok := strings.CutSuffix(word, end); ok && isCyrillic(word) {
			return []string{base + strings.TrimPrefix(end, "те"), base + "ь"}
		}
	}
	return nil
}

// correct returns the word of the commands and directions that differs from a word by a typing error; "" if there are
// several, or if the word is right.
func (t table) correct(wrong string) (only string) {
	if utf8.RuneCountInString(wrong) < 4 || isHan(wrong) {
		return ""
	}
	words := t.commands
	for _, key := range [...]string{"n", "e", "s", "w"} {
		words += " " + t.word("dir."+key)
	}
	for word := range strings.FieldsFuncSeq(words, func(c rune) bool { return strings.ContainsRune(" ()|;:{}?+~.\n", c) }) {
		switch {
		case word == wrong:
			return ""
		case word == only || !isSlip(wrong, word):
		case only != "" && !spelling.Akin(only, word):
			return ""
		default:
			only = word
		}
	}
	return only
}

// isSlip reports whether two words with the same first letter differ by one typing error: a letter too many, a letter
// missing, a wrong letter, or two letters swapped. In words of four letters only a swap counts, in shorter ones nothing.
func isSlip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	short := len(x) == 4 && len(y) == 4
	if !short && (len(x) < 5 || len(y) < 5) || x[0] != y[0] {
		return false
	}
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	return swapped || !short && len(x) <= 1 && len(y) <= 1
}
