package eventlog_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/eventlog"
)

// A snapshot saves reading, and nothing else depends on it.
func TestSnapshot(t *testing.T) {
	log := &counting{MemoryStorage: eventlog.NewMemoryStorage()}
	w := newWalker(t, log, 2)
	var old []byte
	for step := range 500 {
		w.step(t)
		if step == 200 {
			old, _ = log.Snapshot(t.Context())
		}
	}
	newest, err := log.Snapshot(t.Context())
	if err != nil || len(newest) == 0 {
		t.Fatalf("no snapshot: %v", err)
	}
	other := eventlog.NewMemoryStorage()
	foreign := newWalker(t, other, 6)
	for range 100 {
		foreign.step(t)
	}
	strange, _ := other.Snapshot(t.Context())
	load(t, log)
	log.read = 0
	load(t, log)
	if log.read > 70 {
		t.Errorf("%d lines were read with a snapshot", log.read)
	}
	same := func(name string, b []byte) {
		t.Helper()
		if err := log.KeepSnapshot(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		s := load(t, log)
		if state(s) != state(w.s) || s.StateHash() != w.s.StateHash() || !cmp.Equal(s.Path(), w.s.Path()) ||
			!cmp.Equal(s.Tips(), w.s.Tips()) ||
			!cmp.Equal(s.Branches(), w.s.Branches()) || !cmp.Equal(s.Counts(), w.s.Counts()) ||
			s.Reveal() != w.s.Reveal() || s.ID() != w.s.ID() {
			t.Errorf("%s: what was loaded is another campaign", name)
		}
	}
	same("none", nil)
	same("newest", newest)
	same("old", old)
	same("foreign", strange)
	for at := 0; at < len(newest); at += 1 + len(newest)/60 {
		b := append([]byte(nil), newest...)
		b[at] ^= 0x10
		same("damaged", b)
		same("torn", newest[:at])
	}
}

// A snapshot of lines that a log no longer has, such as one that was brought back from a copy, is not believed.
func TestSnapshotAhead(t *testing.T) {
	c := tell(t, 200)
	log := copyOf(t, c.s)
	ahead, _ := log.Snapshot(t.Context())
	half := eventlog.NewMemoryStorage()
	n := len(c.ends) / 2
	if _, err := eventlog.Import(t.Context(), bytes.NewReader(c.text[:c.ends[n]]), half, options(t)); err != nil {
		t.Fatal(err)
	}
	half.KeepSnapshot(t.Context(), ahead)
	if s := load(t, half); s.StateHash() != c.states[n] || s.Head() != c.turns[n] {
		t.Errorf("turn %d and not %d", s.Head(), c.turns[n])
	}
}

// A snapshot of another campaign that is just as long is not believed, either.
func TestSnapshotForeign(t *testing.T) {
	one, two := eventlog.NewMemoryStorage(), eventlog.NewMemoryStorage()
	for log, line := range map[*eventlog.MemoryStorage]string{one: `hit {"id":"pc"}`, two: `make {"name":"x"}`} {
		s := begin(t, log)
		for range 63 {
			play(t, s, line)
		}
	}
	b, err := one.Snapshot(t.Context())
	if err != nil || len(b) == 0 {
		t.Fatalf("no snapshot: %v", err)
	}
	two.KeepSnapshot(t.Context(), b)
	if s := load(t, two); s.World().Actor("pc").HP.N != 10 || len(s.World().Things()) != 63 {
		t.Error("another campaign was loaded")
	}
}
