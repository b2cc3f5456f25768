package game_test

import (
	"testing"

	"hob/internal/game"
)

// Every text of the rules is there in every language.
func TestRules(t *testing.T) {
	book := game.Rules()
	if err := book.Check(); err != nil {
		t.Error(err)
	}
}
