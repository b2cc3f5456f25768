package outbound

import (
	"slices"

	"hob/internal/event"
	"hob/internal/event/openturn"
)

// turns is a fold over a chat's journal: the open turns and their state. A restart folds the events
// after the mark, with the same result.
type turns struct {
	open openturn.List[*openTurn] // turns without a reply
	last int64                    // Seq of the newest event

	// notes are notes of turns that are not open. Those after the reply are sent when the turn
	// ends. Those before it exist only if a restart begins to read in the middle of the turn, and
	// the reply drops them.
	notes []event.Event
}

// openTurn is a turn without a reply.
type openTurn struct {
	openturn.Turn

	questions map[string]*question // by id
	choices   []offeredChoice
	changed   bool  // something that can be undone changed
	from      int64 // the event from which a restart must read while the turn is open
	// mayBeOver says that an event after this turn's last one was unreadable. It may have been the
	// end, so the turn is closed when a later one runs. If the turn was only parked, Resumed opens
	// it again.
	mayBeOver bool
}

// question is a question of a turn.
type question struct {
	seq   int64 // of the first event that asks it, which a restart may repeat
	asked event.Asked
	open  bool
}

// safeMark returns the newest event that a restart need not read: all open turns and notes are
// newer.
func (t *turns) safeMark() int64 {
	to := t.last
	for _, o := range t.open {
		to = min(to, o.from-1)
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

// closeBefore closes the turns before a running one if an unreadable event may have been their end.
func (t *turns) closeBefore(o *openTurn) {
	before := true
	t.open = slices.DeleteFunc(t.open, func(other *openTurn) bool {
		before = before && other != o
		return before && other.mayBeOver
	})
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
