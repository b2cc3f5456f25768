package markup

import (
	"slices"
	"strings"
)

// writer puts a text and its entities together. Lines begin with the prefix, which says how deep they are
// nested; the ends of lines between two blocks are written when the second has something to show.
type writer struct {
	text     strings.Builder
	units    int // of text
	entities []Entity
	open     []Entity // those that have begun and not ended, the outer first; their Length is 0
	prefix   string
	fresh    bool // a line begins, its prefix is not written
	gap      int  // line ends to be written
	flat     bool // the text has to do without entities: a cell of a table
}

// put writes s as it is.
func (w *writer) put(s string) {
	w.text.WriteString(s)
	w.units += Len(s)
}

// writeGap writes what stands before the next that is shown.
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

// begin opens an entity, and reports whether it did: one of a type that is open already changes nothing.
func (w *writer) begin(e Entity) bool {
	if w.flat || w.isOpen(e.Type) {
		return false
	}
	w.writeGap()
	e.Offset = w.units
	w.open = append(w.open, e)
	return true
}

// end closes the entity that was opened last.
func (w *writer) end() {
	last := len(w.open) - 1
	w.add(w.open[last])
	w.open = w.open[:last]
}

// add keeps an entity that ends here.
func (w *writer) add(e Entity) {
	if e.Length = w.units - e.Offset; e.Length > 0 {
		w.entities = append(w.entities, e)
	}
}

// writeAlone writes a text as an entity that does not lie in others: those that are open end before it and go
// on after it. Telegram lets only blockquotes go on.
func (w *writer) writeAlone(e Entity, text string) {
	if text == "" || w.flat || w.isOpen(Link) { // to be led somewhere is worth more than a typeface
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

// message is what was written.
func (w *writer) message() Message {
	return tidy(Message{w.text.String(), w.entities})
}
