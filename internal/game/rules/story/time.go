package story

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/game/calendar"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runAdvanceTime runs the tool advance_time. Its result is
// {"clock","daypart","minutes","expired":[{"actor_id","name"}],"ticked":[{"clock_id","by", "full"}]}: full is whether it became
// so just now.
func runAdvanceTime(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	if !s.World.Self().ClockSet {
		return rules.Refuse("no_clock", "advance_time.none")
	}
	if _, err := calendar.FromMinutes(s.World.Self().Minute + a.Int("minutes", 0)); err != nil {
		return rules.Refuse("no_clock", "advance_time.end")
	}
	p := s.PassTime(a.Int("minutes", 0))
	date, daypart := Date(s.World.Self())
	lines := []string{s.Say("advance_time.done", p.Minutes, date)}
	for _, e := range p.Expired {
		lines = append(lines, s.Say("advance_time.expired", s.World.Actor(e.Actor), e.Condition))
	}
	for _, t := range p.Ticked {
		if c := s.World.Clock(t.Clock); rules.ShowsClock(s.World, c) {
			lines = append(lines, clockText(s, c, t.Full))
		}
	}
	result := rules.NewObj().Text("clock", date).Text("daypart", daypart).Int("minutes", p.Minutes)
	return rules.Accept(p.Add(result, "name"), "look.text", strings.Join(lines, " "))
}

// clockText says how far a clock is.
func clockText(s *rules.Step, c *world.Clock, full bool) string {
	if full {
		return strings.TrimSpace(s.Say("clock.full", c.Name, c.OnFull))
	}
	return s.Say("clock.ticked", c.Name, c.Filled, c.Segments)
}

// Date returns a world's date as text, and its part of the day; both are "" in a world without a
// clock.
func Date(self *world.Self) (date, daypart string) {
	d, ok := Now(self)
	if !ok {
		return "", ""
	}
	return d.String(), calendar.Daypart(self.Minute)
}

// Now returns a world's date, false in a world without a clock.
func Now(self *world.Self) (calendar.Date, bool) {
	d, err := calendar.FromMinutes(self.Minute)
	return d, err == nil && self.ClockSet
}

// runClock runs the tool clock. Its result is {"clock":{"id","name","filled","segments","closed"}}, with full
// where all segments are filled.
func runClock(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	if a.Text("action") == "create" {
		return newClock(s, a)
	}
	return changeClock(s, a)
}

// The bounds of what is written about clocks, in runes.
const (
	maxClockName = 80
	maxOnFull    = 300
)

func newClock(s *rules.Step, a rules.Args) *rules.Verdict {
	segments, name, onFull := a.Int("segments", 6), a.Text("name"), strings.TrimSpace(a.Text("on_full"))
	switch {
	case name == "" || len([]rune(name)) > maxClockName:
		return rules.Refuse(rules.InvalidArgs, "clock.name", maxClockName)
	case len([]rune(onFull)) > maxOnFull:
		return rules.Refuse(rules.InvalidArgs, "clock.on_full", maxOnFull)
	case segments%2 != 0:
		return rules.Refuse(rules.InvalidArgs, "clock.segments")
	}
	c := &world.Clock{
		ID: s.NewID("clock"), Order: s.NewOrder(), Name: name, Segments: segments, Visible: a.Flag("visible", true),
		OnFull: onFull, PerMinutes: a.Int("per_minutes", 0), Since: s.World.Self().Minute, OnFail: a.Flag("on_fail", false),
	}
	s.Put(c)
	return clockResult(s, c, s.Say("clock.created", c.Name, c.Segments)).With(c.ID)
}

// clockResult is the result of a call about a clock. Players read its text, so it says nothing about a clock that they
// cannot see.
func clockResult(s *rules.Step, c *world.Clock, text string) *rules.Verdict {
	o := rules.NewObj().Obj("clock", rules.NewObj().Text("id", c.ID).Text("name", c.Name).
		Int("filled", c.Filled).Int("segments", c.Segments).Flag("closed", c.Closed)).
		Some("full", c.Filled >= c.Segments)
	if !c.Visible {
		text = s.Say("story.quiet")
	}
	return rules.Accept(o, "look.text", text)
}

// clockNamed finds a clock by its id, or by its name, which people use.
func clockNamed(w *world.World, a rules.Args) *world.Clock {
	name := a.Text("id")
	if c := w.Clock(name); c != nil {
		return c
	}
	name = cmp.Or(name, a.Text("name"))
	for _, c := range w.Clocks() {
		if c.Name == name && !c.Closed {
			return c
		}
	}
	return nil
}

func changeClock(s *rules.Step, a rules.Args) *rules.Verdict {
	c := clockNamed(s.World, a)
	switch {
	case c == nil:
		return rules.Refuse(rules.EntityNotFound, "clock.unknown", rules.NameOrID(a.Text("id"), a.Text("name")))
	case c.Closed:
		return rules.Refuse("clock_closed", "clock.over", c.Name)
	}
	next := *c
	switch a.Text("action") {
	case "close":
		next.Closed = true
		s.Put(&next)
		return clockResult(s, &next, s.Say("clock.closed", c.Name))
	case "tick":
		n := a.Int("n", 1)
		switch {
		case n < 1:
			return rules.Refuse(rules.InvalidArgs, "clock.tick")
		case c.Filled >= c.Segments:
			return rules.Refuse("clock_full", "clock.already", c.Name)
		}
		next.Filled += min(n, c.Segments-c.Filled)
	case "set":
		n := a.Int("n", -1)
		if n < 0 || n > c.Segments {
			return rules.Refuse(rules.InvalidArgs, "arg_range", "n", "0", c.Segments)
		}
		next.Filled = n
	}
	if next.Filled != c.Filled {
		s.Put(&next)
	}
	return clockResult(s, &next, clockText(s, &next, next.Filled == next.Segments && c.Filled < c.Segments))
}
