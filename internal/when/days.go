package when

import (
	"cmp"
	"time"
)

// dayOf returns the day of t as midnight in UTC, where each day has 24 hours. Days are counted so.
func dayOf(t time.Time) time.Time {
	return newDay(t.Year(), int(t.Month()), t.Day())
}

// newDay returns a day of the calendar. A month or a day that there is none of is counted on from the last.
func newDay(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// isoWeekday returns 1 for Monday to 7 for Sunday.
func isoWeekday(day time.Time) int { return (int(day.Weekday())+6)%7 + 1 }

// monday returns the Monday of a day's week.
func monday(day time.Time) time.Time { return day.AddDate(0, 0, 1-isoWeekday(day)) }

// days returns the day of a date, and then the days that it may be, too.
func (r resolver) days(d date) ([]time.Time, error) {
	days, err := r.plainDays(d)
	if err != nil {
		return nil, err
	}
	if !d.plus.nothing() {
		for i, day := range days {
			days[i] = d.plus.behind(day)
		}
	}
	return days, nil
}

func (r resolver) plainDays(d date) ([]time.Time, error) {
	one := func(day time.Time) ([]time.Time, error) { return []time.Time{day}, nil }
	switch {
	case d.edge != "":
		return one(r.edge(d))
	case d.byOff:
		return one(r.today.AddDate(0, 0, d.offset))
	case d.weekend:
		return r.weekend(d)
	case d.nth != 0:
		return r.nthDay(d)
	case d.month != 0 && d.day != 0:
		return r.monthDays(d)
	case d.month != 0:
		first := r.monthStart(d)
		if d.year == 0 && d.years == 0 && first.AddDate(0, 1, -1).Before(r.today) || d.rel == "next" && int(r.today.Month()) == d.month {
			first = first.AddDate(1, 0, 0)
		}
		return one(first)
	case d.day != 0:
		return r.dayOfMonth(d)
	case (d.byWeek || d.byMonth || d.byYear) && d.weekday == 0 && r.m.part == "now": // the same time next week
		return one(length{months: d.months + 12*d.years, days: 7 * d.weeks}.behind(r.today))
	case d.byWeek:
		return one(monday(r.today).AddDate(0, 0, 7*d.weeks+max(d.weekday-1, 0)))
	case d.weekday != 0:
		return r.weekday(d)
	case d.byMonth:
		return one(r.monthStart(d))
	case d.byYear, d.year != 0:
		return one(newDay(r.yearOf(d), 1, 1))
	}
	return nil, unclear(Missing, r.lang)
}

// weekday returns Friday: the next one, never today. Next Friday is that of next week.
func (r resolver) weekday(d date) ([]time.Time, error) {
	ahead := (d.weekday-isoWeekday(r.today)+6)%7 + 1
	coming := r.today.AddDate(0, 0, ahead)
	switch d.rel {
	case "next":
		week := monday(r.today).AddDate(0, 0, 7+d.weekday-1)
		return []time.Time{week, coming}, nil
	case "next2":
		return []time.Time{monday(r.today).AddDate(0, 0, 14+d.weekday-1)}, nil
	case "last":
		return []time.Time{coming.AddDate(0, 0, -7)}, nil
	}
	return []time.Time{coming}, nil
}

func (r resolver) weekend(d date) ([]time.Time, error) {
	week := monday(r.today).AddDate(0, 0, 5)
	coming := week
	said, _ := r.times()
	if isoWeekday(r.today) == 7 || isoWeekday(r.today) == 6 && !r.at(r.today, said).After(r.now) {
		coming = week.AddDate(0, 0, 7)
	}
	switch d.rel {
	case "next":
		return []time.Time{week.AddDate(0, 0, 7), coming}, nil
	case "next2":
		return []time.Time{week.AddDate(0, 0, 14)}, nil
	case "last":
		return []time.Time{coming.AddDate(0, 0, -7)}, nil
	}
	return []time.Time{coming}, nil
}

func (r resolver) edge(d date) time.Time {
	switch d.edgeOf {
	case "week":
		day := monday(r.today).AddDate(0, 0, 7*d.weeks+map[string]int{"middle": 2, "end": 4}[d.edge])
		if d.weeks == 0 && d.rel == "" && day.Before(r.today) {
			day = day.AddDate(0, 0, 7)
		}
		return day
	case "year":
		day := newDay(r.today.Year()+d.years, map[string]int{"start": 1, "middle": 7, "end": 12}[d.edge], 1)
		if d.edge == "end" {
			day = day.AddDate(0, 0, 30)
		}
		if d.years == 0 && d.rel == "" && day.Before(r.today) {
			day = day.AddDate(1, 0, 0)
		}
		return day
	}
	start := r.monthStart(d)
	switch d.edge {
	case "start":
		return start
	case "middle":
		return start.AddDate(0, 0, 14)
	}
	return start.AddDate(0, 1, -1)
}

// yearOf returns the year that a date names, or this one.
func (r resolver) yearOf(d date) int { return cmp.Or(d.year, r.today.Year()+d.years) }

// monthStart returns the first day of the month that a date names, or of this one.
func (r resolver) monthStart(d date) time.Time {
	if d.month != 0 {
		return newDay(r.yearOf(d), d.month, 1)
	}
	return newDay(r.today.Year(), int(r.today.Month())+d.months, 1)
}

func (r resolver) monthDays(d date) ([]time.Time, error) {
	year := r.yearOf(d)
	make := func(month, day int) (time.Time, bool) {
		if d.weekday != 0 && d.year == 0 { // Monday 25 January: the year where it is one
			for y := year; y < year+8; y++ {
				t := newDay(y, month, day)
				if t.Day() == day && !t.Before(r.today) && isoWeekday(t) == d.weekday {
					return t, true
				}
			}
			return time.Time{}, false
		}
		t := newDay(year, month, day)
		if d.year == 0 && d.years == 0 && !d.byYear && t.Before(r.today) {
			t = newDay(year+1, month, day)
		}
		if d.year == 0 && t.Day() != day { // 29 February in a common year
			t = newDay(t.Year(), month+1, 0)
		}
		return t, t.Day() == day || d.year == 0
	}
	first, ok := make(d.month, d.day)
	if !ok || d.weekday != 0 && isoWeekday(first) != d.weekday {
		return nil, unclear(Impossible, r.lang)
	}
	days := []time.Time{first}
	if d.swapped {
		if other, ok := make(d.day, d.month); ok {
			days = append(days, other)
		}
	}
	if first.Day() != d.day { // 29 February
		leap := first
		for leap.Day() != 29 {
			leap = newDay(leap.Year()+1, 2, 29)
		}
		days = append(days, leap)
	}
	return days, nil
}

// dayOfMonth returns the 31st: of this month or the next. Where that has fewer days it is the last of them, or else that of the next month that has one.
func (r resolver) dayOfMonth(d date) ([]time.Time, error) {
	first := r.monthStart(d)
	clamp := func(first time.Time) time.Time { return first.AddDate(0, 0, min(d.day, daysIn(first))-1) }
	day := clamp(first)
	if d.weekday != 0 {
		for range 24 {
			if !day.Before(r.today) && day.Day() == d.day && isoWeekday(day) == d.weekday {
				return []time.Time{day}, nil
			}
			first = first.AddDate(0, 1, 0)
			day = clamp(first)
		}
		return nil, unclear(Impossible, r.lang)
	}
	if !d.byMonth && day.Before(r.today) {
		first = first.AddDate(0, 1, 0)
		day = clamp(first)
	}
	days := []time.Time{day}
	if day.Day() != d.day && !d.byMonth {
		for clamp(first).Day() != d.day { // of two months one has 31 days
			first = first.AddDate(0, 1, 0)
		}
		days = append(days, clamp(first))
	}
	return days, nil
}

// nthDay returns the first Monday of the month: the next one, unless the month or the year was said.
func (r resolver) nthDay(d date) ([]time.Time, error) {
	month, isFixed := r.monthStart(d), d.year != 0 || d.months != 0
	nth := rule{days: []int{d.weekday}, nth: d.nth, month: d.month}
	day, ok := nth.first(month, func(day time.Time) bool { return isFixed || r.at(day, r.lastClock()).After(r.now) })
	if !ok || isFixed && day.AddDate(0, 0, 1-day.Day()) != month {
		return nil, unclear(Impossible, r.lang)
	}
	return []time.Time{day}, nil
}

func (r resolver) lastClock() clock {
	said, other := r.times()
	if other != nil {
		return *other
	}
	return said
}
