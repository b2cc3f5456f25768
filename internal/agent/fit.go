package agent

import (
	"context"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/excerpt"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/llm/window"
)

// The reasons for shortening a conversation; see [event.Compacted].
const (
	forContext   = "context"
	forTruncated = "truncated"
	forRepeats   = "repeats"
)

// counted is the server's token count for a prompt of the first messages of the conversation.
type counted struct{ messages, tokens int }

// promptTokens estimates the tokens of the next request: the server's last count, plus an estimate
// for newer messages.
func (t Turn) promptTokens() int {
	if t.state.counted.messages > 0 && t.state.counted.messages <= len(t.History) {
		return t.state.counted.tokens + t.Window.Count(window.Tokens(t.History[t.state.counted.messages:]...))
	}
	return t.Window.Count(window.Estimate(t.request()))
}

// fit shortens the conversation if the next prompt would leave too little room for a reply. It cuts
// deep and rarely, because each cut invalidates the server's cache of the whole conversation.
func (a *Agent) fit(ctx context.Context, t Turn, emit Emit) (Turn, error) {
	now := t.promptTokens()
	if t.Window.Size <= 0 || now <= t.Window.Trigger() {
		return t, nil
	}
	// An eighth more: one new message alone is no reason to shorten it again.
	if now <= t.Window.Room() && now < t.state.tokensAfterShortening+t.state.tokensAfterShortening/8 {
		return t, nil // it was shortened as far as possible, and has hardly grown
	}
	t, _, err := a.shorten(ctx, t, forContext, emit)
	return t, err
}

// shorten shortens the conversation and reports whether it could. It first does what needs no
// model, then asks the model for a summary, and last drops the oldest messages.
func (a *Agent) shorten(ctx context.Context, t Turn, why string, emit Emit) (Turn, bool, error) {
	before := t.promptTokens()
	head := t.Window.Count(window.Estimate(t.withoutHistory()))
	trigger, target := t.Window.Limits(head)
	count := func(ms ...llm.Message) int { return t.Window.Count(window.Tokens(ms...)) }
	h := window.History{
		Messages: fadePictures(t.History, t.Begin), Begin: t.Begin,
		Keep: t.Window.Rounds(), Recent: t.Window.Recent(head), Turns: t.state.rules.KeepTurns,
		Handle: a.storeHandles(ctx), Nudge: func(m llm.Message) bool { return m.Note },
		Task: excerpt.For(llm.OwnWords(t.personWords())), Search: t.task().HasSearch(),
	}
	short, _ := h.Shorten(target, count)
	mayAsk := why == forContext && !t.Progress.summed && before <= t.Window.Room()
	if mayAsk && short.SummaryDue(trigger, target, count) && len(h.Span()) > 0 {
		summary, spent, err := a.summary(ctx, t, emit)
		if err != nil {
			return t, false, err
		}
		t.Progress = spent
		if summed := h.WithSummary(summary); summary != "" && count(summed.Messages...) < count(short.Messages...) {
			short = summed
		}
	}
	if count(short.Messages...) > trigger {
		short, _ = short.Drop(trigger, count)
	}
	if count(short.Messages...)*20 > count(t.History...)*19 { // saving less than a twentieth is not worth the server's cache
		t.state.tokensAfterShortening = before
		return t, false, nil
	}
	t.History, t.Begin, t.state.counted = short.Messages, short.Begin, counted{}
	t.state.tokensAfterShortening = t.promptTokens()
	return t, true, emit(
		t.compaction(before, why),
		event.Noted{Text: "the conversation is long: the model is told its older part in short"})
}

// withoutHistory is the next request with an empty conversation.
func (t Turn) withoutHistory() llm.Request {
	t.History = nil
	return t.request()
}

// summary asks the model to summarize the conversation. The request adds one message to the same
// conversation, so that the server's cache stays valid. It returns "" if the model gives no
// summary.
func (a *Agent) summary(ctx context.Context, t Turn, emit Emit) (string, Progress, error) {
	most := t.Window.Size / 10
	ask := t
	ask.Options.NumPredict = most
	// Calls are off, as if a budget were used up: then the model is asked in its own mode, and has
	// time for words.
	ask.Progress.nudges = append(slices.Clip(ask.Progress.nudges), event.ForBudget)
	read := t.withStageContext(t.History) // exactly as the server has read it
	ask.state.rules.Context = ""
	ask.History = append(slices.Clip(read), llm.Message{Role: llm.UserRole, Text: window.Instruction(most)})
	if err := emit(event.Noted{Text: "the conversation is long: the model sums up its older part"}); err != nil {
		return "", t.Progress, err
	}
	quiet := func(bodies ...event.Body) error {
		if _, ok := bodies[0].(event.Delta); ok {
			return nil // nobody else reads the summary
		}
		return emit(bodies...)
	}
	got, err := a.chat(ctx, ask, quiet)
	if err != nil {
		return "", t.Progress, err
	}
	generated := got.newGenerated(classSummary)
	generated.Raw = ""
	if got.reading.Class == toolcall.Text && !got.truncated {
		generated.Raw = got.reading.Text
	}
	return strings.TrimSpace(generated.Raw), t.Progress.Add(generated), emit(generated)
}

// minStored is the least size in bytes of a result that gets a handle. The short form of a smaller
// result has nearly all of it.
const minStored = 200

// storeHandles returns a function that stores the whole of a result, once, unless it has a handle.
func (a *Agent) storeHandles(ctx context.Context) func(llm.Message) string {
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
			handle = "" // the model has to do without the whole
		}
		known[m.CallID] = handle
		return handle
	}
}

// shortenCutPrompt shortens the conversation after a reply whose server dropped part of the prompt, so
// that the model can be asked again. It reports false if it could not; then the reply stands.
func (a *Agent) shortenCutPrompt(ctx context.Context, t Turn, r reply, emit Emit) (Turn, bool, error) {
	t.state.overflowHandled = true
	t.Window.Size = max(r.usage.PromptTokens+t.Window.Reserve, 2*t.Window.Reserve)
	shorter, ok, err := a.shorten(ctx, t, forTruncated, emit)
	if err != nil {
		return t, false, err
	}
	if !ok {
		note := "the server did not read all of the conversation: set a smaller [ollama] num_ctx"
		return t, false, emit(event.Noted{Text: note})
	}
	generated := r.newGenerated(string(toolcall.Context))
	generated.Raw = ""
	if err := r.takeBack(emit); err != nil {
		return t, false, err
	}
	return shorter.Record(generated), true, emit(generated)
}

// cutSlack is the difference in tokens below which two counts agree.
const cutSlack = 64

// isPromptCut reports whether the server answered without reading the whole prompt: its count is lower
// than its earlier count for the beginning plus an estimate for the rest. Some servers truncate
// although they are told not to. Other causes of a lower count are excluded: a template that drops
// older thoughts, and a changed thinking mode. A tenth of the count and two fifths of the estimate
// are allowed for templates and tokenizers.
func (t Turn) isPromptCut(r reply) bool {
	n, before := r.usage.PromptTokens, t.state.counted
	asUsual := t.mode() == t.Profile.Mode && t.options().Think == t.Options.Think
	if n == 0 || before.messages == 0 || t.state.overflowHandled || !asUsual {
		return false
	}
	since := t.History[before.messages:]
	for _, m := range since {
		if m.Role == llm.UserRole || m.Thinking != "" {
			return false
		}
	}
	return float64(n) < 0.9*(float64(before.tokens)+0.6*float64(window.Tokens(since...)))-cutSlack
}

// fadedNote replaces pictures that a shortened conversation no longer has.
const fadedNote = "\n[hob: what was pictured here is no longer shown]"

// fadePictures returns messages without the pictures of earlier turns, which are dropped first. The
// pictures of the open turn stay.
func fadePictures(messages []llm.Message, begin int) []llm.Message {
	all := make([]llm.Message, len(messages))
	for i, m := range messages {
		if i < begin && len(m.Images) > 0 {
			m.Images = nil
			m.Text += fadedNote
		}
		all[i] = m
	}
	return all
}

// compaction returns the event that records the shortened conversation. It has no pictures: those
// of the open turn are loaded again.
func (t Turn) compaction(before int, why string) event.Compacted {
	plain := make([]llm.Message, len(t.History))
	for i, m := range t.History {
		m.Images = nil
		plain[i] = m
	}
	return event.Compacted{Messages: plain, Begin: t.Begin, Before: before, After: t.promptTokens(), Why: why}
}
