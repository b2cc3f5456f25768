package main

import (
	"os/exec"
	"strings"
	"testing"
)

// A journal can be read with hob on a medium that is read-only and on a disk that is full; nothing starts there, and the reason
// is the right one.
func TestCommandsWhereNothingCanBeWritten(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	h.hob("ask", "good morning")
	saved := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", h.state+"/.", saved).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	const fill = ` && { dd if=/dev/zero of="$HOB_STATE_DIR/ballast" bs=4k 2>/dev/null; : ; }`
	const frozen = ` && mount -o remount,bind,ro "$HOB_STATE_DIR"`
	for name, c := range map[string]struct{ how, refusal string }{
		"read-only": {frozen, "is on a read-only file system: mount it for writing, or set HOB_STATE_DIR to another folder"},
		"full":      {fill, "make room"},
	} {
		for args, want := range map[string]string{
			"log": "Good evening.", "log main --search morning": "good morning", "status": "nothing is running on this state",
			"audit verify": "No call was made.", "privacy": "", "doctor -v": "  ok   journal ", "allow": "",
			"ask hello": c.refusal, "serve": c.refusal,
		} {
			cmd := h.command(strings.Fields(args)...)
			onSmallDisk(t, cmd, h.state)
			cmd.Args[2] = strings.Replace(cmd.Args[2], ` && mkdir -p "$HOB_STATE_DIR/workspace"`, ` && cp -a "$SAVED"/. "$HOB_STATE_DIR"`+c.how, 1)
			cmd.Env = append(cmd.Env, "SAVED="+saved)
			out, err := cmd.CombinedOutput()
			refused := strings.HasPrefix(args, "ask") || args == "serve"
			if !strings.Contains(string(out), want) || refused && err == nil || !refused && err != nil && args != "doctor -v" {
				t.Errorf("%s, hob %s: %v\n%s", name, args, err, out)
			}
		}
	}
}
