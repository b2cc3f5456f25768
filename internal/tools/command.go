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

// Every tool is also a command: a person can call it with a line of text, without a model, under
// the same policy. The form of the line is a pattern, such as
//
//	weather <city:string> [days:number]
//
// The first word is the command's name. The arguments follow: required ones in <>, optional ones in
// []; [path:string=.] has a default. Between them or after them, any argument of the schema can be
// given as name=value. The last argument may end in three dots: <text:string...> takes the rest of
// the line unchanged, including quotes and line ends, and <names:array...> splits it at commas.
//
// [ParseCommand] reads such a line, [Usage] explains it, and [Commands] finds the tool for one.

// NoCommand as the Command of a [Def] says that the tool is no command.
const NoCommand = "-"

// slot is one argument in a command's pattern.
type slot struct {
	name, typ      string
	value          string // the default; "" is none
	required, rest bool
}

// String returns the slot as written in a pattern.
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

// CommandOf returns the pattern of t as a command; ok is false if t is no command. The pattern is
// that of t's [Def]. Otherwise it is made from the schema: the required arguments, then the others,
// each group sorted by name.
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

// CommandTool begins a tool from the pattern of a command: the first word is its name, and the
// arguments are its parameters, strings unless a type is given. The rest, above all the
// description, is set on the [Builder].
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

// parsePattern parses a command's pattern.
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

// argument is the part of an argument's schema that a command needs.
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

// typesIn returns the types that the schema of an argument allows, or none if it does not say.
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

// wordOf returns the first word of the pattern in d, or "" if the tool is no command.
func wordOf(d Def) string {
	if d.Command == NoCommand {
		return ""
	}
	word, _ := cutWord(d.Command)
	return cmp.Or(word, d.Name)
}

// cutWord splits a line after its first word.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// IsCommand reports whether a line calls a command, as in "/weather Berlin": a slash with a word
// right behind it. "/etc/fstab is broken", "// a comment" and "/2 of them" are ordinary text. It
// does not check that the command exists.
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

// isWord reports whether every surface can call a command by this word.
func isWord(word string) bool {
	return word != "" && word != NoCommand && !strings.ContainsAny(word, "/@=<>[]{}\"'`") && !strings.ContainsFunc(word, unprintable)
}

// unprintable reports whether r is a blank or invisible.
func unprintable(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }

// badCommand returns what is wrong with the pattern and the aliases of a tool with these arguments.
// A tool that is no command must have neither aliases nor examples.
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

// badExamples returns what is wrong with the examples of t: each must begin with the command's word
// and fit the pattern.
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

// CheckCommand returns what is wrong with a tool as a command: a pattern, alias or example that
// does not fit the arguments or another part. [NewUntyped] and the builder refuse such a tool. For
// a tool of [New] its test calls CheckCommand, because at each start it would take too long.
func CheckCommand(t Tool) []string {
	d := DefOf(t)
	if d.Command == "" && len(d.Aliases)+len(d.Examples) == 0 {
		return nil // true for most tools, and saves reading their schema
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
