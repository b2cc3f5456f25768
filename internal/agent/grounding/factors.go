package grounding

import (
	"math"
	"slices"
	"strings"
)

// factors are the small numbers by which the answer may multiply or divide: those of the sources other than results, those
// of words such as double, and how many times more of a thing it speaks of than the results.
func (c *checker) factors() []float64 {
	if c.times != nil {
		return c.times
	}
	c.times = []float64{}
	add := func(v float64) {
		if v > 1 && v <= maxSeries && !slices.Contains(c.times, v) && len(c.times) < maxFactors {
			c.times = append(c.times, v)
		}
	}
	for w, k := range c.values["factor"] {
		if strings.Contains(c.lower, w) || k > 2 && k < 5 && strings.Contains(c.low, w) {
			add(k)
		}
	}
	if c.in("twice", c.low) {
		add(2)
	}
	for _, n := range c.figures {
		if (!n.own && !n.part || n.noun == "time") && n.val == math.Trunc(n.val) {
			add(n.val)
		}
	}
	for _, n := range c.figures[:min(len(c.figures), maxPairs)] { // a recipe for four, for six
		if around := c.low[max(0, n.from-maxToken/8):min(len(c.low), n.to+maxToken/8)]; n.own && !n.part && n.dec == 0 && n.val <= 20 && c.in("portions", around) {
			for _, k := range c.times {
				add(k / n.val)
				add(n.val / k)
			}
			add(n.val)
		}
	}
	return c.times
}

// rates are what one of a thing comes to in another: 1 EUR = 1.08 USD.
func (c *checker) rates() []float64 {
	var all []float64
	for i := 1; i < min(len(c.figures), maxSeries); i++ {
		x, y := c.figures[i-1], c.figures[i]
		if x.line == y.line && x.to < y.from && x.val > 0 && y.val > 0 && !x.part && !y.part && strings.Contains(c.low[x.to:y.from], "=") && len(all) < maxFactors {
			all = append(all, y.val/x.val)
		}
	}
	return all
}

// converted tries numbers at the rates of the sources.
func (c *checker) converted(numbers []mark) {
	for _, k := range c.rates() {
		for _, n := range numbers {
			if !n.part && n.val > 0 && !n.is("percent") {
				c.offer(derived{val: n.val * k, how: byRate})
				c.offer(derived{val: n.val / k, how: byRate})
			}
		}
	}
}

// proportions tries what a number comes to as one of a line is to the next in another unit: of 30 ml and 4.5 g.
func (c *checker) proportions(numbers []mark) {
	for i := 1; i < min(len(c.figures), maxSeries); i++ {
		x, y := c.figures[i-1], c.figures[i]
		if x.line != y.line || x.unit == nil || y.unit == nil || x.unit == y.unit || x.val == 0 || y.val == 0 || x.is("percent") || y.is("percent") {
			continue
		}
		for _, n := range numbers {
			for _, of := range [][2]number{{x.number, y.number}, {y.number, x.number}} {
				if sameDimension(n.unit, of[0].unit) {
					v, _ := convert(n.val, n.unit, of[0].unit)
					c.offer(derived{val: v[0] / of[0].val * of[1].val, unit: of[1].unit, how: simply, far: true})
				}
			}
		}
	}
}

// scaled tries a value times or by each factor.
func (c *checker) scaled(d derived) {
	for _, k := range c.factors() {
		if d.unit == nil || d.unit.dim != "percent" {
			c.offer(derived{val: d.val * k, unit: d.unit, noun: d.noun, how: d.how})
			c.offer(derived{val: d.val / k, unit: d.unit, noun: d.noun, how: d.how})
		}
	}
}

// multiples tries the numbers and totals of the results times or by a factor.
func (c *checker) multiples() {
	for _, n := range c.figures[:min(len(c.figures), maxSeries)] {
		if n.own && !n.part && !n.word {
			c.scaled(derived{val: n.val, unit: n.unit, noun: n.noun, how: simply})
		}
	}
	for _, s := range c.series() {
		c.scaled(derived{val: s.total, unit: s.vals[0].unit, how: simply})
	}
}

// products tries the products and quotients of numbers of one line, and, where the sources have few numbers, the share of any in
// another.
func (c *checker) products() {
	byLine := map[int][]mark{}
	var lines []int
	var all []mark
	for _, n := range c.figures[:min(len(c.figures), maxDerived)] {
		if n.part || n.label || n.word && n.val < 2 {
			continue
		}
		if byLine[n.line] == nil {
			lines = append(lines, n.line)
		}
		all = append(all, n)
		byLine[n.line] = append(byLine[n.line], n)
	}
	for _, l := range lines {
		n := byLine[l]
		if sum, ok := seriesOf(n); ok && n[0].col >= cellNumbers && len(n) > 2 { // of a row
			c.offer(derived{val: sum.total, unit: n[0].unit, how: simply})
			c.offer(derived{val: sum.total / float64(len(n)), unit: n[0].unit, how: simply})
		}
		for _, t := range c.rowTimes {
			for _, x := range n {
				if t.line == l && x.val > 1 && (x.is("length") || x.dec > 0) { // of a pace
					c.offer(derived{val: t.minutes / x.val, how: ofClocks})
					c.offer(derived{val: x.val * 60 / t.minutes, unit: c.units["km/h"], how: simply})
				}
			}
		}
		n = n[:min(len(n), maxSubsets)]
		for i, x := range n {
			for _, y := range n[i+1:] {
				if !sameDimension(x.unit, y.unit) || x.is("length") {
					c.unlike(x.number, y.number, simply)
				}
				if x.is("length") && y.is("length") {
					c.offer(derived{val: x.val * x.unit.factor * y.val * y.unit.factor, unit: c.units["m²"], how: simply})
				}
			}
		}
	}
	for i, x := range all {
		for _, y := range all[:i] {
			if len(all) <= maxPairs && x.is("percent") != y.is("percent") {
				c.unlike(x.number, y.number, simply)
			} else if len(all) <= maxPairs && x.val > 0 && y.val > 0 && c.percents < 2 {
				c.offer(derived{val: 100 * min(x.val, y.val) / max(x.val, y.val), how: byShare})
			}
		}
	}
}

// isNamed reports whether a unit or a noun stands beside a number.
func (n number) isNamed() bool { return n.unit != nil || n.noun != "" }

// sumsOfProducts tries the sum, over the lines of a table, of the products of two of its columns, and the product of two numbers whose lines
// begin with the same words.
func (c *checker) sumsOfProducts() {
	type pair struct{ a, b int }
	sums, rows := map[pair]float64{}, map[pair]int{}
	var order []pair
	byName := map[string][]mark{}
	var names []string
	line, name := []mark{}, ""
	flush := func() {
		for i, x := range line {
			for _, y := range line[:i] {
				p := pair{y.col, x.col}
				if rows[p] == 0 {
					order = append(order, p)
				}
				sums[p] += x.val * y.val
				rows[p]++
			}
		}
		line = line[:0]
	}
	for _, n := range c.figures[:min(len(c.figures), maxSeries)] {
		if !n.own || n.part || n.second || n.label || n.col < 0 {
			continue
		}
		if len(line) > 0 && line[0].line != n.line {
			flush()
		}
		if len(line) == 0 {
			name = nameOf(head(c.lines[n.line], maxAround))
		}
		if len(line) < maxSubsets {
			line = append(line, n)
		}
		if name != "" {
			if byName[name] == nil {
				names = append(names, name)
			}
			byName[name] = append(byName[name], n)
		}
	}
	flush()
	for _, p := range order {
		if rows[p] > 1 {
			c.offer(derived{val: sums[p], how: simply})
		}
	}
	all := 0.0
	for _, name := range names {
		of := byName[name][:min(len(byName[name]), maxSubsets)]
		for i, x := range of {
			for _, y := range of[:i] {
				if x.line != y.line && !sameDimension(x.unit, y.unit) {
					c.unlike(x.number, y.number, simply)
				}
			}
		}
		if len(of) > 1 && of[0].line != of[1].line {
			all += of[0].val * of[1].val
		}
	}
	c.offer(derived{val: all, how: simply})
}

// nameOf is the words with which a line begins, up to a mark, a number or two blanks.
func nameOf(line string) string {
	name := line
	for i, r := range line {
		if strings.ContainsRune(",;|:\t", r) || strings.HasPrefix(line[i:], "  ") {
			name = line[:i]
			break
		}
	}
	if strings.IndexFunc(name, func(r rune) bool { return isLetter(r) || isHan(r) }) < 0 {
		return ""
	}
	return strings.TrimSpace(name)
}
