package when

import (
	"cmp"
	"strings"
	"time"
)

const (
	second = time.Second
	minute = time.Minute
	hour   = time.Hour
)

// moment is a time as it was said, before it is held against now.
type moment struct {
	date   date
	clock  clock
	part   string    // of the day: morning, noon, afternoon, evening, night
	night  bool      // tonight: an hour after midnight is tomorrow's
	more   []daytime // further times of the day
	after  *length
	repeat repeat
	last   *moment // the last day of a range, which ends a repetition
	bound  *repeat // until Friday, except Sunday: what bounds a repetition that stands elsewhere
	sun    string  // sunrise, sunset
	sunOff time.Duration

	afterDone time.Duration
	untilDone bool
	missed    string // what becomes of times that pass while nobody can be told: late, skip, once
	elsewhere string // the clocks of another place: New York time
	prefixed  bool   // a word such as at, on, in, every stands before
}

// empty says whether no time was said.
func (m moment) empty() bool {
	return !m.date.given && !m.clock.given && m.part == "" && m.after == nil && m.repeat.unit == "" && m.sun == "" && m.afterDone == 0
}

// addDate adds a date to the one that is there, if they can be one: Friday next week, Wed 25 Nov.
func (m *moment) addDate(d date) bool {
	if d.each { // of every month
		if m.repeat.unit != "" || m.date.given {
			return false
		}
		m.repeat, d.each = repeat{unit: "month", every: 1}, false
		if d.month != 0 || d.edgeOf == "year" {
			m.repeat.unit = "year"
		}
	}
	if m.after != nil { // in two weeks on Monday
		weeks := m.after.days / 7
		if d.parts() != partWeekday || d.rel != "" || weeks == 0 || *m.after != (length{days: 7 * weeks}) {
			return false
		}
		m.after, m.date = nil, date{given: true, weekday: d.weekday, weeks: weeks, byWeek: true}
		return true
	}
	if !m.date.given {
		if plus := m.date.plus; !plus.nothing() { // every year a week beforehand, on 14 March
			if !d.plus.nothing() {
				return false
			}
			d.plus = plus
		}
		m.date = d
		return true
	}
	if d.byOff || m.date.byOff && m.clock.given || !m.date.fits(d) { // tomorrow, Friday
		return false
	}
	m.date = m.date.with(d)
	return true
}

// parts are the parts of a date that its words have.
type parts uint

const (
	partOffset parts = 1 << iota
	partWeek
	partMonths
	partYears
	partWeekday
	partNth
	partMonth
	partDay
	partWhole // the weekend, the end of the month: it stands alone
	partAny   = partWhole<<1 - 1
)

func (d date) parts() (all parts) {
	for i, said := range []bool{d.byOff, d.byWeek, d.byMonth, d.byYear, d.weekday != 0, d.nth != 0, d.month != 0, d.day != 0, d.weekend || d.edge != ""} {
		if said {
			all |= 1 << i
		}
	}
	return all
}

// fits says whether two dates can be one: each part is of one of them, and has what it needs beside it.
func (d date) fits(o date) bool {
	if d.parts()&o.parts() != 0 {
		return false
	}
	all := d.parts() | o.parts()
	for _, rule := range []struct{ part, needs, bars parts }{
		{partOffset, partAny, partDay | partWeek | partMonths},
		{partWeek, partWeekday, 0},
		{partMonths, partDay | partNth, partMonth},
		{partYears, partMonth, 0},
		{partWhole, 0, 0},
	} {
		if all&rule.part != 0 && (all&rule.needs == 0 || all&rule.bars != 0) {
			return false
		}
	}
	return true
}

// with returns a date with the parts of another that fits it.
func (d date) with(o date) date {
	d.rel, d.weekday, d.nth = cmp.Or(d.rel, o.rel), cmp.Or(d.weekday, o.weekday), cmp.Or(d.nth, o.nth)
	d.year, d.month, d.day = cmp.Or(d.year, o.year), cmp.Or(d.month, o.month), cmp.Or(d.day, o.day)
	d.weeks, d.months, d.years = cmp.Or(d.weeks, o.weeks), cmp.Or(d.months, o.months), cmp.Or(d.years, o.years)
	d.byWeek, d.byMonth, d.byYear = d.byWeek || o.byWeek, d.byMonth || o.byMonth, d.byYear || o.byYear
	d.swapped, d.impossible = d.swapped || o.swapped, d.impossible || o.impossible
	return d
}

// expression reads as many words of time as belong together, and returns the token behind them.
func (p *reader) expression(i int) (moment, int) {
	if !p.maySay(i) {
		return moment{}, i
	}
	if bound, next, ok := p.boundApart(i); ok {
		return moment{bound: &bound}, next
	}
	var m moment
	next := i
	for next < len(p.tokens) {
		j := next
		if next > i {
			for p.mark(j, ",") || p.mark(j, "(") || p.mark(j, ")") {
				j++
			}
		}
		after, ok := next, false
		if m.clock.given || m.part != "" { // at 8 and at 20
			after, ok = p.anotherTime(next, &m)
		}
		if !ok {
			after, ok = p.piece(j, &m)
		}
		if !ok && p.lang == "zh" && j > i {
			after, ok = p.piece(p.skip(j, "of"), &m)
		}
		if !ok {
			break
		}
		next = after
	}
	if m.empty() && !m.untilDone && m.missed == "" && !m.repeat.fromDone {
		return moment{}, i
	}
	return m, next
}

// piece reads one thing and adds it to m.
func (p *reader) piece(i int, m *moment) (int, bool) {
	if !p.maySay(i) {
		return i, false
	}
	if _, next, ok := p.word(i, "fromdone"); ok && !m.repeat.fromDone {
		m.repeat.fromDone = true
		return next, true
	}
	readers := []func(int, *moment) (int, bool){p.untilDone, p.missed, p.sunAt, p.relative, p.repeatAt}
	if m.repeat.unit != "" {
		readers = append([]func(int, *moment) (int, bool){p.untilDone, p.missed, p.bounds}, readers[1:]...)
	}
	for _, read := range readers {
		before := *m
		if next, ok := read(i, m); ok {
			if next > i || m.repeat.unit != before.repeat.unit {
				m.prefixed = true
				return next, true
			}
		}
		*m = before
	}
	if next := p.skip(i, "before"); p.lang == "zh" && next > i && (m.date.given || m.clock.given) { // 下午5点前
		if l, after, ok := p.duration(next, false); ok && l.calendar() && m.date.given && m.date.plus.nothing() { // 5月5日前两天
			m.date.plus, next = l.times(-1), after
		}
		return next, true
	}
	if p.token(i).text == "week" && m.date.plus.nothing() && (m.date.byOff || m.date.weekday != 0) && m.repeat.unit == "" { // Monday week
		m.date.plus = length{days: 7}
		return i + 1, true
	}
	return p.dayAndTime(i, m)
}

// untilDone reads until I say done.
func (p *reader) untilDone(i int, m *moment) (int, bool) {
	_, next, ok := p.word(i, "untildone")
	if ok {
		m.untilDone = true
	}
	return next, ok
}

// missed reads what to do about missed times: skip it if missed.
func (p *reader) missed(i int, m *moment) (int, bool) {
	rule, next, ok := p.word(i, "missed")
	if ok {
		m.missed = rule
	}
	return next, ok
}

// relative reads in 10 minutes, two days from now, через час, 半小时后, a week from Friday, 8 hours after I did it.
func (p *reader) relative(i int, m *moment) (int, bool) {
	if m.after != nil || m.clock.given && !m.date.given {
		return i, false
	}
	afterDone := func(c *caught) bool {
		ok := m.afterDone == 0 && !c.length.nothing()
		m.afterDone = c.length.total()
		return ok
	}
	add := func(c *caught) bool { return m.addLength(c.length) }
	addUnits := func(c *caught) bool {
		l, ok := lengthOf(c.amount, c.value)
		return ok && m.addLength(l)
	}
	before := func(c *caught) bool {
		c.date.plus = c.length.times(-1)
		return c.length.calendar() && !c.weak && !m.date.given && m.addDate(c.date)
	}
	dayBefore := func(c *caught) bool { return c.length == length{days: 1} && before(c) }
	ahead := func(c *caught) bool {
		ok := c.length.calendar() && m.date.plus.nothing()
		m.date.plus = c.length.times(-1)
		return ok
	}
	behind := func(c *caught) bool {
		c.date.plus = c.length
		return c.length.calendar() && !m.date.given && !c.weak && m.addDate(c.date)
	}
	isDate, isCycle := m.date.day != 0, m.date.given || m.repeat.unit == "year" || m.repeat.unit == "month"
	return firstOf(p, i, m, []form{
		{"", "afterdone L", afterDone},
		{"ru", "before 1L before the? on? D", before},
		{"ru", "in U A", func(c *caught) bool { return !p.is(i+1, "oneunit") && !p.is(c.next, "unit") && addUnits(c) }}, // через минут десять
		{"", "in 1L later? afterdone", afterDone},
		{"", "in 1L later?", add},
		{"ru", "U in A", func(c *caught) bool { return !p.is(i, "oneunit") && addUnits(c) }}, // минут через десять, часа через полтора
		{"", "on? the? aDay before the? on? D", dayBefore},
		{"", "aheadlead 1L ahead?", func(c *caught) bool { return isDate && ahead(c) }}, // 14 марта, за неделю
		{"", "1L afterdone", afterDone},
		{"", "L later", func(c *caught) bool { return !c.length.nothing() && !p.is(c.at, "sun") && add(c) }},
		{"", "L before the? on? D", before},
		{"", "L ahead", func(c *caught) bool { return isCycle && ahead(c) }}, // on 14 March, a week beforehand
		{"en", "L from|after d", behind},
		{"en", "L on? d", func(c *caught) bool { return (c.date.byOff || c.date.weekday != 0) && behind(c) }}, // a week today
	})
}

// addLength adds a length from now, or from the day that is there: heute in 8 Tagen.
func (m *moment) addLength(l length) bool {
	if m.date.given {
		if !l.calendar() || !m.date.plus.nothing() || m.repeat.unit != "" {
			return false
		}
		m.date.plus = l
		return true
	}
	if m.repeat.unit != "" {
		return false
	}
	m.after = &l
	return true
}

// sunAt reads at sunset, 30 minutes before sunrise, за час до заката, 日落前30分钟.
func (p *reader) sunAt(i int, m *moment) (int, bool) {
	if m.sun != "" || m.clock.given || m.part != "" || m.after != nil {
		return i, false
	}
	at := func(c *caught) bool {
		return c.length == (length{elapsed: c.length.elapsed}) && m.addSun(c.value, time.Duration(c.sign)*c.length.elapsed)
	}
	return firstOf(p, i, m, []form{
		{"zh", "at|on|in? the? sun side L", at},
		{"", "at|on|in? the? sun", at},
		{"", "before|in? 1L side the? sun", at},
		{"", "side the? sun", func(c *caught) bool { return m.addSun(c.value, time.Duration(c.sign)*15*minute) }},
	})
}

func (m *moment) addSun(sun string, offset time.Duration) bool {
	m.sun, m.sunOff = sun, offset.Truncate(minute)
	return offset.Abs() <= 12*hour
}

// dayAndTime reads a date, a time of day or a part of the day, with the word before it.
func (p *reader) dayAndTime(i int, m *moment) (int, bool) {
	if _, next, ok := p.word(i, "elsewhere"); ok && p.lang == "zh" && m.elsewhere == "" { // 纽约时间下午三点
		if after, ok := p.dayAndTime(next, m); ok && (m.clock.given || m.part != "") {
			m.elsewhere = p.token(i).text
			return after, true
		}
		return i, false
	}
	type choice struct {
		next     int
		apply    func(*moment) bool
		prefixed bool
	}
	var best choice
	try := func(c choice) {
		if c.next <= best.next || c.next <= i {
			return
		}
		trial := *m
		if c.apply(&trial) {
			best = c
		}
	}
	for _, lead := range []struct {
		at       int
		at6, on3 bool
	}{{i, false, false}, {p.skip(i, "at"), true, p.lang == "ru" || p.lang == "zh"}, {p.skip(i, "on"), p.lang == "ru" || p.lang == "zh", true}, {p.skip(i, "in"), false, true}, {p.skip(i, "from"), true, false}} {
		led := lead.at > i
		if !led && (lead.at6 || lead.on3) {
			continue
		}
		j := lead.at
		if c, next, weak, ok := p.clockAt(j, led); ok && (!weak || lead.at6 || !led && p.bareHour(j, next, m)) {
			try(choice{next, func(m *moment) bool { return m.addClock(c) }, led})
		}
		if _, _, _, hour := p.clockAt(j, led); hour && lead.at6 && p.token(i).text == "at" {
			continue // at 6 December 3
		}
		d, next, weak, ok := p.dateAt(j, lead.on3)
		if nth, after, thin, is := p.nthWeekday(j, false); (!is || thin) && (nth.nth != 0 || nth.edge != "") && after >= next && (m.repeat.unit == "month" || m.repeat.unit == "year") {
			nth.given = true
			d, next, weak, ok = nth, after, false, true // every month on the first Monday
		}
		isThis := (m.repeat.unit != "" || p.is(next, "freq") || p.is(next, "each")) && (d.byWeek || d.byMonth || d.byYear) // every day this week
		if ok && (!weak || lead.on3 || isThis || m.clock.given || m.part != "" || j == 0 && (next == len(p.tokens) || p.timeFollows(next))) {
			try(choice{next, func(m *moment) bool { return m.addDate(d) }, led || d.byOff})
		}
	}
	tryAlone := func(next int, apply func(*moment) bool, led bool) { try(choice{next, apply, led}) }
	p.ranges(i, tryAlone)
	p.parts(i, m, tryAlone)
	if best.apply == nil {
		return i, false
	}
	hadClock := m.clock.given
	best.apply(m)
	if !hadClock && m.clock.given {
		best.next = p.rangeOfTime(best.next, p.is(i, "from"), &m.clock)
		if place, next := p.placeOfClock(best.next); next > best.next {
			m.elsewhere, best.next = place, next
		}
	}
	m.prefixed = m.prefixed || best.prefixed
	return best.next, true
}

// placeOfClock reads whose clock an hour is of, behind it: New York time, Londoner Zeit, по московскому времени, UTC. One of the
// person's own place is "".
func (p *reader) placeOfClock(i int) (string, int) {
	if _, next, ok := p.word(i, "localtime"); ok {
		return "", next
	}
	if _, next, ok := p.word(i, "elsewhere"); ok {
		return p.token(i).text, next
	}
	begin := p.skip(i, "bytime")
	for j := begin; j < begin+3 && (p.token(j).kind == 'w' || begin > i && p.mark(j, "-")); j++ {
		isPlace := begin > i || p.token(j).upper && (p.lang != "de" || strings.HasSuffix(p.token(j).text, "er") || p.token(j+1).upper)
		if !isPlace || j > begin && p.is(j, "localtime") {
			break
		}
		_, next, ok := p.word(j+1, "timeof")
		ends := j > begin || next >= len(p.tokens) || p.token(next).kind == 'p' || p.is(next, "link") // and not: at 9 Ben time sheet
		if ok && (begin > i || ends && (p.lang != "de" || strings.HasSuffix(p.token(j).text, "er"))) {
			return p.token(begin).text, next
		}
	}
	return "", i
}

// ranges tries between 2 and 4, and from the 3rd to the 5th of December.
func (p *reader) ranges(i int, try func(next int, apply func(*moment) bool, led bool)) {
	if j := p.skip(i, "between"); j > i && p.lang != "zh" { // where it is "at", too
		if w, next, ok := p.hours(j); ok {
			try(next, func(m *moment) bool { return m.addClock(w.from) }, true)
		}
	}
	if first, last, next, ok := p.dayRange(i); ok {
		try(next, func(m *moment) bool {
			m.last = &moment{date: last}
			return m.addDate(first)
		}, true)
	}
}

// rangeOfTime passes the end of a range: from 9 am to 10 am begins at 9.
func (p *reader) rangeOfTime(i int, from bool, begin *clock) int {
	if _, j, ok := p.word(i, "through"); ok {
		if end, next, weak, ok := p.clockAt(j, true); ok && (!weak || from) {
			*begin = begin.sharing(end)
			return p.skip(next, "windowend")
		}
	}
	return i
}

// timeFollows says whether a time of day stands at a token.
func (p *reader) timeFollows(i int) bool {
	_, _, weak, ok := p.clockAt(p.skip(i, "at"), true)
	return ok && (!weak || p.is(i, "at")) || p.is(i, "part")
}

// bareHour says whether a number without a word before it is an hour: a part of the day is behind it, or stood before.
func (p *reader) bareHour(i, next int, m *moment) bool {
	if p.partBehind(next) {
		return true
	}
	if p.token(i).kind != 'n' || !p.mayBeHour(next) || p.token(i).number > 24 {
		return false
	}
	end := next >= len(p.tokens)
	return (m.part != "" || m.date.byOff || m.date.weekday != 0) && end
}

func (p *reader) partBehind(i int) bool {
	if p.is(i, "part") && p.lang != "zh" {
		return true
	}
	j := p.skip(i, "on")
	return j > i && p.is(j, "part2")
}

// parts tries the words for a part of the day: in the morning, heute Abend, tonight, 今晚.
func (p *reader) parts(i int, m *moment, try func(next int, apply func(*moment) bool, led bool)) {
	part := func(name string) func(*moment) bool {
		return func(m *moment) bool { return m.addPart(name) }
	}
	ofDay := func(offset int, name string, isNight bool) func(*moment) bool {
		return func(m *moment) bool {
			m.night = m.night || isNight
			return m.addDate(date{given: true, byOff: true, offset: offset}) && m.addPart(name)
		}
	}
	isBeside := m.date.given || m.clock.given || m.repeat.unit != ""
	if text, next, ok := p.word(i, "part"); ok {
		// A word such as morning alone is a time only beside a date, or with "in the" before it.
		if led := next > i+1 || p.lang != "en" || text == "close"; led || isBeside {
			try(next, part(text), led)
		}
	}
	if text, next, ok := p.word(i, "part2"); ok && isBeside {
		try(next, part(text), false)
	}
	if _, next, ok := p.word(p.skip(i, "from"), "tonight"); ok { // starting tonight
		try(next, ofDay(0, "night", true), true)
	}
	if c := (caught{}); p.lang != "zh" && p.match(p.skip(i, "from"), "rel part|part2", &c) && c.rel == "this" {
		try(c.next, ofDay(0, c.value, false), true)
	}
	if text, next, ok := p.word(p.skip(i, "from"), "offsetpart"); ok {
		try(next, ofDay(int(text[0]-'0'), text[2:], true), true)
	}
}

func (m *moment) addClock(c clock) bool {
	if m.clock.given || m.sun != "" || m.after != nil && !m.after.calendar() {
		return false
	}
	m.clock = c
	if last := len(m.more) - 1; last >= 0 && m.more[last].takes(c) && c.bare() && c.fits(m.part) { // 早晚八点: 8 in the morning and 8 in the evening
		m.more[last].clock = c
	}
	return true
}

func (m *moment) addPart(part string) bool {
	if m.part != "" || m.sun != "" || m.after != nil && !m.after.calendar() || m.clock.midnight {
		return false
	}
	m.part = part
	return true
}
