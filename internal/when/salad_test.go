package when_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"hob/internal/when"
)

// TestMixedWords reads words of time in random order, with numbers and marks between: whatever is read is to come, and its
// confirmation is read as the same.
func TestMixedWords(t *testing.T) {
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		text, err := os.ReadFile("words/" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		words := []string{"5", "12", "31", "8:30", "06:15", "3.12.", "3/12", "2027", ",", "-", "!", "x", "Ana"}
		for line := range strings.Lines(string(text)) {
			if _, phrases, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
				for phrase := range strings.SplitSeq(phrases, ", ") {
					before, _, _ := strings.Cut(phrase, "(")
					words = append(words, before)
				}
			}
		}
		random := rand.New(rand.NewPCG(26, uint64(len(words))))
		read := 0
		for range 1000 {
			var said []string
			for range 2 + random.IntN(6) {
				said = append(said, words[random.IntN(len(words))])
			}
			text := strings.Join(said, " ")
			r, err := when.Read(text, lang, now)
			if err != nil {
				continue
			}
			read++
			if !r.Start.After(now) && r.Sun == "" {
				t.Errorf("%s is past: %v", text, r.Start)
			}
			readAgain(t, fmt.Sprintf("%s %+v", text, r.Repeat), r, lang, now)
		}
		if read < 150 {
			t.Errorf("%s: only %d were read", lang, read)
		}
	}
}
