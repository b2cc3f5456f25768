package ical

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"time"

	"hob/internal/recurrence"
)

// ahead is for how many years behind the last time of a calendar its clock changes are written.
const ahead = 10

// use remembers that an event is in a zone.
func (w *writer) use(e Event, zone *time.Location) {
	if e.Zone == "UTC" {
		return
	}
	w.zones[e.Zone] = zone
	times := slices.Concat([]time.Time{e.Start, e.End}, e.RDates)
	for _, t := range times {
		year := min(max(t.Year(), 1970), 2200) // the clocks of hostile years are nobody's concern
		if w.years[0] == 0 {
			w.years = [2]int{year, year}
		}
		w.years = [2]int{min(w.years[0], year), max(w.years[1], year)}
	}
}

// clocks adds a VTIMEZONE for each zone that is used.
func (w *writer) clocks() {
	for _, name := range slices.Sorted(maps.Keys(w.zones)) {
		w.add("BEGIN", "VTIMEZONE")
		w.add("TZID", name)
		for _, s := range seasons(w.zones[name], w.years[0], w.years[1]+ahead) {
			w.season(s)
		}
		w.add("END", "VTIMEZONE")
	}
}

// season is a change of clocks: once, or in each year from one to another by the same rule.
type season struct {
	first, last time.Time // by the clock before the change, as times in UTC
	daylight    bool
	name        string
	from, to    int // seconds ahead of UTC, before and after
	nth, back   int // which weekday of the month it is, counted from its begin and from its end; 0 if not always
	endless     bool
}

// seasons are the changes of a zone in some years and the year before. If there is none in that, the first is its begin.
func seasons(zone *time.Location, firstYear, lastYear int) (all []season) {
	begin := time.Date(firstYear-1, 1, 1, 0, 0, 0, 0, zone)
	for at := range clockChanges(begin, time.Date(lastYear+1, 1, 1, 0, 0, 0, 0, zone)) {
		next := seasonOf(at)
		if len(all) == 0 && at.Year() >= firstYear {
			all = append(all, seasonOf(begin))
		}
		i := slices.IndexFunc(all, func(s season) bool { return s.goesOn(next) })
		if i < 0 {
			all = append(all, next)
			continue
		}
		s := &all[i]
		s.last = next.first
		if s.nth != next.nth {
			s.nth = 0
		}
		if s.back != next.back {
			s.back = 0
		}
	}
	if len(all) == 0 {
		all = append(all, seasonOf(begin))
	}
	for i, s := range all {
		all[i].endless = s.last.Year() == lastYear && s.last.Year() > s.first.Year()
	}
	return all
}

// clockChanges yields when the clocks of a zone change. It looks at each day: time.Time.ZoneBounds returns days without a change at the
// end of leap years, again and again.
func clockChanges(from, to time.Time) iter.Seq[time.Time] {
	type clock struct {
		name     string
		offset   int
		daylight bool
	}
	state := func(t time.Time) clock {
		name, offset := t.Zone()
		return clock{name, offset, t.IsDST()}
	}
	return func(yield func(time.Time) bool) {
		before := state(from)
		for t := from; t.Before(to); t = t.Add(day) {
			next := t.Add(day)
			if state(next) == before {
				continue
			}
			seconds := sort.Search(int(day/time.Second), func(n int) bool { return state(t.Add(time.Duration(n)*time.Second)) != before })
			if !yield(t.Add(time.Duration(seconds) * time.Second)) {
				return
			}
			before = state(next)
		}
	}
}

func seasonOf(at time.Time) season {
	name, to := at.Zone()
	_, from := at.Add(-time.Second).Zone()
	local := recurrence.Wall(at.UTC().Add(time.Duration(from) * time.Second))
	days := time.Date(local.Year(), local.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return season{
		first: local, last: local, daylight: at.IsDST(), name: name, from: from, to: to,
		nth: (local.Day()-1)/7 + 1, back: (days-local.Day())/7 + 1,
	}
}

// goesOn reports whether the next change is that of the following year by the same rule.
func (s season) goesOn(next season) bool {
	return next.first.Year() == s.last.Year()+1 && next.first.Month() == s.last.Month() && next.first.Weekday() == s.last.Weekday() &&
		next.first.Format(time.TimeOnly) == s.last.Format(time.TimeOnly) &&
		next.daylight == s.daylight && next.name == s.name && next.from == s.from && next.to == s.to &&
		(s.nth != 0 && s.nth == next.nth || s.back != 0 && s.back == next.back)
}

// season adds a STANDARD or DAYLIGHT.
func (w *writer) season(s season) {
	kind := "STANDARD"
	if s.daylight {
		kind = "DAYLIGHT"
	}
	w.add("BEGIN", kind)
	w.add("DTSTART", s.first.Format(localLayout))
	w.add("TZOFFSETFROM", formatOffset(s.from))
	w.add("TZOFFSETTO", formatOffset(s.to))
	w.addText("TZNAME", s.name)
	if !s.last.Equal(s.first) {
		nth := s.nth
		if s.back == 1 || nth == 0 {
			nth = -s.back
		}
		weekday := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}[s.first.Weekday()]
		r := fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYDAY=%d%s", s.first.Month(), nth, weekday)
		if !s.endless {
			r += ";UNTIL=" + s.last.Add(-time.Duration(s.from)*time.Second).Format(utcLayout)
		}
		w.add("RRULE", r)
	}
	w.add("END", kind)
}

func formatOffset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}
