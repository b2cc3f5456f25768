package telegram

import (
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
)

// told is what a chat's journal comes to for those who tell it: a fold over its events, so that who reads on after a restart
// knows what who was there before knew.
type told struct {
	open []*openTurn // that have no reply yet, in the order in which they run
	last int64       // Seq of the newest event

	// loose are notes of turns that are not open: their reply was told before the note, or it comes after it and is not told again.
	// Which of them it is shows before the turn's end.
	loose []event.Event

	// unread says that an event could not be read. It may have been the end of a turn, so one that follows ends those before it.
	unread bool
}

// openTurn is what was said and has no reply yet.
type openTurn struct {
	seq       int64
	command   bool                 // it is one call of a person's: what its tool says is no Markdown
	questions map[string]*question // by id
	choices   []offered
	parked    bool  // it waits for the model
	from      int64 // from where the journal is read again while it is open; 0: from seq
}

// question is one that was asked.
type question struct {
	seq   int64 // of the first event that asks it; the same may be asked again after a restart
	asked event.Asked
	open  bool
}

// running is the turn that runs, or will run next; nil where there is none.
func (f *told) running() *openTurn {
	for _, o := range f.open {
		if !o.parked {
			return o
		}
	}
	return nil
}

// safe is up to where nobody needs to read the journal again: all that is open or loose began later.
func (f *told) safe() int64 {
	to := f.last
	for _, o := range f.open {
		to = min(to, max(o.seq, o.from)-1)
	}
	if len(f.loose) > 0 {
		to = min(to, f.loose[0].Seq-1)
	}
	return to
}

// settled takes the loose notes of a turn away and returns them.
func (f *told) settled(turn int64) (notes []event.Event) {
	f.loose = slices.DeleteFunc(f.loose, func(e event.Event) bool {
		if e.Turn == turn {
			notes = append(notes, e)
		}
		return e.Turn == turn
	})
	return notes
}

// begun closes the turns before one that has begun, where their ends cannot be read.
func (f *told) begun(turn int64) {
	if i := slices.IndexFunc(f.open, func(o *openTurn) bool { return o.seq == turn }); i > 0 && f.unread {
		f.open = f.open[i:]
	}
}

// turn is an open turn, or nil.
func (f *told) turn(seq int64) *openTurn {
	for _, o := range f.open {
		if o.seq == seq {
			return o
		}
	}
	return nil
}

func (f *told) close(seq int64) {
	f.open = slices.DeleteFunc(f.open, func(o *openTurn) bool { return o.seq == seq })
}

// waits reports whether a person is being asked.
func (o *openTurn) waits() bool {
	for _, q := range o.questions {
		if q.open {
			return true
		}
	}
	return false
}

// tell folds e in and returns what is to be sent of it.
func (c *telling) tell(ctx context.Context, e event.Event) []*sendJob {
	if e.Turn != e.Seq {
		c.told.begun(e.Turn)
	}
	o := c.told.turn(e.Turn)
	switch b := e.Body.(type) {
	case event.Unreadable:
		c.told.unread = true
	case event.Said:
		if o == nil {
			c.told.open = append(c.told.open, &openTurn{seq: e.Seq, command: b.Command, questions: map[string]*question{}})
			return c.leftOver(ctx, e.Seq)
		}
	case event.Joined:
		c.told.close(b.Said)
	case event.Parked:
		return c.parked(ctx, e, b)
	case event.Resumed:
		c.told.goesOn(e)
	case event.Asked:
		if o != nil {
			return c.asked(o, e.Seq, b)
		}
	case event.Decided:
		if o != nil {
			return c.decided(o, e, b)
		}
	case event.Returned:
		if o != nil {
			o.choices = append(o.choices, offers(e.Seq, b.Choices)...)
		}
		return c.files(e.Seq, 0, b.Files)
	case event.Noted:
		switch {
		case e.Turn == 0:
			return c.noted(e.Seq, b)
		case o == nil:
			c.told.loose = append(c.told.loose, e)
		} // else it is shown while the turn runs
	case event.Replied:
		c.told.settled(e.Turn) // they were shown while the turn ran
		return c.replied(ctx, o, e, b)
	case event.Ended:
		if o != nil {
			c.told.close(e.Turn)
			return c.retire(ctx, e.Turn)
		}
		return c.below(c.told.settled(e.Turn))
	}
	return nil
}

// below tells notes below the reply of their turn.
func (c *telling) below(notes []event.Event) (jobs []*sendJob) {
	for _, e := range notes {
		if b, ok := e.Body.(event.Noted); ok {
			jobs = append(jobs, c.noted(e.Seq, b)...)
		}
	}
	return jobs
}

// replied is the reply of a turn, as messages; o is nil if it was told before.
func (c *telling) replied(ctx context.Context, o *openTurn, e event.Event, b event.Replied) []*sendJob {
	w := wording{text: b.Text, receipt: b.Receipt}
	if o != nil {
		w.literal = o.command
		c.told.close(o.seq)
		w.keys = keyRows(choiceRows(append(o.choices, offers(e.Seq, b.Choices)...)))
	}
	words, files := c.words(e.Seq, w), c.files(e.Seq, besidePart, b.Files)
	jobs := append(words, files...)
	if w.keys != "" { // what can be picked stands last
		jobs = append(files, words...)
	}
	jobs[0].final = true
	jobs = append(jobs, c.retire(ctx, e.Turn)...)
	if w.keys != "" {
		jobs = append(jobs, c.clears(e.Seq))
	}
	return jobs
}

// retire takes away the message that told of a turn while it ran, if there is one or may be.
func (c *telling) retire(ctx context.Context, turn int64) []*sendJob {
	if c.show.turn != turn || c.showing != posting && c.showing != editing {
		s, err := c.t.status(ctx, c.name, turn)
		if err == nil && s.State != event.SendSent {
			return nil
		}
	}
	return []*sendJob{{seq: turn, part: statusPart, retires: true}}
}

// leftOver takes away the message that told of a turn before hob was started anew: what it says is not so any more.
func (c *telling) leftOver(ctx context.Context, turn int64) []*sendJob {
	if s, err := c.t.status(ctx, c.name, turn); err != nil || s.State != event.SendSent {
		return nil
	}
	return []*sendJob{{seq: turn, part: statusPart, retires: true}}
}

// status is the record of the message that tells of a turn while it runs; without a state where there is none.
func (t *tellers) status(ctx context.Context, name event.Chat, turn int64) (event.Send, error) {
	all, err := t.cfg.Outbox.Sends(ctx, name, turn)
	for _, s := range all {
		if s.Part == statusPart {
			return s, err
		}
	}
	return event.Send{}, err
}

// noted is what hob tells outside a turn. A phone need not ring for it.
func (c *telling) noted(seq int64, b event.Noted) []*sendJob {
	return c.jobs(seq, plain(b.Text), "", func(p client.Params) { p["disable_notification"] = "true" })
}
