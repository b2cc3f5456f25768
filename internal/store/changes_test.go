package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"testing"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
)

// What changes promise: contents may have 3,000 bytes in all and an age of an hour, and ten changes are remembered.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *Changes, *time.Time)
	}{
		{"a change comes back as it was kept", changeRoundTrip},
		{"what came of a change", settled},
		{"contents come back, large and small", contents},
		{"a content is kept once", keptOnce},
		{"a content that is not what it says is refused", wrongContent},
		{"what was taken back, and made again", fates},
		{"the oldest contents go first", oldestGo},
		{"a content that is used again stays", usedAgain},
		{"the newest content stays, however large", largeStays},
		{"nothing goes while changes are taken back", nothingGoes},
		{"old contents go", ageGoes},
		{"old changes go", changesGo},
		{"an ended context keeps nothing", changesCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Date(2027, 1, 2, 3, 4, 5, 6e6, time.UTC)
			db, err := Open(t.Context(), newPath(t), func() time.Time { return now })
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			c.test(t, db.Changes(Limits{Bytes: 3000, Age: time.Hour, Changes: 10}), &now)
		})
	}
}

// random returns n bytes that nothing makes shorter.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return b
}

// replaced is a change that replaces content.
func replaced(content []byte) event.Change {
	return event.Change{
		Cause: event.Cause{Tool: "write_file"}, Path: "/w/f",
		Before: event.FileState{Kind: event.RegFile, Size: int64(len(content)), Sum: sumOf(string(content)), Mode: 0o644},
		After:  event.FileState{Kind: event.RegFile, Sum: "00", Mode: 0o644},
	}
}

// keepChange keeps a change that happened.
func keepChange(t *testing.T, cs *Changes, c event.Change, content []byte) int64 {
	t.Helper()
	id, err := cs.Keep(t.Context(), c, content)
	if err == nil {
		err = cs.Settle(t.Context(), id, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func listChanges(t *testing.T, cs *Changes, n int) []event.Change {
	t.Helper()
	all, err := cs.Since(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		all = all[:min(n, len(all))]
	}
	return all
}

// lostChanges returns which of the listed changes, the oldest first, have no content any more.
func lostChanges(t *testing.T, cs *Changes) (gone []bool) {
	t.Helper()
	for _, c := range listChanges(t, cs, 0) {
		gone = append([]bool{c.Lost}, gone...)
		if _, err := cs.Image(t.Context(), c.Before.Sum); (err != nil) != c.Lost {
			t.Errorf("change %d is listed with lost=%t, and Image = %v", c.ID, c.Lost, err)
		}
	}
	return gone
}

func changeRoundTrip(t *testing.T, cs *Changes, now *time.Time) {
	content := []byte("before\x00\xff")
	want := event.Change{
		Cause: event.Cause{Chat: "telegram/1", Turn: 12, Tool: "edit_file", Undoes: 3},
		Path:  "/w/odd \xff\n name", Folders: 2,
		Before: event.FileState{Kind: event.RegFile, Size: 8, Sum: sumOf(string(content)), Mode: 0o4755, Time: time.Unix(1, 2).UTC(),
			User: 1000, Group: 100, Attrs: map[string][]byte{"user.x": {0, 255}}},
		After: event.FileState{Kind: event.Link, Size: 3, Sum: "ab"},
	}
	id, err := cs.Keep(t.Context(), want, content)
	if err != nil {
		t.Fatal(err)
	}
	want.ID, want.Time, want.Stage = id, *now, event.StageBegun
	if diff := cmp.Diff([]event.Change{want}, listChanges(t, cs, 0)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func settled(t *testing.T, cs *Changes, _ *time.Time) {
	for _, happened := range [][]bool{nil, {true}, {false}, {true, false}, {false, true}} {
		id, err := cs.Keep(t.Context(), event.Change{Path: "/w/f"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range happened {
			if err := cs.Settle(t.Context(), id, h); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[int64]event.Stage{}
	for _, c := range listChanges(t, cs, 0) {
		got[c.ID] = c.Stage
	}
	want := map[int64]event.Stage{1: event.StageBegun, 2: event.StageMade, 4: event.StageMade, 5: event.StageMade} // what did not happen is not listed
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if two := listChanges(t, cs, 2); len(two) != 2 || two[0].ID != 5 || two[1].ID != 4 {
		t.Errorf("the newest two are %v", two)
	}
}

func contents(t *testing.T, cs *Changes, _ *time.Time) {
	for _, content := range [][]byte{{}, {0}, []byte("text"), bytes.Repeat([]byte("line\n"), 100_000), random(255), random(256), random(1000)} {
		keepChange(t, cs, replaced(content), content)
		got, err := cs.Image(t.Context(), sumOf(string(content)))
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes come back as %d, %v", len(content), len(got), err)
		}
	}
	if gone := lostChanges(t, cs); len(gone) != 7 {
		t.Errorf("%d changes", len(gone))
	}
	if _, err := cs.Image(t.Context(), sumOf("never")); err == nil {
		t.Error("a content that was never kept is there")
	}
}

func keptOnce(t *testing.T, cs *Changes, _ *time.Time) {
	content := random(1000)
	for range 9 { // 9,000 bytes would not fit
		keepChange(t, cs, replaced(content), content)
	}
	if diff := cmp.Diff(make([]bool, 9), lostChanges(t, cs)); diff != "" {
		t.Errorf("lost (-want +got)\n%s", diff)
	}
}

func wrongContent(t *testing.T, cs *Changes, _ *time.Time) {
	if id, err := cs.Keep(t.Context(), replaced([]byte("a")), []byte("b")); err == nil {
		t.Errorf("it is kept as %d", id)
	}
	if all := listChanges(t, cs, 0); len(all) > 0 {
		t.Errorf("there is %v", all)
	}
}

func fates(t *testing.T, cs *Changes, _ *time.Time) {
	for _, undoes := range []int64{0, 1, 2, 3, 0} { // 1 made, 2 takes it back, 3 makes it again, 4 takes it back again
		keepChange(t, cs, event.Change{Cause: event.Cause{Undoes: undoes}, Path: "/w/f"}, nil)
	}
	type fate struct{ ID, UndoneBy int64 }
	var got []fate
	for _, c := range listChanges(t, cs, 0) {
		got = append(got, fate{c.ID, c.UndoneBy})
	}
	// 4 takes 3 back, so 2 is in force again, and with it 1 is not.
	want := []fate{{5, 0}, {4, 0}, {3, 4}, {2, 0}, {1, 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func oldestGo(t *testing.T, cs *Changes, _ *time.Time) {
	for range 5 {
		content := random(1000)
		keepChange(t, cs, replaced(content), content)
	}
	if diff := cmp.Diff([]bool{true, true, false, false, false}, lostChanges(t, cs)); diff != "" {
		t.Errorf("lost (-want +got)\n%s", diff)
	}
}

func usedAgain(t *testing.T, cs *Changes, _ *time.Time) {
	again := random(1000)
	for _, content := range [][]byte{again, random(1000), again, random(1000), random(1000)} {
		keepChange(t, cs, replaced(content), content)
	}
	if diff := cmp.Diff([]bool{false, true, false, false, false}, lostChanges(t, cs)); diff != "" {
		t.Errorf("lost (-want +got)\n%s", diff)
	}
}

func largeStays(t *testing.T, cs *Changes, _ *time.Time) {
	small, large := random(10), random(5000)
	keepChange(t, cs, replaced(small), small)
	keepChange(t, cs, replaced(large), large)
	if diff := cmp.Diff([]bool{true, false}, lostChanges(t, cs)); diff != "" {
		t.Errorf("lost (-want +got)\n%s", diff)
	}
}

func nothingGoes(t *testing.T, cs *Changes, _ *time.Time) {
	for range 6 {
		content := random(1000)
		c := replaced(content)
		c.Undoes = 100
		keepChange(t, cs, c, content)
	}
	if diff := cmp.Diff(make([]bool, 6), lostChanges(t, cs)); diff != "" {
		t.Errorf("lost (-want +got)\n%s", diff)
	}
	if err := cs.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]bool{true, true, true, false, false, false}, lostChanges(t, cs)); diff != "" {
		t.Errorf("lost after Prune (-want +got)\n%s", diff)
	}
}

func ageGoes(t *testing.T, cs *Changes, now *time.Time) {
	for range 3 {
		content := random(10)
		keepChange(t, cs, replaced(content), content)
		*now = now.Add(40 * time.Minute)
	}
	if diff := cmp.Diff([]bool{true, false, false}, lostChanges(t, cs)); diff != "" {
		t.Errorf("lost (-want +got)\n%s", diff)
	}
}

func changesGo(t *testing.T, cs *Changes, _ *time.Time) {
	for range 15 {
		content := random(10)
		keepChange(t, cs, replaced(content), content)
	}
	if all := listChanges(t, cs, 0); len(all) != 10 || all[9].ID != 6 {
		t.Errorf("%d changes are left, the oldest is %d", len(all), all[len(all)-1].ID)
	}
	lostChanges(t, cs)
}

func changesCancelled(t *testing.T, cs *Changes, _ *time.Time) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if id, err := cs.Keep(ctx, event.Change{Path: "/w/f"}, nil); err == nil {
		t.Errorf("Keep = %d", id)
	}
	if all := listChanges(t, cs, 0); len(all) > 0 {
		t.Errorf("there is %v", all)
	}
}
