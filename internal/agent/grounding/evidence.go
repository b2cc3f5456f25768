package grounding

import (
	_ "embed"
	"strconv"
	"strings"
)

// weightFile says how much each sign speaks for a claim being invented. TestWeights fits it to the labelled answers.
//
//go:embed weights.txt
var weightFile string

// weights are the logarithms of odds that signs add: a sum above 0 is more likely invented than not.
type weights map[string]float64

func readWeights(file string) weights {
	w := weights{}
	for line := range strings.Lines(file) {
		if f := strings.Fields(line); len(f) == 2 && f[0] != "#" {
			w[f[0]], _ = strconv.ParseFloat(f[1], 64)
		}
	}
	return w
}

func (w weights) of(signs []string) float64 {
	sum := 0.0
	for _, s := range signs {
		sum += w[s]
	}
	return sum
}

// signs are what speaks for or against a claim that does not stand in the sources, beginning with its group.
//
// What is invented mostly takes the place of something: of a number with the same words around it that the answer does not state;
// it is a slip of a number or like a path of the results, or a name stands beside it that they have, often in the first sentence.
// An aside, and a sentence with many words that are in no source, say what everybody knows; beside a number that follows stands
// another that may, in more steps, and most of all where nothing of the results is like it.
func (c *checker) signs(x *claim) []string {
	group := "name"
	if x.kind == quantity || x.kind == clock {
		group = "figure"
	}
	signs := []string{group}
	add := func(is bool, sign string) {
		if is {
			signs = append(signs, group+"."+sign)
		}
	}
	s, beside := x.sentence, c.follow > 1 || c.follow == 1 && !x.ok
	instead, clause := c.replaces(x), x.clause()
	add(s.aside, "aside")
	add(c.in("hedge", clause) || c.in("usual", clause) || c.in("offer", clause) || strings.Contains(clause, "`"), "apart")
	add(s.first && !s.aside, "first")
	add(s.calculates, "calculates")
	add(c.in("calculate", clause), "reckons")
	for range min(c.strange(x.before()+" "+x.behind()), 12) {
		add(true, "strange")
	}
	for range min(instead.words, 8) {
		add(true, "instead")
	}
	add(instead.form, "form")
	add(c.isSlip(x), "slip")
	sure := "&close"
	if !instead.close {
		sure = "&far"
	}
	if instead.close || instead.words == 0 {
		add(true, "is"+sure)
		add(s.calculates, "calculates"+sure)
		add(x.ok, "follows"+sure)
		add(beside, "beside"+sure)
	}
	if group == "figure" {
		add(x.ok, "follows")
		add(beside, "beside")
		add(x.approx, "rounded")
		add(x.label, "label")
		add(x.word, "word")
		add(x.dec > 0, "decimal")
		return signs
	}
	add(x.kind == identifier, "identifier")
	add(x.beside, "beside")
	return signs
}

// isReported reports whether the signs of a claim say that it is invented. A false report costs more than a missed one, and of
// numbers, which an answer may calculate in more ways than are tried, more are false.
func (c *checker) isReported(x *claim, w weights) bool {
	least := leastName
	if x.kind == quantity || x.kind == clock {
		least = leastFigure
	}
	return !x.stands && w.of(c.signs(x)) > least
}

// The sums of signs from which on claims are reported.
const (
	leastName   = 1.0
	leastFigure = 0.8
)
