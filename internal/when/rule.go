package when

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// rule is a rule of RFC 5545 with what hob writes of it.
type rule struct {
	freq       string // SECONDLY to YEARLY
	until      time.Time
	count      int
	interval   int
	month      int
	monthDays  []int
	days       []int // weekdays
	nth        int   // of the only weekday
	times      []int // of a day, in minutes, where there are several; else it is that of the start
	lastOfDays bool  // BYSETPOS=-1: the last of monthDays that the month has
}

// weekdayCodes are those of RFC 5545, the first at 1.
func weekdayCodes() []string { return []string{"", "MO", "TU", "WE", "TH", "FR", "SA", "SU"} }

// String writes the rule as the value of an RRULE.
func (r rule) String() string {
	parts := []string{"FREQ=" + r.freq}
	add := func(name, value string) { parts = append(parts, name+"="+value) }
	if !r.until.IsZero() {
		add("UNTIL", r.until.UTC().Format("20060102T150405Z"))
	}
	if r.count > 0 {
		add("COUNT", strconv.Itoa(r.count))
	}
	if r.interval > 1 {
		add("INTERVAL", strconv.Itoa(r.interval))
	}
	if r.month > 0 {
		add("BYMONTH", strconv.Itoa(r.month))
	}
	if len(r.monthDays) > 0 {
		add("BYMONTHDAY", joinInts(r.monthDays))
	}
	if len(r.days) > 0 {
		var days []string
		for _, d := range r.days {
			code := weekdayCodes()[d]
			if r.nth != 0 {
				code = strconv.Itoa(r.nth) + code
			}
			days = append(days, code)
		}
		add("BYDAY", strings.Join(days, ","))
	}
	if len(r.times) > 0 {
		parts = append(parts, r.timesOf()...)
	} else if r.lastOfDays {
		add("BYSETPOS", "-1")
	}
	return strings.Join(parts, ";")
}

// parseRule reads what String writes.
func parseRule(text string) (rule, bool) {
	r := rule{interval: 1}
	var hours, minutes, positions []int
	for part := range strings.SplitSeq(text, ";") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return rule{}, false
		}
		var err error
		switch name {
		case "FREQ":
			r.freq = value
		case "UNTIL":
			r.until, err = time.Parse("20060102T150405Z", value)
		case "COUNT":
			r.count, err = strconv.Atoi(value)
		case "INTERVAL":
			r.interval, err = strconv.Atoi(value)
		case "BYMONTH":
			r.month, err = strconv.Atoi(value)
		case "BYMONTHDAY":
			r.monthDays, err = splitInts(value)
		case "BYHOUR":
			hours, err = splitInts(value)
		case "BYMINUTE":
			minutes, err = splitInts(value)
		case "BYDAY":
			for d := range strings.SplitSeq(value, ",") {
				if len(d) < 2 {
					return rule{}, false
				}
				day := slices.Index(weekdayCodes(), d[len(d)-2:])
				if day < 1 {
					return rule{}, false
				}
				if len(d) > 2 {
					r.nth, err = strconv.Atoi(d[:len(d)-2])
				}
				if r.nth < -1 || r.nth > 5 {
					return rule{}, false
				}
				r.days = append(r.days, day)
			}
		case "BYSETPOS":
			positions, err = splitInts(value)
		default:
			return rule{}, false
		}
		if err != nil {
			return rule{}, false
		}
	}
	if r.lastOfDays = slices.Equal(positions, []int{-1}); len(hours) > 0 {
		r.setTimes(hours, minutes, positions)
	}
	return r, sameParts(r.String(), text)
}

// sameParts says whether two rules have the same parts, in whatever order.
func sameParts(a, b string) bool {
	parts := func(text string) []string {
		all := strings.Split(strings.TrimSuffix(text, ";"), ";")
		slices.Sort(all)
		return slices.DeleteFunc(all, func(part string) bool { return part == "INTERVAL=1" })
	}
	return slices.Equal(parts(a), parts(b))
}

// setDay sets the day of a month, or where month is 0 of each month. The 29th to 31st are the last day of a month that is shorter, for
// which RFC 5545 has no word: the last of those days that there are.
func (r *rule) setDay(month, day int) {
	r.month, r.monthDays, r.lastOfDays = month, []int{day}, false
	if day <= 28 || month != 0 && month != 2 {
		return
	}
	r.monthDays, r.lastOfDays = nil, true
	for d := 28; d <= day; d++ {
		r.monthDays = append(r.monthDays, d)
	}
}

// ofDays says whether the rule counts days, and not hours.
func (r rule) ofDays() bool {
	return !slices.Contains([]string{"HOURLY", "MINUTELY", "SECONDLY"}, r.freq)
}

// first returns the first day from a day on that the rule has, when it begins there.
func (r rule) first(from time.Time, fits func(day time.Time) bool) (time.Time, bool) {
	switch {
	case r.nth != 0:
		month := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC)
		for range 12 * 30 {
			if r.month == 0 || int(month.Month()) == r.month {
				if day, ok := nthWeekday(month, r.days[0], r.nth); ok && !day.Before(from) && fits(day) {
					return day, true
				}
			}
			month = month.AddDate(0, 1, 0)
		}
	case len(r.days) > 0:
		for i := range 15 {
			day := from.AddDate(0, 0, i)
			if slices.Contains(r.days, isoWeekday(day)) && fits(day) {
				return day, true
			}
		}
	case len(r.monthDays) > 0:
		month := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC)
		want := r.monthDays[len(r.monthDays)-1]
		for range 12 * 3 {
			last := daysIn(month)
			n := min(want, last)
			if want < 0 {
				n = last + 1 + want
			}
			day := month.AddDate(0, 0, n-1)
			if (r.month == 0 || int(month.Month()) == r.month) && !day.Before(from) && fits(day) {
				return day, true
			}
			month = month.AddDate(0, 1, 0)
		}
	default:
		for i := range 3 {
			day := r.step(from, i)
			if fits(day) {
				return day, true
			}
		}
	}
	return time.Time{}, false
}

// step returns the day that is n cycles after another.
func (r rule) step(day time.Time, n int) time.Time {
	n *= max(r.interval, 1)
	switch r.freq {
	case "DAILY":
		return day.AddDate(0, 0, n)
	case "WEEKLY":
		return day.AddDate(0, 0, 7*n)
	case "MONTHLY":
		return addMonths(day, n)
	}
	return addMonths(day, 12*n)
}

// lasts is how long a cycle of hours, minutes or seconds is.
func (r rule) lasts() time.Duration {
	return map[string]time.Duration{"HOURLY": hour, "MINUTELY": minute, "SECONDLY": second}[r.freq] * time.Duration(max(r.interval, 1))
}

// freqOf is the FREQ of a unit.
func freqOf(unit string) string {
	return map[string]string{"sec": "SECONDLY", "min": "MINUTELY", "hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}[unit]
}

// ruleOf returns the rule of what was said.
func (r resolver) ruleOf() (rule, error) {
	m := r.m
	rp := m.repeat
	if !rp.leaveOut() {
		return rule{}, unclear(Unruled, r.lang)
	}
	if !r.m.isOften() {
		return rule{}, unclear(Often, r.lang)
	}
	out := rule{interval: rp.every, days: slices.Clone(rp.days), count: rp.count}
	if out.freq = freqOf(rp.unit); out.freq == "SECONDLY" {
		return out, unclear(Impossible, r.lang)
	}
	d := m.date
	if !d.given {
		if !d.plus.nothing() { // every year a week beforehand
			return rule{}, unclear(Unruled, r.lang)
		}
		return out, nil
	}
	if !d.plus.nothing() && !d.shift() {
		return rule{}, unclear(Unruled, r.lang)
	}
	switch {
	case d.nth != 0 && (rp.unit == "month" || rp.unit == "year"):
		out.days, out.nth, out.month = []int{d.weekday}, d.nth, d.month
		if d.month != 0 {
			out.freq = "YEARLY"
		}
	case d.edge != "" && d.edgeOf == "month" && d.month == 0 && rp.unit == "month":
		out.monthDays = []int{map[string]int{"start": 1, "middle": 15, "end": -1}[d.edge]}
	case d.month != 0 && d.day != 0 && d.year == 0 && d.weekday == 0 && rp.unit == "year":
		out.setDay(d.month, d.day)
	case d.day != 0 && d.month == 0 && rp.unit == "month":
		out.setDay(0, d.day)
	case d.weekday != 0 && d.nth == 0 && (rp.unit == "week" || rp.unit == "day" && rp.every == 1) && len(rp.days) == 0 && !d.byWeek && d.day == 0:
		out.freq, out.days = "WEEKLY", []int{d.weekday}
	}
	return out, nil
}

// isOften says whether a moment that comes so often a day or a week has as many times or days.
func (m moment) isOften() bool {
	switch times := 1 + len(m.more); {
	case m.repeat.per == 0:
		return true
	case m.repeat.unit == "week":
		return len(m.repeat.days) == m.repeat.per
	case m.repeat.unit == "day":
		return times == m.repeat.per && (m.clock.given || m.part != "")
	}
	return false
}

// shift moves the day of a rule by what it is before or after it: a week before 14 March is the 7th. It says whether that is the same day each time.
func (d *date) shift() bool {
	at := func(year, month int) time.Time {
		return addMonths(time.Date(year, time.Month(month), d.day, 0, 0, 0, 0, time.UTC), d.plus.months).AddDate(0, 0, d.plus.days)
	}
	switch plus := d.plus; {
	case d.nth != 0 || d.edge != "" || d.year != 0 || d.weekend:
		return false
	case d.month != 0 && d.day != 0:
		common, leap := at(2023, d.month), at(2024, d.month)
		if common.Month() != leap.Month() || common.Day() != leap.Day() {
			return false
		}
		d.month, d.day = int(common.Month()), common.Day()
	case d.day != 0:
		d.day += plus.days
		if plus.months != 0 || d.day < 1 || d.day > 28 || d.day-plus.days > 28 {
			return false
		}
	case d.weekday != 0 && plus.months == 0:
		d.weekday = ((d.weekday-1+plus.days)%7+7)%7 + 1
	default:
		return false
	}
	d.plus = length{}
	return true
}

// ends returns the last day of what a repetition is within: every Tuesday in December, every day next week. A date of a day has none.
func (d date) ends(unit string, first time.Time) (time.Time, bool) {
	switch isLong := d.day == 0 && d.nth == 0 && d.edge == "" && d.weekday == 0 && !d.weekend && d.plus.nothing(); {
	case !isLong:
	case d.byWeek:
		return first.AddDate(0, 0, 6), unitRank(unit) <= unitRank("week")
	case d.month != 0 || d.byMonth:
		return first.AddDate(0, 1, -1), unitRank(unit) < unitRank("month")
	case d.year != 0 || d.byYear:
		return first.AddDate(1, 0, -1), unitRank(unit) < unitRank("year")
	}
	return time.Time{}, false
}

// anchored says whether the date of a repetition is its first day, and not a part of the rule.
func anchored(out rule, d date) bool {
	return d.given && len(out.monthDays) == 0 && out.nth == 0 && !(len(out.days) == 1 && out.days[0] == d.weekday)
}

// repeated reads a time that comes back.
func (r resolver) repeated(reading *Reading) error {
	out, err := r.ruleOf()
	if err != nil {
		return err
	}
	from := r.today
	bound := r.m.date
	isAnchored := anchored(out, bound)
	if r.m.repeat.from != nil {
		bound, isAnchored = r.m.repeat.from.date, true
	}
	if isAnchored {
		days, err := r.days(bound)
		if err != nil {
			return err
		}
		from = days[0]
		if last, ok := bound.ends(r.m.repeat.unit, from); ok && r.m.repeat.from == nil && !last.Before(r.today) {
			if from.Before(r.today) {
				from = r.today
			}
			if rp := &r.m.repeat; rp.until == nil && rp.count == 0 && rp.lasts.nothing() {
				rp.until = &moment{date: date{given: true, year: last.Year(), month: int(last.Month()), day: last.Day()}}
			}
		}
		if from.Before(r.today) && bound.year == 0 {
			return unclear(Past, r.lang)
		}
	}
	if out.freq == "MONTHLY" && len(out.monthDays) == 0 && out.nth == 0 && from.Day() > 28 {
		out.setDay(0, from.Day())
	}
	if out.freq == "YEARLY" && out.month == 0 && from.Month() == 2 && from.Day() == 29 {
		out.setDay(2, 29)
	}
	if r.m.sun != "" {
		day, ok := out.first(from, func(time.Time) bool { return true })
		if !ok {
			return unclear(Impossible, r.lang)
		}
		reading.Sun, reading.Start = sunText(r.m.sun, r.m.sunOff), r.at(day, clock{})
		return r.bounded(reading, out)
	}
	if len(r.m.more) > 0 || r.m.repeat.window != nil {
		if !out.ofDays() && r.m.repeat.window != nil {
			out.freq, out.interval = "DAILY", 1
		}
		var ok bool
		if out.times, ok = r.slots(); !ok || !out.ofDays() {
			return unclear(Impossible, r.lang)
		}
		if len(out.times) == 1 {
			r.m.clock, r.m.part, out.times = clockAtMinute(out.times[0]), "", nil
		}
	}
	if !out.ofDays() {
		return r.hourly(reading, out, from, isAnchored)
	}
	said, other := r.times()
	if said.hour >= 24 { // a night's hour past midnight is of the next day
		said.hour -= 24
		for i, day := range out.days {
			if out.nth == 0 {
				out.days[i] = day%7 + 1
			}
		}
		slices.Sort(out.days)
	}
	start, ok := r.firstAt(out, from, said)
	if !ok {
		return unclear(Impossible, r.lang)
	}
	reading.Start = start
	if err := r.bounded(reading, out); err != nil {
		return err
	}
	if other != nil && out.times == nil {
		if late, ok := r.firstAt(out, from, *other); ok {
			second := Reading{Start: late}
			if r.bounded(&second, out) == nil {
				reading.Other = []Alternative{{Label: late.Format("15:04"), Start: late, Repeat: second.Repeat}}
			}
		}
	}
	return nil
}

// firstAt returns the first instant of a rule from a day on that is still to come.
func (r resolver) firstAt(out rule, from time.Time, c clock) (time.Time, bool) {
	last := c
	if len(out.times) > 0 {
		last = clockAtMinute(out.times[len(out.times)-1])
	}
	toCome := func(day time.Time) bool { return r.at(day, last).After(r.now) }
	day, ok := out.first(from, toCome)
	if !ok && from.Before(r.today) {
		day, ok = out.first(r.today, toCome)
	}
	for _, t := range out.times {
		if at := r.at(day, clockAtMinute(t)); ok && at.After(r.now) {
			return at, true
		}
	}
	return r.at(day, c), ok
}

// hourly reads every 2 hours: from now, or from the time that was said.
func (r resolver) hourly(reading *Reading, out rule, from time.Time, anchored bool) error {
	step := out.lasts()
	switch {
	case r.m.clock.given || r.m.part != "":
		said, _ := r.times()
		start := r.at(from, said)
		if !start.After(r.now) && !anchored {
			start = r.at(from.AddDate(0, 0, 1), said)
		}
		reading.Start = start
	case anchored:
		reading.Start = r.at(from, clock{hour: 9})
		if !reading.Start.After(r.now) {
			reading.Start = r.fromNow(length{elapsed: step})
		}
	default:
		reading.Start = r.fromNow(length{elapsed: step})
	}
	if err := r.notPast(reading.Start); err != nil {
		return err
	}
	return r.bounded(reading, out)
}

// bounded sets the rule of a reading with its end.
func (r resolver) bounded(reading *Reading, out rule) error {
	rp := r.m.repeat
	if rp.until != nil {
		last, err := r.until(*rp.until, reading.Start)
		if err != nil {
			return err
		}
		out.until = last
		if out.until.Before(reading.Start) {
			return unclear(Past, r.lang)
		}
	}
	if l := rp.lasts; !l.nothing() {
		if n, ok := counted(out, l); ok {
			out.count = n
		} else if l.calendar() {
			end := addMonths(dayOf(reading.Start), l.months).AddDate(0, 0, l.days-1)
			out.until = r.at(end, clock{hour: 23, minute: 59, second: 59})
		} else {
			return unclear(Impossible, r.lang)
		}
	}
	if out.count > 0 && !out.until.IsZero() {
		out.count = 0
	}
	reading.Repeat = out.String()
	return nil
}

// until returns the last instant of a repetition: the end of a day, or a time of it. A time alone is of the day that
// begins it.
func (r resolver) until(m moment, start time.Time) (time.Time, error) {
	day := dayOf(start)
	if m.date.given {
		days, err := r.days(m.date)
		if err != nil {
			return time.Time{}, err
		}
		day = days[0]
	}
	c := m.clock
	switch {
	case !c.given:
		return r.at(day, clock{hour: 23, minute: 59, second: 59}), nil
	case !c.valid():
		return time.Time{}, unclear(Impossible, r.lang)
	case c.midnight:
		c.hour = 24
	}
	last := r.at(day, c)
	if late := c; c.bare() && last.Before(start) {
		late.hour += 12
		last = r.at(day, late)
	}
	return last, nil
}

// counted returns how often a rule comes in a length: for 5 days, daily, is five times.
func counted(out rule, l length) (int, bool) {
	per, times := max(out.interval, 1), max(len(out.times), 1)
	switch {
	case out.freq == "DAILY" && l.months == 0 && l.elapsed == 0 && l.days%per == 0:
		return l.days / per * times, l.days > 0
	case out.freq == "WEEKLY" && l.months == 0 && l.elapsed == 0 && l.days%(7*per) == 0:
		return l.days / 7 / per * max(len(out.days), 1) * times, l.days > 0
	case out.freq == "MONTHLY" && l.days == 0 && l.elapsed == 0 && l.months%per == 0:
		return l.months / per * times, l.months > 0
	case out.freq == "YEARLY" && l.days == 0 && l.elapsed == 0 && l.months%(12*per) == 0:
		return l.months / 12 / per * times, l.months > 0
	case !out.ofDays() && l.months == 0:
		return int(l.total() / out.lasts()), l.total() >= out.lasts()
	}
	return 0, false
}

// afterDone reads a time that counts from Done: every! 8 hours.
func (r resolver) afterDone(reading *Reading) error {
	m := r.m
	every := m.afterDone
	if rp := m.repeat; rp.until != nil || rp.count > 0 || !rp.lasts.nothing() || rp.barred || len(rp.out) > 0 || rp.window != nil {
		return unclear(Unruled, r.lang)
	}
	first := length{elapsed: every}
	if every == 0 {
		unit := m.repeat.unit
		l, ok := lengthOf(float64(m.repeat.every), unit)
		if !ok || len(m.repeat.days) > 0 {
			return unclear(Impossible, r.lang)
		}
		every, first = l.total(), l
	}
	if every <= 0 {
		return unclear(Impossible, r.lang)
	}
	reading.AfterDone = every
	m.afterDone, m.repeat = 0, repeat{}
	if r.m.repeat.from != nil && !m.date.given {
		m.date = r.m.repeat.from.date
	}
	if !m.empty() {
		inner := resolver{r.now, r.today, r.lang, m, r.timer}
		told, err := inner.resolve()
		reading.Start, reading.Other, reading.Sun = told.Start, told.Other, told.Sun
		return err
	}
	if first.months == 0 && every%(24*hour) == 0 {
		first = length{days: int(every / (24 * hour))}
	}
	reading.Start = r.fromNow(first)
	return nil
}

func unclear(p Problem, lang string) error {
	return &Unclear{Problem: p, Question: newVoice(lang).Text(string(p))}
}
