package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// linesOf returns a campaign's log from an entry on.
func linesOf(t *testing.T, db *DB, campaign string, from int64) (lines []string) {
	t.Helper()
	for line, err := range db.Campaigns().Entries(t.Context(), campaign, from) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

func mill(t *testing.T) *DB {
	t.Helper()
	db := mustOpen(t, newPath(t))
	if err := db.Campaigns().Add(t.Context(), "mill", "The Mill", nil); err != nil {
		t.Fatal(err)
	}
	return db
}

// appendEntry appends an entry that moves no story.
func appendEntry(t *testing.T, db *DB, campaign string, n int64, line []byte, request string) error {
	_, err := db.Campaigns().AppendMove(t.Context(), campaign, n, line, request, StoryMove{})
	return err
}

func TestCampaign_Log(t *testing.T) {
	db := mill(t)
	var want []string
	for n := range int64(pageEntries*2 + 3) { // more than two pages
		line := fmt.Sprintf(`{"n":%d}`, n)
		if err := appendEntry(t, db, "mill", n, []byte(line), map[bool]string{true: fmt.Sprint("r", n)}[n%2 == 0]); err != nil {
			t.Fatal(err)
		}
		want = append(want, line)
	}
	for _, from := range []int{0, 1, pageEntries, len(want) - 1, len(want), len(want) + 5} {
		if diff := cmp.Diff(want[min(from, len(want)):], append([]string{}, linesOf(t, db, "mill", int64(from))...)); diff != "" {
			t.Errorf("from %d (-want +got)\n%s", from, diff)
		}
	}
	for request, want := range map[string]int64{"r0": 0, "r2": 2, "r1026": 1026, "r1": -1, "": -1, "R2": -1} {
		n, ok, err := db.Campaigns().EntryOf(t.Context(), "mill", request)
		if err != nil || ok != (want >= 0) || ok && n != want {
			t.Errorf("request %q: %d, %v, %v", request, n, ok, err)
		}
	}
	if line, err := db.Campaigns().Entry(t.Context(), "mill", 7); string(line) != `{"n":7}` || err != nil {
		t.Errorf("entry 7 is %s, %v", line, err)
	}
	if line, err := db.Campaigns().Entry(t.Context(), "mill", 9999); line != nil || err != nil {
		t.Errorf("an entry that is not there is %s, %v", line, err)
	}
}

// A campaign comes with its log, whole or not at all.
func TestAddCampaign_Log(t *testing.T) {
	db := mill(t)
	log := []CampaignEntry{{Line: []byte("a")}, {Line: []byte("b"), Request: "r"}, {Line: []byte("c")}}
	if err := db.Campaigns().Add(t.Context(), "tower", "The Tower", log); err != nil {
		t.Fatal(err)
	}
	if got := linesOf(t, db, "tower", 0); !cmp.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("the log is %q", got)
	}
	if n, ok, err := db.Campaigns().EntryOf(t.Context(), "tower", "r"); n != 1 || !ok || err != nil {
		t.Errorf("the request is at %d, %t, %v", n, ok, err)
	}
	if err := appendEntry(t, db, "tower", 3, []byte("d"), ""); err != nil {
		t.Errorf("the next entry: %v", err)
	}
	twice := []CampaignEntry{{Line: []byte("a"), Request: "r"}, {Line: []byte("b"), Request: "r"}}
	if err := db.Campaigns().Add(t.Context(), "half", "Half", twice); err == nil {
		t.Error("one request was answered twice")
	}
	var taken *ConflictError
	if err := db.Campaigns().Add(t.Context(), "mill", "Another", log); !errors.As(err, &taken) {
		t.Errorf("a campaign of the same id: %v", err)
	}
	list, err := db.Campaigns().List(t.Context())
	if err != nil || len(list) != 2 || len(linesOf(t, db, "half", 0)) > 0 || len(linesOf(t, db, "mill", 0)) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Who writes an entry that somebody else wrote hears so, and nothing of it is kept; a hole is refused.
func TestCampaign_TwoWriters(t *testing.T) {
	path := newPath(t)
	one, two := mustOpen(t, path), mustOpen(t, path)
	if err := one.Campaigns().Add(t.Context(), "mill", "The Mill", nil); err != nil {
		t.Fatal(err)
	}
	var taken *ConflictError
	if err := two.Campaigns().Add(t.Context(), "mill", "Another", nil); !errors.As(err, &taken) || !strings.Contains(err.Error(), "another name") {
		t.Errorf("a campaign of the same id: %v", err)
	}
	if err := appendEntry(t, one, "mill", 0, []byte("a"), "r"); err != nil {
		t.Fatal(err)
	}
	if err := appendEntry(t, two, "mill", 0, []byte("b"), "q"); !errors.As(err, &taken) || taken.N != 0 {
		t.Errorf("an entry that is taken: %v", err)
	}
	if err := appendEntry(t, two, "mill", 2, []byte("b"), ""); err == nil || errors.As(err, &taken) {
		t.Errorf("a hole: %v", err)
	}
	if err := appendEntry(t, two, "mill", 1, []byte("b"), "r"); err == nil {
		t.Error("one request was answered twice")
	}
	if err := appendEntry(t, two, "nowhere", 0, []byte("b"), ""); !errors.Is(err, ErrNoCampaign) {
		t.Errorf("no campaign: %v", err)
	}
	if got := linesOf(t, two, "mill", 0); !cmp.Equal(got, []string{"a"}) {
		t.Errorf("the log is %q", got)
	}
	if _, ok, _ := one.Campaigns().EntryOf(t.Context(), "mill", "q"); ok {
		t.Error("a request was kept without its entry")
	}
}

func TestCampaigns(t *testing.T) {
	now := time.UnixMilli(1700000000000).UTC()
	db, err := Open(t.Context(), newPath(t), func() time.Time { now = now.Add(time.Second); return now })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, id := range []string{"mill", "tower"} {
		if err := db.Campaigns().Add(t.Context(), id, "The "+id, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := appendEntry(t, db, "mill", 0, []byte("a"), "r"); err != nil {
		t.Fatal(err)
	}
	if err := db.Campaigns().SetCache(t.Context(), "mill", []byte("snapshot")); err != nil {
		t.Fatal(err)
	}
	list, err := db.Campaigns().List(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != "mill" || list[0].Entries != 1 || !list[0].Changed.After(list[0].Made) ||
		list[1].Title != "The tower" || list[1].Entries != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if cache, err := db.Campaigns().Cache(t.Context(), "mill"); string(cache) != "snapshot" || err != nil {
		t.Errorf("the cache is %q, %v", cache, err)
	}
	if cache, err := db.Campaigns().Cache(t.Context(), "tower"); cache != nil || err != nil {
		t.Errorf("no cache is %q, %v", cache, err)
	}
	if err := db.Campaigns().Drop(t.Context(), "mill"); err != nil {
		t.Fatal(err)
	}
	if err := db.Campaigns().Drop(t.Context(), "mill"); !errors.Is(err, ErrNoCampaign) {
		t.Errorf("dropped twice: %v", err)
	}
	if _, ok, _ := db.Campaigns().EntryOf(t.Context(), "mill", "r"); ok || len(linesOf(t, db, "mill", 0)) > 0 {
		t.Error("something is left of it")
	}
}

// On a full disk nothing of an entry is there.
func TestCampaign_NoRoom(t *testing.T) {
	db := mill(t)
	run(t, db, "PRAGMA max_page_count = 80")
	line := []byte(strings.Repeat("x", 3000))
	var err error
	var n int64
	for ; err == nil && n < 1000; n++ {
		err = appendEntry(t, db, "mill", n, line, fmt.Sprint("r", n))
	}
	wantFileError(t, err, ErrFull, "make room")
	if got := linesOf(t, db, "mill", 0); int64(len(got)) != n-1 {
		t.Errorf("%d entries are there, and %d were acknowledged", len(got), n-1)
	}
	if _, ok, _ := db.Campaigns().EntryOf(t.Context(), "mill", fmt.Sprint("r", n-1)); ok {
		t.Error("a request was kept without its entry")
	}
}
