package event_test

import (
	"testing"

	"hob/internal/event"
)

// A question is not gone on with.
func TestError_Sentence(t *testing.T) {
	for _, c := range [][3]string{
		{"there is no file a.txt", "use list_files", "there is no file a.txt; use list_files"},
		{"That time is past. When?", "say it in full", "That time is past. When? Say it in full"},
		{"write path=mod=...", "usage: write_file", "write path=mod=...; usage: write_file"},
		{"When?", "über Nacht", "When? Über Nacht"},
		{"When?", "", "When?"},
	} {
		if got := (&event.Error{Message: c[0], Suggestion: c[1]}).Sentence(); got != c[2] {
			t.Errorf("%q and %q are %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
