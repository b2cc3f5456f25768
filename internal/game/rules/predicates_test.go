package rules_test

import (
	"testing"

	"hob/internal/game/rules"
)

func TestOpposite(t *testing.T) {
	for dir, want := range map[string]string{
		"n": "s", "e": "w", "s": "n", "w": "e", "u": "d", "d": "u", "ne": "sw", "nw": "se", "out": "in", "north": "", "": "",
	} {
		if got := rules.Opposite(dir); got != want {
			t.Errorf("back from %q is %q, want %q", dir, got, want)
		}
	}
}
