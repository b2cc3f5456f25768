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
	r, isFirst := &m.repeat, !p.mark(i-1, ",")
	isHourly := r.unit == "hour" || r.unit == "min"
	isBare := (r.unit == "day" || r.unit == "week") && r.days == nil && !m.clock.given && m.part == ""
	from := func(c *caught) bool {
		ok := r.from == nil
		r.from = c.day
		return ok
	}
	return firstOf(p, i, m, []form{
		{"", "from|between hours", func(c *caught) bool {
			r.window = c.window
			return isHourly && !m.clock.given
		}},
		{"", "often", func(c *caught) bool { // jeden Tag dreimal; 每天8点和20点两次
			isEach := r.unit == "day" && c.number == 1+len(m.more) && c.number > 1 && !(p.lang == "zh" && p.token(i).spaced)
			ok := r.per == 0 && isFirst && (isBare || isEach)
			r.per = c.number
			return ok
		}},
		{"", "ntimes", func(c *caught) bool {
			ok := r.count == 0
			r.count, _ = strconv.Atoi(c.value)
			return ok
		}},
		{"", "for? remind? N times inall?", func(c *caught) bool { // 就提醒五次
			ok := r.count == 0 && c.number > 0 && c.number <= mostAmount
			if p.lang == "zh" && p.is(i-1, "unit") { // 每天两次 is twice a day, which hob does not repeat
				return ok && c.number == 1
			}
			r.count = c.number
			return ok
		}},
		{"", "lasting", func(c *caught) bool {
			ok := r.lasts.nothing()
			r.lasts = c.length
			return ok
		}},
		{"", "", func(c *caught) (ok bool) {
			c.next, ok = p.except(i, r)
			return ok
		}},
		{"", "until", func(c *caught) (ok bool) {
			until, next, ok := p.lastOf(c.next, isHourly)
			c.next, ok = p.skip(next, "untilend"), ok && r.until == nil
			r.until = &until
			return ok
		}},
		{"", "before the? day", func(c *caught) bool { // every two days before 14 March
			d := &c.day.date
			ok := r.until == nil && unitRank(r.unit) < unitRank("month") && d.day != 0 && d.plus.nothing()
			d.plus, r.until = length{days: -1}, c.day
			return ok
		}},
		{"", "from day fromend?", from},
		{"", "day fromend", from}, // 明天开始
	})
}

// lastOf reads the last day of a repetition, and of one by hours or minutes the time, too: until 18:00, until noon tomorrow.
func (p *reader) lastOf(i int, isHourly bool) (until moment, next int, ok bool) {
	until, next, ok = p.day(i)
	if !isHourly {
		return until, next, ok
	}
	at := next
	if p.mark(at, ",") {
		at++
	}
	at = p.skip(at, "at")
	c, after, weak, is := p.clockAt(at, true)
	if !is || weak && ok && at == next {
		return until, next, ok
	}
	until.clock, next = c, after
	if !ok {
		if day, after, isDay := p.day(next); isDay {
			until.date, next = day.date, after
		}
	}
	return until, next, true
}

// except reads what a repetition leaves out: every weekday except Friday, jeden Tag, sonntags nicht.
func (p *reader) except(i int, r *repeat) (int, bool) {
	if len(r.out) > 0 || r.barred {
		return i, false
	}
	out := func(c *caught) bool {
		r.out = c.days
		return true
	}
	barred := func(*caught) bool {
		r.barred = true
		return true
	}
	return firstOf(p, i, r, []form{
		{"", "except weekdays exceptbehind|exceptend?", out},
		{"", "exceptlead? weekdays exceptbehind", out},
		{"", "except on? holidays exceptend?", barred},
		{"", "except in? day exceptend?", barred},
	})
}

// exceptDays reads weekdays, and the weekend as its two.
func (p *reader) exceptDays(i int) ([]int, int) {
	if days, next := p.list(p.skip(i, "on"), []string{"dow", "dows"}); len(days) > 0 {
		return days, next
	}
	if text, next, ok := p.word(i, "freq"); ok {
		if unit, days, _ := strings.Cut(text, " "); unit == "weekdays" {
			return digitsOf(days), next
		}
	}
	for _, at := range []int{p.skip(i, "on"), i} {
		if d, next, _, ok := p.relativeDate(at, true); ok && d.weekend && d.rel == "" {
			return []int{6, 7}, next
		}
	}
	return nil, i
}

// digitsOf returns weekdays that a file of words has as digits.
func digitsOf(text string) []int {
	return lists.Map([]rune(text), func(day rune) int { return int(day - '0') })
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

// lasting reads for 5 days, 5 Tage lang, for the next week, неделю подряд.
func (p *reader) lasting(i int) (length, int, bool) {
	if _, j, ok := p.word(i, "for"); ok {
		if l, next, ok := p.duration(j, p.lang == "ru" || j > i+2); ok && !l.nothing() {
			return l, next, true
		}
	}
	l, next, ok := p.duration(i, p.lang == "ru")
	_, behind, long := p.word(next, "long")
	if !long {
		_, behind, long = p.word(next, "inarow")
	}
	return l, behind, ok && long && !l.nothing()
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
