package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/schema"
)

// A tool and a command are two faces of one thing: every tool can be called by a person with a line of text, without any
// model, and passes through the same policy. The shape of the line is a pattern, such as
//
//	weather <city:string> [days:number]
//
// Its first word is the command's name. Then come the arguments, required ones in <>, optional ones in []; after all of
// them, or between them, any argument of the schema can be given as name=value. The last one may end in three dots,
// <text:string...>: it takes the rest of the line as it stands, quotes and line ends included.

// NoCommand as a [Def]'s Command says that the tool is no command.
const NoCommand = "-"

// slot is a place in a command's pattern.
type slot struct {
	name, typ      string
	required, rest bool
}

// String is the slot as it stands in a pattern.
func (s slot) String() string {
	text := s.name + ":" + s.typ
	if s.rest {
		text += "..."
	}
	if s.required {
		return "<" + text + ">"
	}
	return "[" + text + "]"
}

// CommandOf returns the pattern of t as a command, and whether it is one. It is that of t's [Def], else it is made from
// the schema: the required arguments, then the others, each kind from a to z.
func CommandOf(t Tool) (pattern string, ok bool) {
	if d := DefOf(t); d.Command != "" {
		return d.Command, d.Command != NoCommand
	}
	args, err := argumentsOf(t)
	if err != nil {
		return "", false
	}
	words := []string{t.Name()}
	for _, a := range args {
		words = append(words, a.slot().String())
	}
	return strings.Join(words, " "), true
}

// CommandTool begins a tool that is a command: its name is the first word of pattern and its parameters are those of the
// pattern, strings where that names no type. What else there is to say of it, its description above all, is said to the
// [Builder].
func CommandTool(pattern string, run func(ctx context.Context, params map[string]any) (string, error)) *Builder {
	name, slots, err := parsePattern(pattern)
	b := Build(name).Run(run)
	if err != nil {
		b.blame("%v", err)
		return b
	}
	for _, s := range slots {
		b.Param(s.name, s.typ, "", s.required)
	}
	return b.Command(pattern)
}

// parsePattern reads a command's pattern.
func parsePattern(pattern string) (name string, slots []slot, err error) {
	wrong := func(format string, args ...any) (string, []slot, error) {
		return name, nil, fmt.Errorf("the pattern %q cannot be read: %s", pattern, fmt.Sprintf(format, args...))
	}
	words := strings.Fields(pattern)
	if len(words) == 0 {
		return wrong("it begins with the command's name")
	}
	name = words[0]
	if strings.ContainsAny(name, "<>[]") {
		return wrong("it begins with the command's name, not with %s", name)
	}
	for i, word := range words[1:] {
		inner, required := strings.CutPrefix(word, "<")
		closed := strings.HasSuffix(inner, ">")
		if !required {
			var optional bool
			inner, optional = strings.CutPrefix(word, "[")
			closed = optional && strings.HasSuffix(inner, "]")
		}
		if !closed {
			return wrong("%s is neither <name:type> nor [name:type]", word)
		}
		inner, rest := strings.CutSuffix(inner[:len(inner)-1], "...")
		arg, typ, _ := strings.Cut(inner, ":")
		s := slot{name: arg, typ: cmp.Or(typ, "string"), required: required, rest: rest}
		switch {
		case !inPattern(s.name):
			return wrong("%s names no argument", word)
		case slices.ContainsFunc(slots, func(other slot) bool { return other.name == s.name }):
			return wrong("%s stands in it twice", s.name)
		case s.required && i > 0 && !slots[i-1].required:
			return wrong("%s is required and stands after an optional argument", s.name)
		case s.rest && i < len(words)-2:
			return wrong("%s takes the rest of the line and is not the last", s.name)
		}
		slots = append(slots, s)
	}
	return name, slots, nil
}

// argument is what a schema says of an argument that a command needs to know.
type argument struct {
	name     string
	types    []string // none means any
	required bool
}

func (a argument) slot() slot {
	return slot{name: a.name, typ: cmp.Or(strings.Join(a.types, "|"), "any"), required: a.required}
}

// argumentsOf returns the arguments of t in the order in which a command takes them.
func argumentsOf(t Tool) ([]argument, error) {
	raw, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	var s struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read its parameters: %w", err)
	}
	args := make([]argument, 0, len(s.Properties))
	for name, property := range s.Properties {
		args = append(args, argument{name, typesIn(property), slices.Contains(s.Required, name)})
	}
	slices.SortFunc(args, func(a, b argument) int {
		if a.required != b.required {
			if a.required {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.name, b.name)
	})
	return args, nil
}

// typesIn returns the types that the schema of an argument allows, or none where it does not say.
func typesIn(property json.RawMessage) []string {
	var one struct{ Type string }
	if json.Unmarshal(property, &one) == nil {
		if one.Type == "" {
			return nil
		}
		return []string{one.Type}
	}
	var many struct{ Type []string }
	if json.Unmarshal(property, &many) == nil {
		return many.Type
	}
	return nil
}

// ParseCommand reads what stands after the name of t as a command into arguments of t, by its pattern:
//   - A word is the next argument of the pattern; name=value is the argument of that name, wherever it stands.
//   - A word, or the value after a "=", that begins with ' or " goes on to the next one of these. In "..." a \ takes the
//     meaning from a " and a \; outside of quotes it takes that of any character, a blank included. A quote inside a word
//     is one of its letters, and a word that begins with a quote is never name=value.
//   - A string is the word itself, an argument of another type is JSON: 5, true, ["a","b"].
//
// What it returns fits t's schema. The error is an [*Error] that says what is wrong and whose Suggestion is the usage.
func ParseCommand(t Tool, line string) (json.RawMessage, error) {
	pattern, ok := CommandOf(t)
	if !ok {
		return nil, &Error{Type: event.TypeNotFound, Code: event.CodeToolNotFound, Message: t.Name() + " is no command"}
	}
	args, bad := parseCommand(t, line)
	if bad == nil {
		return args, nil
	}
	if bad.Type == event.TypeValidation {
		bad.Suggestion = "usage: " + pattern
	}
	return nil, bad
}

func parseCommand(t Tool, line string) (json.RawMessage, *Error) {
	check, err := checkerOf(t)
	if err != nil {
		return nil, uncallable(t.Name(), err)
	}
	known, err := argumentsOf(t)
	if err != nil {
		return nil, uncallable(t.Name(), err)
	}
	c := commandLine{known: known, given: map[string]any{}}
	if own := DefOf(t).Command; own == "" {
		for _, a := range known {
			c.slots = append(c.slots, a.slot())
		}
	} else if _, c.slots, err = parsePattern(own); err != nil {
		return nil, uncallable(t.Name(), err)
	}
	if bad := c.read(line); bad != nil {
		return nil, bad
	}
	if missing := c.missing(); len(missing) > 0 {
		return nil, argumentError(t.Name(), missing)
	}
	raw, err := marshalParams(c.given)
	if err != nil {
		return nil, invalid(event.CodeInvalidFormat, "the arguments have no JSON form: %v", err)
	}
	return check.clean(bytes.TrimSpace(raw))
}

// commandLine is a command's line while it is read.
type commandLine struct {
	slots []slot // that are not filled yet, in their order
	known []argument
	given map[string]any
}

// read fills the slots from line.
func (c *commandLine) read(line string) *Error {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeftFunc(line, unicode.IsSpace) {
		name, after, named := c.named(line)
		if named {
			if _, twice := c.given[name]; twice {
				return invalid(event.CodeInvalidValue, "%s: is given twice", name)
			}
			line = after
		} else {
			c.slots = slices.DeleteFunc(c.slots, func(s slot) bool { _, filled := c.given[s.name]; return filled })
			if len(c.slots) == 0 {
				return invalid(event.CodeInvalidValue, "%s: is one word too many; quote words that belong together", schema.Short(line))
			}
			name = c.slots[0].name
			if c.slots[0].rest {
				c.given[name] = c.value(name, line)
				return nil
			}
		}
		text, rest, closed := nextWord(line)
		if !closed {
			return invalid(event.CodeInvalidFormat, "%s: the quote is not closed", schema.Short(line))
		}
		c.given[name] = c.value(name, text)
		line = rest
	}
	return nil
}

// named returns the argument whose name=value line begins with, and line from the value on.
func (c *commandLine) named(line string) (name, after string, ok bool) {
	name, after, ok = strings.Cut(line, "=")
	return name, after, ok && slices.ContainsFunc(c.known, func(a argument) bool { return a.name == name })
}

// nextWord returns the word that line begins with and what stands after it, and whether its quote is closed.
func nextWord(line string) (word, rest string, closed bool) {
	var b strings.Builder
	i := 0
	if line != "" && (line[0] == '\'' || line[0] == '"') {
		quote := line[0]
		for i = 1; i < len(line) && line[i] != quote; i++ {
			if quote == '"' && line[i] == '\\' && i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\\') {
				i++
			}
			b.WriteByte(line[i])
		}
		if i == len(line) {
			return "", "", false
		}
		i++
	}
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		if unicode.IsSpace(r) {
			break
		}
		if r == '\\' && i+1 < len(line) {
			i++
			_, size = utf8.DecodeRuneInString(line[i:])
		}
		b.WriteString(line[i : i+size])
		i += size
	}
	return b.String(), line[i:], true
}

// value reads text by the schema of an argument. What fits none of its types stays a string, for the schema to refuse.
func (c *commandLine) value(name, text string) any {
	var types []string
	if i := slices.IndexFunc(c.known, func(a argument) bool { return a.name == name }); i >= 0 {
		types = c.known[i].types
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	kind := "object"
	switch v.(type) {
	case nil:
		kind = "null"
	case bool:
		kind = "boolean"
	case string:
		kind = "string"
	case []any:
		kind = "array"
	case float64:
		kind = "number"
	}
	fits := slices.Contains(types, kind) || kind == "number" && slices.Contains(types, "integer")
	if slices.Contains(types, "string") && (kind == "string" || !fits) {
		return text
	}
	return json.RawMessage(text)
}

// missing names what the pattern requires and nobody gave. A schema may require less.
func (c *commandLine) missing() (problems []schema.Problem) {
	for _, s := range c.slots {
		if _, ok := c.given[s.name]; s.required && !ok {
			problems = append(problems, schema.Problem{Path: "/" + s.name, Kind: schema.Required, Text: "is required"})
		}
	}
	return problems
}
