package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"hob/internal/skills/gamemaster"
)

// Every command that the documentation of the game shows works, in order, in one home.
func TestGameDocs(t *testing.T) {
	for file, least := range map[string]int{"stories.md": 13, "game.md": 25, "game_exec.md": 6} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", file))
		if err != nil {
			t.Fatal(err)
		}
		home, ran := t.TempDir(), 0
		if err := os.Symlink(os.Args[0], filepath.Join(home, "hob")); err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks(string(text), "console") {
			for _, m := range regexp.MustCompile(`(?m)^\$ (.*)$`).FindAllStringSubmatch(block, -1) {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", m[1])
				cmd.Env, cmd.Dir = []string{"HOB_TEST_MAIN=1", "HOME=" + home, "PATH=" + home + ":" + os.Getenv("PATH")}, home
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %v\n%s", file, m[1], err, out)
				}
				ran++
			}
		}
		if ran < least {
			t.Errorf("%s shows %d commands: were they found?", file, ran)
		}
	}
}

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
		if takes, _ := gamemaster.Takes(m[1]); takes == slices.Contains(hobs, m[1]) {
			t.Errorf("docs/stories.md shows /%s: that a story takes it is %v", m[1], takes)
		}
	}
	if len(seen) < 25 {
		t.Errorf("docs/stories.md shows %d commands: were they found?", len(seen))
	}
}
