package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"hob/internal/skills/gamemaster"
)

// Every word after a slash that docs/stories.md shows is one that a story takes, or one of hob's own.
func TestStoryCommands(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "stories.md"))
	if err != nil {
		t.Fatal(err)
	}
	hobs := []string{"game", "new", "stop", "status", "log"}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile("`/([a-z]+)").FindAllStringSubmatch(string(text), -1) {
		seen[m[1]] = true
		if takes, _ := gamemaster.TakesCommand(m[1], ""); takes == slices.Contains(hobs, m[1]) {
			t.Errorf("docs/stories.md shows /%s: that a story takes it is %v", m[1], takes)
		}
	}
	if len(seen) < 25 {
		t.Errorf("docs/stories.md shows %d commands: were they found?", len(seen))
	}
}
