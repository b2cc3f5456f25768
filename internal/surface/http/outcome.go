package http

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// outcome is a fold over the events of a chat, from the words of a request on: what came of them.
type outcome struct {
	said     int64
	turn     int64 // that answers them
	called   map[string]event.Called
	argsHash func(json.RawMessage) string
	spent    ledger
	conflict conflict
	reply    api.ChatReply
}

func newOutcome(chat event.Chat, said int64, argsHash func(json.RawMessage) string) *outcome {
	return &outcome{
		said: said, turn: said, called: map[string]event.Called{}, argsHash: argsHash, spent: ledger{turn: said},
		reply: api.ChatReply{Session: chat, ToolEvents: []api.ToolEvent{}, Applied: []api.Applied{}, Failed: []api.FailedCall{}},
	}
}

// add folds an event in, and reports whether all has come.
func (o *outcome) add(e event.Event) (over bool) {
	if j, ok := e.Body.(event.Joined); ok && j.Said == o.said {
		o.turn = e.Turn // they are answered there
		return false
	}
	if e.Turn != o.turn {
		return false
	}
	o.spent.add(e)
	o.conflict.add(e.Body)
	switch b := e.Body.(type) {
	case event.Called:
		o.called[b.ID] = b
	case event.Returned:
		o.returned(e.Time, b)
	case event.Replied:
		o.reply.Reply = b.Text
	case event.Ended:
		o.reply.Usage = api.Usage{Reason: b.Reason, Steps: b.Steps, Calls: b.Calls, PromptTokens: b.PromptTokens, EvalTokens: b.EvalTokens}
		o.reply.Conflict = o.conflict.report()
		return true
	}
	return false
}

func (o *outcome) returned(at time.Time, r event.Returned) {
	args := o.called[r.ID].Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	code := ""
	if r.Error != nil {
		code = r.Error.Code
	}
	p, payload, shown := playedIn(r.Data), r.Data, code
	if p.is() {
		payload = p.Result
	}
	if p.failed() {
		shown = cmp.Or(p.Game.Code, code)
	}
	o.reply.ToolEvents = append(o.reply.ToolEvents, api.ToolEvent{
		Tool: r.Tool, OK: r.OK, Summary: summary(r, p.Text), Payload: payload, CallID: r.ID, Status: r.Outcome(), ErrorCode: shown,
		ArgsHash: o.argsHash(args), DurationMS: r.DurationMS,
	})
	if r.By == "" { // what is told from memory happened before
		o.reply.StatePatch = append(o.reply.StatePatch, p.Patch...)
	}
	switch {
	case !r.OK:
		o.reply.Failed = append(o.reply.Failed, failure(r, code, p))
	case r.By == "":
		done := api.Applied{Tool: r.Tool, Args: args, Result: payload, Timestamp: at.Format(time.RFC3339)}
		if r.Data == nil {
			done.Result = map[string]string{"text": r.Text}
		}
		o.reply.Applied = append(o.reply.Applied, done)
	}
}

// failure is a failed call in the words of seed 002, which a game's tool says itself.
func failure(r event.Returned, code string, p played) api.FailedCall {
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
	if p.failed() {
		f.Status, f.Detail = p.Game.Status, p.Game.Detail
		f.Reason = cmp.Or(p.Game.Reason, f.Reason)
	}
	if f.Reason == "" {
		f.Reason = event.CodeExecutionFailed
	}
	return f
}

// maxSummary is how many bytes a summary has at most.
const maxSummary = 300

// summary says in a line what a call did. A game's tool says it itself.
func summary(r event.Returned, played string) string {
	text := r.Text
	if r.Error != nil && r.Error.Message != "" {
		text = r.Error.Message
	}
	if played = strings.TrimSpace(played); played != "" {
		text = played
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
	if len(text) <= maxSummary {
		return text
	}
	end := maxSummary - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
