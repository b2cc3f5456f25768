package schedule

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/recurrence"
)

// times yields the times of w after a time, in order, or an error: those of its rule without those that are left out, and further ones.
func times(w event.When, after time.Time, at Place) iter.Seq2[time.Time, error] {
	rule := ruleTimes(w, after, at)
	if len(w.Also)+len(w.Not) == 0 {
		return rule
	}
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		return failing(fmt.Errorf("there is no time zone %q", w.Zone))
	}
	not, err := instants(w.Not, zone)
	if err != nil {
		return failing(err)
	}
	isLeftOut := func(t time.Time) bool { return slices.ContainsFunc(not, t.Equal) }
	also, err := instants(w.Also, zone)
	if err != nil {
		return failing(err)
	}
	also = slices.DeleteFunc(also, func(t time.Time) bool { return !t.After(after) || isLeftOut(t) })
	slices.SortFunc(also, time.Time.Compare)
	also = slices.CompactFunc(also, time.Time.Equal)
	return func(yield func(time.Time, error) bool) {
		more := also
		for next, err := range rule {
			for err == nil && len(more) > 0 && more[0].Before(next) {
				if !yield(more[0], nil) {
					return
				}
				more = more[1:]
			}
			if len(more) > 0 && more[0].Equal(next) {
				more = more[1:]
			}
			if (err != nil || !isLeftOut(next)) && !yield(next, err) {
				return
			}
		}
		for _, t := range more {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// instants returns when the clocks of a zone show local times.
func instants(local []string, zone *time.Location) (all []time.Time, err error) {
	for _, text := range local {
		t, err := time.Parse(event.StartLayout, text)
		if err != nil {
			return nil, fmt.Errorf("%q is no local time such as 2026-11-25T18:00:00", text)
		}
		all = append(all, recurrence.Instant(t, zone))
	}
	return all, nil
}

// ShowsSame reports whether the clocks that a reminder keeps show what those of a place show, now and at its times: for one that comes
// again over a year.
func ShowsSame(r event.Reminder, here *time.Location, now time.Time) bool {
	zone, err := time.LoadLocation(r.When.Zone)
	if err != nil {
		return false
	}
	at := []time.Time{now, r.Due, r.Planned}
	if r.When.Repeats() {
		for month := range 12 {
			at = append(at, now.AddDate(0, month+1, 0))
		}
	}
	return !slices.ContainsFunc(at, func(t time.Time) bool {
		_, there := t.In(zone).Zone()
		_, house := t.In(here).Zone()
		return there != house && !t.IsZero()
	})
}
