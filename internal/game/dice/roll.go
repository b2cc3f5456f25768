package dice

import "strconv"

// item is what became of a node, or one die of a pool.
type item struct {
	node  *node
	kept  bool
	last  int     // of a die: its latest fall, as an index; -1: it is no die
	parts []*item // of a pool its dice, else what became of the node's kids
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

// table is where a roll happens.
type table struct {
	src   Source
	falls []fall
}

// Roll rolls the dice with faces from src. Its error is an [*Error], or that of src.
func (e *Expr) Roll(src Source) (Roll, error) {
	t := &table{src: src}
	root, err := t.roll(e.root)
	if err != nil {
		return Roll{}, err
	}
	exact, err := t.total(root)
	if err != nil {
		return Roll{}, err
	}
	total, err := exact.cut()
	if err != nil {
		return Roll{}, err
	}
	crit, err := t.crit(root)
	if err != nil {
		return Roll{}, err
	}
	t.settle(root, true)
	return Roll{Expr: e.text, Total: total, Detail: t.detail(root, total), Crit: crit, Dice: t.dice()}, nil
}

// roll rolls what a node names: kids from left to right, then the operators upon them.
func (t *table) roll(n *node) (*item, error) {
	it := &item{node: n, kept: true, last: -1}
	if n.kind == pool {
		if err := t.rollPool(it); err != nil {
			return nil, err
		}
	}
	if len(n.kids) > 0 {
		it.parts = make([]*item, len(n.kids))
	}
	for i, kid := range n.kids {
		part, err := t.roll(kid)
		if err != nil {
			return nil, err
		}
		it.parts[i] = part
	}
	for i := range n.steps {
		if err := t.step(it, &n.steps[i]); err != nil {
			return nil, err
		}
	}
	return it, nil
}

func (t *table) rollPool(it *item) error {
	n := it.node
	if n.count == 0 {
		return nil
	}
	if n.size == 0 {
		return badValue("a die without sides cannot be rolled: give it one side at least")
	}
	if n.count > int64(MaxDice-len(t.falls)) {
		return errTooMany()
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
		if err := t.throw(die, -1); err != nil {
			return err
		}
		it.parts[i] = die
	}
	return nil
}

func errTooMany() error {
	return &Error{TooMany, "one roll has at most " + strconv.Itoa(MaxDice) + " dice, rerolled and exploded ones counted: roll fewer"}
}

// throw rolls a die, whose fall before that becomes one that was replaced.
func (t *table) throw(die *item, before int) error {
	if len(t.falls) >= MaxDice {
		return errTooMany()
	}
	f := fall{size: int(die.node.size), before: before}
	var err error
	if f.size == percent {
		f.face, err = percentFace(t.src)
	} else if f.face, err = t.src.Face(f.size); err == nil && (f.face < 1 || f.face > f.size) {
		err = badValue("a die of " + strconv.Itoa(f.size) + " sides cannot show " + strconv.Itoa(f.face))
	}
	if err != nil {
		return err
	}
	f.value = int64(f.face)
	die.last = len(t.falls)
	t.falls = append(t.falls, f)
	return nil
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

// total returns what counts of an item.
func (t *table) total(it *item) (number, error) {
	switch n := it.node; {
	case !it.kept:
		return whole(0), nil
	case it.isDie():
		return whole(t.falls[it.last].value), nil
	case n.kind == literal:
		return n.value, nil
	case n.kind == signed:
		value, err := t.total(it.parts[0])
		if err != nil || n.op == add {
			return value, err
		}
		return negative(value)
	case n.kind == joined:
		left, err := t.total(it.parts[0])
		if err != nil {
			return left, err
		}
		right, err := t.total(it.parts[1])
		if err != nil {
			return right, err
		}
		return apply(left, n.op, right)
	}
	var sum number
	for _, part := range it.parts {
		value, err := t.total(part)
		if err == nil {
			sum, err = apply(sum, add, value)
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// crit looks at the leftmost term.
func (t *table) crit(it *item) (Crit, error) {
	for it.node.kind != pool {
		if len(it.parts) == 0 {
			return NoCrit, nil
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
		return NoCrit, nil
	}
	total, err := t.total(it)
	switch total {
	case whole(20):
		return CritHit, err
	case whole(1):
		return CritFail, err
	}
	return NoCrit, err
}

// settle finds out which falls are kept in the end: what is in something that was dropped is not.
func (t *table) settle(it *item, kept bool) {
	kept = kept && it.kept
	if it.isDie() {
		t.falls[it.last].kept = kept
	}
	for _, part := range it.parts {
		t.settle(part, kept)
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
