package http

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// outcome is a fold over the events of a chat, from the input of a request to the end of its turn:
// it makes the reply.
type outcome struct {
	input    int64  // its Seq
	turn     int64  // the turn that answers it
	words    string // of the input
	calls    map[string]event.Called
	argsHash func(json.RawMessage) string
	usage    ledger
	conflict conflict
	reply    api.ChatReply
}

func newOutcome(chat event.Chat, input int64, argsHash func(json.RawMessage) string) *outcome {
	return &outcome{
		input: input, turn: input, calls: map[string]event.Called{}, argsHash: argsHash, usage: ledger{turn: input},
		reply: api.ChatReply{Session: chat, ToolEvents: []api.ToolEvent{}, Applied: []api.Applied{}, Failed: []api.FailedCall{}},
	}
}

// add folds an event in, and reports whether the turn has ended.
func (o *outcome) add(e event.Event) (over bool) {
	if said, ok := e.Body.(event.Said); ok && e.Seq == o.input {
		o.words = said.Text
	}
	if j, ok := e.Body.(event.Joined); ok && j.Said == o.input {
		o.turn = e.Turn // which answers the input now
		return false
	}
	if e.Turn != o.turn {
		return false
	}
	o.usage.add(e)
	o.conflict.add(e.Body)
	switch b := e.Body.(type) {
	case event.Called:
		o.calls[b.ID] = b
	case event.Returned:
		o.addResult(e.Time, b)
		o.reply.Choices = append(o.reply.Choices, b.Choices...)
	case event.Replied:
		o.reply.Reply = b.Text
		o.reply.Choices = append(o.reply.Choices, b.Choices...)
		if b.Refused {
			o.reply.Failed = append(o.reply.Failed, refusedCommand(o.turn, o.words, b.Text))
		}
	case event.Ended:
		o.reply.Usage = api.Usage{Reason: b.Reason, Steps: b.Steps, Calls: b.Calls, PromptTokens: b.PromptTokens, EvalTokens: b.EvalTokens}
		o.reply.Conflict = o.conflict.report()
		return true
	}
	return false
}

// addResult adds the result of a call to the reply.
func (o *outcome) addResult(at time.Time, r event.Returned) {
	args := o.calls[r.ID].Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	code := ""
	if r.Error != nil {
		code = r.Error.Code
	}
	g, payload, shown := readGameResult(r.Data), r.Data, code
	if g.isGame() {
		payload = g.Result
	}
	if g.hasFailed() {
		shown = cmp.Or(g.Game.Code, code)
	}
	o.reply.ToolEvents = append(o.reply.ToolEvents, api.ToolEvent{
		Tool: r.Tool, OK: r.OK, Summary: summaryOf(r, g.Text), Payload: payload, CallID: r.ID, Status: r.Outcome(), ErrorCode: shown,
		ArgsHash: o.argsHash(args), DurationMS: r.DurationMS,
	})
	if r.By == "" { // a result that is repeated from memory changed nothing now
		o.reply.StatePatch = append(o.reply.StatePatch, g.Patch...)
	}
	switch {
	case !r.OK:
		o.reply.Failed = append(o.reply.Failed, failedCall(r, code, g))
	case r.By == "":
		done := api.Applied{Tool: r.Tool, Args: args, Result: payload, Timestamp: at.Format(time.RFC3339)}
		if len(g.Args) > 0 {
			done.Args = g.Args
		}
		if r.Data == nil {
			done.Result = map[string]string{"text": r.Text}
		}
		o.reply.Applied = append(o.reply.Applied, done)
	}
}

// refusedCommand returns the failed call of a command that calls nothing: why says it.
func refusedCommand(turn int64, words, why string) api.FailedCall {
	f := api.FailedCall{ID: session.CommandID(turn), Status: statusRejected, Reason: "invalid_command", Detail: why}
	if fields := strings.Fields(words); len(fields) > 0 {
		f.Tool = strings.TrimPrefix(fields[0], "/")
	}
	return f
}

// failedCall returns a failed call in the words of seed 002, which a game's tool has itself.
func failedCall(r event.Returned, code string, g gameResult) api.FailedCall {
	f := api.FailedCall{ID: r.ID, Tool: r.Tool, Status: statusError, Reason: code}
	switch code {
	case event.CodeRequiredField, event.CodeInvalidFormat, event.CodeInvalidValue:
		f.Reason = "invalid_args"
	case event.CodePermissionDenied, event.CodeToolDisabled, event.CodeToolNotFound, event.CodeReadOnly, event.CodePathTraversal:
		f.Status, f.Reason = statusRejected, "tool_not_allowed"
	}
	switch r.By {
	case "gate":
		f.Status, f.Reason = statusRejected, "tool_not_allowed"
	case "guard", "budget", "stop":
		f.Status = statusRejected
	}
	if g.hasFailed() {
		f.Status, f.Detail = g.Game.Status, g.Game.Detail
		f.Reason = cmp.Or(g.Game.Reason, f.Reason)
	}
	f.Reason = cmp.Or(f.Reason, event.CodeExecutionFailed)
	return f
}

// maxSummary is how many bytes a summary has at most.
const maxSummary = 300

// summaryOf describes a call in one line. The result of a game's tool has such a line itself.
func summaryOf(r event.Returned, own string) string {
	text := r.Problem()
	if own = strings.TrimSpace(own); own != "" {
		text = own
	} else if r.OK && len(r.Effects) > 0 {
		var parts []string
		for _, e := range r.Effects {
			part := e.Kind + " " + e.Target
			if e.Detail != "" {
				part += " (" + e.Detail + ")"
			}
			parts = append(parts, part)
		}
		text = strings.Join(parts, ", ")
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return display.TruncateBytes(text, maxSummary)
}
