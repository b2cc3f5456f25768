package watch

import (
	"context"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// A file system's clock may stand still: a file that has just been changed may change again without a sign of it, so it is
// read again; one that has lain there for a while is not.
func TestWatch_ClocksThatStandStill(t *testing.T) {
	now := time.Now().UnixNano()
	look := func(changed int64) *walk {
		is := fileInfo{kind: event.RegFile, identity: identity{changed: changed}}
		return &walk{began: now, seen: map[string]fileInfo{"f": is}}
	}
	for changed, want := range map[int64]int{now - 1e6: 1, now + 1e6: 1, now - int64(time.Hour): 0} {
		d := diff{snapshot: &snapshot{walk: look(changed)}, now: look(changed)}
		if got := d.touchedNames(); len(got) != want {
			t.Errorf("changed %v before: %q", time.Duration(now-changed), got)
		}
	}
	dir := t.TempDir()
	open, err := tree.Open(tree.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := open.Workspace().Root.WriteFile("f", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	watcher := func() *Watcher { return New(open, nothingKept{}, origins.New(open, nil, nil), 0) }
	s := watcher().walk(t.Context(), time.Now().Add(time.Hour), nil)
	for _, ago := range []time.Duration{0, time.Hour} {
		w := watcher()
		s.began = s.seen["f"].changed + int64(ago)
		n := &snapshot{walk: s, kept: map[string]event.FileState{}}
		if err := w.keep(t.Context(), n, time.Now().Add(time.Hour)); err != nil || len(n.kept) != 1 || len(w.known) != min(1, int(ago)) {
			t.Errorf("%v after: %d kept, %d known, %v", ago, len(n.kept), len(w.known), err)
		}
	}
}

// What lies in a folder that cannot be looked into is not taken for deleted.
func TestWatch_ClosedFolder(t *testing.T) {
	old := fileInfo{kind: event.RegFile}
	before := &walk{began: 1e18, seen: map[string]fileInfo{"d/e/f": old, "f": old}}
	now := &walk{seen: map[string]fileInfo{}, closed: map[string]bool{"d": true}}
	d := diff{snapshot: &snapshot{walk: before}, now: now}
	if got := d.touchedNames(); len(got) != 1 || got[0] != "f" {
		t.Errorf("%q", got)
	}
}

// nothingKept is a Recorder that forgets everything.
type nothingKept struct{}

func (nothingKept) Mark(context.Context) (int64, string, error)                    { return 0, "", nil }
func (nothingKept) KeepImages(context.Context, [][]byte) error                     { return nil }
func (nothingKept) Since(context.Context, int64) ([]event.Change, error)           { return nil, nil }
func (nothingKept) Record(context.Context, []event.Change) ([]event.Change, error) { return nil, nil }
