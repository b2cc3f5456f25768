package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// led is the turn as its lead begins it. Over says that the turn has ended: it was answered without a model.
func (a *Agent) led(ctx context.Context, t Turn, emit Emit) (next Turn, words string, over bool, err error) {
	if t.Lead == nil || t.tailed {
		return t, "", false, nil
	}
	if t.Usage.planned {
		words, err = a.told(ctx, t, t.reason(), t.fallback(ctx, t.lastResult()), emit)
		return t, words, true, err
	}
	if !t.begun() {
		plan, ok, err := t.Lead.TryDirect(ctx, t.Words)
		switch {
		case err != nil && ctx.Err() != nil:
			words, err = a.ended(ctx, t, "", err, emit)
			return t, words, true, err
		case err != nil:
			words, err = t.finish(event.Done, sentenceOf(err), emit)
			return t, words, true, err
		case ok && len(plan.Calls) > 0:
			words, err = a.planned(ctx, t, plan.Calls, emit)
			return t, words, true, err
		case ok:
			words, err = a.direct(t, plan.Result, emit)
			return t, words, true, err
		}
	}
	if t.asksNobody() {
		return t, "", false, nil
	}
	return a.tailed(ctx, t, emit)
}

// tailed is the turn once its lead has said what the model has to know, and how what is done is told.
func (a *Agent) tailed(ctx context.Context, t Turn, emit Emit) (next Turn, words string, over bool, err error) {
	if t.tail, err = t.Lead.Context(ctx, t.Words); err != nil && ctx.Err() != nil {
		words, err = a.ended(ctx, t, "", err, emit)
		return t, words, true, err
	} else if err != nil {
		words, err = t.finish(event.Broken, sentenceOf(err), emit)
		return t, words, true, err
	}
	t.tail = a.shown(tools.Result{Text: t.tail}).Text // some of it may be anybody's words
	t.narration, t.tells = t.howToTell(ctx)
	t.tailed = true
	return t, "", false, nil
}

// remind has the lead of a turn that was cut short know the words again before what the model called for them is done. What it says to
// them is asked for once more when that is known.
func (t Turn) remind(ctx context.Context) {
	if t.Lead != nil && !t.tailed && !t.Usage.planned && !t.asksNobody() {
		_, _ = t.Lead.Context(ctx, t.Words) // its error ends the turn behind the calls: each has a result
	}
}

// begun reports whether the model was asked in this turn, or somebody has answered in its place.
func (t Turn) begun() bool { return t.answered() || t.Usage.Steps > 0 }

// planned goes on with the calls that a person's words came to. They run as a model's would; no model is asked what to say.
func (a *Agent) planned(ctx context.Context, t Turn, plan []driver.Planned, emit Emit) (string, error) {
	turn := tools.CallerFrom(ctx).Turn
	calls := make([]toolcall.Call, 0, len(plan))
	for i, p := range plan {
		calls = append(calls, toolcall.Call{Call: llm.Call{ID: fmt.Sprintf("direct-%d-%d", turn, i+1), Name: p.Name, Args: p.Args}})
	}
	said := event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: classDirect}
	var called []event.Body
	for _, c := range distinct(calls, t) {
		said.Message.Calls = append(said.Message.Calls, c.Call)
		called = append(called, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args, Repairs: []string{}})
	}
	emit = joining(emit)
	bodies := append([]event.Body{said}, called...)
	if err := emit(bodies...); err != nil {
		return "", err
	}
	return a.Run(ctx, t.with(bodies...), emit)
}

// joining makes known what a plan comes to together with what comes next, for each time costs a write to the disk: its calls
// with the beginning of the first, a result with the beginning of the next call or with the end. What is lost with the process
// is done again: nothing has begun before that is known, and what has is answered with what came of it.
func joining(emit Emit) Emit {
	var held []event.Body
	return func(bodies ...event.Body) error {
		held = append(held, bodies...)
		for _, b := range bodies {
			switch b := b.(type) {
			case event.Called, event.Returned:
			case event.Generated:
				if len(b.Message.Calls) == 0 {
					return emitted(emit, &held)
				}
			default:
				return emitted(emit, &held)
			}
		}
		return nil
	}
}

func emitted(emit Emit, held *[]event.Body) error {
	all := *held
	*held = nil
	return emit(all...)
}

// direct ends a turn with what its lead answered.
func (a *Agent) direct(t Turn, res tools.Result, emit Emit) (string, error) {
	r := a.shown(res)
	if strings.TrimSpace(r.Text) == "" {
		r.Text = "Done."
	}
	said := event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: r.Text}, Class: classDirect}
	return r.Text, emit(said, repliedWith(r), t.end(event.Done))
}

// shown is what a lead says to the person, gone over.
func (a *Agent) shown(res tools.Result) event.Returned {
	r := event.Returned{OK: true, Text: res.Text, Effects: res.Effects, Files: res.Files, Choices: res.Choices, Label: res.Label}
	if a.sanitizer != nil {
		r = a.sanitizer.Sanitize(r)
	}
	return r
}

func repliedWith(r event.Returned) event.Replied {
	return event.Replied{Text: r.Text, Label: r.Label, Effects: r.Effects, Files: r.Files, Choices: r.Choices}
}

// told ends a turn with words, which come last in the conversation too. Where something leads, it says what goes with them. Last
// is the reply that they came with, if one was just made.
func (a *Agent) told(
	ctx context.Context, t Turn, reason event.Reason, words string, emit Emit, last ...event.Generated,
) (string, error) {
	said := event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: classDirect}
	if len(last) > 0 {
		said = last[0]
	}
	if t.Lead == nil && len(last) == 0 {
		return t.finish(reason, words, emit)
	} else if t.Lead == nil {
		return t.finish(reason, words, emit, said)
	}
	if words = a.shown(tools.Result{Text: words}).Text; strings.TrimSpace(words) == "" {
		words = "Done."
	}
	if said.Message.Text != words {
		if said.Raw == "" {
			said.Raw = said.Message.Text
		}
		said.Message.Text = words
	}
	reply := event.Replied{Text: words}
	if res, err := t.Lead.Finalize(ctx, words); err == nil {
		if strings.TrimSpace(res.Text) == "" {
			res.Text = words
		}
		reply = repliedWith(a.shown(res))
	}
	if t.trouble != "" {
		reply.Text += "\n\n" + t.trouble
	}
	if ctx.Err() != nil && !stopped(ctx) { // what it would have said is lost: the next start asks it again
		return "", fmt.Errorf("play turn: %w", context.Cause(ctx))
	}
	return reply.Text, emit(said, reply, t.end(reason))
}

// checked is what the lead makes of the words that would end the turn: they stand, or the model is told once what is wrong
// with them unless it is the last time, or others take their place.
func (t Turn) checked(ctx context.Context, text string, last bool) (words string, nudge *event.Nudged) {
	if t.Lead == nil {
		return text, nil
	}
	problems := t.Lead.Check(ctx, text)
	if len(problems) == 0 {
		return text, nil
	}
	if !last && !t.Usage.wasTold(event.ForUntrue) && t.Usage.refusing() == "" {
		nudge := untold(problems)
		return text, &nudge
	}
	return t.fallback(ctx, unsaid), nil
}

// unsaid is what is said where what a model told is not so, and its lead cannot say what is.
const unsaid = "What the model said to that is not so, and is left out."

// untold is what the model is told of words that are not so.
func untold(problems []string) event.Nudged {
	return event.Nudged{Why: event.ForUntrue, Text: fmt.Sprintf("%swhat you said does not agree with what is so: %s. "+
		"Say it again without that, and nothing else.]", nudgeMark, strings.Join(problems, "; "))}
}

// fallback is what the lead says in the model's place, or words where it says nothing.
func (t Turn) fallback(ctx context.Context, words string) string {
	own, ok := t.Lead.(driver.Narrator)
	if !ok {
		return words
	}
	if other, err := own.Fallback(ctx); err == nil && strings.TrimSpace(other) != "" {
		return strings.TrimSpace(other)
	}
	return words
}

// lastResult is what the last call of the turn came to.
func (t Turn) lastResult() string {
	if m := t.History[len(t.History)-1]; m.Role == llm.ToolRole {
		return strings.TrimSpace(event.Unfenced(m.Text))
	}
	return ""
}

// outOfTime reports whether err says that the turn's time is used up, while everything else goes on.
func outOfTime(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !errors.As(err, &unheard{}) && errors.Is(err, errTime)
}

// withTail is the conversation with what the lead has to say below the newest words.
func (t Turn) withTail(messages []llm.Message) []llm.Message {
	if t.tail == "" {
		return messages
	}
	for i := len(messages) - 1; i >= t.Begin; i-- {
		if m := messages[i]; m.Role == llm.UserRole && !m.Note {
			m.Text += "\n\n" + t.tail
			return append(append(messages[:i:i], m), messages[i+1:]...)
		}
	}
	return messages
}

func sentenceOf(err error) string { return strings.TrimSpace(err.Error()) }
