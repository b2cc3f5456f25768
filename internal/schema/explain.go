package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Kind says what sort of thing is wrong.
type Kind string

// The kinds of problem.
const (
	Required Kind = "required_field" // an argument is missing or must not be empty
	Format   Kind = "invalid_format" // it is of another type, or no JSON
	Value    Kind = "invalid_value"  // it is none of the values that are allowed
)

// Problem is one thing that is wrong with arguments.
type Problem struct {
	Path string // JSON pointer into the arguments, such as "/stops/0/city"; "" is all of them
	Text string // a predicate: "is required"
	Kind Kind
}

// String is the problem in words: "stops/0/city: is required".
func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path[1:] + ": " + p.Text
}

// sorted returns the problems, what is missing first and then by path, each once. There is at least one.
func (e *explainer) sorted() []Problem {
	rank := func(p Problem) int {
		if p.Kind == Required {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(e.problems, func(a, b Problem) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Path, b.Path))
	})
	if len(e.problems) == 0 {
		return []Problem{{Kind: Value, Text: "the arguments do not fit"}}
	}
	return slices.Compact(e.problems)
}

// explainer turns a validator's tree of failures into problems.
type explainer struct {
	object   map[string]any
	names    []string // of the arguments
	problems []Problem
}

func (e *explainer) add(path []string, kind Kind, format string, args ...any) {
	pointer := ""
	for _, step := range path {
		pointer = join(pointer, step)
	}
	e.problems = append(e.problems, Problem{Path: pointer, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

func (e *explainer) explain(f *jsonschema.ValidationError) {
	at := f.InstanceLocation
	got := func() string { return Short(e.at(at)) }
	switch k := f.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			e.add(append(slices.Clone(at), name), Required, "is required")
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			e.unknown(append(slices.Clone(at), name))
		}
	case *kind.Type:
		e.add(at, Format, "must be %s, not %s", types(k.Want), got())
	case *kind.Enum:
		e.add(at, Value, "must be one of %s, not %s", list(k.Want), got())
	case *kind.Const:
		e.add(at, Value, "must be %s, not %s", Short(k.Want), got())
	case *kind.Minimum:
		e.add(at, Value, "must be at least %s, not %s", decimal(k.Want), got())
	case *kind.Maximum:
		e.add(at, Value, "must be at most %s, not %s", decimal(k.Want), got())
	case *kind.ExclusiveMinimum:
		e.add(at, Value, "must be more than %s, not %s", decimal(k.Want), got())
	case *kind.ExclusiveMaximum:
		e.add(at, Value, "must be less than %s, not %s", decimal(k.Want), got())
	case *kind.MinLength:
		if k.Want == 1 {
			e.add(at, Required, "must not be empty")
			return
		}
		e.add(at, Value, "must have at least %d characters, not %d", k.Want, k.Got)
	case *kind.MaxLength:
		e.add(at, Value, "must have at most %d characters, not %d", k.Want, k.Got)
	case *kind.Pattern:
		e.add(at, Format, "must match the pattern %s, not %s", k.Want, got())
	case *kind.FalseSchema:
		e.unknown(at)
	case *kind.AnyOf, *kind.OneOf:
		e.alternatives(f)
	default:
		e.other(f)
	}
}

// unknown reports a name that the schema does not have.
func (e *explainer) unknown(path []string) {
	switch {
	case len(path) > 1:
		e.add(path, Value, "unknown field")
	case len(e.names) == 0:
		e.add(path, Value, "unknown argument; it takes no arguments")
	default:
		e.add(path, Value, "unknown argument; the arguments are %s", strings.Join(e.names, ", "))
	}
}

// alternatives reports a choice that failed as one problem, for its parts contradict each other.
func (e *explainer) alternatives(f *jsonschema.ValidationError) {
	var texts []string
	for _, cause := range f.Causes {
		part := explainer{object: e.object, names: e.names}
		part.explain(cause)
		var both []string
		for _, p := range part.problems {
			both = append(both, p.String())
		}
		if text := strings.Join(both, " and "); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		e.add(f.InstanceLocation, Value, "fits more than one of the forms that exclude each other")
		return
	}
	e.add(f.InstanceLocation, Value, "fits none of the allowed forms (%s)", strings.Join(texts, ", or "))
}

// other reports a failure by its causes, and a rare keyword in the validator's own words.
func (e *explainer) other(f *jsonschema.ValidationError) {
	for _, cause := range f.Causes {
		e.explain(cause)
	}
	if len(f.Causes) == 0 {
		e.add(f.InstanceLocation, Value, "%s", f.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
	}
}

// at returns the value at path.
func (e *explainer) at(path []string) any {
	var v any = e.object
	for _, step := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		}
	}
	return v
}

// join appends a step to a JSON pointer.
func join(path, step string) string {
	if strings.ContainsAny(step, "~/") { // hardly ever
		step = strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	}
	return path + "/" + step
}

// types renders the types that are wanted: "an integer or a string".
func types(want []string) string {
	texts := make([]string, 0, len(want))
	for _, t := range want {
		switch t {
		case "integer", "array", "object":
			t = "an " + t
		case "string", "number", "boolean":
			t = "a " + t
		}
		texts = append(texts, t)
	}
	return strings.Join(texts, " or ")
}

func list(values []any) string {
	texts := make([]string, 0, len(values))
	for _, v := range values {
		texts = append(texts, Short(v))
	}
	return strings.Join(texts, ", ")
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.FloatString(3)
}

// Short renders a value as short JSON.
func Short(v any) string {
	raw, err := plain(v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	return Shorten(raw)
}

// plain is json.Marshal without the escapes that HTML needs and people do not.
func plain(v any) (string, error) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// Shorten cuts s to what an error message can bear, between two runes.
func Shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
