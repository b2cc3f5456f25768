package toolcall

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/schema"
)

var (
	decimal  = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)
	integral = regexp.MustCompile(`^(-?(?:0|[1-9][0-9]*))(?:\.0+)?$`)
)

// separators are what makes of one text perhaps several: "a, b" is never taken for a list, nor for one item of it.
const separators = ",;\n\t\u3001\uff0c\uff1b"

// coercer brings arguments into the types of their schema where nothing is lost by it. It never changes a value, it
// returns another. What it cannot bring there it leaves for the validator to complain about.
type coercer struct {
	repairs []string
}

func (c *coercer) repaired(path, format string, args ...any) {
	c.repairs = append(c.repairs, strings.TrimPrefix(path, "/")+": "+fmt.Sprintf(format, args...))
}

// became records that a value was changed, and returns what it is now.
func (c *coercer) became(path string, old, now *value) *value {
	c.repaired(path, "%s became %s", schema.Shorten(old.String()), schema.Shorten(now.String()))
	return now
}

func below(path, step string) string {
	if !strings.ContainsAny(step, "~/") {
		return path + "/" + step
	}
	return path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
}

// value coerces one value.
func (c *coercer) value(path string, v *value, s shape) *value {
	if s.fits(v) {
		return v
	}
	if choices := s.choices(); choices != nil {
		return c.choice(path, v, choices)
	}
	if values := s.values(); values != nil {
		return c.chosen(path, v, values)
	}
	switch {
	case s.takes("object") && v.kind == '{':
		return c.object(path, v, s)
	case s.takes("array") && v.kind == '[':
		return c.array(path, v, s)
	case s.takes("object") && v.kind == '"', s.takes("array") && v.kind == '"' && encloses(v.text(), "[", "]"):
		return c.decoded(path, v, s)
	case s.takes("array"):
		return c.single(path, v, s)
	}
	if now := scalar(v, s); now != nil {
		return c.became(path, v, now)
	}
	return v
}

// scalar returns v as the type that s wants, or nil.
func scalar(v *value, s shape) *value {
	text := v.text()
	switch {
	case s.takes("string") && (v.kind == '0' || v.kind == 't'):
		return &value{kind: '"', raw: quote(text)}
	case v.kind != '"':
		return nil
	case s.takes("integer") && integral.MatchString(text):
		return &value{kind: '0', raw: integral.FindStringSubmatch(text)[1]}
	case s.takes("number") && decimal.MatchString(text):
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return nil // beyond what a number can be
		}
		return &value{kind: '0', raw: whole(text)}
	case s.takes("boolean") && (text == "true" || text == "True"):
		return &value{kind: 't', raw: "true"}
	case s.takes("boolean") && (text == "false" || text == "False"):
		return &value{kind: 't', raw: "false"}
	}
	return nil
}

// choice coerces v to the only shape that it then fits. If it fits several in different ways, nobody knows which is meant.
func (c *coercer) choice(path string, v *value, choices []shape) *value {
	var found *value
	var repairs []string
	for _, s := range choices {
		trial := coercer{}
		now := trial.value(path, v, s)
		if !s.fits(now) {
			continue
		}
		if found != nil && found.String() != now.String() {
			return v
		}
		found, repairs = now, trial.repairs
	}
	if found == nil {
		return v
	}
	c.repairs = append(c.repairs, repairs...)
	return found
}

// chosen returns the one of values that v is but for capitals and the blanks around it.
func (c *coercer) chosen(path string, v *value, values []any) *value {
	if !v.scalar() || v.kind == 'n' {
		return v
	}
	var found *value
	text := strings.TrimSpace(v.text())
	for _, one := range values {
		l, ok := scalarOf(one)
		if !ok || l.kind == 'n' || !strings.EqualFold(l.text(), text) {
			continue
		}
		if found != nil {
			return v
		}
		found = l
	}
	if found == nil {
		return v
	}
	return c.became(path, v, found)
}

func encloses(text, left, right string) bool {
	text = strings.TrimSpace(text)
	return len(text) > 1 && strings.HasPrefix(text, left) && strings.HasSuffix(text, right)
}

// decoded reads an object or an array that was given as a text.
func (c *coercer) decoded(path string, v *value, s shape) *value {
	text, left, right := v.text(), "{", "}"
	if s.takes("array") {
		left, right = "[", "]"
	}
	if !encloses(text, left, right) {
		return v
	}
	now, ok := parse(text)
	if !ok {
		if now, ok = plainly(text); !ok {
			return v
		}
	}
	if now.kind != left[0] || now.doubled() {
		return v
	}
	c.became(path, v, now)
	return c.value(path, now, s)
}

// single makes a list of one scalar, if there is no doubt that it is one.
func (c *coercer) single(path string, v *value, s shape) *value {
	if !v.scalar() || v.kind == 'n' {
		return v
	}
	if text := v.text(); v.kind == '"' &&
		(strings.TrimSpace(text) == "" || strings.ContainsAny(text, separators) || strings.ContainsAny(text[:1], "[{")) {
		return v
	}
	trial := coercer{}
	item := trial.value(below(path, "0"), v, s.items())
	if !s.items().fits(item) {
		return v
	}
	return c.became(path, v, &value{kind: '[', items: []*value{item}})
}

func (c *coercer) array(path string, v *value, s shape) *value {
	now, items := &value{kind: '['}, s.items()
	for i, item := range v.items {
		now.items = append(now.items, c.value(below(path, strconv.Itoa(i)), item, items))
	}
	return now
}

// object coerces the members of an object, calls them by their own names, and leaves out what says nothing.
func (c *coercer) object(path string, v *value, s shape) *value {
	now, known := &value{kind: '{'}, 0
	for _, m := range c.renamed(path, v, s) {
		at := below(path, m.key)
		if !s.has(m.key) {
			m.value = c.value(at, m.value, s.more())
			now.members = append(now.members, m)
			continue
		}
		known++
		p := s.property(m.key)
		if !s.requires(m.key) && p.node != nil && idle(m.value, p) {
			c.repaired(at, "%s was left out", m.value.raw)
			continue
		}
		m.value = c.value(at, m.value, p)
		now.members = append(now.members, m)
	}
	if known == 0 || !s.closed() || !s.complete(now) {
		return now
	}
	now.members = slices.DeleteFunc(now.members, func(m member) bool {
		if s.has(m.key) {
			return false
		}
		c.repaired(below(path, m.key), "is unknown and was left out: %s", schema.Shorten(m.value.String()))
		return true
	})
	return now
}

// idle reports whether v is how models say that an optional argument is not given: null, or an empty text that would not
// fit.
func idle(v *value, s shape) bool {
	if s.fits(v) {
		return false
	}
	if v.kind == 'n' {
		return true
	}
	return v.raw == `""` && (s.values() != nil || !s.words())
}

// words reports whether a text of any content may fit.
func (s shape) words() bool {
	if choices := s.choices(); choices != nil && !s.spent() {
		return slices.ContainsFunc(choices, shape.words)
	}
	return s.values() == nil && (len(s.types()) == 0 || s.takes("string"))
}

// renamed gives members that the schema writes in another style the schema's name: filePath is file_path if there is
// only one such name, and it is not given already.
func (c *coercer) renamed(path string, v *value, s shape) []member {
	if !s.closed() || !slices.ContainsFunc(v.members, func(m member) bool { return !s.has(m.key) }) {
		return v.members
	}
	own := map[string][]string{} // the schema's names by their letters
	for name := range s.properties() {
		own[letters(name)] = append(own[letters(name)], name)
	}
	given := map[string]int{}
	for _, m := range v.members {
		given[letters(m.key)]++
	}
	members := slices.Clone(v.members)
	for i, m := range members {
		spelt := letters(m.key)
		if s.has(m.key) || spelt == "" || len(own[spelt]) != 1 || given[spelt] != 1 {
			continue
		}
		name := own[spelt][0]
		c.repaired(below(path, name), "was called %s", schema.Shorten(m.key))
		members[i] = member{key: name, raw: quote(name), value: m.value}
	}
	return members
}

// plain writes every whole number without a point, as package schema does: for Go 5.0 is no integer.
func (c *coercer) plain(path string, v *value) *value {
	switch v.kind {
	case '{':
		for i, m := range v.members {
			v.members[i].value = c.plain(below(path, m.key), m.value)
		}
	case '[':
		for i, item := range v.items {
			v.items[i] = c.plain(below(path, strconv.Itoa(i)), item)
		}
	case '0':
		if raw := whole(v.raw); raw != v.raw {
			return c.became(path, v, &value{kind: '0', raw: raw})
		}
	}
	return v
}

// whole writes a whole number without a point or an exponent, where that is exact; every other one stays as it is.
func whole(number string) string {
	if !strings.ContainsAny(number, ".eE") {
		return number
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f >= exact || f <= -exact || f != float64(int64(f)) || !exactly(number) {
		return number
	}
	return strconv.FormatInt(int64(f), 10)
}

// exactly reports whether a number whose nearest float is whole is whole itself: 1e-399 and 5.00000000000000000001 are not.
func exactly(number string) bool {
	const most = 400 // digits, and places that the exponent moves the point by
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil || len(number) > most || e > most || e < -most {
		return false
	}
	r, ok := new(big.Rat).SetString(number)
	return ok && r.IsInt()
}
