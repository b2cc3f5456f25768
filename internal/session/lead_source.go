package session

import (
	"context"
	"errors"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/tools"
)

// sourced is a lead that says where what it tells the model comes from, as it is now.
type sourced interface {
	Label(ctx context.Context) (event.Label, error)
}

// errLeft says that what led the chat was closed while a turn under it ran.
var errLeft = errors.New("the story was left while this was under way: nothing was done")

// sourcedLead is a lead that says where its words come from. That may change while a turn runs, for others play, too. So each of its hooks
// is told what the turn was made of until then, and the turn carries the label of what the hook says before anybody reads it.
type sourcedLead struct {
	agent.Lead
	source sourced
	c      *chat
	turn   int64
}

// aware returns ctx with the label that the turn has by now.
func (l sourcedLead) aware(ctx context.Context) (context.Context, error) {
	caller := tools.CallerFrom(ctx)
	err := l.c.do(context.WithoutCancel(ctx), func(context.Context) error {
		caller.Label = l.c.tr.current().label
		return nil
	})
	return tools.WithCaller(ctx, caller), err
}

// label has the turn, and all that follow under the lead, carry where what it tells comes from.
func (l sourcedLead) label(ctx context.Context) error {
	label, err := l.source.Label(context.WithoutCancel(ctx))
	if err != nil || !label.Untrusted {
		return err
	}
	return l.c.do(context.WithoutCancel(ctx), func(ctx context.Context) error {
		cur := l.c.tr.current()
		switch {
		case l.c.tr.isOpen(cur.lead) == nil: // what is said of it now would open it again
			return errLeft
		case cur.label.Untrusted:
			return nil
		}
		_, err := l.c.append(ctx, l.turn, event.Opened{Skill: cur.lead, By: byMessage, Label: label, Lead: true})
		return err
	})
}

// Direct implements [agent.Lead].
func (l sourcedLead) Direct(ctx context.Context, words string) (tools.Plan, bool, error) {
	ctx, err := l.aware(ctx)
	if err != nil {
		return tools.Plan{}, false, err
	}
	plan, ok, err := l.Lead.Direct(ctx, words)
	if err != nil {
		return plan, ok, err
	}
	plan.Result.Label, err = l.joined(ctx, plan.Result.Label)
	return plan, ok, err
}

// Tail implements [agent.Lead].
func (l sourcedLead) Tail(ctx context.Context, words string) (string, error) {
	ctx, err := l.aware(ctx)
	if err != nil {
		return "", err
	}
	tail, err := l.Lead.Tail(ctx, words)
	if err != nil {
		return "", err
	}
	return tail, l.label(ctx)
}

// Narration implements [agent.Lead].
func (l sourcedLead) Narration(ctx context.Context) (tools.Narration, bool) {
	ctx, err := l.aware(ctx)
	if err != nil {
		return tools.Narration{}, false
	}
	n, ok := l.Lead.Narration(ctx)
	if l.label(ctx) != nil {
		return tools.Narration{}, false
	}
	return n, ok
}

// Check implements [agent.Lead].
func (l sourcedLead) Check(ctx context.Context, draft string) []string {
	problems := l.Lead.Check(ctx, draft)
	if l.label(ctx) != nil {
		return []string{"it cannot be held against what is so"}
	}
	return problems
}

// Fallback implements [agent.Lead].
func (l sourcedLead) Fallback(ctx context.Context) (string, error) {
	ctx, err := l.aware(ctx)
	if err != nil {
		return "", err
	}
	words, err := l.Lead.Fallback(ctx)
	if err != nil {
		return "", err
	}
	return words, l.label(ctx)
}

// Told implements [agent.Lead].
func (l sourcedLead) Told(ctx context.Context, words string) (tools.Result, error) {
	ctx, err := l.aware(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	res, err := l.Lead.Told(ctx, words)
	if err != nil {
		return tools.Result{}, err
	}
	res.Label, err = l.joined(ctx, res.Label)
	return res, err
}

// joined is the label of what goes with an answer: also a chat that has left the story keeps it.
func (l sourcedLead) joined(ctx context.Context, own event.Label) (event.Label, error) {
	label, err := l.source.Label(context.WithoutCancel(ctx))
	return own.Join(label), err
}
