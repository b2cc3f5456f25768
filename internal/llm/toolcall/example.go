package toolcall

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/schema"
)

// Form is how a model writes its calls. The zero Form is JSON in a tag.
type Form struct {
	Mode llm.Mode // in which it is asked
	Own  string   // natively: a call of get_weather with the city "Paris" in its own syntax; "" is JSON in a tag
}

// filled is a named argument as JSON.
type filled struct {
	name  string
	value string
}

// longestShown is how many bytes an argument has at most that an example takes over from a call.
const longestShown = 80

// Example is a call in the form f, on one line, that a model can copy: of the tool that c names, with the arguments of c
// that have no problem, and with samples for what is missing. Where c names no tool that is offered, it is a call of a
// tool that only looks. It is "" where there is no such tool.
func (o *Offer) Example(f Form, c Call) string {
	t := o.named(c.Name)
	if t == nil {
		if t = o.harmless(); t == nil {
			return ""
		}
		c = Call{}
	}
	return f.write(t.def.Name, t.sample(c))
}

// harmless returns the tool that an example calls: the first that only looks and needs an argument, or else the first
// that only looks. The tool that calls others is none.
func (o *Offer) harmless() *offered {
	var first *offered
	for i := range o.tools {
		switch t := &o.tools[i]; {
		case t.careful || t.def.Name == o.relay:
		case len(t.sample(Call{})) > 0:
			return t
		case first == nil:
			first = t
		}
	}
	return first
}

// sample returns the arguments of an example. A tool that acts gets words in angle brackets for the text that is
// missing: a model that copies an example must not do what it says.
func (t *offered) sample(c Call) []filled {
	var given map[string]json.RawMessage
	if json.Unmarshal(c.Args, &given) != nil {
		given = nil
	}
	s := shapeOf(t.listed.Raw())
	var args []filled
	for _, name := range t.listed.Names() {
		raw, has := given[name]
		isWrong := slices.ContainsFunc(c.Problems, func(p schema.Problem) bool {
			return p.Path == "/"+name || strings.HasPrefix(p.Path, "/"+name+"/")
		})
		switch {
		case has && !isWrong && len(raw) <= longestShown:
			args = append(args, filled{name, string(raw)})
		case has || s.requires(name):
			args = append(args, filled{name, s.property(name).sample(name, t.careful)})
		}
	}
	return args
}

// sample is a value of the shape, as JSON, for an argument of that name.
func (s shape) sample(name string, careful bool) string {
	if values := s.values(); len(values) > 0 {
		return schema.Short(values[0])
	}
	if choices := s.choices(); len(choices) > 0 {
		return choices[0].sample(name, careful)
	}
	types := s.types()
	if len(types) == 0 {
		types = []string{"string"}
	}
	switch types[0] {
	case "integer", "number":
		if least, ok := s.node["minimum"]; ok {
			return schema.Short(least)
		}
		return "1"
	case "boolean":
		return "true"
	case "array":
		return "[" + s.items().sample(name, careful) + "]"
	case "object":
		var args []filled
		for _, key := range slices.Sorted(maps.Keys(s.properties())) {
			if s.requires(key) {
				args = append(args, filled{key, s.property(key).sample(key, careful)})
			}
		}
		return objectOf(args)
	case "null":
		return "null"
	}
	if careful {
		return quote("<" + name + ">")
	}
	for _, row := range table("samples") {
		if strings.HasSuffix(strings.ToLower(name), row[0]) {
			return quote(row[1])
		}
	}
	return `"text"`
}

// objectOf is an object as models are trained to write it.
func objectOf(args []filled) string {
	return "{" + strings.Join(lists.Map(args, func(a filled) string { return quote(a.name) + ": " + a.value }), ", ") + "}"
}

// write writes a call.
func (f Form) write(tool string, args []filled) string {
	switch f.Mode {
	case llm.PromptMode:
		return spoken(llm.Call{Name: tool, Args: json.RawMessage(objectOf(args))})
	case llm.SchemaMode:
		return `{"thought": "I call ` + tool + `.", "tool": ` + quote(tool) + `, "arguments": ` + objectOf(args) + `}`
	}
	return cmp.Or(f.inOwnSyntax(tool, args), `<tool_call>{"name": `+quote(tool)+`, "arguments": `+objectOf(args)+`}</tool_call>`)
}

// inOwnSyntax writes a call as the model's own example is written, or "" where that has another form.
func (f Form) inOwnSyntax(tool string, args []filled) string {
	const name, asJSON = "get_weather", `{"city": "Paris"}`
	if !strings.Contains(f.Own, name) {
		return ""
	}
	called := strings.Replace(f.Own, name, tool, 1)
	if strings.Contains(called, asJSON) {
		return strings.Replace(called, asJSON, objectOf(args), 1)
	}
	for _, s := range table("own syntaxes") {
		if !strings.Contains(called, s[0]) {
			continue
		}
		var all []string
		for _, a := range args {
			value := a.value
			if text, ok := textOf(a.value); ok && s[1] != `"Paris"` {
				value = strings.Replace(s[1], "Paris", text, 1)
			}
			all = append(all, strings.NewReplacer("city", a.name, s[1], value).Replace(s[0]))
		}
		return strings.Replace(called, s[0], strings.Join(all, s[2]), 1)
	}
	return ""
}

// textOf returns the text that a piece of JSON is, if it is one.
func textOf(raw string) (text string, ok bool) {
	ok = json.Unmarshal([]byte(raw), &text) == nil && strings.HasPrefix(raw, `"`)
	return text, ok
}
