package saves

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/game/distance"
	"hob/internal/game/world"
)

// subject is the record that a warning is about.
type subject struct {
	kind world.Kind
	id   string
}

func (s subject) String() string {
	if s.kind == world.SelfKind {
		return "The save"
	}
	name := s.kind.String()
	return strings.ToUpper(name[:1]) + name[1:] + " " + quoted(s.id)
}

// quoted returns s as a warning shows it: short, and without control characters.
func quoted(s string) string {
	if len(s) > 80 {
		s = s[:display.CutAt(s, 80)] + ".."
	}
	return strconv.Quote(s)
}

// textOf returns a member as text, or "" if it is missing. A number or a switch is read as it is written.
func (r *reader) textOf(o *node, at subject, name string) string {
	n := o.get(name)
	switch {
	case isNull(n):
		return ""
	case n.kind == text:
		return n.text
	case n.kind == token:
		r.warn(at.String() + " has " + n.text + " for its " + quoted(name) + ", which should be text.")
		return n.text
	}
	r.warn(at.String() + " has no text for its " + quoted(name) + ".")
	return ""
}

// textsOf reads a list of texts. It passes over other items.
func (r *reader) textsOf(n *node, at subject, name string) []string {
	if isNull(n) {
		return nil
	}
	if n.kind != array {
		r.warn(at.String() + " has no list for its " + quoted(name) + ".")
		return nil
	}
	items := make([]string, 0, len(n.kids))
	for _, kid := range n.kids {
		if kid.kind != text {
			r.warn(at.String() + " has something that is no text in its " + quoted(name) + ".")
			continue
		}
		items = append(items, kid.text)
	}
	return items
}

// boolOf reads a switch.
func (r *reader) boolOf(o *node, at subject, name string) bool {
	n := o.get(name)
	if !isNull(n) && (n.kind != token || n.text != "true" && n.text != "false") {
		r.warn(at.String() + " has no true or false for its " + quoted(name) + ".")
		return false
	}
	return n != nil && n.text == "true"
}

// whole reads a whole number.
func whole(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// numberOf returns a member as a whole number. A text with a number counts, and the whole part of a fraction; other stands for
// anything else.
func (r *reader) numberOf(o *node, at subject, name string, other int64) int64 {
	n := o.get(name)
	if isNull(n) {
		return other
	}
	value, ok := other, false
	if n.kind == token || n.kind == text {
		if value, ok = whole(strings.TrimSpace(n.text)); ok && n.kind == token {
			return value
		}
		if !ok {
			value, ok = parseReal(strings.TrimSpace(n.text), 1)
		}
	}
	if !ok {
		value = other
	}
	r.warn(at.String() + " has no whole number for its " + quoted(name) + ": " + strconv.FormatInt(value, 10) + " is taken.")
	return value
}

// optionalOf returns a member as a number that may be missing.
func (r *reader) optionalOf(o *node, at subject, name string) world.Number {
	if isNull(o.get(name)) {
		return world.Number{}
	}
	return world.Known(r.numberOf(o, at, name, 0))
}

// parseReal reads a number of any form and returns its product with a factor, as a whole number.
func parseReal(s string, factor float64) (int64, bool) {
	if !json.Valid([]byte(s)) || !strings.Contains("-0123456789", s[:1]) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if f *= factor; factor > 1 {
		f = math.Round(f)
	}
	if err != nil || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// millimetres reads metres.
func millimetres(n *node) (mm int64, ok bool) {
	if n.is(token) {
		if v, ok := whole(n.text); ok && v >= -math.MaxInt64/distance.Metre && v <= math.MaxInt64/distance.Metre {
			return v * distance.Metre, true
		}
	}
	if n.is(token) || n.is(text) {
		return parseReal(strings.TrimSpace(n.text), distance.Metre)
	}
	return 0, false
}

func metres(name string, mm int64) node { return word(name, distance.Metres(mm)) }

// pointOf reads x, y and z, or nil if there is none of them.
func (r *reader) pointOf(o *node, at subject) *world.Point {
	if !o.is(object) || isNull(o.get("x")) && isNull(o.get("y")) && isNull(o.get("z")) {
		return nil
	}
	axis := func(name string) int64 {
		n := o.get(name)
		if isNull(n) {
			return 0
		}
		mm, ok := millimetres(n)
		if !ok || n.kind != token {
			r.warn(at.String() + " has no number of metres for its " + name + ".")
		}
		return mm
	}
	return &world.Point{X: axis("x"), Y: axis("y"), Z: axis("z")}
}

// coordinates writes a point, the origin for nil.
func coordinates(p *world.Point) []node {
	if p == nil {
		p = &world.Point{}
	}
	return []node{metres("x", p.X), metres("y", p.Y), metres("z", p.Z)}
}

// attributesOf reads prose by name. Numbers and switches become text, and nested values become JSON. It passes over null.
func (r *reader) attributesOf(o *node, at subject) map[string]string {
	n := o.get("attributes")
	if isNull(n) {
		return nil
	}
	if n.kind != object {
		r.warn(at.String() + " has no attributes where it should.")
		return nil
	}
	attrs := make(map[string]string, len(n.kids))
	for _, kid := range n.kids {
		switch {
		case isNull(&kid):
		case kid.kind == text:
			attrs[kid.name] = kid.text
		default:
			attrs[kid.name] = kid.canonical()
		}
	}
	return attrs
}

// prose writes attributes.
func prose(attrs map[string]string) node {
	n := obj("attributes")
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		n.kids = append(n.kids, str(name, attrs[name]))
	}
	return n
}
