package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// errTime is the cause of a context that ended because the turn's time was used up.
var errTime = errors.New("the turn's time is used up")

// lastWordsTime is what the model gets for its last words when the turn's time is used up.
const lastWordsTime = 30 * time.Second

// nudgeMark begins everything that the runtime tells the model in a user's place.
const nudgeMark = "[note: "

const overTime = "I ran out of time for this turn. Ask me to go on, or raise [agent] max_time."

const misfit = "The model could not call a tool in a form that fits, also when told what was wrong. Ask in other words, or measure it with `hob model try NAME`."

// overSpent is what a person reads when the model has no last words of its own.
func overSpent(why event.Why) string {
	if why == event.ForLoop {
		return "I went round in circles and stopped. Ask in other words, or in smaller steps."
	}
	return "I used up the budget of this turn before I was done. Ask me to go on."
}

// forced is the reason with which a turn ends whose calls are refused.
func forced(why event.Why) event.Reason {
	switch why {
	case event.ForLoop:
		return event.Looped
	case event.ForNarration:
		return event.Done
	}
	return event.OverSpent
}

// usedUp names the budget that is used up, or "".
func (t Turn) usedUp() string {
	switch s, b := t.Usage, t.Budget; {
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

// due is what the model has to be told before it is asked again. The tools stay in the request when calls are refused, so
// that the server's cache stays warm.
func (a *Agent) due(ctx context.Context, t Turn) (Turn, event.Nudged, bool) {
	if t.Usage.refusing() != "" {
		return t, event.Nudged{}, false
	}
	if t.staged() && t.toldEnough() {
		t, nudge := a.toTell(ctx, t)
		return t, nudge, true
	}
	nudge, ok := t.warning()
	return t, nudge, ok
}

// warning is what the model has to be told of the turn's bounds, and of what was lost.
func (t Turn) warning() (event.Nudged, bool) {
	if limit := t.usedUp(); limit != "" {
		return event.Nudged{Why: event.ForBudget, Text: fmt.Sprintf(nudgeMark+"the budget of %s for this turn is used up; tool calls are "+
			"refused now. Answer with what you have, and say what is left to do.]", limit)}, true
	}
	if how := t.Usage.fresh().without(t.polls).circles(); how != "" {
		return event.Nudged{Why: event.ForLoop, Text: fmt.Sprintf(nudgeMark+"you go round in circles: %s; tool calls are refused now. "+
			"Answer with what you have, and say what you could not find out.]", how)}, true
	}
	if t.lost != "" {
		return event.Nudged{Why: event.ForCut, Text: nudgeMark + "only a part of your last reply could be used: " + strings.TrimRight(t.lost, ".") +
			". What you see above is what ran.]"}, true
	}
	if left := t.Budget.Steps - t.Usage.Steps; left*5 <= t.Budget.Steps && left > 1 && !t.Usage.wasTold(event.ForSteps) {
		return event.Nudged{Why: event.ForSteps, Text: fmt.Sprintf(nudgeMark+"%d steps are left in this turn: finish what you are doing, then answer.]", left)}, true
	}
	return event.Nudged{}, false
}

// objection is what the model is told when its answer cannot be the end, once each.
func (t Turn) objection(text string) (event.Nudged, bool) {
	switch {
	case len(t.Tools) == 0 || t.Usage.refusing() != "":
	case toolcall.Announces(text) && !t.Usage.wasTold(event.ForAnnounced):
		return event.Nudged{Why: event.ForAnnounced, Text: nudgeMark + "you said what you would do and did not do it. " +
			"Call the tool now, or give the final answer.]"}, true
	case !t.Usage.wasTold(event.ForClaimed):
		if lies := t.untrue(text); len(lies) > 0 {
			return event.Nudged{Why: event.ForClaimed, Text: nudgeMark + t.reproach(lies) + " Do it now by calling the tool, or say plainly " +
				"that it is not done. If you mean what was done earlier, say so.]"}, true
		}
	}
	return event.Nudged{}, false
}

// reason says why a turn that ends with words of the model has ended.
func (t Turn) reason() event.Reason {
	switch why := t.Usage.refusing(); {
	case why != "":
		return forced(why)
	case t.Usage.Denied > 0 && t.Usage.Allowed == 0:
		return event.Denied
	}
	return event.Done
}

// ended ends a turn that was stopped, or whose time is used up; the text that had arrived is kept. Any other err is
// returned: hob is going down, or nobody can be told.
func (a *Agent) ended(ctx context.Context, t Turn, partial string, err error, emit Emit) (string, error) {
	var reason event.Reason
	var words string
	lost := unheard{}
	switch {
	case errors.As(err, &lost):
		return "", lost.error
	case stopped(ctx):
		reason, words = event.Stopped, "Stopped."
	case ctx.Err() != nil:
		return "", fmt.Errorf("play turn: %w", context.Cause(ctx))
	case errors.Is(err, errTime):
		if reason, words = event.OverSpent, overTime; t.Lead != nil { // of which nothing was shown
			return a.told(ctx, t, t.lastReason(reason), t.fallback(ctx, words), emit)
		}
	default:
		return "", err
	}
	if partial = strings.TrimSpace(partial); partial == "" {
		return t.finish(reason, words, emit)
	}
	half := event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: partial}, Class: classStopped}
	return t.finish(reason, t.marked(partial)+"\n\n"+words, emit, half)
}
