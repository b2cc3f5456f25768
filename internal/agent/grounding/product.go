package grounding

import (
	"cmp"
	"math"
)

// products tries the products and quotients of numbers of one line, the totals of such products, and, where the sources
// have few numbers, the product of any two.
func (c *checker) products() {
	byLine := map[int][]mark{}
	var lines []int
	var all []mark
	for _, n := range c.figures {
		if n.part || n.is("percent") || n.word && n.val < 2 {
			continue
		}
		if byLine[n.line] == nil {
			lines = append(lines, n.line)
		}
		all = append(all, n)
		byLine[n.line] = append(byLine[n.line], n)
	}
	hundred := c.in("hundred", c.said)
	sums := map[[2]int]float64{}
	mixed, priced := 0.0, false // over lines of which some have a count and others not
	for _, l := range lines {
		n := byLine[l]
		n = n[:min(len(n), maxSubsets)]
		for i, x := range n {
			for j, y := range n[i+1:] {
				c.multiply(x, y, simply)
				c.divide(x, y, hundred)
				c.divide(y, x, hundred)
				if len(lines) > 1 {
					sums[[2]int{i, i + 1 + j}] += x.val * y.val
				}
			}
		}
		last := n[len(n)-1]
		if len(n) > 1 && last.noun == "each" && n[0].dec == 0 {
			last.val *= n[0].val
			priced = true
		}
		mixed += last.val
	}
	for _, sum := range sums {
		c.offer(derived{val: sum, how: remotely})
	}
	if priced {
		c.offer(derived{val: mixed, how: simply})
	}
	if len(all) > maxPairs {
		return
	}
	each := c.in("each", c.said)
	for i, x := range all {
		for j, y := range all {
			if !x.isNamed() || !y.isNamed() || i == j {
				continue
			}
			if i < j {
				c.multiply(x, y, remotely)
			}
			if each && x.unit != nil && y.val > 1 && !sameUnit(x.unit, y.unit) {
				c.offer(derived{x.val / y.val, x.unit, "", simply})
			}
		}
	}
}

// isNamed reports whether a unit or a noun stands beside a number.
func (n number) isNamed() bool { return n.unit != nil || n.noun != "" }

// multiply tries the product of two numbers in the unit of each.
func (c *checker) multiply(x, y mark, h how) {
	if x.unit != nil && y.unit != nil && x.unit.dim == y.unit.dim && !x.is("length") {
		return
	}
	c.offer(derived{x.val * y.val, y.unit, "", h})
	if x.unit != y.unit {
		c.offer(derived{x.val * y.val, x.unit, "", h})
	}
}

// divide tries the quotient of two numbers of one line. hundred: also how many come to a hundred.
func (c *checker) divide(x, y mark, hundred bool) {
	if y.val == 0 {
		return
	}
	if hundred {
		c.offer(derived{val: 100 * x.val / y.val, how: freely})
	}
	if x.unit == nil || y.unit == nil || x.unit.dim != y.unit.dim {
		c.offer(derived{x.val / y.val, x.unit, "", simply})
	}
}

// deriveFromStated tries what follows from the numbers that the answer states and that are found.
func (c *checker) deriveFromStated() {
	var all []mark
	for _, x := range c.claims {
		if x.kind == quantity && x.ok && len(all) < maxStated {
			all = append(all, x.mark)
		}
	}
	for i, x := range all {
		free := func(v float64) { c.offer(derived{val: v, unit: x.unit, how: freely}) }
		c.offer(derived{val: x.val, unit: x.unit, how: itself})
		for _, k := range c.factors() {
			if k != x.val && (x.unit != nil || x.val >= 20) {
				free(x.val * k)
				free(x.val / k)
			}
		}
		for j, y := range all {
			if i != j && x.val > 0 && y.val > 0 {
				c.pair(x, y)
			}
		}
		for _, s := range c.series() {
			c.sumsOfGroups(s.vals, func(sum float64) {
				c.offer(derived{val: x.val - sum, how: remotely})
				c.offer(derived{val: x.val + sum, how: remotely})
			})
		}
	}
	for u, of := range byDimension(all) {
		subsets(of[:min(len(of), maxSubsets)], func(sum float64) { c.offer(derived{val: sum, unit: u, how: freely}) })
	}
}

// byDimension sorts numbers by their dimension, each in the first unit of it.
func byDimension(all []mark) map[*unit][]mark {
	out := map[*unit][]mark{}
	for _, x := range all {
		for u := range out {
			if v, n := convert(x.val, x.unit, u); n > 0 && (u == nil) == (x.unit == nil) {
				x.val, x.unit = v[0], u
				break
			}
		}
		out[x.unit] = append(out[x.unit], x)
	}
	return out
}

// pair tries what follows from two numbers of the answer.
func (c *checker) pair(x, y mark) {
	free := func(v float64, u *unit) { c.offer(derived{val: v, unit: u, how: freely}) }
	q := x.val / y.val
	if x.val < y.val {
		c.offer(derived{val: 100 * q, how: byShare})
	}
	c.offer(derived{val: 100*q - 100, how: byShare})
	named := x.isNamed() || y.isNamed() || x.dec > 0 || y.dec > 0
	if x.unit != nil && y.unit != nil && x.unit.dim != y.unit.dim {
		for _, k := range []float64{1, 100, 1. / 60} {
			free(q*k, nil)
		}
		free(x.val*y.val, x.unit)
		return
	}
	if !x.is("time") {
		free(q, c.lexicon.units["s"]) // at so much a second
	}
	w, n := convert(y.val, y.unit, x.unit)
	if n > 0 {
		free(x.val+w[0], x.unit)
		free(x.val-w[0], x.unit)
		free((x.val+w[0])/2, x.unit)
	}
	if x.val > 2 && y.val > 2 {
		if named {
			free(x.val*y.val, cmp.Or(x.unit, y.unit))
		}
		if q != math.Trunc(q) || q > 2 {
			free(q, nil)
		}
	}
}
