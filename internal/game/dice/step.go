package dice

import (
	"math"
	"slices"
)

// operands returns the items that an operator on it works on: the dice of a pool, the members of a set, else the value itself.
func operands(it *item) []*item {
	for it.node.kind == parens {
		it = it.parts[0]
	}
	if it.node.kind == pool || it.node.kind == set {
		return it.parts
	}
	return []*item{it}
}

// step applies an operator.
func (t *table) step(it *item, s *step) {
	switch s.op {
	case "k", "p":
		parts := operands(it)
		chosen, _ := t.choose(parts, s.sels)
		for i, part := range parts {
			if chosen[i] != (s.op == "k") {
				part.kept = false
			}
		}
	case "rr":
		for t.reroll(it, s.sels) { // until none is chosen
		}
	case "ro":
		t.reroll(it, s.sels)
	case "ra":
		if at := t.first(it.parts, s.sels); at >= 0 {
			t.explode(it, at)
		}
	case "e":
		t.explodeAll(it, s.sels)
	case "mi", "ma":
		t.limit(it, s.op == "mi", s.sels[0])
	}
}

// reroll rolls the chosen dice anew, and reports whether there were any.
func (t *table) reroll(it *item, sels []selector) bool {
	chosen, some := t.choose(it.parts, sels)
	for i, die := range it.parts {
		if chosen[i] {
			t.throw(die, die.last)
		}
	}
	return some && t.err == nil
}

// explode rolls one more die for the die at an index.
func (t *table) explode(it *item, at int) {
	t.falls[it.parts[at].last].exploded = true
	die := &item{node: it.node, kept: true}
	it.parts = append(it.parts, die)
	t.throw(die, -1)
}

// explodeAll rolls one more die for each chosen one, and for the new ones, too.
func (t *table) explodeAll(it *item, sels []selector) {
	done := make(map[*item]bool)
	for more := true; more && t.err == nil; {
		chosen, _ := t.choose(it.parts, sels)
		more = false
		for i, is := range chosen {
			if is && !done[it.parts[i]] {
				t.explode(it, i)
				done[it.parts[i]], more = true, true
			}
		}
	}
}

// limit raises dice below a minimum, or lowers dice above a maximum.
func (t *table) limit(it *item, least bool, sel selector) {
	if sel.how != 0 {
		t.fail(badValue("mi and ma need a number alone, as in mi2: it is what each die counts at least, or at most"))
		return
	}
	if sel.n == math.MaxInt64 && least {
		t.fail(errTooLarge())
		return
	}
	for _, die := range it.parts {
		f := &t.falls[die.last]
		if die.kept && (least && f.value < sel.n || !least && f.value > sel.n) {
			f.was = append(f.was, f.value)
			f.value = sel.n
		}
	}
}

// candidate is one of some parts that is kept.
type candidate struct {
	at    int
	value number
}

// candidates returns the kept ones of some parts, in their order.
func (t *table) candidates(parts []*item) []candidate {
	kept := make([]candidate, 0, len(parts))
	for i, part := range parts {
		if part.kept {
			kept = append(kept, candidate{i, t.total(part)})
		}
	}
	return kept
}

// ranked returns candidates with the lowest or, for h, the highest first. Equal ones keep their order.
func ranked(kept []candidate, how byte) []candidate {
	return slices.SortedStableFunc(slices.Values(kept), func(a, b candidate) int {
		if how == 'h' {
			a, b = b, a
		}
		return compare(a.value, b.value)
	})
}

// choose reports for each part whether a selector chooses it, and whether any is chosen. Of several selectors of the highest, or
// of the lowest, only the one of most parts matters.
func (t *table) choose(parts []*item, sels []selector) (chosen []bool, some bool) {
	kept := t.candidates(parts)
	chosen = make([]bool, len(parts))
	most := map[byte]int64{}
	for _, sel := range sels {
		if sel.byRank() {
			most[sel.how] = max(most[sel.how], sel.n)
			continue
		}
		for _, c := range kept {
			if sel.holds(c.value) {
				chosen[c.at], some = true, true
			}
		}
	}
	for how, n := range most {
		for _, c := range ranked(kept, how)[:min(n, int64(len(kept)))] {
			chosen[c.at], some = true, true
		}
	}
	return chosen, some
}

// first returns the index of the first choice of the first selector that finds a part, or -1.
func (t *table) first(parts []*item, sels []selector) int {
	kept := t.candidates(parts)
	for _, sel := range sels {
		if sel.byRank() && sel.n > 0 && len(kept) > 0 {
			return ranked(kept, sel.how)[0].at
		}
		for _, c := range kept {
			if !sel.byRank() && sel.holds(c.value) {
				return c.at
			}
		}
	}
	return -1
}

// byRank reports whether a selector takes the highest or the lowest.
func (s selector) byRank() bool { return s.how == 'l' || s.how == 'h' }

// holds reports whether a selector by value chooses a value.
func (s selector) holds(value number) bool {
	c := compare(value, whole(s.n))
	switch s.how {
	case '<':
		return c < 0
	case '>':
		return c > 0
	}
	return c == 0
}
