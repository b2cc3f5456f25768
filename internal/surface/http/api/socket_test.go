package api

import "testing"

// A client speaks to its own user and to root, and root to nobody but itself.
func TestServes(t *testing.T) {
	for _, c := range []struct {
		uid, me int
		want    bool
	}{{1000, 1000, true}, {0, 1000, true}, {0, 0, true}, {1001, 1000, false}, {1000, 0, false}} {
		if err := checkServerUser(c.uid, c.me, "/x/hob.sock"); (err == nil) != c.want {
			t.Errorf("a socket of %d for %d: %v", c.uid, c.me, err)
		}
	}
}
