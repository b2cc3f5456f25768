package ical

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// What keeps rules from running for ever: rrule-go looks for a time of a rule until the year 9999, and does not end at all where
// an hour never fits its interval.
//
//   - Rules by hours, minutes and seconds take an interval and an end, and no BY parts. They are arithmetic here.
//   - A rule begins just before the time that is asked for. The library is given years behind 9599, which the calendar, having a
//     period of 400 years, makes the same; so it looks at 400 years at most.
//   - All rules of one call share maxWork.
const (
	maxWork     = 3_000_000 // steps of one Between
	maxOfEvent  = 1_000     // occurrences of an event in one Between: one event hides no other
	barrenWork  = 30_000    // of a rule without a time
	maxInterval = 10_000
	maxTimes    = 48  // of one day of a rule
	maxParts    = 400 // numbers of a BY part
)

// Occurrence is an event at one of its times.
type Occurrence struct {
	Event      Event
	Start, End time.Time
}

// Between returns what is between two times, from included and to not, in order of time. Events begin after from, or have not
// ended then; cancelled ones are left out. It stops at MaxOccurrences, at 1,000 of an event, or where rules take too long, and cut
// reports that.
func (c Calendar) Between(from, to time.Time) (found []Occurrence, cut bool) {
	x := expansion{from: from, to: to, work: maxWork, changed: map[string][]Event{}, limit: MaxOccurrences}
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

// expand adds the occurrences of an event, but for those that are left out or changed.
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
		r, err := parseRule(text, zone)
		if err != nil {
			continue // Parse has reported it
		}
		if step := r.step(); step > 0 {
			r.walkElapsed(e.Start, from, to, step, func(start time.Time) bool { return add(start, e.endOf(start)) })
			continue
		}
		// A day more on both sides: clocks may show another day there.
		r.walk(e.wall(e.Start), wall(from.In(zone)).Add(-day), wall(to.In(zone)).Add(day), &x.work, func(w time.Time) bool {
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

// rule is an RRULE. Its times are what the clocks show, written as times in UTC.
type rule struct{ rrule.ROption }

// parseRule reads an RRULE. A local zone is that of UNTIL, if UNTIL is in UTC.
func parseRule(text string, zone *time.Location) (r rule, err error) {
	defer func() { // the library panics at some texts
		if recover() != nil {
			err = errors.New("it cannot be read")
		}
	}()
	text = strings.TrimSuffix(strings.ToUpper(text), ";")
	option, err := rrule.StrToROption(text)
	if err != nil {
		return rule{}, err
	}
	r = rule{*option}
	if !r.Until.IsZero() {
		_, until, _ := strings.Cut(text, "UNTIL=")
		switch until, _, _ = strings.Cut(until, ";"); {
		case strings.HasSuffix(until, "Z"):
			r.Until = wall(r.Until.In(zone))
		case len(until) == len(dateLayout):
			r.Until = r.Until.Add(day - time.Second) // the whole day
		}
	}
	times := max(len(r.Byhour), 1) * max(len(r.Byminute), 1) * max(len(r.Bysecond), 1)
	parts := [][]int{r.Bymonth, r.Bymonthday, r.Byyearday, r.Byweekno, r.Bysetpos, r.Byhour, r.Byminute, r.Bysecond}
	switch {
	case !r.Dtstart.IsZero() || len(r.Byeaster) > 0:
		return rule{}, errors.New("DTSTART and BYEASTER are no parts of a rule")
	case r.Freq >= rrule.HOURLY && strings.Contains(text, "BY"):
		return rule{}, errors.New("a rule by hours, minutes or seconds takes an interval and an end alone")
	case r.Interval < 0 || r.Interval > maxInterval:
		return rule{}, fmt.Errorf("the interval is 1 to %d", maxInterval)
	case r.Count < 0:
		return rule{}, errors.New("COUNT is not negative")
	case times > maxTimes:
		return rule{}, fmt.Errorf("it has more than %d times a day", maxTimes)
	case len(r.Byweekday) > maxParts || slices.ContainsFunc(parts, func(part []int) bool { return len(part) > maxParts }):
		return rule{}, fmt.Errorf("a part of it has more than %d numbers", maxParts)
	}
	r.Interval = max(r.Interval, 1)
	if _, err := rrule.NewRRule(r.ROption); err != nil {
		return rule{}, err
	}
	return r, nil
}

// step is the time between two times of a rule by hours, minutes or seconds: an hour is an hour on every day. It is 0 for others.
func (r rule) step() time.Duration {
	unit := map[rrule.Frequency]time.Duration{rrule.HOURLY: time.Hour, rrule.MINUTELY: time.Minute, rrule.SECONDLY: time.Second}[r.Freq]
	return time.Duration(r.Interval) * unit
}

// walkElapsed calls add with the times of such a rule between from and to, until it says no.
func (r rule) walkElapsed(start, from, to time.Time, step time.Duration, add func(time.Time) bool) {
	n := max((from.Unix()-start.Unix())/int64(step/time.Second)-1, 0) // a Duration has 292 years
	for ; r.Count == 0 || n < int64(r.Count); n++ {
		at := time.Unix(start.Unix()+n*int64(step/time.Second), 0).In(start.Location())
		if !at.Before(to) || !r.Until.IsZero() && wall(at).After(r.Until) || !add(at) {
			return
		}
	}
}

// walk calls add with the times of a rule between from and to, and some before, until it says no. All are what clocks show.
func (r rule) walk(start, from, to time.Time, work *int, add func(time.Time) bool) {
	defer func() { _ = recover() }() // rrule-go panics at some rules, and then it has no more times
	if !r.Until.IsZero() && r.Until.Before(from) || !start.Before(to) {
		return
	}
	*work -= max(1, r.size()/10)
	if *work <= 0 {
		return
	}
	if r.Until.IsZero() || r.Until.After(to) {
		r.Until = to
	}
	r.fill(start)
	begin := r.begin(start, from)
	centuries := (9599 - begin.Year()) / 400 * 400
	r.Dtstart, r.Until = begin.AddDate(centuries, 0, 0), r.Until.AddDate(centuries, 0, 0)
	set, err := rrule.NewRRule(r.ROption)
	if err != nil {
		return
	}
	next := set.Iterator()
	for n := 0; *work > 0; n++ {
		local, ok := next()
		if !ok {
			if n == 0 {
				*work -= barrenWork
			}
			return
		}
		local = local.AddDate(-centuries, 0, 0)
		if local.Before(from) {
			*work--
		} else if !add(local) {
			return
		}
	}
}

// size is how many times the library may make at once.
func (r rule) size() int {
	days := []int{rrule.YEARLY: 366, rrule.MONTHLY: 31, rrule.WEEKLY: 7, rrule.DAILY: 1}[r.Freq]
	return days * max(len(r.Byhour), 1) * max(len(r.Byminute), 1) * max(len(r.Bysecond), 1)
}

// fill writes into a rule what it takes from its start, but for the time of day. The library knows all of it but the weekday of a
// BYWEEKNO.
func (r *rule) fill(start time.Time) {
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
func (r rule) begin(start, from time.Time) time.Time {
	if r.Count > 0 || !start.Before(from) {
		return start
	}
	later := start
	switch r.Freq {
	case rrule.DAILY, rrule.WEEKLY:
		days := map[rrule.Frequency]int{rrule.DAILY: 1, rrule.WEEKLY: 7}[r.Freq] * r.Interval
		passed := int((from.Unix() - start.Unix()) / int64(day/time.Second))
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
