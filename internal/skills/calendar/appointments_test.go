package calendar_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills/calendar"
	"hob/internal/tools"
)

// Appointments have the times of the household's clocks: a repeated one keeps its hour over the change to summer time, and one of another zone is told here.
func TestAppointments(t *testing.T) {
	var c calendar.Config
	w := newWorld(t, func(cfg *calendar.Config) { c = *cfg })
	from := c.Now()
	_, label, _, err := calendar.Appointments(t.Context(), c, from, from.AddDate(1, 0, 0), "en")
	if bad := (*tools.Error)(nil); !errors.As(err, &bad) || bad.Code != event.CodeFileNotFound || !label.Private {
		t.Errorf("without a calendar: %v, %v", err, label)
	}
	w.write("calendar/home.ics",
		"DTSTART;TZID=Europe/Berlin:20270320T190000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;TZID=Europe/Berlin:20270327T190000\nSUMMARY:Choir",
		"DTSTART;TZID=America/New_York:20270322T130000\nDURATION:PT30M\nSUMMARY:Call with New York",
		"DTSTART;VALUE=DATE:20270325\nDTEND;VALUE=DATE:20270327\nSUMMARY:Trip",
		"DTSTART:20270326T100000Z\nDURATION:PT1H\nSUMMARY:Gone\nSTATUS:CANCELLED",
		"DTSTART:20270326T100000Z\nDURATION:PT1H")
	all, label, notes, err := calendar.Appointments(t.Context(), c, from, from.AddDate(1, 0, 0), "en")
	if err != nil || !label.Untrusted || !label.Private || len(notes) > 0 {
		t.Fatal(label, notes, err)
	}
	var got []string
	for _, a := range all {
		kind := " "
		if a.AllDay {
			kind = " all day "
		}
		got = append(got, a.Title+kind+a.Start.Format("2 Jan 15:04 -0700")+" to "+a.End.Format("2 Jan 15:04"))
	}
	want := []string{
		"Choir 20 Mar 19:00 +0100 to 20 Mar 20:00",
		"Call with New York 22 Mar 18:00 +0100 to 22 Mar 18:30",
		"Trip all day 25 Mar 00:00 +0100 to 27 Mar 00:00",
		"Choir 3 Apr 19:00 +0200 to 3 Apr 20:00",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if from.Location() != time.UTC && all[0].Start.Location() != from.Location() {
		t.Error(all[0].Start.Location())
	}
}
