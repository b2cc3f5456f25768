package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What hob says of its own mistakes holds no secret either.
func TestErrorsTellNoSecret(t *testing.T) {
	const canary = "hob-canary-0123456789abcdefghij"
	dir := t.TempDir()
	t.Setenv("HOB_STATE_DIR", dir)
	t.Setenv("HOB_CONFIG", filepath.Join(dir, "none.toml"))
	if err := os.WriteFile(filepath.Join(dir, "canary"), []byte(canary+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"tool", "read_file", "path=" + canary}, {"tool", canary}, {"tool", "read_file", "--json", "path=" + canary}, {"approve", canary},
	} {
		var told strings.Builder
		if run(args, strings.NewReader(""), &told, &told) == 0 {
			t.Errorf("%q is no mistake: %s", args, told.String())
		}
		if strings.Contains(told.String(), canary) {
			t.Errorf("%q: %s", args, told.String())
		}
	}
}
