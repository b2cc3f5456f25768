// Package recurrence follows the rules of RFC 5545, an RRULE such as "FREQ=WEEKLY;BYDAY=MO", over the clocks on a wall. No change of
// clocks moves a time of a rule: whoever calls decides which instant a wall clock's time is; [Instant] is the usual one.
//
// github.com/teambition/rrule-go knows the rules. It looks for a time of one until the year 9999, and does not end at all where an
// hour never fits its interval. So:
//
//   - Rules by hours, minutes and seconds take an interval and an end, and no BY parts. They are arithmetic here.
//   - A rule begins just before the time that is asked for. The library is given years behind 9599, which the calendar, having a
//     period of 400 years, makes the same; so it looks at 400 years at most.
//   - Each step counts, and a caller says how many there may be.
package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// MaxWork is a bound on the steps of one question that people do not notice: less than a second.
const MaxWork = 3_000_000

const (
	barrenWork  = 30_000 // of a rule without a time
	maxInterval = 10_000
	maxTimes    = 48  // of one day of a rule
	maxParts    = 400 // numbers of a BY part
)

// Rule is an RRULE. Its times are what the clocks show, written as times in UTC.
type Rule struct{ rrule.ROption }

// Parse reads the value of an RRULE. Zone is that of UNTIL, if UNTIL is in UTC.
func Parse(text string, zone *time.Location) (r Rule, err error) {
	defer func() { // the library panics at some texts
		if recover() != nil {
			err = errors.New("it cannot be read")
		}
	}()
	text = strings.TrimSuffix(strings.ToUpper(text), ";")
	option, err := rrule.StrToROption(text)
	if err != nil {
		return Rule{}, err
	}
	r = Rule{*option}
	if !r.Until.IsZero() {
		_, until, _ := strings.Cut(text, "UNTIL=")
		switch until, _, _ = strings.Cut(until, ";"); {
		case strings.HasSuffix(until, "Z"):
			r.Until = Wall(r.Until.In(zone))
		case len(until) == len("20261126"):
			r.Until = r.Until.Add(24*time.Hour - time.Second) // the whole day
		}
	}
	times := max(len(r.Byhour), 1) * max(len(r.Byminute), 1) * max(len(r.Bysecond), 1)
	parts := [][]int{r.Bymonth, r.Bymonthday, r.Byyearday, r.Byweekno, r.Bysetpos, r.Byhour, r.Byminute, r.Bysecond}
	switch {
	case !r.Dtstart.IsZero() || len(r.Byeaster) > 0:
		return Rule{}, errors.New("DTSTART and BYEASTER are no parts of a rule")
	case r.Freq >= rrule.HOURLY && strings.Contains(text, "BY"):
		return Rule{}, errors.New("a rule by hours, minutes or seconds takes an interval and an end alone, and no days")
	case r.Interval < 0 || r.Interval > maxInterval:
		return Rule{}, fmt.Errorf("the interval is 1 to %d", maxInterval)
	case r.Count < 0:
		return Rule{}, errors.New("COUNT is not negative")
	case times > maxTimes:
		return Rule{}, fmt.Errorf("it has more than %d times a day", maxTimes)
	case len(r.Byweekday) > maxParts || slices.ContainsFunc(parts, func(part []int) bool { return len(part) > maxParts }):
		return Rule{}, fmt.Errorf("a part of it has more than %d numbers", maxParts)
	}
	r.Interval = max(r.Interval, 1)
	if _, err := rrule.NewRRule(r.ROption); err != nil {
		return Rule{}, err
	}
	return r, nil
}

// Step is the time between two times of a rule by hours, minutes or seconds: an hour is an hour on every day. It is 0 for others.
func (r Rule) Step() time.Duration {
	unit := map[rrule.Frequency]time.Duration{rrule.HOURLY: time.Hour, rrule.MINUTELY: time.Minute, rrule.SECONDLY: time.Second}[r.Freq]
	return time.Duration(r.Interval) * unit
}

// BySeconds reports whether the rule may come more often than each minute.
func (r Rule) BySeconds() bool { return r.Freq == rrule.SECONDLY || len(r.Bysecond) > 0 }

// Elapsed calls add with the times of a rule that has a step, between from and to and one before, until it says no. They are instants.
func (r Rule) Elapsed(start, from, to time.Time, add func(time.Time) bool) {
	step := int64(r.Step() / time.Second)
	n := max((from.Unix()-start.Unix())/step-1, 0) // a Duration has 292 years
	for ; r.Count == 0 || n < int64(r.Count); n++ {
		at := time.Unix(start.Unix()+n*step, 0).In(start.Location())
		if !at.Before(to) || !r.Until.IsZero() && Wall(at).After(r.Until) || !add(at) {
			return
		}
	}
}

// Walls calls add with the times of a rule without a step between from and to, until it says no. All are what clocks show. What it
// does is taken from work, and where nothing is left it ends. An error says that the library could not follow the rule.
func (r Rule) Walls(start, from, to time.Time, work *int, add func(time.Time) bool) (err error) {
	if !r.Until.IsZero() && r.Until.Before(from) || !start.Before(to) {
		return nil
	}
	if *work -= max(1, r.size()/10); *work <= 0 {
		return nil
	}
	if r.Until.IsZero() || r.Until.After(to) {
		r.Until = to
	}
	r.fill(start)
	begin := r.begin(start, from)
	centuries := (9599 - begin.Year()) / 400 * 400
	r.Dtstart, r.Until = begin.AddDate(centuries, 0, 0), r.Until.AddDate(centuries, 0, 0)
	next, err := r.iterator()
	for n := 0; err == nil && *work > 0; n++ {
		var local time.Time
		var ok bool
		if local, ok, err = next(); err != nil || !ok {
			if n == 0 {
				*work -= barrenWork
			}
			break
		}
		local = local.AddDate(-centuries, 0, 0)
		if local.Before(from) {
			*work--
		} else if !add(local) {
			break
		}
	}
	return err
}

// iterator returns a function that returns the times of a rule, from its first. The library panics at some rules.
func (r Rule) iterator() (next func() (time.Time, bool, error), err error) {
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

// size is how many times the library may make at once.
func (r Rule) size() int {
	days := []int{rrule.YEARLY: 366, rrule.MONTHLY: 31, rrule.WEEKLY: 7, rrule.DAILY: 1}[r.Freq]
	return days * max(len(r.Byhour), 1) * max(len(r.Byminute), 1) * max(len(r.Bysecond), 1)
}

// fill writes into a rule what it takes from its start, except for the time of day. The library knows all of it but the weekday of a
// BYWEEKNO.
func (r *Rule) fill(start time.Time) {
	weekday := []rrule.Weekday{[]rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[start.Weekday()]}
	bare := len(r.Byyearday)+len(r.Bymonthday)+len(r.Byweekday) == 0
	switch {
	case bare && len(r.Byweekno) > 0:
		r.Byweekday = weekday
	case !bare || r.Freq > rrule.WEEKLY:
	case r.Freq == rrule.WEEKLY:
		r.Byweekday = weekday
	default:
		if r.Freq == rrule.YEARLY && len(r.Bymonth) == 0 {
			r.Bymonth = []int{int(start.Month())}
		}
		r.Bymonthday = []int{start.Day()}
	}
}

// begin returns a later start, just before from, that makes the same times from there on. With a COUNT there is none.
func (r Rule) begin(start, from time.Time) time.Time {
	if r.Count > 0 || !start.Before(from) {
		return start
	}
	later := start
	switch r.Freq {
	case rrule.DAILY, rrule.WEEKLY:
		days := map[rrule.Frequency]int{rrule.DAILY: 1, rrule.WEEKLY: 7}[r.Freq] * r.Interval
		passed := int((from.Unix() - start.Unix()) / int64(24*time.Hour/time.Second))
		later = start.AddDate(0, 0, passed/days*days-days)
	case rrule.MONTHLY:
		passed := (from.Year()-start.Year())*12 + int(from.Month()-start.Month())
		later = start.AddDate(0, passed/r.Interval*r.Interval, 1-start.Day())
	case rrule.YEARLY:
		passed := from.Year() - start.Year()
		later = start.AddDate(passed/r.Interval*r.Interval, 1-int(start.Month()), 1-start.Day())
	}
	if later.Before(start) {
		return start
	}
	return later
}
