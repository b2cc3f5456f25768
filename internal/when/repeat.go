package when

import (
	"slices"
	"strconv"
	"strings"

	"hob/internal/numerals"
)

// repeat is how often something comes back, as it was said.
type repeat struct {
	unit     string // sec, min, hour, day, week, month, year; "" is once
	every    int
	days     []int // weekdays
	out      []int // weekdays that it leaves out
	barred   bool  // it leaves out what no rule can: a date, a feast
	per      int   // how often in each unit: three times a day
	count    int
	until    *moment
	from     *moment
	lasts    length
	fromDone bool    // every! 8 hours
	window   *window // of a day, in which something comes each hour or minute
}

// repeatAt reads every second day, each Monday and Thursday, daily, 每周一三五.
func (p *reader) repeatAt(i int, m *moment) (int, bool) {
	if next, ok := p.sameCycle(i, m); ok {
		return next, true
	}
	if m.repeat.unit != "" { // every two weeks, on Mondays
		if m.repeat.unit != "week" || len(m.repeat.days) > 0 {
			return i, false
		}
		days, next := p.list(p.skip(i, "on"), []string{"dow", "dows"})
		if len(days) < 2 { // a single one may be of a date: Wed 25 Nov
			days, next = p.list(p.skip(i, "on"), []string{"dows"})
		}
		m.repeat.days = days
		return next, len(days) > 0
	}
	if next, ok := p.weekdays(i, m); ok {
		return next, true
	}
	cycle := func(c *caught) (ok bool) {
		c.next, ok = p.plainRepeat(c.next, m)
		return ok
	}
	behindMark := func(c *caught) bool { // from today on, each evening
		at := c.next
		if p.mark(at, ",") {
			c.next++
		}
		ok := cycle(c)
		if !ok {
			c.next = at
		}
		return ok
	}
	from := func(c *caught) bool {
		ok := m.empty() && behindMark(c)
		m.repeat.from = c.day
		return ok
	}
	inarow := func(c *caught) bool { // on each of some days
		if m.date.given || m.after != nil || m.sun != "" || !c.length.calendar() || p.mark(i-1, ",") { // behind a mark it bounds what is known
			return false
		}
		if !behindMark(c) {
			m.repeat = repeat{unit: "day", every: 1}
		}
		m.repeat.from, m.repeat.lasts = c.day, c.length
		return true
	}
	return firstOf(p, i, m, []form{
		{"", "from day fromend|on?", from}, // from Monday on each day
		{"zh", "day fromend", from},        // 明天开始每天
		{"", "except", func(c *caught) (ok bool) { // 除了周日每天
			var without repeat
			if c.next, ok = p.except(i, &without); !ok || !cycle(c) {
				return false
			}
			m.repeat.out, m.repeat.barred = without.out, without.barred
			return true
		}},
		{"zh", `from? day fromend? ","? inarow L`, inarow}, // 明天起连续五天
		{"zh", "from? offsetpart fromend", func(c *caught) bool { // 从今晚开始，每天
			offset, _, _ := strings.Cut(c.value, " ")
			days, err := strconv.Atoi(offset)
			c.day = &moment{date: date{given: true, byOff: true, offset: days}}
			return err == nil && from(c)
		}},
		{"zh", "inarow L", inarow},
		{"en de ru", "from? day fromend? L inarow", inarow}, // from tomorrow five days in a row
		{"en de ru", "L inarow", inarow},
		{"en de", "from? day fromend? lasting eachtime?", inarow}, // ab morgen fünf Tage lang jeweils um 8
		{"en de", "lasting eachtime", inarow},
		{"en de ru", "fornext L eachtime?", func(c *caught) bool { // for the next three days at 9
			return (m.clock.given || m.part != "" || p.is(c.next, "at") || p.is(c.next, "each") || p.is(c.next, "freq") || p.is(c.next-1, "eachtime")) && inarow(c)
		}},
		{"en de", "fornext N dows|dayplural", func(c *caught) bool { // for the next four Fridays
			day, _ := strconv.Atoi(c.value)
			m.repeat = repeat{unit: "week", every: 1, days: []int{day}, count: c.number}
			return c.number > 1 && c.number <= mostTimes && !m.date.given && m.after == nil
		}},
		{"en de ru", "N part|parts inarow", func(c *caught) bool { // five evenings in a row
			c.length = length{days: c.number}
			return m.addPart(c.value) && c.number > 1 && inarow(c)
		}},
		{"", "lasting", func(c *caught) bool { // 5 Tage lang jeden Tag
			ok := cycle(c)
			m.repeat.lasts = c.length
			return ok
		}},
		{"", "", cycle},
	})
}

// sameCycle reads the unit of a repetition that its days have said already: on Mondays, every week.
func (p *reader) sameCycle(i int, m *moment) (int, bool) {
	var again moment
	next, ok := p.plainRepeat(i, &again)
	return next, ok && again.part == "" && m.repeat.says(again.repeat)
}

// says reports whether a repetition on some days has another one in it, which says only its unit.
func (r repeat) says(again repeat) bool {
	return len(r.days) > 0 && r.every == 1 && r.unit == again.unit && again.every == 1 && len(again.days) == 0 && again.per == 0 && again.count == 0
}

// plainRepeat reads a repetition without what may stand before it.
func (p *reader) plainRepeat(i int, m *moment) (int, bool) {
	if next, ok := p.adverb(i, m); ok {
		return next, true
	}
	if next, ok := p.timesPer(i, m); ok {
		return next, true
	}
	best, found := i, *m
	for _, start := range []struct {
		is    string
		every int
	}{{"every2", 2}, {"apart", 0}, {"each", 1}} {
		_, j, ok := p.word(i, start.is)
		if !ok {
			continue
		}
		fromDone := p.mark(j, "!")
		if fromDone {
			j++
		}
		trial := *m
		next, ok := p.cycle(j, start.every, &trial)
		if _, _, isCount := p.whole(j); isCount && p.skip(i, "always") > i && (p.is(next, "before") || p.is(next, "ahead")) {
			continue // immer eine Stunde vor dem Termin is no hour that comes back
		}
		if ok && next > best { // every second Tuesday of the month is no other Tuesday
			trial.repeat.fromDone = fromDone
			best, found = next, trial
		}
	}
	*m = found
	return best, best > i
}

// timesPer reads three times a day, zweimal täglich.
func (p *reader) timesPer(i int, m *moment) (int, bool) {
	part := m.part
	per := func(c *caught) (ok bool) {
		m.repeat, ok = repeatOf(1, c.value)
		m.repeat.per = c.number
		return ok
	}
	return firstOf(p, i, m, []form{
		{"zh", "one U often", per}, // 一天三次
		{"zh", "L N times", func(c *caught) (ok bool) { // 两小时一次
			m.repeat, ok = repeatOfLength(c.length)
			return ok && c.number == 1
		}},
		{"", "often", func(c *caught) (ok bool) {
			c.next, ok = p.adverb(c.next, m)
			m.repeat.per = c.number
			return ok && m.part == part
		}},
		{"", "often each|per U", per},
	})
}

// howOften reads twice, dreimal, 3 times: a number of times from two on.
func (p *reader) howOften(i int) (n, next int, ok bool) {
	if text, next, ok := p.word(i, "ntimes"); ok {
		n, _ = strconv.Atoi(text)
		return n, next, true
	}
	n, j, ok := p.whole(i)
	next = p.skip(j, "times")
	return n, next, ok && next > j && n > 1 && n <= mostTimes
}

// adverb reads daily, weekdays, on weekends.
func (p *reader) adverb(i int, m *moment) (int, bool) {
	if next := p.skip(i, "always"); next > i && (p.is(next, "at") || m.clock.given && m.part != "") && m.repeat.unit == "" && !m.date.given { // abends um zehn immer
		m.repeat = repeat{unit: "day", every: 1}
		return next, true
	}
	text, next, ok := p.word(i, "freq")
	if !ok {
		return i, false
	}
	unit, more, _ := strings.Cut(text, " ")
	switch r := (repeat{unit: unit, every: 1}); unit {
	case "pair": // in the morning and in the evening
		if m.part != "" || m.clock.given {
			return i, false
		}
		m.repeat, m.part, m.more = repeat{unit: "day", every: 1}, "morning", []daytime{{part: "evening"}}
	case "morning", "evening":
		if m.part != "" {
			return i, false
		}
		m.repeat, m.part = repeat{unit: "day", every: 1}, unit
	case "weekdays":
		r.unit, r.days = "week", digitsOf(more)
		m.repeat = r
	default:
		if n, err := strconv.Atoi(more); err == nil {
			r.every = n
		}
		m.repeat = r
	}
	return next, true
}

// weekdays reads Mondays, montags und freitags, по средам.
func (p *reader) weekdays(i int, m *moment) (int, bool) {
	j := p.skip(p.skip(i, "each"), "on") // immer montags
	days, next := p.list(j, []string{"dows"})
	if len(days) == 0 {
		days, next = p.list(i, []string{"dows"})
	}
	if len(days) > 0 {
		m.repeat = repeat{unit: "week", every: 1, days: days}
		return next, true
	}
	if j = p.skip(i, "on"); j == i {
		j = p.skip(i, "from")
	}
	days, next = p.list(j, []string{"dow"})
	if len(days) < 2 {
		return i, false
	}
	m.repeat = repeat{unit: "week", every: 1, days: days, count: len(days)} // Monday and Thursday, each once
	for ; j < next; j++ {
		if p.is(j, "through") {
			m.repeat.count = 0 // Monday to Friday
		}
	}
	daily := *m
	if after, ok := p.adverb(next, &daily); ok && m.repeat.count == 0 && daily.repeat.unit == "day" && daily.repeat.every == 1 && len(daily.more) == len(m.more) {
		m.part, next = daily.part, after // 周一至周五每天早上
	}
	return next, true
}

// list reads weekdays with commas and "and" between.
func (p *reader) list(i int, kinds []string) ([]int, int) {
	var days []int
	next := i
	for j, most := i, 14; most > 0; most-- {
		read := false
		for _, is := range kinds {
			if text, after, ok := p.word(j, is); ok && (p.lang != "zh" || !p.is(after, "times")) { // 每周一次 is once a week
				day, _ := strconv.Atoi(text)
				days, next, read = addDay(days, day), after, true
				if last, after, ok := p.rangeEnd(after, kinds); ok {
					for d := day; d != last; d = d%7 + 1 {
						days = addDay(days, d)
					}
					days, next = addDay(days, last), after
				}
				break
			}
		}
		if !read {
			break
		}
		j = next
		if p.mark(j, ",") || p.mark(j, "/") {
			j++
		}
		j = p.skip(j, "and")
		j = p.skip(j, "on")
		j = p.skip(j, "each")
		if kinds[len(kinds)-1] == "dows" {
			kinds = []string{"dows", "dows2", "dow"}
		}
	}
	return days, next
}

// rangeEnd reads the "to Friday" of Monday to Friday.
func (p *reader) rangeEnd(i int, kinds []string) (int, int, bool) {
	_, j, ok := p.word(i, "through")
	if !ok {
		return 0, i, false
	}
	for _, is := range kinds {
		if text, next, ok := p.word(j, is); ok {
			day, _ := strconv.Atoi(text)
			return day, next, true
		}
	}
	return 0, i, false
}

// addDay keeps weekdays in order, each once.
func addDay(days []int, day int) []int {
	at, known := slices.BinarySearch(days, day)
	if known {
		return days
	}
	return slices.Insert(slices.Clip(days), at, day)
}

// cycle reads what stands behind every: 2 hours, second Tuesday, Monday and Thursday, 31st, morning.
func (p *reader) cycle(i, every int, m *moment) (int, bool) {
	set := func(n int, unit string) (ok bool) {
		m.repeat, ok = repeatOf(n, unit)
		return ok
	}
	forms := []form{
		{"", "", func(c *caught) (ok bool) {
			c.next, ok = p.weekdayCycle(i, every, m)
			return ok
		}},
		{"", "", func(c *caught) (ok bool) {
			c.next, ok = p.dateCycle(i, m)
			return ok && every == 1
		}},
		{"", "L", func(c *caught) (ok bool) { // 90 minutes, hour and a half
			m.repeat, ok = repeatOfLength(c.length)
			return ok && every == 1
		}},
		{"", "O U", func(c *caught) bool { return every == 1 && c.number > 1 && set(c.number, c.value) }}, // every 3rd day
		{"", "measure? unit", func(c *caught) bool {
			isWord := len([]rune(p.tokens[c.at].text)) > 1 || p.tokens[c.at].kind == 'h'
			if days := map[string][]int{"workday": {1, 2, 3, 4, 5}, "weekend": {6}}[c.value]; days != nil {
				m.repeat = repeat{unit: "week", every: every, days: days}
				return isWord
			}
			return isWord && set(every, c.value)
		}},
		{"", "part|part2", func(c *caught) bool {
			isFirst := m.part == ""
			m.part = c.value
			return isFirst && set(every, "day")
		}},
		{"", "noon|midnight|sun", func(c *caught) bool { // the time itself is read behind
			c.next = i
			return set(every, "day")
		}},
	}
	if every == 0 { // 每隔 two days is every third; of hours and minutes it is every second
		forms = []form{{"", "N measure? U", func(c *caught) bool {
			if !ofHours(c.value) {
				c.number++
			}
			return c.number > 0 && set(c.number, c.value)
		}}}
	}
	return firstOf(p, i, m, forms)
}

// repeatOf returns a repetition every so many units.
func repeatOf(n int, unit string) (repeat, bool) {
	l, ok := lengthOf(float64(n), unit)
	if !ok {
		return repeat{}, false
	}
	return repeatOfLength(l)
}

// repeatOfLength returns a repetition every 90 minutes, 2 days: by the largest unit of which the length is a whole number.
func repeatOfLength(l length) (repeat, bool) {
	for _, u := range slices.Backward(units()) {
		n := l.months/max(u.one.months, 1) + l.days/max(u.one.days, 1) + int(l.elapsed/max(u.one.elapsed, 1))
		if u.freq != "" && n > 0 && u.one.times(n) == l {
			return repeat{unit: u.name, every: n}, true
		}
	}
	return repeat{}, false
}

// weekdayCycle reads Monday and Thursday, second Tuesday, first Monday of the month.
func (p *reader) weekdayCycle(i, every int, m *moment) (int, bool) {
	days, next := p.list(i, []string{"dow", "shortdow"})
	if len(days) > 0 {
		if p.lang == "zh" {
			days, next = p.hanWeekdays(days, next)
		}
		m.repeat = repeat{unit: "week", every: every, days: days}
		return next, true
	}
	return firstOf(p, i, m, []form{{"en de ru", "O dow|shortdow", func(c *caught) bool {
		d := date{given: true, nth: c.number}
		d.weekday, _ = strconv.Atoi(c.value)
		after, inMonth := p.ofMonth(c.next, &d)
		if c.next = after; !inMonth && d.nth == 2 && p.lang != "en" { // jeden zweiten Dienstag
			m.repeat = repeat{unit: "week", every: 2, days: []int{d.weekday}}
			return every == 1
		}
		d.byMonth = false
		m.repeat, m.date = repeat{unit: "month", every: 1}, d
		if d.month != 0 {
			m.repeat.unit = "year"
		}
		return every == 1 && d.nth <= 5
	}}})
}

// hanWeekdays reads the 三五 of 每周一三五.
func (p *reader) hanWeekdays(days []int, i int) ([]int, int) {
	for {
		value, size := numerals.Read(p.token(i).text, p.lang)
		day, next, ok := int(value), i+1, size > 0
		if p.token(i).text == "日" {
			day, ok = 7, true
		}
		if !ok || p.token(i).spaced || p.is(i, "sun") || day < 1 || day > 7 || p.is(next, "oclock") || p.is(next, "measure") || p.is(next, "n") && p.is(next+1, "oclock") && day == 10 {
			return days, i
		}
		days, i = addDay(days, day), next
	}
}

// dateCycle reads 31st, 3 December, last day of the month, 月31号, 年3月12日.
func (p *reader) dateCycle(i int, m *moment) (int, bool) {
	cycle := func(unit string, d date) bool {
		switch {
		case d.month != 0 && d.day != 0 && d.year == 0 && d.weekday == 0, d.month != 0 && d.nth != 0:
			unit = "year"
		case unit == "month" && (d.nth != 0 || d.day != 0 && d.month == 0 || d.edge != "" && d.edgeOf == "month" && d.month == 0):
			d.byMonth = false
		default:
			return false
		}
		d.given = true
		m.repeat, m.date = repeat{unit: unit, every: 1}, d
		return true
	}
	return firstOf(p, i, m, []form{
		{"zh", "unit of? D", func(c *caught) bool { return (c.value == "month" || c.value == "year") && cycle(c.value, c.date) }},
		{"en de ru", "D", func(c *caught) bool {
			var days caught
			isCounted := p.match(i, "O unit", &days) && days.number >= 0 && (days.value != "month" || p.lang == "en") // every 3rd day
			isSecond := p.is(i, "unit") && p.is(i, "ord")
			return !isCounted && !isSecond && cycle("month", c.date)
		}},
	})
}
