package chat

import (
	"testing"
	"unicode/utf16"

	"hob/internal/phrases"
)

// Each language has the same words, and what is added to a full message is in none longer than in English.
func TestWords(t *testing.T) {
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
	for _, lang := range phrases.Languages() {
		for _, key := range []string{"sent.again", "cut.here"} {
			if got, most := Words(lang).Text(key), Words("").Text(key); len(utf16.Encode([]rune(got))) > len(most) {
				t.Errorf("%s: %q is longer than %q", lang, got, most)
			}
		}
	}
}
