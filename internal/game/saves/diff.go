package saves

// same reports whether two values are equal; nil is no value. Numbers are equal if they are written alike.
func same(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind || a.text != b.text || len(a.kids) != len(b.kids) {
		return false
	}
	find := b.finder()
	for i := range a.kids {
		other := &b.kids[i]
		if a.kind == object {
			other = find(a.kids[i].name)
		}
		if other == nil || !same(&a.kids[i], other) {
			return false
		}
	}
	return true
}

// diff returns the difference between the source and the value that hob would write for it, or nil if they are equal. The
// difference of two objects is an object of the differences of their members. Any other is a pair of hob's value and the
// source's, each as an array of one value or none.
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
		name := normal.kids[i].name
		if changed := diff(&normal.kids[i], in(name)); changed != nil {
			d.kids = append(d.kids, changed.named(name))
		}
	}
	in = normal.finder()
	for i := range source.kids {
		if name := source.kids[i].name; in(name) == nil {
			d.kids = append(d.kids, diff(nil, &source.kids[i]).named(name))
		}
	}
	return &d
}

// patch applies a [diff]: hob's value becomes the source's, except where hob's has changed since. Nil is no value.
func patch(now, d *node) *node {
	switch {
	case d == nil:
		return now
	case d.kind == array && len(d.kids) == 2:
		before, source := first(&d.kids[0]), first(&d.kids[1])
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
	add := func(name string, kid *node) {
		if kid != nil {
			result.kids = append(result.kids, kid.named(name))
		}
	}
	find := d.finder()
	for i := range now.kids {
		add(now.kids[i].name, patch(&now.kids[i], find(now.kids[i].name)))
	}
	find = now.finder()
	for i := range d.kids {
		if find(d.kids[i].name) == nil {
			add(d.kids[i].name, patch(nil, &d.kids[i]))
		}
	}
	return &result
}

// first returns the value of an array of one or none.
func first(n *node) *node {
	if len(n.kids) == 0 {
		return nil
	}
	return &n.kids[0]
}

// merge returns the items of the source that are still there or that hob never wrote, and then the new ones.
func merge(now, before, source *node) *node {
	set := func(n *node) map[string]bool {
		set := map[string]bool{}
		if n != nil {
			for _, item := range n.kids {
				set[item.canonical()] = true
			}
		}
		return set
	}
	is, was, had := set(now), set(before), set(source)
	result := list("")
	for _, item := range source.kids {
		if key := item.canonical(); is[key] || !was[key] {
			result.kids = append(result.kids, item)
		}
	}
	for _, item := range now.kids {
		if !had[item.canonical()] {
			result.kids = append(result.kids, item)
		}
	}
	return &result
}
