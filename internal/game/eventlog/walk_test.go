package eventlog_test

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/eventlog"
	"hob/internal/game/world"
)

// oracle knows what a saga should be, in the simplest way: it keeps every event and folds them from the beginning each time.
type oracle struct {
	first   []world.Event
	parent  []int // by turn
	visited []int
	events  [][]world.Event
	rolls   []int
	head    int
}

func (o *oracle) state(t testing.TB) string {
	w := world.Empty()
	var way []int
	for turn := o.head; turn != 0; turn = o.parent[turn] {
		way = append(way, turn)
	}
	events := append([]world.Event(nil), o.first...)
	for i := len(way) - 1; i >= 0; i-- {
		events = append(events, o.events[way[i]]...)
	}
	for _, e := range events {
		if err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return string(w.AppendState(nil))
}

// to moves the head; each turn before it leads to it.
func (o *oracle) to(turn int) {
	o.head = turn
	for ; turn != 0; turn = o.parent[turn] {
		o.visited[o.parent[turn]] = turn
	}
}

func (o *oracle) quiet(turn int) bool { return len(o.events[turn]) == 0 && o.rolls[turn] == 0 }

// went is a turn that was just played. One in which nothing happened leaves what can be done again.
func (o *oracle) went(turn int) {
	if before := o.visited[o.head]; o.quiet(turn) && before != 0 {
		o.visited[turn], o.head = before, turn
		return
	}
	o.to(turn)
}

func (o *oracle) undo(n int) (done int) {
	for turn := o.head; turn != 0 && done < n; turn = o.parent[turn] {
		if len(o.events[turn]) > 0 {
			o.head = o.parent[turn]
			done++
		}
	}
	return done
}

func (o *oracle) redo(n int) (done int) {
	end := o.head
	for turn := o.visited[o.head]; turn != 0; turn = o.visited[turn] {
		if len(o.events[turn]) > 0 {
			if done == n {
				break
			}
			done++
		}
		end = turn
	}
	if done > 0 {
		o.to(end)
	}
	return done
}

// walker goes at random over play, extend, undo, redo, branch and switch, and tells the oracle.
type walker struct {
	s      *eventlog.Log
	o      oracle
	r      *rand.Rand
	labels map[string]int
}

func newWalker(t testing.TB, log eventlog.Storage, seed int64) *walker {
	b := beginning(t, 3)
	w := &walker{r: rand.New(rand.NewSource(seed)), labels: map[string]int{}}
	w.o = oracle{first: b.World.Events(), parent: []int{0}, visited: []int{0}, events: [][]world.Event{nil}, rolls: []int{0}}
	s, err := eventlog.Create(t.Context(), log, b, options(t))
	if err != nil {
		t.Fatal(err)
	}
	w.s = s
	return w
}

// line is a call, which may well fail.
func (w *walker) line() string {
	if things := w.s.World().Things(); len(things) > 0 && w.r.Intn(5) == 0 {
		return `burn {"id":"` + things[w.r.Intn(len(things))].ID + `"}`
	}
	return []string{
		`hit {"id":"pc","n":` + strconv.Itoa(w.r.Intn(9)-4) + `}`, `make {"name":"lamp"}`, `gamble`, `roll`, `look`,
		`half`, `panics`,
		`hit {"id":"nobody"}`, `note`, `make {"name":"лампа 灯"}`, `policy {"id":"burn"}`, `policy {"id":"locked"}`,
	}[w.r.Intn(12)]
}

func (w *walker) lines() []string {
	lines := make([]string, w.r.Intn(4))
	for i := range lines {
		lines[i] = w.line()
	}
	return lines
}

func (w *walker) step(t testing.TB) {
	switch w.r.Intn(10) {
	default:
		p := play(t, w.s, w.lines()...)
		w.o.parent, w.o.visited = append(w.o.parent, w.o.head), append(w.o.visited, 0)
		w.o.events = append(w.o.events, p.Events)
		w.o.rolls = append(w.o.rolls, len(p.Rolls))
		w.o.went(int(p.Turn))
	case 0:
		if newest := len(w.o.parent) - 1; w.o.head == newest && newest > 0 {
			p, err := w.s.Extend(t.Context(), request("", w.lines()...))
			if err != nil {
				t.Fatal(err)
			}
			quiet := w.o.quiet(newest)
			w.o.events[newest] = append(w.o.events[newest], p.Events...)
			if w.o.rolls[newest] += len(p.Rolls); quiet && !w.o.quiet(newest) {
				w.o.visited[newest] = 0
				w.o.to(newest)
			}
		}
	case 1, 2:
		n := 1 + w.r.Intn(4)
		if m, err := w.s.Undo(t.Context(), n, eventlog.Origin{}); err != nil || m.Turns != w.o.undo(n) {
			t.Fatalf("undo %d: %+v %v", n, m, err)
		}
	case 3, 4:
		n := 1 + w.r.Intn(4)
		if m, err := w.s.Redo(t.Context(), n, eventlog.Origin{}); err != nil || m.Turns != w.o.redo(n) {
			t.Fatalf("redo %d: %+v %v", n, m, err)
		}
	case 5:
		w.jump(t)
	}
}

// jump gives the head a name, or goes to a turn by its number or its name.
func (w *walker) jump(t testing.TB) {
	to := w.r.Intn(len(w.o.parent))
	where := strconv.Itoa(to)
	switch w.r.Intn(3) {
	case 0:
		name := fmt.Sprintf("label %d", len(w.labels))
		if err := w.s.Branch(t.Context(), name, eventlog.Origin{}); err != nil {
			t.Fatal(err)
		}
		w.labels[name] = w.o.head
		return
	case 1:
		if len(w.labels) > 0 {
			where = fmt.Sprintf("label %d", w.r.Intn(len(w.labels)))
			to = w.labels[where]
		}
	}
	if _, err := w.s.Switch(t.Context(), where, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	if to != w.o.head {
		w.o.to(to)
	}
}

func (w *walker) compare(t testing.TB, step int) {
	t.Helper()
	if int(w.s.Head()) != w.o.head {
		t.Fatalf("step %d: the head is %d and not %d", step, w.s.Head(), w.o.head)
	}
	if diff := cmp.Diff(w.o.state(t), state(w.s)); diff != "" {
		t.Fatalf("step %d: %s", step, diff)
	}
}

// steps returns n, or a part of it where nobody asked for all.
func steps(n int) int {
	if os.Getenv("HOB_TEST_FULL") == "" {
		return n / 5
	}
	return n
}

// A random walk over everything that writes is at each step what an oracle says that folds from the beginning; and what is
// loaded from the log, with and without its snapshot, is the same and walks on in the same way.
func TestWalk(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	w := newWalker(t, log, 1)
	for step := range steps(10_000) {
		w.step(t)
		w.compare(t, step)
		switch {
		case step%500 == 499:
			was := w.s
			w.s = load(t, bare{log})
			if !cmp.Equal(was.Path(), w.s.Path()) || !cmp.Equal(was.Branches(), w.s.Branches()) ||
				!cmp.Equal(was.Counts(), w.s.Counts()) {
				t.Fatalf("step %d: what was loaded is not what was", step)
			}
			w.s = load(t, log)
			w.compare(t, step)
			if w.s.StateHash() != was.StateHash() || !cmp.Equal(was.Tips(), w.s.Tips()) {
				t.Fatalf("step %d: what was loaded is not what was", step)
			}
		case step%50 == 49:
			turn := w.r.Intn(len(w.o.parent))
			at, err := w.s.At(t.Context(), int64(turn))
			if err != nil {
				t.Fatal(err)
			}
			o := w.o
			if o.head = turn; string(at.AppendState(nil)) != o.state(t) {
				t.Fatalf("step %d: the state at turn %d is another", step, turn)
			}
		}
	}
	r, err := w.s.Verify(t.Context(), nil)
	if err != nil || len(r.Problems) > 0 || r.Rolls == 0 {
		t.Errorf("%+v %v", r, err)
	}
}

// Undo takes back what was done, and n of each take each other back, whatever lies between.
func TestUndoRedo(t *testing.T) {
	w := newWalker(t, eventlog.NewMemoryStorage(), 2)
	for range steps(2000) {
		before, hash := state(w.s), w.s.StateHash()
		p := play(t, w.s, w.lines()...)
		after := w.s.StateHash()
		if len(p.Events) == 0 {
			if after != hash {
				t.Fatalf("turn %d changed nothing and its state is another", p.Turn)
			}
			continue
		}
		if m, err := w.s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil || m.Turns != 1 || state(w.s) != before ||
			w.s.StateHash() != hash {
			t.Fatalf("turn %d: undo is not what was before: %v", p.Turn, err)
		}
		if m, err := w.s.Redo(t.Context(), 1, eventlog.Origin{}); err != nil || m.Head != p.Turn || m.State != after {
			t.Fatalf("turn %d: redo is not what was after: %v", p.Turn, err)
		}
		n := 1 + w.r.Intn(30)
		m, err := w.s.Undo(t.Context(), n, eventlog.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		if back, err := w.s.Redo(t.Context(), n, eventlog.Origin{}); err != nil || back.Turns != m.Turns ||
			back.State != after || back.Head != p.Turn {
			t.Fatalf("turn %d: undo %d, redo %d: %+v %+v %v", p.Turn, n, n, m, back, err)
		}
	}
}

// Nothing is given twice: neither the number of a turn nor an id, after undo either.
func TestNumbersGoOn(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	seen := map[string]bool{}
	for i := range 20 {
		p := play(t, s, `make {"name":"lamp"}`)
		if id := p.Outcomes[0].Created; seen[id] || p.Turn != int64(i)+1 {
			t.Fatalf("turn %d created %s again", p.Turn, id)
		} else {
			seen[id] = true
		}
		if _, err := s.Undo(t.Context(), i%3, eventlog.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMovesRefused(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	play(t, s, `hit {"id":"pc"}`)
	if err := s.Branch(t.Context(), "a", eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	play(t, s, `look`)
	before := export(t, s)
	for _, where := range []string{"b", "3", "-1", ""} {
		if _, err := s.Switch(t.Context(), where, eventlog.Origin{}); err == nil {
			t.Errorf("the head moved to %q", where)
		}
	}
	for _, name := range []string{"a", "12", ""} {
		if err := s.Branch(t.Context(), name, eventlog.Origin{}); err == nil {
			t.Errorf("a branch is called %q", name)
		}
	}
	if m, err := s.Redo(t.Context(), 5, eventlog.Origin{}); err != nil || m.Turns != 0 || m.Head != 2 {
		t.Errorf("%+v %v", m, err)
	}
	if m, err := s.Undo(t.Context(), 5, eventlog.Origin{}); err != nil || m.Turns != 1 || m.Head != 0 {
		t.Errorf("%+v %v", m, err)
	}
	if m, err := s.Undo(t.Context(), 5, eventlog.Origin{}); err != nil || m.Turns != 0 || m.Head != 0 {
		t.Errorf("%+v %v", m, err)
	}
	if !cmp.Equal(s.Branches(), []eventlog.Branch{{Name: "a", Turn: 1}}) || export(t, s)[:len(before)] != before {
		t.Errorf("%v", s.Branches())
	}
}
