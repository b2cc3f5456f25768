package world

import "fmt"

// decoder reads the members of an object into the visited fields that have their names. Both come in the order of the names, so that one
// visit finds them all; members in another order take further visits.
type decoder struct {
	*Scanner
	name  []byte // of the next member
	more  bool   // there is a next member
	n     int    // members that were read
	pairs bool   // each value is two: as it was, and as it is
	way   Way    // of a pair: Forward wants the second
}

// members reads all members of an object into what belongs to a record of a kind.
func (d *decoder) members(kind Kind, r interface{ visit(v visitor) }) {
	d.Take('{')
	d.name, d.more = d.Member(0)
	for d.more && d.err == nil {
		before := d.n
		if r.visit(d); d.n == before && d.err == nil {
			d.err = fmt.Errorf("%s has no %q", kind, d.name)
		}
	}
}

// into reads an object into r: fields, or pairs of what they were and are.
func (s *Scanner) into(r Record, pairs bool, way Way) {
	if s.dec == nil {
		s.dec = &decoder{}
	}
	*s.dec = decoder{Scanner: s, pairs: pairs, way: way}
	s.dec.members(r.Kind(), r)
}

// is reports whether the next member has that name, and reads on to its value. Whoever reads the value calls done.
func (d *decoder) is(name string) bool {
	return len(d.name) == len(name) && string(d.name) == name && d.value()
}

// value reads what stands before a value. It is always true.
func (d *decoder) value() bool {
	if d.pairs {
		d.Take('[')
		if d.way == Forward {
			d.skip(rawDepth)
			d.Take(',')
		}
	}
	return true
}

// done reads what follows a value, and the name of the next member.
func (d *decoder) done() {
	if d.pairs {
		if d.way == Back {
			d.Take(',')
			d.skip(rawDepth)
		}
		d.Take(']')
	}
	d.n++
	d.name, d.more = d.Member(d.n)
}

func (d *decoder) text(name string, v *string) {
	if d.is(name) {
		*v = ""
		if !d.null() {
			*v = d.Text()
		}
		d.done()
	}
}

func (d *decoder) raw(name string, v *string) {
	if d.is(name) {
		*v = ""
		if !d.null() {
			*v = string(d.Raw())
		}
		d.done()
	}
}

func (d *decoder) num(name string, v *int64) {
	if d.is(name) {
		*v = 0
		if !d.null() {
			*v = d.Int()
		}
		d.done()
	}
}

func (d *decoder) maybe(name string, v *Number) {
	if d.is(name) {
		*v = Number{}
		if !d.null() {
			*v = Known(d.Int())
		}
		d.done()
	}
}

func (d *decoder) flag(name string, v *bool) {
	if d.is(name) {
		*v = !d.null() && d.Bool()
		d.done()
	}
}

func (d *decoder) list(name string, v *[]string) {
	if d.is(name) {
		*v = nil
		if !d.null() {
			*v = d.Strings()
		}
		d.done()
	}
}

func (d *decoder) words(name string, v *map[string]string) {
	if !d.is(name) {
		return
	}
	*v = nil
	if !d.null() {
		m := map[string]string{}
		d.Take('{')
		for n := 0; ; n++ {
			key, ok := d.Member(n)
			if !ok {
				break
			}
			m[string(key)] = d.Text()
		}
		*v = m
	}
	d.done()
}

func (d *decoder) nums(name string, v *map[string]int64) {
	if !d.is(name) {
		return
	}
	*v = nil
	if !d.null() {
		m := map[string]int64{}
		d.Take('{')
		for n := 0; ; n++ {
			key, ok := d.Member(n)
			if !ok {
				break
			}
			m[string(key)] = d.Int()
		}
		*v = m
	}
	d.done()
}

func (d *decoder) point(name string, v **Point) {
	if d.is(name) {
		*v = nil
		if !d.null() {
			p := d.ints(3)
			*v = &Point{X: p[0], Y: p[1], Z: p[2]}
		}
		d.done()
	}
}

func (d *decoder) cell(name string, v **Cell) {
	if d.is(name) {
		*v = nil
		if !d.null() {
			p := d.ints(2)
			*v = &Cell{X: p[0], Y: p[1]}
		}
		d.done()
	}
}

func (d *decoder) talks(name string, v *[]Talk) {
	if !d.is(name) {
		return
	}
	*v = nil
	if !d.null() {
		list := []Talk{}
		d.Take('[')
		for d.Item(len(list)) {
			var t Talk
			inner := decoder{Scanner: d.Scanner}
			inner.members(ActorKind, &t)
			list = append(list, t)
		}
		*v = list
	}
	d.done()
}

func (d *decoder) ints(n int) (p [3]int64) {
	d.Take('[')
	for i := range n {
		if i > 0 {
			d.Take(',')
		}
		p[i] = d.Int()
	}
	d.Take(']')
	return p
}

// New returns an empty record of kind, or nil where there is no such kind.
func New(kind Kind) Record {
	switch kind {
	case PlaceKind:
		return &Place{}
	case LinkKind:
		return &Link{}
	case ActorKind:
		return &Actor{}
	case ThingKind:
		return &Thing{}
	case QuestKind:
		return &Quest{}
	case ClockKind:
		return &Clock{}
	case FactKind:
		return &Fact{}
	case LoreKind:
		return &Lore{}
	case EncounterKind:
		return &Encounter{}
	case SelfKind:
		return &Self{}
	}
	return nil
}

// Record reads a record of kind as [AppendRecord] writes it.
func (s *Scanner) Record(kind Kind) Record {
	r := New(kind)
	if r == nil {
		s.fail()
		return &Self{}
	}
	s.into(r, false, Forward)
	return r
}

// clone returns a copy of r, with the same maps and lists.
func clone(r Record) Record {
	switch r := r.(type) {
	case *Place:
		c := *r
		return &c
	case *Link:
		c := *r
		return &c
	case *Actor:
		c := *r
		return &c
	case *Thing:
		c := *r
		return &c
	case *Quest:
		c := *r
		return &c
	case *Clock:
		c := *r
		return &c
	case *Fact:
		c := *r
		return &c
	case *Lore:
		c := *r
		return &c
	case *Encounter:
		c := *r
		return &c
	case *Self:
		c := *r
		return &c
	}
	return nil
}
