package agent

import (
	"encoding/json"
	"errors"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// Who answers in a tool's place; see [event.Returned].
const (
	byCheck   = "check"
	byGate    = "gate"
	byCache   = "cache"
	byGuard   = "guard"
	byBudget  = "budget"
	byStop    = "stop"
	byRestart = "restart"
)

// maxData is how many bytes of JSON a result's data may have.
const maxData = 1 << 20

// errorMark begins the result of a call that failed, for models.
const errorMark = "error: "

// newReturned is the result of a call as the model and the journal get it, not shortened yet.
func newReturned(c llm.Call, res tools.Result, err error) event.Returned {
	r := event.Returned{
		ID: c.ID, Tool: c.Name, OK: err == nil,
		Effects: res.Effects, Files: res.Files, Choices: res.Choices, Label: res.Label,
	}
	// What cannot be journaled must not break the turn.
	if raw, err := json.Marshal(res.Data); err != nil || len(raw) > maxData {
		res.Text += "\n[its data is left out: it is too long, or no JSON]"
	} else {
		r.Data = res.Data
	}
	if err == nil {
		r.Text = res.Text
		return r
	}
	if !errors.As(err, &r.Error) {
		r.Error = &tools.Error{Type: event.TypeUnknown, Code: event.CodeExecutionFailed, Message: err.Error()}
	}
	r.Text = errorMark + r.Error.Sentence()
	return r
}

// deniedResult is the result of a call that may not run.
func deniedResult(c llm.Call, no *Denied) event.Returned {
	r := newReturned(c, tools.Result{}, no.Err)
	r.By, r.Rule = byGate, no.Rule
	if no.Err.Code == event.CodeCancelled {
		r.By = byStop
	}
	return r
}

// replaceCall gives a call an error in place of a run.
func replaceCall(c llm.Call, by string, err error) prepared {
	r := newReturned(c, tools.Result{Data: tools.HintOf(err)}, err)
	r.By = by
	return prepared{call: c, instead: r}
}

func refusalError(message string) *tools.Error {
	return tools.RateLimited("%s", message).Suggest("answer with what you have")
}

// Interrupted is the result of a call that had started when the process died: nobody knows what it
// did. The caller of [Agent.Run] emits it when it resumes the turn.
func Interrupted(c llm.Call) event.Returned {
	e := tools.Failed("interrupted: hob was restarted while this ran, its outcome is unknown and it was not run again")
	r := newReturned(c, tools.Result{}, e.Suggest("check what it did before you repeat it"))
	r.By = byRestart
	return r
}

// NotRun is the result of a call that never began because its turn was given up.
func NotRun(c llm.Call) event.Returned {
	r := newReturned(c, tools.Result{}, stoppedBefore("it was not run: the turn was given up"))
	r.By = byStop
	return r
}

// Stopped is the refusal of a call whose turn was stopped before it ran.
func Stopped() *Denied { return &Denied{Err: stoppedBefore("stopped by the user before it ran")} }

func stoppedBefore(message string) *tools.Error {
	return tools.Cancelled("%s", message)
}
