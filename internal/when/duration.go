package when

import (
	"slices"
	"strconv"
	"time"

	"hob/internal/recurrence"
)

// length is an amount of time. Hours and minutes elapse; days and months are of the calendar.
type length struct {
	months, days int
	elapsed      time.Duration
}

// mostAmount bounds an amount, so that no sum overflows.
const mostAmount = 100_000

// unit is a unit of time as the files of words name it, its FREQ of RFC 5545, and how long it is.
type unit struct {
	name, freq string
	one        length
}

// units are all units, from the smallest on: a sum of amounts goes from the larger to the smaller.
func units() []unit {
	return []unit{
		{"sec", "SECONDLY", length{elapsed: second}}, {"min", "MINUTELY", length{elapsed: minute}}, {"hour", "HOURLY", length{elapsed: hour}},
		{"day", "DAILY", length{days: 1}}, {"week", "WEEKLY", length{days: 7}}, {"fortnight", "", length{days: 14}},
		{"month", "MONTHLY", length{months: 1}}, {"quarter", "", length{months: 3}}, {"year", "YEARLY", length{months: 12}},
	}
}

// unitRank is where a unit stands among all, -1 where it is none.
func unitRank(name string) int {
	return slices.IndexFunc(units(), func(u unit) bool { return u.name == name })
}

// unitOf returns the unit of that name, which is one.
func unitOf(name string) unit { return units()[unitRank(name)] }

// ofHours says whether a unit is shorter than a day.
func ofHours(name string) bool { return unitRank(name) < unitRank("day") }

// lengthOf returns an amount of units, or false where that is no length.
func lengthOf(value float64, name string) (length, bool) {
	if value < 0 || value > mostAmount || unitRank(name) < 0 {
		return length{}, false
	}
	switch one := unitOf(name).one; {
	case one.elapsed != 0:
		return length{elapsed: time.Duration(value * float64(one.elapsed)).Round(second)}, true
	case one.days != 0:
		return daysOf(value * float64(one.days)), true
	case value != float64(int(value)) && one.months == 1:
		return length{months: int(value), days: int((value - float64(int(value))) * 30)}, true
	default:
		return length{months: int(value * float64(one.months))}, value*float64(one.months) <= 1200
	}
}

// daysOf returns days of the calendar, and hours for what is left of one.
func daysOf(value float64) length {
	whole := int(value)
	return length{days: whole, elapsed: time.Duration((value - float64(whole)) * 24 * float64(time.Hour)).Round(time.Minute)}
}

// plus adds two lengths.
func (l length) plus(o length) length {
	return length{l.months + o.months, l.days + o.days, l.elapsed + o.elapsed}
}

// times returns a length n times.
func (l length) times(n int) length {
	return length{l.months * n, l.days * n, l.elapsed * time.Duration(n)}
}

// calendar says whether the length is of whole days or more.
func (l length) calendar() bool { return l.elapsed == 0 && (l.days != 0 || l.months != 0) }

// nothing says whether the length is none.
func (l length) nothing() bool { return l == length{} }

// total returns the length with months of 30 days.
func (l length) total() time.Duration {
	return time.Duration(l.months*30+l.days)*24*time.Hour + l.elapsed
}

// after returns the time that is l after t.
func (l length) after(t time.Time) time.Time {
	if l.months != 0 || l.days != 0 {
		day := l.behind(dayOf(t))
		t = recurrence.Instant(time.Date(day.Year(), day.Month(), day.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC), t.Location())
	}
	return t.Add(l.elapsed)
}

// behind returns the day that is the days and months of l after a day.
func (l length) behind(day time.Time) time.Time {
	return addMonths(day, l.months).AddDate(0, 0, l.days)
}

// addMonths moves a day by months; the 31st of a shorter month is its last.
func addMonths(day time.Time, months int) time.Time {
	first := newDay(day.Year(), int(day.Month())+months, 1)
	return first.AddDate(0, 0, min(day.Day(), daysIn(first))-1)
}

// daysIn returns how many days the month of day has.
func daysIn(day time.Time) int {
	return newDay(day.Year(), int(day.Month())+1, 0).Day()
}

// duration reads an amount of time: 10 minutes, an hour and a half, 1h30, 2 Stunden und 15 Minuten, полтора часа,
// 一个半小时. Where implied is true, a unit alone is one of it.
func (p *reader) duration(i int, implied bool) (length, int, bool) {
	sum, unit, next, ok := p.amount(i, implied)
	if !ok {
		return length{}, i, false
	}
	for unit != "" {
		j := next
		if p.mark(j, ",") {
			j++
		}
		if _, after, ok := p.word(j, "and"); ok {
			j = after
		}
		if n, after, ok := p.minutesBehind(j, p.is(i-1, "in") || p.lang == "ru" && (p.is(i-1, "on") || p.is(i-1, "timer"))); ok && j == next && unit == "hour" {
			return sum.plus(length{elapsed: time.Duration(n) * minute}), after, true
		}
		more, smaller, after, ok := p.amount(j, false)
		if !ok || smaller == "" || unitRank(smaller) >= unitRank(unit) {
			break
		}
		sum, unit, next = sum.plus(more), smaller, after
	}
	return sum, next, true
}

// roughLength reads a Russian length whose number stands behind its unit, as it is not exact: минут десять, минут на десять, часа полтора.
func (p *reader) roughLength(i int) (length, int, bool) {
	unit, j, ok := p.unit(i)
	if !ok || p.lang != "ru" || p.is(i, "oneunit") {
		return length{}, i, false
	}
	amount, next, ok := p.number(p.skip(j, "on"))
	if !ok || p.is(next, "unit") {
		return length{}, i, false
	}
	l, ok := lengthOf(amount, unit)
	return l, next, ok
}

// minutesBehind reads minutes without a unit behind hours: 1h30, and behind "in" as well in 1h 20, через час двадцать, and in
// Russian in на час двадцать.
func (p *reader) minutesBehind(i int, isLed bool) (minutes, next int, ok bool) {
	t, unit := p.token(i), p.token(i-1)
	minutes, next, ok = p.whole(i)
	isJoined := t.kind == 'n' && !t.spaced && len(t.text) == 2
	isWord := t.kind == 'w' && (p.lang == "ru" || p.lang == "de") || t.kind == 'n' && unit.to == unit.from+1 // not: in 1 hour 10 pushups
	isRound := minutes%5 == 0 && minutes > 0
	return minutes, next, ok && minutes < 60 && !p.is(next, "unit") && (isJoined || isLed && isWord && isRound)
}

// amount reads a number and its unit. The unit is "" where a single word has both.
func (p *reader) amount(i int, implied bool) (length, string, int, bool) {
	if text, next, ok := p.word(i, "length"); ok {
		minutes, _ := strconv.Atoi(text)
		return length{elapsed: time.Duration(minutes) * time.Minute}, "", next, true
	}
	if text, next, ok := p.word(i, "lengthmonths"); ok {
		months, _ := strconv.Atoi(text)
		return length{months: months}, "", next, true
	}
	value, next, ok := p.howMany(i)
	if !ok {
		value, next = 1, i
		if unit, after, _ := p.unit(i); !implied && (unit == "" || !p.is(after, "andahalf")) { // hour and a half
			return length{}, "", i, false
		}
	}
	next = p.skip(next, "more")
	if p.mark(next, "-") && next > i && !p.tokens[next].spaced { // 5-minute
		next++
	}
	unit, after, ok := p.unit(next)
	if !ok {
		return length{}, "", i, false
	}
	if p.lang == "zh" && unit == "month" && p.tokens[next-min(next, 1)].kind == 'n' {
		return length{}, "", i, false // 3月 is March
	}
	if p.lang == "zh" && unit == "month" {
		if _, _, measured := p.word(next-1, "measure"); next == 0 || !measured && !p.is(next-1, "half") {
			return length{}, "", i, false
		}
	}
	if _, half, ok := p.word(after, "andahalf"); ok {
		value, after = value+0.5, half
	} else if p.lang == "zh" && p.is(after, "half") && !p.is(after, "halved") && !p.is(after+1, "measure") && next > i { // 三分半, but not 半熟 behind it
		value, after = value+0.5, p.skip(after+1, "halfend")
	}
	l, ok := lengthOf(value, unit)
	return l, unit, after, ok
}

// howMany reads the number before a unit.
func (p *reader) howMany(i int) (float64, int, bool) {
	if kind, next, ok := p.word(i, "half"); ok && kind != "clock" {
		if _, after, ok := p.word(next, "measure"); ok {
			next = after
		}
		return 0.5, next, true
	}
	if _, next, ok := p.word(i, "few"); ok {
		return 3, p.skip(next, "measure"), true
	}
	if part, next, ok := p.fraction(i); ok {
		return part, next, true
	}
	value, next, ok := p.number(i)
	if part, after, isPart := p.fraction(next); ok && isPart { // 2 1/2 hours
		return value + part, after, true
	}
	if !ok {
		_, next, ok = p.word(i, "a")
		if !ok {
			return 0, i, false
		}
		value = 1
		if _, after, ok := p.word(next, "half"); ok {
			return 0.5, after, true
		}
	}
	if _, after, ok := p.word(next, "andahalf"); ok {
		return value + 0.5, after, true
	}
	if _, after, ok := p.word(next, "measure"); ok {
		next = after
		if _, after, ok := p.word(next, "half"); ok {
			return value + 0.5, after, true
		}
	} else if p.lang == "zh" && p.is(next, "half") {
		return value + 0.5, next + 1, true // 一半 is no amount, 两天半 is read behind the unit
	}
	return value, next, true
}

// fraction reads 1/2 before a unit.
func (p *reader) fraction(i int) (float64, int, bool) {
	above, below := p.token(i), p.token(i+2)
	if above.kind != 'n' || !p.mark(i+1, "/") || below.kind != 'n' || below.number == 0 || below.spaced || !p.is(i+3, "unit") {
		return 0, i, false
	}
	return float64(above.number) / float64(below.number), i + 3, true
}

// unit reads a unit of time. One of a single letter stands directly behind its number: 10m, but not "a m".
func (p *reader) unit(i int) (string, int, bool) {
	unit, next, ok := p.word(i, "unit")
	if !ok || unitRank(unit) < 0 {
		return "", i, false
	}
	if t := p.tokens[i]; t.kind == 'w' && len([]rune(t.text)) == 1 {
		before := p.token(i - 1)
		if before.kind != 'n' || t.spaced && t.text != "ч" {
			return "", i, false
		}
	}
	return unit, next, true
}
