package campaigns_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/campaigns"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// journal is a journal in a folder.
type journal struct{ dir string }

func (j journal) MakeState() error { return os.MkdirAll(j.dir, 0o700) }

func (j journal) OpenJournal(ctx context.Context) (*store.DB, error) {
	return store.Open(ctx, filepath.Join(j.dir, "journal.db"), time.Now)
}

func (j journal) WithJournal(ctx context.Context, do func(*store.DB) error) error {
	if _, err := os.Stat(filepath.Join(j.dir, "journal.db")); err != nil {
		return nil
	}
	db, err := j.OpenJournal(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

// mill returns a journal with a campaign of that name.
func mill(t *testing.T) journal {
	t.Helper()
	j := journal{filepath.Join(t.TempDir(), "state")}
	b := campaigns.Beginning{Name: "mill", Start: game.Start{Lang: "en", Theme: "Mill", Size: 3, Free: true}, Seed: "one"}
	if _, err := campaigns.Begin(t.Context(), j, b); err != nil {
		t.Fatal(err)
	}
	return j
}

// list returns the names of the campaigns in a journal.
func list(t *testing.T, j journal) (names []string) {
	t.Helper()
	all, err := campaigns.List(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		names = append(names, c.Campaign)
	}
	return names
}

// thing is a call that makes an object of that name.
func thing(name string) eventlog.Request {
	return eventlog.Request{Calls: []rules.Call{{Tool: "create_object", Args: []byte(`{"name":"` + name + `","connection_id":"pc_001"}`)}}}
}

// things returns the names of the objects of a world.
func things(w *world.World) map[string]bool {
	found := map[string]bool{}
	for _, o := range w.Things() {
		found[o.Name] = true
	}
	return found
}

// A writer who is late loads the campaign again and retries once; after a second time there is an
// error. Nothing is lost.
func TestEdit_Late(t *testing.T) {
	for _, c := range []struct {
		late int // how often somebody else is faster
		want string
	}{
		{late: 0}, {late: 1}, {late: 2, want: "another hob plays mill at this moment, and was faster: nothing was done, try again"},
	} {
		j := mill(t)
		tries := 0
		err := campaigns.Edit(t.Context(), j, "mill", func(mine campaigns.Campaign) error {
			if tries++; tries <= c.late {
				err := campaigns.Edit(t.Context(), j, "mill", func(others campaigns.Campaign) error {
					_, err := others.Play(t.Context(), thing(fmt.Sprint("others", tries)))
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			_, err := mine.Play(t.Context(), thing("mine"))
			return err
		})
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%d times late: %v", c.late, err)
		}
		err = campaigns.Edit(t.Context(), j, "mill", func(now campaigns.Campaign) error {
			found := things(now.World())
			for i := range c.late {
				if !found[fmt.Sprint("others", i+1)] {
					t.Errorf("%d times late: what others did is lost: %v", c.late, found)
				}
			}
			if found["mine"] != (c.want == "") {
				t.Errorf("%d times late: mine is there: %t", c.late, found["mine"])
			}
			r, err := campaigns.Verify(t.Context(), now.Log)
			if len(r.Problems) > 0 {
				t.Errorf("%d times late: %v", c.late, r.Problems)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A campaign that is removed while it is played stays removed.
func TestEdit_Removed(t *testing.T) {
	j := mill(t)
	err := campaigns.Edit(t.Context(), j, "", func(mine campaigns.Campaign) error {
		if err := campaigns.Remove(t.Context(), j, "mill"); err != nil {
			t.Fatal(err)
		}
		_, err := mine.Play(t.Context(), thing("mine"))
		return err
	})
	if want := "campaign mill was removed meanwhile: hob game list lists those that there are"; fmt.Sprint(err) != want {
		t.Errorf("it says %v", err)
	}
	if names := list(t, j); len(names) > 0 {
		t.Errorf("there are %v", names)
	}
}

// Reading creates no journal.
func TestEdit_NoJournal(t *testing.T) {
	j := journal{filepath.Join(t.TempDir(), "state")}
	err := campaigns.Edit(t.Context(), j, "", func(campaigns.Campaign) error { return errors.New("there is one") })
	if want := "there is no campaign yet: hob game play cosy begins a story, and hob game new a world of its own"; fmt.Sprint(err) != want {
		t.Errorf("it says %v", err)
	}
	if err := campaigns.Remove(t.Context(), j, "mill"); fmt.Sprint(err) != `there is no campaign "mill": hob game list lists them` {
		t.Errorf("it says %v", err)
	}
	if _, err := os.Stat(j.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a state folder: %v", err)
	}
}

// readLog records from which line a log was read.
type readLog struct {
	campaigns.EventLog
	from *[]int64
}

func (l readLog) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	*l.from = append(*l.from, from)
	return l.EventLog.Lines(ctx, from)
}

// A long campaign is loaded from its snapshot and the lines after it.
func TestEventLog_Snapshot(t *testing.T) {
	turns := 400
	if os.Getenv("HOB_TEST_FULL") != "" {
		turns = 4000
	}
	j := mill(t)
	db, err := j.OpenJournal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	opt := campaigns.Options()
	err = campaigns.New(db).Add(t.Context(), gamemaster.Campaign{ID: "long"}, func(log eventlog.Storage) error {
		w, counts, err := game.Begin(t.Context(), opt.Book, game.Start{Session: "long", Lang: "en", Size: 3, Free: true})
		if err != nil {
			return err
		}
		s, err := eventlog.Create(t.Context(), log, eventlog.Beginning{ID: "long", World: w, Counts: counts}, opt)
		for n := 0; err == nil && n < turns; n++ {
			_, err = s.Play(t.Context(), thing(fmt.Sprint("thing ", n)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var from []int64
	s, err := eventlog.Load(t.Context(), readLog{campaigns.New(db).Log("long").(campaigns.EventLog), &from}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(from) != 1 || from[0] < int64(turns*3/4) {
		t.Errorf("of %d lines those from %v on were read", turns+1, from)
	}
	if s.Turns() != int64(turns) || !things(s.World())[fmt.Sprint("thing ", turns-1)] {
		t.Errorf("after %d turns the world is not whole", s.Turns())
	}
	if r, err := s.Verify(t.Context(), (*world.World).Validate); err != nil || len(r.Problems) > 0 {
		t.Errorf("%v, %v", r.Problems, err)
	}
}

// A campaign whose import fails is not kept, and its name stays free.
func TestImport_CutOff(t *testing.T) {
	j := mill(t)
	file := filepath.Join(t.TempDir(), "half.jsonl")
	err := campaigns.Edit(t.Context(), j, "mill", func(c campaigns.Campaign) error {
		for n := range 3 {
			if _, err := c.Play(t.Context(), thing(fmt.Sprint("thing ", n))); err != nil {
				return err
			}
		}
		return campaigns.ExportFile(t.Context(), file, c.Log, "")
	})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := campaigns.Import(t.Context(), j, campaigns.File{Path: file}, false, game.Import{}); err == nil {
		t.Error("a log that was broken off was imported")
	}
	if names := list(t, j); len(names) != 1 {
		t.Errorf("there are %v", names)
	}
	in, err := campaigns.Import(t.Context(), j, campaigns.File{Path: file}, true, game.Import{})
	if err != nil || in.Campaign != "half" || in.Turns != 2 || len(in.Warnings) != 1 {
		t.Errorf("%+v, %v", in, err)
	}
	if names := list(t, j); len(names) != 2 {
		t.Errorf("there are %v", names)
	}
}
