package schedule_test

import (
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// The times of a rule are those of the clocks on the wall, around each change of them.
func TestNext(t *testing.T) {
	const berlin, york, howe = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"
	for _, c := range []struct {
		name  string
		when  event.When
		after string // local
		want  string // local times that follow, with their offsets
	}{
		{"once", event.When{Start: "2026-11-25T18:00:00", Zone: berlin}, "2026-11-25T17:00:00", "2026-11-25T18:00+01:00 none"},
		{"daily over the spring", event.When{Start: "2026-03-27T08:00:00", Zone: berlin, Repeat: "FREQ=DAILY;COUNT=4"}, "2026-03-27T00:00:00",
			"2026-03-27T08:00+01:00 2026-03-28T08:00+01:00 2026-03-29T08:00+02:00 2026-03-30T08:00+02:00 none"},
		{"a time that does not exist", event.When{Start: "2026-03-28T02:30:00", Zone: berlin, Repeat: "FREQ=DAILY"}, "2026-03-28T00:00:00",
			"2026-03-28T02:30+01:00 2026-03-29T03:00+02:00 2026-03-30T02:30+02:00"},
		{"a time that exists twice", event.When{Start: "2026-10-24T02:30:00", Zone: berlin, Repeat: "FREQ=DAILY"}, "2026-10-24T00:00:00",
			"2026-10-24T02:30+02:00 2026-10-25T02:30+02:00 2026-10-26T02:30+01:00"},
		{"the same across the ocean", event.When{Start: "2026-11-01T01:30:00", Zone: york, Repeat: "FREQ=DAILY"}, "2026-11-01T00:00:00",
			"2026-11-01T01:30-04:00 2026-11-02T01:30-05:00"},
		{"half an hour", event.When{Start: "2026-10-04T02:15:00", Zone: howe, Repeat: "FREQ=DAILY"}, "2026-10-03T23:00:00",
			"2026-10-04T02:30+11:00 2026-10-05T02:15+11:00"},
		{"every eight hours are eight hours", event.When{Start: "2026-03-28T20:00:00", Zone: berlin, Repeat: "FREQ=HOURLY;INTERVAL=8"}, "2026-03-28T19:00:00",
			"2026-03-28T20:00+01:00 2026-03-29T05:00+02:00 2026-03-29T13:00+02:00"},
		{"hours with a count", event.When{Start: "2026-03-28T20:00:00", Zone: berlin, Repeat: "FREQ=HOURLY;COUNT=2"}, "2026-03-28T19:00:00",
			"2026-03-28T20:00+01:00 2026-03-28T21:00+01:00 none"},
		{"the last Friday", event.When{Start: "2026-11-27T09:00:00", Zone: berlin, Repeat: "FREQ=MONTHLY;BYDAY=-1FR"}, "2026-11-01T00:00:00",
			"2026-11-27T09:00+01:00 2026-12-25T09:00+01:00"},
		{"the 31st or the last", event.When{Start: "2027-01-31T09:00:00", Zone: berlin, Repeat: "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"}, "2027-01-01T00:00:00",
			"2027-01-31T09:00+01:00 2027-02-28T09:00+01:00 2027-03-31T09:00+02:00"},
		{"until, in UTC", event.When{Start: "2026-11-25T18:00:00", Zone: berlin, Repeat: "FREQ=DAILY;UNTIL=20261126T170000Z"}, "2026-11-25T17:00:00",
			"2026-11-25T18:00+01:00 2026-11-26T18:00+01:00 none"},
		{"an hour in the rule", event.When{Start: "2026-11-25T12:00:00", Zone: berlin, Repeat: "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"}, "2026-11-25T12:00:00",
			"2026-11-25T20:00+01:00 2026-11-26T08:00+01:00"},
		{"two times on two days, from the second day on", event.When{Start: "2026-11-26T07:15:00", Zone: berlin, Repeat: "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=7,19;BYMINUTE=15,40;BYSETPOS=1,4,5,8"},
			"2026-11-25T12:00:00", "2026-11-26T07:15+01:00 2026-11-26T19:40+01:00 2026-11-30T07:15+01:00 2026-11-30T19:40+01:00 2026-12-03T07:15+01:00"},
		{"two times on the last day", event.When{Start: "2027-01-31T09:15:00", Zone: berlin, Repeat: "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYHOUR=9,18;BYMINUTE=0,15;BYSETPOS=-3,-2"},
			"2027-01-30T12:00:00", "2027-01-31T09:15+01:00 2027-01-31T18:00+01:00 2027-02-28T09:15+01:00 2027-02-28T18:00+01:00"},
		{"two times, a long time after the first", event.When{Start: "2025-11-27T19:40:00", Zone: berlin, Repeat: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;BYHOUR=7,19;BYMINUTE=15,40;BYSETPOS=1,4,5,8"},
			"2026-11-26T07:15:00", "2026-11-26T19:40+01:00 2026-12-07T07:15+01:00 2026-12-07T19:40+01:00 2026-12-10T07:15+01:00"},
		{"until a day, which is in it", event.When{Start: "2026-11-25T18:00:00", Zone: berlin, Repeat: "FREQ=DAILY;UNTIL=20261126"}, "2026-11-25T17:00:00",
			"2026-11-25T18:00+01:00 2026-11-26T18:00+01:00 none"},
		{"times left out, and one more", event.When{Start: "2026-11-25T08:00:00", Zone: berlin, Repeat: "FREQ=DAILY;COUNT=4",
			Not: []string{"2026-11-25T08:00:00", "2026-11-27T08:00:00"}, Also: []string{"2026-11-26T20:00:00"}}, "2026-11-24T08:00:00",
			"2026-11-26T08:00+01:00 2026-11-26T20:00+01:00 2026-11-28T08:00+01:00 none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := zone(t, c.when.Zone)
			at, err := time.ParseInLocation(event.StartLayout, c.after, in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for range strings.Fields(c.want) {
				next, err := schedule.Next(c.when, at, schedule.Place{})
				if err != nil {
					t.Fatal(err)
				}
				if next.IsZero() {
					got = append(got, "none")
					break
				}
				got = append(got, next.In(in).Format("2006-01-02T15:04-07:00"))
				at = next
			}
			if have := strings.Join(got, " "); have != c.want {
				t.Errorf("got  %s\nwant %s", have, c.want)
			}
		})
	}
}

// A rule that cannot be kept is refused, quickly.
func TestNext_Refuses(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ when, want string }{
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", ""},
		{"FREQ=SECONDLY", "every minute at most"},
		{"FREQ=MINUTELY;BYDAY=MO", "no days"},
		{"FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "no days"},
		{"FREQ=DAILY;BYSECOND=1", "every minute at most"},
		{"FREQ=SOMETIMES", "no rule"},
		{"nonsense", "no rule"},
		{"FREQ=DAILY;INTERVAL=99999999", "interval"},
		{"FREQ=DAILY;UNTIL=20200101T000000Z", ""},
	} {
		first, err := schedule.Next(event.When{Start: "2026-11-24T13:00:00", Zone: "UTC", Repeat: c.when}, now, schedule.Place{})
		if c.want == "" && (err != nil || !first.IsZero()) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v, want %q", c.when, first, err, c.want)
		}
	}
	if _, err := schedule.Next(event.When{Start: "2026-11-24T13:00:00", Zone: "Nowhere/Land"}, now, schedule.Place{}); err == nil {
		t.Error("a zone that is not there was taken")
	}
}

// The sun rises and sets as the almanacs say, to two minutes. The times are those of timeanddate.com's and NOAA's calculators.
func TestSun(t *testing.T) {
	for _, c := range []struct{ place, zone, day, rise, set string }{
		{"52.52, 13.405", "Europe/Berlin", "2026-06-21", "04:43", "21:33"},
		{"52.52, 13.405", "Europe/Berlin", "2026-12-21", "08:15", "15:54"},
		{"40.7128, -74.006", "America/New_York", "2026-03-20", "06:58", "19:09"},
		{"-33.8688, 151.2093", "Australia/Sydney", "2026-12-21", "05:41", "20:05"},
	} {
		at, err := schedule.ParsePlace(c.place)
		if err != nil {
			t.Fatal(err)
		}
		in := zone(t, c.zone)
		day, _ := time.ParseInLocation(time.DateOnly, c.day, in)
		for sun, want := range map[string]string{"sunrise": c.rise, "sunset": c.set} {
			next, err := schedule.Next(event.When{Zone: c.zone, Sun: sun}, day, at)
			wanted, _ := time.ParseInLocation("2006-01-02 15:04", c.day+" "+want, in)
			if err != nil || next.Sub(wanted).Abs() > 2*time.Minute {
				t.Errorf("%s at %s on %s: %v, %v, want %s", sun, c.place, c.day, next.In(in), err, want)
			}
		}
	}
	tromso, _ := schedule.ParsePlace("69.65, 18.96")
	winter := time.Date(2026, 12, 10, 0, 0, 0, 0, time.UTC)
	next, err := schedule.Next(event.When{Zone: "Europe/Oslo", Sun: "sunrise+30m"}, winter, tromso)
	if err != nil || next.Month() != time.January || next.Day() < 13 || next.Day() > 17 {
		t.Errorf("it rises again on %v, %v, want about 15 January", next, err)
	}
	if _, err := schedule.Next(event.When{Zone: "UTC", Sun: "sunset"}, winter, schedule.Place{}); err != schedule.ErrNoPlace {
		t.Errorf("without a place: %v", err)
	}
	for _, bad := range []string{"moonrise", "sunset-30", "sunset+13h"} {
		if _, err := schedule.Next(event.When{Zone: "UTC", Sun: bad}, winter, tromso); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestQuiet(t *testing.T) {
	in := zone(t, "Europe/Berlin")
	q, err := schedule.ParseQuiet("22:00-07:00")
	if err != nil {
		t.Fatal(err)
	}
	for now, want := range map[string]string{
		"2026-11-24 21:59": "", "2026-11-24 22:00": "2026-11-25 07:00", "2026-11-25 06:59": "2026-11-25 07:00", "2026-11-25 07:00": "",
		"2026-03-28 23:00": "2026-03-29 07:00", // the clocks change in that night
		"2026-03-29 06:30": "2026-03-29 07:00", "2026-03-29 07:00": "", "2026-03-29 21:59": "", "2026-03-29 22:00": "2026-03-30 07:00",
		"2026-10-25 06:30": "2026-10-25 07:00", "2026-10-25 07:00": "", "2026-10-25 21:59": "", "2026-10-25 22:00": "2026-10-26 07:00",
	} {
		at, _ := time.ParseInLocation("2006-01-02 15:04", now, in)
		got := ""
		if end := q.End(at); !end.IsZero() {
			got = end.Format("2006-01-02 15:04")
		}
		if got != want {
			t.Errorf("at %s they end %q, want %q", now, got, want)
		}
	}
	// Where the clocks are put forward at midnight the day begins at one; where they are put back into the hours they end once.
	santiago := zone(t, "America/Santiago")
	if end := q.End(time.Date(2026, 9, 5, 23, 30, 0, 0, santiago)); end.Format("2006-01-02 15:04 -07") != "2026-09-06 07:00 -03" {
		t.Errorf("in Santiago they end %v", end)
	}
	short := schedule.Quiet{From: time.Hour, To: 2*time.Hour + 30*time.Minute}
	second := time.Date(2026, 10, 25, 1, 10, 0, 0, time.UTC) // 02:10, for the second time
	if first := short.End(second.Add(-time.Hour).In(in)); !first.Equal(second.Add(-40*time.Minute)) || !short.End(second.In(in)).IsZero() {
		t.Errorf("short hours end %v, and %v", first, short.End(second.In(in)))
	}
	for _, bad := range []string{"22-7", "25:00-07:00", "22:00-07:60", "x", "24:30-07:00", "22:00-07:00x", "-2:00-07:00", "22:00-07:00-08:00"} {
		if _, err := schedule.ParseQuiet(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// A rule of days by the sun ends with the last day that it names, by the clocks of its zone.
func TestSun_Until(t *testing.T) {
	for name, until := range map[string]string{"America/New_York": "20261203T045959Z", "Europe/Berlin": "20261202T225959Z", "Pacific/Auckland": "20261202T105959Z"} {
		at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		w := event.When{Zone: name, Start: "2026-12-01T00:00:00", Sun: "sunset", Repeat: "FREQ=DAILY;UNTIL=" + until}
		var days []string
		for range 5 {
			next, err := schedule.Next(w, at, schedule.Place{Lat: 45, Lon: map[string]float64{"America/New_York": -74, "Europe/Berlin": 13, "Pacific/Auckland": 174}[name], Known: true})
			if err != nil {
				t.Fatal(err)
			}
			if next.IsZero() {
				break
			}
			days = append(days, next.In(zone(t, name)).Format(time.DateOnly))
			at = next
		}
		if got := strings.Join(days, " "); got != "2026-12-01 2026-12-02" {
			t.Errorf("%s: told on %s", name, got)
		}
	}
}
