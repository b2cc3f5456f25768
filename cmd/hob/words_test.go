package main

import (
	"testing"

	"hob/internal/phrases"
)

// Each language has the same words.
func TestWords(t *testing.T) {
	if err := phrases.Check(wordFiles); err != nil {
		t.Error(err)
	}
}
