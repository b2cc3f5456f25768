package main

import (
	"strings"
	"testing"

	"hob/internal/app"
)

// What a shell hands over is told apart: flags with their values, and words that only look like some.
func TestFlagsOf(t *testing.T) {
	for _, tt := range []struct{ args, flags, words string }{
		{"2d6 + 3", "", "2d6 + 3"},
		{"1d20 -1 --seed x", "--seed x", "1d20 -1"},
		{"--seed -1 d6", "--seed -1", "d6"},
		{"--seed=x d6 --json -d4", "--seed=x --json", "d6 -d4"},
		{"--d6 --d% --1 -(2)", "", "--d6 --d% --1 -(2)"},
		{"--dice 1,2 2d6", "--dice 1,2", "2d6"},
		{"-- --json", "", "--json"},
		{"--config c d6", "--config c", "d6"},
		{"-h", "-h", ""},
		{"--nope d6", "--nope", "d6"},
		{"d6 --seed", "--seed", "d6"},
	} {
		root := rootCommand(&program{Loader: &app.Loader{}})
		cmd, args, err := root.Find(append([]string{"roll"}, strings.Fields(tt.args)...))
		if err != nil {
			t.Fatal(err)
		}
		flags, words := flagsOf(cmd, args)
		if f, w := strings.Join(flags, " "), strings.Join(words, " "); f != tt.flags || w != tt.words {
			t.Errorf("%s: flags %q and words %q, want %q and %q", tt.args, f, w, tt.flags, tt.words)
		}
	}
}
