package memory

import (
	_ "embed"
	"strings"

	"hob/internal/phrases"
)

//go:embed words.txt
var wordFile phrases.File

// wordsOf returns the words of a key of words.txt.
func wordsOf(key string) string { return strings.Join(wordFile.Variants(key), " ") }

// newReader returns a reader of the four languages. It takes a millisecond.
func newReader() *reader {
	r := &reader{stops: map[string]languages{}, everyday: map[string]bool{}, keys: keys()}
	for i, list := range []string{"stops.en", "stops.de", "stops.ru"} {
		for w := range strings.FieldsSeq(wordsOf(list)) {
			r.stops[w] |= 1 << i
		}
	}
	for w := range strings.FieldsSeq(wordsOf("everyday")) {
		for _, form := range spelled(w).forms {
			r.everyday[form] = true
		}
	}
	var pairs []string
	for w := range strings.FieldsSeq(wordsOf("stops.zh")) {
		pairs = append(pairs, w, " ")
	}
	r.particles = strings.NewReplacer(pairs...)
	return r
}
