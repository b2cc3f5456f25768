package gamemaster_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"hob/internal/game/rules"
)

// TestLines says lines in the same situation of a tale each, without a model, and holds what comes of them against
// testdata/lines/LANG.txt (-update writes it). Whether that is what was meant, a person has judged: see the marks there. Where it
// changes, judge it anew.
func TestLines(t *testing.T) {
	for _, lang := range rules.Langs() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			file := "testdata/lines/" + lang + ".txt"
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			tale, before := "", ""
			marks := map[string]int{}
			for line := range strings.Lines(string(data)) {
				line = strings.TrimSuffix(line, "\n")
				if line == "" || line[0] == '#' {
					if name, words, is := strings.Cut(strings.TrimPrefix(line, "# "), ":"); is && !strings.Contains(name, " ") {
						tale, before = name+" "+lang, words
					}
					fmt.Fprintln(&out, line)
					continue
				}
				said, want, _ := strings.Cut(line, " → ")
				marks[said[:1]]++
				h, got := inSituation(t, tale, before), ""
				for words := range strings.SplitSeq(said[2:], " | ") {
					got = strings.Join(strings.Fields(h.say(words).reply.Text), " ")
				}
				if fmt.Fprintf(&out, "%s → %s\n", said, got); got != want && !*update {
					t.Errorf("%s: %q comes to\n%s, not to\n%s", lang, said, got, want)
				}
			}
			t.Logf("%s: %v", lang, marks)
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// inSituation returns a house with a tale in which some words were said.
func inSituation(t *testing.T, tale, before string) *house {
	h := newHouse(t, plan{noModel: true})
	h.began(tale)
	for words := range strings.SplitSeq(before, ";") {
		if words = strings.TrimSpace(words); words != "" {
			h.say(words)
		}
	}
	return h
}
