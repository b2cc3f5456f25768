package tales_test

import (
	"os"
	"strings"
	"testing"

	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

func book(t testing.TB) *rules.Book {
	t.Helper()
	b := game.Rules()
	return b
}

// begun returns the world of a tale in a language.
func begun(t testing.TB, tale tales.Tale, s tales.Start) (*world.World, rules.Counts) {
	t.Helper()
	w, counts, err := tale.Begin(book(t), s)
	if err != nil {
		t.Fatal(err)
	}
	return w, counts
}

// wordsOf returns the words of a tale as they stand in its file.
func wordsOf(t testing.TB, tale, lang string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("data/" + tale + "." + lang + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			if strings.TrimSpace(line) != "" {
				t.Errorf("%s.%s: %q is no line key = text", tale, lang, line)
			}
			continue
		}
		if words[key] != "" {
			t.Errorf("%s.%s: %q stands there twice", tale, lang, key)
		}
		words[key] = value
	}
	return words
}
