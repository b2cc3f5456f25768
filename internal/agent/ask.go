package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// reply is the model's answer to one request.
type reply struct {
	reading   toolcall.Reading
	usage     llm.Usage
	truncated bool
	took      time.Duration
	shown     string     // the text that was shown while it came
	err       *llm.Error // why it is not complete
}

// ask plays [Ask]: it asks the model and goes on with the calls or with the words of its reply.
func (a *Agent) ask(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	r, err := a.chat(ctx, t.withStageOptions(), emit)
	switch {
	case err != nil && t.Stage != nil && isOutOfTime(ctx, err):
		last := t.recordOf(r, "")
		return t.End(Ending{Cause: OutOfTime, Reason: event.OverSpent, Reply: event.Replied{Text: overTime}, Last: &last}), Finish, nil
	case err != nil:
		return t.BreakOff(ctx, r.shown, err)
	case t.state.prompt.WordsOnly:
		return t.countPrompt(r).End(t.onlyWords(r)), Finish, nil
	case t.isUnread(r):
		next, shorter, err := a.shortenUnread(ctx, t, r, emit)
		if err != nil {
			return t.BreakOff(ctx, "", err)
		} else if shorter {
			return next, Resume, nil
		}
		t = next
	}
	switch read := r.reading; {
	case len(read.Calls) > 0:
		return a.recordCalls(t, r, emit)
	case read.Class == toolcall.Text, read.Class == toolcall.Truncated && read.Text != "" && read.Raw == "":
		return t.takeWords(r, emit)
	}
	t.state.reply = r
	return t, Recover, nil
}

// recordCalls goes on from a reply with calls. Those that do not fit are answered at once, together with the reply: their
// mistakes are known only now.
func (a *Agent) recordCalls(t Turn, r reply, emit Emit) (Turn, Phase, error) {
	generated := r.generated("")
	generated.Message = t.messageOf(r, r.reading.Text)
	if t.state.prompt.CallsOnly { // nobody has checked the words beside the calls
		generated.Message.Text, generated.Raw = "", cmp.Or(r.reading.Raw, r.reading.Text)
	}
	class := toolcall.Malformed
	var called, answered []event.Body
	for i, c := range t.withUniqueIDs(r.reading.Calls) {
		generated.Message.Calls = append(generated.Message.Calls, c.Call)
		called = append(called, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args, Repairs: orEmpty(c.Repairs)})
		if bad, ok := t.findMistake(c, i); ok {
			answered = append(answered, a.sanitize(bad))
			continue
		}
		class = toolcall.Calls
	}
	generated.Class = string(class)
	bodies := append(append([]event.Body{generated}, called...), answered...)
	refusing := t.Usage.Refusing()
	t = t.countPrompt(r)
	if err := emit(bodies...); err != nil {
		return t, End, err
	}
	t = t.Record(bodies...)
	if class == toolcall.Calls {
		t.state.lost = r.reading.Reason
	}
	ending := func(cause Cause, reason event.Reason, words string) Turn {
		words = strings.TrimSpace(t.markUntrue(r.reading.Text) + "\n\n" + words)
		return t.End(Ending{Cause: cause, Reason: reason, Reply: event.Replied{Text: words}})
	}
	switch {
	case refusing != "": // the model has read that calls are refused: they are, and hob speaks in its place
		return ending(Overcalls, reasonOf(refusing), budgetWords(refusing)), RunCalls, nil
	case t.Usage.recovery.unfit > maxUnfit || t.Usage.Wasted >= maxWasted:
		return ending(Misfit, event.NoModel, misfitWords), Finish, nil
	case class == toolcall.Calls:
		return t.refreshTools(), RunCalls, nil
	}
	return t, Resume, nil
}

// takeWords goes on from a reply in words. It is the answer, unless it only announces an action, or claims one that was not
// done. Then the model reads so, once.
func (t Turn) takeWords(r reply, emit Emit) (Turn, Phase, error) {
	text := strings.TrimSpace(r.reading.Text)
	generated := t.recordOf(r, text)
	t = t.countPrompt(r)
	e := Ending{Reply: event.Replied{Text: text}, Last: &generated}
	if r.truncated {
		e.Cause = Cut
	}
	if t.state.prompt.CallsOnly {
		return t.End(e), Finish, nil
	}
	nudge, objects := t.objection(text)
	switch marked := t.markUntrue(text); {
	case objects && !r.truncated:
		bodies := []event.Body{generated, nudge}
		if nudge.Why == event.ForClaimed {
			bodies = append(bodies, event.Noted{Text: "it says so, but no tool has done it: asking again"})
		}
		if err := r.takeBack(emit); err != nil {
			return t, End, err
		}
		if err := emit(bodies...); err != nil {
			return t, End, err
		}
		return t.Record(bodies...), Resume, nil
	case r.truncated:
		e.Reply.Text = t.markUntrue(text + "\n\n[The reply was cut off here: it reached its limit of tokens.]")
	case marked != text:
		e.Reply.Text = marked
	case t.Usage.CountNudges(event.ForAnnounced) > 0 && toolcall.Announces(text):
		e.Reply.Text += "\n\n[hob: the model only said so and did nothing.]"
	}
	return t.End(e), Finish, nil
}

// maxOnlyWords is how many bytes a reply may have where only words are asked for: a longer one is no answer to that.
const maxOnlyWords = 16 << 10

// onlyWords is the ending that a reply comes to where only words were asked for: calls beside them are left alone.
func (t Turn) onlyWords(r reply) Ending {
	text := strings.TrimSpace(r.reading.Text)
	last := t.recordOf(r, text)
	e := Ending{Reply: event.Replied{Text: text}, Last: &last}
	if r.err != nil || r.truncated || text == "" || len(text) > maxOnlyWords || r.reading.Class != toolcall.Text && len(r.reading.Calls) == 0 {
		e.Cause, e.Reply.Text = Useless, failureWords(r)
	}
	return e
}

// generated is the record of a reply, without its message.
func (r reply) generated(class string) event.Generated {
	return event.Generated{
		Message: llm.Message{Role: llm.AssistantRole}, Usage: r.usage, Class: class, Raw: r.reading.Raw, DurationMS: r.took.Milliseconds(),
	}
}

// recordOf is the record of a reply in words.
func (t Turn) recordOf(r reply, text string) event.Generated {
	g := r.generated(cmp.Or(t.state.prompt.Class, string(toolcall.Text)))
	g.Message = t.messageOf(r, text)
	return g
}

// messageOf is the part of a reply that the conversation keeps.
func (t Turn) messageOf(r reply, text string) llm.Message {
	m := llm.Message{Role: llm.AssistantRole, Text: text, Thinking: r.reading.Thinking}
	if t.Profile.Keep == llm.KeepNone {
		m.Thinking = ""
	}
	return m
}

// countPrompt returns the turn once the server has counted its prompt.
func (t Turn) countPrompt(r reply) Turn {
	if n := r.usage.PromptTokens; n > 0 && t.mode() == t.Profile.Mode {
		t.state.counted = counted{messages: len(t.History), tokens: n}
	}
	return t
}

// takeBack makes known that the text which was shown of a reply does not count.
func (r *reply) takeBack(emit Emit) error {
	if r.shown == "" {
		return nil
	}
	r.shown = ""
	return emit(event.Delta{Restart: true})
}

// emitError is an error of emit, after which nothing more can become known.
type emitError struct{ error }

// isOutOfTime reports whether err says that the turn's time is used up, while everything else goes on.
func isOutOfTime(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !errors.As(err, &emitError{}) && errors.Is(err, errTime)
}

// chat gets one reply of the model within the rest of the turn's time. An error means that the turn cannot go on: it was
// stopped, its time is used up, hob is going down, or the journal cannot be written.
func (a *Agent) chat(ctx context.Context, t Turn, emit Emit) (reply, error) {
	left := t.Budget.Time - t.Usage.Time
	if t.Usage.Refusing() != "" {
		left = max(left, lastWordsTime)
	}
	ctx, clock := startClock(ctx, left, a.now)
	defer clock.stop()
	wire := toolcall.Wire{User: t.words(), Mode: t.mode(), Strict: t.Profile.Has(llm.StrictPromotion), Loose: t.Profile.Has(llm.LooseThinking)}
	screen := t.state.offer.Screen(wire)
	got := reply{}
	var partial []byte
	var emitErr error
	reply, err := a.model.Chat(ctx, t.request(), func(d llm.Delta) {
		clock.hear(d.Queue)
		if emitErr != nil {
			return
		}
		switch {
		case d.Queue == llm.WaitOver:
			emitErr = emit(event.Requested{})
		case d.Status != "" && d.Wait.Passing:
			emitErr = emit(event.Waiting{Ahead: d.Wait.Ahead, Seconds: int(d.Wait.Time.Round(time.Second) / time.Second), Text: d.Status})
		case d.Status != "":
			emitErr = emit(event.Noted{Text: d.Status})
		}
		if emitErr == nil && d.Restart {
			partial, screen = nil, t.state.offer.Screen(wire)
			emitErr = got.takeBack(emit)
		}
		if d.Text+d.Thinking == "" || emitErr != nil {
			return
		}
		partial = append(partial, d.Text...)
		text := screen.Add(d.Text)
		if screen.Restarted() { // what was shown turned out to be thoughts
			if emitErr = got.takeBack(emit); emitErr != nil {
				return
			}
		}
		if t.Stage != nil {
			text = "" // nobody reads it before the stage has seen it
		}
		got.shown += text
		if text+d.Thinking != "" {
			emitErr = emit(event.Delta{Text: text, Thinking: d.Thinking})
		}
	})
	got.took = clock.elapsed()
	if emitErr != nil {
		return got, emitError{emitErr}
	}
	if err != nil && ctx.Err() != nil { // whatever the model made of it, the cause says why
		return got, fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	got.read(&wire, reply, err, string(partial))
	got.reading = t.state.offer.Read(wire)
	return got, nil
}

// read takes what came of a request: a reply, or an error and what had arrived until then.
func (r *reply) read(wire *toolcall.Wire, reply *llm.Reply, err error, partial string) {
	if err == nil {
		wire.Message, wire.Truncated = reply.Message, reply.Truncated
		r.usage, r.truncated = reply.Usage, reply.Truncated
		return
	}
	wire.Err = err
	wire.Message = llm.Message{Role: llm.AssistantRole, Text: partial}
	if !errors.As(err, &r.err) {
		r.err = &llm.Error{Kind: llm.Failed, Message: "something in hob itself went wrong: " + err.Error(), Err: err}
	}
}

// clock ends a context when the model has taken its time. While the request waits for others it stands still.
type clock struct {
	now     func() time.Time
	timer   *time.Timer
	cancel  context.CancelCauseFunc
	left    time.Duration // once it runs again
	used    time.Duration // before it last began to run
	began   time.Time
	running bool
}

func startClock(ctx context.Context, left time.Duration, now func() time.Time) (context.Context, *clock) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &clock{
		now: now, cancel: cancel, left: left, began: now(), running: true,
		timer: time.AfterFunc(left, func() { cancel(errTime) }),
	}
}

// hear stops the clock or lets it run again.
func (c *clock) hear(q llm.Queue) {
	switch {
	case q == llm.WaitBegan && c.running && c.timer.Stop():
		c.used, c.running = c.elapsed(), false
	case q == llm.WaitOver && !c.running:
		c.began, c.running = c.now(), true
		c.timer.Reset(max(c.left-c.used, 0))
	}
}

// elapsed is the time for which the clock has run.
func (c *clock) elapsed() time.Duration {
	if !c.running {
		return c.used
	}
	return c.used + c.now().Sub(c.began)
}

func (c *clock) stop() {
	c.timer.Stop()
	c.cancel(nil)
}

// mode is how the model is asked next: as its profile says, but for the last try of a call that could not be read.
func (t Turn) mode() llm.Mode {
	if r := t.Usage.recovery; len(t.Tools) > 0 && t.Usage.Refusing() == "" && (r.unreadable >= maxUnreadable || r.unfit >= maxUnfit) {
		return llm.SchemaMode
	}
	return t.Profile.Mode
}

// withStageOptions returns the turn with the options that its stage has for an answer.
func (t Turn) withStageOptions() Turn {
	if p := t.state.prompt; p.Temperature > 0 {
		t.Options.Temperature = p.Temperature
	}
	if p := t.state.prompt; p.Tokens > 0 {
		t.Options.NumPredict = p.Tokens
	}
	return t
}

// options are those of the turn, changed by what went wrong before: less thinking and more room for who thought too long,
// less freedom for who could not be understood. None of this makes a server load its model anew.
func (t Turn) options() llm.Options {
	o, r := t.Options, t.Usage.recovery
	if r.unreadable >= 2 || r.unfit >= 2 {
		o.Temperature = min(o.Temperature, 0.2)
	}
	if r.unreadable >= 2 || r.thought >= 1 {
		o.Think = t.lessThinking()
	}
	if r.thought >= 1 && t.Window.Size > 0 {
		o.NumPredict = max(o.NumPredict, min(2*o.NumPredict, t.Window.Size/2))
	}
	return o
}

func (t Turn) lessThinking() llm.Think {
	if t.Profile.Has(llm.AlwaysThinks) {
		return llm.ThinkLow
	}
	return llm.ThinkOff
}

// words are what the person has said in the turn.
func (t Turn) words() string {
	var all []string
	for i, m := range t.History[t.Begin:] {
		ours := m.Note || strings.HasPrefix(m.Text, "[hob: ") // steps in short, or a summary
		if m.Role == llm.UserRole && (i == 0 || !ours) {
			all = append(all, m.Text)
		}
	}
	return strings.Join(all, "\n\n")
}
