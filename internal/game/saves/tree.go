package saves

import (
	"sort"
	"strconv"

	"hob/internal/game/world"
)

// index returns where the member of that name stands, or -1.
func (n *node) index(name string) int {
	if n == nil || n.kind != object {
		return -1
	}
	for i := range n.kids {
		if n.kids[i].name == name {
			return i
		}
	}
	return -1
}

// get returns the member of that name, or nil.
func (n *node) get(name string) *node {
	if i := n.index(name); i >= 0 {
		return &n.kids[i]
	}
	return nil
}

// is reports whether there is a value and of that kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// put replaces the member of kid's name, or adds it.
func (n *node) put(kid node) {
	if i := n.index(kid.name); i >= 0 {
		n.kids[i] = kid
		return
	}
	n.kids = append(n.kids, kid)
}

// drop removes the member of that name.
func (n *node) drop(name string) {
	if i := n.index(name); i >= 0 {
		n.kids = append(n.kids[:i:i], n.kids[i+1:]...)
	}
}

// finder returns a function that finds members of n, fast also where there are many.
func (n *node) finder() func(name string) *node {
	if len(n.kids) <= few {
		return n.get
	}
	at := make(map[string]int, len(n.kids))
	for i := range n.kids {
		at[n.kids[i].name] = i
	}
	return func(name string) *node {
		if i, ok := at[name]; ok {
			return &n.kids[i]
		}
		return nil
	}
}

// named returns a copy of n that is a member of that name.
func (n node) named(name string) node {
	n.name = name
	return n
}

func str(name, s string) node              { return node{name: name, kind: text, text: s} }
func word(name, tok string) node           { return node{name: name, kind: token, text: tok} }
func num(name string, n int64) node        { return word(name, strconv.FormatInt(n, 10)) }
func obj(name string, kids ...node) node   { return node{name: name, kind: object, kids: kids} }
func list(name string, items ...node) node { return node{name: name, kind: array, kids: items} }

// orNull is a text, or null for "".
func orNull(name, s string) node {
	if s == "" {
		return word(name, "null")
	}
	return str(name, s)
}

func flag(name string, on bool) node { return word(name, strconv.FormatBool(on)) }

func texts(name string, items []string) node {
	n := list(name)
	for _, s := range items {
		n.kids = append(n.kids, str("", s))
	}
	return n
}

// append appends n as compact JSON: canonical, with the members of objects in the order of their names, or in the order in
// which they stand.
func (n *node) append(b []byte, canonical bool) []byte {
	switch n.kind {
	case text:
		return world.AppendString(b, n.text)
	case array:
		b = append(b, '[')
		for i := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = n.kids[i].append(b, canonical)
		}
		return append(b, ']')
	case object:
		kids := n.kids
		if canonical && len(kids) > 1 {
			kids = append([]node(nil), kids...)
			sort.Slice(kids, func(i, j int) bool { return kids[i].name < kids[j].name })
		}
		b = append(b, '{')
		for i := range kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(world.AppendString(b, kids[i].name), ':')
			b = kids[i].append(b, canonical)
		}
		return append(b, '}')
	}
	return append(b, n.text...)
}

// canonical returns n as canonical JSON.
func (n *node) canonical() string { return string(n.append(nil, true)) }

// same reports whether two values are equal; nil is none at all. Numbers are equal when they are written alike.
func same(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind || a.text != b.text || len(a.kids) != len(b.kids) {
		return false
	}
	if a.kind == object {
		find := b.finder()
		for i := range a.kids {
			if other := find(a.kids[i].name); other == nil || !same(&a.kids[i], other) {
				return false
			}
		}
		return true
	}
	for i := range a.kids {
		if !same(&a.kids[i], &b.kids[i]) {
			return false
		}
	}
	return true
}

// diff returns in what a source differs from what hob would write for it by itself, or nil if in nothing. An object of
// differences is one of members; where the values as such differ it is a pair of what hob would write and what the source
// has, each an array of one value or none.
func diff(normal, source *node) *node {
	if same(normal, source) {
		return nil
	}
	if !normal.is(object) || !source.is(object) {
		d := list("", list(""), list(""))
		for i, n := range []*node{normal, source} {
			if n != nil {
				d.kids[i].kids = []node{n.named("")}
			}
		}
		return &d
	}
	d := obj("")
	in := source.finder()
	for i := range normal.kids {
		if one := diff(&normal.kids[i], in(normal.kids[i].name)); one != nil {
			d.kids = append(d.kids, one.named(normal.kids[i].name))
		}
	}
	in = normal.finder()
	for i := range source.kids {
		if in(source.kids[i].name) == nil {
			d.kids = append(d.kids, diff(nil, &source.kids[i]).named(source.kids[i].name))
		}
	}
	return &d
}

// patch undoes a [diff]: what hob would write for itself now becomes what the source had, as far as it was not changed since.
// Nil is no value at all.
func patch(now, d *node) *node {
	switch {
	case d == nil:
		return now
	case d.kind == array && len(d.kids) == 2:
		before, source := one(&d.kids[0]), one(&d.kids[1])
		if same(now, before) {
			return source
		}
		if now.is(array) && source.is(array) {
			return merge(now, before, source)
		}
		return now
	case d.kind != object || !now.is(object):
		return now
	}
	result := obj("")
	find := d.finder()
	for i := range now.kids {
		if kid := patch(&now.kids[i], find(now.kids[i].name)); kid != nil {
			result.kids = append(result.kids, kid.named(now.kids[i].name))
		}
	}
	find = now.finder()
	for i := range d.kids {
		if find(d.kids[i].name) == nil {
			if kid := patch(nil, &d.kids[i]); kid != nil {
				result.kids = append(result.kids, kid.named(d.kids[i].name))
			}
		}
	}
	return &result
}

// one returns the value of an array of one or none.
func one(n *node) *node {
	if len(n.kids) == 0 {
		return nil
	}
	return &n.kids[0]
}

// merge returns the items of source that are still there, or that hob never had a use for, and then those that are new.
func merge(now, before, source *node) *node {
	count := func(n *node) map[string]bool {
		set := map[string]bool{}
		if n != nil {
			for i := range n.kids {
				set[n.kids[i].canonical()] = true
			}
		}
		return set
	}
	is, was, had := count(now), count(before), count(source)
	result := list("")
	for i := range source.kids {
		if key := source.kids[i].canonical(); is[key] || !was[key] {
			result.kids = append(result.kids, source.kids[i])
		}
	}
	for i := range now.kids {
		if !had[now.kids[i].canonical()] {
			result.kids = append(result.kids, now.kids[i])
		}
	}
	return &result
}
