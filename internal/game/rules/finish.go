package rules

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// Why a campaign has ended.
const (
	partyDead   = "party_dead"   // nobody of the party can go on (seed 002)
	goalReached = "goal"         // a quest is done that ends the story
	goalMissed  = "quest_failed" // a quest has failed that ends the story
)

// Finish ends a turn with all that it leads to: objectives are met and quests done or failed, a clock advances if
// nothing has happened for long, the campaign ends if the party is dead or the story is over, and the milestone may be
// due. A turn that changed nothing leads to nothing, unless counts is set: words of a player that made no call can be a
// turn of the story, too.
func (t *Turn) Finish(counts bool) error {
	if len(t.Events) == 0 && !counts {
		return nil
	}
	s := t.newStep(&Args{})
	t.applyConsequences(s)
	if t.tickAfterQuiet(s) {
		t.applyConsequences(s)
	}
	now := *t.World.Self()
	changed := t.advanceMilestone(&now)
	if !now.Ended {
		changed = t.endCampaign(s, &now) || changed
	}
	if changed {
		s.Put(&now)
	}
	if s.err != nil {
		return errors.Join(s.err, t.World.Revert(s.events))
	}
	t.commit(s)
	return nil
}

// endCampaign ends the campaign if the story is over, and reports whether it did.
func (t *Turn) endCampaign(s *Step, now *world.Self) bool {
	reason, key, title := "", "", ""
	for _, q := range t.World.Quests() {
		if q.Ends && q.State == world.Done {
			reason, key, title = goalReached, "finish.goal", q.Title
			break
		}
		if q.Ends && q.State == world.Failed && reason == "" {
			reason, key, title = goalMissed, "finish.missed", q.Title
		}
	}
	if reason != goalReached && t.partyIsDead() {
		reason, key = partyDead, "finish.party"
	}
	switch reason {
	case "":
		return false
	case goalReached:
		now.GoalStatus = world.Done
	case goalMissed:
		now.GoalStatus = world.Failed
	}
	now.Ended, now.EndedReason, now.EndedTurn = true, reason, t.Number
	s.Note(EndNote, s.Say(key, title), NewObj().Text("reason", reason))
	return true
}

// advanceMilestone advances the milestone of seed 002 after enough turns, or when the pressure is high enough. It
// reports whether it did, which it never does in a world without a milestone.
func (t *Turn) advanceMilestone(now *world.Self) bool {
	if now.Milestone == "" {
		return false
	}
	depth := t.depth() + now.Pace["turns_before"] // those of an imported campaign
	interval, threshold := max(1, paceOf(now, "turn_trigger_interval", 6)), max(1, paceOf(now, "pressure_threshold", 2))
	if depth-paceOf(now, "last_advanced_turn", 0) < interval && paceOf(now, "pressure", 0) < threshold {
		return false
	}
	now.Milestone, now.MilestoneSummary = nextMilestone(now.Milestone), ""
	now.Pace = world.With(world.With(now.Pace, "last_advanced_turn", depth), "pressure", 0)
	return true
}

// depth returns how many turns led here, with this one.
func (t *Turn) depth() int64 {
	return cmp.Or(t.Depth, t.Number)
}

func paceOf(s *world.Self, name string, other int64) int64 {
	if n, ok := s.Pace[name]; ok {
		return n
	}
	return other
}

// nextMilestone names the next milestone: intro, milestone_1, milestone_2 and so on.
func nextMilestone(name string) string {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "milestone_")); err == nil && strings.HasPrefix(name, "milestone_") && n > 0 {
		return "milestone_" + strconv.Itoa(n+1)
	}
	return "milestone_1"
}

// partyIsDead reports whether nobody of the party can go on, where the rules say that this ends the
// game.
func (t *Turn) partyIsDead() bool {
	self := t.World.Self()
	if self.Rules[ZeroEnds] == 0 || len(self.Party) == 0 {
		return false
	}
	return !slices.ContainsFunc(self.Party, func(id string) bool {
		a := t.World.Actor(id)
		return a == nil || a.State != world.Dying && a.State != world.Dead
	})
}

// TwistAfter is a rule of a world: after so many turns in a row in which only time and places changed, the first
// visible progress clock that is not full advances. 0 is never.
const TwistAfter = "twist_after"

// changedTurn is where a world's pace keeps the last turn in which something else changed.
const changedTurn = "changed_turn"

// Kinds of notes of what a turn came to by itself.
const (
	QuestNote = "quest" // an objective is met, a quest is done or has failed
	ClockNote = "clock" // a progress clock came nearer, or is full
	EndNote   = "end"   // the campaign is over
)

// IsConsequence reports whether a note is about an automatic consequence of a turn, which players are
// shown.
func (n Note) IsConsequence() bool {
	return n.Kind == QuestNote || n.Kind == ClockNote || n.Kind == EndNote
}

// applyConsequences meets objectives, completes quests, and fails quests whose clock is full, until nothing changes any
// more.
func (t *Turn) applyConsequences(s *Step) {
	for again := true; again && s.err == nil; {
		again = false
		for _, q := range s.World.Quests() {
			again = s.advanceQuest(q) || again
		}
		for _, c := range s.World.Clocks() {
			again = t.failQuest(s, c) || again
		}
	}
}

// advanceQuest marks the objectives that are met, and completes a quest when all are. Quests
// without conditions that do not end the story belong to the narrator alone. It reports whether
// anything changed.
func (s *Step) advanceQuest(q *world.Quest) bool {
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

// failQuest fails the quest of a progress clock that is full. It reports whether it did.
func (t *Turn) failQuest(s *Step, c *world.Clock) bool {
	q := s.World.Quest(c.Fails)
	if q == nil || Over(q) || c.Closed || c.Segments <= 0 || c.Filled < c.Segments {
		return false
	}
	if !t.isMentioned(s, c.Name) {
		s.Note(ClockNote, s.describeTick(c, Ticked{Full: true}), NewObj().Text("clock", c.ID).Int("filled", c.Filled))
	}
	Change(s, q, func(next *world.Quest) { next.State = world.Failed })
	s.Note(QuestNote, s.Say("finish.failed", q.Title), NewObj().Text("quest", q.ID).Text("state", world.Failed))
	return true
}

// isMentioned reports whether a name stands in the text of an outcome of this turn or of a note on a clock.
func (t *Turn) isMentioned(s *Step, name string) bool {
	lang := t.World.Self().Lang
	return name != "" && (slices.ContainsFunc(t.Outcomes, func(o Outcome) bool {
		return o.OK() && strings.Contains(t.Book.Text(lang, o.Say), name)
	}) || slices.ContainsFunc(s.notes, func(n Note) bool { return n.Kind == ClockNote && strings.Contains(n.Text, name) }))
}

// tickAfterQuiet ticks a progress clock after enough turns without events. It reports whether it
// did.
func (t *Turn) tickAfterQuiet(s *Step) bool {
	self := s.World.Self()
	after := self.Rules[TwistAfter]
	if after <= 0 {
		return false
	}
	depth := t.depth()
	quiet := len(s.events) == 0 && !slices.ContainsFunc(t.Earlier.Events, isSubstantial) && !slices.ContainsFunc(t.Events, isSubstantial)
	if quiet && depth-self.Pace[changedTurn] < after {
		return false
	}
	var ticked *world.Clock
	if quiet {
		ticked = s.firstOpenClock()
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
	s.Note(ClockNote, s.describeTick(c, by), NewObj().Text("clock", c.ID).Int("filled", c.Filled))
	return true
}

// firstOpenClock returns the first visible progress clock that can still advance, or nil.
func (s *Step) firstOpenClock() *world.Clock {
	for _, c := range OpenClocks(s.World) {
		if c.Filled < c.Segments {
			return c
		}
	}
	return nil
}

// isSubstantial reports whether an event is more than time, a walk or a search.
func isSubstantial(e world.Event) bool {
	if e.Old == nil || e.New == nil {
		return true
	}
	return slices.ContainsFunc(e.Changes(), func(c world.Change) bool {
		switch c.Kind {
		case world.SelfKind:
			return c.Field != "minute" && c.Field != "pace" && c.Field != "searched"
		case world.ActorKind:
			return c.Field != "place" && c.Field != "pos" && c.Field != "conditions" && c.Field != "tried"
		case world.PlaceKind:
			return c.Field != "visited"
		case world.ClockKind:
			return c.Field != "since" && c.Field != "filled"
		}
		return true
	})
}
