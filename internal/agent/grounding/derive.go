package grounding

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds of what is tried.
const (
	maxTogether = 60  // numbers of one series of which pairs are tried
	maxSeries   = 400 // series
	maxPairs    = 30  // numbers that are multiplied across lines
)

// hasNumber reports whether the sources have a number of the answer, or it follows from theirs.
func (c *checker) hasNumber(a number) bool {
	if a.minus && a.unit.dim == temperature {
		digits := strconv.FormatFloat(a.val, 'f', a.dec, 64)
		if !strings.Contains(c.all, "-"+digits) && !strings.Contains(c.all, "−"+digits) && !strings.Contains(c.all, "minus "+digits) {
			return false
		}
	}
	if a.hour && c.hasHour(a.val) || a.day && c.hasDay(int(a.val)) {
		return true
	}
	return c.table.has(a) || c.isCount(a) || c.follows(a)
}

// has reports whether the number stands in the sources with a unit that does not contradict, or is one of them rounded.
func (t *table) has(a number) bool {
	if i, ok := t.heads[a.val]; ok {
		for ; i >= 0; i = t.nums[i].next {
			n := &t.nums[i]
			if n.part && a.unit.dim != noDimension && a.unit.dim != percent && a.unit.dim != duration && a.val < 1000 {
				continue
			}
			if a.unit.dim == noDimension || n.unit.dim == noDimension || sameUnit(a.unit, n.unit) {
				return true
			}
		}
	}
	for i := range t.nums {
		n := &t.nums[i]
		if n.part || n.word || n.dec == 0 && n.val < 100 && !a.approx && (a.unit.dim == noDimension || n.unit.dim == noDimension) {
			continue
		}
		for _, v := range convert(n.val, n.unit, a.unit) {
			if a.near(v) || v != n.val && a.val >= 10 && math.Abs(v-a.val) <= 0.5 {
				return true
			}
		}
	}
	return false
}

// hasHour reports whether a time of day of the sources is a full hour, of twelve or of twenty-four.
func (c *checker) hasHour(h float64) bool {
	return slices.ContainsFunc(c.table.clocks, func(v float64) bool { return v == h*60 || v == h*60+720 || v == h*60-720 })
}

// hasDay reports whether a date of the sources is on that day of a month.
func (c *checker) hasDay(d int) bool {
	return slices.ContainsFunc(c.table.dates, func(x day) bool { return x.day == d })
}

// isWeekday reports whether the day of the week beside a date is that of the date, where its year is known.
func (c *checker) isWeekday(it item) bool {
	known := it.date.year > 0
	for _, x := range append(slices.Clone(c.table.dates), it.date) {
		if x.month != it.date.month || x.day != it.date.day || x.year == 0 {
			continue
		}
		known = true
		if time.Date(x.year, time.Month(x.month), x.day, 0, 0, 0, 0, time.UTC).Weekday() == it.day {
			return true
		}
	}
	return !known
}

// sameUnit reports whether two units measure the same by the same measure.
func sameUnit(a, b unit) bool {
	return a.dim == b.dim && (a.dim == data || math.Abs(a.factor-b.factor) < 1e-12*math.Max(a.factor, b.factor)) && a.base == b.base
}

// convert returns what a value with a unit is in another unit, none where that cannot be.
func convert(v float64, from, to unit) []float64 {
	switch {
	case from.dim == noDimension || to.dim == noDimension:
		return []float64{v}
	case from.dim != to.dim, from.dim == money && from.base != to.base:
		return nil
	case from.dim == temperature && from.base != to.base:
		if from.base == "c" {
			return []float64{v*9/5 + 32}
		}
		return []float64{(v - 32) * 5 / 9}
	case from.dim == data:
		out := []float64{v * from.factor / to.factor}
		if from.binary != from.factor || to.binary != to.factor {
			out = append(out, v*from.binary/to.factor, v*from.binary/to.binary)
		}
		return out
	}
	return []float64{v * from.factor / to.factor}
}

// near reports whether a, as the answer writes it, is v: exactly, rounded or cut to the digits that are written, or about so
// where the answer says that.
func (a number) near(v float64) bool {
	v = math.Abs(v)
	if v == 0 && a.val != 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	step := math.Pow(10, -float64(a.dec))
	off := math.Abs(v - a.val)
	if off <= step*0.5+1e-9*v {
		// 7 is not 7.4 rounded where nothing says so.
		return off <= 1e-9*v+1e-12 || a.approx || a.val >= 1000 || a.dec > 0 || a.unit.dim == percent
	}
	if a.dec > 0 && a.val >= 10 && v > a.val && off < step { // cut
		return true
	}
	if !a.approx {
		return false
	}
	for whole := a.val; a.dec == 0 && whole >= 10 && math.Mod(whole, 10) == 0; whole /= 10 {
		step *= 10 // 400 is said of 409
	}
	return off <= 0.1*v && (off <= 0.6*step || v > a.val && off < step)
}

// isCount reports whether a number can count lines, items or results.
func (c *checker) isCount(a number) bool {
	if a.dec > 0 || a.val > 5000 || a.unit.dim != noDimension && a.unit.dim != duration {
		return false
	}
	n := int(a.val)
	if a.unit.dim == duration {
		return false
	}
	if n <= 2 {
		return true
	}
	if n == len(c.results) || slices.Contains(c.counts(), n) {
		return true
	}
	return slices.Contains(c.listed(), n)
}

// counts are what can be counted in the results: lines, lines with a word that the answer has, and values between commas.
func (c *checker) counts() []int {
	if c.counted != nil {
		return c.counted
	}
	c.counted = []int{0}
	add := func(n int) {
		if n > 2 {
			c.counted = append(c.counted, n)
		}
	}
	for _, text := range c.results {
		if len(text) > maxSource/4 {
			text = text[:maxSource/4]
		}
		lines := 0
		begins := map[byte]int{}
		with := map[string]int{}
		last := map[string]int{}
		for i, line := range strings.Split(strings.ToLower(text), "\n") {
			trimmed := strings.TrimSpace(line)
			if trimmed == "" || strings.Trim(trimmed, "-|=+: ") == "" {
				continue
			}
			lines++
			begins[trimmed[0]]++
			for _, w := range strings.FieldsFunc(trimmed, isBetween) {
				if last[w] != i+1 {
					last[w] = i + 1
					with[w]++
				}
			}
			add(strings.Count(line, ",") + 1)
			if _, list, ok := strings.Cut(line, ":"); ok {
				add(strings.Count(list, ",") + 1)
			}
		}
		if hasHead(text) {
			lines--
		}
		add(lines)
		for b, n := range begins {
			if b < '0' || b > 'z' || '9' < b && b < 'a' {
				add(n)
			}
		}
		for w, n := range with {
			mark := len(w) == 1 || w == "ok" || w == "yes" || w == "no" || w == "ja" || w == "nein" || w == "да" || w == "нет" || w == "done"
			if mark || strings.Contains(c.low, stem(w)) {
				add(n)
				if mark || lines <= 12 && n > 1 {
					add(lines - n)
				}
			}
		}
	}
	return c.counted
}

// hasHead reports whether the first line of a text is no item as the others are: a title, names of columns, a total.
func hasHead(text string) bool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 3 {
		return false
	}
	first := strings.ToLower(strings.TrimSpace(lines[0]))
	if strings.HasPrefix(first, "#") || strings.HasPrefix(first, "|") || strings.HasSuffix(first, ":") || strings.HasPrefix(first, "total ") {
		return true
	}
	digits, marks := 0, 0
	for _, line := range lines[1:] {
		if strings.ContainsAny(line, "0123456789") {
			digits++
		}
		if line = strings.TrimSpace(line); line != "" && first != "" && line[0] != first[0] && strings.ContainsRune("-*[•+", rune(line[0])) {
			marks++
		}
	}
	return !strings.ContainsAny(first, "0123456789") && digits*3 >= (len(lines)-1)*2 || marks*3 >= (len(lines)-1)*2
}

func isBetween(r rune) bool {
	switch r {
	case ' ', '\t', ',', ';', '|', ':', '(', ')', '[', ']', '"', '=':
		return true
	}
	return false
}

// listed are the lengths of the lists in the answer: of its bullets, and of names between commas.
func (c *checker) listed() []int {
	if c.lists != nil {
		return c.lists
	}
	c.lists = []int{0}
	bullets := 0
	for line := range strings.SplitSeq(c.answer, "\n") {
		trimmed := strings.TrimSpace(line)
		isBullet := strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "* ") || strings.HasPrefix(trimmed, "• ")
		if v, n := small(trimmed, 3); n > 0 && v > 0 && strings.HasPrefix(trimmed[n:], ".") {
			isBullet = true
		}
		if isBullet {
			bullets++
		}
		for sentence := range strings.SplitSeq(line, ". ") {
			if _, list, ok := strings.Cut(sentence, ":"); ok {
				sentence = list
			}
			n := strings.Count(sentence, ", ") + strings.Count(sentence, "、") + strings.Count(sentence, "; ") + 1
			for _, and := range []string{" and ", " und ", " и ", "和", " & "} {
				if i := strings.LastIndex(sentence, and); i >= 0 && !strings.HasSuffix(sentence[:i], ",") {
					n++
					break
				}
			}
			c.lists = append(c.lists, n)
		}
	}
	c.lists = append(c.lists, bullets)
	return c.lists
}

// series is numbers that belong together: of one column, of one unit, or of one line.
type series struct {
	vals  []number
	total float64
}

// follows reports whether a number follows from others of the sources.
func (c *checker) follows(a number) bool {
	if a.unit.dim == percent {
		return c.isPercentage(a)
	}
	if a.unit.dim == duration && c.isTimeBetween(a) {
		return true
	}
	if a.unit.dim == noDimension && a.dec == 0 && a.val < 200 && c.isYearsBetween(a) {
		return true
	}
	little := a.dec == 0 && a.val < 100 // of little numbers there is always a sum that fits
	match := func(v float64, u unit, noun string) bool { return c.matches(a, v, u, noun) }
	if a.unit.dim == data {
		for i := range c.table.nums {
			if n := &c.table.nums[i]; n.val >= 1000 && n.unit.dim == noDimension && match(n.val, unit{}, "") {
				return true
			}
		}
	}
	for _, s := range c.series() {
		n := s.vals
		u, noun := n[0].unit, n[0].noun
		if match(s.total, u, noun) || match(s.total/float64(len(n)), u, noun) {
			return true
		}
		if len(n) <= maxTogether {
			for i := range n {
				sum := n[i].val
				for j := i + 1; j < len(n); j++ {
					sum += n[j].val
					if match(n[i].val-n[j].val, u, noun) || match(n[i].val+n[j].val, u, noun) || match(sum, u, noun) ||
						match(sum/float64(j-i+1), u, noun) || !little && match(s.total-n[i].val-n[j].val, u, noun) {
						return true
					}
				}
				if match(s.total-n[i].val, u, noun) || !little && match(s.total-2*n[i].val, u, noun) {
					return true
				}
			}
		}
		if len(n) > 2 && len(n) <= 8 && c.anySum(a, n) {
			return true
		}
		if c.isSumOfGroup(a, n) {
			return true
		}
		if c.isRatio(a, n) {
			return true
		}
	}
	return c.isMultiple(a) || c.isProduct(a)
}

// followsFromStated reports whether a number follows from numbers that the answer states and the sources support: it is one
// of them in another unit, a multiple, or a sum, difference, product, ratio or percentage of some.
func (c *checker) followsFromStated(a number) bool {
	fits := func(v float64, u unit) bool {
		for _, w := range convert(v, u, a.unit) {
			if a.near(w) || !sameUnit(u, a.unit) && u.dim == a.unit.dim && a.val >= 10 && math.Abs(w-a.val) <= 0.5 {
				return true
			}
		}
		return false
	}
	b := c.stated
	if len(b) > maxStated {
		b = b[:maxStated]
	}
	few := b[:min(len(b), 8)]
	for i, x := range b {
		if a.unit.dim != noDimension && a.unit.dim == x.unit.dim && !sameUnit(a.unit, x.unit) && fits(x.val, x.unit) {
			return true
		}
		for _, k := range c.factors() {
			if k != a.val && k != x.val && (a.unit.dim == x.unit.dim || x.val >= 20) && (fits(x.val*k, x.unit) || fits(x.val/k, x.unit)) {
				return true
			}
		}
		for j, y := range b {
			if i == j || y.val == 0 || x.val == 0 {
				continue
			}
			switch {
			case a.unit.dim == duration && x.unit.dim != duration && y.unit.dim != duration:
				if q := x.val / y.val; q > 1 && (a.near(q) || a.near(q/60) || a.near(q/3600)) {
					return true
				}
			case a.unit.dim == percent:
				if x.val < y.val && a.near(100*x.val/y.val) || a.near(100*(x.val-y.val)/y.val) {
					return true
				}
			case x.unit.dim != noDimension && y.unit.dim != noDimension && x.unit.dim != y.unit.dim:
				if q := x.val / y.val; a.near(q) || a.near(q*100) || a.near(q/60) || fits(x.val*y.val, x.unit) {
					return true
				}
			default:
				for _, w := range convert(y.val, y.unit, x.unit) {
					if i < j && fits(x.val+w, x.unit) || fits(x.val-w, x.unit) || fits((x.val+w)/2, x.unit) {
						return true
					}
				}
				named := x.unit.dim != noDimension || y.unit.dim != noDimension || x.dec > 0 || y.dec > 0
				if (x.val > 2 && y.val > 2) && (named && fits(x.val*y.val, x.unit) || a.near(x.val/y.val) && (a.dec > 0 || a.approx || x.val == a.val*y.val)) {
					return true
				}
			}
		}
		if a.val >= 100 || a.dec > 0 {
			for _, s := range c.series() {
				for _, sum := range c.sumsOfGroups(s.vals) {
					if a.near(x.val-sum) || a.near(x.val+sum) {
						return true
					}
				}
			}
		}
	}
	for set := 1; set < 1<<len(few); set++ {
		sum := 0.0
		for i, x := range few {
			if set>>i&1 == 1 && (x.dec == a.dec || a.unit.dim == duration) && (x.unit.dim == noDimension) == (a.unit.dim == noDimension) {
				if v := convert(x.val, x.unit, a.unit); len(v) > 0 {
					sum += v[0]
				}
			}
		}
		if sum > 0 && a.near(sum) {
			return true
		}
	}
	return false
}

// maxStated is of how many numbers of an answer pairs are tried.
const maxStated = 24

// matches reports whether a number of the answer is a value with a unit of the sources.
func (c *checker) matches(a number, v float64, u unit, noun string) bool {
	if a.unit.dim == noDimension {
		if u.dim == noDimension && noun != "" && a.noun != noun && a.dec == 0 && a.val < 100 {
			return false // apples are not counted in pears
		}
		return a.near(v)
	}
	if u.dim == noDimension {
		if noun != "" && a.dec == 0 && a.val < 1000 {
			return false
		}
		if a.near(v) {
			return true
		}
		for _, other := range c.unitsOf(a.unit.dim) {
			for _, w := range convert(v, other, a.unit) {
				if a.near(w) {
					return true
				}
			}
		}
		return false
	}
	for _, w := range convert(v, u, a.unit) {
		if a.near(w) {
			return true
		}
	}
	return false
}

// unitsOf are the units of a dimension that the sources or the answer name.
func (c *checker) unitsOf(d dimension) []unit {
	if all, ok := c.units[d]; ok {
		return all
	}
	if c.units == nil {
		c.units = map[dimension][]unit{}
		bytes, _ := unitOf("bytes") // few programs say that their sizes are in these
		c.units[data] = append(c.units[data], bytes)
		if strings.Contains(c.all, "1k-blocks") {
			kib, _ := unitOf("kib")
			c.units[data] = append(c.units[data], kib)
		}
		for _, w := range words(c.all[:min(len(c.all), maxSource)] + " " + c.low) {
			if u, ok := unitOf(w); ok && !slices.Contains(c.units[u.dim], u) {
				c.units[u.dim] = append(c.units[u.dim], u)
			}
		}
	}
	return c.units[d]
}

// series returns the series of the results, the shortest first.
func (c *checker) series() []series {
	if c.grouped != nil {
		return c.grouped
	}
	type key struct {
		kind, at int
		count    int
		unit     unit
		noun     string
	}
	by := map[key][]number{}
	var order []key
	put := func(k key, n number) {
		if _, ok := by[k]; !ok {
			order = append(order, k)
		}
		by[k] = append(by[k], n)
	}
	last := map[int]number{}
	var lineOrder []int
	inLine := map[int]int{}
	for _, n := range c.table.nums {
		if n.col >= 0 {
			inLine[n.line] = max(inLine[n.line], n.col+1)
		}
	}
	for _, n := range c.table.nums {
		if n.part || !n.own || n.word && n.unit.dim == noDimension || n.unit.dim == percent {
			continue
		}
		if n.col >= 0 {
			put(key{kind: 1, at: n.col, count: inLine[n.line], unit: n.unit, noun: n.noun}, n)
			if _, ok := last[n.line]; !ok {
				lineOrder = append(lineOrder, n.line)
			}
			last[n.line] = n
		}
		switch {
		case n.unit.dim != noDimension:
			put(key{kind: 2, unit: unit{dim: n.unit.dim, factor: n.unit.factor, base: n.unit.base}}, n)
		case n.noun != "":
			put(key{kind: 3, noun: n.noun}, n)
		}
		if n.col >= 0 && inLine[n.line] <= 8 && n.val >= 20 {
			put(key{kind: 4, at: n.line, unit: n.unit, noun: n.noun}, n)
		}
	}
	for _, line := range lineOrder {
		n := last[line]
		put(key{kind: 5, unit: n.unit, noun: n.noun}, n)
	}
	c.grouped = []series{}
	for _, k := range order {
		n := by[k]
		if len(n) < 2 || len(c.grouped) == maxSeries {
			continue
		}
		s := series{vals: n}
		rows, years := true, true // they number the rows
		for i, v := range n {
			s.total += v.val
			years = years && isYear(v)
			rows = rows && v.val == n[0].val+float64(i)
		}
		if rows || years {
			continue
		}
		c.grouped = append(c.grouped, s)
	}
	slices.SortStableFunc(c.grouped, func(a, b series) int { return cmp.Compare(len(a.vals), len(b.vals)) })
	return c.grouped
}

// isYear reports whether a number may be a year.
func isYear(n number) bool {
	return n.dec == 0 && n.val >= 1500 && n.val <= 2200 && n.unit.dim == noDimension
}

// anySum reports whether a is the sum of some of a few numbers.
func (c *checker) anySum(a number, n []number) bool {
	if a.dec == 0 && a.val < 100 { // of small numbers there is always a sum that fits
		return false
	}
	for set := 1; set < 1<<len(n); set++ {
		sum := 0.0
		for i := range n {
			if set>>i&1 == 1 {
				sum += n[i].val
			}
		}
		if c.matches(a, sum, n[0].unit, n[0].noun) {
			return true
		}
	}
	return false
}

// isSumOfGroup reports whether a is the sum or the mean of the numbers in the lines with one word.
func (c *checker) isSumOfGroup(a number, n []number) bool {
	if len(n) < 3 || len(n) > maxSeries {
		return false
	}
	for _, v := range c.sumsOfGroups(n) {
		if c.matches(a, v, n[0].unit, n[0].noun) {
			return true
		}
	}
	return false
}

// sumsOfGroups are the sums and means of the numbers in the lines with one word.
func (c *checker) sumsOfGroups(n []number) []float64 {
	lines := c.sourceLines()
	sums, counts := map[string]float64{}, map[string]int{}
	for _, v := range n {
		if v.line >= len(lines) {
			continue
		}
		seen := map[string]bool{}
		for _, w := range strings.FieldsFunc(lines[v.line], isBetween) {
			if !seen[w] {
				seen[w] = true
				sums[w] += v.val
				counts[w]++
			}
		}
	}
	var out []float64
	for w, sum := range sums {
		if counts[w] > 1 {
			out = append(out, sum, sum/float64(counts[w]))
		}
	}
	return out
}

func (c *checker) sourceLines() []string {
	if c.split == nil {
		c.split = strings.Split(c.table.text, "\n")
	}
	return c.split
}

// isRatio reports whether a is the ratio of two numbers that belong together.
func (c *checker) isRatio(a number, n []number) bool {
	if len(n) > maxTogether || a.unit.dim != noDimension || a.dec == 0 && !a.approx && !c.speaksOf(timesWords) {
		return false
	}
	for i := range n {
		for j := range n {
			if i != j && n[j].val != 0 && n[i].val > n[j].val && a.near(n[i].val/n[j].val) {
				return true
			}
		}
	}
	return false
}

// Words of the answer that say how it calculates.
const (
	timesWords  = "times |-fold|mal so|fach |раз |раза |倍|× "
	doubleWords = "double|twice|doppel|zweimal|beide|двоих|вдвое|двух|两倍|both"
	threeWords  = "triple|three ways|dreimal|dreifach|троих|三倍|three people|zu dritt|на троих|three of"
	nextWords   = "tomorrow|yesterday|next day|day before|morgen|gestern|nächsten tag|vortag|завтра|вчера|следующий день|накануне|明天|昨天|第二天|前一天"
	perWords    = " per |/| a | pro | je | за | на |每| each"
	halfWords   = "half|halb|hälfte|half|полови|пополам|一半|split|teil|share|jede|каждо|each|平分|每人"
)

// speaksOf reports whether the answer has one of some words.
func (c *checker) speaksOf(all string) bool {
	for w := range strings.SplitSeq(all, "|") {
		if strings.Contains(c.low, w) {
			return true
		}
	}
	return false
}

// factors are the small numbers by which the answer may multiply or divide: those of the sources other than results, those
// of words such as double, and how many times more of a thing it speaks of than the results.
func (c *checker) factors() []float64 {
	if c.times != nil {
		return c.times
	}
	c.times = []float64{}
	add := func(v float64) {
		if v >= 2 && v <= 400 && v == math.Trunc(v) && !slices.Contains(c.times, v) && len(c.times) < 24 {
			c.times = append(c.times, v)
		}
	}
	for _, n := range c.table.nums {
		if !n.own && !n.part || n.noun == "time" || n.noun == "mal" {
			add(n.val)
		}
	}
	for _, it := range c.items() {
		if it.kind != quantity || it.readings[0].noun == "" {
			continue
		}
		a := it.readings[0]
		if c.speaksOf(timesWords) && a.noun == "time" {
			add(a.val)
		}
		for _, n := range c.table.nums {
			if n.noun == a.noun && n.val > 0 && !n.part {
				add(a.val / n.val)
			}
		}
	}
	if c.speaksOf(doubleWords) || c.speaksOf(halfWords) {
		add(2)
	}
	if c.speaksOf(threeWords) {
		add(3)
	}
	return c.times
}

// isMultiple reports whether a is a number or a total of the sources times or by one that the answer names.
func (c *checker) isMultiple(a number) bool {
	if a.dec == 0 && a.val < 20 && a.unit.dim == noDimension {
		return false
	}
	for _, k := range c.factors() {
		if k == a.val {
			continue
		}
		for i := range c.table.nums {
			n := &c.table.nums[i]
			if n.part || n.word {
				continue
			}
			if i > maxSeries {
				break
			}
			if c.matches(a, n.val*k, n.unit, n.noun) || c.matches(a, n.val/k, n.unit, n.noun) {
				return true
			}
		}
		for _, s := range c.series() {
			if c.matches(a, s.total/k, s.vals[0].unit, "") || c.matches(a, s.total*k, s.vals[0].unit, "") {
				return true
			}
		}
	}
	return false
}

// isProduct reports whether a is a product or quotient of numbers of one line, a total of such products, or, where the
// sources have few numbers, a product of any two.
func (c *checker) isProduct(a number) bool {
	all := c.table.nums
	hundred := strings.Contains(c.low, "100")
	pair := func(x, y *number) bool {
		if x.unit.dim != noDimension && x.unit.dim == y.unit.dim && x.unit.dim != length {
			return false
		}
		return c.matches(a, x.val*y.val, y.unit, "") || c.matches(a, x.val*y.val, x.unit, "")
	}
	first := map[int][]*number{} // by line
	var lines []int
	few := 0
	for i := range all {
		n := &all[i]
		if n.part || n.unit.dim == percent || n.word && a.val < 20 {
			continue
		}
		few++
		if _, ok := first[n.line]; !ok {
			lines = append(lines, n.line)
		}
		first[n.line] = append(first[n.line], n)
	}
	sums := map[[2]int]float64{}
	for _, l := range lines {
		n := first[l]
		for i := range n {
			for j := i + 1; j < len(n) && j < 8; j++ {
				if pair(n[i], n[j]) {
					return true
				}
				if n[i].val != 0 && n[j].val != 0 && hundred && (a.near(100*n[j].val/n[i].val) || a.near(100*n[i].val/n[j].val)) {
					return true
				}
				if n[i].val != 0 && n[j].val != 0 && (n[i].unit.dim == noDimension || n[i].unit.dim != n[j].unit.dim) && (c.matches(a, n[i].val/n[j].val, n[i].unit, "") || c.matches(a, n[j].val/n[i].val, n[j].unit, "")) {
					return true
				}
				if i < 8 && len(lines) > 1 {
					sums[[2]int{i, j}] += n[i].val * n[j].val
				}
			}
		}
	}
	for _, sum := range sums {
		if a.near(sum) && (a.val >= 20 || a.dec > 0) {
			return true
		}
	}
	// A total over lines of which some have a count and others not.
	mixed := 0.0
	for _, l := range lines {
		n := first[l]
		switch {
		case len(n) == 1:
			mixed += n[0].val
		case len(n) > 1 && n[len(n)-1].dec > 0 && n[0].dec == 0 && n[len(n)-1].noun == "each":
			mixed += n[0].val * n[len(n)-1].val
		default:
			mixed += n[len(n)-1].val
		}
	}
	if (a.dec > 0 || a.approx) && a.near(mixed) {
		return true
	}
	named := func(n *number) bool { return !n.part && (n.unit.dim != noDimension || n.noun != "") }
	if few <= maxPairs && a.unit.dim != noDimension && c.speaksOf(perWords) {
		for i := range all {
			for j := range all {
				if x, y := &all[i], &all[j]; named(x) && named(y) && sameUnit(x.unit, a.unit) && y.val > 1 && !sameUnit(x.unit, y.unit) && a.near(x.val/y.val) {
					return true
				}
			}
		}
	}
	if few > maxPairs || a.val < 100 && a.dec == 0 {
		return false
	}
	for i := range all {
		for j := i + 1; j < len(all); j++ {
			if named(&all[i]) && named(&all[j]) && pair(&all[i], &all[j]) {
				return true
			}
		}
	}
	return false
}

// isPercentage reports whether a is a share or a change in percent.
func (c *checker) isPercentage(a number) bool {
	for _, n := range c.table.nums {
		if n.unit.dim == percent && !n.part && (a.near(n.val) || a.near(100-n.val)) {
			return true
		}
	}
	shares := 0
	for _, n := range c.table.nums {
		if n.unit.dim == percent && n.own && !n.part {
			shares++
		}
	}
	if shares > 1 { // they say it themselves
		return false
	}
	lines := c.sourceLines()
	for _, y := range c.table.nums { // a share of what is called a total
		if y.part || !y.own || y.val == 0 || y.line >= len(lines) || !isTotal(lines[y.line]) {
			continue
		}
		for _, x := range c.table.nums[:min(len(c.table.nums), maxSeries)] {
			if x.own && !x.part && x.val < y.val && a.near(100*x.val/y.val) {
				return true
			}
		}
	}
	for _, text := range c.results {
		lines := strings.Count(strings.TrimSpace(text), "\n") + 1
		for _, all := range []int{lines, lines - 1} {
			if all < 2 || all > 12 {
				continue
			}
			for k := 1; k < all; k++ {
				if a.near(100 * float64(k) / float64(all)) {
					return true
				}
			}
		}
	}
	for _, s := range c.series() {
		if len(s.vals) > maxTogether {
			continue
		}
		for i, x := range s.vals {
			if s.total != 0 && a.near(100*x.val/s.total) {
				return true
			}
			for j, y := range s.vals {
				if i != j && y.val != 0 && (x.val < y.val && a.near(100*x.val/y.val) || a.near(100*(x.val-y.val)/y.val)) {
					return true
				}
			}
		}
	}
	return false
}

// isTotal reports whether a line of the sources is a total.
func isTotal(line string) bool {
	for _, w := range []string{"total", "sum", "gesamt", "summe", "итог", "всего", "合计", "总"} {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

// isTimeBetween reports whether a length of time lies between two dates or times of day, or follows from durations.
func (c *checker) isTimeBetween(a number) bool {
	seconds := a.unit.factor
	hours := c.speaksOf("hour|stunde|час|小时") // and 40 minutes
	sixty := func(v float64) bool {           // v is in minutes, or in seconds
		for _, s := range []float64{v * 60, v} {
			whole := s / seconds
			if a.near(whole) || a.near(math.Floor(whole)) && a.val > 0 || hours && seconds == 60 && a.near(math.Mod(math.Floor(whole), 60)) && a.val > 0 {
				return true
			}
		}
		return false
	}
	clocks := c.table.clocks[:min(len(c.table.clocks), maxTogether)]
	total := 0.0
	for i, x := range clocks {
		total += x
		if a.unit.factor < 86400 && sixty(x) {
			return true
		}
		for _, y := range clocks[i+1:] {
			if a.unit.factor < 86400 && (sixty(math.Abs(y-x)) || sixty(1440-math.Abs(y-x)) && (!hours || a.val >= 60) || sixty(x+y) && max(x, y) < 600) {
				return true
			}
		}
	}
	if len(clocks) > 1 && (sixty(total) || sixty(total/float64(len(clocks)))) {
		return true
	}
	dates := c.table.dates[:min(len(c.table.dates), maxTogether)]
	if a.unit.factor >= 86400 {
		for i, x := range dates {
			for _, y := range append(slices.Clone(dates[i+1:]), c.answerDates()...) {
				days := math.Abs(float64(x.ordinal() - y.ordinal()))
				if seconds > 20*86400 { // months, years
					if math.Abs(days*86400/seconds-a.val) < 0.07 || a.approx && math.Abs(days*86400/seconds-a.val) < 0.6 {
						return true
					}
					continue
				}
				for _, d := range []float64{days - 1, days, days + 1} { // from 3 to 5 May are two days, or three, and one lies between
					if d >= 0 && (a.near(d*86400/seconds) || a.val > 0 && a.val == math.Floor(d*86400/seconds)) {
						return true
					}
				}
			}
		}
	}
	if a.unit.factor > 300*86400 {
		return c.isYearsBetween(a)
	}
	return false
}

// isYearsBetween reports whether so many years lie between two years of the sources.
func (c *checker) isYearsBetween(a number) bool {
	var years []float64
	for _, n := range c.table.nums {
		if isYear(n) && !slices.Contains(years, n.val) && len(years) < maxTogether {
			years = append(years, n.val)
		}
	}
	if a.unit.dim == noDimension && a.noun != "" && !strings.HasPrefix("alt|old|лет|years|jahre|birthd|geburt", a.noun) {
		return false
	}
	for i, x := range years {
		for _, y := range years[i+1:] {
			if d := math.Abs(x - y); a.val == d || a.val == d-1 {
				return true
			}
		}
	}
	return false
}

// answerDates are the dates of the answer that the sources have.
func (c *checker) answerDates() []day {
	var all []day
	for _, it := range c.items() {
		if it.kind == date && c.hasDate(it.date) {
			all = append(all, it.date)
		}
	}
	return all
}

// hasDate reports whether the sources have a date, or it is so many days from one as they say.
func (c *checker) hasDate(d day) bool {
	same := func(x day) bool {
		return x.month == d.month && (x.day == d.day || x.day == 0 || d.day == 0) && (x.year == d.year || x.year == 0 || d.year == 0)
	}
	if slices.ContainsFunc(c.table.dates, same) {
		return true
	}
	for _, x := range c.table.dates[:min(len(c.table.dates), maxTogether)] {
		if d.day == 0 {
			continue
		}
		y := d
		if y.year == 0 {
			y.year = x.year
		}
		if x.year == 0 {
			x.year = y.year
		}
		off := float64(y.ordinal() - x.ordinal())
		if (off == 1 || off == -1) && c.speaksOf(nextWords) {
			return true
		}
		for i := range c.table.nums {
			if n := &c.table.nums[i]; !n.part && n.unit.dim == duration && (n.val*n.unit.factor == math.Abs(off)*86400 || n.unit.factor > 2e6 && n.val*12 > 0 && sameDayOfMonth(x, y, n)) {
				return true
			}
		}
	}
	return false
}

// sameDayOfMonth reports whether two dates lie so many months or years from each other.
func sameDayOfMonth(a, b day, n *number) bool {
	months := (b.year-a.year)*12 + b.month - a.month
	want := int(n.val)
	if n.unit.factor > 2e7 {
		want *= 12
	}
	return (a.day == b.day || b.day >= 28 || b.day == 1) && (months == want || months == -want)
}

// hasClock reports whether the sources have a time of day or a duration, or it follows from them. between: it may be the time
// between two others.
func (c *checker) hasClock(v float64, between bool) bool {
	clocks := c.table.clocks[:min(len(c.table.clocks), maxTogether)]
	close := func(x float64) bool { return math.Abs(x-v) < 1 }
	for i, x := range clocks {
		if close(x) || close(x+720) || close(x-720) || math.Floor(x) == v {
			return true
		}
		for _, y := range clocks[i+1:] {
			if d := math.Abs(x - y); between && (close(d) || close(1440-d) || close(x+y)) {
				return true
			}
		}
		for _, n := range c.table.nums {
			if n.part || n.val == 0 {
				continue
			}
			if n.unit.dim == duration && n.unit.factor >= 60 && n.unit.factor <= 3600 && (close(math.Mod(x+n.val*n.unit.factor/60, 1440)) || close(x-n.val*n.unit.factor/60)) {
				return true
			}
			if n.unit.dim != duration && n.dec > 0 && close(x/n.val) { // a pace
				return true
			}
		}
	}
	total := 0.0
	for _, x := range clocks {
		total += x
	}
	if between && len(clocks) > 1 && (close(total) || close(total/float64(len(clocks)))) {
		return true
	}
	h, m := math.Floor(v/60), math.Mod(v, 60)
	for i := range c.table.nums { // 5 pm, or 90 minutes as 1:30
		n := &c.table.nums[i]
		if n.unit.dim == duration && (n.val*n.unit.factor == v*60 || n.val*n.unit.factor == v) {
			return true
		}
		if m == 0 && n.val <= 24 && n.dec == 0 && n.unit.dim == noDimension && (n.val == h || (n.val == h-12 || n.val == h+12) && clockWord(n.noun)) {
			return true
		}
	}
	return false
}

// clockWord reports whether a word behind a number makes it an hour of the day.
func clockWord(w string) bool {
	switch w {
	case "uhr", "am", "pm", "a", "p", "o", "утра", "вечера", "дня", "ночи", "abends", "morgens", "点", "时":
		return true
	}
	return false
}
