package telegram

import (
	"context"
	"strconv"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
)

// parked tells that a turn is set aside. One that waits for the model goes on by itself, so the chat stays awake for it; below
// what is told of another there is a button that tries it again.
func (c *telling) parked(ctx context.Context, e event.Event, b event.Parked) []*sendJob {
	keys := ""
	if b.Reason == event.ParkedForModel {
		o := c.told.turn(e.Turn)
		if o == nil {
			o = &openTurn{seq: e.Turn, questions: map[string]*question{}}
			c.told.open = append(c.told.open, o)
		}
		o.parked, o.from = true, e.Seq
	} else {
		c.told.close(e.Turn)
		keys = keyRows([][]keyOf{{{"Try again", chat.PressRetry + strconv.FormatInt(e.Turn, 36)}}})
	}
	jobs := c.retire(ctx, e.Turn)
	if b.Text != "" {
		jobs = append(jobs, c.jobs(e.Seq, plain(b.Text), keys, nil)...)
	}
	return jobs
}

// goesOn folds in that a turn goes on.
func (f *told) goesOn(e event.Event) {
	if o := f.turn(e.Turn); o != nil {
		o.parked = false
		return
	}
	f.open = append(f.open, &openTurn{seq: e.Turn, from: e.Seq, questions: map[string]*question{}})
}
