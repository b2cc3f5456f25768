package agent

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/prose"
)

// errTime is the cause of a context that ended because the turn's time was used up.
var errTime = errors.New("the turn's time is used up")

// lastWordsTime is the time for the model's last reply once the turn's time is used up.
const lastWordsTime = 30 * time.Second

// NudgeMark begins every note from hob to the model. Such notes have the user's role.
const NudgeMark = "[note: "

//go:embed notes.md
var notes string

// newNudge returns a note to the model: the named section of notes.md, filled in with pairs; see
// [prose.Section].
func newNudge(why event.Why, section string, pairs ...string) event.Nudged {
	return event.Nudged{Why: why, Text: NudgeMark + prose.Section(notes, section, pairs...) + "]"}
}

const overTime = "I ran out of time for this turn. Ask me to go on, or raise [agent] max_time."

const misfitWords = "The model could not call a tool in a form that fits, also when told what was wrong. Ask in other words, or measure it with `hob model try NAME`."

// budgetWords is the reply to the person if the model says nothing after its budget is used up.
func budgetWords(why event.Why) string {
	if why == event.ForLoop {
		return "I made the same steps again and again, and stopped. Ask in other words, or in smaller steps."
	}
	return "I used up the budget of this turn before I was done. Ask me to go on."
}

// exhaustedBudget names the budget that is used up, or "".
func (t Turn) exhaustedBudget() string {
	switch s, b := t.Progress, t.Budget; {
	case s.Steps >= b.Steps:
		return "steps"
	case s.Calls >= b.Calls:
		return "tool calls"
	case s.Time >= b.Time:
		return "time"
	case s.EvalTokens >= b.Output:
		return "output"
	}
	return ""
}

// warning returns the note that is due before the next request: a used-up budget, a circle, a lost
// part of the last reply, or few steps left. Tools stay in the request even if calls are refused,
// so that the server's prompt cache stays valid.
func (t Turn) warning() (event.Nudged, bool) {
	if t.Progress.WhyCallsOff() != "" {
		return event.Nudged{}, false
	}
	if limit := t.exhaustedBudget(); limit != "" {
		return newNudge(event.ForBudget, "budget", "limit", limit), true
	}
	if how := t.findCircle(); how != "" {
		return newNudge(event.ForLoop, "loop", "how", how), true
	}
	if lost := t.state.lostPart; lost != "" {
		return newNudge(event.ForCut, "lost", "reason", strings.TrimRight(lost, ".")), true
	}
	left := t.Budget.Steps - t.Progress.Steps
	if left*5 <= t.Budget.Steps && left > 1 && t.Progress.CountNudges(event.ForSteps) == 0 {
		return newNudge(event.ForSteps, "steps", "left", strconv.Itoa(left)), true
	}
	return event.Nudged{}, false
}
