package calendar_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/calendar"
)

type date = calendar.Date

func TestAMinuteLater(t *testing.T) {
	for _, c := range []struct {
		name    string
		at      date
		minutes int64
		want    date
	}{
		{"move_to_zone-01", date{1024, 3, 14, 9, 30}, 8, date{1024, 3, 14, 9, 38}},
		{"move_to_zone-16", date{1024, 3, 31, 23, 59}, 1, date{1024, 4, 1, 0, 0}},
		{"the year ends", date{1024, 12, 31, 23, 59}, 1, date{1025, 1, 1, 0, 0}},
		{"a leap year", date{1024, 2, 28, 23, 59}, 1, date{1024, 2, 29, 0, 0}},
		{"and its day ends", date{1024, 2, 29, 23, 59}, 1, date{1024, 3, 1, 0, 0}},
		{"no leap year", date{1023, 2, 28, 23, 59}, 1, date{1023, 3, 1, 0, 0}},
		{"a century has none", date{1900, 2, 28, 23, 59}, 1, date{1900, 3, 1, 0, 0}},
		{"the fourth century has", date{2000, 2, 28, 23, 59}, 1, date{2000, 2, 29, 0, 0}},
		{"the last day of four centuries", date{400, 12, 30, 0, 0}, 24 * 60, date{400, 12, 31, 0, 0}},
		{"back over a year", date{5, 1, 1, 0, 0}, -1, date{4, 12, 31, 23, 59}},
		{"a week", date{1999, 12, 28, 6, 1}, 7 * 24 * 60, date{2000, 1, 4, 6, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := add(c.at, c.minutes)
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
}

func TestTheEndsOfTheCalendar(t *testing.T) {
	first, last := date{1, 1, 1, 0, 0}, date{9999, 12, 31, 23, 59}
	for _, c := range []struct {
		at   date
		want int64
	}{{first, 0}, {last, calendar.Last}} {
		got, err := c.at.Minutes()
		back, backErr := calendar.FromMinutes(c.want)
		if got != c.want || back != c.at || err != nil || backErr != nil {
			t.Errorf("%v is %d and back %v: %v %v", c.at, got, back, err, backErr)
		}
	}
	for _, c := range []struct {
		at      date
		minutes int64
	}{{first, -1}, {last, 1}, {first, math.MinInt64}, {last, math.MaxInt64}, {date{5000, 1, 1, 0, 0}, math.MinInt64}} {
		if got, err := add(c.at, c.minutes); err == nil {
			t.Errorf("%v and %d minutes is %v", c.at, c.minutes, got)
		}
	}
}

func TestWhatIsNoDateIsSaid(t *testing.T) {
	for _, c := range []struct {
		at   date
		want string
	}{
		{date{0, 1, 1, 0, 0}, "the year 0 is not in the calendar: use 1 to 9999"},
		{date{10000, 1, 1, 0, 0}, "the year 10000 is not in the calendar: use 1 to 9999"},
		{date{1, 0, 1, 0, 0}, "there is no month 0: use 1 to 12"},
		{date{1, 13, 1, 0, 0}, "there is no month 13: use 1 to 12"},
		{date{1023, 2, 29, 0, 0}, "month 2 of the year 1023 has no day 29: use 1 to 28"},
		{date{1, 4, 31, 0, 0}, "month 4 of the year 1 has no day 31: use 1 to 30"},
		{date{1, 1, 0, 0, 0}, "month 1 of the year 1 has no day 0: use 1 to 31"},
		{date{1, 1, 1, 24, 0}, "there is no hour 24: use 0 to 23"},
		{date{1, 1, 1, -1, 0}, "there is no hour -1: use 0 to 23"},
		{date{1, 1, 1, 0, 60}, "there is no minute 60: use 0 to 59"},
		{date{1, 1, 1, 0, -1}, "there is no minute -1: use 0 to 59"},
	} {
		_, err := c.at.Minutes()
		if err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.at, err, c.want)
		}
		if _, err := add(c.at, 1); err == nil {
			t.Errorf("%v: a minute later there is a date", c.at)
		}
	}
	for _, moment := range []int64{-1, calendar.Last + 1, math.MinInt64, math.MaxInt64} {
		if got, err := calendar.FromMinutes(moment); err == nil || !strings.Contains(err.Error(), "1 to 9999") {
			t.Errorf("%d is %v: %v", moment, got, err)
		}
	}
}

// The standard library keeps the same calendar.
func TestEveryMomentIsTheLibrarys(t *testing.T) {
	epoch := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		moment := rapid.Int64Range(0, calendar.Last).Draw(t, "moment")
		// A Duration ends after 292 years, so the days are added as days.
		there := epoch.AddDate(0, 0, int(moment/1440)).Add(time.Duration(moment%1440) * time.Minute)
		want := date{there.Year(), int(there.Month()), there.Day(), there.Hour(), there.Minute()}
		got, err := calendar.FromMinutes(moment)
		back, backErr := got.Minutes()
		if got != want || back != moment || err != nil || backErr != nil {
			t.Fatalf("%d is %v and back %d, want %v: %v %v", moment, got, back, want, err, backErr)
		}
		if text := there.Format("2006-01-02 15:04"); got.String() != text {
			t.Fatalf("%v is written %s", text, got)
		}
	})
}

func TestLaterIsLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Int64Range(0, calendar.Last).Draw(t, "from")
		to := rapid.Int64Range(0, calendar.Last).Draw(t, "to")
		d, err := calendar.FromMinutes(from)
		if err != nil {
			t.Fatal(err)
		}
		got, err := add(d, to-from)
		want, wantErr := calendar.FromMinutes(to)
		if got != want || err != nil || wantErr != nil {
			t.Fatalf("%v and %d minutes is %v, want %v: %v %v", d, to-from, got, want, err, wantErr)
		}
	})
}

func TestDaypart(t *testing.T) {
	for clock, want := range map[string]string{
		"00:00": "night", "04:59": "night", "05:00": "dawn", "06:59": "dawn", "07:00": "morning", "10:59": "morning",
		"11:00": "noon", "13:59": "noon", "14:00": "afternoon", "17:59": "afternoon", "18:00": "evening", "20:59": "evening",
		"21:00": "night", "23:59": "night",
	} {
		at, err := time.Parse("15:04", clock)
		if err != nil {
			t.Fatal(err)
		}
		minute := int64(60*at.Hour() + at.Minute())
		for _, minutes := range []int64{minute, minute + 1440, minute + 1440*700_000, minute - 1440} {
			if got := calendar.Daypart(minutes); got != want {
				t.Errorf("%s (%d) is %s, want %s", clock, minutes, got, want)
			}
		}
	}
}

// add returns the date that many minutes later, as the world does it: there and back by minutes.
func add(d calendar.Date, minutes int64) (calendar.Date, error) {
	moment, err := d.Minutes()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.FromMinutes(moment + minutes) // a sum that runs over is negative, and refused like any other
}
