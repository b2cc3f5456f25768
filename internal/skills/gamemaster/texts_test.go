package gamemaster

import (
	"testing"

	"hob/internal/game/rules"
)

// Every text of the game master is there in every language.
func TestTexts(t *testing.T) {
	book, err := rules.New(rules.Family{Files: words})
	if err != nil {
		t.Fatal(err)
	}
	if err := book.Check(); err != nil {
		t.Error(err)
	}
}
