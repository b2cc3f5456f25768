package schedule

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/recurrence"
)

// farthest is how far ahead the next time of a rule is looked for. 29 February is 8 years away at most.
const farthest = 10 * 366 * 24 * time.Hour

// Next returns the first time of w after a time, the zero time where there is none any more. A time that does not exist where
// clocks are put forward is the first that does; of one that exists twice it is the first.
func Next(w event.When, after time.Time, at Place) (time.Time, error) {
	for next, err := range times(w, after, at) {
		return next, err
	}
	return time.Time{}, nil
}

// newest returns the last time of w that is after one time and not after another, and how many there are.
func newest(w event.When, after, until time.Time, at Place) (last time.Time, n int, err error) {
	for next, err := range times(w, after, at) {
		if err != nil || next.After(until) {
			return last, n, err
		}
		last = next
		n++
	}
	return last, n, nil
}

// ruleTimes is [times] for what w begins and repeats with.
func ruleTimes(w event.When, after time.Time, at Place) iter.Seq2[time.Time, error] {
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		return failing(fmt.Errorf("there is no time zone %q", w.Zone))
	}
	if w.Sun != "" {
		return sunTimes(w, after, zone, at)
	}
	start, err := time.Parse(event.StartLayout, w.Start)
	if err != nil {
		return failing(fmt.Errorf("%q is no local time such as 2026-11-25T18:00:00", w.Start))
	}
	if w.Repeat == "" {
		return func(yield func(time.Time, error) bool) {
			if first := recurrence.Instant(start, zone); first.After(after) {
				yield(first, nil)
			}
		}
	}
	rule, err := recurrence.Parse(strings.TrimPrefix(w.Repeat, "RRULE:"), zone)
	switch {
	case err != nil:
		return failing(fmt.Errorf("%q is no rule for times: %w", w.Repeat, err))
	case rule.BySeconds():
		return failing(errors.New("a reminder comes every minute at most"))
	}
	return repeatTimes(rule, start, after, zone)
}

// repeatTimes yields the times of a rule after a time, of ten years.
func repeatTimes(rule recurrence.Rule, start, after time.Time, zone *time.Location) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		first := recurrence.Instant(start, zone)
		limit, passed := after.Add(farthest), after
		if first.After(after) {
			limit = first.Add(farthest)
		}
		add := func(at time.Time) bool {
			if !at.After(passed) { // two that do not exist may be one
				return true
			}
			passed = at
			return yield(at, nil)
		}
		if rule.Step() > 0 {
			rule.Elapsed(first, after, limit, add)
			return
		}
		work := recurrence.MaxWork
		// A day more on both sides: a wall clock that was put forward or back may be on the other side of a time.
		from, to := recurrence.Wall(after.In(zone)).Add(-25*time.Hour), recurrence.Wall(limit.In(zone)).Add(25*time.Hour)
		err := rule.Walls(start, from, to, &work, func(local time.Time) bool { return add(recurrence.Instant(local, zone)) })
		if err == nil && work <= 0 {
			err = errors.New("the rule takes too long to follow")
		}
		if err != nil {
			yield(time.Time{}, err)
		}
	}
}

func failing(err error) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) { yield(time.Time{}, err) }
}
