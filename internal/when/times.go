package when

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/lists"
)

// Several times of a day: "at 8 and at 20", "morning and evening", "every hour from 9 to 17".

// mostTimes is how many times of a day a rule may have, in all hours that it names times all minutes: package recurrence follows so many.
const mostTimes = 48

// daytime is a time of day as it was said: a clock, a part of the day, or both.
type daytime struct {
	clock clock
	part  string
	night bool
}

// window is a part of a day in which something comes back: from 9 to 17.
type window struct{ from, to clock }

// anotherTime reads a further time of day behind one: at 8 [and at 20].
func (p *reader) anotherTime(i int, m *moment) (int, bool) {
	if !m.clock.given && m.part == "" || m.sun != "" || m.after != nil && !m.after.calendar() || m.repeat.window != nil || len(m.more) >= mostTimes {
		return i, false
	}
	j := i
	if p.mark(j, ",") || p.mark(j, "/") {
		j++
	}
	joined := p.skip(j, "and")
	bare := joined == j // behind nothing but a comma
	if j = joined; j == i {
		return i, false
	}
	t := moment{repeat: repeat{unit: "day", every: 1}}
	next, behindPart := j, false
	if c, after, weak, ok := p.clockAt(j, true); ok && weak && m.clock.given && p.token(j).kind == 'n' && p.token(j).number <= 24 && (after > j+1 || p.endsHour(after)) {
		t.clock, next = c, after // at 8 and 20
	}
	for range 2 { // a clock and a part of the day, in their order
		behindPart = t.part != "" && !t.clock.given
		trial := t
		if after, ok := p.dayAndTime(next, &trial); ok && !trial.date.given {
			t, next = trial, after
		}
	}
	if !t.clock.given && t.part == "" || next == j {
		return i, false
	}
	if bare && !m.clock.given && t.clock.given && t.part == "" && len(m.more) == 0 && t.clock.fits(m.part) {
		return i, false // in the evening, at 7: the hour of that part
	}
	if first := (daytime{m.clock, m.part, m.night}); len(m.more) == 0 && behindPart && t.clock.bare() && first.takes(t.clock) {
		m.clock = t.clock // morning and evening at 8
	}
	if p.has("habit", 0, i) && p.has("habit", j, next) && m.repeat.unit == "" && !m.date.given { // morgens um 8 und abends: each day
		m.repeat = repeat{unit: "day", every: 1}
	}
	m.more = append(slices.Clip(m.more), daytime{t.clock, t.part, t.night})
	return next, true
}

// has reports whether one of some tokens means that.
func (p *reader) has(meaning string, from, to int) bool {
	for i := from; i < to; i++ {
		if p.is(i, meaning) {
			return true
		}
	}
	return false
}

// takes says whether a part of the day that has no hour may have one.
func (t daytime) takes(c clock) bool { return t.part != "" && !t.clock.given && c.fits(t.part) }

// fits says whether a time may be one of a part of the day.
func (c clock) fits(part string) bool {
	hours, ok := map[string][2]int{"morning": {4, 11}, "noon": {11, 14}, "afternoon": {12, 18}, "evening": {17, 23}, "night": {18, 24}}[part]
	hour := inPart(c, part, false).hour
	return ok && hours[0] <= hour && hour <= hours[1]
}

// endsHour says whether a number that ends before a token may be an hour of several: nothing follows that it could count.
func (p *reader) endsHour(i int) bool {
	t := p.token(i)
	if i >= len(p.tokens) || p.is(i, "and") || t.kind == 'p' && t.text != "." && t.text != ":" && t.text != "-" && t.text != "/" {
		return true
	}
	if p.is(i, "the") || p.is(i, "link") && !p.is(i, "of") {
		return true
	}
	m := moment{repeat: repeat{unit: "day", every: 1}}
	_, ok := p.piece(i, &m)
	return ok
}

// hours reads from one time of day to another, behind the word before it: 9 to 17, 2 and 4 pm.
func (p *reader) hours(i int) (window, int, bool) {
	from, j, _, ok := p.clockAt(p.skip(i, "at"), true)
	if !ok {
		return window{}, i, false
	}
	k := max(p.skip(j, "through"), p.skip(j, "and"), p.skip(j, "until"))
	to, next, _, ok := p.clockAt(p.skip(k, "at"), true)
	if k == j || !ok || !from.valid() || !to.valid() || from.midnight || to.midnight {
		return window{}, i, false
	}
	if minutesOf(to) <= minutesOf(from) && to.bare() {
		to.hour += 12
	}
	return window{from.sharing(to), to}, p.skip(next, "windowend"), true
}

// sharing gives a bare hour the afternoon of the hour that ends its range: 2 to 4 pm.
func (c clock) sharing(end clock) clock {
	if c.bare() && end.half && minutesOf(c)+12*60 < minutesOf(end) {
		c.hour, c.sure = c.hour+12, true
	}
	return c
}

// minutesOf is how many minutes after midnight a clock shows.
func minutesOf(c clock) int { return c.hour*60 + c.minute }

// slots returns the times of day of a moment that has several, in their order. One that could be of the morning is that, unless an
// earlier one stands before it: at 8 and at 6 is 08:00 and 18:00.
func (r resolver) slots() ([]int, bool) {
	if w := r.m.repeat.window; w != nil {
		step := map[string]int{"hour": 60, "min": 1}[r.m.repeat.unit] * r.m.repeat.every
		var all []int
		for at := minutesOf(w.from); at <= minutesOf(w.to) && at < 24*60 && step > 0 && len(all) <= mostTimes; at += step {
			all = append(all, at)
		}
		return all, len(all) > 0 && product(all) <= mostTimes
	}
	said := append([]daytime{{r.m.clock, r.m.part, r.m.night}}, r.m.more...)
	clocks := make([]clock, len(said))
	for i, t := range slices.Backward(said) {
		one := resolver{now: r.now, today: r.today, lang: r.lang, m: moment{clock: t.clock, part: t.part, night: t.night}}
		clocks[i], _ = one.times()
		if i == len(said)-1 || t.part != "" || !clocks[i].bare() {
			continue
		}
		after := said[i+1]
		shared := inPart(t.clock, after.part, false)
		if after.part == "" {
			shared = t.clock
			if after.clock.half && clocks[i+1].hour >= 12 { // 7 and 9 pm
				shared.hour += 12
			}
		}
		if minutesOf(shared) < minutesOf(clocks[i+1]) { // 8 and 9 in the evening
			clocks[i] = shared
			said[i].part = after.part
			said[i].clock.half = after.clock.half
		}
	}
	var all []int
	for i, c := range clocks {
		if !c.valid() && c.hour < 24 || c.second != 0 {
			return nil, false
		}
		if i > 0 && said[i].part == "" && c.bare() && minutesOf(c) <= all[i-1] && minutesOf(c)+12*60 > all[i-1] {
			c.hour += 12
		}
		all = append(all, minutesOf(c))
	}
	if slices.Max(all) >= 24*60 { // a time of the night to come: of a day that nobody named
		if r.m.date.given || r.m.repeat.unit != "" && (r.m.repeat.unit != "day" || r.m.repeat.every > 1) {
			return nil, false
		}
		for i := range all {
			all[i] %= 24 * 60
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all, product(all) <= mostTimes
}

// product is how many times hours and minutes make together.
func product(times []int) int {
	hours, minutes := hoursAndMinutes(times)
	return len(hours) * len(minutes)
}

// hoursAndMinutes lists the hours and the minutes of times of day, each once and in order.
func hoursAndMinutes(times []int) (hours, minutes []int) {
	for _, t := range times {
		hours, minutes = append(hours, t/60), append(minutes, t%60)
	}
	slices.Sort(hours)
	slices.Sort(minutes)
	return slices.Compact(hours), slices.Compact(minutes)
}

// several reads times of one day, each once.
func (r resolver) several(reading *Reading, days []time.Time) error {
	times, ok := r.slots()
	if !ok {
		return unclear(Impossible, r.lang)
	}
	out := rule{unit: "day", count: len(times), times: times}
	if days == nil {
		start, ok := r.firstAt(out, r.today, clock{})
		reading.Start = start
		if !ok {
			return unclear(Impossible, r.lang)
		}
		return r.bounded(reading, out)
	}
	day := days[0]
	if r.m.date.given && r.floating(r.m.date) && !r.at(day, clockAtMinute(times[len(times)-1])).After(r.now) {
		day = r.following(r.m.date, day)
	}
	left := slices.DeleteFunc(slices.Clone(times), func(t int) bool { return !r.at(day, clockAtMinute(t)).After(r.now) })
	if len(left) == 0 {
		return unclear(Past, r.lang)
	}
	reading.Start = r.at(day, clockAtMinute(left[0]))
	if len(left) == 1 {
		return nil
	}
	out.times, out.count = left, len(left)
	return r.bounded(reading, out)
}

// clockAtMinute is the clock so many minutes after midnight.
func clockAtMinute(t int) clock { return clock{given: true, sure: true, hour: t / 60, minute: t % 60} }

// timesOf writes BYHOUR, BYMINUTE and BYSETPOS of a rule with several times a day. Of hours and minutes that make more times than it
// has, the positions name those that it has: of each day that may be in the set, or where it is the last of several days, from the end.
func (r rule) timesOf() (parts []string) {
	hours, minutes := hoursAndMinutes(r.times)
	n := len(hours) * len(minutes)
	parts = append(parts, "BYHOUR="+joinInts(hours), "BYMINUTE="+joinInts(minutes))
	var positions []int
	switch {
	case r.lastOfDays:
		for _, t := range r.times {
			positions = append(positions, positionOf(t, hours, minutes)-n)
		}
	case len(r.times) < n:
		days := 1
		if r.nth == 0 {
			days = max(len(r.days), 1)
		}
		for day := range days {
			for _, t := range r.times {
				positions = append(positions, day*n+positionOf(t, hours, minutes)+1)
			}
		}
	}
	if positions != nil {
		parts = append(parts, "BYSETPOS="+joinInts(positions))
	}
	return parts
}

// positionOf is where a time stands among all that hours and minutes make.
func positionOf(t int, hours, minutes []int) int {
	return slices.Index(hours, t/60)*len(minutes) + slices.Index(minutes, t%60)
}

// setTimes is the reverse of timesOf.
func (r *rule) setTimes(hours, minutes, positions []int) {
	n := len(hours) * len(minutes)
	for i, hour := range hours {
		for k, minute := range minutes {
			at := i*len(minutes) + k
			if len(positions) == 0 || slices.Contains(positions, at+1) || slices.Contains(positions, at-n) {
				r.times = append(r.times, hour*60+minute)
			}
		}
	}
	r.lastOfDays = len(positions) > 0 && positions[0] < 0
}

func joinInts(all []int) string {
	return strings.Join(lists.Map(all, strconv.Itoa), ",")
}

// Retime returns a rule in which the time of day of one instant is that of another, and so is its day, unless the rule has that day, too.
// It is the rule itself where it has one time a day, and names no days: those are of its start.
func Retime(repeat string, from, to time.Time) string {
	r, ok := parseRule(repeat)
	if !ok {
		return repeat
	}
	if r.redate(dayOf(from), dayOf(to)) {
		repeat = r.String()
	}
	if len(r.times) == 0 {
		return repeat
	}
	old := from.Hour()*60 + from.Minute()
	r.times = append(slices.DeleteFunc(r.times, func(t int) bool { return t == old }), to.Hour()*60+to.Minute())
	slices.Sort(r.times)
	if r.times = slices.Compact(r.times); len(r.times) == 1 {
		r.times = nil
	}
	return r.String()
}

// redate puts one day into a rule in the place of another, and reports whether it did: not where it has that day, or names none.
func (r *rule) redate(from, to time.Time) bool {
	if !r.namesDays() || r.has(to) {
		return false
	}
	month := 0
	if r.month != 0 {
		month = int(to.Month())
	}
	switch old, day := isoWeekday(from), isoWeekday(to); {
	case r.nth != 0:
		n := (to.Day()-1)/7 + 1
		if n == 5 || r.nth < 0 && to.Day()+7 > daysIn(to) {
			n = -1
		}
		r.month, r.days, r.nth = month, []int{day}, n
	case len(r.monthDays) > 0:
		r.setDay(month, to.Day())
	case slices.Contains(r.days, old):
		r.days = append(slices.DeleteFunc(r.days, func(d int) bool { return d == old }), day)
		slices.Sort(r.days)
	default:
		return false
	}
	return true
}
