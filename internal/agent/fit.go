package agent

import (
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// Why a conversation was made shorter; see [event.Compacted].
const (
	forContext   = "context"
	forTruncated = "truncated"
	forRepeats   = "repeats"
)

// counted is what the server has counted of a conversation: its first messages, and the tokens that a prompt of them took.
type counted struct{ messages, tokens int }

// prompt estimates the tokens of the next request: what the server counted of the last one, and what has come since.
func (t Turn) prompt() int {
	if t.counted.messages > 0 && t.counted.messages <= len(t.History) {
		return t.counted.tokens + t.Window.Count(window.Tokens(t.History[t.counted.messages:]...))
	}
	return t.Window.Count(window.Estimate(t.request()))
}

// request is what the model is asked next.
func (t Turn) request() llm.Request {
	req := llm.Request{System: t.System, Messages: t.withTail(t.History), Tools: tools.Schema(t.Tools), Options: t.options()}
	return toolcall.Render(req, t.mode())
}

// fit makes the conversation shorter when its next prompt would leave too little room. It is rare and deep: each time
// costs the server's cache of the whole conversation.
func (a *Agent) fit(ctx context.Context, t Turn, emit Emit) (Turn, error) {
	now := t.prompt()
	if t.Window.Size <= 0 || now <= t.Window.Trigger() {
		return t, nil
	}
	if now <= t.Window.Room() && now < t.least+t.least/8 {
		return t, nil // it was made as short as it gets, and has hardly grown
	}
	t, _, err := a.shorten(ctx, t, forContext, emit)
	return t, err
}

// shorten makes the conversation shorter and reports whether it could: without a model as far as that goes, then with a
// summary of the model's own, at last by leaving the oldest out.
func (a *Agent) shorten(ctx context.Context, t Turn, why string, emit Emit) (Turn, bool, error) {
	before := t.prompt()
	head := t.Window.Count(window.Estimate(t.bare()))
	trigger, target := t.Window.Limits(head)
	count := func(ms ...llm.Message) int { return t.Window.Count(window.Tokens(ms...)) }
	h := window.History{
		Messages: faded(t.History, t.Begin), Begin: t.Begin, Keep: t.Window.Rounds(), Recent: t.Window.Recent(head),
		Handle: a.handles(ctx), Nudge: func(m llm.Message) bool { return m.Note },
	}
	if t.Lead != nil {
		h.Turns = ledTurns
	}
	short, _ := h.Shorten(target, count)
	if short.SummaryDue(trigger, target, count) && why == forContext && !t.Usage.summed && before <= t.Window.Room() && len(h.Span()) > 0 {
		summary, spent, err := a.summary(ctx, t, emit)
		if err != nil {
			return t, false, err
		}
		t.Usage = spent
		if told := h.WithSummary(summary); summary != "" && count(told.Messages...) < count(short.Messages...) {
			short = told
		}
	}
	if count(short.Messages...) > trigger {
		short, _ = short.Drop(trigger, count)
	}
	if count(short.Messages...)*20 > count(t.History...)*19 { // not worth the server's cache
		t.least = before
		return t, false, nil
	}
	t.History, t.Begin, t.counted = short.Messages, short.Begin, counted{}
	t.least = t.prompt()
	return t, true, emit(
		t.compacted(before, why),
		event.Noted{Text: "the conversation is long: the model is told its older part in short"})
}

// ledTurns is how many earlier turns of a chat that is led stay as they were told, however small the context: a story goes on from
// its last words.
const ledTurns = 3

// bare is the next request without the conversation.
func (t Turn) bare() llm.Request {
	t.History = nil
	return t.request()
}

// summary asks the model to sum up what was said and done, as one more message of the same conversation, so that the
// server has nothing to read anew. It returns nothing when the model has nothing of use to say.
func (a *Agent) summary(ctx context.Context, t Turn, emit Emit) (string, Usage, error) {
	most := t.Window.Size / 10
	ask := t
	ask.Options.NumPredict = most
	ask.Usage.told = append(ask.Usage.told, event.ForBudget) // its calls are not wanted
	told := t.withTail(t.History)                            // as the server has read it
	ask.tail = ""
	ask.History = append(told[:len(told):len(told)], llm.Message{Role: llm.UserRole, Text: window.Instruction(most)})
	if err := emit(event.Noted{Text: "the conversation is long: the model sums up its older part"}); err != nil {
		return "", t.Usage, err
	}
	quiet := func(bodies ...event.Body) error {
		if _, ok := bodies[0].(event.Delta); ok {
			return nil // nobody asked to read it
		}
		return emit(bodies...)
	}
	got, err := a.ask(ctx, ask, quiet)
	if err != nil {
		return "", t.Usage, err
	}
	generated := event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Usage: got.usage, Class: classSummary, DurationMS: got.took.Milliseconds()}
	if got.reading.Class == toolcall.Text && !got.truncated {
		generated.Raw = got.reading.Text
	}
	return strings.TrimSpace(generated.Raw), t.Usage.Add(generated), emit(generated)
}

// minStored is how many bytes a result has that is worth a handle: a shorter one is told nearly whole in its line.
const minStored = 200

// handles returns what stores the whole of a result, once, for results that have no handle yet.
func (a *Agent) handles(ctx context.Context) func(llm.Message) string {
	known := map[string]string{}
	return func(m llm.Message) string {
		handle := handleIn(m.Text)
		if handle != "" || a.blobs == nil || len(m.Text) < minStored {
			return handle
		}
		if handle, ok := known[m.CallID]; ok {
			return handle
		}
		from := event.Label{Private: true, Untrusted: event.IsFenced(m.Text)}
		handle, err := a.blobs.Put(ctx, m.Text, from)
		if err != nil {
			handle = "" // the model goes without it
		}
		known[m.CallID] = handle
		return handle
	}
}

// unread goes on from a reply whose server had not read all of the conversation: it is asked again, once the conversation is
// shorter. Where it cannot be, the reply stands.
func (a *Agent) unread(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	t.shortened = true
	t.Window.Size = max(got.usage.PromptTokens+t.Window.Reserve, 2*t.Window.Reserve)
	shorter, ok, err := a.shorten(ctx, t, forTruncated, emit)
	if err != nil {
		return a.ended(ctx, t, "", err, emit)
	}
	if !ok {
		if err := emit(event.Noted{Text: "the server did not read all of the conversation: set a smaller [ollama] num_ctx"}); err != nil {
			return "", err
		}
		return a.replied(ctx, t, got, emit)
	}
	if err := void(&got, emit); err != nil {
		return "", err
	}
	generated := event.Generated{
		Message: llm.Message{Role: llm.AssistantRole}, Usage: got.usage, Class: string(toolcall.Context), DurationMS: got.took.Milliseconds(),
	}
	if err := emit(generated); err != nil {
		return "", err
	}
	return a.Run(ctx, shorter.with(generated), emit)
}

// cutSlack is by how many tokens a count may be off without meaning anything.
const cutSlack = 64

// cutByServer reports whether the server has answered without reading all of the conversation: it counts fewer tokens than
// it had counted of its beginning, and what came since. Some servers cut it though they are told not to. What makes a
// count smaller for another reason is left alone: thoughts that a template drops once somebody has spoken again, and
// another way of thinking.
func (t Turn) cutByServer(got answer) bool {
	n := got.usage.PromptTokens
	if n == 0 || t.shortened || t.counted.messages == 0 || t.mode() != t.Profile.Mode || t.options().Think != t.Options.Think {
		return false
	}
	for _, m := range t.History[t.counted.messages:] {
		if m.Role == llm.UserRole || m.Thinking != "" {
			return false
		}
	}
	added := window.Tokens(t.History[t.counted.messages:]...)
	return float64(n) < 0.9*(float64(t.counted.tokens)+0.6*float64(added))-cutSlack
}
