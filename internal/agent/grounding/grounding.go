// Package grounding finds what an answer says and its sources do not: numbers, names and paths that stand in no result of
// a tool and in no message, and do not follow from one. It asks no model.
//
// A number follows from others when it counts lines or items, is a sum, difference, mean, product, ratio or percentage of
// numbers that belong together (of one column, one line or one unit), the sum of so many of some, the same quantity in another unit, the
// time between two dates or times of day, or one of these rounded, and where the answer itself writes down how it is calculated. Numbers may be digits or words of English, German, Russian or Chinese. A
// name may stand in another case or number than in the source, or in another script.
//
// There are more ways to calculate than can be tried, with many numbers one of their sums always fits, and answers also say what
// everybody knows and what may be done. So what stands nowhere is not reported for that alone: signs for and against its being
// invented are weighed, with weights that were fitted to labelled answers (see evidence.go). The labels are in testdata: to mend
// the check, add a file of answers there, fit the weights anew, and only then think of another sign.
//
// Labels, code in fences, abbreviations, and words that may be plain nouns are left alone. An answer without findings may still be
// wrong. The work is bounded: what would take more than [maxSteps] to refute is believed.
package grounding

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sources are the texts that an answer may rest on.
type Sources struct {
	Results  []string // of tools
	Question string   // the message that is answered
	Others   []string // other messages, arguments of calls, names of files
}

// Bounds of a check.
const (
	maxSources  = 1 << 20  // bytes; with more nothing is checked
	maxAnswer   = 32 << 10 // bytes; the rest is not checked
	maxFindings = 6
	maxSteps    = 16 << 20 // bytes of the sources that are searched; what is calculated counts, too
)

// Check returns the numbers, names and paths of an answer that its sources do not support, in their order and as the answer
// writes them. It returns none where the answer is not about the results: it shares nothing with them that the other
// sources do not have.
func Check(answer string, s Sources) []string {
	c := newChecker(answer, s)
	if c == nil || c.own < leastResult {
		return nil
	}
	return c.check()
}

// checker is one check.
type checker struct {
	lexicon
	*sources
	answer      string
	lower       string // answer in lower case
	answerWords map[string]bool
	answerStems map[string]bool // and of the question
	results     []string
	german      bool
	scripts     map[*unicode.RangeTable]bool // that the results are written in
	asks        int                          // where the question ends in the sources
	afternoon   bool                         // the sources have a word such as pm
	foreign     bool                         // the answer is in a script other than Latin
	translated  bool                         // or has few words of the sources
	follow      int                          // claims that follow from the sources
	unknown     int                          // claims that neither stand in them nor follow
	known       int                          // claims that stand in them
	stems       map[string]bool              // of the sources' words
	claims      []claim
	open        []claim // numbers that are looked for, in each of their readings
	of          []int   // of open: the index in claims
	steps       int

	// Read when they are needed.
	counts   map[int]bool
	cyrillic map[string]bool
	english  map[string]bool
	squeezed string
	short    []string // see shorts
	grouped  []series
	percents int // of the results
	times    []float64
	single   []mark // see singleLengths
	named    map[string][]*unit
	keyed    map[string][]float64 // numbers of the sources, by the stems of the words before and behind them
	found    []place
	inLines  map[string]int // how many lines of the sources have a word
}

func newChecker(answer string, s Sources) *checker {
	size := 0
	for _, text := range slices.Concat(s.Results, s.Others, []string{s.Question}) {
		size += len(text) + 1
	}
	if size > maxSources {
		return nil
	}
	answer = strings.ToValidUTF8(answer[:min(len(answer), maxAnswer)], "")
	results := strings.ToValidUTF8(strings.Join(append(slices.Clone(s.Results), ""), "\n"), "?")
	results = strings.NewReplacer("},{", "},\n{", "}, {", "},\n{", ":{", ":\n{", ": {", ":\n{").Replace(results) // JSON on one line
	question := strings.ToValidUTF8(s.Question, "?") + "\n"
	others := question + strings.ToValidUTF8(strings.Join(s.Others, "\n")+"\n", "?")
	c := &checker{lexicon: theWords(), answer: stripFences(answer), results: s.Results}
	c.lower = lowered(c.answer)
	c.answerWords, c.answerStems = map[string]bool{}, map[string]bool{}
	isGap := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for w := range strings.FieldsFuncSeq(c.lower, isGap) {
		c.answerWords[w], c.answerStems[stem(w)] = true, true
	}
	for w := range strings.FieldsFuncSeq(lowered(question), isGap) {
		c.answerStems[stem(w)] = true
	}
	c.sources = c.readSources(results+others, len(results))
	c.asks = len(results) + len(question)
	c.afternoon = c.in("afternoon", c.low)
	for _, text := range []string{c.lower, others, results} {
		if de, en := c.count("german", text), c.count("english", text); de != en {
			c.german = de > en
			break
		}
	}
	latin, other := 0, 0
	for _, r := range c.answer {
		switch {
		case isHan(r):
			other += 3 // a character is half a word
		case r >= 0x400 && unicode.IsLetter(r):
			other++
		case r < 0x250 && unicode.IsLetter(r):
			latin++
		}
	}
	c.foreign = other > latin
	c.scripts = scriptsOf(results)
	c.stems = c.stemsOf(c.low)
	c.translated = c.isTranslated()
	return c
}

// scriptsOf are the scripts that a text is written in, each with a tenth of its letters.
func scriptsOf(text string) map[*unicode.RangeTable]bool {
	all, of := 0, map[*unicode.RangeTable]int{}
	for _, r := range head(text, maxSources) {
		if t := scriptOf(r); t != nil {
			all++
			of[t]++
		}
	}
	scripts := map[*unicode.RangeTable]bool{}
	for t, n := range of {
		scripts[t] = n*10 >= all
	}
	return scripts
}

// scriptOf is the script of a letter, nil of what is none.
func scriptOf(r rune) *unicode.RangeTable {
	if r < utf8.RuneSelf {
		if isLetter(r) {
			return unicode.Latin
		}
		return nil
	}
	for _, t := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Han} {
		if unicode.Is(t, r) {
			return t
		}
	}
	return nil
}

// maxCounted is how many bytes of a text tell its language.
const maxCounted = 4 << 10

// count is how many words of the beginning of a text are of a class. A letter that English has not makes a word German.
func (c *checker) count(class, text string) int {
	n := 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(text[:min(len(text), maxCounted)]), func(r rune) bool { return !isLetter(r) }) {
		if c.is(class, w) || class == "german" && strings.ContainsAny(w, "äöüß") {
			n++
		}
	}
	return n
}

// read reads the claims of the answer, and finds those that the sources have and those that follow from them.
func (c *checker) read() {
	lines := append(strings.Split(c.answer, "\n"), "")
	for i, line := range lines[:len(lines)-1] {
		c.claimsOf(line, strings.TrimSpace(lines[i+1]))
	}
	for i := range c.claims {
		c.claims[i].stands = c.supports(&c.claims[i])
		c.claims[i].ok = c.claims[i].stands
	}
	c.equations()
	c.search()
	for _, x := range c.claims {
		if x.stands {
			c.known++
		}
		if x.ok && !x.stands {
			c.follow++
		} else if !x.ok && !x.sentence.aside {
			c.unknown++
		}
	}
}

func (c *checker) check() []string {
	c.read()
	var out []string
	rests := false
	weights := readWeights(weightFile)
	for i := range c.claims {
		x := &c.claims[i]
		rests = rests || x.ok && !x.sentence.aside && (x.kind != quantity || x.val > 2)
		if c.isReported(x, weights) && !slices.Contains(out, x.text) && len(out) < maxFindings {
			out = append(out, x.text)
		}
	}
	if !rests && !c.isAbout() {
		return nil
	}
	return out
}

// leastResult is how many bytes results have that an answer may be about, and longAnswer how many longer words an answer
// that may be about something else.
const (
	leastResult = 24
	longAnswer  = 20
)

// isAbout reports whether the answer is about the results: it is short, or of its longer words every eighth stands in the
// sources.
func (c *checker) isAbout() bool {
	all, shared := 0, 0
	for w := range strings.FieldsFuncSeq(c.lower, func(r rune) bool { return !isLetter(r) }) {
		if utf8.RuneCountInString(w) < 4 {
			continue
		}
		all++
		if c.hasWord(w) {
			shared++
		}
	}
	return all < longAnswer || shared*8 >= all
}

// stripFences returns a text without its fenced code.
func stripFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	var out []string
	inside := false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
		} else if !inside {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// pay counts a search of the sources; it is false when no more may be searched.
func (c *checker) pay() bool {
	if c.steps > maxSteps {
		return false
	}
	c.steps += len(c.low)
	return true
}

// contains reports whether the sources have a text in lower case. A text that may not be searched for is there.
func (c *checker) contains(low string) bool {
	return c.words[low] || !c.pay() || strings.Contains(c.low, low)
}

// behind is what stands behind the first place that has a text as it is written.
func (c *checker) behind(text string) string {
	if !c.pay() {
		return ""
	}
	_, behind, _ := strings.Cut(c.original, text)
	return behind
}

// supports reports whether the sources have a claim. Of numbers that they lack it may still be found that they follow.
func (c *checker) supports(x *claim) bool {
	if c.steps > maxSteps {
		return true
	}
	c.steps += len(c.dates) * offerCost
	switch x.kind {
	case identifier:
		return c.hasIdentifier(x.text)
	case name:
		return c.hasName(x.text)
	case telephone:
		return c.hasTelephone(onlyDigits(x.text))
	case weekday:
		return c.isWeekday(x)
	case clock:
		return c.hasClock(x.minutes)
	case date:
		return c.hasDate(x.date)
	case quantity:
		isOther := x.labelled != "" && c.labels(x) || x.val > 2 && x.little() && len(x.noun) > 3 && c.contradicts(x.number) || c.inOtherUnit(x.number)
		return !isOther && (c.stands(x) || !x.label && c.isCount(x.number))
	}
	return true
}

// labels reports whether the sources give numbers of the kind that a claim names, such as platforms, and not this one.
func (c *checker) labels(x *claim) bool {
	others := false
	return !c.places(x.labelled, func(_, behind string) bool {
		behind = strings.TrimLeft(head(behind, maxWord), " \":#=.№")
		v, n := digits(behind, 1, 9)
		others = others || n > 0
		return n > 0 && float64(v) == x.val
	}) && others
}

// stands reports whether the number of a claim stands in the sources with a unit that does not contradict.
func (c *checker) stands(x *claim) bool {
	isPlain := x.unit == nil
	switch {
	case x.minus:
		return c.hasNegative(x.number)
	case x.dec == 0 && x.val >= 1e5 && isPlain && c.hasSqueezed(onlyDigits(x.text)), // a part of a telephone number
		x.dec > 0 && isPlain && c.contains(x.text+"."),              // 6.1 of 6.1.119
		strings.Contains(x.text, ",") && c.contains(" "+x.text+" "), // in a line whose commas part its words, too
		x.hour && c.hasClock(x.val*60),
		x.dayOf && c.hasDayOf(int(x.val)):
		return true
	}
	for d := range c.dates {
		if x.dec == 2 && isPlain && x.val == float64(100*d.day+d.month)/100 { // 28.11
			return true
		}
	}
	for _, v := range []float64{x.val, x.alt} {
		for _, i := range c.same[v] {
			n := &c.figures[i]
			isApart := n.part && !isPlain && !x.is("percent") && !x.is("time") && v < 1000
			isAlike := isPlain || n.unit == nil || sameUnit(x.unit, n.unit)
			if !isApart && isAlike && (v > 0 || x.val == 0) {
				if v != x.val {
					x.val, x.dec = v, 0
				}
				return true
			}
		}
	}
	return false
}

// hasNegative reports whether the sources have a number with a sign before it.
func (c *checker) hasNegative(n number) bool {
	digits := strconv.FormatFloat(n.val, 'f', n.dec, 64)
	return slices.ContainsFunc([]string{"-", "−", "minus "}, func(sign string) bool {
		return strings.Contains(c.low, sign+digits) || strings.Contains(c.low, sign+strings.Replace(digits, ".", ",", 1))
	})
}

// hasDayOf reports whether a date of the sources is on that day of its month, or one of the answer, which is checked itself.
func (c *checker) hasDayOf(d int) bool {
	for x := range c.dates {
		if x.day == d {
			return true
		}
	}
	return slices.ContainsFunc(c.claims, func(y claim) bool { return y.kind == date && y.date.day == d })
}

// inOtherUnit reports whether the results have a number only in another unit of what it measures: 9 m/s for 9 km/h. Lengths of time
// are seldom mistaken so, and often 6 of the one and of the other.
func (c *checker) inOtherUnit(n number) bool {
	has := false
	for _, i := range c.same[n.val] {
		f := &c.figures[i]
		if sameUnit(f.unit, n.unit) {
			return false
		}
		has = has || f.own && !f.part && sameDimension(f.unit, n.unit)
	}
	return has && n.unit.dim != "time"
}

// contradicts reports whether the sources have another number beside the noun of a number, and nowhere this one.
func (c *checker) contradicts(n number) bool {
	if c.keyed == nil {
		c.keyed = map[string][]float64{}
		for i := range c.figures[:min(len(c.figures), maxDerived)] {
			f := &c.figures[i]
			for _, w := range []string{stem(keyBefore(c.low[:f.from])), f.noun} {
				if w != "" && !f.part {
					c.keyed[w] = append(c.keyed[w], f.val)
				}
			}
		}
	}
	return len(c.keyed[n.noun]) > 0 && !slices.Contains(c.keyed[n.noun], n.val)
}
