package grounding

import (
	"strings"
	"unicode/utf8"
)

// equations takes what an answer itself calculates, as in 9 m³ × 50 = 450, for what follows from the numbers that it writes there.
func (c *checker) equations() {
	for i := 0; i < len(c.claims); {
		e := equation{claims: c.claims, at: i}
		next := i + 1
		if e.holds() {
			c.claims[e.at-1].ok = true
			next = e.at - 1 // what comes out may be calculated with
		} else {
			next = max(next, e.at)
		}
		c.steps += e.at - i
		i = next
	}
}

// equation is read from the claims of a line.
type equation struct {
	claims []claim
	at     int    // the claim that is read next
	gap    string // what is left of the text before that claim
	bad    bool
}

// holds reads an equation and reports whether it holds.
func (e *equation) holds() bool {
	e.gap = openings(e.claims[e.at].before())
	v := e.sum()
	if e.bad || !e.take("=≈") || e.at >= len(e.claims) || e.gap != "" {
		return false
	}
	x := &e.claims[e.at]
	e.at++
	return x.kind == quantity && (x.near(v) || x.alt > 0 && claim{mark: mark{number: number{val: x.alt}}}.near(v))
}

// openings are the parentheses with which a text ends.
func openings(text string) string {
	return text[len(strings.TrimRight(text, "( ")):]
}

// take takes one of some signs from the gap.
func (e *equation) take(signs string) bool {
	e.gap = strings.TrimLeft(e.gap, " *\u00a0")
	r, n := utf8.DecodeRuneInString(e.gap)
	if n == 0 || !strings.ContainsRune(signs, r) {
		return false
	}
	e.gap = strings.TrimLeft(e.gap[n:], " \u00a0")
	return true
}

func (e *equation) sum() float64 {
	v := e.product()
	for !e.bad {
		switch {
		case e.take("+"):
			v += e.product()
		case e.take("-–−"):
			v -= e.product()
		default:
			return v
		}
	}
	return v
}

func (e *equation) product() float64 {
	v := e.number()
	for !e.bad {
		switch {
		case e.take("×x·*"):
			v *= e.number()
		case e.take("/÷:"):
			v /= e.number()
		default:
			return v
		}
	}
	return v
}

func (e *equation) number() float64 {
	if e.take("(") {
		v := e.sum()
		e.bad = e.bad || !e.take(")")
		return v
	}
	if e.at >= len(e.claims) || strings.Trim(e.gap, "€$£₽ ") != "" {
		e.bad = true
		return 0
	}
	x := &e.claims[e.at]
	e.at++
	e.gap = ""
	if from := max(x.unitTo, x.to); e.at < len(e.claims) && e.claims[e.at].line == x.line && e.claims[e.at].from >= from {
		e.gap = strings.TrimLeft(x.low[from:e.claims[e.at].from], "€$£₽ .*\u00a0")
	}
	e.bad = x.kind != quantity
	return x.val
}
