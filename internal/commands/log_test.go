package commands

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hob/internal/event"
)

// events are those of a chat, oldest first.
type events []LogLine

func (e events) Log(_ context.Context, _ event.Chat, n int) ([]LogLine, error) {
	return append([]LogLine{}, e[max(0, len(e)-n):]...), nil
}

// Of yesterday is what happened between two midnights of the household, however much happened since.
func TestLogOfYesterday(t *testing.T) {
	zone := time.FixedZone("", 3600)
	at := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 30, 0, 0, zone).UTC() }
	said := func(when time.Time, text string) []LogLine {
		return []LogLine{{Time: when, Kind: "said", Text: text}, {Time: when, Kind: "replied", Text: "done"}}
	}
	var all events
	for _, lines := range [][]LogLine{said(at(8, 23), "too early"), said(at(9, 0), "milk"), said(at(9, 23), "tea"), said(at(10, 0), "too late")} {
		all = append(all, lines...)
	}
	for i := range 1000 {
		all = append(all, LogLine{Time: at(10, 1), Kind: "noted", Text: fmt.Sprint("busy ", i)})
	}
	d := Deps{Log: all, Now: func() time.Time { return at(10, 8).In(zone) }}
	got, err := d.log(t.Context(), Request{Args: "yesterday"})
	if want := "2026\\-03\\-09 00\\:30 **milk** · done\n2026\\-03\\-09 23\\:30 **tea** · done"; err != nil || got.Text != want {
		t.Errorf("%v %q, want %q", err, got.Text, want)
	}
	got, err = d.log(t.Context(), Request{Args: "yesterday", Surface: Page, Lang: "de-AT"}) // which has one form of a day, its reader's
	if want := "Mo\\. 9\\. März 2026\\, 00\\:30 **milk** · done\nMo\\. 9\\. März 2026\\, 23\\:30 **tea** · done"; err != nil || got.Text != want {
		t.Errorf("%v %q, want %q", err, got.Text, want)
	}
	d.Log = all[len(all)-1:]
	if got, err = d.log(t.Context(), Request{Args: "yesterday"}); err != nil || got.Text != "Nothing happened here yesterday." {
		t.Errorf("%v %q", err, got.Text)
	}
}
