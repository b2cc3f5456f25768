package cli

import (
	"slices"
	"testing"

	"hob/internal/phrases"
)

// Each language has the same words, and no answer of one means two things.
func TestWords(t *testing.T) {
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
	for _, lang := range phrases.Languages() {
		var all []string
		for _, answer := range []string{"yes", "always", "no"} {
			words := Answers(Words(lang), answer)
			if len(words) < 2 {
				t.Errorf("%s: %s has no whole word", lang, answer)
			}
			all = append(all, words...)
		}
		if slices.Sort(all); len(slices.Compact(slices.Clone(all))) < len(all) {
			t.Errorf("%s: a word is there twice: %q", lang, all)
		}
	}
}
