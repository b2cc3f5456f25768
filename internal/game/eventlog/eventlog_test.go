package eventlog_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// tools is a small made-up family: enough to change, create, remove, roll, look, note, and fail in each way.
func tools() rules.Family {
	id, n := rules.Param{Name: "id", Type: rules.ID, Need: true}, rules.Param{Name: "n", Type: rules.Int}
	words := "did = {0}\nmissing = {0}\n"
	return rules.Family{
		Words: map[string]string{"en": words, "ru": words, "zh": words},
		Tools: []rules.Tool{
			{Name: "hit", Params: []rules.Param{id, n}, Run: hit},
			{Name: "touch", Params: []rules.Param{id, n}, Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
				return touched(s, a)
			}},
			{Name: "make", Params: []rules.Param{{Name: "name", Type: rules.Text, Need: true}}, Run: create},
			{Name: "burn", Params: []rules.Param{id}, Run: burn},
			{Name: "policy", Params: []rules.Param{id}, Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
				self := *s.World.Self()
				self.DicePolicy = a.Text("id")
				s.Put(&self)
				return rules.Accept(nil, "did", "policy")
			}},
			{Name: "end", Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				self := *s.World.Self()
				self.Ended, self.EndedReason = true, "over"
				s.Put(&self)
				return rules.Accept(nil, "did", "end")
			}},
			{Name: "gamble", Class: rules.Acting, Params: []rules.Param{n}, Run: gamble},
			{Name: "roll", Class: rules.Reading, Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				r, err := s.Roll("1d20", "for luck")
				if err != nil {
					return rules.Refuse(rules.Internal, "did", err.Error())
				}
				return rules.Accept(rules.NewObj().Int("total", r.Total), "did", "roll")
			}},
			{Name: "walk", Params: []rules.Param{id}, Run: walk},
			{Name: "note", Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				s.Note("move", "noted", rules.NewObj().Int("past", int64(len(s.Recent(3)))))
				return rules.Accept(nil, "did", "note")
			}},
			{Name: "look", Class: rules.Reading, Run: func(context.Context, *rules.Step, rules.Args) *rules.Verdict {
				return rules.AcceptNoting("dark", rules.NewObj().Text("seen", "a \"cave\"\n"), "did")
			}},
		},
	}
}

// odd are the tools that fail, or that do what a tool should not.
func odd() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{Name: "half", Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				s.Put(&world.Thing{ID: s.NewID("half"), Name: "never"})
				return rules.Refuse(rules.EntityNotFound, "missing", "all")
			}},
			{Name: "panics", Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				s.Put(&world.Thing{ID: "panic"})
				panic("on purpose")
			}},
			{Name: "ask", Run: func(ctx context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				text, err := s.Services.Author(ctx, "a tale, please")
				if err != nil {
					return rules.Refuse(rules.UpstreamInvalid, "did", err.Error())
				}
				return rules.Accept(nil, "did", text)
			}},
			{Name: "spaced", Run: func(context.Context, *rules.Step, rules.Args) *rules.Verdict {
				return rules.Accept(rules.NewObj().Raw("bad", []byte("{ \"a\":\n 1 }")), "did")
			}},
			{Name: "spoil", Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				s.Put(&world.Thing{ID: "spoilt", Extra: "{\n}"})
				return rules.Accept(nil, "did")
			}},
		},
	}
}

func hit(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	was := s.World.Actor(a.Text("id"))
	if was == nil {
		return rules.Refuse(rules.EntityNotFound, "missing", a.Text("id"))
	}
	is := *was
	is.HP = world.Known(is.HP.N + a.Int("n", -1))
	s.Put(&is)
	return rules.Accept(rules.NewObj().Int("new_hp", is.HP.N), "did", "hit")
}

func create(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	id := s.NewObjectID()
	s.Put(&world.Thing{ID: id, Order: s.NewOrder(), Name: a.Text("name"), Parent: "cave",
		Attrs: map[string]string{"state": "new"}})
	return rules.Accept(nil, "did", id).With(id)
}

func burn(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	t := s.World.Thing(a.Text("id"))
	if t == nil {
		return rules.Refuse(rules.EntityNotFound, "missing", a.Text("id"))
	}
	s.Drop(t)
	return rules.Accept(nil, "did", t.ID)
}

func walk(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	if s.World.Place(a.Text("id")) == nil {
		s.Put(&world.Place{ID: a.Text("id"), Attrs: map[string]string{}})
	}
	is := *s.World.Actor("pc")
	is.Place = a.Text("id")
	s.Put(&is)
	return rules.Accept(nil, "did", "walk")
}

func gamble(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	r, err := s.Roll("1d20", "to gamble")
	if err != nil {
		return rules.Refuse(rules.Internal, "did", err.Error())
	}
	is := *s.World.Actor(s.Actor)
	is.HP = world.Known(is.HP.N + r.Total)
	s.Put(&is)
	return rules.Accept(rules.NewObj().Int("total", r.Total), "did", "gamble")
}

// dice are as good as any for what is tested here.
func dice(seed [32]byte, path, roll int64, expr string) (rules.Roll, error) {
	if expr != "1d20" {
		return rules.Roll{}, errors.New("no such dice")
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %d %d", seed, path, roll))
	v := int64(sum[0])%20 + 1
	return rules.Roll{Expr: expr, Total: v, Detail: fmt.Sprintf("[%d]", v), Dice: []rules.Die{{Size: 20, Value: v,
		Kept: true}}}, nil
}

func options(t testing.TB) eventlog.Options {
	t.Helper()
	book, err := rules.New(tools(), odd())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2024, 3, 14, 9, 30, 0, 0, time.FixedZone("", 3600))
	return eventlog.Options{Book: book, Now: func() time.Time { now = now.Add(time.Second); return now }, Dice: dice}
}

// beginning is a cave, somebody in it, and n things.
func beginning(t testing.TB, n int) eventlog.Beginning {
	t.Helper()
	w := world.Empty()
	put := func(r world.Record) {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
	put(&world.Self{Integrity: world.Free, Title: "Caves", Active: "pc", Lang: "en"})
	put(&world.Place{ID: "cave", Name: "Cave", Attrs: map[string]string{}})
	put(&world.Actor{ID: "pc", Name: "Jack", Place: "cave", HP: world.Known(10)})
	for i := range n {
		put(&world.Thing{ID: fmt.Sprintf("thing_%d", i), Order: int64(i), Name: "a stone", Parent: fmt.Sprintf("thing_%d", i/8),
			Attrs: map[string]string{"colour": "grey"}})
	}
	return eventlog.Beginning{ID: "c1", Seed: [32]byte{1, 2, 3}, World: w, Counts: rules.Counts{"obj": 7}}
}

// begin creates a campaign in log.
func begin(t testing.TB, log eventlog.Storage) *eventlog.Log {
	t.Helper()
	s, err := eventlog.Create(t.Context(), log, beginning(t, 0), options(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func call(tool, args string) rules.Call {
	return rules.Call{ID: "1", Tool: tool, Args: json.RawMessage(args), Reason: "because"}
}

// play plays calls, one a line: a tool, a space, its arguments.
func play(t testing.TB, s *eventlog.Log, lines ...string) eventlog.PlayResult {
	t.Helper()
	p, err := s.Play(t.Context(), request("", lines...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func request(id string, lines ...string) eventlog.Request {
	r := eventlog.Request{ID: id, Body: []byte(strings.Join(lines, "\n")), User: "u1", Input: "I do \"it\""}
	for _, l := range lines {
		tool, args, _ := strings.Cut(l, " ")
		r.Calls = append(r.Calls, call(tool, args))
	}
	return r
}

func load(t testing.TB, log eventlog.Storage) *eventlog.Log {
	t.Helper()
	s, err := eventlog.Load(t.Context(), log, options(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func export(t testing.TB, s *eventlog.Log) string {
	t.Helper()
	var b strings.Builder
	if err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// copyOf returns a log with the same lines.
func copyOf(t testing.TB, s *eventlog.Log) *eventlog.MemoryStorage {
	t.Helper()
	log := eventlog.NewMemoryStorage()
	if _, err := eventlog.Import(t.Context(), strings.NewReader(export(t, s)), log, options(t)); err != nil {
		t.Fatal(err)
	}
	return log
}

// state is the whole state as bytes, not only its hash.
func state(s *eventlog.Log) string { return string(s.World().AppendState(nil)) }

// bare is a log that is neither a cache nor takes many lines at once.
type bare struct{ eventlog.Storage }

// failing fails from a number of appends on, which are not made.
type failing struct {
	eventlog.Storage
	left int
}

var errDisk = errors.New("the disk is full")

func (f *failing) Append(ctx context.Context, n int64, line []byte, request string) error {
	if f.left--; f.left < 0 {
		return errDisk
	}
	return f.Storage.Append(ctx, n, line, request)
}

// counting counts the lines that are read.
type counting struct {
	*eventlog.MemoryStorage
	read int
}

func (c *counting) Line(ctx context.Context, n int64) ([]byte, error) {
	c.read++
	return c.MemoryStorage.Line(ctx, n)
}

func (c *counting) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for b, err := range c.MemoryStorage.Lines(ctx, from) {
			c.read++
			if !yield(b, err) {
				return
			}
		}
	}
}

// discard keeps no more than the last few lines, as if the others were on a disk.
type discard struct {
	*eventlog.MemoryStorage
	n int64
}

func (d *discard) Append(ctx context.Context, n int64, line []byte, request string) error {
	if n != d.n {
		return eventlog.ErrStale
	}
	d.n++
	return ctx.Err()
}
