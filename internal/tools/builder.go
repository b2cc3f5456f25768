package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"hob/internal/lists"
)

// Builder builds a tool whose parameters are known only at run time. [Build] begins one, and its
// method Tool ends it:
//
//	weather, err := tools.Build("get_weather").
//		Desc("Says what the weather is in a city.").
//		Param("city", "string", "where", true).
//		Param("days", "integer", "how many days ahead", false).
//		Keyword("weather", "rain").
//		Capabilities(tools.Reads | tools.Sends | tools.Untrusted).
//		Run(forecast).
//		Tool()
//
// Tool reports all mistakes at once. A typed function needs no builder; see [New].
type Builder struct {
	def    Def
	stated bool // Capabilities was called
	params []param
	run    func(context.Context, map[string]any) (string, error)
	bad    []string
}

// param is one parameter of a tool that is being built.
type param struct {
	name, typ, description string
	required               bool
}

// Build begins a tool of that name.
func Build(name string) *Builder { return &Builder{def: Def{Name: name}} }

// paramTypes are the types that a parameter can have.
func paramTypes() []string {
	return []string{"string", "number", "integer", "boolean", "array", "object"}
}

// Desc sets the description, which tells the model what the tool is for.
func (b *Builder) Desc(text string) *Builder {
	b.def.Description = text
	return b
}

// Param adds a parameter. Typ is a type of JSON Schema: string, number, integer, boolean, array or
// object. A second call for one name replaces the first and keeps its place. Models see required
// parameters before the others, each kind in the order of the calls.
func (b *Builder) Param(name, typ, description string, required bool) *Builder {
	if !inPattern(name) {
		b.addProblem("%q is no name for a parameter: it has no blanks and none of : = < > [ ] and quotes", name)
		return b
	}
	if !slices.Contains(paramTypes(), typ) {
		b.addProblem("parameter %s: there is no type %q: it is one of %s", name, typ, strings.Join(paramTypes(), ", "))
		return b
	}
	p := param{name, typ, description, required}
	if i := slices.IndexFunc(b.params, func(old param) bool { return old.name == name }); i >= 0 {
		b.params[i] = p
		return b
	}
	b.params = append(b.params, p)
	return b
}

// Tag adds topics of the tool.
func (b *Builder) Tag(tags ...string) *Builder {
	b.def.Tags = append(b.def.Tags, tags...)
	return b
}

// Keyword adds words; a message with one of them may need the tool.
func (b *Builder) Keyword(words ...string) *Builder {
	b.def.Keywords = append(b.def.Keywords, words...)
	return b
}

// Platform adds platforms on which the tool works. Without any it works on all.
func (b *Builder) Platform(platforms ...string) *Builder {
	b.def.Platforms = append(b.def.Platforms, platforms...)
	return b
}

// Scope adds scopes in which the tool works: private, group, channel. Without any it works in all.
func (b *Builder) Scope(scopes ...string) *Builder {
	for _, s := range scopes {
		if s != "private" && s != "group" && s != "channel" {
			b.addProblem("there is no scope %q: it is one of private, group, channel", s)
		}
	}
	b.def.Scopes = append(b.def.Scopes, scopes...)
	return b
}

// Permission sets the lowest level that may call the tool; without it that is [User].
func (b *Builder) Permission(level Level) *Builder {
	if level < User || level > Owner {
		b.addProblem("there is no permission level %d: it is one of %s to %s", int(level), User, Owner)
	}
	b.def.Level = level
	return b
}

// Hidden keeps the tool out of every model's list; people can call it.
func (b *Builder) Hidden() *Builder {
	b.def.Hidden = true
	return b
}

// Command sets the tool's pattern as a command, see [CommandOf]. [NoCommand] means that the tool is
// no command.
func (b *Builder) Command(pattern string) *Builder {
	b.def.Command = pattern
	return b
}

// Alias adds further names of the command.
func (b *Builder) Alias(words ...string) *Builder {
	b.def.Aliases = append(b.def.Aliases, words...)
	return b
}

// Example adds example lines, such as "weather Berlin unit=F". Each must fit the tool's pattern.
func (b *Builder) Example(lines ...string) *Builder {
	b.def.Examples = append(b.def.Examples, lines...)
	return b
}

// Source sets where the tool comes from.
func (b *Builder) Source(source string) *Builder {
	b.def.Source = source
	return b
}

// Capabilities adds capabilities. If it is never called, the tool counts as able to do anything.
func (b *Builder) Capabilities(caps Capabilities) *Builder {
	b.def.Capabilities |= caps
	b.stated = true
	return b
}

// Run sets the tool's function. Its params fit the schema; numbers are float64.
func (b *Builder) Run(run func(ctx context.Context, params map[string]any) (string, error)) *Builder {
	b.run = run
	return b
}

func (b *Builder) addProblem(format string, args ...any) {
	b.bad = append(b.bad, fmt.Sprintf(format, args...))
}

// Tool returns the tool, or an error that names all mistakes. Later calls of the builder do not
// change the tool.
func (b *Builder) Tool() (Tool, error) {
	bad := slices.Clone(b.bad)
	if b.run == nil {
		bad = append(bad, "it has no function to run")
	}
	names := lists.Map(b.params, func(p param) string { return p.name })
	bad = append(bad, badCommand(b.def, names)...)
	if len(bad) > 0 {
		return nil, fmt.Errorf("define tool %q: %s", b.def.Name, strings.Join(bad, "; "))
	}
	d := b.def
	if !b.stated {
		d.Capabilities = AnyCapability
	}
	schema, err := b.schema()
	if err != nil {
		return nil, fmt.Errorf("define tool %q: %w", b.def.Name, err)
	}
	return NewUntyped(d, schema, b.run)
}

// schema returns the JSON Schema of the parameters. It writes the properties itself, because a map
// would lose their order.
func (b *Builder) schema() (map[string]any, error) {
	required := []string{}
	params := slices.Clone(b.params)
	sort.SliceStable(params, func(i, j int) bool { return params[i].required && !params[j].required })
	var properties bytes.Buffer
	for i, p := range params {
		property := map[string]string{"type": p.typ}
		if p.description != "" {
			property["description"] = p.description
		}
		if p.required {
			required = append(required, p.name)
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(property)
		if err != nil {
			return nil, err
		}
		properties.WriteByte("{,"[min(i, 1)])
		properties.Write(append(append(name, ':'), value...))
	}
	if len(params) == 0 {
		properties.WriteByte('{')
	}
	properties.WriteByte('}')
	schema := map[string]any{"type": "object", "properties": json.RawMessage(properties.Bytes())}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema, nil
}

// inPattern reports whether a parameter name can be part of a command's pattern and come before a
// "=".
func inPattern(name string) bool {
	return name != "" && !strings.ContainsAny(name, ":=<>[]\"'`") && !strings.ContainsFunc(name, unicode.IsSpace)
}
