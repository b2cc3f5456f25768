package dice

import (
	"math"
	"sort"
)

// members returns what an operator upon it works on: the dice of a pool, the members of a set; a single value is its own.
func members(it *item) []*item {
	for it.node.kind == parens {
		it = it.parts[0]
	}
	if it.node.kind == pool || it.node.kind == set {
		return it.parts
	}
	return []*item{it}
}

// step does what an operator says.
func (t *table) step(it *item, s *step) error {
	switch s.op {
	case "k", "p":
		return t.drop(members(it), s.sels, s.op == "k")
	case "rr":
		return t.rerollAll(it, s.sels)
	case "ro":
		_, err := t.rerollOnce(it, s.sels)
		return err
	case "ra":
		at, err := t.first(it.parts, s.sels)
		if err != nil || at < 0 {
			return err
		}
		return t.explode(it, at)
	case "e":
		return t.explodeAll(it, s.sels)
	}
	return t.bound(it, s.op == "mi", s.sels[0])
}

// drop drops what is chosen or, to keep that, what is not.
func (t *table) drop(parts []*item, sels []selector, keep bool) error {
	chosen, _, err := t.choose(parts, sels)
	if err != nil {
		return err
	}
	for i, part := range parts {
		if chosen[i] != keep {
			part.kept = false
		}
	}
	return nil
}

// rerollAll rolls what is chosen until nothing is.
func (t *table) rerollAll(it *item, sels []selector) error {
	for {
		if some, err := t.rerollOnce(it, sels); !some || err != nil {
			return err
		}
	}
}

// rerollOnce tells whether it rolled any die.
func (t *table) rerollOnce(it *item, sels []selector) (bool, error) {
	chosen, some, err := t.choose(it.parts, sels)
	if err != nil {
		return false, err
	}
	for i, die := range it.parts {
		if chosen[i] {
			if err := t.throw(die, die.last); err != nil {
				return false, err
			}
		}
	}
	return some, nil
}

// explode rolls one more die because of that at an index.
func (t *table) explode(it *item, at int) error {
	t.falls[it.parts[at].last].exploded = true
	die := &item{node: it.node, kept: true}
	it.parts = append(it.parts, die)
	return t.throw(die, -1)
}

// explodeAll rolls one more die for each that is chosen, those that come anew too.
func (t *table) explodeAll(it *item, sels []selector) error {
	done := make(map[*item]bool)
	for more := true; more; {
		chosen, _, err := t.choose(it.parts, sels)
		if err != nil {
			return err
		}
		more = false
		for i, is := range chosen {
			if !is || done[it.parts[i]] {
				continue
			}
			if err := t.explode(it, i); err != nil {
				return err
			}
			done[it.parts[i]], more = true, true
		}
	}
	return nil
}

// bound raises what lies below a minimum, or lowers what lies above a maximum.
func (t *table) bound(it *item, least bool, sel selector) error {
	if sel.how != 0 {
		return badValue("mi and ma need a number alone, as in mi2: it is what each die counts at least, or at most")
	}
	if sel.n == math.MaxInt64 && least {
		return errTooLarge()
	}
	for _, die := range it.parts {
		f := &t.falls[die.last]
		if die.kept && (least && f.value < sel.n || !least && f.value > sel.n) {
			f.was = append(f.was, f.value)
			f.value = sel.n
		}
	}
	return nil
}

// ranking are the kept ones of some parts, sorted by value and then by place.
type ranking struct {
	at    []int
	value []number
	down  bool
}

func (r *ranking) Len() int { return len(r.at) }

func (r *ranking) Swap(i, j int) {
	r.at[i], r.at[j] = r.at[j], r.at[i]
	r.value[i], r.value[j] = r.value[j], r.value[i]
}

// Less puts the first of equals first, whichever way the values go.
func (r *ranking) Less(i, j int) bool {
	c := compare(r.value[i], r.value[j])
	if c == 0 {
		return r.at[i] < r.at[j]
	}
	return (c < 0) != r.down
}

func (t *table) rank(parts []*item) (*ranking, error) {
	r := &ranking{at: make([]int, 0, len(parts)), value: make([]number, 0, len(parts))}
	for i, part := range parts {
		if !part.kept {
			continue
		}
		value, err := t.total(part)
		if err != nil {
			return nil, err
		}
		r.at, r.value = append(r.at, i), append(r.value, value)
	}
	return r, nil
}

// sorted returns r with the lowest or the highest first.
func (r *ranking) sorted(down bool) *ranking {
	r.down = down
	sort.Sort(r)
	return r
}

// choose tells for each part whether a selector chooses it, and whether any is chosen. Of several that take the highest or the
// lowest, only the greediest matters.
func (t *table) choose(parts []*item, sels []selector) (chosen []bool, some bool, err error) {
	r, err := t.rank(parts)
	if err != nil {
		return nil, false, err
	}
	chosen = make([]bool, len(parts))
	var lowest, highest int64
	for _, sel := range sels {
		switch sel.how {
		case 'l':
			lowest = max(lowest, sel.n)
		case 'h':
			highest = max(highest, sel.n)
		default:
			for i, value := range r.value {
				if sel.holds(value) {
					chosen[r.at[i]], some = true, true
				}
			}
		}
	}
	took := r.take(chosen, lowest, false)
	return chosen, r.take(chosen, highest, true) || took || some, nil
}

// take chooses the n lowest or, down, the n highest, and tells whether there was any.
func (r *ranking) take(chosen []bool, n int64, down bool) bool {
	n = min(n, int64(len(r.at)))
	if n > 0 {
		for _, at := range r.sorted(down).at[:n] {
			chosen[at] = true
		}
	}
	return n > 0
}

// holds reports whether a value is what a selector names by value.
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

// first returns the place of what the first selector that finds anything chooses first; -1: none finds anything.
func (t *table) first(parts []*item, sels []selector) (int, error) {
	r, err := t.rank(parts)
	if err != nil {
		return -1, err
	}
	for _, sel := range sels {
		byRank := sel.how == 'l' || sel.how == 'h'
		if byRank && sel.n > 0 && len(r.at) > 0 {
			return r.sorted(sel.how == 'h').at[0], nil
		}
		found := -1
		for i, value := range r.value {
			if !byRank && sel.holds(value) && (found < 0 || r.at[i] < found) {
				found = r.at[i]
			}
		}
		if found >= 0 {
			return found, nil
		}
	}
	return -1, nil
}
