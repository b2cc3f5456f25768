package grounding

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// series is numbers that belong together: of one column, of one unit, or of one line.
type series struct {
	vals  []mark
	total float64
}

// common is what the numbers of a series have in common, and, of columns, how many numbers their lines have.
type common struct {
	by        string
	at, count int
	second    bool
	unit      *unit
	noun      string
}

// series returns the series of the results, the shortest first.
func (c *checker) series() []series {
	if c.grouped != nil {
		return c.grouped
	}
	groups, order := c.groups()
	c.grouped = []series{}
	for _, k := range order {
		if s, ok := seriesOf(groups[k]); ok && len(c.grouped) < maxSeries {
			c.grouped = append(c.grouped, s)
		}
	}
	slices.SortStableFunc(c.grouped, func(a, b series) int { return cmp.Compare(len(a.vals), len(b.vals)) })
	return c.grouped
}

// groups are the numbers that have something in common, and what that is, in the order in which it is found.
func (c *checker) groups() (groups map[common][]mark, order []common) {
	groups = map[common][]mark{}
	put := func(by string, at, count int, n mark, noun string) {
		k := common{by, at, count, n.second, n.unit, noun}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], n)
	}
	twoWays := slices.ContainsFunc(c.figures, func(n mark) bool { return n.second })
	inLine, isTable := map[int]int{}, map[int]bool{}
	for _, n := range c.figures {
		if n.col >= 0 && !n.second {
			inLine[n.line]++
		}
		isTable[n.line] = isTable[n.line] || n.col >= cellNumbers
	}
	var last mark
	for _, n := range c.figures[:min(len(c.figures), maxDerived)] {
		if n.part || n.label || n.word && n.unit == nil {
			continue
		}
		if isNext := n.line == last.line && n.col == last.col+1; isNext && last.val >= 100 && n.val > last.val && n.val < 2*last.val {
			gone := n
			gone.val, gone.noun = n.val-last.val, ""
			put("meter", n.col, 0, gone, "")
		}
		last = n
		if n.isNamed() {
			put("unit", 0, 0, n, n.noun)
		}
		if n.col < 0 {
			continue
		}
		all := inLine[n.line]
		if key := keyBefore(c.low[:n.from]); key != "" {
			bare := n
			bare.noun = ""
			put("word", 0, 0, bare, key)
		}
		of := all
		if isTable[n.line] {
			of = 0
		}
		put("column", n.col, of, n, n.noun)
		isTerm := all <= maxSubsets && (n.val >= 20 || n.dec > 0)
		if twoWays && n.alt == 0 && !n.second { // 1,690 and 280
			n := n
			n.second = true
			put("column", n.col, of, n, n.noun)
			if n.isNamed() {
				put("unit", 0, 0, n, n.noun)
			}
			if isTerm {
				put("line", n.line, 0, n, n.noun)
			}
		}
		if isTerm {
			put("line", n.line, 0, n, n.noun)
		}
	}
	return groups, order
}

// keyBefore is the word before a number that may say what it is of: Roth 8, "use":212.4.
func keyBefore(before string) string {
	s := strings.TrimRight(tail(before, maxWord), " \":=\t")
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !isLetter(r) && r != '_' })+1:]
}

// seriesOf is the series of some numbers; there is none of one number, of different units, of years, and of numbers that
// count the rows.
func seriesOf(n []mark) (series, bool) {
	s := series{vals: n}
	rows, years, alike := true, true, true
	var u *unit
	for i, v := range n {
		alike = alike && (v.unit == nil || u == nil || v.unit == u)
		u = cmp.Or(u, v.unit)
		s.total += v.val
		years = years && v.isYear()
		rows = rows && v.val == n[0].val+float64(i)
	}
	return s, len(n) > 1 && !rows && !years && alike
}

// isYear reports whether a number may be a year.
func (n number) isYear() bool { return n.dec == 0 && n.val >= 1500 && n.val <= 2200 && n.unit == nil }

// totals tries the sums and means of one column over all lines, and over those that have a word of the answer, such as groceries.
func (c *checker) totals() {
	type key struct {
		word string
		col  int
	}
	by := map[key]mark{}
	rows := map[key]int{}
	var order []key
	line, words := -1, []string{""}
	signed := slices.ContainsFunc(c.figures, func(n mark) bool { return n.minus && n.own })
	figures := c.figures[:min(len(c.figures), maxDerived)]
	for i, n := range figures {
		if !n.own || n.part || n.second || n.label || n.col < 0 || len(order) >= maxSeries {
			continue
		}
		if n.line != line {
			line, words = n.line, append(words[:1], c.saidIn(c.lines[n.line])...)
		}
		of := []key{}
		for _, w := range words {
			of = append(of, key{w, n.col})
		}
		if signed { // what came in, and what went out
			of = append(of, key{strconv.FormatBool(n.minus), n.col})
		}
		if i+1 == len(figures) || figures[i+1].line != n.line { // the last of each line, whatever stands before it
			of = append(of, key{"", -1})
		}
		for _, k := range of {
			sum, ok := by[k]
			if !ok {
				order, sum = append(order, k), mark{number: number{unit: n.unit, noun: n.noun}}
			}
			if sum.noun != n.noun {
				sum.noun = ""
			}
			sum.val += n.val
			sum.alt += cmp.Or(n.alt, n.val)
			by[k] = sum
			rows[k]++
		}
	}
	for _, k := range order {
		for _, sum := range []float64{by[k].val, by[k].alt} {
			if rows[k] > 1 {
				c.offer(derived{val: sum, unit: by[k].unit, noun: by[k].noun, how: altogether})
				c.offer(derived{val: sum / float64(rows[k]), unit: by[k].unit, noun: by[k].noun, how: simply})
			}
		}
	}
}

// saidIn are the words of a line that the answer has, the first few.
func (c *checker) saidIn(line string) []string {
	var words []string
	for w := range strings.FieldsFuncSeq(head(line, 2*maxAround), isBetween) {
		if utf8.RuneCountInString(w) > 1 && !isDigit(w[0]) && (c.answerStems[stem(w)] || isHan(firstRune(w)) && c.hasSaid(w)) && len(words) < maxSubsets && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}
