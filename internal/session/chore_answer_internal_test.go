package session

import (
	"testing"
	"time"

	"hob/internal/event"
)

// A turn that came between a question and its answer counts, though it is set aside and no longer in the conversation.
func TestAParkedTurnIsBetween(t *testing.T) {
	said := func(id string) event.Said { return event.Said{InputID: id, From: "ana", Text: id, Typed: true} }
	for want, between := range map[int][]event.Event{
		1: nil,
		0: {{Turn: 5, Seq: 5, Body: said("2")}, {Turn: 5, Seq: 6, Body: event.Parked{Reason: event.ParkedBroken}}},
	} {
		tr, now := transcript{}, time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
		events := []event.Event{
			{Turn: 1, Seq: 1, Body: said("1")}, {Turn: 1, Seq: 2, Body: event.Replied{Text: "When?", Literal: true}},
			{Turn: 1, Seq: 3, Body: event.Ended{Reason: event.Done}},
		}
		for _, e := range append(append(events, between...), event.Event{Turn: 8, Seq: 8, Body: said("3")}) {
			e.Time = now
			tr.fold(e)
		}
		if got := tr.ownReplies(); len(got) != want {
			t.Errorf("replies %+v, want %d", got, want)
		}
	}
}
