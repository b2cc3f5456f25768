package when

import "time"

// dayOf returns the day of t as midnight in UTC, where each day has 24 hours. Days are counted so.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
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
			days[i] = addMonths(day, d.plus.months).AddDate(0, 0, d.plus.days)
		}
	}
	return days, nil
}

func (r resolver) plainDays(d date) ([]time.Time, error) {
	one := func(day time.Time) ([]time.Time, error) { return []time.Time{day}, nil }
	year := d.year
	if year == 0 {
		year = r.today.Year() + d.years
	}
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
		return r.monthDays(d, year)
	case d.month != 0:
		first := time.Date(year, time.Month(d.month), 1, 0, 0, 0, 0, time.UTC)
		if d.year == 0 && d.years == 0 && first.AddDate(0, 1, -1).Before(r.today) || d.rel == "next" && int(r.today.Month()) == d.month {
			first = first.AddDate(1, 0, 0)
		}
		return one(first)
	case d.day != 0:
		return r.dayOfMonth(d)
	case (d.byWeek || d.byMonth || d.byYear) && d.weekday == 0 && r.m.part == "now": // the same time next week
		return one(addMonths(r.today, d.months+12*d.years).AddDate(0, 0, 7*d.weeks))
	case d.byWeek:
		return one(monday(r.today).AddDate(0, 0, 7*d.weeks+max(d.weekday-1, 0)))
	case d.weekday != 0:
		return r.weekday(d)
	case d.byMonth:
		return one(time.Date(r.today.Year(), r.today.Month()+time.Month(d.months), 1, 0, 0, 0, 0, time.UTC))
	case d.byYear, d.year != 0:
		return one(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
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
		day := time.Date(r.today.Year()+d.years, map[string]time.Month{"start": 1, "middle": 7, "end": 12}[d.edge], 1, 0, 0, 0, 0, time.UTC)
		if d.edge == "end" {
			day = day.AddDate(0, 0, 30)
		}
		if d.years == 0 && d.rel == "" && day.Before(r.today) {
			day = day.AddDate(1, 0, 0)
		}
		return day
	}
	start := time.Date(r.today.Year(), r.today.Month()+time.Month(d.months), 1, 0, 0, 0, 0, time.UTC)
	if d.month != 0 {
		year := d.year
		if year == 0 {
			year = r.today.Year() + d.years
		}
		start = time.Date(year, time.Month(d.month), 1, 0, 0, 0, 0, time.UTC)
	}
	switch d.edge {
	case "start":
		return start
	case "middle":
		return start.AddDate(0, 0, 14)
	}
	return start.AddDate(0, 1, -1)
}

func (r resolver) monthDays(d date, year int) ([]time.Time, error) {
	make := func(month, day int) (time.Time, bool) {
		if d.weekday != 0 && d.year == 0 { // Monday 25 January: the year where it is one
			for y := year; y < year+8; y++ {
				t := time.Date(y, time.Month(month), day, 0, 0, 0, 0, time.UTC)
				if t.Day() == day && !t.Before(r.today) && isoWeekday(t) == d.weekday {
					return t, true
				}
			}
			return time.Time{}, false
		}
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if d.year == 0 && d.years == 0 && !d.byYear && t.Before(r.today) {
			t = time.Date(year+1, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		}
		if d.year == 0 && t.Day() != day { // 29 February in a common year
			t = time.Date(t.Year(), time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC)
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
			leap = time.Date(leap.Year()+1, 2, 29, 0, 0, 0, 0, time.UTC)
		}
		days = append(days, leap)
	}
	return days, nil
}

// dayOfMonth returns the 31st: of this month or the next, its last day where it has fewer.
func (r resolver) dayOfMonth(d date) ([]time.Time, error) {
	first := time.Date(r.today.Year(), r.today.Month()+time.Month(d.months), 1, 0, 0, 0, 0, time.UTC)
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
		day = clamp(first.AddDate(0, 1, 0))
	}
	return []time.Time{day}, nil
}

// nthDay returns the first Monday of the month.
func (r resolver) nthDay(d date) ([]time.Time, error) {
	month := time.Date(r.today.Year(), r.today.Month()+time.Month(d.months), 1, 0, 0, 0, 0, time.UTC)
	if d.month != 0 {
		year := d.year
		if year == 0 {
			year = r.today.Year() + d.years
		}
		month = time.Date(year, time.Month(d.month), 1, 0, 0, 0, 0, time.UTC)
	}
	step := 1
	if d.month != 0 {
		step = 12
	}
	for range 60 {
		day, ok := nthWeekday(month, d.weekday, d.nth)
		if ok && (d.year != 0 || d.months != 0 || r.at(day, r.lastClock()).After(r.now)) {
			return []time.Time{day}, nil
		}
		if d.year != 0 || d.months != 0 {
			break
		}
		month = month.AddDate(0, step, 0)
	}
	return nil, unclear(Impossible, r.lang)
}

func (r resolver) lastClock() clock {
	said, other := r.times()
	if other != nil {
		return *other
	}
	return said
}

// nthWeekday returns the nth weekday of the month that begins with first, -1 is the last.
func nthWeekday(first time.Time, weekday, nth int) (time.Time, bool) {
	if nth < 0 {
		last := first.AddDate(0, 1, -1)
		return last.AddDate(0, 0, -((isoWeekday(last) - weekday + 7) % 7)), true
	}
	day := first.AddDate(0, 0, (weekday-isoWeekday(first)+7)%7+7*(nth-1))
	return day, day.Month() == first.Month()
}
