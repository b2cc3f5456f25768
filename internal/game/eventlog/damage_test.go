package eventlog_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/eventlog"
)

// told is a campaign with its export, and what it was after each line.
type told struct {
	s      *eventlog.Log
	text   []byte
	ends   []int    // of the lines, newline included
	turns  []int64  // the turn that each line is of
	states []string // after each line
}

func tell(t testing.TB, steps int) told {
	log := eventlog.NewMemoryStorage()
	w := newWalker(t, log, 3)
	var c told
	note := func() {
		text := export(t, w.s)
		for at := len(c.text); at < len(text); {
			at += strings.IndexByte(text[at:], '\n') + 1
			c.ends, c.states = append(c.ends, at), append(c.states, w.s.StateHash())
			turn := w.s.Head()
			c.turns = append(c.turns, turn)
		}
		c.text = []byte(text)
	}
	note()
	for range steps {
		w.step(t)
		note()
	}
	c.s = w.s
	return c
}

// A file that was broken off anywhere is a campaign up to its last whole line: a short one at every offset, and one of 200 turns at
// many.
func TestTruncate(t *testing.T) {
	truncate(t, tell(t, 6), 1)
	c := tell(t, 520)
	if c.s.Turns() < 200 {
		t.Fatalf("only %d turns", c.s.Turns())
	}
	stride := 1201
	if os.Getenv("HOB_TEST_FULL") != "" {
		stride = 61
	}
	truncate(t, c, stride)
}

func truncate(t *testing.T, c told, stride int) {
	try := func(size int) {
		n := 0
		for n < len(c.ends) && c.ends[n]-1 <= size { // a line without its newline is whole
			n++
		}
		s, cut, err := eventlog.Recover(t.Context(), bytes.NewReader(c.text[:size]), eventlog.NewMemoryStorage(), options(t))
		if n == 0 {
			if !errors.Is(err, eventlog.ErrEmpty) {
				t.Fatalf("%d bytes: %v", size, err)
			}
			return
		}
		if err != nil || cut != max(0, size-c.ends[n-1]) || s.StateHash() != c.states[n-1] || s.Head() != c.turns[n-1] {
			t.Fatalf("%d bytes: turn %d after %d lines, %d bytes cut, %v", size, s.Head(), n, cut, err)
		}
		if size%(8*stride) == 0 {
			play(t, s, `hit {"id":"pc"}`)
		}
	}
	for size := 0; size <= len(c.text); size += stride {
		try(size)
	}
	for i := 0; i < len(c.ends); i += 1 + stride/64 {
		for _, by := range []int{-2, -1, 0, 1} {
			try(min(c.ends[i]+by, len(c.text)))
		}
	}
}

// One byte that is not what it was, anywhere, and an export is refused by the turn where it is.
func TestFlip(t *testing.T) {
	c := tell(t, 40)
	stride := 13
	if os.Getenv("HOB_TEST_FULL") != "" {
		stride = 1
	}
	line := 0
	for at := 0; at < len(c.text); at++ {
		if at == c.ends[line] {
			line++
		}
		if at%stride != 0 && at != c.ends[line]-1 {
			continue
		}
		flipped := bytes.Clone(c.text)
		flipped[at] ^= 1 << (at / stride % 8)
		log := eventlog.NewMemoryStorage()
		_, err := eventlog.Import(t.Context(), bytes.NewReader(flipped), log, options(t))
		var damaged *eventlog.DamagedError
		if !errors.As(err, &damaged) || damaged.Line != int64(line)+1 && at != c.ends[line]-1 {
			t.Fatalf("byte %d of line %d: %v", at, line+1, err)
		}
		start := c.text[:c.ends[line]]
		if line > 0 {
			start = start[c.ends[line-1]:]
		}
		if bytes.HasPrefix(start, []byte(`{"turn":`)) && damaged.Turn != c.turns[line] || damaged.Turn > c.s.Turns()+1 {
			t.Fatalf("byte %d of turn %d: %v", at, c.turns[line], err)
		}
		if _, err := eventlog.Load(t.Context(), log, options(t)); !errors.Is(err, eventlog.ErrEmpty) {
			t.Fatalf("byte %d: something was imported", at)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	c := tell(t, 20)
	lines := bytes.SplitAfter(c.text, []byte("\n"))
	join := func(parts ...[][]byte) (b []byte) {
		for _, p := range parts {
			b = append(b, bytes.Join(p, nil)...)
		}
		return b
	}
	for name, b := range map[string][]byte{
		"a line left out":     join(lines[:5], lines[6:]),
		"a line twice":        join(lines[:6], lines[5:]),
		"two lines swapped":   join(lines[:5], lines[6:7], lines[5:6], lines[7:]),
		"a torn end":          c.text[:len(c.text)-10],
		"no last newline":     c.text[:len(c.text)-1],
		"an empty line":       join(lines[:5], [][]byte{[]byte("\n")}, lines[5:]),
		"more after the end":  append(bytes.Clone(c.text), "{}"...),
		"another's beginning": join(lines[:1], lines),
		"no beginning":        join(lines[1:]),
		"half a beginning":    c.text[:40],
		"\\r\\n":              bytes.ReplaceAll(c.text, []byte("\n"), []byte("\r\n")),
	} {
		var damaged *eventlog.DamagedError
		if _, err := eventlog.Import(t.Context(), bytes.NewReader(b), eventlog.NewMemoryStorage(), options(t)); !errors.As(err, &damaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := eventlog.Import(t.Context(), strings.NewReader(""), eventlog.NewMemoryStorage(), options(t)); !errors.Is(err, eventlog.ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
	for _, log := range []eventlog.Storage{eventlog.NewMemoryStorage(), bare{eventlog.NewMemoryStorage()}} {
		s, err := eventlog.Import(t.Context(), bytes.NewReader(c.text), log, options(t))
		if err != nil || export(t, s) != string(c.text) || s.StateHash() != c.s.StateHash() || !cmp.Equal(s.Path(), c.s.Path()) {
			t.Fatalf("import is not what was exported: %v", err)
		}
		if _, err := eventlog.Import(t.Context(), bytes.NewReader(c.text), log, options(t)); !errors.Is(err, eventlog.ErrStale) {
			t.Errorf("import into a log that has lines: %v", err)
		}
	}
}

// Whatever cannot be written has not happened.
func TestAppendFails(t *testing.T) {
	memory := eventlog.NewMemoryStorage()
	log := &failing{Storage: memory, left: 1 << 40}
	w := newWalker(t, log, 4)
	for range 60 {
		w.step(t)
	}
	pending, err := w.s.Preview(t.Context(), request("p", `gamble`, `make {"name":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	play(t, w.s, `gamble`, `make {"name":"x"}`)
	if _, err := w.s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	pending, err = w.s.Preview(t.Context(), request("p", `gamble`, `make {"name":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	acts := map[string]func() error{
		"play": func() error {
			_, err := w.s.Play(t.Context(), request("q", `gamble`, `make {"name":"y"}`, `half`, `roll`, `end`))
			return err
		},
		"commit": func() error { _, err := w.s.Commit(t.Context(), pending); return err },
		"undo":   func() error { _, err := w.s.Undo(t.Context(), 3, eventlog.Origin{}); return err },
		"redo":   func() error { _, err := w.s.Redo(t.Context(), 3, eventlog.Origin{}); return err },
		"switch": func() error { _, err := w.s.Switch(t.Context(), "5", eventlog.Origin{}); return err },
		"branch": func() error { return w.s.Branch(t.Context(), "here", eventlog.Origin{}) },
	}
	text, was, hash, head, counts := export(t, w.s), state(w.s), w.s.StateHash(), w.s.Head(), w.s.Counts()
	for name, act := range acts {
		log.left = 0
		if err := act(); !errors.Is(err, errDisk) {
			t.Errorf("%s: %v", name, err)
		}
		if export(t, w.s) != text || state(w.s) != was || w.s.StateHash() != hash || w.s.Head() != head ||
			!cmp.Equal(w.s.Counts(), counts) ||
			len(w.s.Branches()) != len(load(t, memory).Branches()) {
			t.Errorf("%s left something behind", name)
		}
	}
	log.left = 1 << 40
	for _, name := range []string{"commit", "undo", "redo", "switch", "branch", "play"} {
		if err := acts[name](); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := load(t, memory); got.StateHash() != w.s.StateHash() || state(got) != state(w.s) {
		t.Error("what was loaded is not what was played")
	}
}

// A line that could not be read back is not written.
func TestUnreadable(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	before, was := export(t, s), state(s)
	if _, err := s.Play(t.Context(), request("", `spoil`)); err == nil {
		t.Error("a record with a newline in it was logged")
	}
	if export(t, s) != before || state(s) != was {
		t.Error("something was left behind")
	}
	p := play(t, s, `spaced`)
	if string(p.Outcomes[0].Result) != `{"bad":{"a":1}}` {
		t.Errorf("%s", p.Outcomes[0].Result)
	}
}

func TestTwoWriters(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	one := begin(t, log)
	play(t, one, `hit {"id":"pc"}`)
	two := load(t, log)
	play(t, one, `hit {"id":"pc"}`)
	was := state(two)
	if _, err := two.Play(t.Context(), request("", `make {"name":"x"}`)); !errors.Is(err, eventlog.ErrStale) || state(two) != was {
		t.Errorf("%v", err)
	}
	if _, err := two.Undo(t.Context(), 1, eventlog.Origin{}); !errors.Is(err, eventlog.ErrStale) || state(two) != was {
		t.Errorf("%v", err)
	}
	if got := load(t, log); got.Turns() != 2 {
		t.Errorf("%d turns", got.Turns())
	}
}

// While a turn goes on, everybody else is told so at once.
func TestBusy(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	s := begin(t, log)
	play(t, s, `hit {"id":"pc"}`)
	r := request("", `ask`)
	asked := 0
	r.Author = func(ctx context.Context, _ string) (string, error) {
		asked++
		_, play := s.Play(ctx, request("", `look`))
		_, extend := s.Extend(ctx, request("", `look`))
		_, preview := s.Preview(ctx, request("", `look`))
		_, undo := s.Undo(ctx, 1, eventlog.Origin{})
		_, at := s.At(ctx, 0)
		for i, err := range []error{play, extend, preview, undo, at, s.Branch(ctx, "x", eventlog.Origin{}), s.View(nil)} {
			if !errors.Is(err, eventlog.ErrBusy) {
				t.Errorf("%d: %v", i, err)
			}
		}
		return "a tale", nil
	}
	if p, err := s.Play(t.Context(), r); err != nil || asked != 1 || p.Turn != 2 || p.Outcomes[0].Say.Args[0] != "a tale" {
		t.Errorf("%+v %v", p, err)
	}
}

// A context that is over stops a turn before it is logged.
func TestContext(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	was := state(s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Play(ctx, request("", `hit {"id":"pc"}`)); !errors.Is(err, context.Canceled) || state(s) != was ||
		s.Turns() != 0 {
		t.Errorf("%v", err)
	}
}

// spoiling is a log on a disk that lost a bit of one line after it was read.
type spoiling struct {
	*eventlog.MemoryStorage
	line int64
}

func (s *spoiling) spoil(n int64, b []byte) []byte {
	if n != s.line {
		return b
	}
	b = bytes.Clone(b)
	b[len(b)/3] ^= 1
	return b
}

func (s *spoiling) Line(ctx context.Context, n int64) ([]byte, error) {
	b, err := s.MemoryStorage.Line(ctx, n)
	return s.spoil(n, b), err
}

func (s *spoiling) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for b, err := range s.MemoryStorage.Lines(ctx, from) {
			if !yield(s.spoil(from, b), err) {
				return
			}
			from++
		}
	}
}

// What a snapshot stands for is looked at when it is used: whoever goes back to a turn that was damaged is told, and stays
// where he is.
func TestDamageBehindSnapshot(t *testing.T) {
	log := &spoiling{MemoryStorage: eventlog.NewMemoryStorage(), line: -1}
	s := begin(t, log)
	for range 100 {
		play(t, s, `hit {"id":"pc"}`)
	}
	log.line = 40
	s = load(t, log)
	was, text := state(s), export(t, s)
	named := func(name string, err error) {
		t.Helper()
		var damaged *eventlog.DamagedError
		if !errors.As(err, &damaged) || damaged.Turn != 40 || damaged.Line != 41 || state(s) != was || export(t, s) != text {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := s.Undo(t.Context(), 80, eventlog.Origin{})
	named("undo", err)
	_, err = s.Switch(t.Context(), "10", eventlog.Origin{})
	named("switch", err)
	_, err = s.At(t.Context(), 39)
	named("at", err)
	_, err = s.Parts(t.Context(), 40)
	named("parts", err)
	_, err = s.Verify(t.Context(), nil)
	named("verify", err)
	_, err = eventlog.Load(t.Context(), bare{log}, options(t))
	named("load", err)
	if m, err := s.Undo(t.Context(), 59, eventlog.Origin{}); err != nil || m.Head != 41 {
		t.Errorf("undo up to it: %+v %v", m, err)
	}
}
