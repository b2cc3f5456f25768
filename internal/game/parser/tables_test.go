package parser_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"hob/internal/game/parser"
	"hob/internal/game/rules"
)

var update = flag.Bool("update", false, "accept what sentences come to")

// What is said in the house, and what it comes to: testdata/*.txt, "words → meaning", "-" for what is left to a model.
func TestSentences(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		t.Run(lang, func(t *testing.T) {
			file := "testdata/" + lang + ".txt"
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := house(t, lang)
			before := w.Hash()
			var out bytes.Buffer
			plain, left := 0, 0
			for line := range strings.Lines(string(data)) {
				line = strings.TrimSuffix(line, "\n")
				words, want, _ := strings.Cut(line, " → ")
				if line == "" || line[0] == '#' {
					fmt.Fprintln(&out, line)
					continue
				}
				got := comes(read(t, w, b, lang, parser.Options{}, words))
				if aside, is := parser.Aside(words); is && aside != "" {
					if got != "-" {
						t.Errorf("%q is out of character, and comes to %s", words, got)
					}
					got = "aside " + aside
				}
				fmt.Fprintf(&out, "%s → %s\n", words, got)
				if got == "-" {
					left++
				} else {
					plain++
				}
				if got != want && !*update {
					t.Errorf("%q comes to\n%s, not to\n%s", words, got, want)
				}
			}
			if plain+left < 120 || left < 30 {
				t.Errorf("only %d plain sentences, and %d for a model", plain, left)
			}
			if w.Hash() != before {
				t.Error("reading changed the world")
			}
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
