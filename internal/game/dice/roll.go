package dice

import "strconv"

// item is the result of a node, or one die of a pool.
type item struct {
	node  *node
	kept  bool
	last  int     // of a die: its latest fall, as an index; -1: it is no die
	parts []*item // the dice of a pool, else the results of the node's kids
}

// fall is one face that was rolled.
type fall struct {
	size     int // percent for a d%
	face     int
	value    int64
	was      []int64 // the values before mi and ma
	before   int     // the fall that this one replaced, as an index; -1: none
	exploded bool
	kept     bool // known only at the end
}

// table is the state of a roll.
type table struct {
	src   Source
	falls []fall
	err   error // the first one: nothing is rolled after it, and nothing counts
}

func (t *table) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Roll rolls the dice with faces from src. Its error is an [*Error], or that of src.
func (e *Expr) Roll(src Source) (Roll, error) {
	t := &table{src: src}
	root := t.roll(e.root)
	total, err := t.total(root).truncate()
	t.fail(err)
	crit := t.crit(root)
	if t.err != nil {
		return Roll{}, t.err
	}
	t.markKept(root, true)
	return Roll{Expr: e.text, Total: total, Detail: t.detail(root, total), Crit: crit, Dice: t.dice()}, nil
}

// roll rolls a node: its kids from left to right, then the operators on them.
func (t *table) roll(n *node) *item {
	it := &item{node: n, kept: true, last: -1}
	if n.kind == pool {
		t.rollPool(it)
	}
	if len(n.kids) > 0 {
		it.parts = make([]*item, len(n.kids))
	}
	for i, kid := range n.kids {
		it.parts[i] = t.roll(kid)
	}
	for i := range n.steps {
		if t.err == nil {
			t.step(it, &n.steps[i])
		}
	}
	return it
}

func (t *table) rollPool(it *item) {
	n := it.node
	switch {
	case n.count == 0:
		return
	case n.size == 0:
		t.fail(badValue(noSides))
		return
	case n.count > int64(MaxDice-len(t.falls)):
		t.fail(errTooMany())
		return
	}
	count := int(n.count)
	if t.falls == nil {
		t.falls = make([]fall, 0, count)
	}
	dice := make([]item, count)
	it.parts = make([]*item, count)
	for i := range dice {
		die := &dice[i]
		die.node, die.kept = n, true
		t.throw(die, -1)
		it.parts[i] = die
	}
}

func errTooMany() error {
	return &Error{TooMany, "one roll has at most " + strconv.Itoa(MaxDice) + " dice, rerolled and exploded ones counted: roll fewer"}
}

// throw rolls a die. The fall before, if any, is replaced.
func (t *table) throw(die *item, before int) {
	if len(t.falls) >= MaxDice {
		t.fail(errTooMany())
	}
	if t.err != nil {
		return
	}
	f := fall{size: int(die.node.size), before: before}
	var err error
	if f.size == percent {
		f.face, err = percentFace(t.src)
	} else if f.face, err = t.src.Face(f.size); err == nil && (f.face < 1 || f.face > f.size) {
		err = badValue("a die of " + strconv.Itoa(f.size) + " sides cannot show " + strconv.Itoa(f.face))
	}
	t.fail(err)
	f.value = int64(f.face)
	die.last = len(t.falls)
	t.falls = append(t.falls, f)
}

// percentFace rolls a d%.
func percentFace(src Source) (int, error) {
	p, knows := src.(Percenter)
	if !knows {
		face, err := src.Face(10)
		if err == nil && (face < 1 || face > 10) {
			err = badValue("a die of 10 sides cannot show " + strconv.Itoa(face))
		}
		return (face - 1) * 10, err
	}
	face, err := p.Percent()
	if err == nil && (face < 0 || face > 90 || face%10 != 0) {
		err = badValue("a d% cannot show " + strconv.Itoa(face) + ", only 0, 10, 20 and so on to 90")
	}
	return face, err
}

// isDie reports whether an item is a die of a pool; the pool itself has the same node.
func (it *item) isDie() bool { return it.last >= 0 }

// total returns the value of an item.
func (t *table) total(it *item) number {
	switch n := it.node; {
	case !it.kept || t.err != nil:
		return whole(0)
	case it.isDie():
		return whole(t.falls[it.last].value)
	case n.kind == literal:
		return n.value
	case n.kind == signed && n.op == add:
		return t.total(it.parts[0])
	case n.kind == signed:
		value, err := negative(t.total(it.parts[0]))
		t.fail(err)
		return value
	case n.kind == joined:
		return t.apply(t.total(it.parts[0]), n.op, t.total(it.parts[1]))
	}
	var sum number
	for _, part := range it.parts {
		sum = t.apply(sum, add, t.total(part))
	}
	return sum
}

func (t *table) apply(a number, o operator, b number) number {
	n, err := apply(a, o, b)
	t.fail(err)
	return n
}

// crit looks at the leftmost term.
func (t *table) crit(it *item) Crit {
	for it.node.kind != pool {
		if len(it.parts) == 0 {
			return NoCrit
		}
		it = it.parts[0]
	}
	kept := 0
	for _, die := range it.parts {
		if die.kept {
			kept++
		}
	}
	if it.node.size != 20 || kept != 1 {
		return NoCrit
	}
	switch t.total(it) {
	case whole(20):
		return CritHit
	case whole(1):
		return CritFail
	}
	return NoCrit
}

// markKept marks the falls that are kept in the end. A fall within a dropped item is not.
func (t *table) markKept(it *item, kept bool) {
	kept = kept && it.kept
	if it.isDie() {
		t.falls[it.last].kept = kept
	}
	for _, part := range it.parts {
		t.markKept(part, kept)
	}
}

func (t *table) dice() []Die {
	dice := make([]Die, len(t.falls))
	for i, f := range t.falls {
		dice[i] = Die{Size: f.size, Value: f.value, Kept: f.kept, Face: f.face}
		if f.size == percent {
			dice[i].Size = 100
		}
	}
	return dice
}
