package dice

import "strconv"

// detail writes an expression with what each die showed, and the total. Dice that do not count are ~~crossed out~~, a 6 that
// exploded is 6!, a 1 that mi2 made a 2 is 1 -> 2. What is very long is cut with ...
func (t *table) detail(it *item, total int64) string {
	w := writer{table: t, b: make([]byte, 0, 64+4*len(t.falls))}
	w.item(it)
	return string(strconv.AppendInt(append(w.b, " = "...), total, 10))
}

// writer writes items.
type writer struct {
	*table
	b       []byte
	crossed bool // within something that is crossed out
}

func (w *writer) text(s string) { w.b = append(w.b, s...) }

// item writes an item, crossed out where it was dropped.
func (w *writer) item(it *item) {
	begun := w.cross(it.kept)
	w.unmarked(it)
	w.uncross(begun)
}

// cross begins to cross out what does not count, unless it is in something that is crossed out already. It tells whether it
// began.
func (w *writer) cross(counts bool) bool {
	if counts || w.crossed {
		return false
	}
	w.crossed = true
	w.text("~~")
	return true
}

func (w *writer) uncross(begun bool) {
	if begun {
		w.crossed = false
		w.text("~~")
	}
}

func (w *writer) unmarked(it *item) {
	n := it.node
	switch {
	case it.isDie():
		w.die(it.last)
		return
	case n.kind == literal:
		w.b = n.value.write(w.b)
	case n.kind == signed:
		w.text(n.op.String())
		w.item(it.parts[0])
	case n.kind == joined:
		w.item(it.parts[0])
		w.text(" " + n.op.String() + " ")
		w.item(it.parts[1])
	case n.kind == pool:
		w.b = append(n.writeSteps(n.writePool(w.b)), ' ', '(')
		w.list(it.parts)
		w.text(")")
	default:
		w.text("(")
		w.list(it.parts)
		w.b = n.writeSteps(append(w.b, n.closingBracket()...))
	}
	if n.note != "" {
		w.text(" " + n.note)
	}
}

func (w *writer) list(parts []*item) {
	for i, part := range parts {
		if i > 0 {
			w.text(", ")
		}
		if len(w.b) > maxDetail {
			w.text("...")
			return
		}
		w.item(part)
	}
}

// die writes the falls of a die, the replaced ones first.
func (w *writer) die(last int) {
	if w.falls[last].before < 0 {
		w.fall(&w.falls[last])
		return
	}
	var falls []int
	for i := last; i >= 0; i = w.falls[i].before {
		falls = append(falls, i)
	}
	for k := len(falls) - 1; k >= 0; k-- {
		begun := w.cross(k == 0)
		w.fall(&w.falls[falls[k]])
		w.uncross(begun)
		if k > 0 {
			w.text(", ")
		}
	}
}

func (w *writer) fall(f *fall) {
	for _, value := range f.was {
		w.b = append(strconv.AppendInt(w.b, value, 10), " -> "...)
	}
	w.b = strconv.AppendInt(w.b, f.value, 10)
	if f.exploded {
		w.text("!")
	}
}
