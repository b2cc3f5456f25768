package agent

import (
	"encoding/json"
	"errors"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// Values of [event.Returned].By: who answered in the tool's place.
const (
	byCheck   = "check"
	byGate    = "gate"
	byCache   = "cache"
	byGuard   = "guard"
	byBudget  = "budget"
	byStop    = "stop"
	byRestart = "restart"
)

// maxData limits the JSON size in bytes of a result's data.
const maxData = 1 << 20

// errorMark begins the result of a failed call, for models.
const errorMark = "error: "

// newReturned returns the result of a call for model and journal, before it is shortened.
func newReturned(c llm.Call, res tools.Result, err error) event.Returned {
	r := event.Returned{
		ID: c.ID, Tool: c.Name, OK: err == nil,
		Effects: res.Effects, Files: res.Files, Choices: res.Choices, Label: res.Label,
	}
	// Data that cannot be marshalled must not break the turn.
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

// deniedResult is the result of a denied call.
func deniedResult(c llm.Call, no *Denied) event.Returned {
	r := newReturned(c, tools.Result{}, no.Err)
	r.By, r.Rule = byGate, no.Rule
	if no.Err.Code == event.CodeCancelled {
		r.By = byStop
	}
	return r
}

// errorResult is the result of a call that somebody answers with an error in the tool's place.
func errorResult(c llm.Call, by string, err error) event.Returned {
	r := newReturned(c, tools.Result{Data: tools.HintOf(err)}, err)
	r.By = by
	return r
}

func refusalError(message string) *tools.Error {
	return tools.RateLimited("%s", message).Suggest("answer with what you have")
}

// Interrupted is the result of a call that had started when the process died: its outcome is
// unknown. The caller of [Agent.Run] emits it before it resumes the turn.
func Interrupted(c llm.Call) event.Returned {
	e := tools.Failed("interrupted: hob was restarted while this ran, its outcome is unknown and it was not run again")
	return errorResult(c, byRestart, e.Suggest("check what it did before you repeat it"))
}

// NotRun is the result of a call that never started because its turn was abandoned.
func NotRun(c llm.Call) event.Returned {
	return errorResult(c, byStop, tools.Cancelled("it was not run: the turn was given up"))
}

// Stopped is the refusal of a call whose turn was stopped before the call started.
func Stopped() *Denied { return &Denied{Err: tools.Cancelled("stopped by the user before it ran")} }
