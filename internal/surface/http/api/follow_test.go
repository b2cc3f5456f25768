package api

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// An event is the same after its line was read, whether a journal holds it or not.
func TestEventLines(t *testing.T) {
	for _, body := range []event.Body{
		event.Said{InputID: "1", Text: "hello"}, event.Ended{Reason: event.Done, Steps: 2},
		event.Delta{Text: "hel"}, event.Waiting{}, event.Unreadable{},
	} {
		want := event.Event{Seq: 3, Time: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Chat: "main", Turn: 2, Body: body}
		line, err := MarshalEvent(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unmarshalEvent(line)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", body.Type(), err, diff)
		}
	}
}
