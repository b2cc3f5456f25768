package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"hob/internal/lists"
	"hob/internal/schema"
)

// UsageLine explains in one line how to call t as a command: its pattern, the arguments that only
// have names, and an example if there is one. It is "" for a tool that is no command.
func UsageLine(t Tool) string {
	line := Signature(t)
	if examples := DefOf(t).Examples; line != "" && len(examples) > 0 {
		line += ", such as: " + examples[0]
	}
	return line
}

// Signature returns the pattern of t with the arguments that can only be given by name, such as
// "weather <city:string> [days=...]", or "" if t is no command. Those arguments come last, but
// before one that takes the rest of the line.
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

// Usage explains t as a command to a person in a few lines of plain text: how to call it, what it
// is for, its arguments, aliases and examples. For a tool that is no command it says so.
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

// words describes an argument: its type or possible values, the description in its schema, and its
// default.
func (a argument) words() string {
	var p struct {
		Description      string
		Enum             []any
		Minimum, Maximum *float64
		Default          json.RawMessage
	}
	_ = json.Unmarshal(a.schema, &p) // a schema that cannot be read adds nothing
	kind := strings.Join(a.types, " or ")
	if len(p.Enum) > 0 {
		kind = "one of " + strings.Join(lists.Map(p.Enum, plainValue), ", ")
	}
	kind = cmp.Or(kind, "anything")
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

// plainValue writes a value as on a command's line.
func plainValue(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return text
	}
	return schema.Short(v)
}
