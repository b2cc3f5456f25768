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

// chat gets one reply of the model within the rest of the turn's time, and shows it while it comes. An
// error means that the turn cannot go on: it was stopped, its time is used up, hob is going down, or
// the journal cannot be written. See [Turn.EndOrFail].
func (a *Agent) chat(ctx context.Context, t Turn, emit Emit) (reply, error) {
	left := t.Budget.Time - t.Progress.Time
	if t.Progress.WhyCallsOff() != "" {
		left = max(left, lastWordsTime)
	}
	chatCtx, clock := startClock(ctx, left, a.now)
	defer clock.stop()
	wire := toolcall.Wire{
		Mode:   t.mode(),
		Strict: t.Profile.Has(llm.StrictPromotion), Loose: t.Profile.Has(llm.LooseThinking),
	}
	screen := t.state.offer.Screen(wire)
	got, stop := reply{}, error(nil) // stop is why the rest of the reply is left out
	mayRepeat := wantsRepeats().MatchString(t.personWords())
	said, thought := tailGuard{off: mayRepeat}, tailGuard{off: mayRepeat}
	show := func(d llm.Delta) error {
		if err := showStatus(d, emit); err != nil {
			return err
		}
		if d.Restart {
			said, thought, screen = tailGuard{off: mayRepeat}, tailGuard{off: mayRepeat}, t.state.offer.Screen(wire)
			if err := got.takeBack(emit); err != nil {
				return err
			}
		}
		if d.Text+d.Thinking == "" {
			return nil
		}
		if saying, thinking := said.add(d.Text), thought.add(d.Thinking); saying || thinking {
			stop = errRepeats
		}
		text := screen.Add(d.Text)
		if screen.Restarted() { // what was shown turned out to be thoughts
			if err := got.takeBack(emit); err != nil {
				return err
			}
		}
		if t.Stage != nil { // nobody reads it before the stage has seen it
			got.hidden += text
			text = ""
			if stageShow := t.state.prompt.Show; stageShow != nil && stop == nil {
				shown, goOn := stageShow(got.hidden)
				if !goOn {
					stop = errUnwanted
				}
				text, _ = strings.CutPrefix(shown, got.shown)
			}
		}
		got.shown += text
		if stop == nil && strings.ContainsAny(text, ":：>") && t.dialogueAt(got.shown) < len(got.shown) {
			stop = errDialogue
		}
		if stop != nil {
			clock.cancel(stop)
		}
		if text+d.Thinking == "" {
			return nil
		}
		return emit(event.Delta{Text: text, Thinking: d.Thinking})
	}
	var showErr error
	res, err := a.model.Chat(chatCtx, t.request(), func(d llm.Delta) {
		clock.applyQueue(d.Queue)
		if showErr == nil && stop == nil {
			showErr = show(d)
		}
	})
	got.duration = clock.elapsed()
	if showErr != nil {
		return got, showErr
	}
	if stop == nil && llm.KindOf(err) == llm.Repeats && !mayRepeat {
		stop = errRepeats
	}
	if stop != nil && ctx.Err() == nil {
		if err != nil {
			res = &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: string(said.text)}}
		}
		got.read(&wire, res, nil, "")
		if errors.Is(stop, errRepeats) {
			got.readUpToRepeats(&wire, t.state.offer, &said, &thought)
			return got, nil
		}
		err = nil
	}
	if err != nil && chatCtx.Err() != nil { // whatever the model made of it, the cause says why
		return got, fmt.Errorf("%w: %w", cmp.Or(context.Cause(ctx), context.Cause(chatCtx)), err)
	}
	got.read(&wire, res, err, string(said.text))
	got.reading = t.state.offer.Read(wire)
	return got, nil
}

// showStatus emits how a request waits, and that it waits no longer.
func showStatus(d llm.Delta, emit Emit) error {
	switch {
	case d.Queue == llm.WaitOver:
		return emit(event.Requested{})
	case d.Status != "" && d.Wait.Passing:
		seconds := int(d.Wait.Time.Round(time.Second) / time.Second)
		return emit(event.Waiting{Ahead: d.Wait.Ahead, Seconds: seconds, Text: d.Status})
	case d.Status != "":
		return emit(event.Noted{Text: d.Status})
	}
	return nil
}

// read takes the outcome of a request: a reply, or an error and the part that had arrived.
func (r *reply) read(wire *toolcall.Wire, res *llm.Reply, err error, partial string) {
	if err == nil {
		wire.Message, wire.Truncated = res.Message, res.Truncated
		r.usage, r.truncated = res.Usage, res.Truncated
		return
	}
	wire.Err = err
	wire.Message = llm.Message{Role: llm.AssistantRole, Text: partial}
	if !errors.As(err, &r.err) {
		r.err = &llm.Error{Kind: llm.Failed, Message: "something in hob itself went wrong: " + err.Error(), Err: err}
	}
}

// clock ends a context when the model has used up its time. It stands still while the request waits
// for others.
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

// applyQueue stops the clock while the request waits in a queue, and lets it run again.
func (c *clock) applyQueue(q llm.Queue) {
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

// mode is how the model is asked next: as its profile says, but for the last try of a call that could
// not be read.
func (t Turn) mode() llm.Mode { return t.modeAfter(t.Progress.recovery) }

func (t Turn) modeAfter(r recovery) llm.Mode {
	lastTry := r.unreadable >= maxUnreadable || r.unfit >= maxUnfit || r.doubtful && r.unfit >= maxDoubtful
	if lastTry && len(t.Tools) > 0 && t.Progress.WhyCallsOff() == "" {
		return llm.SchemaMode
	}
	return t.Profile.Mode
}

// form is how the model is to write its next call after these failures.
func (t Turn) form(r recovery) toolcall.Form {
	return toolcall.Form{Mode: t.modeAfter(r), Own: t.Profile.Example}
}

// withStageOptions returns the turn with the options that its stage has for an answer.
func (t Turn) withStageOptions() Turn {
	p := t.state.prompt
	t.Options.Temperature = cmp.Or(p.Temperature, t.Options.Temperature)
	t.Options.NumPredict = cmp.Or(p.Tokens, t.Options.NumPredict)
	return t
}

// options are those of the turn, changed after failures: less thinking and more room for a model that
// thought too long, a higher temperature for one that repeats itself, a lower one where the form is
// wrong. None of this makes a server load its model anew.
func (t Turn) options() llm.Options {
	o, r := t.Options, t.Progress.recovery
	if r.unreadable >= 2 || r.thought >= 1 {
		o = t.Profile.WithThink(o, t.lessThinking())
	}
	switch {
	case r.same || r.repeats > 0:
		o.Temperature = max(o.Temperature, min(max(o.Temperature+0.25, 0.8), 1.5)) // some models are asked at 1 as a rule
	case r.unreadable >= 2 || r.unfit >= 2:
		o.Temperature = min(o.Temperature, 0.2)
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

// taskWords is personWords without what hob wrote beside them: lines in brackets, and the text of a skill.
func (t Turn) taskWords() string {
	var all []string
	skill := false
	for line := range strings.SplitSeq(t.personWords(), "\n") {
		if ours := strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"); ours || skill {
			skill = strings.HasPrefix(line, "[The skill ") || skill && !strings.HasPrefix(line, "[End of the skill ")
			continue
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

// personWords is everything that the person has said in the turn.
func (t Turn) personWords() string {
	var all []string
	for i, m := range t.History[t.Begin:] {
		isOurs := m.Note || strings.HasPrefix(m.Text, "[hob: ") // a note, or earlier messages in short
		if m.Role == llm.UserRole && (i == 0 || !isOurs) {
			all = append(all, llm.Words(m.Text))
		}
	}
	return strings.Join(all, "\n\n")
}
