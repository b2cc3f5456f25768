package when

import (
	"strconv"
	"strings"
)

// clock is a time of day as it was said.
type clock struct {
	given                bool
	hour, minute, second int
	sure                 bool // 18:00, 06:00, 6 am: it is no hour of a twelve-hour clock
	midnight             bool // 00:00 of the coming night
	half                 bool // am or pm was said
	offset               int  // seconds east of UTC plus one day, where the text has them: the second 02:30 of a night
}

// valid says whether a clock can show it.
func (c clock) valid() bool {
	return c.hour < 24 && c.minute < 60 && c.second < 60 || c.hour == 24 && c.minute == 0 && c.second == 0
}

// bare says whether the time could be one of the afternoon as well.
func (c clock) bare() bool { return !c.sure && c.hour >= 1 && c.hour < 12 }

// clockAt reads a time of day. It is weak where a number alone stands for it, which needs a word before it: at 6.
func (p *reader) clockAt(i int, led bool) (c clock, next int, weak, ok bool) {
	if night := p.skip(i, "midnight"); night > i && !p.strongHour(night) {
		return clock{given: true, sure: true, midnight: true}, night, false, true
	}
	for _, read := range []func(int) (clock, int, bool, bool){p.digitalClock, p.fractionClock, p.hourClock} {
		if c, next, weak, ok = read(i); ok {
			break
		}
	}
	if !ok {
		if noon := p.skip(i, "noon"); noon > i && !p.strongHour(noon) && !p.hourOfNoon(noon) {
			return clock{given: true, hour: 12, sure: true}, noon, false, true
		}
		return clock{}, i, false, false
	}
	c.given = true
	if half, after, ok := p.halfOfDay(next); ok && c.hour <= 12 && c.hour > 0 {
		c.hour = c.hour%12 + half
		c.sure, c.half, next, weak = true, true, after, false
	}
	if led && weak && !p.mayBeHour(next) {
		return clock{}, i, false, false
	}
	return c, next, weak, true
}

// strongHour says whether an hour stands there, and the word before it is its part of the day: 中午十二点.
func (p *reader) strongHour(i int) bool {
	_, _, weak, ok := p.hourClock(i)
	return ok && !weak
}

// hourOfNoon says whether the time that noon is the part of stands behind it: mittags um 12, but not from noon until 2.
func (p *reader) hourOfNoon(i int) bool {
	at := p.skip(i, "at")
	if at == i || p.is(i, "through") || p.is(i, "before") {
		return false
	}
	c, next, _, ok := p.fractionClock(at)
	if !ok {
		c, next, _, ok = p.hourClock(at)
	}
	return ok && (c.hour >= 11 && c.hour <= 13 || c.hour <= 1) && p.mayBeHour(next)
}

// splitsTime says whether a colon between two numbers stands there: 3:30, but not December 3: call Ana.
func (p *reader) splitsTime(i int) bool {
	after := p.token(i + 1)
	return p.mark(i, ":") && after.kind == 'n' && !after.spaced
}

// inDateNumber says whether a number that ends at next is a part of a date: 03.12.2026, 3 December.
func (p *reader) inDateNumber(next int) bool {
	if p.is(next, "month") || p.token(next).text == "月" {
		return true
	}
	after := p.token(next + 1)
	return (p.mark(next, ".") || p.mark(next, "/") || p.mark(next, "-") || p.mark(next, ":")) && after.kind == 'n' && !after.spaced
}

// mayBeHour says whether a number that ends before a token may be an hour: not "at 5 metres", "um 10 Prozent".
func (p *reader) mayBeHour(next int) bool {
	t := p.token(next)
	if t.text == "%" || t.text == "€" || t.text == "$" || t.text == "°" || t.text == "/" {
		return false
	}
	if t.kind == 'w' && !t.spaced {
		return false // 5kg
	}
	_, _, unit := p.unit(next)
	return !unit || p.is(next, "part") || p.lang == "ru" && p.is(next, "oclock")
}

// halfOfDay reads am and pm.
func (p *reader) halfOfDay(i int) (int, int, bool) {
	for _, half := range []struct {
		is    string
		hours int
	}{{"am", 0}, {"pm", 12}} {
		if _, next, ok := p.word(i, half.is); ok {
			return half.hours, next, true
		}
	}
	return 0, i, false
}

// digitalClock reads 18:00, 18:00:30, 18.30 Uhr, 6.30 pm, 1830.
func (p *reader) digitalClock(i int) (c clock, next int, weak, ok bool) {
	hour, minute := p.token(i), p.token(i+2)
	if hour.kind != 'n' || len(hour.text) > 4 {
		return clock{}, i, false, false
	}
	c = clock{hour: hour.number, sure: hour.number > 12 || hour.number == 0 || hour.text[0] == '0'}
	colon, dot := p.mark(i+1, ":"), p.mark(i+1, ".")
	if !colon && !dot || minute.kind != 'n' || len(minute.text) != 2 || len(hour.text) > 2 || minute.spaced {
		if len(hour.text) == 4 && hour.number%100 < 60 && hour.number < 2400 && p.lang != "zh" {
			c.hour, c.minute, c.sure = hour.number/100, hour.number%100, true
			return c, p.skip(i+1, "oclock"), true, true
		}
		return clock{}, i, false, false
	}
	c.minute, next = minute.number, i+3
	if dot {
		if p.mark(next, ".") && p.token(next+1).kind == 'n' {
			return clock{}, i, false, false // 18.30.2026 is a date, if anything
		}
		return c, p.skip(next, "oclock"), !p.is(next, "oclock"), true
	}
	if second := p.token(next + 1); p.mark(next, ":") && second.kind == 'n' && len(second.text) == 2 && !second.spaced {
		c.second, next = second.number, next+2
	}
	c.offset, next = p.utcOffset(next)
	return c, p.skip(next, "oclock"), false, true
}

// utcOffset reads (UTC+01:00), with which Describe writes the second of two equal times.
func (p *reader) utcOffset(i int) (int, int) {
	sign, h, m := p.token(i+2).text, p.token(i+3), p.token(i+5)
	if !p.mark(i, "(") || p.token(i+1).text != "utc" || sign != "+" && sign != "-" || h.kind != 'n' || m.kind != 'n' || !p.mark(i+6, ")") {
		return 0, i
	}
	east := h.number*3600 + m.number*60
	if sign == "-" {
		east = -east
	}
	return east + daySeconds, i + 7
}

// fractionClock reads half past six, quarter to six, ten past six, halb sechs, Viertel nach sechs, dreiviertel sechs, fünf
// vor halb sieben, полшестого, четверть шестого, без десяти шесть, 差五分六点.
func (p *reader) fractionClock(i int) (c clock, next int, weak, ok bool) {
	if c, next, ok = p.halfBefore(i); ok {
		return c, next, false, true
	}
	shift := func(f *caught, minutes int) bool {
		if c = f.clock.plus(minutes); !c.sure {
			c = c.noZero()
		}
		return true
	}
	// A digit alone is weak, 10 to six, and none of from 9 to 5.
	isDigit := func(behind string) bool { return p.tokens[i].kind == 'n' && p.is(i+1, behind) }
	before := func(hour, minutes int) (ok bool) {
		c, ok = hourBefore(hour, minutes)
		return ok
	}
	next, ok = firstOf(p, i, &c, []form{
		{"", "minus minutes hour", func(f *caught) bool { return shift(f, -f.minutes) }}, // без четверти шесть, 差一刻六点
		{"", "minus N", func(f *caught) bool { // без двадцати восемь is not 28
			isTwo := f.next > f.at+1 && f.number > 20 && f.number < 60
			f.next--
			return isTwo && p.formPart("hour", f) && shift(f, f.number%10-f.number)
		}},
		{"ru", "minutes O", func(f *caught) bool { // четверть шестого, but в 6 третьего декабря
			isPart := p.is(i, "quarters") || p.is(i, "half") || p.is(f.at-1, "unit")
			return isPart && p.tokens[f.next-1].kind == 'w' && before(f.number, f.minutes)
		}},
		{"en de", "minutes past hour", func(f *caught) bool {
			weak = isDigit("past") && p.token(i+1).text != "past"
			return !(isDigit("past") && p.is(i-1, "from")) && shift(f, f.minutes)
		}},
		{"en de", "minutes to hour", func(f *caught) bool {
			weak = isDigit("to")
			return !(weak && p.is(i-1, "from")) && shift(f, -f.minutes)
		}},
		{"de", "quarters N", func(f *caught) bool { // viertel sechs is 5:15, dreiviertel sechs 5:45
			quarters, _ := strconv.Atoi(f.value)
			mayBe := p.mayBeHour(f.next)
			f.next = p.skip(f.next, "oclock")
			return mayBe && before(f.number, 15*quarters)
		}},
	})
	return c, next, weak, ok
}

// hourBefore is so many minutes into an hour that is counted by its end: half of the sixth is 5:30, and of the first 12:30.
func hourBefore(hour, minutes int) (c clock, ok bool) {
	return clock{hour: (hour + 11) % 12, minute: minutes}.noZero(), hour >= 1 && hour <= 12
}

// noZero makes 0:30, as half of the first hour is counted, 12:30.
func (c clock) noZero() clock {
	if c.hour == 0 {
		c.hour = 12
	}
	return c
}

// minutes reads the minutes before a clock's hour: ten, 10 minutes, a quarter, half.
func (p *reader) minutes(i int) (int, int, bool) {
	if text, next, ok := p.word(i, "quarters"); ok {
		n, _ := strconv.Atoi(text)
		return n * 15, next, true
	}
	half := map[string]string{"ru": "clock"}[p.lang] // половину may be half an hour, too
	if next, ok := p.wordOf(i, "half", half); ok && (p.lang == "en" || p.lang == "ru") {
		if p.mark(next, "-") { // пол-шестого
			next++
		}
		return 30, next, true
	}
	n, next, ok := p.whole(i)
	if !ok || n < 1 || n > 59 {
		return 0, i, false
	}
	if unit, after, ok := p.unit(next); ok && unit == "min" {
		next = after
	}
	return n, next, true
}

// halfBefore reads the half hour of each language: half six in English is 6:30, halb sechs 5:30, полшестого 5:30.
func (p *reader) halfBefore(i int) (c clock, next int, ok bool) {
	before := func(f *caught) (ok bool) {
		c, ok = hourBefore(f.number, 30)
		return ok
	}
	next, ok = firstOf(p, i, &c, []form{
		{"en", "half N", func(f *caught) bool {
			ok := f.at == i+1 && p.mayBeHour(f.next) && before(f)
			c.hour, f.next = f.number, p.skip(f.next, "oclock")
			return ok
		}},
		{"de", "half=clock N oclock?", before},
		{"ru", "halfof", func(f *caught) bool {
			f.number, _ = strconv.Atoi(f.value)
			return before(f)
		}},
	})
	return c, next, ok
}

// wordOf reads a phrase of that meaning and value.
func (p *reader) wordOf(i int, is, value string) (int, bool) {
	if i >= 0 && i < len(p.tokens) {
		for _, f := range p.found[i] {
			if f.is == is && f.value == value {
				return i + f.tokens, true
			}
		}
	}
	return i, false
}

// wholeHour reads the hour to or from which minutes are counted: six, noon, and in German half past five.
func (p *reader) wholeHour(i int) (c clock, next int, ok bool) {
	if p.lang == "de" {
		if c, next, ok = p.halfBefore(i); ok {
			return c, next, true
		}
	}
	for is, hour := range map[string]int{"noon": 12, "midnight": 24} {
		if _, next, ok := p.word(i, is); ok {
			return clock{hour: hour, sure: true}, next, true
		}
	}
	hour, next, ok := p.whole(i)
	return clock{hour: hour, sure: hour > 12}, p.skip(next, "oclock"), ok && hour >= 1 && hour <= 24
}

// plus moves a time by minutes, less than a day.
func (c clock) plus(minutes int) clock {
	all := minutesOf(c) + 24*60 + minutes
	c.hour, c.minute = all/60%24, all%60
	return c
}

// hourClock reads 18 Uhr 30, 6 o'clock, six thirty, 三点半, в час, and an hour alone.
func (p *reader) hourClock(i int) (c clock, next int, weak, ok bool) {
	hour, j, ok := p.whole(i)
	if ok && p.token(i).kind == 'n' && len(p.token(i).text) > 2 {
		return clock{}, i, false, false
	}
	if !ok {
		if _, k, is := p.word(i, "oclock"); is && p.tokens[i].text == "час" {
			c = clock{hour: 1}
			if minute, after, ok := p.whole(k); ok && minute >= 10 && minute < 60 && p.tokens[k].kind == 'w' { // в час двадцать
				c.minute, k = minute, after
			}
			return c, k, true, true
		}
		return clock{}, i, false, false
	}
	if hour > 99 {
		return clock{}, i, false, false
	}
	c = clock{hour: hour, sure: hour > 12 || hour == 0 || p.token(i).kind == 'n' && p.token(i).text[0] == '0'}
	kind, after, is := p.word(j, "oclock")
	if !is {
		if minute, after, ok := p.whole(j); ok && minute >= 10 && minute < 60 && p.tokens[i].kind == 'w' && p.tokens[j].kind == 'w' && hour <= 24 {
			c.minute, j = minute, after // six thirty
		}
		return c, j, true, true
	}
	j = after
	if kind == "half" {
		c.minute = 30
		return c, j, false, true
	}
	if p.lang == "zh" {
		if minutes, k, ok := p.hanMinutes(j); ok {
			if minutes >= 0 || hour > 24 { // an hour that no clock has stays one
				c.minute = minutes
				return c, k, false, true
			}
			return c.plus(minutes), k, false, true
		}
	}
	c.minute, j = p.minuteBehind(j)
	return c, j, kind == "weak", true
}

// hanMinutes reads the minutes behind an hour: 三点半, 三点一刻, 八点过五分, 八点差五分.
func (p *reader) hanMinutes(i int) (minutes, next int, ok bool) {
	if _, next, ok = p.word(i, "half"); ok {
		return 30, next, true
	}
	if p.is(i, "quarters") {
		return p.minutes(i)
	}
	if _, next, ok = p.word(i, "minus"); ok {
		minutes, next, ok = p.minutes(next)
		return -minutes, next, ok
	}
	if p.token(i).text == "过" || p.token(i).text == "過" {
		return p.minutes(i + 1)
	}
	return 0, i, false
}

// minuteBehind reads the minute behind the word for the hour: 18 Uhr 30.
func (p *reader) minuteBehind(i int) (minute, next int) {
	minute, next, ok := p.whole(i)
	if !ok || minute >= 60 || p.inDateNumber(next) {
		return 0, i
	}
	if unit, after, ok := p.unit(next); ok {
		if unit == "min" {
			return minute, after
		}
		return 0, i
	}
	isNumber, twoDigits := p.token(i).kind == 'n', len(p.token(i).text) == 2
	switch {
	case p.lang == "zh" && !isNumber && minute < 10 && !strings.HasPrefix(p.token(i).text, "零"): // 九点一回
		return 0, i
	case p.lang == "zh" && p.is(next, "times"), p.lang != "zh" && (!p.mayBeHour(next) || isNumber && !twoDigits), p.lang == "ru" && !isNumber:
		return 0, i
	}
	return minute, next
}
