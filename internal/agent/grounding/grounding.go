// Package grounding finds what an answer says and its sources do not: numbers, names and paths that stand in no result of
// a tool and in no message, and do not follow from one. It asks no model.
//
// A number follows from others when it counts lines or items, is a sum, difference, mean, product, ratio or percentage of
// numbers that belong together (of one column, one line or one unit), the same quantity in another unit, the time between
// two dates or times of day, or one of these rounded. Numbers may be digits or words of English, German, Russian or
// Chinese. A name may stand in another case or number than in the source.
//
// What is checked is what is certain enough: code in fences, abbreviations, and words that may be plain nouns are left
// alone. So an answer without findings may still be wrong.
package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sources are the texts that an answer may rest on.
type Sources struct {
	Results []string // of tools
	Others  []string // messages, arguments of calls, names of files
}

// maxSource is how many bytes of sources are read; of more the rest, the oldest, only serves to find what stands there
// word for word.
const maxSource = 256 << 10

// maxFindings is how many findings there are at most.
const maxFindings = 6

// Check returns the numbers, names and paths of an answer that its sources do not support, in their order and as the answer
// writes them. It returns none where the answer is not about the results: it shares nothing with them that the other
// sources do not have.
func Check(answer string, s Sources) []string {
	c := newChecker(answer, s)
	found := c.items()
	ok := make([]bool, len(found))
	left, rests := 0, false
	for i, it := range found {
		if ok[i] = c.supports(it); !ok[i] {
			left++
			continue
		}
		rests = rests || it.kind != quantity || it.readings[0].val > 2
		if it.kind == quantity {
			c.stated = append(c.stated, it.readings[0])
		}
	}
	// What an answer calculates it often calculates from numbers that it states.
	for more := left > 0; more && left > 0; {
		more = false
		for i, it := range found {
			if !ok[i] && it.kind == quantity && !it.label && slices.ContainsFunc(it.readings, c.followsFromStated) {
				ok[i], more = true, true
				left--
				c.stated = append(c.stated, it.readings[0])
			}
		}
	}
	if left == 0 || c.own < leastResult || !rests && !c.isAbout() {
		return nil
	}
	var out []string
	for i, it := range found {
		if !ok[i] && !slices.Contains(out, it.text) && len(out) < maxFindings {
			out = append(out, it.text)
		}
	}
	return out
}

// checker is one check.
type checker struct {
	answer  string
	low     string // answer in lower case
	results []string
	all     string // all sources in lower case, results first
	own     int    // bytes of all that are of results
	table   *table // numbers of the sources
	lang    language
	digits  string // of the sources line by line, for numbers of telephones

	// Read when they are needed.
	found    []item
	counted  []int
	lists    []int
	grouped  []series
	units    map[dimension][]unit
	split    []string
	times    []float64
	squeezed string
	stated   []number // of the answer, which the sources support
	original string   // all sources
	foreign  bool     // the answer is in a script other than Latin
}

func newChecker(answer string, s Sources) *checker {
	c := &checker{answer: stripFences(answer), results: s.Results}
	c.low = strings.ToLower(c.answer)
	var b strings.Builder
	for _, text := range s.Results {
		b.WriteString(text + "\n")
	}
	own := b.Len()
	for _, text := range s.Others {
		b.WriteString(text + "\n")
	}
	c.original = b.String()
	c.all = strings.ToLower(c.original)
	c.own = min(own, len(c.all))
	c.table = readTable(c.all[:min(len(c.all), maxSource)], c.own)
	for _, text := range []string{c.low, c.all[c.own:min(len(c.all), c.own+4<<10)], c.all[:min(c.own, 4<<10)]} {
		if c.lang = languageOf(text); c.lang != unknownLanguage {
			break
		}
	}
	latin, other := 0, 0
	for _, r := range c.answer {
		if r >= 0x400 && unicode.IsLetter(r) {
			other++
		} else if r < 0x250 && unicode.IsLetter(r) {
			latin++
		}
	}
	c.foreign = other > latin
	return c
}

// leastResult is how many bytes results have that an answer may be about, and longAnswer how many longer words an answer
// that may be about something else.
const (
	leastResult = 24
	longAnswer  = 20
)

// isAbout reports whether the answer is about the results: it is short, or of its longer words every eighth stands in one of
// them.
func (c *checker) isAbout() bool {
	all, shared := 0, 0
	seen := map[string]bool{}
	for _, w := range words(c.low) {
		if seen[w] || utf8.RuneCountInString(w) < 4 && !isHan(w) {
			continue
		}
		seen[w] = true
		all++
		if strings.Contains(c.all[:c.own], stem(w)) {
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
			continue
		}
		if !inside {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// supports reports whether the sources have an item of the answer, or it follows from them.
func (c *checker) supports(it item) bool {
	switch it.kind {
	case identifier:
		return c.hasIdentifier(it.text)
	case anyName:
		return c.hasName(it.text)
	case telephone:
		return c.hasDigits(it.text)
	case quantity:
		if it.label {
			return slices.ContainsFunc(it.readings, c.table.has)
		}
		return slices.ContainsFunc(it.readings, c.hasNumber)
	case weekday:
		return c.isWeekday(it)
	case clock:
		return c.hasClock(it.minutes, it.between)
	case date:
		return c.hasDate(it.date) || slices.ContainsFunc(it.readings, c.hasNumber) // 23.06. is both
	}
	return true
}
