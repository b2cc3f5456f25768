package grounding_test

import (
	"slices"
	"testing"

	"hob/internal/agent/grounding"
)

// The same answer and sources give the same findings.
func TestSameAgain(t *testing.T) {
	for _, name := range []string{"own.jsonl", "second.jsonl", "later.jsonl"} {
		for _, l := range readLabelled(t, name) {
			first := grounding.Check(l.Answer, l.sources())
			for range 2 {
				if again := grounding.Check(l.Answer, l.sources()); !slices.Equal(again, first) {
					t.Errorf("%s %s: %q, then %q", name, l.ID, first, again)
					break
				}
			}
		}
	}
}
