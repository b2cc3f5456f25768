package rules

import (
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// partyDead is why a campaign has ended of which nobody of the party can go on (seed 002).
const partyDead = "party_dead"

// Finish ends a turn: what follows from it by itself happens now. The party may be dead, which ends the campaign; the milestone may
// be due. A turn that changed nothing changes nothing here, either, unless counts is set: a player's words that called nothing
// are a turn of the story, too.
func (t *Turn) Finish(counts bool) error {
	if len(t.Events) == 0 && !counts {
		return nil
	}
	now := *t.World.Self()
	changed := t.milestone(&now)
	if !now.Ended && t.partyIsDead() {
		now.Ended, now.EndedReason, now.EndedTurn = true, partyDead, t.Number
		changed = true
	}
	if !changed {
		return nil
	}
	e := world.Event{Old: t.World.Self(), New: &now}
	if err := t.World.Apply(e); err != nil {
		return err
	}
	t.Events = append(t.Events, e)
	return nil
}

// milestone advances the milestone of seed 002 when enough turns have passed since it last did, or the pressure is high enough. A
// world without a milestone has none to advance. It reports whether it did.
func (t *Turn) milestone(now *world.Self) bool {
	if now.Milestone == "" {
		return false
	}
	depth := t.Depth
	if depth == 0 {
		depth = t.Number
	}
	depth += now.Pace["turns_before"] // those of an imported campaign
	interval, threshold := max(1, pace(now, "turn_trigger_interval", 6)), max(1, pace(now, "pressure_threshold", 2))
	if depth-pace(now, "last_advanced_turn", 0) < interval && pace(now, "pressure", 0) < threshold {
		return false
	}
	now.Milestone, now.MilestoneSummary = nextMilestone(now.Milestone), ""
	now.Pace = world.With(world.With(now.Pace, "last_advanced_turn", depth), "pressure", 0)
	return true
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
