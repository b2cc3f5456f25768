package agent_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Models of one to four billion parameters follow short plain sentences. Sentences of the nudges have at most twelve words,
// and none of the notation and the idioms that such models did not understand.
func TestNudgesAreShort(t *testing.T) {
	const most = 12
	for file, after := range map[string]string{"nudges.md": "## thinking", "../llm/toolcall/render.md": "## wrong"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, text, ok := strings.Cut(string(raw), after+"\n")
		if !ok {
			t.Fatalf("%s has no section %s", file, after)
		}
		for _, idiom := range []string{"in circles", "spelt", "stands", "took", "plainly", "have to", "0..", "?:", "edit_file", "get_weather"} {
			if strings.Contains(text, idiom) {
				t.Errorf("%s says %q", file, idiom)
			}
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "## ") {
				continue
			}
			for _, sentence := range regexp.MustCompile(`[.:?!](\s|$)`).Split(line, -1) {
				if words := strings.Fields(sentence); len(words) > most {
					t.Errorf("%s: %d words in %q", file, len(words), sentence)
				}
			}
		}
	}
}
