package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"hob/internal/lists"
	"hob/internal/schema"
)

// UsageLine says in one line how t is called as a command: its pattern, the arguments that are only given by name, and an
// example where there is one. It is "" for a tool that is no command.
func UsageLine(t Tool) string {
	line := Signature(t)
	if examples := DefOf(t).Examples; line != "" && len(examples) > 0 {
		line += ", such as: " + examples[0]
	}
	return line
}

// Signature is the pattern of t as a command with the arguments that can only be given by name, as
// "weather <city:string> [days=...]", or "" where it is none. They come last, but before what takes the rest of the line.
func Signature(t Tool) string {
	pattern, ok := CommandOf(t)
	if !ok {
		return ""
	}
	known, slots, err := slotsOf(t)
	if err != nil {
		return pattern
	}
	named, last := "", ""
	if len(slots) > 0 && slots[len(slots)-1].rest {
		i := strings.LastIndexByte(pattern, ' ')
		pattern, last = pattern[:i], pattern[i:]
	}
	for _, a := range known {
		switch {
		case slices.ContainsFunc(slots, func(s slot) bool { return s.name == a.name }):
		case a.required:
			named += " " + a.name + "=..."
		default:
			named += " [" + a.name + "=...]"
		}
	}
	return pattern + named + last
}

// Usage explains t as a command to a person, in a few lines of plain text: how it is called, what it is for, what each argument
// is, its aliases and examples. For a tool that is no command it says that.
func Usage(t Tool) string {
	d := DefOf(t)
	line := Signature(t)
	if line == "" {
		return t.Name() + " is no command\n"
	}
	var b strings.Builder
	fmt.Fprintln(&b, line)
	if text := strings.TrimSpace(t.Description()); text != "" {
		fmt.Fprintln(&b, text)
	}
	known, slots, _ := slotsOf(t)
	inOrder := func(name string) int {
		if i := slices.IndexFunc(slots, func(s slot) bool { return s.name == name }); i >= 0 {
			return i
		}
		return len(slots)
	}
	sort.SliceStable(known, func(i, j int) bool { return inOrder(known[i].name) < inOrder(known[j].name) })
	for _, a := range known {
		fmt.Fprintf(&b, "  %s: %s\n", a.name, a.words())
	}
	if len(d.Aliases) > 0 {
		fmt.Fprintln(&b, "also: "+strings.Join(d.Aliases, ", "))
	}
	for i, example := range d.Examples {
		fmt.Fprintln(&b, []string{"such as: ", "         "}[min(i, 1)]+example)
	}
	return b.String()
}

// words says what an argument is: its type or the values that it can have, what its schema says of it, and what holds where
// it is not given.
func (a argument) words() string {
	var p struct {
		Description      string
		Enum             []any
		Minimum, Maximum *float64
		Default          json.RawMessage
	}
	_ = json.Unmarshal(a.schema, &p) // of one that says nothing, nothing is said
	kind := strings.Join(a.types, " or ")
	if len(p.Enum) > 0 {
		kind = "one of " + strings.Join(lists.Map(p.Enum, plainValue), ", ")
	}
	if kind == "" {
		kind = "anything"
	}
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		kind += fmt.Sprintf(" from %v to %v", *p.Minimum, *p.Maximum)
	case p.Minimum != nil:
		kind += fmt.Sprintf(" from %v on", *p.Minimum)
	case p.Maximum != nil:
		kind += fmt.Sprintf(" up to %v", *p.Maximum)
	}
	if !a.required {
		kind += ", optional"
	}
	var preset any
	if json.Unmarshal(p.Default, &preset) == nil && preset != nil {
		kind += ", " + plainValue(preset) + " if not given"
	}
	if p.Description != "" {
		kind += "; " + p.Description
	}
	return kind
}

// plainValue is a value as it is written on a command's line.
func plainValue(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return text
	}
	return schema.Short(v)
}
