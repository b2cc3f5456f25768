package ical_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/ical"
)

// calendar makes a file of some events, each given by its lines.
func calendar(events ...string) string {
	text := "BEGIN:VCALENDAR\nVERSION:2.0\n"
	for i, e := range events {
		if !strings.Contains(e, "UID:") {
			e = fmt.Sprintf("UID:%d\n%s", i, e)
		}
		text += "BEGIN:VEVENT\n" + e + "\nEND:VEVENT\n"
	}
	return text + "END:VCALENDAR\n"
}

func TestParse(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	at := func(text string) time.Time {
		when, err := time.ParseInLocation("2006-01-02 15:04", text, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	c, problems := parse(t, `BEGIN:VCALENDAR
X-WR-CALNAME:Familie
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20261101T120000Z
DTSTART;TZID="W. Europe Standard Time":20261124T093000
DTEND;TZID="W. Europe Standard Time":20261124T101500
RRULE:freq=weekly;until=20261222T083000Z
EXDATE;VALUE=DATE:20261201
EXDATE;TZID=Europe/Berlin:20261208T093000,20261215T093000
RDATE:20261225T093000Z
RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261226T100000/PT2H
SUMMARY;LANGUAGE=de:Arzt\, Zahnarzt\; beide\nheute
DESCRIPTION:Zeile 1\NZeile 2 \\ Ende
LOCATION:Hof
STATUS:Confirmed
CATEGORIES:Familie,Arzt
ATTENDEE;CN="Meier, Ben":mailto:ben@example.org
X-OTHER;A=b,"c;d":e;f,g\,h
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-P1DT2H
DESCRIPTION:Los\, los
X-ID:7
END:VALARM
BEGIN:VALARM
ACTION:AUDIO
TRIGGER;RELATED=END:PT5M
REPEAT:2
DURATION:PT10M
END:VALARM
BEGIN:VALARM
ACTION:AUDIO
TRIGGER;VALUE=DATE-TIME:20261124T080000Z
END:VALARM
END:VEVENT
END:VCALENDAR
`)
	want := ical.Calendar{
		Events: []ical.Event{{
			UID: "1@example.org", Summary: "Arzt, Zahnarzt; beide\nheute", Description: "Zeile 1\nZeile 2 \\ Ende", Location: "Hof", Status: "CONFIRMED",
			Start: at("2026-11-24 09:30"), End: at("2026-11-24 10:15"), Zone: "Europe/Berlin", Stamp: at("2026-11-01 13:00"),
			Repeat:  []string{"FREQ=WEEKLY;UNTIL=20261222T083000Z"},
			RDates:  []time.Time{at("2026-12-25 10:30")},
			ExDates: []time.Time{at("2026-12-01 09:30"), at("2026-12-08 09:30"), at("2026-12-15 09:30")},
			Periods: []ical.Span{{Start: at("2026-12-26 10:00"), End: at("2026-12-26 12:00")}},
			Alarms: []ical.Alarm{
				{Action: "DISPLAY", Text: "Los, los", Trigger: -26 * time.Hour},
				{Action: "AUDIO", Trigger: 5 * time.Minute, FromEnd: true, Repeat: 2, Every: 10 * time.Minute},
				{Action: "AUDIO", At: at("2026-11-24 09:00")},
			},
		}},
	}
	if diff := cmp.Diff(want, c); diff != "" || len(problems) > 0 {
		t.Errorf("problems %v, calendar (-want +got):\n%s", problems, diff)
	}
}

// The times of a zone are those of its clocks, whatever the zone is called.
func TestParse_Zones(t *testing.T) {
	clocks := func(id, location, offset string) string {
		return "BEGIN:VTIMEZONE\nTZID:" + id + "\n" + location + "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:" + offset + "\nTZOFFSETTO:" + offset + "\nEND:STANDARD\nEND:VTIMEZONE\n"
	}
	for _, c := range []struct{ id, clocks, zone, utc string }{
		{"Europe/Berlin", "", "Europe/Berlin", "09:00"},
		{"/mozilla.org/20050126_1/America/New_York", "", "America/New_York", "15:00"},
		{"/freeassociation.sourceforge.net/Europe/Berlin", "", "Europe/Berlin", "09:00"},
		{"W. Europe Standard Time", "", "Europe/Berlin", "09:00"},
		{"w. europe standard time", "", "Europe/Berlin", "09:00"},
		{"Tokyo Standard Time", "", "Asia/Tokyo", "01:00"},
		{"UTC", "", "UTC", "10:00"},
		{"Mein Büro", clocks("Mein Büro", "X-LIC-LOCATION:Asia/Kolkata\n", "+0000"), "Asia/Kolkata", "04:30"},
		{"GMT +0545", clocks("GMT +0545", "", "+0545"), "Asia/Kathmandu", "04:15"},
		{"GMT +0123", clocks("GMT +0123", "", "+0123"), "", "09:00"}, // there is no such place: a problem, and a local time
		{"Nowhere/Land", "", "", "09:00"},
		{"Local", "", "", "09:00"},
		{"../../etc/passwd", "", "", "09:00"},
	} {
		text := "BEGIN:VCALENDAR\n" + c.clocks + "BEGIN:VEVENT\nUID:1\nDTSTART;TZID=\"" + c.id + "\":20261124T100000\nEND:VEVENT\nEND:VCALENDAR\n"
		cal, problems := parse(t, text)
		if e := cal.Events[0]; e.Zone != c.zone || e.Start.UTC().Format("15:04") != c.utc || (len(problems) > 0) != (c.zone == "") {
			t.Errorf("%s: zone %q, %s UTC, problems %v; want %q, %s", c.id, e.Zone, e.Start.UTC().Format("15:04"), problems, c.zone, c.utc)
		}
	}
}

// The VTIMEZONEs that are written have the clocks of the zones: a reader that knows no name finds a zone with the same clocks.
func TestWrite_Clocks(t *testing.T) {
	for _, name := range []string{
		"Europe/Berlin", "Europe/London", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Asia/Tokyo", "America/Santiago", "Pacific/Chatham",
		"Australia/Lord_Howe", "Africa/Casablanca", "Asia/Jerusalem", "Europe/Moscow", "America/St_Johns", "Asia/Tehran", "Pacific/Apia", "Europe/Dublin",
	} {
		zone := location(t, name)
		for _, year := range []int{1975, 1987, 1997, 2011, 2016, 2026, 2035} {
			start := time.Date(year, 6, 15, 12, 0, 0, 0, zone)
			written := write(t, ical.Calendar{Events: []ical.Event{{UID: "1", Zone: name, Start: start, End: start}}})
			c, problems, err := ical.Parse(strings.NewReader(strings.ReplaceAll(written, name, "Hidden")), location(t, "Antarctica/Troll"))
			if err != nil || len(problems) > 0 && year >= 2011 {
				t.Errorf("%s in %d: %v, %v\n%s", name, year, problems, err, written)
				continue
			}
			if len(problems) > 0 {
				continue // another zone of today's table need not have had these clocks
			}
			found := c.Events[0].Start.Location()
			for day := time.Date(year, 1, 1, 12, 0, 0, 0, time.UTC); day.Year() == year; day = day.AddDate(0, 0, 1) {
				if a, b := day.In(zone).Format("15:04"), day.In(found).Format("15:04"); a != b {
					t.Errorf("%s in %d was taken as %s, whose clocks show %s on %s, and not %s\n%s", name, year, found, b, day.Format(time.DateOnly), a, written)
					break
				}
			}
		}
	}
}

// What a program makes itself is written, whatever it says.
func TestWrite(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	at := time.Date(2026, 11, 25, 18, 0, 0, 0, berlin)
	c := ical.Calendar{Events: []ical.Event{
		{UID: "reminder-7@hob", Summary: "call Ana; then\r\nEND:VEVENT", Start: at, End: at, Zone: "Europe/Berlin", Repeat: []string{"FREQ=WEEKLY", "FREQ=DAILY\r\nBEGIN:VEVENT"},
			Alarms: []ical.Alarm{{Action: "DISPLAY", Text: "call Ana"}}},
	}}
	want := strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//hob//hob//EN
CALSCALE:GREGORIAN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
DTSTART:20250330T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20251026T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:reminder-7@hob
DTSTAMP:20261125T170000Z
DTSTART;TZID=Europe/Berlin:20261125T180000
RRULE:FREQ=WEEKLY
RRULE:FREQ=DAILYBEGIN:VEVENT
SUMMARY:call Ana\; then\nEND:VEVENT
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:P0D
DESCRIPTION:call Ana
END:VALARM
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n")
	if diff := cmp.Diff(want, write(t, c)); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	c.Events[0].Zone = "Middle-earth/Shire"
	if err := c.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "Middle-earth/Shire") {
		t.Errorf("an unknown zone: %v", err)
	}
	// A time that comes twice.
	for _, offset := range []int{0, 1} {
		twice := time.Date(2026, 10, 25, offset, 30, 0, 0, time.UTC).In(berlin)
		again, _ := parse(t, write(t, ical.Calendar{Events: []ical.Event{{UID: "1", Zone: "Europe/Berlin", Start: twice, End: twice}}}))
		if got := again.Events[0].Start; !got.Equal(twice) {
			t.Errorf("%v is read again as %v", twice, got)
		}
	}
	// An event without a UID gets the same one each time, and others another.
	var uids []string
	for _, summary := range []string{"a", "a", "b"} {
		again, _ := parse(t, write(t, ical.Calendar{Events: []ical.Event{{Summary: summary, Start: at, End: at}}}))
		uids = append(uids, again.Events[0].UID)
	}
	if uids[0] == "" || uids[0] != uids[1] || uids[0] == uids[2] {
		t.Errorf("the UIDs are %q", uids)
	}
}

// Bounds hold, and what is within them stays.
func TestParse_Bounds(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	good := calendar("DTSTART:20261124T100000Z")
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"empty", "", ical.ErrNoCalendar},
		{"other text", "# Notes\n\nBEGIN:VCARD\nEND:VCARD\n", ical.ErrNoCalendar},
		{"too large", good + strings.Repeat(" \n", 3<<20), ical.ErrTooLarge},
	} {
		if _, _, err := ical.Parse(strings.NewReader(c.text), berlin); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, _, err := ical.Parse(strings.NewReader("BEGIN:VCALENDAR\n"+strings.Repeat("BEGIN:X\n", 50)), berlin); err == nil || !strings.Contains(err.Error(), "line 9") {
		t.Errorf("50 deep: %v", err)
	}
	one := "BEGIN:VEVENT\nUID:1\nDTSTART:20261124T100000Z\nEND:VEVENT\n"
	for _, c := range []struct {
		name, text, problem string
		events              int
	}{
		{"events", "BEGIN:VCALENDAR\n" + strings.Repeat(one, 20_001) + "END:VCALENDAR\n", "at most 20000 events", 20_000},
		{"line", calendar("DTSTART:20261124T100000Z\nDESCRIPTION:" + strings.Repeat("x", 9000)), "more than 8 kB", 1},
		{"folded line", calendar("DTSTART:20261124T100000Z\nDESCRIPTION:x" + strings.Repeat("\n xxxxxxxxxx", 900)), "more than 8 kB", 1},
		{"text that grows", calendar("DTSTART:20261124T100000Z\nDESCRIPTION:" + strings.Repeat(",", 5000)), "more than 8 kB", 1},
		{"parameters", calendar("DTSTART:20261124T100000Z\nSUMMARY" + strings.Repeat(";A=b", 200) + ":x"), "more than 100 parameters", 1},
		{"problems", "BEGIN:VCALENDAR\n" + strings.Repeat("x\n", 300) + one + "END:VCALENDAR\n", "there is more wrong", 1},
		{"EXRULE", calendar("DTSTART:20261124T100000Z\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY"), "EXRULE is not followed", 1},
		{"duration", calendar("DTSTART:20261124T100000Z\nDURATION:P99999W"), "is too long", 0},
		{"year", calendar("DTSTART:99991231T100000Z"), "has no time", 0},
		{"zones", calendar(manyZones(300)...), "unknown", 300},
	} {
		cal, problems := parse(t, c.text)
		if len(cal.Events) != c.events || len(problems) > 100 || !slices.ContainsFunc(problems, func(p ical.Problem) bool { return strings.Contains(p.Text, c.problem) }) {
			t.Errorf("%s: %d events, problems %v; want %d and %q", c.name, len(cal.Events), problems, c.events, c.problem)
		}
	}
}

func manyZones(n int) (events []string) {
	for i := range n {
		events = append(events, fmt.Sprintf("DTSTART;TZID=Zone/%d:20261124T100000", i))
	}
	return events
}

// Whatever is read, what is written of it is read again without a loss, and its occurrences come in order.
func FuzzParse(f *testing.F) {
	for _, text := range files(f) {
		f.Add(text)
	}
	f.Add("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:00021001T000000\n0;TZID=Europe/Berlin:\nEND:VEVENT")
	f.Add("BEGIN:VCALENDAR\nX-A;TZID=:b\nBEGIN:VEVENT\nDTSTART:20261124T100000Z\nX-A;TZID=:b\nEND:VEVENT")
	berlin := location(f, "Europe/Berlin")
	f.Fuzz(func(t *testing.T, text string) {
		c, _, err := ical.Parse(strings.NewReader(text), berlin)
		if err != nil {
			return
		}
		written := write(t, c)
		again, _, err := ical.Parse(strings.NewReader(written), berlin)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Fatalf("read again (-first +second):\n%s\nwritten:\n%s", diff, written)
		}
		from := time.Date(2026, 11, 1, 0, 0, 0, 0, berlin)
		found, _ := c.Between(from, from.AddDate(0, 1, 0))
		if !slices.IsSortedFunc(found, func(a, b ical.Occurrence) int { return a.Start.Compare(b.Start) }) {
			t.Fatal("the occurrences are not in order")
		}
	})
}
