package toolcall

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
	"hob/internal/schema"
)

var (
	decimal  = lazyregexp.New(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)
	integral = lazyregexp.New(`^(-?(?:0|[1-9][0-9]*))(?:\.0+)?$`)
)

// separators are what makes of one text perhaps several: "a, b" is never taken for a list, nor for one item of it.
const separators = ",;\n\t\u3001\uff0c\uff1b"

// coercer brings arguments into the types of their schema where nothing is lost by it. It never changes a value, it
// returns another. What it cannot bring there it leaves for the validator to complain about.
type coercer struct {
	careful bool // see offered
	repairs []string
	wrong   []schema.Problem // what is no value
}

func (c *coercer) repaired(path, format string, args ...any) {
	c.repairs = append(c.repairs, strings.TrimPrefix(path, "/")+": "+fmt.Sprintf(format, args...))
}

// became records that a value was changed, and returns what it is now.
func (c *coercer) became(path string, old, now *value) *value {
	c.repaired(path, "%s became %s", schema.Shorten(old.String()), schema.Shorten(now.String()))
	return now
}

// value coerces one value.
func (c *coercer) value(path string, v *value, s shape) *value {
	if v = c.word(path, v, s); s.fits(v) {
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

// variable is how the name of a variable is written, and hardly a text.
var variable = lazyregexp.New(`^[a-z_]\w*\.[a-z_][\w.]*$|^(?:\w+_)?(?:value|input|result|output|response|variable|param)s?\d*$`)

// word returns what words without quotes are by the schema. What is a string for the tool stays the text that it is.
func (c *coercer) word(path string, v *value, s shape) *value {
	text := strings.TrimSpace(v.raw)
	known := literal(text)
	switch {
	case v.wrong != "":
		c.wrong = append(c.wrong, schema.Problem{Path: path, Kind: schema.Format, Text: v.wrong})
		return &value{kind: '"', raw: quote(v.text())}
	case v.kind == 'v' && known == "" && s.values() == nil && (c.careful || variable().MatchString(text)):
		c.wrong = append(c.wrong, schema.Problem{Path: path, Kind: schema.Format, Text: "must be a value in quotes, not the name " + schema.Shorten(text)})
	}
	if v.kind != 'w' && v.kind != 'v' && v.kind != 'e' {
		return v
	}
	words := slices.Equal(s.types(), []string{"string"})
	switch {
	case words && v.kind == 'e':
		return &value{kind: '"', raw: quote(v.raw)}
	case words && known != "null":
		return &value{kind: '"', raw: quote(text)}
	case v.kind == 'e' && known == "" && (encloses(text, "{", "}") || encloses(text, "[", "]")):
		if now, ok := plainly(text); ok {
			return now
		}
	}
	return v.resolved()
}

// scalar returns v as the type that s wants, or nil.
func scalar(v *value, s shape) *value {
	text := v.text()
	switch {
	case s.takes("string") && (v.kind == '0' || v.kind == 't'):
		return &value{kind: '"', raw: quote(text)}
	case v.kind != '"':
		return nil
	case s.takes("integer") && integral().MatchString(text):
		return &value{kind: '0', raw: integral().FindStringSubmatch(text)[1]}
	case s.takes("number") && decimal().MatchString(text):
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return nil // beyond what a number can be
		}
		return &value{kind: '0', raw: whole(text)}
	case s.takes("boolean") && slices.Contains([]string{"true", "True", "TRUE", "false", "False", "FALSE"}, text):
		return &value{kind: 't', raw: strings.ToLower(text)}
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

// chosen returns the value that equals v, if capitals and the blanks around v do not count.
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
	item := trial.value(schema.JoinPath(path, "0"), v, s.items())
	if !s.items().fits(item) {
		return v
	}
	return c.became(path, v, &value{kind: '[', items: []*value{item}})
}

func (c *coercer) array(path string, v *value, s shape) *value {
	now, items := &value{kind: '['}, s.items()
	for i, item := range v.items {
		now.items = append(now.items, c.value(schema.JoinPath(path, strconv.Itoa(i)), item, items))
	}
	return now
}

// object coerces the members of an object, calls them by their own names, and leaves out what says nothing.
func (c *coercer) object(path string, v *value, s shape) *value {
	now, known := &value{kind: '{'}, 0
	for _, m := range c.renamed(path, v, s) {
		at := schema.JoinPath(path, m.key)
		if !s.has(m.key) {
			m.value = c.value(at, m.value, s.more())
			now.members = append(now.members, m)
			continue
		}
		known++
		p := s.property(m.key)
		m.value = c.word(at, m.value, p)
		if !s.requires(m.key) && p.node != nil && idle(m.value, p) {
			c.repaired(at, "%s was left out", m.value.raw)
			continue
		}
		m.value = c.value(at, m.value, p)
		if text := m.value.text(); m.value.kind == '"' && (placeholder(text, m.key) || swallowsName(text, v, s)) {
			c.wrong = append(c.wrong, schema.Problem{Path: at, Kind: schema.Format, Text: "must be a value, and no more than that, not " + schema.Shorten(text)})
		}
		now.members = append(now.members, m)
	}
	if known == 0 || !s.closed() || !s.complete(now) {
		return now
	}
	now.members = slices.DeleteFunc(now.members, func(m member) bool {
		if s.has(m.key) {
			return false
		}
		c.repaired(schema.JoinPath(path, m.key), "is unknown and was left out: %s", schema.Shorten(m.value.String()))
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
	if choices := s.choices(); choices != nil && !s.exhausted() {
		return slices.ContainsFunc(choices, shape.words)
	}
	return s.values() == nil && (len(s.types()) == 0 || s.takes("string"))
}

// renamed gives members that the schema writes in another way the schema's name, if there is only one such name and it is not
// given already: filePath is file_path, file_path is path, and where the tool needs it and only looks, so is file. Of a tool with side
// effects the second goes only for an argument that it needs.
func (c *coercer) renamed(path string, v *value, s shape) []member {
	unknown := slices.ContainsFunc(v.members, func(m member) bool { return !s.has(m.key) })
	if !unknown || !s.closed() {
		return v.members
	}
	members := slices.Clone(v.members)
	for _, like := range []func(key, name string) bool{
		func(key, name string) bool { return letters(key) == letters(name) && letters(key) != "" },
		func(key, name string) bool {
			return resembles(key, name, c.careful) && (s.requires(name) || !c.careful)
		},
		func(key, name string) bool { return !c.careful && s.requires(name) && meanTheSame(key, name) },
	} {
		names := make([]string, len(members)) // what each may be called
		count := map[string]int{}
		for i, m := range members {
			if s.has(m.key) {
				count[m.key] += 2
				continue
			}
			for name := range s.properties() {
				if like(m.key, name) {
					count[name]++
					names[i] += "\n" + name
				}
			}
		}
		for i, m := range members {
			name := strings.TrimPrefix(names[i], "\n")
			if name == "" || strings.Contains(name, "\n") || count[name] != 1 {
				continue
			}
			c.repaired(schema.JoinPath(path, name), "was called %s", schema.Shorten(m.key))
			members[i] = member{key: name, raw: quote(name), value: m.value}
		}
	}
	return members
}

// resembles reports whether the words of one name are among those of the other. Strictly only the first may have more of
// them, before the others.
func resembles(key, name string, strict bool) bool {
	a, b := wordsOf(key), wordsOf(name)
	if strict {
		return len(a) > len(b) && slices.Equal(a[len(a)-len(b):], b)
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	return len(b) > 0 && !slices.ContainsFunc(b, func(word string) bool { return !slices.Contains(a, word) })
}

// meanTheSame reports whether two names end with words for one thing: file and path.
func meanTheSame(key, name string) bool {
	a, b := wordsOf(key), wordsOf(name)
	return len(a) > 0 && len(b) > 0 && slices.ContainsFunc(list("arguments of one meaning"), func(row string) bool {
		words := strings.Fields(row)
		return slices.Contains(words, a[len(a)-1]) && slices.Contains(words, b[len(b)-1])
	})
}

// wordsOf returns the words of a name in small letters: file and path of filePath, file_path and file-path.
func wordsOf(name string) []string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(out.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// plain writes every whole number without a point, as package schema does: for Go 5.0 is no integer.
func (c *coercer) plain(path string, v *value) *value {
	switch v.kind {
	case '{':
		for i, m := range v.members {
			v.members[i].value = c.plain(schema.JoinPath(path, m.key), m.value)
		}
	case '[':
		for i, item := range v.items {
			v.items[i] = c.plain(schema.JoinPath(path, strconv.Itoa(i)), item)
		}
	case '0':
		if raw := whole(v.raw); raw != v.raw {
			return c.became(path, v, &value{kind: '0', raw: raw})
		}
	}
	return v
}

// whole writes a whole number without a point or an exponent, where a float64 holds it exactly; every other one stays as it is.
func whole(number string) string {
	const most, exact = 400, 53 // digits, and places that the exponent moves the point by; bits
	_, exponent, point := strings.Cut(strings.ToLower(number), "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if !point && !strings.Contains(number, ".") || err != nil || len(number) > most || e > most || e < -most {
		return number
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok || !r.IsInt() || r.Num().BitLen() > exact {
		return number
	}
	return r.Num().String()
}
