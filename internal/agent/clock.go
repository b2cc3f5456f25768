package agent

import (
	"context"
	"time"

	"hob/internal/llm"
)

// clock ends a context when the model has used up its time. It stops while the request waits in the
// server's queue.
type clock struct {
	now     func() time.Time
	timer   *time.Timer
	cancel  context.CancelCauseFunc
	left    time.Duration // allowed in all
	used    time.Duration // before it last started
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
