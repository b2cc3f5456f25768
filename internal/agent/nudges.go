package agent

import (
	_ "embed"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/prose"
)

// NudgeMark begins every nudge: a note from hob to the model, with the user's role.
const NudgeMark = "[note: "

//go:embed nudges.md
var nudgeTexts string

// newNudge returns a nudge: the named section of nudges.md, filled in with pairs; see
// [prose.Section].
func newNudge(why event.Why, section string, pairs ...string) event.Nudged {
	return event.Nudged{Why: why, Text: NudgeMark + prose.Section(nudgeTexts, section, pairs...) + "]"}
}

// dueNudge returns the nudge that is due before the next request: on a used-up budget, a circle, a
// lost part of the last reply, or few steps left. Tools stay in the request even if calls are
// refused, so that the server's prompt cache stays valid.
func (t Turn) dueNudge() (event.Nudged, bool) {
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
