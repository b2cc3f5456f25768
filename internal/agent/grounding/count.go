package grounding

import (
	"slices"
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
)

// maxCount is the largest number that is looked for as a count.
const maxCount = 5000

// isCount reports whether a number can count lines, items or results.
func (c *checker) isCount(a number) bool {
	if a.dec > 0 || a.val > maxCount || a.unit != nil && (!a.is("time") || a.unit.factor < 2e6) ||
		a.unit != nil && slices.ContainsFunc(c.figures, func(f mark) bool { return f.unit == a.unit && f.val > 1 }) { // what is measured is not counted
		return false
	}
	if a.val <= 2 || int(a.val) == len(c.results) || int(a.val) == len(c.rowTimes) { // or of meetings
		return true
	}
	if c.counts == nil {
		c.counts = map[int]bool{}
		for _, text := range c.results {
			c.countLines(strings.ToLower(text))
		}
		c.countListed()
	}
	return c.counts[int(a.val)]
}

// countLines counts what can be counted in a result: lines, lines with a word that the answer has,
// and values between commas.
func (c *checker) countLines(text string) {
	lines := 0
	below, above := 0, 0
	with, last := map[string]int{}, map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "-|=+: ") == "" {
			continue
		}
		lines++
		if signForm().MatchString(line) {
			below++
		} else if strings.IndexFunc(line, unicode.IsDigit) >= 0 {
			above++
		}
		for w := range strings.FieldsFuncSeq(line, isBetween) {
			if last[w] != i+1 {
				last[w] = i + 1
				with[w]++
			}
		}
		c.counts[strings.Count(line, ",")+1] = true
		if _, list, ok := strings.Cut(line, ":"); ok {
			c.counts[strings.Count(list, ",")+1] = true
		}
	}
	c.counts[lines] = true
	if first, _, _ := strings.Cut(text, "\n"); lines > 2 && isHead(first) {
		c.counts[lines-1] = true
	}
	if below > 0 {
		c.counts[below], c.counts[above] = true, true
	}
	for w, n := range with {
		mark := len(w) == 1 && !isDigit(w[0]) && w != "-" || c.is("mark", w)
		if mark || c.answerStems[stem(w)] || isHan(firstRune(w)) && c.hasSaid(w) {
			c.counts[n] = true
			if mark || lines <= 12 && n > 1 {
				c.counts[lines-n] = true
			}
		}
	}
}

// isHead reports whether the first line of a result is its head: it has no number but a year.
func isHead(line string) bool {
	return !slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsDigit(r) }), func(w string) bool {
		v, n := digits(w, 1, 4)
		return n == 0 || !(number{val: float64(v)}).isYear()
	})
}

// signForm is a number below zero in a table.
var signForm = lazyregexp.New(`[;,\t|:] ?[-−]\d`)

// hasSaid reports whether the answer has a word of a language that writes no blanks.
func (c *checker) hasSaid(w string) bool {
	if c.steps > maxSteps {
		return false
	}
	c.steps += len(c.lower)
	return strings.Contains(c.lower, w)
}

func isBetween(r rune) bool { return strings.ContainsRune(" \t,;|:()[]\"=", r) }

// countListed counts the lists of the answer: its bullets, and names between commas.
func (c *checker) countListed() {
	bullets, rows := 0, 0
	for line := range strings.SplitSeq(c.answer, "\n") {
		trimmed := strings.TrimSpace(line)
		if v, n := digits(trimmed, 1, 3); v > 0 && strings.HasPrefix(trimmed[n:], ".") || strings.ContainsRune("-*•", firstRune(trimmed)) {
			bullets++
		}
		if strings.HasPrefix(trimmed, "|") && strings.Trim(trimmed, "|:- ") != "" {
			rows++
		}
		for sentence := range strings.SplitSeq(line, ". ") {
			if _, list, ok := strings.Cut(sentence, ":"); ok {
				sentence = list
			}
			n := strings.Count(sentence, ", ") + strings.Count(sentence, "、") + strings.Count(sentence, "; ") + 1
			if slices.ContainsFunc([]string{" and ", " und ", " и ", "和", " & "}, func(and string) bool {
				i := strings.LastIndex(sentence, and)
				return i >= 0 && !strings.HasSuffix(sentence[:i], ",")
			}) {
				n++
			}
			c.counts[n] = true
		}
	}
	c.counts[bullets], c.counts[rows-1] = true, true // a row is the head
}
