package outbound

import (
	"context"
	"slices"

	"hob/internal/event"
)

// turns is a fold over a chat's journal: the turns that are open, and their state. A restart folds the events
// from the mark on, and comes to the same.
type turns struct {
	open []*openTurn // those without a reply, in the order in which they run
	last int64       // Seq of the newest event

	// notes are notes of turns that are not open. Those after the reply are sent when the turn ends. Those before
	// it are here only where a restart begins to read in the middle of the turn: the reply drops them.
	notes []event.Event
}

// openTurn is a turn without a reply.
type openTurn struct {
	seq       int64                // of what was said
	command   bool                 // a person called a tool: its result is no Markdown
	questions map[string]*question // by id
	choices   []offeredChoice
	parked    bool  // it waits for the model
	from      int64 // a restart while it is open has to read the journal from here; 0: from seq
	// mayBeOver says that an event after the last one of this turn could not be read. It may have been the end, so the
	// turn is closed when a later one runs. If it was only parked, Resumed opens it again.
	mayBeOver bool
}

// question is a question of a turn.
type question struct {
	seq   int64 // of the first event that asks it; a restart may ask it once more
	asked event.Asked
	open  bool
}

// running returns the turn that runs, or will run next, or nil.
func (t *turns) running() *openTurn {
	for _, o := range t.open {
		if !o.parked {
			return o
		}
	}
	return nil
}

// safeMark returns the newest event that a restart need not read: all open turns and notes are newer.
func (t *turns) safeMark() int64 {
	to := t.last
	for _, o := range t.open {
		to = min(to, max(o.seq, o.from)-1)
	}
	if len(t.notes) > 0 {
		to = min(to, t.notes[0].Seq-1)
	}
	return to
}

// takeNotes removes the notes of a turn and returns them.
func (t *turns) takeNotes(turn int64) (notes []event.Event) {
	t.notes = slices.DeleteFunc(t.notes, func(e event.Event) bool {
		if e.Turn == turn {
			notes = append(notes, e)
		}
		return e.Turn == turn
	})
	return notes
}

// closeBefore closes the turns before one that runs, where an event that could not be read may have been their end.
func (t *turns) closeBefore(o *openTurn) {
	before := true
	t.open = slices.DeleteFunc(t.open, func(other *openTurn) bool {
		before = before && other != o
		return before && other.mayBeOver
	})
}

// turn returns an open turn, or nil.
func (t *turns) turn(seq int64) *openTurn {
	for _, o := range t.open {
		if o.seq == seq {
			return o
		}
	}
	return nil
}

func (t *turns) closeTurn(seq int64) {
	t.open = slices.DeleteFunc(t.open, func(o *openTurn) bool { return o.seq == seq })
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

// render folds an event in and returns its items.
func (c *chatSender) render(ctx context.Context, e event.Event) []*item {
	o := c.turns.turn(e.Turn)
	if o != nil {
		c.turns.closeBefore(o)
		o.mayBeOver = false
	}
	switch b := e.Body.(type) {
	case event.Unreadable:
		for _, o := range c.turns.open {
			o.mayBeOver = true
		}
	case event.Said:
		c.turns.open = append(c.turns.open, &openTurn{seq: e.Seq, command: b.Command})
		return c.deleteStatus(ctx, e.Seq)
	case event.Joined:
		c.turns.closeTurn(b.Said)
	case event.Parked:
		return c.renderParked(ctx, o, e, b)
	case event.Resumed:
		return c.renderResumed(ctx, o, e)
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
		} // else the live view shows it
	case event.Replied:
		c.turns.takeNotes(e.Turn) // the live view has shown those before it
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

// renderNotes renders notes that came after the reply of their turn.
func (c *chatSender) renderNotes(notes []event.Event) (items []*item) {
	for _, e := range notes {
		if b, ok := e.Body.(event.Noted); ok {
			items = append(items, c.renderNote(e.Seq, b)...)
		}
	}
	return items
}

// renderReply renders the reply of a turn, and closes the turn.
func (c *chatSender) renderReply(ctx context.Context, o *openTurn, e event.Event, b event.Replied) []*item {
	if o == nil { // the event that opened it could not be read
		o = &openTurn{}
	}
	c.turns.closeTurn(e.Turn)
	body := content{text: b.Text, receipt: b.Receipt, literal: b.Literal || o.command}
	body.keys = keyboardJSON(choiceButtons(append(o.choices, numberChoices(e.Seq, b.Choices)...)))
	items, files := c.textItems(e.Seq, body), c.fileItems(e.Seq, firstFilePart, b.Files)
	if body.keys == "" {
		items = append(items, files...)
	} else { // the message with the choices stands last
		items = append(files, items...)
	}
	items[0].beginsReply = true
	items = append(items, c.deleteStatus(ctx, e.Turn)...)
	if body.keys != "" {
		items = append(items, c.clearChoices(e.Seq))
	}
	return items
}

// deleteStatus returns the item that deletes the status message of a turn, if there may be one. A turn that has
// just been opened has one only from before a restart.
func (c *chatSender) deleteStatus(ctx context.Context, turn int64) []*item {
	if c.live.turn != turn || !c.isStatusUnderWay() {
		rec, err := c.statusRecord(ctx, turn)
		if err == nil && rec.State != event.SendSent {
			return nil
		}
	}
	return []*item{{seq: turn, deletesStatus: true}}
}

// isStatusUnderWay reports whether a status message is being sent or changed.
func (c *chatSender) isStatusUnderWay() bool {
	return c.liveMethod == methodSend || c.liveMethod == methodEdit
}

// statusRecord returns the record of a turn's status message; its State is "" where there is none.
func (c *chatSender) statusRecord(ctx context.Context, turn int64) (event.Send, error) {
	all, err := c.cfg.Outbox.Sends(ctx, c.name, turn)
	for _, rec := range all {
		if rec.Part == statusPart {
			return rec, err
		}
	}
	return event.Send{}, err
}

// renderNote renders a note as a message, which is silent unless the note calls the person.
func (c *chatSender) renderNote(seq int64, b event.Noted) []*item {
	keys := keyboardJSON(choiceButtons(numberChoices(seq, b.Choices)))
	return c.messageItems(seq, renderPlain(b.Text), options{silent: !b.Loud, keys: keys})
}
