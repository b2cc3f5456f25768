package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/campaigns"
	"hob/internal/game/eventlog"
	"hob/internal/game/world"
	"hob/internal/store"
)

func journalIn(t *testing.T, state string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(state, "journal.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// What was said to be done is there, when two hobs play the same campaign, and what was refused is not.
func TestGame_TwoAtOnce(t *testing.T) {
	fake, state := newFakeOllama(t), t.TempDir()
	game := func(args ...string) (string, error) {
		out, err := hobCommand(t.Context(), fake, state, append([]string{"game"}, args...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := game("new", "mill", "--seed", "one", "--free"); err != nil {
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
	opt := campaigns.Options()
	s, err := eventlog.Load(t.Context(), campaigns.New(journalIn(t, state)).Log("mill"), opt)
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
	if out, err := hobCommand(t.Context(), fake, state, "game", "new", "mill", "--seed", "one", "--free").CombinedOutput(); err != nil {
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
