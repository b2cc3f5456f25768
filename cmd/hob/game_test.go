package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// Every command that the documentation of the game shows works, in order, in one home.
func TestGameDocs(t *testing.T) {
	for file, least := range map[string]int{"game.md": 25, "game_exec.md": 6} {
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
