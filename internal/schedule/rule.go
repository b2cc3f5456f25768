package schedule

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"hob/internal/event"
)

// farthest is how far ahead the next time of a rule is looked for. 29 February is 8 years away at most.
const farthest = 10 * 366 * 24 * time.Hour

// ErrNever means that a rule has no time within ten years, such as 30 February.
var ErrNever = errors.New("this never comes")

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
			if first := instant(start, zone); first.After(after) {
				yield(first, nil)
			}
		}
	}
	rule, err := parseRule(w.Repeat, zone)
	if err != nil {
		return failing(err)
	}
	if step := rule.step(); step > 0 {
		return rule.elapsed(instant(start, zone), after, step)
	}
	return rule.times(start, after, zone)
}

func failing(err error) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) { yield(time.Time{}, err) }
}

// Check returns an error that says why a rule cannot be kept.
func Check(w event.When, now time.Time, at Place) error {
	first, err := Next(w, now, at)
	switch {
	case err != nil:
		return err
	case first.IsZero():
		return ErrNever
	}
	return nil
}

// rule is an RRULE over wall clocks: its times are in UTC, and mean local ones. So no clock change moves them.
type rule struct{ rrule.ROption }

// parseRule reads an RRULE. UNTIL becomes local.
func parseRule(text string, zone *time.Location) (r rule, err error) {
	defer func() { // the library panics at some texts
		if p := recover(); p != nil {
			err = fmt.Errorf("%q is no rule for times", text)
		}
	}()
	option, err := rrule.StrToROption(strings.TrimPrefix(text, "RRULE:"))
	if err != nil {
		return rule{}, fmt.Errorf("%q is no rule for times: %w", text, err)
	}
	r = rule{*option}
	_, until, _ := strings.Cut(strings.ToUpper(text), "UNTIL=")
	switch until, _, _ = strings.Cut(until, ";"); {
	case strings.HasSuffix(until, "Z"):
		r.Until = wall(r.Until.In(zone))
	case len(until) == len("20261126"): // a day, all of which is in it
		r.Until = r.Until.Add(24*time.Hour - time.Second)
	}
	switch {
	case r.Freq == rrule.SECONDLY || len(r.Bysecond) > 0:
		return rule{}, errors.New("a reminder comes every minute at most")
	case r.Freq >= rrule.HOURLY && r.hasParts():
		return rule{}, errors.New("a rule by hours or minutes takes an interval and an end, and no days")
	case r.Interval < 0 || r.Interval > 10_000:
		return rule{}, errors.New("the interval of a rule is 1 to 10,000")
	}
	return r, nil
}

// hasParts reports whether a rule names months, days or hours.
func (r rule) hasParts() bool {
	return len(r.Bymonth)+len(r.Bymonthday)+len(r.Byyearday)+len(r.Byweekno)+len(r.Byweekday)+len(r.Byhour)+len(r.Byminute)+len(r.Bysetpos)+len(r.Byeaster) > 0
}

// step is the time between two times of a rule by hours or minutes: eight hours are eight hours on every day. It is 0 for others.
func (r rule) step() time.Duration {
	switch r.Freq {
	case rrule.HOURLY:
		return time.Duration(max(r.Interval, 1)) * time.Hour
	case rrule.MINUTELY:
		return time.Duration(max(r.Interval, 1)) * time.Minute
	}
	return 0
}

// elapsed yields the times of a rule by hours or minutes.
func (r rule) elapsed(first, after time.Time, step time.Duration) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		n := int64(0)
		if !first.After(after) {
			n = int64(after.Sub(first)/step) + 1
		}
		for next := first.Add(time.Duration(n) * step); ; next = next.Add(step) {
			if r.Count > 0 && n >= int64(r.Count) || !r.Until.IsZero() && wall(next).After(r.Until) || !yield(next, nil) {
				return
			}
			n++
		}
	}
}

// times yields the times of a rule by days or more, of the ten years after a time.
func (r rule) times(start, after time.Time, zone *time.Location) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		// A whole day earlier: a wall clock that was put forward or back may be on the other side of after.
		from := wall(after.In(zone)).Add(-25 * time.Hour)
		limit := from.Add(farthest)
		if start.After(from) {
			limit = start.Add(farthest)
		}
		if r.Until.IsZero() || r.Until.After(limit) {
			r.Until = limit
		}
		r.Dtstart = start
		next, err := r.iterator()
		if err != nil {
			yield(time.Time{}, err)
			return
		}
		for {
			local, ok, err := next()
			if err != nil {
				yield(time.Time{}, err)
				return
			}
			if !ok {
				return
			}
			if local.Before(from) {
				continue
			}
			if at := instant(local, zone); at.After(after) { // two that do not exist may be one
				if after = at; !yield(at, nil) {
					return
				}
			}
		}
	}
}

// iterator returns a function that returns the wall times of a rule, from its first. The library panics at some rules.
func (r rule) iterator() (next func() (time.Time, bool, error), err error) {
	mend := func(err *error) {
		if p := recover(); p != nil {
			*err = fmt.Errorf("the rule cannot be followed: %v", p)
		}
	}
	defer mend(&err)
	set, err := rrule.NewRRule(r.ROption)
	if err != nil {
		return nil, fmt.Errorf("the rule cannot be followed: %w", err)
	}
	all := set.Iterator()
	return func() (local time.Time, ok bool, err error) {
		defer mend(&err)
		local, ok = all()
		return local, ok, nil
	}, nil
}

// wall is what a clock on the wall shows at t, as a time in UTC.
func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// instant is when the clocks of a zone show the wall time w: the first time where they show it twice, and the first time behind
// the gap where they never do.
func instant(w time.Time, zone *time.Location) time.Time {
	t := time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), 0, zone)
	begin, end := t.ZoneBounds()
	switch shown := wall(t); {
	case shown.After(w):
		return begin
	case shown.Before(w):
		return end
	}
	if begin.IsZero() {
		return t
	}
	_, now := t.Zone()
	_, before := begin.Add(-time.Second).Zone()
	if earlier := t.Add(time.Duration(now-before) * time.Second); earlier.Before(begin) && wall(earlier).Equal(w) {
		return earlier
	}
	return t
}
