package when

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/lists"
)

// What bounds a repetition: from when, until when, how long, how often, without which days. It stands beside it or apart from it.

// bounds reads from when, until when and how often a repetition goes on.
func (p *reader) bounds(i int, m *moment) (int, bool) {
	r := &m.repeat
	if r.unit == "hour" || r.unit == "min" {
		if next, ok := p.windowAt(i, m); ok {
			return next, true
		}
	}
	if n, next, ok := p.howOften(i); ok && r.per == 0 && (r.unit == "day" || r.unit == "week") && r.days == nil && !m.clock.given && m.part == "" && !p.mark(i-1, ",") { // jeden Tag dreimal
		r.per = n
		return next, true
	}
	if n, next, ok := p.howOften(i); ok && r.per == 0 && !p.mark(i-1, ",") && !(p.lang == "zh" && p.token(i).spaced) && n == 1+len(m.more) && n > 1 && r.unit == "day" { // 每天8点和20点两次
		r.per = n
		return next, true
	}
	if text, next, ok := p.word(i, "ntimes"); ok && r.count == 0 {
		r.count, _ = strconv.Atoi(text)
		return next, true
	}
	if n, j, ok := p.whole(p.skip(i, "for")); ok && r.count == 0 && n > 0 && n <= mostAmount && p.is(j, "times") {
		if perCycle := p.lang == "zh" && p.is(i-1, "unit"); !perCycle {
			r.count = n
			return p.skip(j, "times"), true
		} else if n == 1 { // 每天两次 is twice a day, which hob does not repeat
			return p.skip(j, "times"), true
		}
	}
	if l, next, ok := p.lasting(i); ok && r.lasts.nothing() {
		r.lasts = l
		return next, true
	}
	if next, ok := p.except(i, r); ok {
		return next, true
	}
	if _, j, ok := p.word(i, "until"); ok && r.until == nil {
		until, next, ok := p.day(j)
		if r.unit == "hour" || r.unit == "min" { // every 30 minutes until 18:00
			at := next
			if p.mark(at, ",") {
				at++
			}
			at = p.skip(at, "at")
			c, after, weak, is := p.clockAt(at, true)
			if is && (!weak || !ok || at > next) {
				if until.clock, next = c, after; !ok { // until noon tomorrow
					if day, after, isDay := p.day(next); isDay {
						until.date, next = day.date, after
					}
				}
				ok = true
			}
		}
		if ok {
			r.until = &until
			return p.skip(next, "untilend"), true
		}
	}
	if _, j, ok := p.word(i, "before"); ok && r.until == nil && unitRank(r.unit) < unitRank("month") {
		if until, next, ok := p.day(p.skip(j, "the")); ok && until.date.day != 0 && until.date.plus.nothing() { // every two days before 14 March
			until.date.plus = length{days: -1}
			r.until = &until
			return next, true
		}
	}
	if _, j, ok := p.word(i, "from"); ok && r.from == nil {
		if from, next, ok := p.day(j); ok {
			r.from = &from
			return p.skip(next, "fromend"), true
		}
	}
	if from, next, ok := p.day(i); ok && p.is(next, "fromend") && r.from == nil { // 明天开始
		r.from = &from
		return p.skip(next, "fromend"), true
	}
	return i, false
}

// except reads what a repetition leaves out: every weekday except Friday, jeden Tag, sonntags nicht.
func (p *reader) except(i int, r *repeat) (int, bool) {
	if len(r.out) > 0 || r.barred {
		return i, false
	}
	_, j, before := p.word(i, "except")
	if !before {
		j = p.skip(i, "exceptlead")
	}
	out, next := p.exceptDays(j)
	if _, after, behind := p.word(next, "exceptbehind"); len(out) > 0 && (before || behind) {
		r.out = out
		return max(after, p.skip(next, "exceptend")), true
	}
	if !before {
		return i, false
	}
	if _, next, ok := p.word(p.skip(j, "on"), "holidays"); ok {
		r.barred = true
		return p.skip(next, "exceptend"), true
	}
	if _, next, ok := p.day(p.skip(j, "in")); ok {
		r.barred = true
		return p.skip(next, "exceptend"), true
	}
	return i, false
}

// exceptDays reads weekdays, and the weekend as its two.
func (p *reader) exceptDays(i int) ([]int, int) {
	if days, next := p.list(p.skip(i, "on"), []string{"dow", "dows"}); len(days) > 0 {
		return days, next
	}
	if text, next, ok := p.word(i, "freq"); ok {
		if unit, days, _ := strings.Cut(text, " "); unit == "weekdays" {
			return lists.Map([]rune(days), func(day rune) int { return int(day - '0') }), next
		}
	}
	for _, at := range []int{p.skip(i, "on"), i} {
		if d, next, _, ok := p.relativeDate(at, true); ok && d.weekend && d.rel == "" {
			return []int{6, 7}, next
		}
	}
	return nil, i
}

// leaveOut takes weekdays from a repetition of each day or of weekdays, and says whether it can and something is left.
func (r *repeat) leaveOut() bool {
	if r.barred {
		return false
	}
	if len(r.out) == 0 {
		return true
	}
	if r.unit != "day" && r.unit != "week" || r.every > 1 {
		return false
	}
	days := r.days
	if len(days) == 0 {
		days = []int{1, 2, 3, 4, 5, 6, 7}
	}
	r.unit = "week"
	r.days = slices.DeleteFunc(slices.Clone(days), func(day int) bool { return slices.Contains(r.out, day) })
	return len(r.days) > 0
}

// boundApart reads what bounds a repetition that stands elsewhere in the text: every day at 7 feed the cat, except Sunday. A length that is no
// longer than the repetition is one of the thing: every Sunday swim for an hour.
func (p *reader) boundApart(i int) (repeat, int, bool) {
	if p.bounded == nil {
		return repeat{}, i, false
	}
	m := moment{repeat: repeat{unit: p.bounded.unit}}
	next, ok := i, false
	for more := true; more; ok = ok || more {
		next, more = p.bounds(next, &m)
	}
	if j := p.skip(p.skip(i, "the"), "next"); !ok && p.mark(i-1, ",") { // капать капли, 3 дня
		if l, after, is := p.duration(j, j > i || p.lang == "ru"); is && l.calendar() && after == len(p.tokens) {
			m.repeat.lasts, next, ok = l, after, true
		}
	}
	b := m.repeat
	b.unit = ""
	_, _, ranged, isRange := p.dayRange(i)
	switch again, repeats := p.repeatAt(i, &moment{}); {
	case !ok, b.per > 0, isRange && ranged > next, repeats && again >= next: // from Monday to Friday
		return repeat{}, i, false
	case b.count > 0 && !p.mark(i-1, ","): // stretch five times
		return repeat{}, i, false
	case !b.lasts.nothing() && b.lasts.total() <= p.bounded.cycle():
		return repeat{}, i, false
	}
	return b, next, true
}

// cycle is how long a repetition is from one day to the next.
func (r *repeat) cycle() time.Duration {
	l, _ := lengthOf(float64(max(r.every, 1)), r.unit)
	return l.total() / time.Duration(max(len(r.days), 1))
}

// takes adds bounds that stand apart from a repetition, and says whether it had none of that kind.
func (r *repeat) takes(b repeat) bool {
	isHourly := r.unit == "hour" || r.unit == "min"
	switch {
	case r.unit == "", b.until != nil && (r.until != nil || b.until.clock.given && !isHourly), b.from != nil && r.from != nil, b.count > 0 && r.count > 0,
		!b.lasts.nothing() && !r.lasts.nothing(), b.window != nil && (r.window != nil || !isHourly), (b.barred || len(b.out) > 0) && (r.barred || len(r.out) > 0):
		return false
	}
	r.until, r.from, r.window = cmp.Or(r.until, b.until), cmp.Or(r.from, b.from), cmp.Or(r.window, b.window)
	r.count, r.barred = cmp.Or(r.count, b.count), r.barred || b.barred
	if len(b.out) > 0 {
		r.out = b.out
	}
	if !b.lasts.nothing() {
		r.lasts = b.lasts
	}
	return true
}

// lasting reads for 5 days, 5 Tage lang, for the next week.
func (p *reader) lasting(i int) (length, int, bool) {
	if _, j, ok := p.word(i, "for"); ok {
		if l, next, ok := p.duration(j, p.lang == "ru" || j > i+2); ok && !l.nothing() {
			return l, next, true
		}
	}
	l, next, ok := p.duration(i, p.lang == "ru")
	_, next, long := p.word(next, "long")
	return l, next, ok && long && !l.nothing()
}

// day reads a date that bounds a repetition.
func (p *reader) day(i int) (moment, int, bool) {
	var m moment
	j := p.skip(i, "on")
	next := j
	for {
		d, after, _, ok := p.dateAt(next, true)
		if !ok || !m.addDate(d) {
			break
		}
		next = after
		if p.mark(next, ",") {
			if _, _, _, ok := p.dateAt(next+1, false); ok {
				next++
			}
		}
	}
	return m, next, next > j
}
