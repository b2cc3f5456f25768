package grounding

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// isSlip reports whether a claim may be something of the results that is written wrong: a number with as many digits and the
// same unit of which one digit is another, or two are exchanged; a time of day of which that is so; a date of which one part
// is another. A number that is calculated is one seldom, and one that is made up often.
func (c *checker) isSlip(x *claim) bool {
	switch x.kind {
	case quantity:
		return c.inOtherUnit(x.number) || c.isNearNumber(x.number) || x.alt > 0 && c.isNearNumber(number{val: x.alt, unit: x.unit, noun: x.noun})
	case clock:
		isAny := func(fits func(at, m float64) bool) bool {
			return slices.ContainsFunc(c.allTimes[:c.ownTimes], func(m float64) bool {
				return fits(x.minutes, m) || fits(x.minutes+720, m) || fits(x.minutes-720, m)
			})
		}
		isRounded := x.approx && isAny(func(at, m float64) bool { return math.Abs(at-m) <= 10 })
		return !isRounded && isAny(func(at, m float64) bool { return slipped(clockDigits(at), clockDigits(m)) })
	case date:
		return slices.ContainsFunc(c.ownDates, x.date.slipped)
	case identifier:
		return c.isAlike(lowered(x.text))
	}
	return false
}

// isAlike reports whether the sources have a name that begins and ends as one does, and differs between, or a version of as many
// parts that begins with the same.
func (c *checker) isAlike(low string) bool {
	if !c.pay() {
		return false
	}
	first, rest, _ := strings.Cut(low, ".")
	isVersion := strings.Trim(first+rest, "0123456789.") == ""
	for other := range strings.FieldsFuncSeq(c.low, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`=,;()|<>[]", r) }) {
		if isVersion && strings.HasPrefix(other, first+".") && strings.Count(other, ".") == strings.Count(low, ".") {
			return true
		}
		least, most, same := min(len(low), len(other)), max(len(low), len(other)), 0
		for same < least && low[same] == other[same] {
			same++
		}
		for n := 0; same < least && low[len(low)-1-n] == other[len(other)-1-n]; n++ {
			same++
		}
		if same*5 >= most*3 {
			return true
		}
	}
	return false
}

// isNearNumber reports whether the results have a number that n may be a slip of.
func (c *checker) isNearNumber(n number) bool {
	if c.steps > maxSteps {
		return true
	}
	c.steps += len(c.figures) * offerCost
	text := n.digits()
	return slices.ContainsFunc(c.figures, func(f mark) bool {
		return f.own && !f.part && f.dec == n.dec && n.isLike(f.number, len(text)) && slipped(text, f.digits())
	})
}

// isLike reports whether two numbers may be of the same thing. Of little ones there is always one that is near, so these must
// have the same unit or noun.
func (n number) isLike(f number, digits int) bool {
	if n.unit != nil && f.unit != nil {
		return n.unit.dim == f.unit.dim
	}
	return digits > 2 || n.unit == f.unit && n.noun == f.noun && n.noun != ""
}

func (n number) digits() string {
	return strings.Replace(strconv.FormatFloat(n.val, 'f', n.dec, 64), ".", "", 1)
}

// clockDigits are the digits of a time of day, behind one that makes them five.
func clockDigits(minutes float64) string {
	m := int(minutes)
	return strconv.Itoa(10000 + m/60*100 + m%60)
}

// slipped reports whether of two texts of the same length one byte is another, or two beside each other are exchanged.
func slipped(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// slipped reports whether one part of a date is another.
func (d day) slipped(x day) bool {
	same := 0
	for _, is := range []bool{d.day == x.day, d.month == x.month, d.year == x.year || d.year == 0 || x.year == 0} {
		if is {
			same++
		}
	}
	return same == 2
}
