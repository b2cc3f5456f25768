package rules

import (
	"errors"
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

// Finish ends a turn: what follows from it by itself happens now. Objectives are met and quests done or failed, a clock comes
// nearer where nothing has happened for long, the party may be dead, the campaign may end; the milestone may be due. A turn that
// changed nothing changes nothing here, either, unless counts is set: a player's words that called nothing are a turn of the
// story, too.
func (t *Turn) Finish(counts bool) error {
	if len(t.Events) == 0 && !counts {
		return nil
	}
	s := t.step(&Args{})
	t.unfold(s)
	if t.twist(s) {
		t.unfold(s)
	}
	now := *t.World.Self()
	changed := t.milestone(&now)
	if !now.Ended {
		changed = t.end(s, &now) || changed
	}
	if changed {
		s.Put(&now)
	}
	if s.err != nil {
		return errors.Join(s.err, t.World.Revert(s.events))
	}
	t.keep(s)
	return nil
}

// end ends the campaign where the story is over. It reports whether it did.
func (t *Turn) end(s *Step, now *world.Self) bool {
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

// milestone advances the milestone of seed 002 when enough turns have passed since it last did, or the pressure is high enough. A
// world without a milestone has none to advance. It reports whether it did.
func (t *Turn) milestone(now *world.Self) bool {
	if now.Milestone == "" {
		return false
	}
	depth := t.depth() + now.Pace["turns_before"] // those of an imported campaign
	interval, threshold := max(1, pace(now, "turn_trigger_interval", 6)), max(1, pace(now, "pressure_threshold", 2))
	if depth-pace(now, "last_advanced_turn", 0) < interval && pace(now, "pressure", 0) < threshold {
		return false
	}
	now.Milestone, now.MilestoneSummary = nextMilestone(now.Milestone), ""
	now.Pace = world.With(world.With(now.Pace, "last_advanced_turn", depth), "pressure", 0)
	return true
}

// depth returns how many turns led here, this one among them.
func (t *Turn) depth() int64 {
	if t.Depth == 0 {
		return t.Number
	}
	return t.Depth
}

func pace(s *world.Self, name string, other int64) int64 {
	if n, ok := s.Pace[name]; ok {
		return n
	}
	return other
}

// nextMilestone names the milestone after another: intro, milestone_1, milestone_2 and so on.
func nextMilestone(name string) string {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "milestone_")); err == nil && strings.HasPrefix(name, "milestone_") && n > 0 {
		return "milestone_" + strconv.Itoa(n+1)
	}
	return "milestone_1"
}

// partyIsDead reports whether nobody of the party can go on, where the rules say that this ends the game.
func (t *Turn) partyIsDead() bool {
	self := t.World.Self()
	if self.Rules[ZeroEnds] == 0 || len(self.Party) == 0 {
		return false
	}
	for _, id := range self.Party {
		if a := t.World.Actor(id); a == nil || a.State != world.Dying && a.State != world.Dead {
			return false
		}
	}
	return true
}
