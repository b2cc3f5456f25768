package schedule

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"hob/internal/event"
)

// farthest is how far ahead the next time of a rule is looked for. 29 February is 8 years away at most.
const farthest = 10 * 366 * 24 * time.Hour

// ErrNever means that a rule has no time within ten years, such as 30 February.
var ErrNever = errors.New("this never comes")

// nextOf is [Next] for what w begins and repeats with.
func nextOf(w event.When, after time.Time, at Place) (time.Time, error) {
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("there is no time zone %q", w.Zone)
	}
	if w.Sun != "" {
		return at.next(w.Sun, after, zone)
	}
	start, err := time.Parse(event.StartLayout, w.Start)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no local time such as 2026-11-25T18:00:00", w.Start)
	}
	if w.Repeat == "" {
		if first := instant(start, zone); first.After(after) {
			return first, nil
		}
		return time.Time{}, nil
	}
	rule, err := parseRule(w.Repeat, zone)
	if err != nil {
		return time.Time{}, err
	}
	if step := rule.step(); step > 0 {
		return rule.nextElapsed(instant(start, zone), after, step), nil
	}
	return rule.next(start, after, zone)
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
	if r.Until.Location() == time.UTC && !r.Until.IsZero() && strings.Contains(strings.ToUpper(text), "Z") {
		r.Until = wall(r.Until.In(zone))
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

func (r rule) nextElapsed(first, after time.Time, step time.Duration) time.Time {
	n := int64(0)
	if !first.After(after) {
		n = int64(after.Sub(first)/step) + 1
	}
	next := first.Add(time.Duration(n) * step)
	if r.Count > 0 && n >= int64(r.Count) || !r.Until.IsZero() && wall(next).After(r.Until) {
		return time.Time{}
	}
	return next
}

func (r rule) next(start, after time.Time, zone *time.Location) (next time.Time, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the rule cannot be followed: %v", p)
		}
	}()
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
	set, err := rrule.NewRRule(r.ROption)
	if err != nil {
		return time.Time{}, fmt.Errorf("the rule cannot be followed: %w", err)
	}
	for local := set.After(from, true); !local.IsZero(); local = set.After(local, false) {
		if at := instant(local, zone); at.After(after) {
			return at, nil
		}
	}
	return time.Time{}, nil
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
