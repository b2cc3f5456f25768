package chart

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/phrases"
)

// A map has all of its words, and a meaning for each of its signs, in the three languages of stories.
func TestWords(t *testing.T) {
	english := keysOf(t, "en")
	for _, lang := range []string{"ru", "zh"} {
		if diff := cmp.Diff(english, keysOf(t, lang)); diff != "" {
			t.Errorf("%s differs from en: %s", lang, diff)
		}
	}
	for s := range signCount {
		if meaning := meaningOf(s, wordsOf("en")); strings.HasPrefix(meaning, "sign.") {
			t.Errorf("%q has no meaning", meaning)
		}
	}
}

func keysOf(t *testing.T, lang string) []string {
	t.Helper()
	text, err := os.ReadFile("words/" + lang + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(maps.Collect(phrases.File(text).All())))
}
