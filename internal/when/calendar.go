package when

import (
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
	text, next, ok := p.word(p.skip(i, "the"), "holiday")
	if !ok {
		return date{}, i, false, false
	}
	month, day, _ := strings.Cut(text, "-")
	d.month, _ = strconv.Atoi(month)
	d.day, _ = strconv.Atoi(day)
	next = p.yearAt(next, &d)
	return d, next, !led && !(p.lang == "zh" && p.is(next, "before")), true
}

// relativeDate reads today, tomorrow, next week, this month, weekend.
func (p *reader) relativeDate(i int, _ bool) (d date, next int, weak, ok bool) {
	if text, next, ok := p.word(i, "offset"); ok {
		n, _ := strconv.Atoi(text)
		return date{offset: n, byOff: true}, next, false, true
	}
	if _, next, ok := p.word(i, "weekafternext"); ok {
		return date{weeks: 2, byWeek: true}, next, false, true
	}
	rel, j := p.relation(i)
	if _, next, ok := p.word(j, "weekend"); ok {
		return date{weekend: true, rel: rel}, next, false, true
	}
	unit, next, ok := p.word(j, "unit")
	if rel == "" || !ok {
		return date{}, i, false, false
	}
	switch n := ahead(rel); unit {
	case "week":
		return date{weeks: n, byWeek: true}, next, rel == "this", true
	case "month":
		return date{months: n, byMonth: true}, next, rel == "this", true
	case "year":
		return date{years: n, byYear: true}, next, rel == "this", true
	case "day":
		if rel == "next" {
			return date{offset: 1, byOff: true}, next, false, true
		}
	}
	return date{}, i, false, false
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

// nthWeekday reads the first Monday of the month.
func (p *reader) nthWeekday(i int, _ bool) (d date, next int, weak, ok bool) {
	j := p.skip(i, "the")
	inMonth := false
	var of date
	if named, k, ok := p.whole(j); ok && p.lang == "zh" && p.token(k).text == "月" && named >= 1 && named <= 12 { // 12月的第一个周一
		of.month, j = named, p.skip(k+1, "of")
	} else if rel, k := p.relation(j); p.lang == "zh" && rel != "" && rel != "last" { // 下个月最后一天
		if unit, k, ok := p.word(k, "unit"); ok && unit == "month" {
			of.months, of.byMonth, j = ahead(rel), true, p.skip(k, "of")
		}
	}
	if p.lang == "zh" { // 下个月第一个星期一
		if p.token(j).text != "第" {
			if _, _, last := p.word(j, "ord"); !last {
				return date{}, i, false, false
			}
		} else {
			j++
		}
	}
	nth, j, ok := 0, j, false
	if text, after, last := p.word(j, "ord"); last && p.lang == "zh" {
		nth, _ = strconv.Atoi(text)
		j, ok = after, true
	} else if p.lang == "zh" {
		if nth, j, ok = p.whole(j); ok {
			j = p.skip(j, "measure")
		}
	} else {
		nth, j, ok = p.ordinal(j)
	}
	if !ok || nth == 0 || nth > 5 || nth < -1 {
		return date{}, i, false, false
	}
	if unit, next, ok := p.word(j, "unit"); ok && (nth == -1 || nth == 1) && unit == "day" { // the last day of the month
		d = of
		d.edge, d.edgeOf = map[int]string{-1: "end", 1: "start"}[nth], "month"
		if after, ok := p.ofMonth(next, &d); ok {
			return d, after, false, true
		}
		return d, next, of == date{}, p.lang == "zh" && nth == -1
	}
	day, next, ok := p.weekday(j, true)
	if !ok {
		return date{}, i, false, false
	}
	d = of
	d.weekday, d.nth = day, nth
	if after, ok := p.ofMonth(next, &d); ok {
		next, inMonth = after, true
	}
	return d, next, !inMonth, inMonth || p.lang == "zh"
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
	if p.lang == "zh" {
		return p.hanEdge(i)
	}
	if text, next, ok := p.word(i, "edgeword"); ok {
		d.edge, d.edgeOf, _ = strings.Cut(text, " ")
		return d, next, false, true
	}
	for _, edge := range []string{"end", "start", "middle"} {
		_, j, ok := p.word(i, edge)
		if !ok {
			continue
		}
		j = p.skip(j, "of")
		j = p.skip(j, "the")
		each := p.skip(j, "each")
		rel, k := p.relation(each)
		d = date{edge: edge, each: each > j, rel: rel}
		j = k
		if unit, next, ok := p.word(j, "unit"); ok {
			switch n := ahead(rel); unit {
			case "week", "month", "year":
				d.edgeOf = unit
				d.weeks, d.months, d.years = n, n, n
				return d, next, false, true
			case "day":
				return date{}, i, false, false
			}
		}
		if text, next, ok := p.word(j, "month"); ok {
			d.month, _ = strconv.Atoi(text)
			d.edgeOf = "month"
			return d, p.yearAt(next, &d), false, true
		}
	}
	return date{}, i, false, false
}

func (p *reader) hanEdge(i int) (d date, next int, weak, ok bool) {
	rel, j := p.relation(i)
	n := ahead(rel)
	if unit, k, ok := p.word(j, "unit"); ok && (unit == "month" || unit == "year" || unit == "week") {
		d.edgeOf, j = unit, k
	} else if month, k, ok := p.whole(j); ok && p.token(k).text == "月" && month >= 1 && month <= 12 {
		d.edgeOf, d.month, j = "month", month, k+1
	} else {
		return date{}, i, false, false
	}
	for _, edge := range []string{"end", "start"} {
		if _, k, ok := p.word(j, edge); ok {
			d.edge = edge
			d.weeks, d.months, d.years = n, n, n
			return d, k, false, true
		}
	}
	return date{}, i, false, false
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
	if p.lang == "zh" {
		return p.hanMonthDay(i)
	}
	j := p.skip(i, "the")
	day, k, dayFirst := p.ordinal(j)
	if !dayFirst {
		day, k, dayFirst = p.whole(j)
	}
	if dayFirst && day >= 0 && day < 100 {
		if p.mark(k, ".") && p.lang == "de" {
			k++
		}
		k = p.skip(k, "of")
		if text, next, ok := p.word(k, "month"); ok {
			d.day = day
			d.month, _ = strconv.Atoi(text)
			if p.mark(next, ".") && len([]rune(p.tokens[next-1].text)) <= 4 {
				next++
			}
			next = p.yearAt(next, &d)
			return d.checked(), next, false, true
		}
	}
	rel, j := p.relation(j)
	text, j, ok := p.word(j, "month")
	if !ok {
		return date{}, i, false, false
	}
	d.month, _ = strconv.Atoi(text)
	if p.mark(j, ".") && len([]rune(p.tokens[j-1].text)) <= 4 && p.token(j+1).kind == 'n' {
		j++
	}
	if p.lang == "en" {
		k := p.skip(j, "the")
		day, after, ok := p.ordinal(k)
		if !ok {
			day, after, ok = p.whole(k)
		}
		if ok && day >= 1 && day < 100 && !p.splitsTime(after) {
			d.day = day
			return d.checked(), p.yearAt(after, &d), false, true
		}
	}
	if led || rel != "" {
		return d, p.yearAt(j, &d), false, true
	}
	return date{}, i, false, false
}

// dayRange reads from one day of a month to another: the 3rd to the 5th of December, 12月3日到5日.
func (p *reader) dayRange(i int) (first, last date, next int, ok bool) {
	j := p.skip(i, "from")
	first, after, _, ok := p.monthDay(j, false)
	if j = after; !ok { // the month is behind the last
		j = p.skip(j, "the")
		day, after, isDay := p.ordinal(j)
		if !isDay {
			day, after, isDay = p.whole(j)
		}
		first, j, ok = date{day: day}, after, isDay
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

// yearAt reads the year behind a month: 2026, ", 2026", 2026 года.
func (p *reader) yearAt(i int, d *date) int {
	j := i
	if p.mark(j, ",") {
		j++
	}
	if t := p.token(j); t.kind == 'n' && len(t.text) == 4 && t.number >= 1900 && t.number < 2200 {
		d.year = t.number
		return p.skip(j+1, "yearmark")
	}
	return i
}

// hanMonthDay reads 2026年3月12日, 3月12号, 下个月3号.
func (p *reader) hanMonthDay(i int) (d date, next int, weak, ok bool) {
	j := i
	if year, k, ok := p.whole(j); ok && p.token(k).text == "年" && year >= 1900 && year < 2200 {
		d.year, j = year, k+1
	}
	month, k, ok := p.whole(j)
	if !ok || p.token(k).text != "月" || month > 99 {
		return date{}, i, false, false
	}
	d.month = month
	j = k + 1
	day, k, ok := p.whole(j)
	if !ok || day > 99 {
		if d.year == 0 && !p.is(p.skip(j, "of"), "each") { // 12月每周二
			return date{}, i, false, false
		}
		return d, j, false, true
	}
	d.day = day
	if _, after, ok := p.word(k, "ordmark"); ok {
		k = after
	}
	return d.checked(), k, false, true
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
	if after := p.skip(next, "daymark"); after > next {
		next = after
	} else if p.lang == "ru" && p.tokens[j].kind == 'w' {
		return date{}, i, false, false
	}
	d.day = day
	if after, ok := p.ofMonth(next, &d); ok && p.lang != "zh" {
		return d.checkedDay(), after, false, true
	}
	written := p.tokens[j].kind != 'w'
	led = led || j > i
	strong := p.lang == "zh" || p.lang == "ru" && !strings.Contains("йяюе", p.tokens[next-1].text)
	return d, next, !led && !strong, led || written && p.lang != "de"
}

func (d date) checkedDay() date {
	if d.month != 0 {
		return d.checked()
	}
	return d
}
