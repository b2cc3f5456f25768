package grounding

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Bounds of what is calculated, besides [maxSteps].
const (
	maxDerived = 4 << 10 // numbers of the sources, the first
	maxSeries  = 400     // series, and numbers of a long one
	maxPairs   = 30      // numbers that are multiplied across lines
	maxSubsets = 8       // numbers of which all sums are tried
	maxFactors = 24
	maxStated  = 24 // numbers of the answer that others may follow from
	maxTerms   = 150
	mostLuck   = .05
	offerCost  = 24 // steps of comparing one value
)

// derived is a value that follows from numbers of the sources.
type derived struct {
	val  float64
	unit *unit
	noun string
	how  how
	far  bool // of numbers that nothing but their unit holds together
}

// how is how a value was derived, which says what it may support.
type how int

const (
	itself     how = iota // a number of the sources: it may be rounded or converted
	simply                // calculated from numbers of the sources
	altogether            // a total, whatever the answer calls what it adds
	freely                // from numbers that the answer itself states
	byRate                // of one thing that is another
	byShare               // in percent
	atClock               // a time of day, as all below are times
	asLength              // a time of day or a length that is written like one
	ofClocks
	ofDates
	ofYears
)

// search looks for the numbers that do not stand in the sources among those that follow from these, and then among those
// that follow from the numbers which the answer states and are found.
func (c *checker) search() {
	for i, x := range c.claims {
		if x.kind != quantity && x.kind != clock || x.ok {
			continue
		}
		c.open, c.of = append(c.open, x), append(c.of, i)
		if x.alt > 0 {
			x.val, x.dec = x.alt, 0
			c.open, c.of = append(c.open, x), append(c.of, i)
		}
	}
	c.deriveAll()
	stated := func() {
		for left := len(c.open) + 1; 0 < len(c.open) && len(c.open) < left; {
			left = len(c.open)
			c.deriveFromStated()
		}
	}
	stated()
	if len(c.open) > 0 {
		c.counted()
		stated()
	}
	for _, i := range c.of {
		c.claims[i].ok, c.claims[i].stands = c.steps > maxSteps, c.steps > maxSteps
	}
}

// offer takes the claims from the open ones that a value supports, with all their readings.
func (c *checker) offer(d derived) {
	if c.steps > maxSteps {
		return
	}
	c.steps += offerCost * len(c.open)
	for i := 0; i < len(c.open); i++ {
		done := c.of[i]
		if !c.fits(c.open[i], d) || d.far && c.claims[done].luck(c.open[i]) > mostLuck {
			if v := c.open[i].val; math.Abs(d.val-v) < v/4 {
				c.claims[done].tried++
			}
			continue
		}
		c.claims[done].ok, c.claims[done].far = true, d.far
		c.claims[done].stands = d.how == altogether && d.unit != nil && sameUnit(c.open[i].unit, d.unit)
		c.claims[done].val, c.claims[done].dec = c.open[i].val, c.open[i].dec // of 1.234 the reading that fits
		c.close(done)
		i = -1
	}
}

// fits reports whether a claim may be a value.
func (c *checker) fits(a claim, d derived) bool {
	switch {
	case d.how == itself && a.minus, d.how != itself && a.label:
		return false
	case d.how >= atClock || a.kind == clock:
		return c.isSpan(a, d)
	case a.is("percent") || d.how == byShare:
		return a.is("percent") && a.isShare(d)
	case d.how == byRate:
		return a.near(d.val) || a.dec == 0 && a.val >= 10 && math.Abs(a.val-d.val) <= 0.5
	case d.how == freely:
		return a.nearUnit(d.val, d.unit)
	case d.how == itself:
		return c.isFigure(a, d)
	}
	return c.matches(a, d)
}

// isShare reports whether a claim in percent is a share, or a number of the sources that may be one: 62.4 as 62 %, 0.6 as 60 %.
func (x claim) isShare(d derived) bool {
	if d.how == itself && d.unit == nil && d.noun == "" && d.val <= 100 && d.val != math.Trunc(d.val) {
		return x.near(d.val) || x.near(100-d.val) || d.val < 1 && x.near(100*d.val)
	}
	return (d.how == byShare && (x.val >= 1 || x.dec > 1) || d.unit != nil && d.unit.dim == "percent") && x.near(d.val)
}

// isFigure reports whether a claim is a number of the sources, rounded or converted.
func (c *checker) isFigure(a claim, d derived) bool {
	isWhole, isPlain := d.val == math.Trunc(d.val), a.unit == nil || d.unit == nil
	if isWhole && d.val < 100 && !a.approx && isPlain {
		return false
	}
	isMonths := a.is("time") && a.unit.factor > 2e6
	isRounded := a.dec == 0 && !isWhole && (a.unit == nil || d.unit == nil && !isMonths || sameUnit(a.unit, d.unit)) && math.Abs(a.val-d.val) <= 0.5
	inParts := a.is("time") && d.unit != nil && d.unit.dim == "time" && a.val >= 60 && math.Abs(d.val*d.unit.factor/a.unit.factor-a.val) < 1 // 3 h 52 min of 3h 52m 18s
	isByKey := d.unit == nil && d.val >= 1000 && (a.is("data") || a.is("time")) && c.matches(a, derived{val: d.val, how: simply})
	return isRounded || inParts || isByKey || a.nearUnit(d.val, d.unit)
}

// matches reports whether a claim is a value with a unit or a noun: apples are not counted in pears.
func (c *checker) matches(a claim, d derived) bool {
	switch {
	case a.unit == nil && a.little() && (d.unit == nil && d.noun != "" && a.noun != d.noun && d.how != altogether || d.unit != nil && a.noun != ""):
		return false
	case a.unit == nil:
		return a.near(d.val)
	case d.unit != nil:
		all, n := convert(d.val, d.unit, a.unit)
		return slices.ContainsFunc(all[:n], a.near)
	case a.is("data") && d.noun != "" && len(d.noun) <= 2 && c.units[d.noun+"b"] != nil:
		return c.matches(a, derived{val: d.val, unit: c.units[d.noun+"b"], how: d.how})
	case d.noun != "" && d.val < 1000:
		return false
	}
	return a.near(d.val) || slices.ContainsFunc(c.unitsOf(a.unit.dim), func(u *unit) bool { return c.matches(a, derived{val: d.val, unit: u}) })
}

// unitsOf are the units of a dimension that the sources or the answer name, and bytes, which few programs name.
func (c *checker) unitsOf(dim string) []*unit {
	if c.named == nil {
		c.named = map[string][]*unit{"data": {c.units["bytes"]}, "time": {c.units["s"]}}
		if c.words["blocks"] || c.words["rss"] {
			c.named["data"] = append(c.named["data"], c.units["kib"])
		}
		if c.words["swap"] {
			c.named["data"] = append(c.named["data"], c.units["mib"])
		}
		for w, u := range c.units {
			if (c.words[w] || c.answerWords[w]) && !slices.Contains(c.named[u.dim], u) {
				c.named[u.dim] = append(c.named[u.dim], u)
			}
		}
	}
	return c.named[dim]
}

// deriveAll tries all that follows from the sources, until nothing is open.
func (c *checker) deriveAll() {
	for _, n := range c.figures {
		if len(c.open) > 0 && !n.part && !n.word {
			c.offer(derived{val: n.val, unit: n.unit, noun: n.noun, how: itself})
			if n.minus && n.is("temperature") {
				c.offer(derived{val: -n.val, unit: n.unit, noun: n.noun, how: itself})
			}
		}
		if n.is("percent") && n.own && !n.part {
			c.percents++
			c.offer(derived{val: 100 - n.val, how: byShare})
		}
	}
	shared := c.percents < 2 // else they say it themselves
	for _, s := range c.series() {
		if len(c.open) > 0 {
			c.combine(s, shared)
		}
	}
	for _, try := range []func(){c.totals, c.spans, c.multiples, c.products, func() { c.converted(c.figures[:min(len(c.figures), maxSeries)]) }, c.sumsOfProducts} {
		if len(c.open) > 0 {
			try()
		}
	}
	for _, text := range c.results { // three of four lines
		lines := strings.Count(strings.TrimSpace(text), "\n") + 1
		for k := 1; shared && k < lines && lines <= 12; k++ {
			c.offer(derived{val: 100 * float64(k) / float64(lines), how: byShare})
			c.offer(derived{val: 100 * float64(k) / float64(lines-1), how: byShare})
		}
	}
}

// combine tries the sums, differences, means and shares of numbers that belong together.
func (c *checker) combine(s series, shares bool) {
	n, u, noun := s.vals, s.vals[0].unit, s.vals[0].noun
	offer := func(v float64, h how) { c.offer(derived{val: v, unit: u, noun: noun, how: h}) }
	offer(s.total, altogether)
	offer(s.total/float64(len(n)), simply)
	shares = shares && !s.vals[0].is("percent")
	if len(n) > maxTogether {
		return
	}
	for i := range n { // of some lines that follow on each other, such as three months
		sum := 0.0
		for j := i; j < min(len(n), i+maxFactors/2) && (j == i || n[j].line == n[j-1].line+1); j++ {
			if sum += n[j].val; j > i+1 {
				c.offer(derived{val: sum, unit: u, noun: noun, how: simply, far: true})
			}
		}
	}
	for i, x := range n {
		offer(s.total-x.val, simply)
		if len(n) > 2 {
			offer((s.total-x.val)/float64(len(n)-1), simply)
		}
		if shares {
			offer(100*x.val/s.total, byShare)
		}
		for _, y := range n[i+1:] {
			c.alike(x.number, y.number, simply, shares)
		}
	}
}

// alike tries the sum, the difference and the shares of two numbers with one unit.
func (c *checker) alike(x, y number, h how, shares bool) {
	c.offer(derived{val: x.val + y.val, unit: x.unit, noun: x.noun, how: h})
	c.offer(derived{val: math.Abs(x.val - y.val), unit: x.unit, noun: x.noun, how: h})
	little, large := min(x.val, y.val), max(x.val, y.val)
	if shares && little > 0 {
		for _, v := range []float64{little / large, large/little - 1, 1 - little/large} {
			c.offer(derived{val: 100 * v, how: byShare})
		}
	}
}

// unlike tries the product and the quotients of two numbers with different units, or without.
func (c *checker) unlike(x, y number, h how) {
	if x.is("percent") {
		x, y = y, x
	}
	if y.is("percent") { // a fifth of it, what is left, or so much more
		for _, share := range []float64{y.val, 100 - y.val, 100 + y.val} {
			c.offer(derived{val: x.val * share / 100, unit: x.unit, noun: x.noun, how: h})
		}
		return
	}
	u := cmp.Or(x.unit, y.unit)
	c.offer(derived{val: x.val * y.val, unit: u, how: h})
	if x.unit != nil && y.unit != nil {
		c.offer(derived{val: x.val * y.val, unit: y.unit, how: h})
	}
	if x.val == 0 || y.val == 0 {
		return
	}
	c.offer(derived{val: x.val / y.val, unit: x.unit, how: h})
	c.offer(derived{val: y.val / x.val, unit: y.unit, how: h})
}

// subsets gives the sum of each set of numbers, and its largest.
func subsets(n []mark, give func(sum, most float64)) {
	for set := 1; set < 1<<len(n); set++ {
		sum, most := 0.0, 0.0
		for i := range n {
			if set>>i&1 == 1 {
				sum += n[i].val
				most = max(most, n[i].val)
			}
		}
		give(sum, most)
	}
}

// deriveFromStated tries what follows from the numbers that the answer states and that are found.
func (c *checker) deriveFromStated() {
	all, stated := c.stated()
	c.converted(all)
	c.proportions(all)
	c.laterOn()
	var dims []*unit            // the first unit of each dimension
	byDim := map[*unit][]mark{} // each number in that of its own
	for i, x := range all {
		isStated := i < stated
		for _, y := range all[:i] {
			c.pair(x.number, y.number)
		}
		if isStated && x.val > 2 {
			c.scaled(derived{val: x.val, unit: x.unit, how: freely})
		}
		c.withFigures(x.number, isStated)
		for _, u := range dims {
			if v, n := convert(x.val, x.unit, u); n > 0 && (u == nil) == (x.unit == nil) {
				x.val, x.unit = v[0], u
				break
			}
		}
		if !slices.Contains(dims, x.unit) {
			dims = append(dims, x.unit)
		}
		byDim[x.unit] = append(byDim[x.unit], x)
	}
	counts := byDim[nil][:min(len(byDim[nil]), maxSubsets)]
	for _, u := range dims {
		of := byDim[u]
		subsets(of[:min(len(of), maxSubsets)], func(sum, most float64) {
			c.offer(derived{val: sum, unit: u, how: freely})
			c.offer(derived{val: 2*most - sum, unit: u, how: freely}) // the others from the largest
			for _, n := range counts {                                // four times 20 and 15 seconds
				if u != nil && n.dec == 0 {
					c.offer(derived{val: sum * n.val, unit: u, how: freely})
				}
			}
		})
	}
}

// stated are the numbers of the answer that are found, how many readings of them there are, and behind them those of the question.
func (c *checker) stated() (all []mark, stated int) {
	for _, x := range c.claims {
		if x.kind == quantity && x.ok && len(all) < maxStated {
			all = append(all, x.mark)
			if x.alt > 0 && x.alt != x.val {
				x.mark.val, x.mark.dec = x.alt, 0
				all = append(all, x.mark)
			}
		}
	}
	stated = len(all)
	for _, n := range c.figures {
		if !n.own && n.to <= c.asks && !n.part && n.val > 2 && len(all) < maxStated {
			all = append(all, n)
		}
	}
	return all, stated
}

// withFigures tries what follows from a number and those of the results, if these are few.
func (c *checker) withFigures(x number, isStated bool) {
	if len(c.figures) > maxPairs {
		return
	}
	isCount := isStated && x.unit == nil && x.noun != "" && x.dec == 0
	for _, n := range c.figures {
		if !n.own || n.part || !n.isNamed() {
			continue
		}
		if isCount && n.unit != nil { // three rents of 750 EUR
			c.offer(derived{val: x.val * n.val, unit: n.unit, how: freely})
		}
		if sameUnit(x.unit, n.unit) {
			c.alike(x, n.number, simply, false)
		}
		if !sameDimension(x.unit, n.unit) {
			c.unlike(x, n.number, simply)
		}
	}
}

// sameDimension reports whether two units measure the same.
func sameDimension(a, b *unit) bool { return a != nil && b != nil && a.dim == b.dim }

// pair tries what follows from two numbers of the answer.
func (c *checker) pair(x, y number) {
	if (x.unit == nil) == (y.unit == nil) {
		if w, n := convert(y.val, y.unit, x.unit); n > 0 {
			y.val, y.unit = w[0], x.unit
			c.alike(x, y, freely, true)
			c.offer(derived{val: (x.val + y.val) / 2, unit: x.unit, how: freely})
		}
	}
	for _, of := range [][2]number{{x, y}, {y, x}} {
		if much, way := of[0], of[1]; way.is("length") && (much.is("volume") || much.is("energy")) && way.val > 0 { // for 100 km
			c.offer(derived{val: 1e5 * much.val / (way.val * way.unit.factor), unit: much.unit, how: freely})
		}
		if power, length := of[0], of[1]; power.is("power") && length.is("time") {
			c.offer(derived{val: power.val * power.unit.factor * length.val * length.unit.factor / 3600, unit: c.units["wh"], how: freely})
		}
		if way, length := of[0], of[1]; way.is("length") && length.is("time") && length.val > 0 {
			c.offer(derived{val: way.val * way.unit.factor / (length.val * length.unit.factor) * 3.6, unit: c.units["km/h"], how: freely})
		}
	}
	if x.dec == 0 && x.val <= 2 || y.dec == 0 && y.val <= 2 {
		return
	}
	if (x.isNamed() || y.isNamed() || x.dec+y.dec > 0) && !sameDimension(x.unit, y.unit) {
		c.unlike(x, y, freely)
	}
	c.offer(derived{val: max(x.val/y.val, y.val/x.val), how: freely})
}

// close takes the readings of a claim from the open ones.
func (c *checker) close(claim int) {
	for i := len(c.of) - 1; i >= 0; i-- {
		if c.of[i] == claim {
			c.open, c.of = slices.Delete(c.open, i, i+1), slices.Delete(c.of, i, i+1)
		}
	}
}

// counted tries the sums of so many of one number, so many of another and of a third, and the differences of two: what a few tickets cost
// together. The counts are those that the question and the answer say.
func (c *checker) counted() {
	counts := []float64{1}
	if slices.Contains(c.factors(), 2) { // two in words is no claim
		counts = append(counts, 2)
	}
	for _, n := range c.figures {
		counts = addCount(counts, n, !n.own && n.to <= c.asks && !n.part)
	}
	for _, x := range c.claims {
		counts = addCount(counts, x.mark, x.kind == quantity)
	}
	var terms []number
	for _, n := range c.figures[:min(len(c.figures), maxDerived)] {
		for _, k := range counts {
			if t := n.number; n.own && !n.part && !n.label && !n.word && len(terms) < maxTerms {
				t.val *= k
				terms = append(terms, t)
			}
		}
	}
	of := len(counts)
	offer := func(v float64, u *unit) { c.offer(derived{val: v, unit: u, how: simply, far: true}) }
	for i, x := range terms {
		offer(x.val, x.unit)
		for j, y := range terms[:i/of*of] {
			if x.unit != nil && y.unit != nil && x.unit != y.unit {
				continue
			}
			u := cmp.Or(x.unit, y.unit)
			offer(x.val+y.val, u)
			offer(math.Abs(x.val-y.val), u)
			for _, z := range terms[:min(j/of*of, maxPairs)] {
				if x.unit == y.unit && y.unit == z.unit {
					offer(x.val+y.val+z.val, u)
				}
			}
		}
	}
}

// addCount adds a number that may count things, a few different ones.
func addCount(counts []float64, n mark, may bool) []float64 {
	if may && n.unit == nil && n.dec == 0 && n.val > 1 && n.val <= 12 && len(counts) < 4 && !slices.Contains(counts, n.val) {
		counts = append(counts, n.val)
	}
	return counts
}

// luck is how many values near a claim, in one of its readings, have been tried for each that would not fit.
func (x *claim) luck(reading claim) float64 {
	return float64(x.tried) * math.Pow10(-reading.dec) / reading.val
}
