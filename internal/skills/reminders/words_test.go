package reminders

import (
	"testing"

	"hob/internal/phrases"
)

// Each language has all words, with the same places to fill as English.
func TestWords(t *testing.T) {
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
}
