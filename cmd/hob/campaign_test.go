package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/campaigns"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// teller is a hob with a campaign called mill in a state of its own.
func teller(t *testing.T) (a *program, state string) {
	t.Helper()
	state = t.TempDir()
	env := map[string]string{"HOB_STATE_DIR": state, "HOME": state}
	a = newProgram(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, func(key string) string { return env[key] })
	start := game.Start{Lang: "en", Theme: "Mill", Size: 3}
	if err := a.newTale(t.Context(), "mill", "", start, "one", false); err != nil {
		t.Fatal(err)
	}
	return a, state
}

// thing is a call that makes an object of that name.
func thing(name string) saga.Request {
	return saga.Request{Calls: []rules.Call{{Tool: "create_object", Args: []byte(`{"name":"` + name + `","connection_id":"pc_001"}`)}}}
}

// names returns the names of the objects of a world.
func names(w *world.World) map[string]bool {
	found := map[string]bool{}
	for _, o := range w.Things() {
		found[o.Name] = true
	}
	return found
}

// Who was late loads the campaign again and does it once more; who is late again hears so in one sentence. Nothing is lost.
func TestWithTale_Late(t *testing.T) {
	for _, c := range []struct {
		late int // how often somebody else is faster
		want string
	}{
		{late: 0}, {late: 1}, {late: 2, want: "another hob plays mill at this moment, and was faster: nothing was done, try again"},
	} {
		a, _ := teller(t)
		tries := 0
		err := a.withTale(t.Context(), "mill", func(mine campaigns.Campaign) error {
			if tries++; tries <= c.late {
				err := a.withTale(t.Context(), "mill", func(others campaigns.Campaign) error {
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
		err = a.withTale(t.Context(), "mill", func(now campaigns.Campaign) error {
			found := names(now.World())
			for i := range c.late {
				if !found[fmt.Sprint("others", i+1)] {
					t.Errorf("%d times late: what others did is lost: %v", c.late, found)
				}
			}
			if found["mine"] != (c.want == "") {
				t.Errorf("%d times late: mine is there: %t", c.late, found["mine"])
			}
			return a.verifyTale(t.Context(), now.Saga, false)
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A campaign that is removed while it is played is gone, and nothing of it comes back.
func TestWithTale_Removed(t *testing.T) {
	a, state := teller(t)
	err := a.withTale(t.Context(), "", func(mine campaigns.Campaign) error {
		db := journalIn(t, state)
		if err := db.Campaigns().Drop(t.Context(), "mill"); err != nil {
			t.Fatal(err)
		}
		_, err := mine.Play(t.Context(), thing("mine"))
		return err
	})
	if want := "campaign mill was removed meanwhile: hob game list lists those that there are"; fmt.Sprint(err) != want {
		t.Errorf("it says %v", err)
	}
	if list, err := journalIn(t, state).Campaigns().List(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("there are %v, %v", list, err)
	}
}

func journalIn(t *testing.T, state string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(state, "journal.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// readLog says from which line on a log was read.
type readLog struct {
	campaigns.EventLog
	from *[]int64
}

func (l readLog) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	*l.from = append(*l.from, from)
	return l.EventLog.Lines(ctx, from)
}

// A campaign of many turns is loaded from its snapshot: all that is read of the log is what came after that.
func TestCampaignLog_Snapshot(t *testing.T) {
	turns := 400
	if os.Getenv("HOB_TEST_FULL") != "" {
		turns = 4000
	}
	a, state := teller(t)
	err := a.addTale(t.Context(), gamemaster.Campaign{ID: "long"}, func(log saga.Log, opt saga.Options) (string, error) {
		w, counts, err := game.Begin(t.Context(), opt.Book, game.Start{Session: "long", Lang: "en", Size: 3})
		if err != nil {
			return "", err
		}
		s, err := saga.Create(t.Context(), log, saga.Beginning{ID: "long", World: w, Counts: counts}, opt)
		for n := 0; err == nil && n < turns; n++ {
			_, err = s.Play(t.Context(), thing(fmt.Sprint("thing ", n)))
		}
		return "", err
	})
	if err != nil {
		t.Fatal(err)
	}
	opt, err := campaigns.Options()
	if err != nil {
		t.Fatal(err)
	}
	var from []int64
	s, err := saga.Load(t.Context(), readLog{campaigns.New(journalIn(t, state)).Log("long").(campaigns.EventLog), &from}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(from) != 1 || from[0] < int64(turns*3/4) {
		t.Errorf("of %d lines those from %v on were read", turns+1, from)
	}
	if s.Turns() != int64(turns) || !names(s.World())[fmt.Sprint("thing ", turns-1)] {
		t.Errorf("after %d turns the world is not whole", s.Turns())
	}
	if r, err := s.Verify(t.Context(), (*world.World).Validate); err != nil || len(r.Problems) > 0 {
		t.Errorf("%v, %v", r.Problems, err)
	}
}

// What was said to be done is there, when two hobs play the same campaign, and what was refused is not.
func TestGame_TwoAtOnce(t *testing.T) {
	fake, state := newFakeOllama(t), t.TempDir()
	game := func(args ...string) (string, error) {
		out, err := hobCommand(t.Context(), fake, state, append([]string{"game"}, args...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := game("new", "mill", "--seed", "one"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const each = 12
	var mu sync.Mutex
	done, group := map[string]bool{}, sync.WaitGroup{}
	for _, who := range []string{"left", "right"} {
		group.Go(func() {
			for n := range each {
				name := fmt.Sprint(who, n)
				out, err := game("do", "create_object", "name="+name, "connection_id=pc_001")
				if err != nil && !strings.Contains(out, "was faster: nothing was done, try again") {
					t.Errorf("%v\n%s", err, out)
				}
				mu.Lock()
				done[name] = err == nil
				mu.Unlock()
			}
		})
	}
	group.Wait()
	played := inspectTale(t, state, func(name string) bool { return done[name] })
	for name, was := range done {
		if was != played[name] {
			t.Errorf("%s was done: %t, and is there: %t", name, was, played[name])
		}
	}
}

// inspectTale looks after a campaign that had a hard time, and returns the names of what there is in it.
func inspectTale(t *testing.T, state string, may func(name string) bool) map[string]bool {
	t.Helper()
	opt, err := campaigns.Options()
	if err != nil {
		t.Fatal(err)
	}
	s, err := saga.Load(t.Context(), campaigns.New(journalIn(t, state)).Log("mill"), opt)
	if err != nil {
		t.Fatalf("it does not load: %v", err)
	}
	if r, err := s.Verify(t.Context(), (*world.World).Validate); err != nil || len(r.Problems) > 0 {
		t.Errorf("it is not whole: %v, %v", r.Problems, err)
	}
	first, things := int64(1), s.World().Things() // the key of the door
	if int64(len(things)) != s.Turns()+first {
		t.Errorf("%d turns made %d things", s.Turns(), int64(len(things))-first)
	}
	found := map[string]bool{}
	for _, o := range things[first:] {
		if found[o.Name] || !may(o.Name) {
			t.Errorf("%q is there, and is not expected", o.Name)
		}
		found[o.Name] = true
	}
	return found
}

// TestGame_Kill kills hob at random moments of turns. Afterwards the campaign loads, its log is whole, every turn that was acknowledged is
// in it, and none is in it twice.
func TestGame_Kill(t *testing.T) {
	kills := 40
	if os.Getenv("HOB_TEST_FULL") != "" {
		kills = 400
	}
	fake, state := newFakeOllama(t), t.TempDir()
	if out, err := hobCommand(t.Context(), fake, state, "game", "new", "mill", "--seed", "one").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	turn := func(n int) *exec.Cmd {
		return hobCommand(t.Context(), fake, state, "game", "do", "create_object", fmt.Sprint("name=thing", n), "connection_id=pc_001")
	}
	when := moments{random: rand.New(rand.NewPCG(testSeed(t), 1))}
	var acknowledged []int
	killed := 0
	for n := range kills {
		if n%10 == 0 {
			when.watch(func() {
				if out, err := turn(n).CombinedOutput(); err != nil {
					t.Fatalf("after a kill, the next turn failed: %v\n%s", err, out)
				}
			})
		} else if cmd := turn(n); when.kill(t, cmd) {
			killed++
			continue
		} else if !cmd.ProcessState.Success() {
			t.Fatalf("a turn failed: %v", cmd.ProcessState)
		}
		acknowledged = append(acknowledged, n)
	}
	found := inspectTale(t, state, func(string) bool { return true })
	for _, n := range acknowledged {
		if !found[fmt.Sprint("thing", n)] {
			t.Errorf("turn %d was acknowledged and is lost", n)
		}
	}
	enoughKilled(t, killed, kills)
}

// A campaign whose making is cut off is not there, and its name is free.
func TestAddTale_CutOff(t *testing.T) {
	a, state := teller(t)
	stop := errors.New("stop")
	err := a.addTale(t.Context(), gamemaster.Campaign{ID: "half"}, func(log saga.Log, _ saga.Options) (string, error) {
		return "", errors.Join(log.Append(t.Context(), 0, []byte("{}"), saga.Index{}), stop)
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if list, err := journalIn(t, state).Campaigns().List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("there are %v, %v", list, err)
	}
}
