package rules

import (
	"encoding/json"
	"strconv"

	"hob/internal/game/distance"
	"hob/internal/game/world"
)

// Obj builds a JSON object, its members in the order in which they are given.
type Obj struct{ b []byte }

// NewObj returns an object with nothing in it.
func NewObj() *Obj { return &Obj{b: []byte{'{'}} }

func (o *Obj) startMember(name string) {
	if len(o.b) > 1 {
		o.b = append(o.b, ',')
	}
	o.b = append(world.AppendString(o.b, name), ':')
}

// Text adds a string.
func (o *Obj) Text(name, v string) *Obj {
	o.startMember(name)
	o.b = world.AppendString(o.b, v)
	return o
}

// TextOrNull adds a string, null for "".
func (o *Obj) TextOrNull(name, v string) *Obj {
	if v == "" {
		return o.Raw(name, []byte("null"))
	}
	return o.Text(name, v)
}

// Int adds a whole number.
func (o *Obj) Int(name string, v int64) *Obj {
	o.startMember(name)
	o.b = strconv.AppendInt(o.b, v, 10)
	return o
}

// Flag adds true or false.
func (o *Obj) Flag(name string, v bool) *Obj {
	o.startMember(name)
	o.b = strconv.AppendBool(o.b, v)
	return o
}

// List adds a list of strings; nil is an empty one.
func (o *Obj) List(name string, v []string) *Obj {
	o.startMember(name)
	o.b = world.AppendStrings(o.b, v)
	return o
}

// Some adds a value unless it is empty: a text, a number, true, a list, a map or an object.
func (o *Obj) Some(name string, v any) *Obj {
	switch v := v.(type) {
	case string:
		if v != "" {
			o.Text(name, v)
		}
	case int64:
		if v != 0 {
			o.Int(name, v)
		}
	case world.Number:
		if v.Known {
			o.Int(name, v.N)
		}
	case bool:
		if v {
			o.Flag(name, v)
		}
	case []string:
		if len(v) > 0 {
			o.List(name, v)
		}
	case []*Obj:
		if len(v) > 0 {
			o.Objs(name, v)
		}
	case *Obj:
		if len(v.b) > 1 {
			o.Obj(name, v)
		}
	}
	return o
}

// Obj adds an object.
func (o *Obj) Obj(name string, v *Obj) *Obj { return o.Raw(name, v.Bytes()) }

// Objs adds a list of objects.
func (o *Obj) Objs(name string, list []*Obj) *Obj {
	o.startMember(name)
	o.b = append(o.b, '[')
	for i, v := range list {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = append(o.b, v.Bytes()...)
	}
	o.b = append(o.b, ']')
	return o
}

// Metres adds a length that is given in millimetres as metres, with the decimals that it needs.
func (o *Obj) Metres(name string, mm int64) *Obj { return o.Raw(name, []byte(distance.Metres(mm))) }

// Raw adds a value that is JSON already.
func (o *Obj) Raw(name string, v []byte) *Obj {
	o.startMember(name)
	o.b = append(o.b, v...)
	return o
}

// Bytes returns the object so far.
func (o *Obj) Bytes() json.RawMessage {
	return append(append(make([]byte, 0, len(o.b)+1), o.b...), '}')
}

// Items collects what a result lists: an object of each, and its line in words.
type Items struct {
	Objs  []*Obj
	Lines []string
}

// Add adds an object and its line.
func (i *Items) Add(o *Obj, line string) {
	i.Objs, i.Lines = append(i.Objs, o), append(i.Lines, line)
}
