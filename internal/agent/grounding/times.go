package grounding

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// weekdays adds the days of the week that stand beside a date.
func (r *reader) weekdays() {
	var dates []claim
	for _, x := range r.c.claims[r.first:] {
		if x.kind == date && x.date.day > 0 {
			dates = append(dates, x)
		}
	}
	for at := 0; at < len(r.low) && len(dates) > 0; {
		w := wordAt(r.low[at:])
		if isHan(firstRune(r.low[at:])) {
			w = r.prefix("weekday", r.low[at:])
		}
		d, ok := r.value("weekday", w)
		if ok {
			near, gap := claim{}, 24
			for _, x := range dates {
				off := max(x.from-at-len(w), at-x.to)
				between := r.low[min(at+len(w), x.to):max(at, x.from)]
				if off >= 0 && off <= gap && !strings.ContainsAny(between, ";:") && !strings.Contains(between, ". ") && !r.c.namesDay(between, -1) {
					near, gap = x, off
				}
			}
			if near.kind == date {
				r.add(claim{mark: mark{kind: weekday, from: at, to: at + len(w), date: near.date}, weekday: int(d)})
			}
		}
		at += max(len(w), len(string(firstRune(r.low[at:]))))
	}
}

// withoutWeekday is a text without the day of the week that it begins with: 17 to Friday 21 May.
func (l lexicon) withoutWeekday(text string) string {
	if w := wordAt(text); l.is("weekday", w) {
		return strings.TrimLeft(text[len(w):], " ,.")
	}
	return text
}

// isWeekday reports whether the day of the week beside a date is that of the date: in its year, or, where none is known, in
// one of the years of the sources.
func (c *checker) isWeekday(x *claim) bool {
	var years []float64
	now := 0
	for _, d := range c.allDates[min(len(c.ownDates), len(c.allDates)):] {
		now = max(now, d.year)
	}
	isAhead := false // else it may be the day of a birthday
	for d := range c.dates {
		if d.year > 0 && d.day > 0 && d.same(x.date) {
			years = append(years, float64(d.year))
			isAhead = isAhead || now > 0 && d.year >= now
		}
	}
	if x.date.year > 0 {
		years = []float64{float64(x.date.year)}
	} else if !isAhead {
		years = append(years, c.years...)
	}
	return len(years) == 0 || slices.ContainsFunc(years, func(year float64) bool {
		return int(day{int(year), x.date.month, x.date.day}.time().Weekday()) == x.weekday
	})
}

// hasDate reports whether the sources have a date, or it is so many days or months from one as they say.
func (c *checker) hasDate(d day) bool {
	for x := range c.dates {
		if d.same(x) && (x.day > 0 || d.day == 0) {
			return true
		}
	}
	if d.year == 0 && (c.days[d.day] || d.day > 0 && len(c.same[float64(100*d.day+d.month)/100]) > 0) { // 15.03
		return true
	}
	for w, m := range c.values["month"] {
		if d.day == 0 && int(m) == d.month && c.words[w] {
			return true
		}
	}
	if c.isAnniversary(d) || c.isRepeated(d) || c.endsWeek(d) || c.endsQuarter(d) {
		return true
	}
	lengths := c.lengths
	if c.single == nil {
		c.single = c.singleLengths()
	}
	lengths = append(slices.Clone(lengths), c.single...)
	for _, x := range c.claims {
		if x.is("time") && len(lengths) < 2*maxTogether {
			lengths = append(lengths, x.mark)
		}
	}
	return slices.ContainsFunc(c.allDates, func(x day) bool { return c.isAway(d, x, lengths) })
}

// singleLengths are the lengths of time of which the answer says one without a number: in a week, через год.
func (c *checker) singleLengths() []mark {
	all, before := []mark{}, ""
	for w := range strings.FieldsSeq(c.lower) {
		w = strings.Trim(w, ".,;:!?()*—–")
		if u := c.units[w]; u != nil && u.dim == "time" && u.factor > 86400 && c.is("one", before) && len(all) < maxSubsets {
			all = append(all, mark{number: number{val: 1, unit: u}})
		}
		before = w
	}
	return all
}

// isRepeated reports whether a date is so many days from one as a number of its line says: watered every 21 days, the last
// time on 28 May.
func (c *checker) isRepeated(d day) bool {
	return d.day > 0 && slices.ContainsFunc(c.figures[:min(len(c.figures), maxSeries)], func(n mark) bool {
		isDays := n.col >= 0 && n.unit == nil && n.dec == 0 && n.val > 2 && !strings.HasPrefix(c.low[n.to:], ". ")
		return isDays && slices.ContainsFunc(c.rowDates, func(x mark) bool { return x.line == n.line && d.same(x.date.plus(int(n.val))) })
	})
}

// isAway reports whether a date is one of the lengths of time from another, x, or a day of the week near it that the answer
// and the question name.
func (c *checker) isAway(d, x day, lengths []mark) bool {
	y, isOwn := d, slices.Contains(c.ownDates, x)
	y.year, x.year = cmp.Or(y.year, x.year), cmp.Or(x.year, y.year)
	months := (y.year-x.year)*12 + y.month - x.month
	if d.year == 0 && max(months, -months) > 6 { // over the end of a year
		y.year -= months / max(months, -months)
		months = (y.year-x.year)*12 + y.month - x.month
	}
	off, weekday := y.time().Sub(x.time()).Abs().Seconds(), y.time().Weekday()
	if d.day > 0 && !isOwn && off <= 7*86400 && c.namesDay(c.low[:c.own], weekday) && c.namesDay(c.lower, weekday) { // on Thursday
		return true
	}
	sameDay := x.day == y.day || y.day >= 28 || y.day <= 1
	return slices.ContainsFunc(lengths, func(n mark) bool {
		s := n.val * n.unit.factor
		return d.day > 0 && s == off || n.unit.factor > 2e6 && sameDay && math.Abs(float64(months)) == math.Round(s/2630016)
	})
}

// isAnniversary reports whether a date is the next day of a year that is one of an earlier year of the results, such as a birthday.
func (c *checker) isAnniversary(d day) bool {
	return d.year > 0 && d.day > 0 && slices.ContainsFunc(c.allDates[min(len(c.ownDates), len(c.allDates)):], func(now day) bool {
		ahead := d.time().Sub(now.time()).Hours() / 24
		return now.year > 0 && ahead >= 0 && ahead < 366 && slices.ContainsFunc(c.ownDates, func(x day) bool {
			return x.day == d.day && x.month == d.month && x.year > 0 && x.year < now.year
		})
	})
}

// endsWeek reports whether a date is the first or the last day of a week near that of the question, if the answer names weeks.
func (c *checker) endsWeek(d day) bool {
	return d.day > 0 && slices.ContainsFunc(c.allDates[min(len(c.ownDates), len(c.allDates)):], func(now day) bool {
		x := day{cmp.Or(d.year, now.year), d.month, d.day}
		weekday := x.time().Weekday()
		return now.year > 0 && x.daysTo(now) < 14 && (weekday == time.Monday || weekday == time.Sunday)
	}) && c.in("week", c.lower)
}

// endsQuarter reports whether a date is the first or the last day of a quarter of a year, or its month, if the texts name quarters.
func (c *checker) endsQuarter(d day) bool {
	next := d.plus(1)
	isEnd := d.day <= 1 && d.month%3 == 1 || d.day == 0 && d.month%3 == 0 || d.day > 0 && next.day == 1 && next.month%3 == 1
	return isEnd && c.pay() && (c.in("quarterly", c.low) || c.in("quarterly", c.lower))
}

// namesDay reports whether a text in lower case names a day of the week, or any where the day is below zero.
func (c *checker) namesDay(text string, day time.Weekday) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(x rune) bool { return !isLetter(x) }), func(w string) bool {
		d, ok := c.value("weekday", w)
		return ok && (day < 0 || int(d) == int(day))
	})
}

// hasClock reports whether a time of day stands in the sources, with a twelve hours' clock or another, or as a number.
func (c *checker) hasClock(v float64) bool {
	for _, h := range []float64{math.Floor(v / 60), math.Mod(math.Floor(v/60)+12, 24)} { // 9.30
		for _, i := range c.same[(100*h+math.Mod(v, 60))/100] {
			if c.figures[i].unit == nil && c.figures[i].dec == 2 {
				return true
			}
		}
	}
	if c.clocks[int(v)] || c.clocks[int(v)+720] || c.clocks[int(v)-720] && c.afternoon {
		return true
	}
	return slices.ContainsFunc([]float64{v / 60, v/60 - 12, v/60 + 12}, func(h float64) bool {
		return slices.ContainsFunc(c.same[h], func(i int) bool {
			n := c.figures[i]
			return n.unit == nil && (h == v/60 || c.says("oclock", strings.TrimLeft(head(c.low[n.to:], maxWord), " ")))
		})
	})
}

// spans tries the time between two times of day, two dates or two years of the sources, and what it takes to which.
func (c *checker) spans() {
	minute, dayLong, year := c.units["min"], c.units["day"], c.units["year"]
	offer := func(v float64, h how) { c.offer(derived{val: v, unit: minute, how: h}) }
	for i, x := range c.allTimes {
		offer(x, asLength)
		for j, y := range c.allTimes[i+1:] {
			offer(math.Abs(y-x), ofClocks)
			offer(1440-math.Abs(y-x), ofClocks)
			if i < c.ownTimes && i+1+j >= c.ownTimes && x < 180 { // so much is left, and it is so late
				offer(math.Mod(x+y, 1440), atClock)
			}
			if max(x, y) < 600 {
				offer(x+y, ofClocks)
			}
		}
	}
	c.rowSpans(offer)
	inZone := c.in("zone", spaced(c.lower))
	for hours := 1.0; hours < 24 && inZone; hours++ {
		for _, x := range c.allTimes {
			offer(math.Mod(x+hours*60, 1440), atClock)
		}
	}
	dates := slices.Clone(c.allDates)
	for _, x := range c.claims {
		if x.kind == date && x.ok && len(dates) < maxTogether {
			dates = append(dates, x.date)
		}
	}
	for i, x := range dates {
		for _, y := range dates[i+1:] {
			isBirthday := min(x.year, y.year) > 0 && max(x.year, y.year)-min(x.year, y.year) > 1
			yearless := x.year == 0 || y.year == 0
			x := x
			x.year, y.year = cmp.Or(x.year, y.year), cmp.Or(y.year, x.year)
			days := x.daysTo(y)
			c.offer(derived{val: days, unit: dayLong, how: ofDates})
			if isBirthday { // the next one
				x.year = y.year
				days = x.daysTo(y)
				c.offer(derived{val: days, unit: dayLong, how: ofDates})
			}
			if yearless || isBirthday { // over the end of a year
				c.offer(derived{val: 365 - days, unit: dayLong, how: ofDates})
			}
		}
	}
	for i, x := range c.years {
		for _, y := range c.years[i+1:] {
			c.offer(derived{val: math.Abs(x - y), unit: year, how: ofYears})
		}
	}
}

// laterOn tries the times between the answer's times of day and others, and what is two lengths of time, or one, away from one.
func (c *checker) laterOn() {
	lengths, times := slices.Clone(c.lengths), slices.Clone(c.allTimes)
	own := len(times)
	for _, x := range c.claims {
		if x.ok && x.is("time") && x.unit.factor < 86400 && len(lengths) < maxTogether {
			lengths = append(lengths, x.mark)
		}
		if x.ok && x.kind == clock && len(times) < maxTogether {
			times = append(times, x.minutes)
		}
	}
	for i, x := range times {
		for _, y := range times[:i] {
			for _, n := range lengths[:min(len(lengths), maxSubsets)] { // in another zone
				if off := n.val * n.unit.factor / 60; n.unit.factor == 3600 && i < own {
					c.offer(derived{val: math.Abs(x-y) + off, how: ofClocks})
					c.offer(derived{val: math.Abs(math.Abs(x-y) - off), how: ofClocks})
				}
			}
			if i >= own {
				c.offer(derived{val: math.Abs(x - y), how: ofClocks})
			}
		}
		for j, n := range lengths[:min(len(lengths), maxSubsets)] {
			s := n.val * n.unit.factor / 60
			for _, m := range append([]mark{{}}, lengths[:j]...) {
				if m.unit != nil {
					s += m.val * m.unit.factor / 60
				}
				c.offer(derived{val: math.Mod(x+s, 1440), how: atClock})
				c.offer(derived{val: x - s, how: atClock})
				if m.unit != nil {
					s -= m.val * m.unit.factor / 60
				}
			}
		}
	}
}

// rowSpans tries the total and the mean of the times between the two times of day that each of several lines has.
func (c *checker) rowSpans(offer func(v float64, h how)) {
	total, rows := 0.0, 0
	for i := range c.rowTimes { // of lines that follow on each other
		sum := 0.0
		for j := i; j < len(c.rowTimes) && j < i+maxFactors && (j == i || c.rowTimes[j].line == c.rowTimes[j-1].line+1); j++ {
			if sum += c.rowTimes[j].minutes; j > i {
				offer(sum, ofClocks)
			}
		}
	}
	for i := 0; i+1 < len(c.rowTimes); i++ {
		x, y := c.rowTimes[i], c.rowTimes[i+1]
		alone := (i == 0 || c.rowTimes[i-1].line != x.line) && (i+2 == len(c.rowTimes) || c.rowTimes[i+2].line != y.line)
		if x.line == y.line && alone {
			if x.minutes == y.minutes { // of the next day
				offer(1440, ofClocks)
			}
			total += math.Mod(y.minutes-x.minutes+1440, 1440)
			rows++
		}
	}
	if rows > 1 {
		offer(total, ofClocks)
		offer(total/float64(rows), ofClocks)
	}
	sums := map[string]float64{} // of the last of each line, by the words that the answer has
	var words []string
	for i, x := range c.rowTimes {
		if i+1 < len(c.rowTimes) && c.rowTimes[i+1].line == x.line {
			continue
		}
		for _, w := range c.saidIn(c.lines[x.line]) {
			if sums[w] == 0 {
				words = append(words, w)
			}
			sums[w] += x.minutes
		}
	}
	for _, w := range words {
		offer(sums[w], ofClocks)
	}
}

// isSpan reports whether a is a length of time between two times of the sources, or a time of day that follows from them.
func (c *checker) isSpan(a claim, d derived) bool {
	v, unit := d.val, 0.0 // of a, in seconds
	if a.is("time") {
		unit = a.unit.factor
	}
	isCount := a.unit == nil && a.noun == "" && a.dec == 0
	switch {
	case a.kind == clock || d.how == atClock:
		return a.kind == clock && d.how != ofDates && c.isClock(a, v)
	case d.how == ofYears: // before the birthday, or in the next year
		return (unit > 3e7 || isCount && a.val < 200) && math.Abs(a.val-v) <= 1
	case d.how == ofDates && isCount: // 2 + 2 + 6 nights
		return a.val == v
	case d.how == ofDates && unit > 20*86400: // months, years
		off := math.Abs(v*86400/unit - a.val)
		return off < 0.07 || a.approx && off < 0.6 || a.isFull(v*86400/unit)
	case d.how == ofDates && unit >= 86400: // from 3 to 5 May are two days, or three, and one lies between
		return slices.ContainsFunc([]float64{v - 1, v, v + 1}, func(v float64) bool { return a.near(v*86400/unit) || a.isFull(v*86400/unit) })
	case (d.how == ofClocks || d.how == asLength) && unit > 0 && unit < 86400: // 1:20 may be hours and minutes, or minutes and seconds
		return a.isLength(v*60/unit) || a.isLength(v/unit)
	}
	return false
}

// isClock reports whether a time of day is so many minutes of a day, with a twelve hours' clock or another.
func (c *checker) isClock(a claim, minutes float64) bool {
	off := min(math.Abs(minutes-a.minutes), math.Abs(minutes-720-a.minutes))
	if c.afternoon {
		off = min(off, math.Abs(minutes+720-a.minutes))
	}
	return off < 1 || a.approx && off <= 15
}

// isFull reports whether a is how many whole ones there are in v.
func (x claim) isFull(v float64) bool { return x.val > 0 && x.val == math.Floor(v) }

// isLength reports whether a is v, rounded or without what is less than one.
func (x claim) isLength(v float64) bool {
	return x.near(v) || x.val >= 10 && math.Abs(v-x.val) <= 0.5 || x.val > 0 && x.near(math.Floor(v))
}
