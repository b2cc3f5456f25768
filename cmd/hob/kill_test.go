package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/store"
)

// kills is how many turns are killed.
const kills = 200

// TestKill kills hob at random moments of turns that write, starts it again with the same input, and then looks: the
// journal opens, every input that was taken is there once and answered once, no write happened twice, and every write
// that was reported happened.
func TestKill(t *testing.T) {
	notShort(t)
	fake := newFakeOllama(t)
	state := t.TempDir()
	random := rand.New(rand.NewPCG(testSeed(t), 1))
	ask(t, fake, state, kills+1) // the first one makes the state
	when := moments{random: random}
	when.watch(func() { ask(t, fake, state, kills+2) })
	killed := 0
	for n := range kills {
		cmd := hobCommand(t.Context(), fake, state, input(n)...)
		if when.kill(t, cmd) {
			killed++
		}
		if n%10 == 9 { // every tenth is finished at once, the others when the next one runs
			ask(t, fake, state, n)
			when.watch(func() { ask(t, fake, state, kills+3+n) })
		}
	}
	ask(t, fake, state, kills)
	for _, turn := range setAside(t, state) {
		if out, err := hobCommand(t.Context(), fake, state, "retry", fmt.Sprint(turn)).CombinedOutput(); err != nil {
			t.Errorf("hob retry %d: %v\n%s", turn, err, out)
		}
	}
	inspect(t, state)
	enoughKilled(t, killed, kills)
}

// setAside returns the turns that were killed so often in a row that they wait for a person, who says to go on. On a busy machine
// more of the kills hit, and there are some.
func setAside(t *testing.T, state string) []int64 {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(state, "journal.db"), time.Now)
	if err != nil {
		t.Fatalf("the journal does not open: %v", err)
	}
	defer db.Close()
	parked, err := app.ParkedTurns(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	var turns []int64
	for _, p := range parked {
		turns = append(turns, p.ID)
	}
	t.Logf("%d turns were set aside", len(turns))
	return turns
}

// testSeed is what chance is drawn from in a test: always the same, or HOB_TEST_SEED.
func testSeed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(1)
	if text := os.Getenv("HOB_TEST_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("HOB_TEST_SEED: %v", err)
		}
	}
	return seed
}

// enoughKilled skips what is left of a test that has found nothing wrong and has killed too little to prove much: how many are
// killed in time is for the machine to say.
func enoughKilled(t *testing.T, killed, all int) {
	t.Helper()
	t.Logf("%d of %d were killed in time", killed, all)
	if killed < all/4 {
		t.Skip("too few were killed in time: this proves little")
	}
}

// hobCommand is hob as a child process of the test, with a state of its own.
func hobCommand(ctx context.Context, fake *fakeOllama, state string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + state, "HOB_STATE_DIR=" + state, "OLLAMA_HOST=" + fake.URL, "HOB_CONFIG="}
	return cmd
}

func input(n int) []string {
	return []string{"ask", "--json", "--id", fmt.Sprint("input-", n), fmt.Sprintf("write log.txt line %d", n)}
}

// moments are when to kill processes: anywhere in what they do, or after it. How long that takes is measured anew with each
// that comes to its end, because the machine may have other work at times.
type moments struct {
	random *rand.Rand
	whole  time.Duration
}

// watch measures something that comes to its end.
func (m *moments) watch(do func()) {
	began := time.Now()
	do()
	m.whole = time.Since(began)
}

// kill starts a process, kills it, and reports whether that came before its end. One that fails by itself is not killed.
func (m *moments) kill(t *testing.T, cmd *exec.Cmd) bool {
	t.Helper()
	limit := time.Duration(m.random.Int64N(int64(m.whole)*4/3)) + 1
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait() // its status is looked at
	if cmd.ProcessState.ExitCode() < 0 {
		return true
	}
	m.whole = time.Since(began)
	return false
}

func ask(t *testing.T, fake *fakeOllama, state string, n int) {
	t.Helper()
	out, err := hobCommand(t.Context(), fake, state, input(n)...).CombinedOutput()
	if err != nil {
		t.Fatalf("after a kill, the next turn failed: %v\n%s", err, out)
	}
}

func inspect(t *testing.T, state string) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(state, "journal.db"), time.Now)
	if err != nil {
		t.Fatalf("the journal does not open: %v", err)
	}
	defer db.Close()
	said, reported := map[int64]string{}, map[string]bool{}
	ended, replied := map[int64]int{}, map[int64]int{}
	inputs := map[string]int{}
	turn, newest := map[int64]int64{}, map[int64]int64{} // of what was said: the turn that it joined; of a turn: what it heard last
	for e, err := range db.Chat(t.Context(), "main", 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case event.Said:
			said[e.Seq] = b.Text
			inputs[b.InputID]++
			turn[e.Seq], newest[e.Seq] = e.Seq, e.Seq
		case event.Joined:
			turn[b.Said], newest[e.Turn] = e.Turn, b.Said
		case event.Returned:
			if b.OK {
				reported[strings.TrimPrefix(said[newest[e.Turn]], "write log.txt ")] = true
			}
		case event.Replied:
			replied[e.Turn]++
		case event.Ended:
			ended[e.Turn]++
		}
	}
	for id, n := range inputs {
		if n != 1 {
			t.Errorf("%s was taken %d times", id, n)
		}
	}
	for seq, text := range said {
		if in := turn[seq]; ended[in] != 1 || replied[in] != 1 {
			t.Errorf("%q was answered %d times and ended %d times", text, replied[in], ended[in])
		}
	}
	text, err := os.ReadFile(filepath.Join(state, "workspace", "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	wrote := map[string]int{}
	for line := range strings.Lines(string(text)) {
		wrote[strings.TrimSpace(line)]++
	}
	for line, n := range wrote {
		if n > 1 {
			t.Errorf("%q was written %d times", line, n)
		}
	}
	for line := range reported {
		if wrote[line] != 1 {
			t.Errorf("%q was reported as written and is there %d times", line, wrote[line])
		}
	}
}

// A question with --new is asked without what was said before.
func TestNewConversation(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	for _, args := range [][]string{{"ask", "my name is ana"}, {"ask", "who am I?"}, {"ask", "--new", "who am I?"}} {
		if out, err := hobCommand(t.Context(), fake, state, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	for i, knows := range []bool{true, true, false} {
		if got := strings.Contains(fake.requests[i], "my name is ana"); got != knows {
			t.Errorf("request %d knows the name: %t", i+1, got)
		}
	}
}
