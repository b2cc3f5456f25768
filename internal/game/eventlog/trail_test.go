package eventlog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/eventlog"
)

// A trail is of the branch that leads to its turn, and has each step of a turn.
func TestTrail(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	play(t, s, `walk {"id":"lake"}`, `walk {"id":"wood"}`)
	play(t, s, `hit {"id":"pc"}`)
	play(t, s, `walk {"id":"mill"}`)
	if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	play(t, s, `walk {"id":"lake"}`)
	for _, c := range []struct {
		turn  int64
		actor string
		want  []string
	}{
		{0, "", []string{"cave"}},
		{1, "pc", []string{"cave", "lake", "wood"}},
		{3, "", []string{"cave", "lake", "wood", "mill"}},
		{s.Head(), "", []string{"cave", "lake", "wood", "lake"}},
		{s.Head(), "nobody", nil},
	} {
		got, err := s.Trail(t.Context(), c.turn, c.actor)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("of %q up to turn %d: %v\n%s", c.actor, c.turn, err, diff)
		}
	}
	if _, err := s.Trail(t.Context(), 99, ""); err == nil {
		t.Error("a turn that there is not has a trail")
	}
}
