package skills

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/phrases"
)

//go:embed query.txt
var queryWords phrases.File

// AddEnglish adds to a query in Russian or Chinese the English words that tools are named and described with, so that [Rank] finds them:
// "удалить объект" is about delete_object. A query in Latin letters stays as it is.
func AddEnglish(query string) string {
	message := fold(query)
	if !strings.ContainsFunc(message, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Han) }) {
		return query
	}
	var more []string
	for begins, english := range queryWords.All() {
		for _, begin := range strings.Fields(begins) {
			if beginsWord(message, begin) {
				more = append(more, english)
				break
			}
		}
	}
	return strings.Join(append([]string{query}, more...), " ")
}

// beginsWord reports whether a word of a message begins so. Chinese has no spaces: there it is anywhere.
func beginsWord(message, begin string) bool {
	if first, _ := utf8.DecodeRuneInString(begin); unicode.Is(unicode.Han, first) {
		return strings.Contains(message, begin)
	}
	for word := range split(message) {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return false
}
