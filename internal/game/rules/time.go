package rules

import (
	"maps"
	"slices"
	"strings"

	"hob/internal/game/world"
)

// Passed is the result of time that passed.
type Passed struct {
	Minutes int64
	Expired []Expired
	Ticked  []Ticked
}

// Add adds to a result the conditions that ended, under the given name, and the clocks that ticked.
func (p Passed) Add(o *Obj, condition string) *Obj {
	expired, ticked := make([]*Obj, len(p.Expired)), make([]*Obj, len(p.Ticked))
	for i, e := range p.Expired {
		expired[i] = NewObj().Text("actor_id", e.Actor).Text(condition, e.Condition)
	}
	for i, t := range p.Ticked {
		ticked[i] = NewObj().Text("clock_id", t.Clock).Int("by", t.By).Flag("full", t.Full)
	}
	return o.Objs("expired", expired).Objs("ticked", ticked)
}

// Expired is a condition that is over.
type Expired struct{ Actor, Condition string }

// Ticked is a progress clock that has advanced.
type Ticked struct {
	Clock string
	By    int64
	Full  bool // just now
}

// PassTime lets minutes pass: the clock goes on, conditions end, and progress clocks that count time advance. In a
// world without a clock nothing happens.
func (s *Step) PassTime(minutes int64) (p Passed) {
	self := s.World.Self()
	if !self.ClockSet || minutes <= 0 {
		return p
	}
	p.Minutes = minutes
	now := Change(s, self, func(next *world.Self) { next.Minute += minutes })
	for _, a := range s.World.Actors() {
		p.Expired = append(p.Expired, s.expire(a, now.Minute)...)
	}
	for _, c := range s.World.Clocks() {
		if c.PerMinutes <= 0 || c.Closed {
			continue
		}
		due := (now.Minute - c.Since) / c.PerMinutes
		if due <= 0 {
			continue
		}
		Change(s, c, func(next *world.Clock) { next.Since += due * c.PerMinutes })
		if t, ok := s.Tick(c.ID, due); ok {
			p.Ticked = append(p.Ticked, t)
		}
	}
	return p
}

// expire ends the conditions of an actor that are over by now.
func (s *Step) expire(a *world.Actor, now int64) (list []Expired) {
	if len(a.Conditions) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(a.Conditions)) {
		if until := a.Conditions[name]; until > 0 && until <= now {
			list = append(list, Expired{Actor: a.ID, Condition: name})
		}
	}
	if len(list) == 0 {
		return nil
	}
	Change(s, a, func(next *world.Actor) {
		for _, e := range list {
			next.Conditions = world.Without(next.Conditions, e.Condition)
		}
	})
	return list
}

// Tick advances a progress clock by n segments, or by as many as it has left. It returns false if there is no such
// clock, or if it is full or closed already.
func (s *Step) Tick(id string, n int64) (Ticked, bool) {
	c := s.World.Clock(id)
	if c == nil || c.Closed || n <= 0 || c.Filled >= c.Segments {
		return Ticked{}, false
	}
	next := Change(s, c, func(next *world.Clock) { next.Filled = min(c.Segments, c.Filled+n) })
	return Ticked{Clock: id, By: next.Filled - c.Filled, Full: next.Filled == next.Segments}, true
}

// TimeLeft returns the clock that will be the first to end the story if only time passes, and after how many minutes it
// will; nil for none.
func TimeLeft(w *world.World) (first *world.Clock, left int64) {
	for _, c := range w.Clocks() {
		q := w.Quest(c.Fails)
		if q == nil || !q.Ends || Over(q) || c.Closed || c.PerMinutes <= 0 || c.Filled >= c.Segments {
			continue
		}
		n := max(0, c.Since+(c.Segments-c.Filled)*c.PerMinutes-w.Self().Minute-1)
		if first == nil || n < left {
			first, left = c, n
		}
	}
	return first, left
}

// OpenClocks returns the progress clocks that still run and that players can see.
func OpenClocks(w *world.World) []*world.Clock {
	return slices.DeleteFunc(w.Clocks(), func(c *world.Clock) bool { return c.Closed || !ShowsClock(w, c) })
}

// ShowsClock reports whether players can see a progress clock. If it belongs to an object, that has to be with the
// party or lie open where one of them is.
func ShowsClock(w *world.World, c *world.Clock) bool {
	if !c.Visible || c.Thing == "" {
		return c.Visible
	}
	return slices.ContainsFunc(w.Things(), func(o *world.Thing) bool {
		number, item := strings.CutPrefix(o.ID, c.Thing+"_") // of the hero who has brought it
		if o.ID != c.Thing && (!item || strings.Trim(number, "0123456789") != "") {
			return false
		}
		return slices.ContainsFunc(w.Self().Party, func(id string) bool {
			who := w.Actor(id)
			if who == nil {
				return false
			}
			holding := (&Attempt{World: w, Actor: who}).holding(o)
			return holding == Own || holding == Loose
		})
	})
}
