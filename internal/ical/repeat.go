package ical

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hob/internal/recurrence"
)

const maxOfEvent = 1_000 // occurrences of an event in one Between: one event hides no other

// Occurrence is an event at one of its times.
type Occurrence struct {
	Event      Event
	Start, End time.Time
}

// Between returns what is between two times, from included and to not, in order of time. Events begin after from, or have not
// ended then; cancelled ones are left out. It stops at MaxOccurrences, at 1,000 of an event, or where rules take too long, and cut
// reports that.
func (c Calendar) Between(from, to time.Time) (found []Occurrence, cut bool) {
	x := expansion{from: from, to: to, work: recurrence.MaxWork, changed: map[string][]Event{}, limit: MaxOccurrences}
	for _, e := range c.Events {
		if !e.RecurrenceID.IsZero() {
			x.changed[e.UID] = append(x.changed[e.UID], e)
			x.add(e, e.Start, e.End)
		}
	}
	for _, list := range x.changed {
		slices.SortStableFunc(list, func(a, b Event) int { return a.RecurrenceID.Compare(b.RecurrenceID) })
	}
	for _, e := range c.Events {
		if e.RecurrenceID.IsZero() {
			x.expand(e)
		}
	}
	slices.SortStableFunc(x.found, func(a, b Occurrence) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), strings.Compare(a.Event.Summary, b.Event.Summary), strings.Compare(a.Event.UID, b.Event.UID))
	})
	return x.found[:min(len(x.found), MaxOccurrences)], x.cut || x.work <= 0
}

// expansion is one call of Between.
type expansion struct {
	from, to time.Time
	work     int                // what is left of it
	changed  map[string][]Event // occurrences that were changed, by UID, in order
	found    []Occurrence
	limit    int  // of found, for this event
	full     bool // it has more
	cut      bool
}

func (x *expansion) add(e Event, start, end time.Time) {
	if e.Status == "CANCELLED" || !start.Before(x.to) || !end.After(x.from) && start.Before(x.from) {
		return
	}
	if x.full = len(x.found) >= x.limit; x.full {
		x.cut = true
		return
	}
	x.found = append(x.found, Occurrence{e, start, end})
}

// expand adds the occurrences of an event, except for those that are left out or changed.
func (x *expansion) expand(e Event) {
	if x.work <= 0 {
		return
	}
	x.work--
	x.full = false
	x.limit = min(len(x.found)+maxOfEvent, MaxOccurrences)
	changed := x.changed[e.UID]
	if len(e.Repeat)+len(e.RDates)+len(e.Periods)+len(changed) == 0 {
		x.add(e, e.Start, e.End)
		return
	}
	gone := map[int64]bool{}
	for _, t := range e.ExDates {
		gone[t.Unix()] = true
	}
	for _, c := range changed {
		gone[e.align(moment{at: c.RecurrenceID, day: c.AllDay}).Unix()] = true
	}
	x.work -= len(e.ExDates) + len(changed)
	reach := e.End.Sub(e.Start)
	for _, f := range changed {
		if f.Following {
			reach = max(reach, f.End.Sub(f.Start)+f.Start.Sub(f.RecurrenceID).Abs())
		}
	}
	zone, from, to := e.Start.Location(), x.from.Add(-reach), x.to.Add(reach)
	add := func(start, end time.Time) bool {
		x.work--
		if gone[start.Unix()] || end.Before(from) || !start.Before(to) {
			return x.work > 0
		}
		gone[start.Unix()] = true // the same time twice is one
		for _, f := range slices.Backward(changed) {
			x.work--
			if f.Following && f.RecurrenceID.Before(start) {
				shift := f.wall(f.Start).Sub(f.wall(f.RecurrenceID))
				start = instant(e.wall(start).Add(shift), zone)
				e := f
				x.add(e, start, e.endOf(start))
				return x.work > 0
			}
		}
		x.add(e, start, end)
		return x.work > 0 && !x.full
	}
	for _, s := range e.Periods {
		add(s.Start, s.End)
	}
	add(e.Start, e.End)
	for _, t := range e.RDates {
		add(t, e.endOf(t))
	}
	for _, text := range e.Repeat {
		r, err := recurrence.Parse(text, zone)
		if err != nil {
			continue // Parse has reported it
		}
		if r.Step() > 0 {
			r.Elapsed(e.Start, from, to, func(start time.Time) bool { return add(start, e.endOf(start)) })
			continue
		}
		// A day more on both sides: clocks may show another day there.
		_ = r.Walls(e.wall(e.Start), recurrence.Wall(from.In(zone)).Add(-day), recurrence.Wall(to.In(zone)).Add(day), &x.work, func(w time.Time) bool {
			start := instant(w, zone)
			return add(start, e.endOf(start))
		})
	}
}

// endOf is when an occurrence ends that has no end of its own: it takes as many days, or as much time, as the event.
func (e Event) endOf(start time.Time) time.Time {
	if e.AllDay {
		return instant(e.wall(start).Add(e.wall(e.End).Sub(e.wall(e.Start))), e.Start.Location())
	}
	return start.Add(e.End.Sub(e.Start))
}
