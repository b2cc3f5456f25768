package saves

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// kind is the sort of a JSON value.
type kind byte

const (
	object kind = '{'
	array  kind = '['
	text   kind = '"'
	token  kind = '0' // a number, true, false or null
)

// The most levels of nesting in a save, and in a state of hob. A record's Extra adds a few levels, and its reader takes a
// hundred.
const (
	deepest    = 80
	deepestOwn = 110
)

// node is a JSON value. Unlike a map it keeps the order of the members, and unlike a float the digits of a number.
type node struct {
	name string // of a member of an object
	text string // the content of a text; the bytes of a token
	kids []node // members or items
	kind kind
}

// parser makes nodes of the tokens of encoding/json. Of members with the same name the last counts.
type parser struct {
	tokens *json.Decoder
	levels int    // the deepest nesting so far
	twice  string // a name that an object has twice
}

// parse reads a whole text.
func parse(s string) (node, *parser, error) {
	p := &parser{tokens: json.NewDecoder(strings.NewReader(s))}
	p.tokens.UseNumber()
	n, err := p.value(0)
	if err == nil {
		if _, more := p.tokens.Token(); more != io.EOF {
			err = errors.New("something follows its end")
		}
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends too early")
	case err != nil:
		err = fmt.Errorf("%w, at byte %d", err, p.tokens.InputOffset())
	}
	return n, p, err
}

// parseObject reads an object. Anything else is an empty one.
func parseObject(s string) *node {
	n := obj("")
	if s != "" {
		if read, _, err := parse(s); err == nil && read.kind == object {
			n = read
		}
	}
	return &n
}

func (p *parser) value(levels int) (node, error) {
	if levels == deepestOwn {
		return node{}, fmt.Errorf("it is nested deeper than %d levels", deepest)
	}
	p.levels = max(p.levels, levels)
	t, err := p.tokens.Token()
	if err != nil {
		return node{}, err
	}
	switch t := t.(type) {
	case json.Delim:
		return p.container(kind(t), levels)
	case string:
		return str("", t), nil
	case json.Number:
		return word("", t.String()), nil
	case bool:
		return flag("", t), nil
	}
	return word("", "null"), nil
}

// container reads an object or an array after its opening bracket.
func (p *parser) container(k kind, levels int) (node, error) {
	n := node{kind: k}
	known := map[string]int{} // the members by name
	for p.tokens.More() {
		var name string
		if k == object {
			t, err := p.tokens.Token()
			if err != nil {
				return n, err
			}
			name, _ = t.(string) // the decoder allows no other names
		}
		kid, err := p.value(levels + 1)
		if err != nil {
			return n, err
		}
		kid.name = name
		if at, twice := known[name]; twice {
			p.twice, n.kids[at] = name, kid
			continue
		}
		if k == object {
			known[name] = len(n.kids)
		}
		n.kids = append(n.kids, kid)
	}
	_, err := p.tokens.Token()
	return n, err
}

// index returns the index of the member of that name, or -1.
func (n *node) index(name string) int {
	if n == nil || n.kind != object {
		return -1
	}
	return slices.IndexFunc(n.kids, func(kid node) bool { return kid.name == name })
}

// get follows a path of members. It returns nil if one of them is missing.
func (n *node) get(path ...string) *node {
	for _, name := range path {
		i := n.index(name)
		if i < 0 {
			return nil
		}
		n = &n.kids[i]
	}
	return n
}

// is reports whether there is a value of that kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// isNull reports whether there is no value, or null.
func isNull(n *node) bool { return n == nil || n.kind == token && n.text == "null" }

// of returns the members or items of a value of that kind, else none.
func (n *node) of(k kind) []node {
	if !n.is(k) {
		return nil
	}
	return n.kids
}

// put replaces the member of kid's name, or adds it.
func (n *node) put(kid node) {
	if i := n.index(kid.name); i >= 0 {
		n.kids[i] = kid
		return
	}
	n.kids = append(n.kids, kid)
}

// fill adds members that are not empty and that n lacks.
func (n *node) fill(kids ...node) {
	for _, kid := range kids {
		if (kid.text != "" || len(kid.kids) > 0) && n.index(kid.name) < 0 {
			n.kids = append(n.kids, kid)
		}
	}
}

// without returns n without the member of that name.
func (n node) without(name string) node {
	n.kids = slices.DeleteFunc(slices.Clone(n.kids), func(kid node) bool { return kid.name == name })
	return n
}

// finder returns a function that finds members of n; it is fast also in large objects.
func (n *node) finder() func(name string) *node {
	const few = 12
	if n.kind != object || len(n.kids) <= few {
		return func(name string) *node { return n.get(name) }
	}
	at := make(map[string]int, len(n.kids))
	for i := range n.kids {
		at[n.kids[i].name] = i
	}
	return func(name string) *node {
		if i, ok := at[name]; ok {
			return &n.kids[i]
		}
		return nil
	}
}

// named returns n as the member of that name.
func (n node) named(name string) node {
	n.name = name
	return n
}

func str(name, s string) node              { return node{name: name, kind: text, text: s} }
func word(name, tok string) node           { return node{name: name, kind: token, text: tok} }
func num(name string, n int64) node        { return word(name, strconv.FormatInt(n, 10)) }
func flag(name string, on bool) node       { return word(name, strconv.FormatBool(on)) }
func obj(name string, kids ...node) node   { return node{name: name, kind: object, kids: kids} }
func list(name string, items ...node) node { return node{name: name, kind: array, kids: items} }

// orNull is a text, or null for "".
func orNull(name, s string) node {
	if s == "" {
		return word(name, "null")
	}
	return str(name, s)
}

// optional is a number, or an empty node if it is not known.
func optional(name string, n world.Number) node {
	if !n.Known {
		return node{name: name}
	}
	return num(name, n.N)
}

func texts(name string, items []string) node {
	n := list(name)
	for _, s := range items {
		n.kids = append(n.kids, str("", s))
	}
	return n
}

// append appends n as compact JSON. Canonical JSON has the members in the order of their names.
func (n *node) append(b []byte, canonical bool) []byte {
	if n.kind == text {
		return world.AppendString(b, n.text)
	}
	if n.kind == token {
		return append(b, n.text...)
	}
	kids := n.kids
	if n.kind == object && canonical && len(kids) > 1 {
		kids = slices.SortedFunc(slices.Values(kids), func(a, b node) int { return strings.Compare(a.name, b.name) })
	}
	end := byte(']')
	if n.kind == object {
		end = '}'
	}
	b = append(b, byte(n.kind))
	for i := range kids {
		if i > 0 {
			b = append(b, ',')
		}
		if n.kind == object {
			b = append(world.AppendString(b, kids[i].name), ':')
		}
		b = kids[i].append(b, canonical)
	}
	return append(b, end)
}

// canonical returns n as canonical JSON.
func (n *node) canonical() string { return string(n.append(nil, true)) }
