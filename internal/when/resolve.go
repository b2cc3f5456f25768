package when

import (
	"fmt"
	"strings"
	"time"
)

// dayOf returns the day of t as midnight in UTC, where each day has 24 hours. Days are counted so.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// isoWeekday returns 1 for Monday to 7 for Sunday.
func isoWeekday(day time.Time) int { return (int(day.Weekday())+6)%7 + 1 }

// monday returns the Monday of a day's week.
func monday(day time.Time) time.Time { return day.AddDate(0, 0, 1-isoWeekday(day)) }

// resolver holds a moment against now.
type resolver struct {
	now   time.Time
	today time.Time // a day, see dayOf
	lang  string
	m     moment
}

// at returns the instant of a time on a day. The clock may be 24:00, and pass midnight.
func (r resolver) at(day time.Time, c clock) time.Time {
	t := localTime(day.Year(), day.Month(), day.Day(), c.hour, c.minute, c.second, r.now.Location())
	if c.offset == 0 {
		return t
	}
	for _, twin := range instants(wallOf(t), r.now.Location()) {
		if _, east := twin.Zone(); east == c.offset-daySeconds {
			return twin
		}
	}
	return t
}

// daySeconds is added to a clock's offset from UTC, so that none is zero.
const daySeconds = 24 * 60 * 60

// resolve returns the reading of a moment.
func (r resolver) resolve() (Reading, error) {
	m := r.m
	if m.clock.given && !m.clock.valid() || m.date.given && m.date.impossible {
		return Reading{}, unclear(Impossible, r.lang)
	}
	reading := Reading{Lang: r.lang, UntilAcknowledged: m.untilDone}
	var err error
	switch {
	case m.afterDone != 0 || m.repeat.fromDone && m.repeat.unit != "":
		err = r.afterDone(&reading)
	case m.repeat.unit != "":
		err = r.repeated(&reading)
	case m.sun != "":
		err = r.sun(&reading)
	case m.after != nil:
		err = r.later(&reading)
	default:
		err = r.once(&reading)
	}
	if err != nil {
		return Reading{}, err
	}
	if reading.Start.Year() > 2199 {
		return Reading{}, unclear(Impossible, r.lang)
	}
	return reading, nil
}

// later reads an amount of time from now.
func (r resolver) later(reading *Reading) error {
	start := r.m.after.after(r.now)
	if r.m.clock.given || r.m.part != "" {
		day := dayOf(start)
		reading.Start, reading.Other = r.onDay(day, true)
	} else {
		reading.Start = start
	}
	return r.notPast(reading.Start)
}

// notPast asks for a time that is over.
func (r resolver) notPast(t time.Time) error {
	if t.Before(r.now) {
		return unclear(Past, r.lang)
	}
	return nil
}

// times returns the clock that was said, and the other clock that a bare hour may be.
func (r resolver) times() (said clock, other *clock) {
	c := r.m.clock
	part := r.m.part
	if c.midnight {
		return clock{hour: 24}, nil
	}
	if !c.given {
		return partTime(part, r.lang), nil
	}
	if part != "" && !(c.sure && (c.hour > 12 || c.hour == 0)) {
		return inPart(c, part, r.m.night), nil
	}
	if c.bare() {
		late := c
		late.hour += 12
		return c, &late
	}
	return c, nil
}

// partTime returns the time that stands for a part of the day; for none, that of a date without a time.
func partTime(part, lang string) clock {
	switch part {
	case "noon":
		return clock{hour: 12}
	case "afternoon":
		return clock{hour: 15}
	case "evening":
		if lang == "zh" {
			return clock{hour: 19}
		}
		return clock{hour: 18}
	case "night":
		return clock{hour: 20}
	case "dawn":
		return clock{hour: 5}
	}
	return clock{hour: 9}
}

// inPart moves an hour of a twelve-hour clock into its part of the day. Tonight, an hour after midnight is tomorrow's.
func inPart(c clock, part string, tonight bool) clock {
	c.sure = true
	switch part {
	case "morning", "dawn":
		if c.hour == 12 && part == "dawn" {
			c.hour = 0
		}
	case "noon":
		if c.hour < 6 {
			c.hour += 12
		}
	case "afternoon":
		if c.hour < 12 {
			c.hour += 12
		}
	case "evening":
		switch {
		case c.hour == 12:
			c.hour = 24
		case c.hour >= 3 && c.hour < 12:
			c.hour += 12
		case c.hour < 3:
			c.hour += 24
		}
	case "night":
		switch {
		case c.hour == 12:
			c.hour = 24
		case c.hour >= 6 && c.hour < 12:
			c.hour += 12
		case tonight:
			c.hour += 24
		}
	}
	return c
}

// onDay returns the time on a day that was said, and what else it may be. Of a bare hour today, it is the one to come.
func (r resolver) onDay(day time.Time, named bool) (time.Time, []Alternative) {
	said, other := r.times()
	start := r.at(day, said)
	if other == nil {
		return start, nil
	}
	late := r.at(day, *other)
	if day.Equal(r.today) && !start.After(r.now) && late.After(r.now) {
		return late, nil
	}
	return start, []Alternative{{Label: r.label(late, start), Start: late}}
}

// once reads a time that does not come back.
func (r resolver) once(reading *Reading) error {
	if !r.m.date.given {
		return r.nextTime(reading)
	}
	days, err := r.days(r.m.date)
	if err != nil {
		return err
	}
	if r.m.date.byOff && r.m.date.offset == 0 && r.m.date.plus.nothing() && !r.m.clock.given && r.m.part == "" {
		return r.laterToday(reading)
	}
	if r.m.clock.midnight && len(days) > 0 && days[0].Equal(r.today) && r.m.date.byOff {
		reading.Start = r.at(days[0], clock{hour: 24})
		return nil
	}
	said, _ := r.times()
	if !r.m.clock.given && r.m.part == "" && r.m.date.edge == "end" && r.m.date.edgeOf == "week" {
		said = clock{hour: 17}
		r.m.clock = clock{given: true, hour: 17, sure: true}
	}
	day := days[0]
	if r.floating(r.m.date) {
		late := said
		if _, other := r.times(); other != nil {
			late = *other
		}
		for tries := 0; !r.at(day, late).After(r.now) && tries < 2; tries++ {
			day = r.following(r.m.date, day)
		}
	}
	reading.Start, reading.Other = r.onDay(day, true)
	if begins := r.at(day, clock{}); r.m.clock.midnight && begins.After(r.now) {
		reading.Other = append(reading.Other, Alternative{Label: r.label(begins, reading.Start), Start: begins})
	}
	for _, d := range days[1:] {
		if t, _ := r.onDay(d, true); t.After(r.now) && !t.Equal(reading.Start) {
			reading.Other = append(reading.Other, Alternative{Label: r.label(t, reading.Start), Start: t})
		}
	}
	return r.notPast(reading.Start)
}

// floating says whether a date comes again: 3 December without a year, the 3rd.
func (r resolver) floating(d date) bool {
	return d.year == 0 && (d.day != 0 || d.month != 0 || d.nth != 0 || d.edge != "") && !d.byMonth && !d.byYear && d.weeks == 0 && d.months == 0 &&
		d.years == 0 && !d.byWeek && !(d.edge != "" && d.edgeOf != "month")
}

// following returns the next day after one that is over of a date that comes again.
func (r resolver) following(d date, day time.Time) time.Time {
	if d.month != 0 {
		d.year = day.Year() + 1
	} else {
		d.months = monthsBetween(r.today, day) + 1
		d.byMonth = true
	}
	if days, err := r.days(d); err == nil {
		return days[0]
	}
	return day
}

func monthsBetween(a, b time.Time) int {
	return (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month())
}

// laterToday is today without a time: 09:00, or the next of the day's usual times.
func (r resolver) laterToday(reading *Reading) error {
	for _, h := range []int{9, 12, 15, 18, 20} {
		if t := r.at(r.today, clock{hour: h}); t.After(r.now) {
			reading.Start = t
			return nil
		}
	}
	return unclear(Past, r.lang)
}

// nextTime reads a time without a date: the next one. A bare hour that is over is the one of the afternoon, if it is to
// come today.
func (r resolver) nextTime(reading *Reading) error {
	said, other := r.times()
	today, tomorrow := r.at(r.today, said), r.at(r.today.AddDate(0, 0, 1), said)
	if said.hour >= 24 { // midnight of the coming night, 24:00
		if early := r.at(r.today.AddDate(0, 0, -1), said); early.After(r.now) {
			today = early
		}
	}
	if other == nil {
		reading.Start = today
		if !today.After(r.now) {
			reading.Start = tomorrow
		}
		return nil
	}
	lateToday, lateTomorrow := r.at(r.today, *other), r.at(r.today.AddDate(0, 0, 1), *other)
	first, second := tomorrow, lateTomorrow
	switch {
	case today.After(r.now):
		first, second = today, lateToday
	case lateToday.After(r.now):
		first, second = lateToday, tomorrow
	}
	reading.Start = first
	reading.Other = []Alternative{{Label: r.label(second, first), Start: second}}
	return nil
}

// label names another reading beside the one that was taken: a time, or a day as well where that differs.
func (r resolver) label(other, taken time.Time) string {
	text := other.Format("15:04")
	if other.Second() != 0 {
		text = other.Format("15:04:05")
	}
	switch day := dayOf(other); {
	case day.Equal(dayOf(taken)):
		return text
	case day.Equal(r.today.AddDate(0, 0, 1)):
		return tomorrowWord(r.lang) + " " + text
	default:
		return dateText(other, r.lang) + timeGap(r.lang) + text
	}
}

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
	if isoWeekday(r.today) == 7 || isoWeekday(r.today) == 6 && !r.at(r.today, r.firstClock()).After(r.now) {
		coming = week.AddDate(0, 0, 7)
	}
	switch d.rel {
	case "next":
		return []time.Time{week.AddDate(0, 0, 7), coming}, nil
	case "next2":
		return []time.Time{week.AddDate(0, 0, 14)}, nil
	}
	return []time.Time{coming}, nil
}

func (r resolver) firstClock() clock {
	said, _ := r.times()
	return said
}

func (r resolver) edge(d date) time.Time {
	switch d.edgeOf {
	case "week":
		start := monday(r.today).AddDate(0, 0, 7*d.weeks)
		switch d.edge {
		case "start":
			return start
		case "middle":
			return start.AddDate(0, 0, 2)
		}
		return start.AddDate(0, 0, 4)
	case "year":
		start := time.Date(r.today.Year()+d.years, 1, 1, 0, 0, 0, 0, time.UTC)
		switch d.edge {
		case "start":
			if d.years == 0 {
				start = start.AddDate(1, 0, 0)
			}
			return start
		case "middle":
			return start.AddDate(0, 6, 0)
		}
		return start.AddDate(1, 0, -1)
	}
	start := time.Date(r.today.Year(), r.today.Month()+time.Month(d.months), 1, 0, 0, 0, 0, time.UTC)
	if d.month != 0 {
		year := d.year
		if year == 0 {
			year = r.today.Year()
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
			year = r.today.Year()
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

// sun reads a time by the sun, which the caller knows: the day alone is read here.
func (r resolver) sun(reading *Reading) error {
	day := r.today
	if r.m.date.given {
		days, err := r.days(r.m.date)
		if err != nil {
			return err
		}
		day = days[0]
	}
	if day.Before(r.today) {
		return unclear(Past, r.lang)
	}
	reading.Sun, reading.Start = sunText(r.m.sun, r.m.sunOff), r.at(day, clock{})
	return nil
}

// sunText writes a time by the sun: sunset-30m.
func sunText(sun string, offset time.Duration) string {
	if offset == 0 {
		return sun
	}
	text := strings.TrimSuffix(offset.Abs().String(), "0s")
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	sign := "+"
	if offset < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%s%s", sun, sign, text)
}
