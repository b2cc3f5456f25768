package grounding

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what is calculated, besides [maxSteps].
const (
	maxSeries  = 400 // series, and numbers of a long one
	maxPairs   = 30  // numbers that are multiplied across lines
	maxSubsets = 8   // numbers of which all sums are tried
	maxFactors = 24
	maxStated  = 24 // numbers of the answer that others may follow from
	offerCost  = 24 // steps of comparing one value
)

// derived is a value that follows from numbers of the sources.
type derived struct {
	val  float64
	unit *unit
	noun string
	how  how
}

// how is how a value was derived, which says what it may support.
type how int

const (
	itself   how = iota // a number of the sources: it may be rounded or converted
	simply              // a total, a mean, a sum or difference of two
	remotely            // other sums, which always fit some little number
	freely              // from numbers that the answer itself states
	byRatio
	byShare // in percent
	ofClocks
	ofDates
	ofYears
)

// stands reports whether the number of a claim stands in the sources with a unit that does not contradict.
func (c *checker) stands(x *claim) bool {
	if x.minus && x.is("temperature") {
		digits := strconv.FormatFloat(x.val, 'f', x.dec, 64)
		if !strings.Contains(c.low, "-"+digits) && !strings.Contains(c.low, "−"+digits) && !strings.Contains(c.low, "minus "+digits) {
			return false
		}
	}
	for t := range c.clocks {
		if x.hour && (t == x.val*60 || t == x.val*60+720 || t == x.val*60-720) {
			return true
		}
	}
	for d := range c.dates {
		if x.dayOf && d.day == int(x.val) {
			return true
		}
	}
	for _, v := range []float64{x.val, x.alt} {
		for _, i := range c.same[v] {
			n := &c.figures[i]
			apart := n.part && x.unit != nil && !x.is("percent") && !x.is("time") && v < 1000
			if !apart && (x.unit == nil || n.unit == nil || sameUnit(x.unit, n.unit)) && (v > 0 || x.val == 0) {
				return true
			}
		}
	}
	return false
}

// search looks for the numbers that do not stand in the sources among those that follow from these, and then among those
// that follow from the numbers which the answer states and are found.
func (c *checker) search() {
	for i, x := range c.claims {
		if x.kind != quantity || x.ok || x.minus && x.is("temperature") {
			continue
		}
		c.want(x, i)
		if x.alt > 0 {
			other := x
			other.val, other.dec = x.alt, 0
			c.want(other, i)
		}
		if x.is("gbp") && x.unitTo-x.to > len(" £") { // pounds are a mass, too
			x.unit = c.lexicon.units["lb"]
			c.want(x, i)
		}
	}
	c.deriveAll()
	for left := len(c.open) + 1; 0 < len(c.open) && len(c.open) < left; {
		left = len(c.open)
		c.deriveFromStated()
	}
	for _, i := range c.of {
		c.claims[i].ok = c.claims[i].ok || c.steps > maxSteps
	}
}

func (c *checker) want(x claim, i int) {
	c.open, c.of = append(c.open, x), append(c.of, i)
}

// offer takes the claims from the open ones that a value supports.
func (c *checker) offer(d derived) {
	c.steps += offerCost * len(c.open)
	if d.val == 0 || math.IsInf(d.val, 0) || c.steps > maxSteps {
		return
	}
	for i := 0; i < len(c.open); i++ {
		if c.fits(c.open[i], d) {
			done := c.of[i]
			c.claims[done].ok = true
			for j := len(c.of) - 1; j >= 0; j-- { // all its readings
				if c.of[j] == done {
					c.open, c.of = slices.Delete(c.open, j, j+1), slices.Delete(c.of, j, j+1)
				}
			}
			i = -1
		}
	}
}

// fits reports whether a claim may be a value.
func (c *checker) fits(a claim, d derived) bool {
	if d.how >= ofClocks {
		return !a.label && c.isSpan(a, d)
	}
	if a.is("percent") || d.how == byShare {
		return a.is("percent") && (d.how == byShare || d.unit != nil && d.unit.dim == "percent") && a.near(d.val)
	}
	switch d.how {
	case itself:
		if a.is("data") && d.unit == nil && d.val >= 1000 && c.matches(a, d.val, nil, "") {
			return true // programs do not say that their sizes are in bytes
		}
		if d.little() && !a.approx && (a.unit == nil || d.unit == nil) {
			return false
		}
		return a.nearUnit(d.val, d.unit)
	case freely:
		return !a.label && a.nearUnit(d.val, d.unit)
	case byRatio:
		return a.unit == nil && !a.label && (a.dec > 0 || a.approx || c.in("times", c.said)) && a.near(d.val)
	}
	return !a.label && !(d.how == remotely && a.little()) && c.matches(a, d.val, d.unit, d.noun)
}

// little reports whether a value is a small whole number.
func (d derived) little() bool { return d.val < 100 && d.val == math.Trunc(d.val) }

// matches reports whether a claim is a value with a unit or a noun: apples are not counted in pears.
func (c *checker) matches(a claim, v float64, u *unit, noun string) bool {
	switch {
	case a.unit == nil && a.little() && (u == nil && noun != "" && a.noun != noun || u != nil && a.noun != ""):
		return false
	case a.unit == nil:
		return a.near(v)
	case u != nil:
		all, n := convert(v, u, a.unit)
		return slices.ContainsFunc(all[:n], a.near)
	case noun != "" && v < 1000:
		return false
	}
	return a.near(v) || slices.ContainsFunc(c.unitsOf(a.unit.dim), func(u *unit) bool { return c.matches(a, v, u, "") })
}

// unitsOf are the units of a dimension that the sources or the answer name, and bytes: few programs say so.
func (c *checker) unitsOf(dim string) []*unit {
	if c.named == nil {
		c.named = map[string][]*unit{"data": {c.lexicon.units["bytes"]}}
		if strings.Contains(c.low, "1k-blocks") {
			c.named["data"] = append(c.named["data"], c.lexicon.units["kib"])
		}
		add := func(w string) {
			if u := c.lexicon.units[w]; u != nil && !slices.Contains(c.named[u.dim], u) {
				c.named[u.dim] = append(c.named[u.dim], u)
			}
		}
		for w := range c.words {
			add(w)
		}
		for w := range strings.FieldsFuncSeq(c.said, func(r rune) bool { return !isLetter(r) }) {
			add(w)
		}
	}
	return c.named[dim]
}

// deriveAll tries all that follows from the sources, until nothing is open.
func (c *checker) deriveAll() {
	shares := 0
	for _, n := range c.figures {
		if len(c.open) == 0 {
			return
		}
		if n.is("percent") && n.own && !n.part {
			shares++
			c.offer(derived{val: 100 - n.val, how: byShare})
		}
		if !n.part && !n.word {
			c.offer(derived{n.val, n.unit, n.noun, itself})
		}
	}
	steps := []func(){c.spans, c.multiples, c.products}
	if shares < 2 { // else they say it themselves
		steps = append(steps, c.shares)
	}
	for _, s := range c.series() {
		if len(c.open) > 0 {
			c.combine(s, shares < 2)
		}
	}
	for _, try := range steps {
		if len(c.open) > 0 {
			try()
		}
	}
}

// combine tries the sums, differences, means, ratios and shares of numbers that belong together.
func (c *checker) combine(s series, shares bool) {
	n, u, noun := s.vals, s.vals[0].unit, s.vals[0].noun
	offer := func(v float64, h how) { c.offer(derived{v, u, noun, h}) }
	offer(s.total, simply)
	offer(s.total/float64(len(n)), simply)
	if len(n) <= maxSeries {
		c.sumsOfGroups(n, func(v float64) { offer(v, simply) })
	}
	if len(n) > maxTogether {
		return
	}
	share := func(x, y float64, change bool) {
		if shares && y != 0 && x < y {
			offer(100*x/y, byShare)
		}
		if shares && y != 0 && change {
			offer(100*(x-y)/y, byShare)
		}
	}
	for i, x := range n {
		sum := x.val
		offer(s.total-x.val, simply)
		offer(s.total-2*x.val, remotely)
		share(x.val, s.total, false)
		for j := i + 1; j < len(n) && len(c.open) > 0; j++ {
			y := n[j]
			sum += y.val
			offer(x.val-y.val, simply)
			offer(x.val+y.val, simply)
			offer(sum, simply)
			offer(s.total-x.val-y.val, remotely)
			offer(max(x.val, y.val)/min(x.val, y.val), byRatio)
			share(x.val, y.val, true)
			share(y.val, x.val, true)
		}
	}
	if len(n) > 2 && len(n) <= maxSubsets {
		subsets(n, func(v float64) { offer(v, remotely) })
	}
}

// subsets gives the sum of each set of numbers.
func subsets(n []mark, give func(sum float64)) {
	for set := 1; set < 1<<len(n); set++ {
		sum := 0.0
		for i := range n {
			if set>>i&1 == 1 {
				sum += n[i].val
			}
		}
		give(sum)
	}
}

// sumsOfGroups gives the sums and means of the numbers in the lines with one word.
func (c *checker) sumsOfGroups(n []mark, give func(v float64)) {
	sums, counts := map[string]float64{}, map[string]int{}
	for _, v := range n {
		line := c.lines[v.line]
		if c.steps += len(line) * 4; len(n) < 3 || c.steps > maxSteps {
			return
		}
		seen := map[string]bool{}
		for w := range strings.FieldsFuncSeq(line, isBetween) {
			if !seen[w] {
				seen[w] = true
				sums[w] += v.val
				counts[w]++
			}
		}
	}
	for w, sum := range sums {
		if counts[w] > 1 {
			give(sum)
			give(sum / float64(counts[w]))
		}
	}
}

// factors are the small numbers by which the answer may multiply or divide: those of the sources other than results, those
// of words such as double, and how many times more of a thing it speaks of than the results.
func (c *checker) factors() []float64 {
	if c.times != nil {
		return c.times
	}
	c.times = []float64{}
	add := func(v float64) {
		if v >= 2 && v <= maxSeries && v == math.Trunc(v) && !slices.Contains(c.times, v) && len(c.times) < maxFactors {
			c.times = append(c.times, v)
		}
	}
	byNoun := map[string][]float64{}
	for _, n := range c.figures {
		if !n.own && !n.part || n.noun == "time" || n.noun == "mal" {
			add(n.val)
		}
		if n.noun != "" && n.val > 0 && !n.part && len(byNoun[n.noun]) < maxFactors {
			byNoun[n.noun] = append(byNoun[n.noun], n.val)
		}
	}
	for _, a := range c.claims {
		if a.kind == quantity && a.noun == "time" && a.ok {
			add(a.val)
		}
		for _, v := range byNoun[a.noun] {
			add(a.val / v)
		}
	}
	if c.in("double", c.said) {
		add(2)
	}
	if c.in("triple", c.said) {
		add(3)
	}
	return c.times
}

// multiples tries the numbers and totals of the sources times or by a factor.
func (c *checker) multiples() {
	scale := func(v float64, u *unit, noun string) {
		for _, k := range c.factors() {
			c.offer(derived{v * k, u, noun, simply})
			c.offer(derived{v / k, u, noun, simply})
		}
	}
	for _, n := range c.figures[:min(len(c.figures), maxSeries)] {
		if n.own && !n.part && !n.word {
			scale(n.val, n.unit, n.noun)
		}
	}
	for _, s := range c.series() {
		scale(s.total, s.vals[0].unit, "")
	}
}

// shares tries the percentages of what is called a total, and of a few lines.
func (c *checker) shares() {
	for _, y := range c.figures {
		if y.part || !y.own || y.val == 0 || !c.in("total", c.lines[y.line]) {
			continue
		}
		for _, x := range c.figures[:min(len(c.figures), maxSeries)] {
			if x.own && !x.part && x.val < y.val {
				c.offer(derived{val: 100 * x.val / y.val, how: byShare})
			}
		}
	}
	for _, text := range c.results {
		lines := strings.Count(strings.TrimSpace(text), "\n") + 1
		for _, all := range []int{lines, lines - 1} {
			for k := 1; k < all && all <= 12; k++ {
				c.offer(derived{val: 100 * float64(k) / float64(all), how: byShare})
			}
		}
	}
}

// series is numbers that belong together: of one column, of one unit, or of one line.
type series struct {
	vals  []mark
	total float64
}

// series returns the series of the results, the shortest first.
func (c *checker) series() []series {
	if c.grouped != nil {
		return c.grouped
	}
	type key struct {
		kind, at, count int
		unit            *unit
		noun            string
	}
	by := map[key][]mark{}
	var order []key
	put := func(k key, n mark) {
		if by[k] == nil {
			order = append(order, k)
		}
		by[k] = append(by[k], n)
	}
	inLine := map[int]int{}
	for _, n := range c.figures {
		inLine[n.line] = max(inLine[n.line], n.col+1)
	}
	for _, n := range c.figures {
		if n.part || !n.own || n.word && n.unit == nil || n.is("percent") {
			continue
		}
		if n.unit != nil {
			put(key{kind: 1, unit: n.unit}, n)
		} else if n.noun != "" {
			put(key{kind: 1, noun: n.noun}, n)
		}
		if n.col < 0 {
			continue
		}
		all := inLine[n.line]
		put(key{kind: 2, at: n.col, count: all, unit: n.unit, noun: n.noun}, n)
		if all <= maxSubsets && n.val >= 20 {
			put(key{kind: 3, at: n.line, unit: n.unit, noun: n.noun}, n)
		}
		if n.col == all-1 {
			put(key{kind: 4, unit: n.unit, noun: n.noun}, n)
		}
	}
	c.grouped = []series{}
	for _, k := range order {
		if s, ok := seriesOf(by[k]); ok && len(c.grouped) < maxSeries {
			c.grouped = append(c.grouped, s)
		}
	}
	slices.SortStableFunc(c.grouped, func(a, b series) int { return cmp.Compare(len(a.vals), len(b.vals)) })
	return c.grouped
}

// seriesOf is the series of some numbers; there is none of one number, of years, and of numbers that count the rows.
func seriesOf(n []mark) (series, bool) {
	s := series{vals: n}
	rows, years := true, true
	for i, v := range n {
		s.total += v.val
		years = years && v.isYear()
		rows = rows && v.val == n[0].val+float64(i)
	}
	return s, len(n) > 1 && !rows && !years
}

// isYear reports whether a number may be a year.
func (n number) isYear() bool { return n.dec == 0 && n.val >= 1500 && n.val <= 2200 && n.unit == nil }
