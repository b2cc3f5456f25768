package parser

import (
	"slices"
	"strings"

	"hob/internal/game/spelling"
)

// dropPolite removes polite words between two commas (прочти, пожалуйста, письмо) and -ка at the end of words.
func (r *reader) dropPolite() {
	list := r.input.tokens
	for i := 0; i < len(list); i++ {
		if isCyrillic(list[i].text) {
			word := strings.TrimSuffix(list[i].text, "-ка")
			if i+2 < len(list) && word != list[i].text && (list[i+1].text == "я" || list[i+1].text == "мы") {
				list = slices.Delete(list, i+1, i+2) // загляну-ка я в печь
			}
			list[i].text = word
		}
		if list[i].text == "и" && i+2 < len(list) && slices.ContainsFunc(list[i+1:], func(t token) bool { return t.gap == comma && t.text == "и" }) {
			list = slices.Delete(list, i, i+1) // и горшок, и жестянку
		}
		if i == 0 || i+1 == len(list) || list[i].gap != comma || list[i+1].gap != comma {
			continue
		}
		for _, t := range r.langs {
			if t.leading("polite", list[i:i+1]) == 1 {
				list[i+1].gap = noGap
				list = slices.Delete(list, i, i+1)
				break
			}
		}
	}
	r.input.tokens = list
}

// trailingAdverb returns 1 if tokens end with an English or Russian adverb (politely, бесшумно), else 0.
func trailingAdverb(list []token) int {
	if last := list[len(list)-1].text; len(list) > 2 && len(last) > 5 && strings.HasSuffix(last, "ly") && last[0] < 128 || len(list) > 1 && isRussianAdverb(last) {
		return 1
	}
	return 0
}

// isRussianAdverb reports whether a word has the ending of a Russian adverb that no noun has.
func isRussianAdverb(word string) bool {
	return spelling.HasEnd(word, "ельно", "ально", "ожно", "ешно", "ечно", "очно", "ойно", "енно", "анно", "ично", "шумно", "енько", "онько")
}

// trimPolite removes polite words at the beginning of tokens, or else at their end, and in a game without a model also
// adverbs. It never removes all tokens.
func (r *reader) trimPolite(list []token) []token {
	for _, key := range [...]string{"", ".alone"} {
		if key != "" && !r.options.NoModel {
			break
		}
		if n := r.table.leading("lead"+key, list); n > 0 && n < len(list) {
			return list[n:]
		} else if n = r.table.trailing("tail"+key, list); n > 0 && n < len(list) {
			return list[:len(list)-n]
		}
	}
	if r.options.NoModel && len(list) > 1 && isRussianAdverb(list[0].text) {
		return list[1:]
	}
	if r.options.NoModel && len(list) > 0 {
		return list[:len(list)-trailingAdverb(list)]
	}
	return list
}

// withoutPolite calls [reader.trimPolite] until nothing more is removed.
func (r *reader) withoutPolite(list []token) []token {
	for rest := r.trimPolite(list); len(rest) < len(list); rest = r.trimPolite(list) {
		list = rest
	}
	return list
}
