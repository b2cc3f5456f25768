package schedule

import (
	"fmt"
	"slices"
	"time"

	"hob/internal/event"
)

// maxLeftOut bounds how many times in a row may be left out.
const maxLeftOut = 10_000

// Next returns the first time of w after a time, the zero time where there is none any more. A time that does not exist where
// clocks are put forward is the first that does; of one that exists twice it is the first.
func Next(w event.When, after time.Time, at Place) (time.Time, error) {
	next, err := nextOf(w, after, at)
	if err != nil || len(w.Also)+len(w.Not) == 0 {
		return next, err
	}
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("there is no time zone %q", w.Zone)
	}
	left, err := instants(w.Not, zone)
	if err != nil {
		return time.Time{}, err
	}
	isLeftOut := func(t time.Time) bool { return slices.ContainsFunc(left, t.Equal) }
	for range maxLeftOut {
		if next.IsZero() || !isLeftOut(next) {
			break
		}
		if next, err = nextOf(w, next, at); err != nil {
			return time.Time{}, err
		}
	}
	more, err := instants(w.Also, zone)
	for _, t := range more {
		if t.After(after) && !isLeftOut(t) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	return next, err
}

// instants returns when the clocks of a zone show local times.
func instants(local []string, zone *time.Location) (all []time.Time, err error) {
	for _, text := range local {
		t, err := time.Parse(event.StartLayout, text)
		if err != nil {
			return nil, fmt.Errorf("%q is no local time such as 2026-11-25T18:00:00", text)
		}
		all = append(all, instant(t, zone))
	}
	return all, nil
}
