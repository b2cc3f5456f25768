package when_test

import (
	"os"
	"strings"
	"testing"

	"hob/internal/when"
)

// TestPage reads the examples of docs/time.md: what is said, what hob understands, and what it offers besides.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/time.md")
	if err != nil {
		t.Fatal(err)
	}
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	examples, inside := 0, false
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			inside = line == "```time"
			continue
		}
		if !inside {
			continue
		}
		examples++
		said, want, _ := strings.Cut(line, " | ")
		all, err := when.ReadAll(said, "", now)
		got := ""
		if err != nil {
			got = err.Error()
		}
		for i, r := range all {
			if err != nil {
				break
			}
			if i > 0 {
				got += " + "
			}
			got += when.Describe(r, r.Lang, now)
			for i, o := range r.Other {
				got += map[bool]string{true: " | ", false: " "}[i == 0] + "[" + o.Label + "]"
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", said, got, want)
		}
	}
	if examples < 50 {
		t.Errorf("only %d examples", examples)
	}
}
