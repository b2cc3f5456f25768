package grounding

import (
	"slices"
	"testing"
)

// The same answer and sources give the same findings.
func TestSameAgain(t *testing.T) {
	for i, l := range readLabelled(t) {
		if i%6 > 0 {
			continue
		}
		if first, again := Check(l.Answer, l.Sources), Check(l.Answer, l.Sources); !slices.Equal(again, first) {
			t.Errorf("%s %s: %q, then %q", l.File, l.ID, first, again)
		}
	}
}
