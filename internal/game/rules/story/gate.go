package story

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The gates of this family: what has a condition, or an end that hangs on it, is not set by a call.

// judgeQuest leaves to the narrator only quests that have no conditions and do not end the story.
func judgeQuest(t *rules.Attempt, a rules.Args) *rules.Verdict {
	if a.Text("action") == "add" {
		return nil
	}
	q := questNamed(t.World, a)
	if q == nil || !q.Ends && len(q.When) == 0 && !t.World.Decides("done", q.ID) && !failsByClock(t.World, q) {
		return nil
	}
	return t.Decided()
}

func failsByClock(w *world.World, q *world.Quest) bool {
	return slices.ContainsFunc(w.Clocks(), func(c *world.Clock) bool { return c.Fails == q.ID })
}

// judgeClock leaves to the narrator only clocks that nothing moves and that lead to nothing.
func judgeClock(t *rules.Attempt, a rules.Args) *rules.Verdict {
	if a.Text("action") == "create" {
		return nil
	}
	c := clockNamed(t.World, a)
	if c == nil || c.Fails == "" && c.PerMinutes == 0 && !c.OnFail && !t.World.Decides("full", c.ID) {
		return nil
	}
	return t.Decided()
}

// MostWait is how many minutes one call may let pass while a clock runs that can end the story.
const MostWait = 60

// judgeTime lets time pass once a turn, unless that would end the story: it should end by what somebody does.
func judgeTime(t *rules.Attempt, a rules.Args) *rules.Verdict {
	return t.Wait(a.Int("minutes", 0), MostWait)
}
