package world

import (
	"maps"
	"slices"
	"strconv"
)

// differ finds the fields of two records of one kind that are not the same. It is shown the older record first, then the newer;
// what differs is appended to b as members of a JSON object ("hp":[10,7]), and differ is called with what stands there.
type differ struct {
	b      []byte
	call   func(name string, was, is []byte) // may be nil
	fields []any                             // pointers to the older record's, in the order in which it shows them
	n      int                               // of them, that the newer record has shown
	newer  bool
	some   bool // something differs
}

// diff appends to b how two records of one kind differ.
func diff(b []byte, older, newer Record, call func(name string, was, is []byte)) ([]byte, bool) {
	most := 21 // enough for most kinds
	if older.Kind() == SelfKind {
		most = 32
	}
	d := differ{b: b, call: call, fields: make([]any, 0, most)}
	older.visit(&d)
	d.newer = true
	newer.visit(&d)
	return d.b, d.some
}

// old returns the older record's field, or remembers that v is it.
func (d *differ) old(v any) any {
	if !d.newer {
		d.fields = append(d.fields, v)
		return nil
	}
	d.n++
	return d.fields[d.n-1]
}

// field begins a member that differs; it returns where its first value begins.
func (d *differ) field(name string) int {
	if d.some {
		d.b = append(d.b, ',')
	}
	d.some = true
	d.b = append(append(append(d.b, '"'), name...), '"', ':', '[')
	return len(d.b)
}

// pair ends a member whose values have been appended: older from a byte on, newer from another.
func (d *differ) pair(name string, was, is int) {
	if d.call != nil {
		value := func(v []byte) []byte {
			if string(v) == "null" {
				return nil
			}
			return v
		}
		d.call(name, value(d.b[was:is-1:is-1]), value(d.b[is:len(d.b):len(d.b)]))
	}
	d.b = append(d.b, ']')
}

// both appends the two values of a member by means of an encoder, which leaves out what is zero.
func (d *differ) both(name string, was, is func(e *encoder)) {
	from := d.field(name)
	d.value(was)
	d.b = append(d.b, ',')
	middle := len(d.b)
	d.value(is)
	d.pair(name, from, middle)
}

func (d *differ) value(v func(e *encoder)) {
	e := encoder{b: d.b, bare: true}
	v(&e)
	if len(e.b) == len(d.b) {
		e.b = append(e.b, "null"...)
	}
	d.b = e.b
}

func (d *differ) text(name string, v *string) {
	if o, ok := d.old(v).(*string); ok && *o != *v {
		d.both(name, func(e *encoder) { e.text(name, o) }, func(e *encoder) { e.text(name, v) })
	}
}

func (d *differ) raw(name string, v *string) {
	if o, ok := d.old(v).(*string); ok && *o != *v {
		d.both(name, func(e *encoder) { e.raw(name, o) }, func(e *encoder) { e.raw(name, v) })
	}
}

func (d *differ) num(name string, v *int64) {
	if o, ok := d.old(v).(*int64); ok && *o != *v {
		from := d.field(name)
		d.b = append(appendNumber(d.b, *o), ',')
		middle := len(d.b)
		d.b = appendNumber(d.b, *v)
		d.pair(name, from, middle)
	}
}

// appendNumber appends a number as it stands in an event: zero is a field that is not there.
func appendNumber(b []byte, n int64) []byte {
	if n == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n, 10)
}

func (d *differ) maybe(name string, v *Number) {
	if o, ok := d.old(v).(*Number); ok && *o != *v && (o.Known || v.Known) {
		d.both(name, func(e *encoder) { e.maybe(name, o) }, func(e *encoder) { e.maybe(name, v) })
	}
}

func (d *differ) flag(name string, v *bool) {
	if o, ok := d.old(v).(*bool); ok && *o != *v {
		d.both(name, func(e *encoder) { e.flag(name, o) }, func(e *encoder) { e.flag(name, v) })
	}
}

func (d *differ) list(name string, v *[]string) {
	if o, ok := d.old(v).(*[]string); ok && ((*o == nil) != (*v == nil) || !slices.Equal(*o, *v)) {
		d.both(name, func(e *encoder) { e.list(name, o) }, func(e *encoder) { e.list(name, v) })
	}
}

func (d *differ) words(name string, v *map[string]string) {
	if o, ok := d.old(v).(*map[string]string); ok && ((*o == nil) != (*v == nil) || !maps.Equal(*o, *v)) {
		d.both(name, func(e *encoder) { e.words(name, o) }, func(e *encoder) { e.words(name, v) })
	}
}

func (d *differ) nums(name string, v *map[string]int64) {
	if o, ok := d.old(v).(*map[string]int64); ok && ((*o == nil) != (*v == nil) || !maps.Equal(*o, *v)) {
		d.both(name, func(e *encoder) { e.nums(name, o) }, func(e *encoder) { e.nums(name, v) })
	}
}

func (d *differ) point(name string, v **Point) {
	if o, ok := d.old(v).(**Point); ok && *o != *v && ((*o == nil) != (*v == nil) || **o != **v) {
		d.both(name, func(e *encoder) { e.point(name, o) }, func(e *encoder) { e.point(name, v) })
	}
}

func (d *differ) cell(name string, v **Cell) {
	if o, ok := d.old(v).(**Cell); ok && *o != *v && ((*o == nil) != (*v == nil) || **o != **v) {
		d.both(name, func(e *encoder) { e.cell(name, o) }, func(e *encoder) { e.cell(name, v) })
	}
}

func (d *differ) talks(name string, v *[]Talk) {
	if o, ok := d.old(v).(*[]Talk); ok && !sameTalks(*o, *v) {
		d.both(name, func(e *encoder) { e.talks(name, o) }, func(e *encoder) { e.talks(name, v) })
	}
}
