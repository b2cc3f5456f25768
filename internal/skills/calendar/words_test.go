package calendar

import (
	"testing"

	"hob/internal/phrases"
)

// Each language has all words.
func TestWords(t *testing.T) {
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
}
