package game_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
)

func (w *walker) opt(book *rules.Book) eventlog.Options { return game.Options(book, noon) }

// lines returns a log with the lines of another, and no snapshot.
func lines(t testing.TB, log eventlog.Storage) *eventlog.MemoryStorage {
	t.Helper()
	m, n := eventlog.NewMemoryStorage(), int64(0)
	for line, err := range log.Lines(t.Context(), 0) {
		if err == nil {
			err = m.Append(t.Context(), n, line, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return m
}

// tell plays random calls and goes back now and then.
func tell(t testing.TB, book *rules.Book, log eventlog.Storage, what string, turns int) *eventlog.Log {
	t.Helper()
	s := begin(t, book, log, what, 5)
	g := newGenerator(book, s, 5)
	for s.Turns() < int64(turns) {
		if _, err := s.Play(t.Context(), g.request()); err != nil {
			t.Fatal(err)
		}
		if s.World().Self().Ended || g.IntN(30) == 0 {
			if _, err := s.Undo(t.Context(), 1+g.IntN(3), eventlog.Origin{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// export returns a campaign's log as it is exported.
func export(t testing.TB, s *eventlog.Log) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// seen is all that can be seen of a campaign: its state in every shape, and what the tools that show it say.
func seen(t testing.TB, s *eventlog.Log) string {
	t.Helper()
	var b strings.Builder
	for _, shape := range game.Shapes() {
		state, err := game.State(t.Context(), s, shape)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", state)
	}
	p, err := s.Preview(t.Context(), eventlog.Request{Calls: []rules.Call{
		{Tool: "scene"}, {Tool: "choices"}, {Tool: "look"}, {Tool: "recap", Args: []byte(`{"turns":50}`)}, {Tool: "move_options"},
		{Tool: "map_render", Args: []byte(`{"format":"svg"}`)}, {Tool: "map_render",
			Args: []byte(`{"format":"svg","scope":"zone","reveal":true}`)},
		{Tool: "map_render", Args: []byte(`{"format":"png","reveal":true}`)}, {Tool: "map_render"}, {Tool: "roll_dice",
			Args: []byte(`{"expr":"9d9"}`)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range p.Outcomes {
		fmt.Fprintf(&b, "%s %s %s %s\n", o.Call.Tool, o.Status, o.Say, o.Result)
	}
	return b.String()
}

// What another process is given: a folder with a book's name in it tells TestOther what to do.
const (
	otherFolder = "HOB_GAME_OTHER"
	storyTurns  = 80
)

// TestOther is the other process of TestProcesses: it imports the exports of its folder and writes what is to be seen of them;
// and it plays the same stories anew.
func TestOther(t *testing.T) {
	folder := os.Getenv(otherFolder)
	if folder == "" {
		t.Skip("it is run by TestProcesses")
	}
	book := book(t)
	for _, what := range kinds() {
		data, err := os.ReadFile(filepath.Join(folder, what+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := eventlog.Import(t.Context(), bytes.NewReader(data), eventlog.NewMemoryStorage(), game.Options(book, noon))
		if err != nil {
			t.Fatal(err)
		}
		anew := export(t, tell(t, book, eventlog.NewMemoryStorage(), what, storyTurns))
		fmt.Printf("%s imported %s\n%s anew %s\n", what, sum([]byte(seen(t, s))), what, sum(anew))
	}
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// The same calls with the same seed give the same bytes in every process, on one processor or two; so does an export that is
// imported there. Without its snapshot a campaign is the same.
func TestProcesses(t *testing.T) {
	book := book(t)
	folder := t.TempDir()
	want := []string{}
	for _, what := range kinds() {
		log := eventlog.NewMemoryStorage()
		s := tell(t, book, log, what, storyTurns)
		data, shown := export(t, s), seen(t, s)
		if err := os.WriteFile(filepath.Join(folder, what+".jsonl"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, what+" imported "+sum([]byte(shown)), what+" anew "+sum(data))
		for name, log := range map[string]eventlog.Storage{"with its snapshot": log, "without": lines(t, log)} {
			s, err := eventlog.Load(t.Context(), log, game.Options(book, noon))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(shown, seen(t, s)); diff != "" {
				t.Errorf("%s loaded %s: (-want +got)\n%s", what, name, diff)
			}
		}
	}
	for _, processors := range []string{"1", "2"} {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOther$", "-test.count=1")
		c.Env = append(os.Environ(), otherFolder+"="+folder, "GOMAXPROCS="+processors)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got := []string{}
		for line := range strings.Lines(string(out)) {
			if line = strings.TrimSpace(line); strings.Contains(line, " imported ") || strings.Contains(line, " anew ") {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("on %s processors (-want +got):\n%s", processors, diff)
		}
	}
}

// An export that was broken off anywhere is a campaign up to its last whole turn; one with a wrong byte is refused, and the turn
// is named.
func TestDamage(t *testing.T) {
	book := book(t)
	opt := game.Options(book, noon)
	s := tell(t, book, eventlog.NewMemoryStorage(), "w1", 200)
	data := export(t, s)
	ends, states := []int{}, []string{}
	for at := 0; at < len(data); {
		at += bytes.IndexByte(data[at:], '\n') + 1
		ends = append(ends, at)
		whole, err := eventlog.Import(t.Context(), bytes.NewReader(data[:at]), eventlog.NewMemoryStorage(), opt)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, whole.StateHash())
	}
	stride := len(data) / 30
	if full() {
		stride = 17
	}
	line := 0
	for at := 1; at < len(data); at++ {
		if at > ends[line] {
			line++
		}
		if edge := ends[line] - at; at%stride != 0 && (edge > 1 || line%20 != 0) {
			continue
		}
		cutOff(t, data[:at], opt, ends, states)
		flipped := bytes.Clone(data)
		flipped[at-1] ^= byte(1 << (at % 8))
		var damaged *eventlog.DamagedError
		if _, err := eventlog.Import(t.Context(), bytes.NewReader(flipped), eventlog.NewMemoryStorage(), opt); !errors.As(err, &damaged) ||
			!strings.Contains(err.Error(), fmt.Sprintf("turn %d ", damaged.Turn)) || damaged.Line > int64(line)+2 {
			t.Fatalf("byte %d, on line %d: %v", at-1, line+1, err)
		}
	}
}

// cutOff recovers an export that was broken off.
func cutOff(t *testing.T, data []byte, opt eventlog.Options, ends []int, states []string) {
	t.Helper()
	n := 0
	for n < len(ends) && ends[n]-1 <= len(data) { // a line that lacks nothing but its newline is whole
		n++
	}
	s, cut, err := eventlog.Recover(t.Context(), bytes.NewReader(data), eventlog.NewMemoryStorage(), opt)
	switch {
	case n == 0 && errors.Is(err, eventlog.ErrEmpty):
	case n == 0 || err != nil:
		t.Fatalf("%d bytes: %v", len(data), err)
	case s.StateHash() != states[n-1] || cut != max(0, len(data)-ends[n-1]):
		t.Fatalf("%d bytes: turn %d, %d bytes were cut", len(data), s.Head(), cut)
	}
}
