package grounding

import (
	"math"
	"slices"
	"sort"
)

// Bounds of what is guessed.
const (
	maxGuessed  = 48 // numbers that are taken in pairs, whatever they are of
	maxColumn   = 10 // numbers of a column of which all sums are tried
	guessWindow = 0.25
	guessChance = 0.08
)

// guess tries what the numbers of the sources come to when they are taken in any way, for claims with so many digits that it
// would be a rare chance if one of these calculations came to them.
func (c *checker) guess() {
	var n []mark
	take := func(m mark) {
		if !m.part && !m.label && m.val > 0 && len(n) < maxGuessed && !slices.ContainsFunc(n, func(x mark) bool { return x.val == m.val }) {
			n = append(n, m)
		}
	}
	for i := range c.claims {
		if x := c.claims[i]; x.kind == quantity && x.ok {
			take(x.mark)
		}
	}
	c.tryAll(c.mixed(n[:min(len(n), maxColumn)]))
	for _, m := range c.figures[:min(len(c.figures), maxDerived)] {
		take(m)
	}
	var vals []float64
	for i, x := range n {
		for _, y := range n[:i] {
			vals = append(vals, x.val+y.val, math.Abs(x.val-y.val), x.val*y.val, x.val/y.val, y.val/x.val)
		}
	}
	for _, s := range c.series() {
		if len(s.vals) <= maxColumn && len(vals) < maxSteps/offerCost/64 {
			subsets(s.vals, func(sum, _ float64) { vals = append(vals, math.Abs(sum)) })
		}
	}
	c.tryAll(vals)
}

// mixed are the sums of two of some numbers, each so many times as the question says: two adults at 450 and two children at 220.
func (c *checker) mixed(n []mark) (vals []float64) {
	times := []float64{1}
	for i := range c.figures {
		if m := &c.figures[i]; !m.own && m.dec == 0 && m.val < 10 && !m.part && !slices.Contains(times, m.val) && len(times) < maxSubsets {
			times = append(times, m.val)
		}
	}
	for i, x := range n {
		for _, y := range n[:i] {
			for _, k := range times {
				for _, j := range times {
					if sameUnit(x.unit, y.unit) {
						vals = append(vals, k*x.val+j*y.val)
					}
				}
			}
		}
	}
	return vals
}

// tryAll takes the claims from the open ones that one of some values supports, where few of these are near.
func (c *checker) tryAll(vals []float64) {
	if c.steps > maxSteps {
		return
	}
	slices.Sort(vals)
	c.steps += len(vals) * offerCost
	for i := len(c.open) - 1; i >= 0; i = min(i, len(c.open)) - 1 {
		x := c.open[i]
		if x.kind != quantity || x.val <= 0 || x.label {
			continue
		}
		from, to := sort.SearchFloat64s(vals, x.val*(1-guessWindow)), sort.SearchFloat64s(vals, x.val*(1+guessWindow))
		step := math.Pow10(-x.dec)
		for whole := x.val; x.approx && x.dec == 0 && whole >= 10 && math.Mod(whole, 10) == 0; whole /= 10 {
			step *= 10
		}
		if float64(to-from)*step <= guessChance*2*guessWindow*x.val && slices.ContainsFunc(vals[from:to], x.near) {
			c.claims[c.of[i]].ok = true
			c.close(c.of[i])
		}
	}
}

// isUsed reports whether another number of the answer follows from a claim's and one more.
func (c *checker) isUsed(x *claim) bool {
	if x.kind != quantity || x.val <= 2 || c.steps > maxSteps {
		return false
	}
	claims := c.claims[:min(len(c.claims), maxStated)]
	var vals []float64
	add := func(y number) {
		if y.val > 0 && y.val != x.val {
			vals = append(vals, x.val+y.val, math.Abs(x.val-y.val), x.val*y.val, x.val/y.val, y.val/x.val)
			if y.is("percent") {
				vals = append(vals, x.val*(1+y.val/100))
			}
		}
	}
	for i := range claims {
		if y := &claims[i]; y.kind == quantity && y != x {
			add(y.number)
		}
	}
	for i := range c.figures[:min(len(c.figures), maxGuessed)] {
		if y := &c.figures[i]; !y.part {
			add(y.number)
		}
	}
	c.steps += len(vals) * len(claims)
	for i := range claims {
		z := &claims[i]
		if z.kind != quantity || z.val == x.val || z.val <= 2 || z.stands {
			continue
		}
		n, hit := 0, false
		for _, v := range vals {
			if math.Abs(v-z.val) < guessWindow*z.val {
				n++
				hit = hit || z.near(v)
			}
		}
		if hit && float64(n)*math.Pow10(-z.dec) <= guessChance*2*guessWindow*z.val {
			return true
		}
	}
	return false
}
