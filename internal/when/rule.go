package when

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/recurrence"
)

// rule is a rule of RFC 5545 with what hob writes of it.
type rule struct {
	unit       string // of the cycle, see units
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
	parts := []string{"FREQ=" + unitOf(r.unit).freq}
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
	all, err := recurrence.Parse(text, time.UTC)
	if err != nil {
		return rule{}, false
	}
	at := slices.IndexFunc(units(), func(u unit) bool { return u.freq == all.Freq.String() })
	r := rule{unit: units()[at].name, until: all.Until, count: all.Count, interval: all.Interval, monthDays: all.Bymonthday}
	if len(all.Bymonth) > 0 {
		r.month = all.Bymonth[0]
	}
	for _, d := range all.Byweekday {
		r.days, r.nth = append(r.days, d.Day()+1), d.N()
	}
	if r.lastOfDays = slices.Equal(all.Bysetpos, []int{-1}); len(all.Byhour) > 0 {
		r.setTimes(all.Byhour, all.Byminute, all.Bysetpos)
	}
	return r, r.nth >= -1 && r.nth <= 5 && sameParts(r.String(), text)
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
func (r rule) ofDays() bool { return !ofHours(r.unit) }

// namesDays says whether the rule says which days it has, and is not only a distance from the first.
func (r rule) namesDays() bool { return len(r.days)+len(r.monthDays) > 0 }

// has says whether a rule that names days has one. Of the last days of a month it is the last that there is.
func (r rule) has(day time.Time) bool {
	last := daysIn(day)
	switch {
	case r.month != 0 && int(day.Month()) != r.month:
		return false
	case len(r.monthDays) == 0:
		isNth := (day.Day()-1)/7+1 == r.nth || r.nth < 0 && day.Day()+7 > last
		return slices.Contains(r.days, isoWeekday(day)) && (r.nth == 0 || isNth)
	}
	want := r.monthDays[len(r.monthDays)-1]
	if want < 0 {
		want += last + 1
	}
	return day.Day() == min(want, last)
}

// first returns the first day from a day on that the rule has, when it begins there.
func (r rule) first(from time.Time, fits func(day time.Time) bool) (time.Time, bool) {
	next, tries := r.step, 3
	if r.namesDays() {
		next, tries = func(day time.Time, n int) time.Time { return day.AddDate(0, 0, n) }, 30*366
	}
	for n := range tries {
		if day := next(from, n); (!r.namesDays() || r.has(day)) && fits(day) {
			return day, true
		}
	}
	return time.Time{}, false
}

// step returns the day that is n cycles after another.
func (r rule) step(day time.Time, n int) time.Time {
	return unitOf(r.unit).one.times(n * max(r.interval, 1)).behind(day)
}

// lasts is how long a cycle of hours, minutes or seconds is.
func (r rule) lasts() time.Duration {
	return unitOf(r.unit).one.elapsed * time.Duration(max(r.interval, 1))
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
	out := rule{unit: rp.unit, interval: rp.every, days: slices.Clone(rp.days), count: rp.count}
	if out.unit == "sec" {
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
			out.unit = "year"
		}
	case d.edge != "" && d.edgeOf == "month" && d.month == 0 && rp.unit == "month":
		out.monthDays = []int{map[string]int{"start": 1, "middle": 15, "end": -1}[d.edge]}
	case d.month != 0 && d.day != 0 && d.year == 0 && d.weekday == 0 && rp.unit == "year":
		out.setDay(d.month, d.day)
	case d.day != 0 && d.month == 0 && rp.unit == "month":
		out.setDay(0, d.day)
	case d.weekday != 0 && d.nth == 0 && (rp.unit == "week" || rp.unit == "day" && rp.every == 1) && len(rp.days) == 0 && !d.byWeek && d.day == 0:
		out.unit, out.days = "week", []int{d.weekday}
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
		return d.plus.behind(newDay(year, month, d.day))
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

// repeated reads a time that comes back: by the sun, by hours, or at times of days.
func (r resolver) repeated(reading *Reading) error {
	out, err := r.ruleOf()
	if err != nil {
		return err
	}
	from, isAnchored, err := r.begin(out)
	if err != nil {
		return err
	}
	out.keepDay(from)
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
			out.unit, out.interval = "day", 1
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
	return r.daily(reading, out, from)
}

// begin returns the first day of a repetition, and whether it was said: from Monday on, every day next week. What it is within ends it.
func (r *resolver) begin(out rule) (from time.Time, isAnchored bool, err error) {
	rp, bound := &r.m.repeat, r.m.date
	isAnchored = anchored(out, bound)
	if rp.from != nil {
		bound, isAnchored = rp.from.date, true
	}
	if !isAnchored {
		return r.today, false, nil
	}
	days, err := r.days(bound)
	if err != nil {
		return from, true, err
	}
	from = days[0]
	if last, ok := bound.ends(rp.unit, from); ok && rp.from == nil && !last.Before(r.today) {
		if from.Before(r.today) {
			from = r.today
		}
		if rp.until == nil && rp.count == 0 && rp.lasts.nothing() {
			rp.until = momentOn(last)
		}
	}
	if from.Before(r.today) && bound.year == 0 {
		err = unclear(Past, r.lang)
	}
	return from, true, err
}

// keepDay has a rule of months or years that begins on a day that not all have name that day.
func (r *rule) keepDay(first time.Time) {
	if r.unit == "month" && !r.namesDays() && first.Day() > 28 {
		r.setDay(0, first.Day())
	}
	if r.unit == "year" && r.month == 0 && first.Month() == 2 && first.Day() == 29 {
		r.setDay(2, 29)
	}
}

// daily reads a repetition at a time of some days.
func (r resolver) daily(reading *Reading, out rule, from time.Time) error {
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

// momentOn is a day as if it had been said.
func momentOn(day time.Time) *moment {
	return &moment{date: date{given: true, year: day.Year(), month: int(day.Month()), day: day.Day()}}
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
			end := l.behind(dayOf(reading.Start)).AddDate(0, 0, -1)
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
	if !out.ofDays() {
		return int(l.total() / out.lasts()), l.months == 0 && l.total() >= out.lasts()
	}
	one := unitOf(out.unit).one
	cycle, said, exact := one.days, l.days, length{days: l.days}
	if one.months > 0 {
		cycle, said, exact = one.months, l.months, length{months: l.months}
	}
	cycle *= max(out.interval, 1)
	return said / cycle * max(len(out.days), 1) * max(len(out.times), 1), l == exact && said > 0 && said%cycle == 0
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
