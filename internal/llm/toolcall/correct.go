package toolcall

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/schema"
)

// Bounds of what a model reads of a call that does not fit.
const (
	mostAttempts = 3   // in a row; see the re-ask ladder of package agent
	mostProblems = 6   // of one call
	mostProblem  = 300 // bytes of one problem
	mostValues   = 12  // values of an enum in a line of [Offer.Mini]
	miniDepth    = 2   // objects within objects there
)

// AskedAgain is the problem of what looks like a call and cannot be read for certain: it does not run, and the model is
// asked for it in its form.
const AskedAgain = "asked again"

// Correction is what the tool says to a call that does not fit: what is wrong, a call in the form f that would fit, and
// which attempt this is, from 1. It differs from one attempt to the next, because small models copy what they said after
// the same words before.
func (o *Offer) Correction(f Form, c Call, attempt int) string {
	var problems []string
	section := "wrong"
	for _, p := range c.Problems {
		switch p.Text {
		case cutOff:
			section = "cut"
		case AskedAgain:
			section = "looks"
		}
		if len(problems) < mostProblems {
			problems = append(problems, display.TruncateBytes(p.String(), mostProblem))
		}
	}
	if more := len(c.Problems) - len(problems); more > 0 {
		problems = append(problems, fmt.Sprintf("and %d more", more))
	}
	switch {
	case len(o.tools) == 0:
		section = "nothing"
	case o.named(c.Name) == nil:
		section = "unknown"
	}
	text := say(section, "problems", strings.Join(problems, "; "), "tool", c.Name)
	if example := o.Example(f, c); example != "" && section != "cut" {
		text += "\n" + say("example", "example", example)
	}
	switch {
	case attempt >= mostAttempts:
		text += "\n" + say("last")
	case attempt > 1 && section == "wrong":
		text += "\n" + say("again")
	}
	return text + fmt.Sprintf(" (attempt %d of %d)", attempt, max(attempt, mostAttempts))
}

// Mini is the schema of a tool in one line, such as
//
//	read_file(path: string, offset?: integer 0.., mode?: create|append)
//
// with ? behind what may be left out. It is "" for a tool that is not offered.
func (o *Offer) Mini(tool string) string {
	t := o.named(tool)
	if t == nil {
		return ""
	}
	s := shapeOf(t.listed.Raw())
	names := t.listed.Names()
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(s.properties()))
	}
	return tool + "(" + s.fields(names, miniDepth) + ")"
}

// fields renders the named properties.
func (s shape) fields(names []string, depth int) string {
	var out []string
	for _, name := range names {
		mark := "?"
		if s.requires(name) {
			mark = ""
		}
		out = append(out, name+mark+": "+s.property(name).mini(depth))
	}
	return strings.Join(out, ", ")
}

// mini renders one type.
func (s shape) mini(depth int) string {
	if values := s.values(); values != nil {
		return alternatives(values)
	}
	if choices := s.choices(); len(choices) > 0 && depth > 0 {
		var all []string
		for _, c := range choices {
			if text := c.mini(depth - 1); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		return strings.Join(all, "|")
	}
	switch types := s.types(); {
	case len(types) == 0:
		return "any"
	case types[0] == "integer", types[0] == "number":
		return strings.TrimSpace(types[0] + " " + s.span())
	case types[0] == "string":
		format, _ := s.node["format"].(string)
		return strings.TrimSpace("string " + format)
	case types[0] == "array" && depth > 0:
		item := s.items().mini(depth - 1)
		if strings.ContainsAny(item, " |") && !strings.HasPrefix(item, "{") {
			item = "(" + item + ")"
		}
		return item + "[]"
	case types[0] == "object" && depth > 0 && len(s.properties()) > 0:
		return "{" + s.fields(slices.Sorted(maps.Keys(s.properties())), depth-1) + "}"
	default:
		return types[0]
	}
}

// span renders the bounds of a number.
func (s shape) span() string {
	least, from := s.node["minimum"]
	most, to := s.node["maximum"]
	switch {
	case from && to:
		return fmt.Sprintf("%v..%v", least, most)
	case from:
		return fmt.Sprintf("%v..", least)
	case to:
		return fmt.Sprintf("..%v", most)
	}
	return ""
}

// alternatives renders the values of an enum.
func alternatives(values []any) string {
	var out []string
	for _, v := range values[:min(len(values), mostValues)] {
		if l, ok := scalarOf(v); ok {
			out = append(out, l.text())
		} else {
			out = append(out, schema.Short(v))
		}
	}
	if len(values) > mostValues {
		out = append(out, "...")
	}
	return strings.Join(out, "|")
}
