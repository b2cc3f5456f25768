package rules

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// TwistAfter is a number among a world's rules: after so many turns in a row in which nothing changed but time and where people
// are, the first progress clock comes nearer that players see and that is not full. 0 is never.
const TwistAfter = "twist_after"

// changedTurn is the last turn in which something else changed, among the numbers of a world's pace.
const changedTurn = "changed_turn"

// Kinds of notes of what a turn came to by itself.
const (
	QuestNote = "quest" // an objective is met, a quest is done or has failed
	ClockNote = "clock" // a progress clock came nearer, or is full
	EndNote   = "end"   // the campaign is over
)

// Unfolded reports whether a note is of what a turn came to by itself, and so to be told.
func (n Note) Unfolded() bool { return n.Kind == QuestNote || n.Kind == ClockNote || n.Kind == EndNote }

// unfold lets the story go on by itself: objectives are met, quests are done, and quests fail whose clock is full. What comes of
// one may be what another waits for.
func (t *Turn) unfold(s *Step) {
	for again := true; again && s.err == nil; {
		again = false
		for _, q := range s.World.Quests() {
			again = s.further(q) || again
		}
		for _, c := range s.World.Clocks() {
			again = t.expired(s, c) || again
		}
	}
}

// further marks what is met of a quest, and whether that is all. Quests without conditions that do not end the story are the
// narrator's alone. It reports whether anything changed.
func (s *Step) further(q *world.Quest) bool {
	if Over(q) || len(q.When) == 0 && !q.Ends {
		return false
	}
	next := *q
	for _, o := range q.Objectives {
		when := q.When[o]
		if strings.TrimSpace(when) == "" || slices.Contains(next.Met, o) || !s.World.Holds(world.Condition(when)) {
			continue
		}
		next.Met = world.Append(next.Met, o)
		s.Note(QuestNote, s.Say("finish.objective", q.Title, o), NewObj().Text("quest", q.ID).Text("objective", o))
	}
	all := !slices.ContainsFunc(q.Objectives, func(o string) bool { return !slices.Contains(next.Met, o) })
	if all && len(q.Objectives) > 0 {
		next.State = world.Done
		s.Note(QuestNote, s.Say("finish.done", q.Title), NewObj().Text("quest", q.ID).Text("state", next.State))
	}
	if len(next.Met) == len(q.Met) && next.State == q.State {
		return false
	}
	s.Put(&next)
	return true
}

// expired fails the quest of a progress clock that is full. It reports whether it did.
func (t *Turn) expired(s *Step, c *world.Clock) bool {
	q := s.World.Quest(c.Fails)
	if q == nil || Over(q) || c.Closed || c.Segments <= 0 || c.Filled < c.Segments {
		return false
	}
	if !t.told(s, c.Name) {
		s.Note(ClockNote, s.nearer(c, Ticked{Full: true}), NewObj().Text("clock", c.ID).Int("filled", c.Filled))
	}
	Change(s, q, func(next *world.Quest) { next.State = world.Failed })
	s.Note(QuestNote, s.Say("finish.failed", q.Title), NewObj().Text("quest", q.ID).Text("state", world.Failed))
	return true
}

// told reports whether an outcome of this turn, or a note on a clock, has a name in its words.
func (t *Turn) told(s *Step, name string) bool {
	lang := t.World.Self().Lang
	return name != "" && (slices.ContainsFunc(t.Outcomes, func(o Outcome) bool {
		return o.OK() && strings.Contains(t.Book.Text(lang, o.Say), name)
	}) || slices.ContainsFunc(s.notes, func(n Note) bool { return n.Kind == ClockNote && strings.Contains(n.Text, name) }))
}

// twist brings a progress clock nearer where nothing has happened for long enough. It reports whether it did.
func (t *Turn) twist(s *Step) bool {
	self := s.World.Self()
	after := self.Rules[TwistAfter]
	if after <= 0 {
		return false
	}
	depth := t.depth()
	quiet := len(s.events) == 0 && !slices.ContainsFunc(t.Earlier.Events, loud) && !slices.ContainsFunc(t.Events, loud)
	if quiet && depth-self.Pace[changedTurn] < after {
		return false
	}
	var ticked *world.Clock
	if quiet {
		ticked = s.first()
	}
	if quiet && ticked == nil || !quiet && self.Pace[changedTurn] == depth {
		return false
	}
	Change(s, self, func(next *world.Self) { next.Pace = world.With(self.Pace, changedTurn, depth) })
	if ticked == nil {
		return false
	}
	by, _ := s.Tick(ticked.ID, 1)
	c := s.World.Clock(ticked.ID)
	s.Note(ClockNote, s.nearer(c, by), NewObj().Text("clock", c.ID).Int("filled", c.Filled))
	return true
}

// first returns the first progress clock that players see and that can come nearer, or nil.
func (s *Step) first() *world.Clock {
	for _, c := range s.World.Clocks() {
		if c.Visible && !c.Closed && c.Filled < c.Segments {
			return c
		}
	}
	return nil
}

// loud reports whether an event is more than that time passed or somebody went or searched somewhere.
func loud(e world.Event) bool {
	if e.Old == nil || e.New == nil {
		return true
	}
	return slices.ContainsFunc(e.Changes(), func(c world.Change) bool {
		switch c.Kind {
		case world.SelfKind:
			return c.Field != "minute" && c.Field != "pace" && c.Field != "searched"
		case world.ActorKind:
			return c.Field != "place" && c.Field != "pos" && c.Field != "conditions"
		case world.PlaceKind:
			return c.Field != "visited"
		case world.ClockKind:
			return c.Field != "since" && c.Field != "filled"
		}
		return true
	})
}
