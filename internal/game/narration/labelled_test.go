package narration_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// labelledTurns holds the turns that the labelled narrations tell besides those of the second set.
const labelledTurns = "labelled/turns.txt"

// labelledWords is a narration of which somebody has said what it is.
type labelledWords struct {
	turn, kind, words string
}

// labelledKinds are what a labelled narration may be: true, or what is wrong with it.
func labelledKinds() []string {
	return []string{"true", "moved", "hands", "hurt", "died", "opened", "numbers", "absent"}
}

// labelled returns the narrations of a set in testdata/labelled in one language.
func labelled(t testing.TB, set, lang string) (list []labelledWords) {
	t.Helper()
	data, err := os.ReadFile("testdata/labelled/" + set + "_" + lang + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, "|")
		if len(parts) != 3 || !slices.Contains(labelledKinds(), parts[1]) {
			t.Fatalf("%s_%s.txt: %q is no narration", set, lang, line)
		}
		list = append(list, labelledWords{parts[0], parts[1], parts[2]})
	}
	return list
}

// TestLabelled checks that the labelled narrations are whole: of turns that can be played, as many of each kind as were promised, none
// of them twice.
func TestLabelled(t *testing.T) {
	scripts := secondScripts(t, labelledTurns)
	for _, lang := range []string{"en", "ru", "zh"} {
		seen := map[string]bool{}
		for _, set := range []string{"first", "second"} {
			count := map[string]int{}
			for _, n := range labelled(t, set, lang) {
				if scripts[n.turn] == nil {
					t.Errorf("%s_%s.txt: there is no turn %q", set, lang, n.turn)
				}
				if seen[n.words] {
					t.Errorf("%s_%s.txt: %q stands there twice", set, lang, n.words)
				}
				seen[n.words] = true
				count[n.kind]++
			}
			for _, kind := range labelledKinds() {
				want := 15
				if kind == "true" {
					want = 100
				}
				if count[kind] != want {
					t.Errorf("%s_%s.txt: %d are %s, want %d", set, lang, count[kind], kind, want)
				}
			}
		}
		for name, script := range scripts {
			if turn := secondTurn(t, script, lang); turn.Tell() == "" {
				t.Errorf("%s %s: the turn is not told", lang, name)
			}
		}
	}
}
