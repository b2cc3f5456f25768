package game_test

import (
	"fmt"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/game/world"
)

// chart is a map as a call of map_generate made it.
type chart struct {
	entry string
	rooms map[string]*world.Place
	ways  map[string][]*world.Link
	keys  map[string]string // where each key lies
}

// drawn returns what a call of map_generate would make.
func drawn(t *testing.T, s *eventlog.Log, args string) chart {
	t.Helper()
	p, err := s.Preview(t.Context(), request("map_generate", args))
	if err != nil || !p.Outcomes[0].OK() {
		t.Fatalf("%s: %v %+v", args, err, p)
	}
	c := chart{rooms: map[string]*world.Place{}, ways: map[string][]*world.Link{}, keys: map[string]string{}}
	for _, e := range p.Events {
		switch r := e.New.(type) {
		case *world.Place:
			if c.entry == "" {
				c.entry = r.ID
			}
			c.rooms[r.ID] = r
		case *world.Thing:
			c.keys[r.ID] = r.Parent
		}
	}
	for _, e := range p.Events {
		if l, ok := e.New.(*world.Link); ok && c.rooms[l.From] != nil && c.rooms[l.To] != nil {
			c.ways[l.From] = append(c.ways[l.From], l)
		}
	}
	return c
}

// opened returns how many rooms can be come to from the entry: by whoever opens locks only with keys that were found on the way.
func (c chart) opened() int {
	seen := map[string]bool{c.entry: true}
	for more := true; more; {
		more = false
		for from := range seen {
			for _, l := range c.ways[from] {
				if locked := l.Door == world.LockedDoor; !seen[l.To] && (!locked || seen[c.keys[l.Lock]]) {
					seen[l.To], more = true, true
				}
			}
		}
	}
	return len(seen)
}

// steps are where the directions lead on the grid.
func steps() map[string]world.Cell {
	return map[string]world.Cell{"n": {Y: -1}, "s": {Y: 1}, "e": {X: 1}, "w": {X: -1}}
}

// check holds a map against the rules: its rooms stand apart on a grid, its ways lead to the next cell and back, and nothing in
// it is out of reach.
func (c chart) check(size int) error {
	cells, locks := map[world.Cell]bool{}, 0
	for _, p := range c.rooms {
		cells[*p.Grid] = true
	}
	if len(c.rooms) != size || len(cells) != size || c.opened() != size {
		return fmt.Errorf("%d rooms on %d cells, %d of them in reach", len(c.rooms), len(cells), c.opened())
	}
	for from, ways := range c.ways {
		for _, l := range ways {
			a, b, step := c.rooms[from].Grid, c.rooms[l.To].Grid, steps()[l.Dir]
			back := false
			for _, r := range c.ways[l.To] {
				o := steps()[r.Dir]
				back = back || r.To == from && o.X == -step.X && o.Y == -step.Y && r.Door == l.Door && r.Lock == l.Lock
			}
			if a.X+step.X != b.X || a.Y+step.Y != b.Y || step == (world.Cell{}) || !back {
				return fmt.Errorf("the way %s of %s to %s: %v to %v, and back: %v", l.Dir, from, l.To, *a, *b, back)
			}
			if l.Door == world.LockedDoor {
				locks++
			}
		}
	}
	if locks > 0 != (len(c.keys) > 0) {
		return fmt.Errorf("%d locks, %d keys", locks, len(c.keys))
	}
	return nil
}

// Maps of every size are connected and flat, their ways lead back, and what is locked can be opened. The same seed is the same
// map, and others are others.
func TestMaps(t *testing.T) {
	book := book(t)
	s := begin(t, book, eventlog.NewMemoryStorage(), "w2b", 1)
	seeds := 4
	if full() {
		seeds = 400
	}
	locked := 0
	for size := 1; size <= 30; size++ {
		different := map[string]bool{}
		for seed := range seeds {
			args := fmt.Sprintf(`{"parent_area_id":null,"theme":"X","constraints":{"size":%d,"seed":"s%d","locks":%v}}`, size, seed,
				seed%2 == 0)
			c := drawn(t, s, args)
			if err := c.check(size); err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			shape := fmt.Sprint(shapeOf(c))
			if different[shape] = true; seed == 0 && shape != fmt.Sprint(shapeOf(drawn(t, s, args))) {
				t.Errorf("%s: two maps", args)
			}
			locked += len(c.keys)
		}
		if size >= 12 && len(different) < seeds {
			t.Errorf("size %d: only %d maps of %d seeds", size, len(different), seeds)
		}
	}
	if locked == 0 {
		t.Error("no door was locked")
	}
	for range 20 { // what must hold of a layer holds however many maps are in it
		play(t, s, "map_generate", `{"parent_area_id":null,"theme":"X","constraints":{"size":7,"seed":"s"}}`)
		if breaches := s.World().Validate(); len(breaches) > 0 {
			t.Fatal(breaches)
		}
	}
}

// shapeOf returns where rooms are and which ways there are.
func shapeOf(c chart) []string {
	list := []string{}
	for i := 1; len(list) < len(c.rooms) && i < 200; i++ {
		if id := fmt.Sprintf("area_%03d", i); c.rooms[id] != nil {
			text := fmt.Sprint(*c.rooms[id].Grid)
			for _, l := range c.ways[id] {
				text += " " + l.Dir + l.Door
			}
			list = append(list, text)
		}
	}
	return list
}
