package when

import (
	"fmt"
	"strconv"
	"strings"
)

// date is a day as it was said. Each field is zero where the words do not have it.
type date struct {
	given   bool
	offset  int  // days from today, where byOffset
	byOff   bool // today, tomorrow
	weekday int  // 1 is Monday, 7 Sunday
	rel     string
	nth     int // the nth weekday of the month, -1 the last

	year, month, day int
	swapped          bool // 3/12 could be 12 March, too

	weeks, months, years int // of the week, month, year that many ahead
	byWeek, byMonth      bool
	byYear               bool
	weekend              bool
	edge                 string // start, middle, end
	edgeOf               string // week, month, year
	plus                 length // a week from Friday; negative for two days before it
	impossible           bool
	each                 bool // of every month, of each year: it comes back
}

// dateAt reads a day. It is weak where only a number stands for it, which needs a word before it: on the 3rd.
func (p *reader) dateAt(i int, led bool) (d date, next int, weak, ok bool) {
	readers := []func(int, bool) (date, int, bool, bool){p.edgeDate, p.numericDate, p.monthDay, p.holiday, p.nthWeekday, p.relativeDate, p.weekdayDate, p.dayOfMonth}
	next = i
	if !p.maySay(i) {
		return date{}, i, false, false
	}
	for _, read := range readers {
		if read, after, thin, is := read(i, led); is && after > next {
			d, next, weak, ok = read, after, thin, true
		}
	}
	d.given = ok
	return d, next, weak, ok
}

// holiday reads a feast that is on the same day each year: Christmas Eve. Its name alone may be of a thing: Christmas presents.
func (p *reader) holiday(i int, led bool) (d date, next int, weak, ok bool) {
	next, ok = firstOf(p, i, &d, []form{{"", "the? holiday year?", func(c *caught) bool {
		d = c.date
		_, err := fmt.Sscanf(c.value, "%d-%d", &d.month, &d.day)
		return err == nil
	}}})
	return d, next, !led && !(p.lang == "zh" && p.is(next, "before")), ok
}

// relativeDate reads today, tomorrow, next week, this month, weekend.
func (p *reader) relativeDate(i int, _ bool) (d date, next int, weak, ok bool) {
	next, ok = firstOf(p, i, &d, []form{
		{"", "offset", func(c *caught) bool {
			d.byOff = true
			d.offset, _ = strconv.Atoi(c.value)
			return true
		}},
		{"", "weekafternext", func(*caught) bool {
			d.weeks, d.byWeek = 2, true
			return true
		}},
		{"", "rel? weekend", func(c *caught) bool {
			d.weekend, d.rel = true, c.rel
			return true
		}},
		{"", "rel unit", func(c *caught) bool {
			weak = c.rel == "this"
			switch n := ahead(c.rel); c.value {
			case "week":
				d.weeks, d.byWeek = n, true
			case "month":
				d.months, d.byMonth = n, true
			case "year":
				d.years, d.byYear = n, true
			case "day":
				d.offset, d.byOff = 1, c.rel == "next"
			}
			return d.parts() != 0
		}},
	})
	return d, next, weak, ok
}

// relation reads next, this, last.
func (p *reader) relation(i int) (string, int) {
	best, next := "", i
	for _, is := range []string{"next2", "next", "this"} {
		if _, after, ok := p.word(i, is); ok && after > next {
			best, next = is, after
		}
	}
	if text, after, ok := p.word(i, "ord"); ok && text == "-1" {
		return "last", after
	}
	return best, next
}

// ahead is how many weeks, months or years a relation is ahead.
func ahead(rel string) int { return map[string]int{"next": 1, "next2": 2, "last": -1}[rel] }

// weekdayDate reads Friday, next Friday, 下周五. Short words that mean other things, too, need one before them.
func (p *reader) weekdayDate(i int, led bool) (d date, next int, weak, ok bool) {
	rel, j := p.relation(i)
	day, next, ok := p.weekday(j, led || rel != "" || p.inDate(i) || i == 0 && p.timeFollows(i+1))
	if !ok || p.lang == "zh" && (p.is(next, "oclock") || p.is(next, "times")) { // 下周三点 is 下周, 三点
		return date{}, i, false, false
	}
	if p.mark(next, ".") && p.tokens[next-1].kind == 'w' && len([]rune(p.tokens[next-1].text)) <= 3 {
		next++ // Fr. 27.11.
	}
	d = date{weekday: day, rel: rel}
	if p.lang == "zh" && rel != "" {
		d.byWeek, d.rel = true, ""
		d.weeks = map[string]int{"this": 0, "next2": 2}[rel]
		if rel == "next" {
			d.byWeek, d.rel = false, rel
		}
	}
	return d, next, false, true
}

// inDate says whether a short word stands before a date: Sat 28 Nov.
func (p *reader) inDate(i int) bool {
	j := i + 1
	if p.mark(j, ",") || p.mark(j, ".") {
		j++
	}
	_, _, _, ok := p.monthDay(j, true)
	if !ok {
		_, _, _, ok = p.numericDate(j, true)
	}
	return ok
}

func (p *reader) weekday(i int, led bool) (int, int, bool) {
	text, next, ok := p.word(i, "dow")
	if !ok && led {
		text, next, ok = p.word(i, "shortdow")
	}
	if ok && p.lang == "de" && !led && len(p.tokens[i].text) == 2 && !p.mark(next, ",") && !p.mark(next, ".") {
		return 0, i, false // do, so, mo, mi
	}
	day, _ := strconv.Atoi(text)
	return day, next, ok
}

// nthWeekday reads the first Monday of the month, and its first and last day. Without a month it is none in most languages, but is returned.
func (p *reader) nthWeekday(i int, _ bool) (d date, next int, weak, ok bool) {
	inMonth := false
	ofMonth := func(c *caught) bool {
		c.next, inMonth = p.ofMonth(c.next, &d)
		return true
	}
	next, found := firstOf(p, i, &d, []form{
		{"", "hanMonth? the? nth unit", func(c *caught) bool {
			d = c.date
			d.edge, d.edgeOf = map[int]string{-1: "end", 1: "start"}[c.number], "month"
			weak, ok = !d.byMonth && d.month == 0, p.lang == "zh" && c.number == -1
			return d.edge != "" && c.value == "day" && ofMonth(c)
		}},
		{"", "hanMonth? the? nth dow|shortdow", func(c *caught) bool {
			d = c.date
			d.nth = c.number
			d.weekday, _ = strconv.Atoi(c.value)
			weak, ok = true, p.lang == "zh"
			return d.nth != 0 && d.nth <= 5 && ofMonth(c)
		}},
	})
	return d, next, weak && !inMonth, found && (ok || inMonth)
}

// hanMonth reads the month before a day of it: 12月的, 下个月.
func (p *reader) hanMonth(c *caught) (ok bool) {
	next, ok := firstOf(p, c.next, &c.date, []form{
		{"zh", `N "月" of?`, func(month *caught) bool {
			c.date.month = month.number
			return month.number >= 1 && month.number <= 12
		}},
		{"zh", "rel unit of?", func(month *caught) bool {
			c.date.months, c.date.byMonth = ahead(month.rel), true
			return month.rel != "last" && month.value == "month"
		}},
	})
	c.next = next
	return ok
}

// ofMonth reads of the month, im Dezember, of next month.
func (p *reader) ofMonth(i int, d *date) (int, bool) {
	j := p.skip(p.skip(i, "of"), "the")
	each := p.skip(j, "each")
	d.each, j = each > j, each
	rel, j := p.relation(j)
	switch unit, next, ok := p.word(j, "unit"); {
	case ok && unit == "month":
		d.byMonth, d.months = !d.each, ahead(rel)
		return next, true
	case ok && unit == "year":
		d.month, d.years = 1, ahead(rel)
		if d.nth < 0 || d.edge == "end" {
			d.month = 12
		}
		return next, true
	}
	if text, next, ok := p.word(j, "month"); ok {
		d.month, _ = strconv.Atoi(text)
		return p.yearAt(next, d), true
	}
	d.each = false
	return i, false
}

// edgeDate reads the end of the month, Ende nächster Woche, в начале декабря, 月底.
func (p *reader) edgeDate(i int, _ bool) (d date, next int, weak, ok bool) {
	ofUnit := func(c *caught) bool {
		n := ahead(c.rel)
		d = date{edge: c.edge, edgeOf: c.value, each: c.each, rel: c.rel, weeks: n, months: n, years: n}
		return c.value == "week" || c.value == "month" || c.value == "year"
	}
	ofMonth := func(c *caught) bool {
		d = date{edge: c.edge, edgeOf: "month", each: c.each, rel: c.rel, year: c.date.year}
		d.month, _ = strconv.Atoi(c.value)
		return true
	}
	next, ok = firstOf(p, i, &d, []form{
		{"", "edgeword", func(c *caught) bool {
			d.edge, d.edgeOf, _ = strings.Cut(c.value, " ")
			return true
		}},
		{"en de ru", "edge of? the? each? rel? unit", ofUnit},
		{"en de ru", "edge of? the? each? rel? month year?", ofMonth},
		{"zh", "rel? unit edge", func(c *caught) bool {
			ok := ofUnit(c)
			d.rel = ""
			return ok
		}},
		{"zh", `rel? N "月" edge`, func(c *caught) bool {
			d = date{edge: c.edge, edgeOf: "month", month: c.number, years: ahead(c.rel)}
			return c.number >= 1 && c.number <= 12
		}},
	})
	return d, next, false, ok
}

// numericDate reads 3/12, 3.12., 3.12.2026, 2026-12-03, 12/25.
func (p *reader) numericDate(i int, led bool) (d date, next int, weak, ok bool) {
	a, mark, b := p.token(i), p.token(i+1).text, p.token(i+2)
	if a.kind != 'n' || b.kind != 'n' || p.tokens[i+1].spaced || b.spaced && (mark != "." || p.lang != "de") || len(b.text) > 2 {
		return date{}, i, false, false
	}
	next = i + 3
	third := p.token(i + 4)
	whole := p.mark(i+3, mark) && third.kind == 'n' && !p.tokens[i+3].spaced && (!third.spaced || len(third.text) == 4)
	switch {
	case mark != "." && whole && len(a.text) == 4:
		d = date{year: a.number, month: b.number, day: third.number}
		return d.checked(), i + 5, false, true
	case mark != "." && mark != "/" && (mark != "-" || !whole), len(a.text) > 2:
		return date{}, i, false, false
	case whole:
		year := third.number
		if len(third.text) == 2 {
			year += 2000
		} else if len(third.text) != 4 {
			return date{}, i, false, false
		}
		d.year, next = year, i+5
	case mark == "." && p.mark(i+3, "."):
		next = i + 4
		weak = false
	default:
		weak = !led
	}
	d.day, d.month = a.number, b.number
	if p.lang == "zh" && mark != "." {
		d.day, d.month = b.number, a.number
	}
	if p.lang == "en" && mark == "/" && d.month > 12 && d.day <= 12 {
		d.day, d.month = d.month, d.day
	} else if p.lang == "en" && mark == "/" && d.day <= 12 && d.day != d.month {
		d.swapped = true
	}
	if mark == "." && !whole && (d.month > 12 || d.month == 0) {
		return date{}, i, false, false // 1.50
	}
	return d.checked(), next, weak, true
}

// checked marks a date that is in no calendar.
func (d date) checked() date {
	days := 31
	if d.month >= 1 && d.month <= 12 {
		year := d.year
		if year == 0 {
			year = 2024 // a leap year
		}
		days = daysIn(newDay(year, d.month, 1))
	}
	d.impossible = d.month < 1 || d.month > 12 || d.day < 1 || d.day > days
	return d
}

// monthDay reads 3 December, December 3rd 2026, the 3rd of December, dritten Dezember, 3月12日, and next May.
func (p *reader) monthDay(i int, led bool) (d date, next int, weak, ok bool) {
	keep := func(c *caught) bool {
		d = c.date
		if d.month = c.number; p.lang != "zh" {
			d.month, _ = strconv.Atoi(c.value)
		}
		return true
	}
	withDay := func(c *caught) bool {
		keep(c)
		d.day = c.dayNumber
		d = d.checked()
		return d.day >= 0 && d.day < 100
	}
	next, ok = firstOf(p, i, &d, []form{
		{"de", `the? dayNumber "." of? month dot? year?`, withDay},
		{"en de ru", "the? dayNumber of? month dot? year?", withDay},
		{"en", "the? rel? month dot? the? dayNumber", func(c *caught) bool {
			isDay := c.dayNumber > 0 && !p.splitsTime(c.next)
			c.next = p.yearAt(c.next, &c.date)
			return withDay(c) && isDay
		}},
		{"en de ru", "the? rel? month dot? year?", func(c *caught) bool { return keep(c) && (led || c.rel != "") }},
		{"zh", `hanYear? N "月" dayNumber ordmark?`, func(c *caught) bool { return withDay(c) && d.month < 100 }},
		{"zh", `hanYear? N "月"`, func(c *caught) bool { // not 12月每周二
			return keep(c) && d.month < 100 && (d.year != 0 || p.is(p.skip(c.next, "of"), "each"))
		}},
	})
	return d, next, false, ok
}

// dayRange reads from one day of a month to another: the 3rd to the 5th of December, 12月3日到5日.
func (p *reader) dayRange(i int) (first, last date, next int, ok bool) {
	j := p.skip(i, "from")
	first, after, _, ok := p.monthDay(j, false)
	if j = after; !ok { // the month is behind the last
		var c caught
		isDay := p.match(j, "the? dayNumber", &c)
		first, j, ok = date{day: c.dayNumber}, c.next, isDay
	}
	_, j, is := p.word(j, "through")
	if !ok || !is || first.day == 0 {
		return date{}, date{}, i, false
	}
	if last, next, _, ok = p.monthDay(j, false); !ok && first.month != 0 {
		last, next, _, ok = p.dayOfMonth(j, true)
		last.year, last.month = first.year, first.month
	}
	if !ok || last.day == 0 {
		return date{}, date{}, i, false
	}
	if first.month == 0 {
		first.year, first.month = last.year, last.month
	}
	first.given, last.given = true, true
	return first.checked(), last.checked(), next, true
}

// isYear says whether a number may be a year.
func isYear(n int) bool { return n >= 1900 && n < 2200 }

// yearAt reads the year behind a month: 2026, ", 2026", 2026 года.
func (p *reader) yearAt(i int, d *date) int {
	j := i
	if p.mark(j, ",") {
		j++
	}
	if t := p.token(j); t.kind == 'n' && len(t.text) == 4 && isYear(t.number) {
		d.year = t.number
		return p.skip(j+1, "yearmark")
	}
	return i
}

// dayOfMonth reads the 3rd, am 3., 3-го, 12号.
func (p *reader) dayOfMonth(i int, led bool) (d date, next int, weak, ok bool) {
	j := p.skip(i, "the")
	day, next, ok := p.ordinal(j)
	if !ok || day < 1 || day > 31 {
		return date{}, i, false, false
	}
	if _, _, weekday := p.weekday(next, true); weekday && p.lang != "zh" {
		return date{}, i, false, false // the first Monday
	}
	isMarked := p.lang == "ru" && strings.HasSuffix(p.tokens[next-1].text, "го") && (p.is(next, "at") || p.is(next, "part")) // двадцать пятого в 10
	if after := p.skip(next, "daymark"); after > next {                                                                      // первого числа
		next, isMarked = after, p.tokens[j].kind == 'w'
	} else if p.lang == "ru" && p.tokens[j].kind == 'w' && !isMarked {
		return date{}, i, false, false
	}
	d.day = day
	if after, ok := p.ofMonth(next, &d); ok && p.lang != "zh" {
		return d.checkedDay(), after, false, true
	}
	written := p.tokens[j].kind != 'w'
	led = led || j > i
	strong := p.lang == "zh" || p.lang == "ru" && !strings.Contains("йяюе", p.tokens[next-1].text)
	return d, next, !led && !strong, led || isMarked || written && p.lang != "de"
}

func (d date) checkedDay() date {
	if d.month != 0 {
		return d.checked()
	}
	return d
}
