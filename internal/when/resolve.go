package when

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/recurrence"
)

// resolver holds a moment against now.
type resolver struct {
	now   time.Time
	today time.Time // a day, see dayOf
	lang  string
	m     moment
	timer bool // it counts down
}

// at returns the instant of a time on a day. The clock may be 24:00, and pass midnight.
func (r resolver) at(day time.Time, c clock) time.Time {
	wall := time.Date(day.Year(), day.Month(), day.Day(), c.hour, c.minute, c.second, 0, time.UTC)
	t := recurrence.Instant(wall, r.now.Location())
	if c.offset == 0 {
		return t
	}
	for _, twin := range recurrence.Instants(wall, r.now.Location()) {
		if _, east := twin.Zone(); east == c.offset-daySeconds {
			return twin
		}
	}
	return t
}

// missedOnce is said of what is usual anyway.
const missedOnce = "once"

// daySeconds is added to a clock's offset from UTC, so that none is zero.
const daySeconds = 24 * 60 * 60

// resolve returns the reading of a moment.
func (r resolver) resolve() (Reading, error) {
	m := r.m
	if !m.clock.valid() || m.date.impossible {
		return Reading{}, unclear(Impossible, r.lang)
	}
	if here, _ := r.now.Zone(); m.elsewhere != "" && !strings.EqualFold(m.elsewhere, here) {
		return Reading{}, unclear(Elsewhere, r.lang)
	}
	if m.repeat.until == nil {
		r.m.repeat.until = m.last
	}
	reading := Reading{Lang: r.lang, UntilAcknowledged: m.untilDone}
	if m.missed != missedOnce {
		reading.Missed = m.missed
	}
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
	start := r.fromNow(*r.m.after)
	if len(r.m.more) > 0 {
		return r.several(reading, []time.Time{dayOf(start)})
	}
	if r.m.clock.given || r.m.part != "" {
		day := dayOf(start)
		reading.Start, reading.Other = r.onDay(day)
	} else {
		reading.Start = start
	}
	if !reading.Start.After(r.now) { // in 0 minutes
		return unclear(Impossible, r.lang)
	}
	return nil
}

// exactBelow is the length from which on a time from now is one of whole minutes.
const exactBelow = 10 * minute

// fromNow returns the time that is l from now, to the minute where that is long: nobody means the seconds of the clock in "in three weeks".
// A countdown keeps them.
func (r resolver) fromNow(l length) time.Time {
	at := l.after(r.now)
	if r.timer || l.total() < exactBelow || l.elapsed%minute != 0 {
		return at
	}
	return at.Round(minute)
}

// notPast asks for a time that is over.
func (r resolver) notPast(t time.Time) error {
	if !t.After(r.now) {
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
		if part == "now" { // the same time tomorrow
			return clock{hour: r.now.Hour(), minute: r.now.Minute()}, nil
		}
		return partTime(part, r.lang), nil
	}
	if part != "" && c.hour <= 12 && c.hour != 0 {
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
	hour := map[string]int{"dawn": 5, "noon": 12, "afternoon": 15, "close": 17, "evening": 18, "night": 20, "bed": 22}[part]
	if part == "evening" && lang == "zh" {
		hour = 19
	}
	return clock{hour: cmp.Or(hour, 9)}
}

// inPart moves an hour of a twelve-hour clock into its part of the day. Tonight, an hour after midnight is tomorrow's.
func inPart(c clock, part string, tonight bool) clock {
	c.sure = true
	h := c.hour
	switch {
	case part == "dawn" && h == 12:
		c.hour = 0
	case (part == "evening" || part == "night" || part == "bed") && h == 12:
		c.hour = 24
	case part == "bed" && h >= 6 && h < 12, part == "noon" && h < 6, part == "afternoon" && h < 12, part == "evening" && h >= 3 && h < 12, part == "night" && h >= 6 && h < 12:
		c.hour += 12
	case part == "evening" && h < 3, part == "night" && h < 6 && tonight:
		c.hour += 24
	}
	return c
}

// onDay returns the time on a day that was said, and what else it may be. Of a bare hour today, it is the one to come.
func (r resolver) onDay(day time.Time) (time.Time, []Alternative) {
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
		if len(r.m.more) > 0 {
			return r.several(reading, nil)
		}
		return r.nextTime(reading)
	}
	days, err := r.days(r.m.date)
	if err != nil {
		return err
	}
	if len(r.m.more) > 0 {
		return r.several(reading, days)
	}
	if r.m.date.byOff && r.m.date.offset == 0 && r.m.date.plus.nothing() && !r.m.clock.given && r.m.part == "" {
		return r.laterToday(reading)
	}
	if r.m.clock.midnight && days[0].Equal(r.today) && r.m.date.byOff {
		reading.Start = r.at(days[0], clock{hour: 24})
		return nil
	}
	if !r.m.clock.given && r.m.part == "" && r.m.date.edge == "end" && r.m.date.edgeOf == "week" {
		r.m.clock = clock{given: true, hour: 17, sure: true}
	}
	day := days[0]
	if r.floating(r.m.date) {
		for tries := 0; !r.at(day, r.lastClock()).After(r.now) && tries < 2; tries++ {
			day = r.following(r.m.date, day)
		}
	}
	reading.Start, reading.Other = r.onDay(day)
	if begins := r.at(day, clock{}); r.m.clock.midnight && begins.After(r.now) {
		reading.Other = append(reading.Other, Alternative{Label: r.label(begins, reading.Start), Start: begins})
	}
	var otherDays []Alternative // first: who is reminded on a wrong day misses more than who is on a wrong hour
	for _, d := range days[1:] {
		if t, _ := r.onDay(d); t.After(r.now) && !t.Equal(reading.Start) {
			otherDays = append(otherDays, Alternative{Label: r.label(t, reading.Start), Start: t})
		}
	}
	reading.Other = append(otherDays, reading.Other...)
	return r.notPast(reading.Start)
}

// floating says whether a date comes again: 3 December without a year, the 3rd.
func (r resolver) floating(d date) bool {
	return d.year == 0 && (d.day != 0 || d.month != 0 || d.nth != 0 || d.edge != "") && !d.byMonth && !d.byYear && !d.byWeek && d.months == 0 &&
		d.years == 0 && (d.edge == "" || d.edgeOf == "month")
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

// nextTime reads a time without a date: the next one. A bare hour is of the morning or of the afternoon, whichever comes first, and then
// the other one may be meant. An hour behind midnight may be that of yesterday's night, which is not over.
func (r resolver) nextTime(reading *Reading) error {
	said, other := r.times()
	var coming []time.Time
	for _, day := range []time.Time{r.today.AddDate(0, 0, -1), r.today, r.today.AddDate(0, 0, 1)} {
		coming = append(coming, r.at(day, said))
		if other != nil {
			coming = append(coming, r.at(day, *other))
		}
	}
	coming = slices.DeleteFunc(coming, func(t time.Time) bool { return !t.After(r.now) })
	reading.Start = coming[0]
	if other != nil {
		reading.Other = []Alternative{{Label: r.label(coming[1], coming[0]), Start: coming[1]}}
	}
	return nil
}

// label names another reading beside the one that was taken: a time, or a day as well where that differs.
func (r resolver) label(other, taken time.Time) string {
	text := other.Format("15:04")
	if other.Second() != 0 {
		text = other.Format("15:04:05")
	}
	w := newVoice(r.lang)
	switch day := dayOf(other); {
	case day.Equal(dayOf(taken)):
		return text
	case day.Equal(r.today.AddDate(0, 0, 1)):
		return w.Text("tomorrow", text)
	default:
		return w.Text("at", w.day(other, true), text)
	}
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

// ParseSun reads a time by the sun: sunset, sunset-30m, sunrise+1h. It knows no names of the sun.
func ParseSun(text string) (name string, offset time.Duration, err error) {
	if i := strings.IndexAny(text, "+-"); i > 0 {
		offset, err = time.ParseDuration(text[i:])
		return text[:i], offset, err
	}
	return text, 0, nil
}

// sunText writes a time by the sun: sunset-30m.
func sunText(sun string, offset time.Duration) string {
	if offset == 0 {
		return sun
	}
	sign := "+"
	if offset < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%s%s", sun, sign, display.Duration(offset.Abs()))
}
