package recurrence_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"

	"hob/internal/recurrence"
)

// The shortcut to the time that is asked for changes nothing: the times are those that the library finds from the start on.
func TestWalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(rapid.IntRange(1950, 2030).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 31).Draw(t, "day"),
			rapid.IntRange(0, 23).Draw(t, "hour"), 30, 0, 0, time.UTC)
		freq := rapid.SampledFrom([]string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY"}).Draw(t, "freq")
		rule := fmt.Sprintf("FREQ=%s;INTERVAL=%d", freq, rapid.IntRange(1, 5).Draw(t, "interval"))
		for _, part := range [][]string{
			{"BYMONTH=2", "BYMONTH=3,11"}, {"BYMONTHDAY=1,31", "BYMONTHDAY=-1", "BYMONTHDAY=13"}, {"BYDAY=MO", "BYDAY=TU,FR", "BYDAY=SA,SU"},
			{"WKST=SU"}, {"BYHOUR=8,20"}, {"BYSETPOS=1", "BYSETPOS=-1,2"}, {"COUNT=7"},
		} {
			if v := rapid.SampledFrom(append(part, "", "")).Draw(t, "part"); v != "" && (!strings.HasPrefix(v, "BYSETPOS") || strings.Contains(rule, "BYDAY")) {
				rule += ";" + v
			}
		}
		option, err := rrule.StrToROption(rule)
		if err != nil {
			t.Fatal(err)
		}
		from := time.Date(rapid.IntRange(1990, 2040).Draw(t, "from"), time.Month(rapid.IntRange(1, 12).Draw(t, "from month")), 1, 0, 0, 0, 0, time.UTC)
		to := from.AddDate(0, rapid.IntRange(1, 30).Draw(t, "months"), 0)
		option.Dtstart, option.Until = start, to
		library, err := rrule.NewRRule(*option)
		if err != nil {
			t.Fatal(err)
		}
		want := library.Between(from.Add(-time.Second), to, true)
		r, err := recurrence.Parse(rule, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		got, work := []time.Time(nil), recurrence.MaxWork
		err = r.Walls(start, from, to, &work, func(at time.Time) bool {
			got = append(got, at)
			return true
		})
		if err != nil || work <= 0 {
			t.Fatalf("%s: %v, %d steps left", rule, err, work)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s from %s (-want +got):\n%s", rule, start, diff)
		}
	})
}

// A time that clocks show twice is the first; one that they skip is the first behind the gap, also where that is a day.
func TestInstant(t *testing.T) {
	for _, c := range []struct{ zone, wall, want string }{
		{"Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T02:30:00+02:00"},
		{"Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-11-25T18:00:00", "2026-11-25T18:00:00+01:00"},
		{"Pacific/Apia", "2011-12-30T12:00:00", "2011-12-31T00:00:00+14:00"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		wall, err := time.Parse("2006-01-02T15:04:05", c.wall)
		if err != nil {
			t.Fatal(err)
		}
		if got := recurrence.Instant(wall, zone).Format(time.RFC3339); got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.wall, c.zone, got, c.want)
		}
	}
}
