package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"hob/internal/lists"
)

// A tool and a command are two faces of one thing: every tool can be called by a person with a line of text, without any
// model, and passes through the same policy. The shape of the line is a pattern, such as
//
//	weather <city:string> [days:number]
//
// Its first word is the command's name. Then come the arguments, required ones in <>, optional ones in [], [path:string=.] with
// what an argument of the schema is when nobody gives it; after all of them, or between them, any argument of the schema can be given as name=value. The last one may end in three dots,
// <text:string...>: it takes the rest of the line as it stands, quotes and line ends included; a list, <names:array...>, is
// split at its commas.
//
// [ParseCommand] reads such a line, [Usage] explains it, and [Commands] finds the tool that one is for.

// NoCommand as a [Def]'s Command says that the tool is no command.
const NoCommand = "-"

// slot is a place in a command's pattern.
type slot struct {
	name, typ      string
	value          string // when nobody gives it; "" is none
	required, rest bool
}

// String is the slot as it stands in a pattern.
func (s slot) String() string {
	text := s.name + ":" + s.typ
	if s.rest {
		text += "..."
	}
	if s.value != "" {
		text += "=" + s.value
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
		b.addProblem("%v", err)
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
		inner, value, _ := strings.Cut(inner[:len(inner)-1], "=")
		inner, rest := strings.CutSuffix(inner, "...")
		arg, typ, _ := strings.Cut(inner, ":")
		s := slot{name: arg, typ: cmp.Or(typ, "string"), value: value, required: required, rest: rest}
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
	schema   json.RawMessage
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
		args = append(args, argument{name, typesIn(property), slices.Contains(s.Required, name), property})
	}
	place := func(a argument) int {
		if i := slices.Index(DefOf(t).Order, a.name); i >= 0 {
			return i
		}
		return len(DefOf(t).Order)
	}
	sort.Slice(args, func(i, j int) bool {
		if args[i].required != args[j].required {
			return args[i].required
		}
		return cmp.Or(cmp.Compare(place(args[i]), place(args[j])), strings.Compare(args[i].name, args[j].name)) < 0
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

// wordOf returns the first word of the pattern of a tool that says d of itself, or "" where it is no command.
func wordOf(d Def) string {
	if d.Command == NoCommand {
		return ""
	}
	word, _ := cutWord(d.Command)
	return cmp.Or(word, d.Name)
}

// cutWord returns the first word of a line and what stands after it.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// IsCommand reports whether a line that somebody wrote calls a command, as in "/weather Berlin": there is a word after a slash.
// "/etc/fstab is broken", "// a comment" and "/2 of them" are words like any other. Whether there is such a command it does not
// say.
func IsCommand(line string) bool {
	word, _ := cutWord(line)
	word, ok := strings.CutPrefix(word, "/")
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && r != '_' && r != '-' && r != '.'
	}
	if !ok || word == "" || strings.HasSuffix(word, ".") || strings.ContainsFunc(word, odd) {
		return false
	}
	first := []rune(word)[0]
	return unicode.IsLetter(first) || first == '_'
}

// isWord reports whether a command can be called by such a word, on every surface.
func isWord(word string) bool {
	return word != "" && word != NoCommand && !strings.ContainsAny(word, "/@=<>[]{}\"'`") && !strings.ContainsFunc(word, unprintable)
}

// unprintable reports whether r is a blank, or something that nobody sees.
func unprintable(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }

// badCommand says what is wrong with the pattern and the aliases of a tool with these arguments. A tool that is no command has
// neither aliases nor examples.
func badCommand(d Def, args []string) (bad []string) {
	if d.Command == NoCommand {
		if len(d.Aliases)+len(d.Examples) > 0 {
			bad = append(bad, "it is no command, and has aliases or examples of one")
		}
		return bad
	}
	if d.Command != "" {
		name, slots, err := parsePattern(d.Command)
		switch {
		case err != nil:
			bad = append(bad, err.Error())
		case !isWord(name):
			bad = append(bad, fmt.Sprintf("%q is no word that a command can begin with", name))
		}
		for _, s := range slots {
			if err == nil && !slices.Contains(args, s.name) {
				bad = append(bad, fmt.Sprintf("the pattern of its command names %s, which is no parameter of it", s.name))
			}
		}
	}
	for i, alias := range d.Aliases {
		switch {
		case !isWord(alias):
			bad = append(bad, fmt.Sprintf("%q is no alias: it is one word, without any of / @ = < > [ ] { } and quotes", alias))
		case slices.ContainsFunc(d.Aliases[:i], func(other string) bool { return lowerWord(other) == lowerWord(alias) }):
			bad = append(bad, fmt.Sprintf("the alias %s stands there twice", alias))
		}
	}
	return bad
}

// badExamples says which examples of t are none: they begin with another word, or cannot be read by its own pattern.
func badExamples(t Tool) (bad []string) {
	d := DefOf(t)
	for _, example := range d.Examples {
		word, rest := cutWord(example)
		word = lowerWord(strings.TrimPrefix(word, "/"))
		if word != lowerWord(d.Name) && word != lowerWord(wordOf(d)) &&
			!slices.ContainsFunc(d.Aliases, func(alias string) bool { return lowerWord(alias) == word }) {
			bad = append(bad, fmt.Sprintf("the example %q does not begin with its name", example))
			continue
		}
		if _, wrong := parseCommand(t, func(c *commandLine) *Error { return c.read(rest) }); wrong != nil {
			bad = append(bad, fmt.Sprintf("the example %q cannot be read: %s", example, wrong.Message))
		}
	}
	return bad
}

// CheckCommand returns what is wrong with a tool as a command: its pattern, aliases and examples do not fit its arguments or each
// other. [NewUntyped] and the builder refuse such a tool. A tool of [New] is checked by its test, and not at each start.
func CheckCommand(t Tool) []string {
	d := DefOf(t)
	if d.Command == "" && len(d.Aliases)+len(d.Examples) == 0 {
		return nil // most tools: their schema is not read
	}
	known, err := argumentsOf(t)
	if err != nil {
		return []string{err.Error()}
	}
	names := lists.Map(known, func(a argument) string { return a.name })
	if bad := badCommand(d, names); len(bad) > 0 {
		return bad
	}
	return badExamples(t)
}
