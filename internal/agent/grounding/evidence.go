package grounding

import (
	_ "embed"
	"math"
	"slices"
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
// it is a slip of a number or like a path of the results, or a name stands beside it that they have, and it stands alone: a calculation
// that cannot be followed leaves several numbers unknown. An aside, and a sentence with
// many words that are in no source, say what everybody knows; beside a number that follows stands another that may, in more steps,
// and most of all where nothing of the results is like it. A number may follow by chance, and the more easily the more were tried.
// Where most words of an answer are in no source it is in another language, and a strange word says less. A number alone in its
// sentence, or in a unit that no source has, is no result of a calculation; words that a point or a line joins may be what everybody
// knows: --dry-run.
func (c *checker) signs(x *claim) []string {
	group, _ := x.group()
	signs := []string{group}
	add := func(is bool, sign string) {
		if is {
			signs = append(signs, group+"."+sign)
		}
	}
	s, beside := x.sentence, c.follow > 1 || c.follow == 1 && !x.ok
	instead, clause := c.replaces(x), x.clause()
	add(s.aside, "aside")
	add(c.in("hedge", clause) || c.in("usual", clause) || c.in("offer", clause) || strings.Contains(clause, "`") || strings.Count(x.before(), "`")%2 == 1, "apart")
	add(s.calculates, "calculates")
	around := x.before() + " " + x.behind()
	n, strange := c.strange(around), "strange"
	if c.foreign && strings.IndexFunc(around, isHan) >= 0 {
		n = (n + 1) / 2 // each character begins one
	}
	if c.translated {
		strange = "alien"
	}
	for range min(n, 10) {
		add(true, strange)
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
		add(x.ok, "follows"+sure)
		add(beside, "beside"+sure)
	}
	add(x.ok, "follows")
	add(x.far, "far")
	add(beside, "beside")
	if x.ok { // so many values would have fitted by chance
		luck := float64(x.tried) * math.Pow10(-x.dec) / x.val
		add(luck > .1, "luck1")
		add(luck > .3, "luck2")
		add(luck > 1, "luck3")
	}
	if x.kind == quantity {
		for range min(len(strings.TrimRight(x.digits(), "0")), 5) - 1 {
			add(beside, "digit&beside")
		}
	}
	add(c.unknown == 2, "two")
	add(c.unknown > 2, "many")
	add(c.unknown == 1, "alone")
	add(slices.ContainsFunc(c.claims, func(y claim) bool { return y.stands && y.val != 1 && y.line == x.line && y.sentence == s }), "amid")
	add(x.approx && !x.limit && !x.scaled, "rounded")
	add(x.word, "word")
	add(x.label, "label")
	if x.kind == quantity {
		add(x.unit != nil && !slices.ContainsFunc(c.figures[:min(len(c.figures), maxDerived)], func(f mark) bool { return sameDimension(f.unit, x.unit) }), "newunit")
		add(!slices.ContainsFunc(c.claims, func(y claim) bool {
			return y.kind == quantity && y.ok && y.val != x.val && y.line == x.line && y.sentence == s
		}), "only")
	}
	add(x.kind == name && c.foreign && x.text[0] >= 'a' && x.text[0] <= 'z', "foreign")
	add(x.kind == identifier && !strings.ContainsAny(x.text, "/@0123456789"), "plain")
	add(c.known >= fullAnswer, "full")
	add(c.known >= fullAnswer && x.ok, "full&follows")
	return signs
}

// fullAnswer is how many claims stand in the sources where an answer reports much of these: it calculates little then, and
// what stands nowhere is an extra.
const fullAnswer = 6

// isReported reports whether the signs of a claim say that it is invented.
func (c *checker) isReported(x *claim, w weights) bool {
	_, least := x.group()
	return !x.stands && w.of(c.signs(x)) > least
}

// group is the kinds with which a claim is weighed, and the sum of signs from which on it is reported. A false report costs more than
// a missed one.
func (x *claim) group() (name string, least float64) {
	switch x.kind {
	case quantity:
		return "figure", 1.2
	case clock:
		return "clock", 0.5
	case date, weekday:
		return "date", 0.9
	case identifier, telephone:
		return "identifier", 0.7
	}
	return "name", 0.5
}
