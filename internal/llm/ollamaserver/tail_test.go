package ollamaserver

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	log := &logTail{limit: 10}
	for _, line := range []string{"first\n", "second\n", "third\n"} {
		if n, err := log.Write([]byte(line)); n != len(line) || err != nil {
			t.Fatalf("wrote %d: %v", n, err)
		}
	}
	if got, want := log.String(), "ond\nthird\n"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
	if got, want := log.lines(1), "third"; got != want {
		t.Errorf("last line %q, want %q", got, want)
	}
	log.Write([]byte(strings.Repeat("x", 1000)))
	if len(log.kept) > 2*log.limit {
		t.Errorf("holds %d bytes for a limit of %d", len(log.kept), log.limit)
	}
}
