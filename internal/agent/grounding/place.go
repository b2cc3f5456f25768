package grounding

import (
	"slices"
	"strings"
	"unicode"
)

// place is something of the results, and the stems of the words around it.
type place struct {
	mark
	near, line map[string]bool
	stated     bool // the answer has it
}

// Bounds of places.
const (
	maxPlaces = 600
	maxAround = 150 // bytes of a line on each side
	nearWords = 3   // on each side
)

// near are the stems of the words beside a place.
func (c *checker) near(before, behind string) map[string]bool {
	isGap := func(r rune) bool { return !isLetter(r) && !isHan(r) }
	words, next := strings.FieldsFunc(before, isGap), strings.FieldsFunc(head(behind, maxAround), isGap)
	words = append(words[max(0, len(words)-nearWords):], next[:min(len(next), nearWords)]...)
	return c.stemsOf(strings.Join(words, " "))
}

// addPlace adds something of the results.
func (c *checker) addPlace(m mark) {
	if len(c.found) == maxPlaces || !m.own || m.from >= m.to || m.part || m.second {
		return
	}
	before, behind := tail(c.low[:m.from], maxAround), head(c.low[m.to:], maxAround)
	before, behind = before[strings.LastIndexByte(before, '\n')+1:], behind[:strings.IndexByte(behind+"\n", '\n')]
	stated := slices.ContainsFunc(c.claims, func(x claim) bool { return m.has(&x) })
	c.found = append(c.found, place{m, c.near(before, behind), c.stemsOf(before + " " + behind), stated})
}

// has reports whether a claim may be what a place has.
func (m mark) has(x *claim) bool {
	return x.kind == m.kind && (m.kind == quantity && x.nearUnit(m.val, m.unit) || m.kind == date && x.date.same(m.date) ||
		m.kind == clock && (int(x.minutes) == int(m.minutes) || int(x.minutes) == int(m.minutes)+720))
}

// readPlaces reads the numbers, times and dates of the results, and the names and paths that the answer does not have.
func (c *checker) readPlaces() {
	c.found, c.inLines = []place{}, map[string]int{}
	for _, marks := range [][]mark{c.figures, c.rowTimes, c.rowDates} {
		for _, m := range marks {
			c.addPlace(m)
		}
	}
	at := 0
	for token := range strings.FieldsFuncSeq(c.original[:c.own], func(r rune) bool { return strings.ContainsRune(" \t\n\"'`=,;()|<>[]:«»", r) }) {
		from := at + strings.Index(c.original[at:], token)
		at = from + len(token)
		m := mark{kind: name, from: from, to: at, own: true}
		isPath := strings.ContainsAny(token[1:], "/._") && strings.IndexFunc(token, unicode.IsLetter) >= 0
		if isPath {
			m.kind = identifier
		}
		isName := isPath || unicode.IsUpper(firstRune(token)) && strings.IndexFunc(token, unicode.IsLower) > 0
		if len(c.found) < maxPlaces && isName && len(token) > 2 && c.pay() && !strings.Contains(c.lower, lowered(strings.Trim(token, "."))) {
			c.addPlace(m)
		}
	}
	for _, line := range c.lines {
		for w := range c.stemsOf(head(line, 2*maxAround)) {
			c.inLines[w]++
		}
	}
}

// shared is how many words two places share that not every second line of the sources has.
func (c *checker) shared(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] && (len(c.lines) <= 5 || c.inLines[w]*2 <= len(c.lines)) {
			n++
		}
	}
	return n
}

// replaced is what the results have in the place of a claim.
type replaced struct {
	words int  // as many does its place share with the claim's
	form  bool // a number has as many digits and the same unit
	close bool // the claim surely takes its place
}

// replaces looks for what a claim may stand for of the results that the answer does not state.
func (c *checker) replaces(x *claim) (found replaced) {
	if c.steps > maxSteps {
		return found
	}
	if c.found == nil {
		c.readPlaces()
	}
	c.steps += len(c.found) * offerCost
	near, line := c.near(x.before(), x.behind()), c.stemsOf(x.before()+" "+x.behind())
	isStrange := len(near) == 0
	for w := range near {
		isStrange = isStrange || !c.stems[w]
	}
	for i := range c.found {
		p := &c.found[i]
		isNamed := func(k kind) bool { return k == name || k == identifier }
		if p.stated || p.kind != x.kind && !(isNamed(p.kind) && isNamed(x.kind)) || p.unit != nil && x.unit != nil && p.unit.dim != x.unit.dim {
			continue
		}
		form := x.kind == quantity && p.dec == x.dec && sameUnit(p.unit, x.unit) && (x.unit != nil || p.noun == x.noun) && len(p.digits()) == len(x.digits())
		beside, all := c.shared(near, p.near), c.shared(line, p.line)
		found.words = max(found.words, 2*beside+all)
		found.form = found.form || form
		found.close = found.close || form && beside > 0 || !isStrange && all > 0
	}
	return found
}

// before is the sentence of a claim before it, and behind what stands behind it, in lower case.
func (x *claim) before() string { return x.low[min(x.sentence.from, x.from):x.from] }

func (x *claim) behind() string {
	end := min(max(x.to, x.from+len(x.text)), len(x.low))
	return x.low[end:max(end, x.sentence.to)]
}

// clause is the part of the sentence of a claim that no mark such as a comma parts from it.
func (x *claim) clause() string {
	const marks = ",;:–—，；：、()"
	before, behind := x.before(), x.behind()
	if i := strings.IndexAny(behind, marks); i >= 0 {
		behind = behind[:i]
	}
	return spaced(before[strings.LastIndexAny(before, marks)+1:] + " " + behind)
}
