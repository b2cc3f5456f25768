package toolcall

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"hob/internal/lists"
)

// format is the JSON Schema of a reply in [llm.SchemaMode]: a branch for each tool, with the schema of its arguments, and
// one for an answer. A server that makes a grammar of it lets no model forget an argument. Members are in the order in
// which they are to be written: a model that has to name the tool first thinks afterwards.
func (o *Offer) format() json.RawMessage {
	branch := func(tool, member string) string {
		return `{"type":"object","properties":{"thought":{"type":"string"},"tool":{"const":` + quote(tool) + `},` + member +
			`},"required":["thought","tool",` + member[:strings.Index(member, ":")] + `]}`
	}
	var all []string
	for i := range o.tools {
		t := &o.tools[i]
		arguments := shapeOf(t.listed.Raw()).grammar(t.listed.Names(), grammarDepth)
		all = append(all, branch(t.def.Name, `"arguments":`+arguments))
	}
	all = append(all, branch(o.AnswerWord(), `"answer":{"type":"string"}`))
	return json.RawMessage(`{"anyOf":[` + strings.Join(all, ",") + `]}`)
}

// simpleFormat is format for a server that cannot make a grammar of it: only the name of the tool is certain then.
func (o *Offer) simpleFormat() json.RawMessage {
	var names []string
	for i := range o.tools {
		names = append(names, quote(o.tools[i].def.Name))
	}
	names = append(names, quote(o.AnswerWord()))
	return json.RawMessage(`{"type":"object","properties":{"thought":{"type":"string"},` +
		`"tool":{"type":"string","enum":[` + strings.Join(names, ",") + `]},` +
		`"arguments":{"type":"object"},"answer":{"type":"string"}},"required":["thought","tool"]}`)
}

// grammarDepth is how deep arguments keep their schema; below that anything goes.
const grammarDepth = 6

// anything is a schema of all values: to llama.cpp {} is that of an object.
const anything = `{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},{"type":"array"},{"type":"object"}]}`

// grammar renders the shape with the words of JSON Schema that llama.cpp's grammars know for certain: type, properties,
// required, items, enum and anyOf. It knows patterns and formats only in part, and refuses the schema where it does not.
// What is left out is checked once the call is there. names are the properties in their order.
func (s shape) grammar(names []string, depth int) string {
	if values := s.values(); len(values) > 0 {
		if raw, err := json.Marshal(values); err == nil {
			return `{"enum":` + string(raw) + `}`
		}
	}
	if depth == 0 {
		return anything
	}
	if choices := s.choices(); len(choices) > 0 {
		all := lists.Map(choices, func(c shape) string { return c.grammar(nil, depth-1) })
		return `{"anyOf":[` + strings.Join(all, ",") + `]}`
	}
	types := s.types()
	switch {
	case len(types) == 0:
		return anything
	case types[0] == "object":
		return s.objectGrammar(names, depth)
	case types[0] == "array":
		return `{"type":"array","items":` + s.items().grammar(nil, depth-1) + `}`
	case !slices.Contains(typeNames(), types[0]):
		return anything
	}
	return `{"type":` + quote(types[0]) + `}`
}

// objectGrammar renders an object. One that takes unknown names is any object.
func (s shape) objectGrammar(names []string, depth int) string {
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(s.properties()))
	}
	if len(names) == 0 && !s.closed() {
		return `{"type":"object"}`
	}
	var properties, required []string
	for _, name := range names {
		properties = append(properties, quote(name)+":"+s.property(name).grammar(nil, depth-1))
		if s.requires(name) {
			required = append(required, quote(name))
		}
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
}
