package agent

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/agent/claims"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/prose"
)

// errTime is the cause of a context that ended because the turn's time was used up.
var errTime = errors.New("the turn's time is used up")

// lastWordsTime is what the model gets for its last words when the turn's time is used up.
const lastWordsTime = 30 * time.Second

// NudgeMark begins every note of the runtime to the model, in a user's place.
const NudgeMark = "[note: "

//go:embed notes.md
var notes string

// newNudge returns the note in that section of notes.md; see [prose.Section].
func newNudge(why event.Why, section string, pairs ...string) event.Nudged {
	return event.Nudged{Why: why, Text: NudgeMark + prose.Section(notes, section, pairs...) + "]"}
}

const overTime = "I ran out of time for this turn. Ask me to go on, or raise [agent] max_time."

const misfitWords = "The model could not call a tool in a form that fits, also when told what was wrong. Ask in other words, or measure it with `hob model try NAME`."

// budgetWords is what a person reads when the model has no last words of its own.
func budgetWords(why event.Why) string {
	if why == event.ForLoop {
		return "I made the same steps again and again, and stopped. Ask in other words, or in smaller steps."
	}
	return "I used up the budget of this turn before I was done. Ask me to go on."
}

// maxLastResult is how many bytes of the last result a person reads.
const maxLastResult = 1000

// lastResult is a paragraph with the newest result of the turn, for a person whom the model has not told of it, or "". Where
// no call succeeded it is the newest error.
func (t Turn) lastResult() string {
	if t.Progress.Succeeded == 0 {
		return t.Progress.lastError()
	}
	succeeded := slices.DeleteFunc(slices.Clone(t.Progress.answered), func(p callRecord) bool { return !p.ok })
	text, _, found := t.resultOf(succeeded)
	if text = strings.TrimSpace(event.Unfence(text)); !found || text == "" {
		return ""
	}
	short := strings.TrimSpace(display.TruncateBytes(text, maxLastResult))
	if strings.Contains(short, "\n") {
		fence := strings.Repeat("`", 3)
		for strings.Contains(short, fence) {
			fence += "`"
		}
		return "\n\nThe last result was:\n" + fence + "\n" + short + "\n" + fence
	}
	return "\n\nThe last result was: " + short
}

// lastError is a paragraph with why a call failed: the newest that a tool was asked for, or that was denied.
func (s Progress) lastError() string {
	for _, p := range slices.Backward(s.answered) {
		if asked := p.by == "" || p.by == byCheck || p.by == byGate; asked && !p.ok && p.reason != "" {
			return "\n\nThe last error was: " + strings.TrimRight(display.TruncateBytes(display.Join(p.reason), maxLastResult), ".") + "."
		}
	}
	return ""
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

// warning is the note on the turn's bounds, and on a lost part of the last reply, that the model
// has to read before the next request. The tools stay in the request when calls are refused, so
// that the server's cache stays warm.
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

// objection is the note that the model reads when its answer cannot be the end, once for each reason.
// ungrounded is what its answer has that no result has.
func (t Turn) objection(text string, ungrounded []string) (event.Nudged, bool) {
	if t.Progress.WhyCallsOff() != "" {
		return event.Nudged{}, false
	}
	first := func(why event.Why) bool { return t.Progress.CountNudges(why) == 0 }
	if asked, answered := t.otherScript(text); answered != "" && first(event.ForScript) {
		return newNudge(event.ForScript, "script", "asked", asked, "answered", answered), true
	}
	if len(t.Tools) > 0 && first(event.ForAnnounced) && claims.Announces(text) {
		return newNudge(event.ForAnnounced, "announced"), true
	}
	lies := t.findUntrue(text)
	if len(t.Tools) > 0 && first(event.ForClaimed) && len(lies) > 0 {
		return newNudge(event.ForClaimed, "claimed", "lies", strings.Join(lies, "; ")), true
	}
	if word, tool := t.overlooked(text); word != "" && first(event.ForOverlooked) {
		return newNudge(event.ForOverlooked, "overlooked", "word", word, "tool", tool), true
	}
	if len(ungrounded) > 0 && len(lies) == 0 && first(event.ForUngrounded) {
		return newNudge(event.ForUngrounded, "ungrounded", "names", strings.Join(ungrounded, ", ")), true
	}
	return event.Nudged{}, false
}
