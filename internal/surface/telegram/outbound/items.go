package outbound

import (
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/event/openturn"
	"hob/internal/surface/telegram/chat"
)

// fold folds in an event and returns its items.
func (c *chatSender) fold(ctx context.Context, e event.Event) []*item {
	o := c.turns.open.Find(e.Turn)
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
		c.turns.open = append(c.turns.open, &openTurn{Turn: openturn.Turn{Seq: e.Seq, Command: b.Command}, from: e.Seq})
		return c.statusDeletion(ctx, e.Seq)
	case event.Joined:
		c.turns.open.Close(b.Said)
	case event.Parked:
		return c.parkedItems(ctx, o, e, b)
	case event.Resumed:
		return c.resumedItems(ctx, o, e)
	case event.Asked:
		if o != nil {
			return c.questionItems(o, e.Seq, b)
		}
	case event.Decided:
		if o != nil {
			return c.decisionItems(o, e, b)
		}
	case event.Returned:
		if o != nil {
			o.choices = append(o.choices, numberChoices(e.Seq, b.Choices)...)
			o.changed = o.changed || canUndo(b.Effects)
		}
		return c.fileItems(e.Seq, 0, b.Files)
	case event.Noted:
		switch {
		case e.Turn == 0:
			return c.noteItems(ctx, e.Seq, b)
		case o == nil:
			c.turns.notes = append(c.turns.notes, e)
		} // otherwise the live view shows it
	case event.Replied:
		c.turns.takeNotes(e.Turn) // the live view has shown them already
		return c.replyItems(ctx, o, e, b)
	case event.Ended:
		if o != nil {
			c.turns.open.Close(e.Turn)
			return c.statusDeletion(ctx, e.Turn)
		}
		return c.lateNoteItems(ctx, c.turns.takeNotes(e.Turn))
	}
	return nil
}

// lateNoteItems returns notes after the reply of their turn as messages.
func (c *chatSender) lateNoteItems(ctx context.Context, notes []event.Event) (items []*item) {
	for _, e := range notes {
		if b, ok := e.Body.(event.Noted); ok {
			items = append(items, c.noteItems(ctx, e.Seq, b)...)
		}
	}
	return items
}

// replyItems returns the items of a turn's reply, and closes the turn.
func (c *chatSender) replyItems(ctx context.Context, o *openTurn, e event.Event, b event.Replied) []*item {
	if o == nil { // the event that opened it was unreadable
		o = &openTurn{}
	}
	c.turns.open.Close(e.Turn)
	body := content{text: b.Text, receipt: b.Receipt, literal: b.Literal || o.Command}
	choices := append(o.choices, numberChoices(e.Seq, b.Choices)...)
	rows := choiceButtons(choices)
	if len(choices) == 0 && (o.changed || canUndo(b.Effects)) { // choices include their own undo
		rows = [][]chat.Key{{{Text: c.words(ctx).Text("undo"), Data: chat.TurnData(chat.PressUndo, e.Turn)}}}
	}
	body.keys = keyboardJSON(rows)
	items, files := c.textItems(ctx, e.Seq, body), c.fileItems(e.Seq, firstFilePart, b.Files)
	if len(choices) == 0 {
		items = append(items, files...)
	} else { // the message with the choices comes last
		items = append(files, items...)
	}
	items[0].beginsReply = true
	items = append(items, c.statusDeletion(ctx, e.Turn)...)
	if len(choices) > 0 {
		items = append(items, c.clearChoices(e.Seq))
	}
	return items
}

// canUndo reports whether one of the effects is a change that can be undone.
func canUndo(effects []event.Effect) bool {
	return slices.ContainsFunc(effects, func(did event.Effect) bool { return did.Change != 0 })
}

// statusDeletion returns the item that deletes the status message of a turn, if there may be one. A
// turn that was just opened has one only from before a restart.
func (c *chatSender) statusDeletion(ctx context.Context, turn int64) []*item {
	if c.live.turn != turn || !c.isStatusUnderWay() {
		rec, err := c.senders.record(ctx, c.name, turn, statusPart)
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

// noteItems returns a note as messages, without sound unless the note alerts the person.
func (c *chatSender) noteItems(ctx context.Context, seq int64, b event.Noted) []*item {
	keys := keyboardJSON(choiceButtons(numberChoices(seq, b.Choices)))
	return c.messageItems(seq, c.orSentence(ctx, "empty.text", renderPlain(b.Text)), options{silent: !b.Loud, keys: keys})
}
