package session

import (
	"context"
	"errors"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/tools"
)

// labelSource is implemented by drivers whose text may be untrusted.
type labelSource interface {
	Label(ctx context.Context) (event.Label, error)
}

// errLeft says that the driver's skill was closed while one of its turns ran.
var errLeft = errors.New("the story was left while this was under way: nothing was done")

// labelledDriver passes labels between a turn and its driver. The label of the driver's text may
// change while the turn runs, because others play, too. So each call of the driver gets the turn's
// present label, and the turn takes the label of the driver's text before anybody reads that text.
type labelledDriver struct {
	driver.Driver
	source labelSource
	c      *chat
	turn   int64
}

// withTurnLabel returns ctx with the turn's present label.
func (d labelledDriver) withTurnLabel(ctx context.Context) (context.Context, error) {
	caller := tools.CallerFrom(ctx)
	err := d.c.access(ctx, func() { caller.Label = d.c.tr.current().label })
	return tools.WithCaller(ctx, caller), err
}

// labelTurn gives the turn, and all later ones under the driver, the label of the driver's text.
func (d labelledDriver) labelTurn(ctx context.Context) error {
	label, err := d.source.Label(context.WithoutCancel(ctx))
	if err != nil || !label.Untrusted {
		return err
	}
	return d.c.doInTurn(ctx, func(ctx context.Context) error {
		cur := d.c.tr.current()
		switch {
		case d.c.tr.findOpenSkill(cur.drivingSkill) == nil: // a label now would reopen the skill
			return errLeft
		case cur.label.Untrusted:
			return nil
		}
		_, err := d.c.append(ctx, d.turn, event.Opened{Skill: cur.drivingSkill, By: byMessage, Label: label, Lead: true})
		return err
	})
}

// withLabels calls f with the label of the turn, and gives the turn the label of the driver's text.
func withLabels[T any](ctx context.Context, d labelledDriver, f func(context.Context) (T, error)) (T, error) {
	var none T
	ctx, err := d.withTurnLabel(ctx)
	if err != nil {
		return none, err
	}
	value, err := f(ctx)
	if err != nil {
		return none, err
	}
	if err := d.labelTurn(ctx); err != nil {
		return none, err
	}
	return value, nil
}

// joinLabel adds the driver's label to the label of an answer, which keeps it even if the chat
// leaves the story.
func (d labelledDriver) joinLabel(ctx context.Context, answer *tools.Result) error {
	label, err := d.source.Label(context.WithoutCancel(ctx))
	answer.Label = answer.Label.Join(label)
	return err
}

// TryDirect implements [driver.Driver].
func (d labelledDriver) TryDirect(ctx context.Context, words string) (driver.Plan, bool, error) {
	ctx, err := d.withTurnLabel(ctx)
	if err != nil {
		return driver.Plan{}, false, err
	}
	plan, ok, err := d.Driver.TryDirect(ctx, words)
	if err == nil {
		err = d.joinLabel(ctx, &plan.Result)
	}
	return plan, ok, err
}

// Context implements [driver.Driver].
func (d labelledDriver) Context(ctx context.Context, words string) (string, error) {
	return withLabels(ctx, d, func(ctx context.Context) (string, error) { return d.Driver.Context(ctx, words) })
}

// Narration implements [driver.Narrator].
func (d labelledDriver) Narration(ctx context.Context) (driver.Narration, bool) {
	narrator, narrates := d.Driver.(driver.Narrator)
	if !narrates {
		return driver.Narration{}, false
	}
	n, err := withLabels(ctx, d, func(ctx context.Context) (n driver.Narration, err error) {
		n, narrates = narrator.Narration(ctx)
		return n, nil
	})
	return n, narrates && err == nil
}

// Check implements [driver.Driver].
func (d labelledDriver) Check(ctx context.Context, draft string) []string {
	problems := d.Driver.Check(ctx, draft)
	if d.labelTurn(ctx) != nil {
		return []string{"it cannot be held against what is so"}
	}
	return problems
}

// Fallback implements [driver.Narrator].
func (d labelledDriver) Fallback(ctx context.Context, shown string) (string, error) {
	narrator, ok := d.Driver.(driver.Narrator)
	if !ok {
		return "", nil
	}
	return withLabels(ctx, d, func(ctx context.Context) (string, error) { return narrator.Fallback(ctx, shown) })
}

// Finalize implements [driver.Driver].
func (d labelledDriver) Finalize(ctx context.Context, draft string) (tools.Result, error) {
	ctx, err := d.withTurnLabel(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	res, err := d.Driver.Finalize(ctx, draft)
	if err != nil {
		return tools.Result{}, err
	}
	err = d.joinLabel(ctx, &res)
	return res, err
}
