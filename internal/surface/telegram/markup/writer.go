package markup

import (
	"slices"
	"strings"
)

// writer builds a text with its entities. Lines begin with the prefix, which shows the nesting. The
// line ends between two blocks are written only when the second has something to show.
type writer struct {
	text     strings.Builder
	units    int // of text
	entities []Entity
	open     []Entity // open entities, the outer first; their Length is 0
	prefix   string
	fresh    bool // at the start of a line whose prefix is not written yet
	gap      int  // line ends still to write
	flat     bool // no entities, as in a cell of a table
}

// put writes s unchanged.
func (w *writer) put(s string) {
	w.text.WriteString(s)
	w.units += Len(s)
}

// writeGap writes the pending line ends and the prefix.
func (w *writer) writeGap() {
	if w.gap > 0 && w.units > 0 {
		w.put(strings.Repeat("\n", w.gap))
		w.fresh = true
	}
	w.gap = 0
	if w.fresh {
		w.fresh = false
		w.put(w.prefix)
	}
}

// write writes text, of one or several lines.
func (w *writer) write(s string) {
	if w.flat {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	for s = strings.ReplaceAll(s, "\t", " "); s != ""; { // Telegram has no tabs
		line, rest, more := strings.Cut(s, "\n")
		if line != "" {
			w.writeGap()
			w.put(line)
		}
		if more && w.units > 0 {
			w.put("\n")
			w.fresh = true
		}
		s = rest
	}
}

// isOpen reports whether an entity of the type is open.
func (w *writer) isOpen(kind string) bool {
	return slices.ContainsFunc(w.open, func(e Entity) bool { return e.Type == kind })
}

// begin opens an entity and reports whether it did; a type that is open already is not opened
// again.
func (w *writer) begin(e Entity) bool {
	if w.flat || w.isOpen(e.Type) {
		return false
	}
	w.writeGap()
	e.Offset = w.units
	w.open = append(w.open, e)
	return true
}

// end closes the entity opened last.
func (w *writer) end() {
	last := len(w.open) - 1
	w.add(w.open[last])
	w.open = w.open[:last]
}

// add records an entity that ends here.
func (w *writer) add(e Entity) {
	if e.Length = w.units - e.Offset; e.Length > 0 {
		w.entities = append(w.entities, e)
	}
}

// writeAlone writes a text as an entity outside of others: open ones end before it and go on after
// it. Only blockquotes may contain it in Telegram.
func (w *writer) writeAlone(e Entity, text string) {
	if text == "" || w.flat || w.isOpen(Link) { // a link is worth more than a style
		w.write(text)
		return
	}
	w.writeGap()
	for _, o := range w.open {
		if o.Type != Quote {
			w.add(o)
		}
	}
	e.Offset = w.units
	w.put(text)
	w.add(e)
	for i := range w.open {
		if w.open[i].Type != Quote {
			w.open[i].Offset = w.units
		}
	}
}

// message returns the written message.
func (w *writer) message() Message {
	return tidy(Message{w.text.String(), w.entities})
}
