package saves

import (
	"math"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// spot is where in a save something stands, for warnings.
type spot struct {
	kind world.Kind
	id   string
}

func (s spot) String() string {
	if s.kind == world.SelfKind {
		return "The save"
	}
	name := s.kind.String()
	return strings.ToUpper(name[:1]) + name[1:] + " " + quoted(s.id)
}

// quoted returns s as a warning shows it: short, and without control characters.
func quoted(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + ".."
	}
	return strconv.Quote(s)
}

// isNull reports whether there is no value, or null.
func isNull(n *node) bool { return n == nil || n.kind == token && n.text == "null" }

// words returns a member as text, "" where it is missing. A number or a switch is read as it is written.
func (r *reader) words(o *node, at spot, name string) string {
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

// whole reads a whole number.
func whole(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// number returns a member as a whole number. Text that is one counts, and of a fraction its whole part; other is for what is
// missing or none of these.
func (r *reader) number(o *node, at spot, name string, other int64) int64 {
	n := o.get(name)
	if isNull(n) {
		return other
	}
	if n.kind == token {
		if v, ok := whole(n.text); ok {
			return v
		}
	}
	value, ok := other, false
	if n.kind == token || n.kind == text {
		if value, ok = whole(strings.TrimSpace(n.text)); !ok {
			value, ok = lenient(strings.TrimSpace(n.text), 1)
		}
	}
	if !ok {
		value = other
	}
	r.warn(at.String() + " has no whole number for its " + quoted(name) + ": " + strconv.FormatInt(value, 10) + " is taken.")
	return value
}

// lenient reads a number of any form, times a factor of which the whole part counts.
func lenient(s string, factor float64) (int64, bool) {
	if !isNumber(s) {
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

// The millimetres of a metre.
const metre = 1000

// millimetres reads metres.
func millimetres(n *node) (mm int64, ok bool) {
	if n.is(token) {
		if v, ok := whole(n.text); ok && v >= -math.MaxInt64/metre && v <= math.MaxInt64/metre {
			return v * metre, true
		}
	}
	if n.is(token) || n.is(text) {
		return lenient(strings.TrimSpace(n.text), metre)
	}
	return 0, false
}

// metres writes millimetres as metres.
func metres(name string, mm int64) node {
	if mm%metre == 0 {
		return num(name, mm/metre)
	}
	sign := ""
	if mm < 0 {
		sign = "-"
	}
	part := mm % metre
	if part < 0 {
		part = -part
	}
	digits := strconv.FormatInt(metre+part, 10)[1:]
	whole := strconv.FormatInt(mm/metre, 10)
	return word(name, sign+strings.TrimPrefix(whole, "-")+"."+strings.TrimRight(digits, "0"))
}

// point reads x, y and z. Nil is none of them.
func (r *reader) point(o *node, at spot) *world.Point {
	if !o.is(object) || isNull(o.get("x")) && isNull(o.get("y")) && isNull(o.get("z")) {
		return nil
	}
	var p world.Point
	for _, c := range []struct {
		name string
		v    *int64
	}{{"x", &p.X}, {"y", &p.Y}, {"z", &p.Z}} {
		n := o.get(c.name)
		if isNull(n) {
			continue
		}
		mm, ok := millimetres(n)
		if !ok || n.kind != token {
			r.warn(at.String() + " has no number of metres for its " + c.name + ".")
		}
		*c.v = mm
	}
	return &p
}

// coordinates writes a point, the origin for none.
func coordinates(p *world.Point) []node {
	if p == nil {
		p = &world.Point{}
	}
	return []node{metres("x", p.X), metres("y", p.Y), metres("z", p.Z)}
}

// attributes reads prose by name. Numbers and switches become text, and so does what is nested, as JSON; what is null is
// none.
func (r *reader) attributes(o *node, at spot) map[string]string {
	n := o.get("attributes")
	if isNull(n) {
		return nil
	}
	if n.kind != object {
		r.warn(at.String() + " has no attributes where it should.")
		return nil
	}
	attrs := make(map[string]string, len(n.kids))
	for i := range n.kids {
		switch kid := &n.kids[i]; {
		case isNull(kid):
		case kid.kind == text || kid.kind == token:
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
	for _, name := range sortedNames(attrs) {
		n.kids = append(n.kids, str(name, attrs[name]))
	}
	return n
}

// strings reads a list of texts. What is no text is passed over.
func (r *reader) strings(n *node, at spot, name string) []string {
	if isNull(n) {
		return nil
	}
	if n.kind != array {
		r.warn(at.String() + " has no list for its " + quoted(name) + ".")
		return nil
	}
	items := make([]string, 0, len(n.kids))
	for i := range n.kids {
		if n.kids[i].kind != text {
			r.warn(at.String() + " has something that is no text in its " + quoted(name) + ".")
			continue
		}
		items = append(items, n.kids[i].text)
	}
	return items
}

// onOff reads a switch.
func (r *reader) onOff(o *node, at spot, name string) bool {
	n := o.get(name)
	if !isNull(n) && (n.kind != token || n.text != "true" && n.text != "false") {
		r.warn(at.String() + " has no true or false for its " + quoted(name) + ".")
		return false
	}
	return n != nil && n.text == "true"
}
