package http

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/event"
)

// outcome is a fold over the events of a chat, from the words of a request on: what came of them.
type outcome struct {
	said     int64
	turn     int64 // that answers them
	called   map[string]event.Called
	argsHash func(json.RawMessage) string
	reply    ChatReply
}

func newOutcome(chat event.Chat, said int64, argsHash func(json.RawMessage) string) *outcome {
	return &outcome{
		said: said, turn: said, called: map[string]event.Called{}, argsHash: argsHash,
		reply: ChatReply{Session: chat, ToolEvents: []ToolEvent{}, Applied: []Applied{}, Failed: []FailedCall{}},
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
	switch b := e.Body.(type) {
	case event.Called:
		o.called[b.ID] = b
	case event.Returned:
		o.returned(e.Time, b)
	case event.Replied:
		o.reply.Reply = b.Text
	case event.Ended:
		o.reply.Usage = Usage{b.Reason, b.Steps, b.Calls, b.PromptTokens, b.EvalTokens}
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
	o.reply.ToolEvents = append(o.reply.ToolEvents, ToolEvent{
		Tool: r.Tool, OK: r.OK, Summary: summary(r), Payload: r.Data, CallID: r.ID, Status: r.Outcome(), ErrorCode: code,
		ArgsHash: o.argsHash(args), DurationMS: r.DurationMS,
	})
	o.reply.StatePatch = append(o.reply.StatePatch, patches(r.Data)...)
	switch {
	case !r.OK:
		o.reply.Failed = append(o.reply.Failed, failure(r, code))
	case r.By == "": // one that is told from memory ran before
		done := Applied{Tool: r.Tool, Args: args, Result: r.Data, Timestamp: at.Format(time.RFC3339)}
		if r.Data == nil {
			done.Result = map[string]string{"text": r.Text}
		}
		o.reply.Applied = append(o.reply.Applied, done)
	}
}

// failure is a failed call in the words of seed 002.
func failure(r event.Returned, code string) FailedCall {
	f := FailedCall{ID: r.ID, Tool: r.Tool, Status: "error", Reason: code}
	switch code {
	case event.CodeRequiredField, event.CodeInvalidFormat, event.CodeInvalidValue:
		f.Reason = "invalid_args"
	case event.CodePermissionDenied, event.CodeToolDisabled, event.CodeToolNotFound, event.CodeReadOnly, event.CodePathTraversal:
		f.Status, f.Reason = "rejected", "tool_not_allowed"
	}
	switch r.By {
	case "gate":
		f.Status, f.Reason = "rejected", "tool_not_allowed"
	case "guard", "budget", "stop":
		f.Status = "rejected"
	}
	if f.Reason == "" {
		f.Reason = event.CodeExecutionFailed
	}
	return f
}

// maxSummary is how many bytes a summary has at most.
const maxSummary = 300

// summary says in a line what a call did.
func summary(r event.Returned) string {
	text := r.Text
	if r.Error != nil && r.Error.Message != "" {
		text = r.Error.Message
	}
	if r.OK && len(r.Effects) > 0 {
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

// patches are the changes of a game's state that a result tells of: the list under "state_patch" in its data.
func patches(data any) []json.RawMessage {
	if data == nil {
		return nil
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	var held struct {
		Patch []json.RawMessage `json:"state_patch"`
	}
	_ = json.Unmarshal(raw, &held) // data of another shape holds none
	return held.Patch
}
