package main

import (
	"strings"
	"testing"

	"hob/internal/app"
)

// Root is told, in the status and at the prompt, that hob should not run so; nobody else is.
func TestRootIsWarned(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	for _, args := range [][]string{{"status"}, {"chat"}} {
		out, err := hobCommand(t.Context(), fake, state, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if got := strings.Contains(string(out), "hob runs as root"); got != app.IsRoot() {
			t.Errorf("hob %s warns: %v, and root runs it: %v", args[0], got, app.IsRoot())
		}
	}
}
