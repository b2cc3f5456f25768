package http

import (
	"os"
	"testing"
)

// Root may speak to the hob of another user though that hob cannot look at root's processes, as
// under ProtectProc=.
func TestMayConnect(t *testing.T) {
	const unseen = -1 // no process has that number, so nothing can be found out about it
	me := os.Getpid()
	for _, c := range []struct {
		name         string
		uid, pid, as int
		want         bool
	}{
		{"its own user", 1000, me, 1000, true},
		{"its own user, unseen", 1000, unseen, 1000, false},
		{"root", 0, me, 1000, true},
		{"root, unseen", 0, unseen, 1000, true},
		{"root to a hob of root's", 0, me, 0, true},
		{"root to a hob of root's, unseen", 0, unseen, 0, false},
		{"somebody else", 1001, me, 1000, false},
		{"a user, to root's", 1000, me, 0, false},
	} {
		if got := mayConnect(c.uid, c.pid, c.as); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
