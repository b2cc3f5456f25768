package when

import (
	"cmp"
	"strconv"
	"strings"
)

// A form is one way to say something, as a row of parts, which stand behind each other:
//
//	before, in   a word of that meaning in the file of words; a|b is either, a=x one of that value
//	"week"       that token
//	L, 1L        a length; of 1L the number may be missing in Russian: за час
//	aDay         a length of which the number may be missing: the day before
//	U            a unit of time, of one letter only right behind its number
//	N, A, O      a whole number, one that may have a half, an ordinal one; one is 1 alone
//	D            a date, where a word before it says that one follows; d is one without that
//	hours        from one time of day to another
//	often        a number of times
//	lasting      how long something goes on
//	weekdays     weekdays in a row, or the weekend
//	day          a date that bounds a repetition
//	minutes      minutes before or behind an hour
//	hour         the hour that they are counted from
//	dayNumber    the number of a day in its month, nth that of a weekday: third, 第三个, the last
//	hanMonth     the month of such a weekday, where it stands before it: 下个月
//	year         a year behind a date, hanYear one before it
//	dot          that of an abbreviation
//	rel, edge    next, this or last; the begin, the middle or the end
//	each         of every month or year
//	side         before or after: the sign
//
// A ? behind a part says that it may be missing.
type form struct {
	langs string // that have it, "" being all
	parts string
	read  func(c *caught) bool // says whether it is one, and keeps it; it may move next on
}

// caught is what the parts of a form were.
type caught struct {
	value     string // of the last word that has one
	length    length
	number    int
	amount    float64
	minutes   int
	edge      string // start, middle, end
	rel       string // next, next2, this, last
	each      bool
	dayNumber int
	date      date
	clock     clock
	weak      bool // of the date
	window    *window
	days      []int   // weekdays
	day       *moment // with its date alone
	sign      int
	at        int // where the last part began
	next      int
}

// firstOf reads the first of some forms that stands at a token into a value, which a form that is none leaves as it was.
func firstOf[T any](p *reader, i int, into *T, forms []form) (next int, ok bool) {
	if !p.maySay(i) {
		return i, false
	}
	before, c := *into, caught{}
	for _, f := range forms {
		if f.langs != "" && !strings.Contains(f.langs, p.lang) || !p.match(i, f.parts, &c) {
			continue
		}
		if f.read(&c) {
			return c.next, true
		}
		*into = before
	}
	return i, false
}

// match reads the parts of a form.
func (p *reader) match(i int, parts string, c *caught) bool {
	*c = caught{next: i}
	for part := range strings.FieldsSeq(parts) {
		name, isOptional := strings.CutSuffix(part, "?")
		at := c.next
		if ok := p.formPart(name, c); ok {
			c.at = at
		} else if c.next = at; !isOptional {
			return false
		}
	}
	return true
}

// formPart reads one part.
func (p *reader) formPart(name string, c *caught) (ok bool) {
	switch i := c.next; name {
	case "L":
		c.length, c.next, ok = p.duration(i, false)
	case "1L":
		c.length, c.next, ok = p.duration(i, p.lang == "ru")
	case "aDay":
		c.length, c.next, ok = p.duration(i, true)
	case "N":
		c.number, c.next, ok = p.whole(i)
	case "A":
		c.amount, c.next, ok = p.number(i)
	case "U":
		c.value, c.next, ok = p.unit(i)
	case "one":
		one, next, isNumber := p.whole(i)
		c.next, ok = next, isNumber && one == 1
	case "O":
		c.number, c.next, ok = p.ordinal(i)
	case "D", "d":
		c.date, c.next, c.weak, ok = p.dateAt(i, name == "D")
	case "minutes":
		c.minutes, c.next, ok = p.minutes(i)
	case "hour":
		c.clock, c.next, ok = p.wholeHour(i)
	case "dayNumber":
		if c.dayNumber, c.next, ok = p.ordinal(i); !ok || p.lang == "zh" {
			c.dayNumber, c.next, ok = p.whole(i)
		}
	case "nth":
		if p.lang != "zh" {
			return p.formPart("O", c)
		}
		var nth caught
		if ok = p.match(i, "ordlead N measure?", &nth); !ok {
			ok = p.match(i, "ord", &nth)
			nth.number, _ = strconv.Atoi(nth.value)
		}
		c.number, c.next = nth.number, nth.next
	case "dot":
		c.next = i + 1
		ok = p.mark(i, ".") && len([]rune(p.tokens[i-1].text)) <= 4
	case "year":
		c.next = p.yearAt(i, &c.date)
		ok = c.next > i
	case "hanYear":
		year, next, isNumber := p.whole(i)
		if ok = isNumber && p.token(next).text == "年" && isYear(year); ok {
			c.date.year, c.next = year, next+1
		}
	case "hanMonth":
		ok = p.hanMonth(c)
	case "rel":
		c.rel, c.next = p.relation(i)
		ok = c.next > i
	case "edge":
		for _, c.edge = range []string{"end", "start", "middle"} {
			if ok = p.formPart(c.edge, c); ok {
				return true
			}
		}
	case "each":
		c.next = p.skip(i, "each")
		c.each = c.next > i
		ok = c.each
	case "hours":
		var hours window
		hours, c.next, ok = p.hours(i)
		c.window = &hours
	case "often":
		c.number, c.next, ok = p.howOften(i)
	case "lasting":
		c.length, c.next, ok = p.lasting(i)
	case "weekdays":
		c.days, c.next = p.exceptDays(i)
		ok = len(c.days) > 0
	case "day":
		var day moment
		day, c.next, ok = p.day(i)
		c.day = &day
	case "side":
		if c.sign, ok = -1, p.formPart("before", c); !ok {
			c.sign, ok = 1, p.formPart("after", c)
		}
	default:
		if text, isToken := strings.CutPrefix(name, `"`); isToken {
			ok = p.token(i).text == strings.TrimSuffix(text, `"`)
			c.next = i + 1
			return ok
		}
		if is, value, ok := strings.Cut(name, "="); ok {
			c.next, ok = p.wordOf(i, is, value)
			return ok
		}
		for is := range strings.SplitSeq(name, "|") {
			if value, next, is := p.word(i, is); is {
				c.value, c.next = cmp.Or(value, c.value), next
				return true
			}
		}
	}
	return ok
}
