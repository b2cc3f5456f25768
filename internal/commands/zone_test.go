package commands

import (
	"context"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/tools"
)

type house struct{ clocks []OtherClock }

func (house) SetZone(_ context.Context, name string) (string, error) { return name, nil }
func (h house) OtherClocks(context.Context, tools.Caller) ([]OtherClock, error) {
	return h.clocks, nil
}
func (h house) MoveClocks(context.Context, tools.Caller) ([]OtherClock, error)          { return h.clocks, nil }
func (house) TellOthers(context.Context, tools.Caller, func([]OtherClock) Answer) error { return nil }

// What would be over on the clocks of the house is not offered to be moved to them.
func TestZone_MovesNothingIntoThePast(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 27, hour, minute, 0, 0, time.UTC) }
	now := func() time.Time { return time.Date(2026, 11, 27, 0, 54, 0, 0, time.FixedZone("Europe/Berlin", 3600)) }
	d := Deps{Now: now, Household: house{[]OtherClock{{ID: 1, Text: "oven", At: at(0, 14)}, {ID: 2, Text: "dentist", At: at(8, 0)}}}}
	a, err := d.zone(t.Context(), Request{Args: "Berlin", Principal: event.Principal{Level: event.Owner}})
	if err != nil || len(a.Choices) != 1 || a.Choices[0][0].Line != "/reminder 2 zone=Berlin" || strings.Contains(a.Text, "oven") {
		t.Errorf("%q, with %+v, %v", a.Text, a.Choices, err)
	}
}

// Where one cannot be moved, the answer says which are moved, with a choice that takes these back, and which are not, and why.
func TestZone_SaysWhatIsNotMoved(t *testing.T) {
	at := time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		clocks []OtherClock
		text   string
		undoes string
	}{
		{
			[]OtherClock{{ID: 1, Text: "oven", At: at, Change: 41}, {ID: 2, Text: "dentist", At: at, Error: "the disk is full"}, {ID: 3, Text: "bins", At: at, Change: 42}},
			"Moved\n- #1 oven: 2026-11-27 08:00 in UTC\n- #3 bins: 2026-11-27 08:00 in UTC\n\nNot moved\n- #2 dentist: the disk is full", "/undo change 41 42 all-chats",
		},
		{[]OtherClock{{ID: 2, Text: "dentist", At: at, Error: "the disk is full"}}, "Not moved\n- #2 dentist: the disk is full", ""},
	} {
		a, err := Deps{Household: house{c.clocks}}.zone(t.Context(), Request{Args: "move"})
		undoes := ""
		for _, row := range a.Choices {
			undoes += row[0].Line
		}
		if text := markdown.Plain(a.Text); err != nil || text != c.text || undoes != c.undoes {
			t.Errorf("%q, taken back by %q, %v", text, undoes, err)
		}
	}
}
