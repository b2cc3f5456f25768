package outbound

import (
	"context"
	"slices"

	"hob/internal/event"
)

// turns is a fold over a chat's journal: the turns that are open and what is known of each. Read again from the mark after a restart,
// it comes to the same.
type turns struct {
	open []*openTurn // that have no reply yet, in the order in which they run
	last int64       // Seq of the newest event

	// notes are notes of turns that are not open. Either the reply was sent before the note, or it comes after it and was sent by
	// an earlier run; the events up to the turn's end show which.
	notes []event.Event

	// unreadable says that an event could not be read. It may have been the end of a turn, so one that follows ends those before it.
	unreadable bool
}

// openTurn is a turn that has no reply yet.
type openTurn struct {
	seq       int64
	command   bool                 // it is one call of a person's: what its tool says is no Markdown
	questions map[string]*question // by id
	choices   []offeredChoice
	parked    bool  // it waits for the model
	from      int64 // from where the journal is read again while it is open; 0: from seq
}

// question is a question of a turn.
type question struct {
	seq   int64 // of the first event that asks it; the same may be asked again after a restart
	asked event.Asked
	open  bool
}

// running returns the turn that runs, or will run next, or nil.
func (f *turns) running() *openTurn {
	for _, o := range f.open {
		if !o.parked {
			return o
		}
	}
	return nil
}

// safeMark returns up to where the journal need not be read again: all that is open began later.
func (f *turns) safeMark() int64 {
	to := f.last
	for _, o := range f.open {
		to = min(to, max(o.seq, o.from)-1)
	}
	if len(f.notes) > 0 {
		to = min(to, f.notes[0].Seq-1)
	}
	return to
}

// takeNotes takes the notes of a turn away and returns them.
func (f *turns) takeNotes(turn int64) (notes []event.Event) {
	f.notes = slices.DeleteFunc(f.notes, func(e event.Event) bool {
		if e.Turn == turn {
			notes = append(notes, e)
		}
		return e.Turn == turn
	})
	return notes
}

// skipUntil closes the turns before one that has begun, where their ends cannot be read.
func (f *turns) skipUntil(turn int64) {
	if i := slices.IndexFunc(f.open, func(o *openTurn) bool { return o.seq == turn }); i > 0 && f.unreadable {
		f.open = f.open[i:]
	}
}

// turn returns an open turn, or nil.
func (f *turns) turn(seq int64) *openTurn {
	for _, o := range f.open {
		if o.seq == seq {
			return o
		}
	}
	return nil
}

func (f *turns) closeTurn(seq int64) {
	f.open = slices.DeleteFunc(f.open, func(o *openTurn) bool { return o.seq == seq })
}

// isAsking reports whether the turn waits for an answer to a question.
func (o *openTurn) isAsking() bool {
	for _, q := range o.questions {
		if q.open {
			return true
		}
	}
	return false
}

// render folds e in and returns the items that people are to see of it.
func (c *chatSender) render(ctx context.Context, e event.Event) []*item {
	if e.Turn != e.Seq {
		c.turns.skipUntil(e.Turn)
	}
	o := c.turns.turn(e.Turn)
	switch b := e.Body.(type) {
	case event.Unreadable:
		c.turns.unreadable = true
	case event.Said:
		if o == nil {
			c.turns.open = append(c.turns.open, &openTurn{seq: e.Seq, command: b.Command, questions: map[string]*question{}})
			return c.deleteOldStatus(ctx, e.Seq)
		}
	case event.Joined:
		c.turns.closeTurn(b.Said)
	case event.Parked:
		return c.renderParked(ctx, e, b)
	case event.Resumed:
		c.turns.resume(e)
	case event.Asked:
		if o != nil {
			return c.renderQuestion(o, e.Seq, b)
		}
	case event.Decided:
		if o != nil {
			return c.renderDecision(o, e, b)
		}
	case event.Returned:
		if o != nil {
			o.choices = append(o.choices, numberChoices(e.Seq, b.Choices)...)
		}
		return c.fileItems(e.Seq, 0, b.Files)
	case event.Noted:
		switch {
		case e.Turn == 0:
			return c.renderNote(e.Seq, b)
		case o == nil:
			c.turns.notes = append(c.turns.notes, e)
		} // else it is shown while the turn runs
	case event.Replied:
		c.turns.takeNotes(e.Turn) // they were shown while the turn ran
		return c.renderReply(ctx, o, e, b)
	case event.Ended:
		if o != nil {
			c.turns.closeTurn(e.Turn)
			return c.deleteStatus(ctx, e.Turn)
		}
		return c.renderNotes(c.turns.takeNotes(e.Turn))
	}
	return nil
}

// renderNotes renders notes that stand below the reply of their turn.
func (c *chatSender) renderNotes(notes []event.Event) (items []*item) {
	for _, e := range notes {
		if b, ok := e.Body.(event.Noted); ok {
			items = append(items, c.renderNote(e.Seq, b)...)
		}
	}
	return items
}

// renderReply renders the reply of a turn; o is nil if it was sent before.
func (c *chatSender) renderReply(ctx context.Context, o *openTurn, e event.Event, b event.Replied) []*item {
	w := content{text: b.Text, receipt: b.Receipt}
	if o != nil {
		w.literal = o.command
		c.turns.closeTurn(o.seq)
		w.keys = keyboardJSON(choiceButtons(append(o.choices, numberChoices(e.Seq, b.Choices)...)))
	}
	words, files := c.textItems(e.Seq, w), c.fileItems(e.Seq, firstFilePart, b.Files)
	items := append(words, files...)
	if w.keys != "" { // what can be picked stands last
		items = append(files, words...)
	}
	items[0].beginsReply = true
	items = append(items, c.deleteStatus(ctx, e.Turn)...)
	if w.keys != "" {
		items = append(items, c.clearChoices(e.Seq))
	}
	return items
}

// deleteStatus deletes the status message of a turn, if there is one or may be.
func (c *chatSender) deleteStatus(ctx context.Context, turn int64) []*item {
	if c.live.turn != turn || c.showing != methodSend && c.showing != methodEdit {
		s, err := c.senders.statusSend(ctx, c.name, turn)
		if err == nil && s.State != event.SendSent {
			return nil
		}
	}
	return []*item{{seq: turn, part: statusPart, deletesStatus: true}}
}

// deleteOldStatus deletes a status message from before a restart: it is out of date.
func (c *chatSender) deleteOldStatus(ctx context.Context, turn int64) []*item {
	if s, err := c.senders.statusSend(ctx, c.name, turn); err != nil || s.State != event.SendSent {
		return nil
	}
	return []*item{{seq: turn, part: statusPart, deletesStatus: true}}
}

// statusSend returns the record of a turn's status message; without a state where there is none.
func (t *Senders) statusSend(ctx context.Context, name event.Chat, turn int64) (event.Send, error) {
	all, err := t.cfg.Outbox.Sends(ctx, name, turn)
	for _, s := range all {
		if s.Part == statusPart {
			return s, err
		}
	}
	return event.Send{}, err
}

// renderNote renders a note outside a turn. A phone need not ring for it.
func (c *chatSender) renderNote(seq int64, b event.Noted) []*item {
	return c.messageItems(seq, renderPlain(b.Text), options{silent: true})
}
