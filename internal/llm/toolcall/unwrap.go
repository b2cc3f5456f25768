package toolcall

import (
	"bytes"
	"slices"
	"strings"

	"hob/internal/schema"
)

// layers is how many things may be around the arguments.
const layers = 6

// wrappers are the names under which models put their arguments once more.
func wrappers() []string { return append(argumentKeys(), "properties") }

// unwrap reads the arguments and takes off what is around them: a string that holds JSON, a list of one, a name such as
// "parameters", the tool's schema.
func (m *mender) unwrap(text string) (*value, *schema.Problem) {
	v, bad := m.read(text)
	for range layers {
		if bad != nil {
			return nil, bad
		}
		switch {
		case v.kind == 'n':
			m.repaired("its arguments were null")
			return &value{kind: '{'}, nil
		case v.kind == '"' && holdsJSON(v.text()):
			m.repaired("its arguments were JSON in a string")
			v, bad = m.read(v.text())
			continue
		case v.kind == '[' && len(v.items) == 1 && v.items[0].kind == '{':
			m.repaired("its arguments were in a list")
			v = v.items[0]
			continue
		case v.kind == '[' && m.only() != "" && (len(v.items) == 1 || m.shape().property(m.only()).takes("array")):
			m.repaired("its arguments were a list")
			if !m.shape().property(m.only()).takes("array") {
				v = v.items[0]
			}
			return &value{kind: '{', members: []member{{raw: `""`, value: v}}}, nil
		case v.kind != '{':
			return nil, &schema.Problem{Kind: schema.Format, Text: "the arguments must be a JSON object, not " + schema.Shorten(v.String())}
		}
		if inner, name := m.wrapped(v); inner != nil {
			m.repaired("its arguments were inside " + quote(name))
			v = inner
			continue
		}
		return m.unechoed(v)
	}
	return nil, &schema.Problem{Kind: schema.Format, Text: "the arguments are wrapped too often"}
}

// holdsJSON reports whether a string is likely to hold arguments.
func holdsJSON(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "[{") || text == "null"
}

// wrapped returns the arguments inside v and the name they stand under, or nil. That name must not be one of the tool's.
func (m *mender) wrapped(v *value) (inner *value, name string) {
	for _, mem := range v.members {
		switch {
		case m.shape().has(mem.key):
			return nil, ""
		case slices.Contains(wrappers(), mem.key) && inner == nil:
			inner, name = mem.value, mem.key
		case slices.Contains([]string{"name", "tool", "function"}, mem.key) && mem.value.kind == '"' &&
			letters(mem.value.text()) == letters(m.tool.def.Name): // the whole call once more
		default:
			return nil, ""
		}
	}
	if inner == nil || inner.kind != '{' && (inner.kind != '"' || !holdsJSON(inner.text())) {
		return nil, ""
	}
	if name == "properties" && m.describes(inner) {
		return nil, ""
	}
	return inner, name
}

// echoes reports quickly whether arguments may be a schema.
func echoes(args []byte) bool {
	return bytes.Contains(args, []byte(`"properties"`)) && bytes.Contains(args, []byte(`"object"`))
}

// unechoed takes the values out of a schema that was given as arguments, or says that there are none in it.
func (m *mender) unechoed(v *value) (*value, *schema.Problem) {
	properties, kind := v.get("properties"), v.get("type")
	if m.shape().has("properties") || properties == nil || properties.kind != '{' {
		return v, nil
	}
	if kind == nil && len(v.members) > 1 || kind != nil && kind.text() != "object" {
		return v, nil
	}
	if m.describes(properties) {
		return nil, &schema.Problem{Kind: schema.Format, Text: "the arguments are the schema of the tool, not values for it"}
	}
	m.repaired("its arguments were inside the tool's schema")
	return properties, nil
}

// describes reports whether properties tells what the arguments are like instead of what they are.
func (m *mender) describes(properties *value) bool {
	for _, mem := range properties.members {
		if mem.value.kind != '{' {
			continue
		}
		wanted := m.shape().property(mem.key)
		if !slices.Contains(wanted.types(), "object") {
			return true
		}
		if t := mem.value.get("type"); t != nil && !wanted.has("type") && slices.Contains(typeNames(), t.text()) {
			return true
		}
	}
	return false
}
