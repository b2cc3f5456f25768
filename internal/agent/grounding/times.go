package grounding

import (
	"math"
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
				if off >= 0 && off < gap && !strings.ContainsAny(r.low[min(at+len(w), x.to):max(at, x.from)], ";:") {
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

// isWeekday reports whether the day of the week beside a date is that of the date, where its year is known.
func (c *checker) isWeekday(x *claim) bool {
	known := false
	is := func(d day) bool {
		known = known || d.year > 0 && d.same(x.date)
		return d.year > 0 && d.same(x.date) && int(d.time().Weekday()) == x.weekday
	}
	for d := range c.dates {
		if is(d) {
			return true
		}
	}
	return is(x.date) || !known
}

// hasDate reports whether the sources have a date, or it is so many days or months from one as they say.
func (c *checker) hasDate(d day) bool {
	for x := range c.dates {
		if d.same(x) {
			return true
		}
	}
	if d.day == 0 {
		return false
	}
	for _, x := range c.allDates {
		y := d
		if y.year == 0 {
			y.year = x.year
		}
		if x.year == 0 {
			x.year = y.year
		}
		off := y.time().Sub(x.time()).Abs().Seconds()
		if off == 86400 && c.in("nextday", c.said) {
			return true
		}
		months := math.Abs(float64((y.year-x.year)*12 + y.month - x.month))
		for _, n := range c.durations() {
			byMonth := n.unit.factor > 2e6 && (x.day == y.day || y.day >= 28 || y.day == 1) && months == math.Round(n.val*n.unit.factor/2630016)
			if n.val*n.unit.factor == off || byMonth {
				return true
			}
		}
	}
	return false
}

// durations are the first lengths of time of the sources.
func (c *checker) durations() []mark {
	var out []mark
	for _, n := range c.figures {
		if n.is("time") && !n.part && len(out) < maxTogether {
			out = append(out, n)
		}
	}
	return out
}

// hasClock reports whether the sources have a time of day or a duration, or it follows from them.
func (c *checker) hasClock(x *claim) bool {
	v := x.minutes
	close := func(w float64) bool { return math.Abs(w-v) < 1 }
	day := func(w float64) bool { return close(w) || close(w+720) || close(w-720) }
	for w := range c.clocks {
		if day(w) {
			return true
		}
	}
	total := 0.0
	for i, y := range c.allTimes {
		total += y
		for _, z := range c.allTimes[i+1:] {
			if d := math.Abs(y - z); x.between && (close(d) || close(1440-d) || close(y+z)) {
				return true
			}
		}
		for _, n := range c.durations() {
			if m := n.val * n.unit.factor / 60; close(math.Mod(y+m, 1440)) || close(y-m) {
				return true
			}
		}
		for _, n := range c.figures[:min(len(c.figures), maxSeries)] {
			if n.unit != nil && !n.is("time") || n.unit == nil && n.dec > 0 && x.between {
				if n.val > 0 && !n.part && close(y/n.val) { // a pace
					return true
				}
			}
		}
	}
	if n := float64(len(c.allTimes)); n > 1 && x.between && (close(total) || close(total/n)) {
		return true
	}
	return c.hasHour(x)
}

// hasHour reports whether a time of day without minutes stands in the sources as a number, or a length of time as one with
// a unit.
func (c *checker) hasHour(x *claim) bool {
	v := x.minutes
	for _, n := range c.durations() {
		if s := n.val * n.unit.factor; s == v*60 || s == v {
			return true
		}
	}
	h := v / 60
	if h != math.Trunc(h) {
		return false
	}
	for _, w := range []float64{h, h - 12, h + 12} {
		for _, i := range c.same[w] {
			if n := c.figures[i]; n.unit == nil && (w == h || c.isOClock(n)) {
				return true
			}
		}
	}
	return false
}

// isOClock reports whether the word behind a number of the sources makes it an hour of the day.
func (c *checker) isOClock(n mark) bool {
	return c.says("oclock", strings.TrimLeft(c.low[n.to:min(len(c.low), n.to+maxWord)], " "))
}

// spans tries the time between two times of day, two dates or two years of the sources.
func (c *checker) spans() {
	minute, dayLong, year := c.units["min"], c.units["day"], c.units["year"]
	total := 0.0
	for i, x := range c.allTimes {
		total += x
		c.offer(derived{val: x, unit: minute, how: ofClocks})
		for _, y := range c.allTimes[i+1:] {
			c.offer(derived{val: math.Abs(y - x), unit: minute, how: ofClocks})
			c.offer(derived{val: 1440 - math.Abs(y-x), unit: minute, how: ofClocks})
			if max(x, y) < 600 {
				c.offer(derived{val: x + y, unit: minute, how: ofClocks})
			}
		}
	}
	if n := len(c.allTimes); n > 1 {
		c.offer(derived{val: total, unit: minute, how: ofClocks})
		c.offer(derived{val: total / float64(n), unit: minute, how: ofClocks})
	}
	dates := c.allDates
	for _, x := range c.claims {
		if x.kind == date && x.ok {
			dates = append(dates[:len(dates):len(dates)], x.date)
		}
	}
	dates = dates[:min(len(dates), maxTogether)]
	for i, x := range dates {
		for _, y := range dates[i+1:] {
			c.offer(derived{val: math.Abs(float64(x.time().Sub(y.time()) / (24 * time.Hour))), unit: dayLong, how: ofDates})
		}
	}
	var years []float64
	for _, n := range c.figures {
		if n.isYear() && len(years) < maxTogether {
			years = append(years, n.val)
		}
	}
	for i, x := range years {
		for _, y := range years[i+1:] {
			c.offer(derived{val: math.Abs(x - y), unit: year, how: ofYears})
		}
	}
}

// isSpan reports whether a is a length of time between two times of the sources.
func (c *checker) isSpan(a claim, d derived) bool {
	v, dim := d.val, 0.0
	if a.is("time") {
		dim = a.unit.factor
	}
	switch {
	case d.how == ofYears:
		isYears := dim > 3e7 || a.unit == nil && a.dec == 0 && a.val < 200 && (a.noun == "" || c.prefix("old", a.noun) != "")
		return isYears && (a.val == v || a.val == v-1)
	case d.how == ofDates && dim > 20*86400: // months, years
		off := math.Abs(v*86400/dim - a.val)
		return off < 0.07 || a.approx && off < 0.6
	case d.how == ofDates && dim >= 86400:
		for _, v := range []float64{v - 1, v, v + 1} { // from 3 to 5 May are two days, or three, and one lies between
			if a.near(v*86400/dim) || a.val > 0 && a.val == math.Floor(v*86400/dim) {
				return true
			}
		}
	case d.how == ofClocks && dim > 0 && dim < 86400:
		hours := dim == 60 && c.in("hours", c.said) // and 40 minutes
		for _, s := range []float64{v * 60, v} {    // 1:20 may be hours and minutes, or minutes and seconds
			whole := s / dim
			if a.near(whole) || a.val > 0 && (a.near(math.Floor(whole)) || hours && a.near(math.Mod(math.Floor(whole), 60))) {
				return true
			}
		}
	}
	return false
}
