package agent

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// A turn whose lead has the model tell what was done plays in two stages. In the first the model calls tools; what it says
// there nobody reads, not even itself. In the second it is told what was done and tells it, once, with the same prompt before it,
// so that the server has nothing to read anew; what it says is held against what is so before anybody reads it.

// mostNarrated is how many bytes a narration has: a longer one is no narration.
const mostNarrated = 16 << 10

// defaultAsk is what the model is told where its lead says nothing of its own.
const defaultAsk = nudgeMark + "tell now, in words alone, what was done. Tool calls are refused.]"

// staged reports whether the turn is in the first of two stages.
func (t Turn) staged() bool { return t.Lead != nil && t.tells && !t.narrating() }

// narrating reports whether the turn is in the second.
func (t Turn) narrating() bool { return t.Lead != nil && t.Usage.wasTold(event.ForNarration) }

// howToTell returns how what was done is told, or false where the model answers in its own words.
func (t Turn) howToTell(ctx context.Context) (driver.Narration, bool) {
	n, ok := t.Lead.(driver.Narrator)
	if !ok {
		return driver.Narration{}, false
	}
	return n.Narration(ctx)
}

// toTell is what the model is told when the second stage begins, and the turn with how it tells.
func (a *Agent) toTell(ctx context.Context, t Turn) (Turn, event.Nudged) {
	if n, ok := t.howToTell(ctx); ok {
		t.narration = n
	}
	ask := a.shown(tools.Result{Text: strings.TrimSpace(t.narration.Ask)}).Text // like the tail
	return t, event.Nudged{Why: event.ForNarration, Text: cmp.Or(ask, defaultAsk)}
}

// toldEnough reports whether the first stage is over: as many replies with calls were made as may be, a budget is used up, or the
// model goes round in circles.
func (t Turn) toldEnough() bool {
	n := t.narration.Batches
	return n > 0 && t.Usage.batches() >= n || t.usedUp() != "" || t.Usage.fresh().without(t.polls).circles() != ""
}

// drafted goes on from the words with which the first stage ends, or from none.
func (a *Agent) drafted(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	t = t.counting(got)
	draft := event.Generated{
		Message: llm.Message{Role: llm.AssistantRole}, Usage: got.usage, Class: event.ClassDraft,
		Raw: strings.TrimSpace(got.reading.Text), DurationMS: got.took.Milliseconds(),
	}
	return a.tell(ctx, t, emit, draft)
}

// tell begins the second stage, behind what came last.
func (a *Agent) tell(ctx context.Context, t Turn, emit Emit, last ...event.Body) (string, error) {
	t, nudge := a.toTell(ctx, t)
	bodies := append(last, nudge)
	if err := emit(bodies...); err != nil {
		return "", err
	}
	return a.Run(ctx, t.with(bodies...), emit)
}

// narrate is the second stage: the model is asked once for each time that it may try.
func (a *Agent) narrate(ctx context.Context, t Turn, emit Emit) (string, error) {
	ask := t
	if t.narration.Temperature > 0 {
		ask.Options.Temperature = t.narration.Temperature
	}
	if t.narration.Tokens > 0 {
		ask.Options.NumPredict = t.narration.Tokens
	}
	got, err := a.ask(ctx, ask, emit)
	if err != nil && !outOfTime(ctx, err) {
		return a.ended(ctx, t, "", err, emit)
	}
	words := strings.TrimSpace(got.reading.Text)
	said := event.Generated{
		Message: t.message(words, got), Usage: got.usage, Class: t.classOfWords(), Raw: got.reading.Raw,
		DurationMS: got.took.Milliseconds(),
	}
	t = t.counting(got)
	spent := t
	spent.Usage = t.Usage.Add(said)
	if err != nil || !narrated(got, words) {
		if said.Message.Text, said.Raw = "", cmp.Or(said.Raw, words, event.NoWords); err != nil {
			return a.told(ctx, spent, event.Done, spent.fallback(ctx, overTime), emit, said)
		}
		return a.told(ctx, spent, event.Done, spent.fallback(ctx, hopeless(got)), emit, said)
	}
	problems := t.Lead.Check(ctx, words)
	switch {
	case len(problems) == 0:
		return a.told(ctx, spent, event.Done, words, emit, said)
	case t.Usage.times(event.ForUntrue) >= t.narration.Rewrites:
		return a.told(ctx, spent, event.Done, spent.fallback(ctx, unsaid), emit, said)
	}
	bodies := []event.Body{said, untold(problems)}
	if err := emit(bodies...); err != nil {
		return "", err
	}
	return a.Run(ctx, t.with(bodies...), emit)
}

// narrated reports whether a reply is one in words: what calls it made beside them is left alone.
func narrated(got answer, words string) bool {
	return got.err == nil && !got.truncated && words != "" && len(words) <= mostNarrated &&
		(got.reading.Class == toolcall.Text || len(got.reading.Calls) > 0)
}

// classOfWords is the class of a reply in words.
func (t Turn) classOfWords() string {
	switch {
	case t.Lead == nil:
		return string(toolcall.Text)
	case t.Usage.wasTold(event.ForUntrue):
		return event.ClassRewrite
	}
	return event.ClassNarration
}

// lastReason is the reason of a turn that ends because its model was no use: told all the same, where something was done.
func (t Turn) lastReason(why event.Reason) event.Reason {
	if t.Lead != nil && (t.narrating() || t.tells && t.Usage.batches() > 0) {
		return event.Done
	}
	return why
}

// batches counts the replies whose calls were more than unfit.
func (s Usage) batches() int {
	n, last := 0, 0
	for _, p := range s.past {
		if p.by != byCheck && p.place.Reply > last {
			n, last = n+1, p.place.Reply
		}
	}
	return n
}

// times counts how often the model was told something.
func (s Usage) times(why event.Why) int {
	n := 0
	for _, told := range s.told {
		if told == why {
			n++
		}
	}
	return n
}

// callRefOf says which call of the turn a call is.
func (s Usage) callRefOf(id string) tools.CallRef {
	for _, all := range [][]past{s.open, s.past} {
		for _, p := range all {
			if p.id == id {
				return p.place
			}
		}
	}
	return tools.CallRef{ID: id}
}
