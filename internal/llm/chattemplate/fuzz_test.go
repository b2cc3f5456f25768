package chattemplate

import (
	"slices"
	"testing"
)

// Whatever the text is, Read comes to an end, and what it finds is possible.
func FuzzRead(f *testing.F) {
	for _, text := range templates(f) {
		f.Add(text)
	}
	f.Add("{{ range 10 }}{{ range $.Messages }}{{ .Content }}{{ break }}{{ end }}{{ end }}")
	f.Add("{{ with $x := .Messages }}{{ len $x }}{{ else }}{{ end }}{{ block \"a\" . }}{{ .System }}{{ end }}")
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := Read(text)
		if err != nil {
			if facts != (Facts{}) {
				t.Errorf("facts %+v beside the error %v", facts, err)
			}
			return
		}
		for _, p := range []Presence{facts.Tools, facts.System} {
			if !slices.Contains([]Presence{Always, Moves, LastUser, Never}, p) {
				t.Errorf("%+v", facts)
			}
		}
		if facts.WordsHideCalls && !facts.Calls {
			t.Errorf("%+v", facts)
		}
	})
}
