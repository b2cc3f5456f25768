package session

import (
	"testing"

	"hob/internal/event"
)

// Nobody knows what stood in an event that is skipped: what follows counts as a stranger's and as
// private. What follows a damaged one was written by a model that is told of nothing before it.
func TestWhatIsSkippedMayComeFromAnywhere(t *testing.T) {
	home := event.Principal{Platform: "cli", Level: event.Owner}
	for _, damaged := range []bool{false, true} {
		var tr transcript
		for i, b := range []event.Body{
			event.Said{InputID: "1", Text: "before", Principal: home},
			event.Unreadable{Of: "returned", Damaged: damaged},
			event.Replied{Text: "yes"}, event.Ended{Reason: event.Done},
			event.Said{InputID: "2", Text: "after", Principal: home},
		} {
			turn := int64(1)
			if i == 4 {
				turn = 5
			}
			tr.fold(event.Event{Seq: int64(i + 1), Chat: "main", Turn: turn, Body: b})
		}
		messages, _, _ := tr.history("")
		if l, want := tr.current().label, !damaged; l.Untrusted != want ||
			l.Private != want || len(messages) != map[bool]int{false: 3, true: 1}[damaged] {
			t.Errorf("damaged %t: the label is %+v, after %d messages", damaged, l, len(messages))
		}
	}
}
