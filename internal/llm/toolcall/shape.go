package toolcall

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/lists"
)

const (
	mostHops  = 16     // references of a schema that are followed to get at one piece of it
	mostSteps = 20_000 // pieces that are looked at for one call: choices within choices could take for ever
)

// shape is a piece of a schema, as far as coercion goes by it: types, values, properties and choices. What it does not
// know, such as lengths and patterns, only the validator judges. A shape without a node is that of anything.
type shape struct {
	root map[string]any
	node map[string]any
	top  bool // the arguments themselves, which take no unknown names unless they say so
	left *int // steps, shared by all shapes of a call
}

func typeNames() []string {
	return []string{"string", "integer", "number", "boolean", "object", "array", "null"}
}

// shapeOf returns the shape of a tool's arguments.
func shapeOf(raw json.RawMessage) shape {
	var root map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&root) != nil {
		return shape{}
	}
	left := mostSteps
	s := shape{root: root, left: &left}.of(root)
	_, referred := root["$ref"]
	s.top = !referred
	return s
}

// again returns the shape with all its steps, for another call.
func (s shape) again() shape {
	if s.left != nil {
		left := mostSteps
		s.left = &left
	}
	return s
}

// of returns the shape of a piece of the same schema, behind its references and with the parts of its allOf as one.
func (s shape) of(piece any) shape {
	node, _ := piece.(map[string]any)
	for range mostHops {
		ref, ok := node["$ref"].(string)
		if !ok {
			break
		}
		node = s.refer(ref)
	}
	if parts, ok := node["allOf"].([]any); ok {
		node = s.joined(node, parts)
	}
	return shape{root: s.root, node: node, left: s.left}
}

// refer returns what a reference inside the schema points to.
func (s shape) refer(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	var at any = s.root
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if step == "" {
			continue
		}
		in, _ := at.(map[string]any)
		at = in[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	node, _ := at.(map[string]any)
	return node
}

// joined lays the parts of an allOf over node; what node says itself wins, and properties and required names add up.
func (s shape) joined(node map[string]any, parts []any) map[string]any {
	all := map[string]any{}
	properties, required := map[string]any{}, []any{}
	lay := func(from map[string]any) {
		for word, says := range from {
			switch word {
			case "properties":
				more, _ := says.(map[string]any)
				maps.Copy(properties, more)
			case "required":
				more, _ := says.([]any)
				required = append(required, more...)
			case "allOf":
			default:
				all[word] = says
			}
		}
	}
	for _, part := range parts {
		from, _ := part.(map[string]any)
		if ref, ok := from["$ref"].(string); ok {
			from = s.refer(ref)
		}
		lay(from)
	}
	lay(node)
	if len(properties) > 0 {
		all["properties"] = properties
	}
	if len(required) > 0 {
		all["required"] = required
	}
	return all
}

// types returns the types that are allowed; none where the shape does not say.
func (s shape) types() []string {
	switch t := s.node["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var types []string
		for _, one := range t {
			if name, ok := one.(string); ok {
				types = append(types, name)
			}
		}
		return types
	}
	if s.node["properties"] != nil {
		return []string{"object"}
	}
	if s.node["items"] != nil {
		return []string{"array"}
	}
	return nil
}

func (s shape) takes(kind string) bool { return slices.Contains(s.types(), kind) }

// properties returns the schema's own names for the members of an object.
func (s shape) properties() map[string]any {
	p, _ := s.node["properties"].(map[string]any)
	return p
}

func (s shape) has(key string) bool {
	_, ok := s.properties()[key]
	return ok
}

func (s shape) property(key string) shape { return s.of(s.properties()[key]) }

// more returns the shape of members that the schema does not name.
func (s shape) more() shape { return s.of(s.node["additionalProperties"]) }

func (s shape) items() shape { return s.of(s.node["items"]) }

func (s shape) requires(key string) bool {
	names, _ := s.node["required"].([]any)
	return slices.Contains(names, any(key))
}

// complete reports whether v has all that the schema requires.
func (s shape) complete(v *value) bool {
	names, _ := s.node["required"].([]any)
	return !slices.ContainsFunc(names, func(name any) bool {
		key, ok := name.(string)
		return ok && v.get(key) == nil
	})
}

// closed reports whether an object may hold only the names of its properties. As in package schema, the arguments
// themselves are closed unless they say something else.
func (s shape) closed() bool {
	if more, says := s.node["additionalProperties"]; says {
		return more == false && s.node["patternProperties"] == nil
	}
	opening := []string{"unevaluatedProperties", "patternProperties", "$dynamicRef", "anyOf", "oneOf", "if"}
	return s.top && s.root["allOf"] == nil && !slices.ContainsFunc(opening, func(word string) bool {
		_, says := s.root[word]
		return says
	})
}

// values returns the values of an enum or a const, or nil.
func (s shape) values() []any {
	if one, ok := s.node["const"]; ok {
		return []any{one}
	}
	values, _ := s.node["enum"].([]any)
	return values
}

// choices returns the shapes of an anyOf, a oneOf or a list of types: a value has to fit one of them.
func (s shape) choices() []shape {
	for _, word := range []string{"anyOf", "oneOf"} {
		if all, ok := s.node[word].([]any); ok && s.node["type"] == nil && s.node["properties"] == nil {
			return lists.Map(all, s.of)
		}
	}
	types := s.types()
	if len(types) < 2 {
		return nil
	}
	return lists.Map(types, func(t string) shape {
		node := maps.Clone(s.node)
		node["type"] = t
		return shape{root: s.root, node: node, left: s.left}
	})
}

// scalarOf is a schema's value as a piece of JSON. It reports false for objects and arrays.
func scalarOf(v any) (*value, bool) {
	switch v := v.(type) {
	case string:
		return &value{kind: '"', raw: quote(v)}, true
	case json.Number:
		return &value{kind: '0', raw: v.String()}, true
	case bool:
		return &value{kind: 't', raw: strconv.FormatBool(v)}, true
	case nil:
		return &value{kind: 'n', raw: "null"}, true
	}
	return nil, false
}

// exhausted counts a step and reports whether there are none left.
func (s shape) exhausted() bool {
	if s.left == nil {
		return false
	}
	*s.left--
	return *s.left < 0
}

// fits reports whether v fits, as far as a shape can tell. When there are no steps left, everything does: what fits is left
// alone, and the validator has the last word.
func (s shape) fits(v *value) bool {
	if s.node == nil || s.exhausted() {
		return true
	}
	if choices := s.choices(); choices != nil {
		return slices.ContainsFunc(choices, func(c shape) bool { return c.fits(v) })
	}
	if values := s.values(); values != nil && !listed(values, v) {
		return false
	}
	if types := s.types(); len(types) > 0 && !v.is(types[0]) {
		return false
	}
	switch v.kind {
	case '{':
		if !s.complete(v) {
			return false
		}
		for _, m := range v.members {
			p := s.more()
			if s.has(m.key) {
				p = s.property(m.key)
			} else if s.closed() {
				return false
			}
			if !p.fits(m.value) {
				return false
			}
		}
	case '[':
		items := s.items()
		return !slices.ContainsFunc(v.items, func(item *value) bool { return !items.fits(item) })
	}
	return true
}

// listed reports whether v is one of values.
func listed(values []any, v *value) bool {
	return slices.ContainsFunc(values, func(one any) bool {
		l, ok := scalarOf(one)
		return !ok || l.kind == v.kind && l.text() == v.text()
	})
}

// is reports whether v is of a JSON Schema type.
func (v *value) is(kind string) bool {
	kinds := map[string]byte{"object": '{', "array": '[', "string": '"', "boolean": 't', "null": 'n', "number": '0', "integer": '0'}
	want, known := kinds[kind]
	return !known || v.kind == want && (kind != "integer" || !strings.ContainsAny(whole(v.raw), ".eE"))
}
