package tools

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

	"hob/internal/event"
)

// problem is one thing that is wrong with arguments.
type problem struct {
	path string // JSON pointer into the arguments without its leading slash; "" is all of them
	text string // a predicate: "is required"
	code string
}

func (p problem) String() string {
	if p.path == "" {
		return p.text
	}
	return p.path + ": " + p.text
}

// maxProblems is how many problems an error names.
const maxProblems = 10

// argumentError puts problems into one error: what is missing first, then by path. Its code is that of the first.
func argumentError(tool string, problems []problem) *Error {
	slices.SortStableFunc(problems, func(a, b problem) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.path, b.path))
	})
	problems = slices.CompactFunc(problems, func(a, b problem) bool { return a == b })
	if len(problems) == 0 {
		problems = []problem{{code: event.CodeInvalidValue, text: "the arguments do not fit"}}
	}
	texts := make([]string, 0, len(problems))
	for _, p := range problems {
		texts = append(texts, p.String())
	}
	if n := len(texts); n > maxProblems {
		texts = append(texts[:maxProblems], fmt.Sprintf("and %d more", n-maxProblems))
	}
	return &Error{
		Type: event.TypeValidation, Code: problems[0].code,
		Message:    strings.Join(texts, "; "),
		Suggestion: "call " + tool + " again with the arguments put right",
	}
}

func rank(p problem) int {
	if p.code == event.CodeRequiredField {
		return 0
	}
	return 1
}

// invalid is the error of a tool for an argument that its schema could not refuse.
func invalid(code, format string, args ...any) *Error {
	return &Error{Type: event.TypeValidation, Code: code, Message: fmt.Sprintf(format, args...)}
}

// explainer turns a validator's tree of failures into problems.
type explainer struct {
	object   map[string]any
	names    []string // of the arguments
	problems []problem
}

func (e *explainer) add(path []string, code, format string, args ...any) {
	pointer := ""
	for _, step := range path {
		pointer = join(pointer, step)
	}
	e.problems = append(e.problems, problem{path: pointer, code: code, text: fmt.Sprintf(format, args...)})
}

func (e *explainer) explain(f *jsonschema.ValidationError) {
	at := f.InstanceLocation
	got := func() string { return show(e.at(at)) }
	switch k := f.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			e.add(append(slices.Clone(at), name), event.CodeRequiredField, "is required")
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			e.unknown(append(slices.Clone(at), name))
		}
	case *kind.Type:
		e.add(at, event.CodeInvalidFormat, "must be %s, not %s", types(k.Want), got())
	case *kind.Enum:
		e.add(at, event.CodeInvalidValue, "must be one of %s, not %s", list(k.Want), got())
	case *kind.Const:
		e.add(at, event.CodeInvalidValue, "must be %s, not %s", show(k.Want), got())
	case *kind.Minimum:
		e.add(at, event.CodeInvalidValue, "must be at least %s, not %s", decimal(k.Want), got())
	case *kind.Maximum:
		e.add(at, event.CodeInvalidValue, "must be at most %s, not %s", decimal(k.Want), got())
	case *kind.ExclusiveMinimum:
		e.add(at, event.CodeInvalidValue, "must be more than %s, not %s", decimal(k.Want), got())
	case *kind.ExclusiveMaximum:
		e.add(at, event.CodeInvalidValue, "must be less than %s, not %s", decimal(k.Want), got())
	case *kind.MinLength:
		if k.Want == 1 {
			e.add(at, event.CodeRequiredField, "must not be empty")
			return
		}
		e.add(at, event.CodeInvalidValue, "must have at least %d characters, not %d", k.Want, k.Got)
	case *kind.MaxLength:
		e.add(at, event.CodeInvalidValue, "must have at most %d characters, not %d", k.Want, k.Got)
	case *kind.Pattern:
		e.add(at, event.CodeInvalidFormat, "must match the pattern %s, not %s", k.Want, got())
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
		e.add(path, event.CodeInvalidValue, "unknown field")
	case len(e.names) == 0:
		e.add(path, event.CodeInvalidValue, "unknown argument; it takes no arguments")
	default:
		e.add(path, event.CodeInvalidValue, "unknown argument; the arguments are %s", strings.Join(e.names, ", "))
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
		e.add(f.InstanceLocation, event.CodeInvalidValue, "fits more than one of the forms that exclude each other")
		return
	}
	e.add(f.InstanceLocation, event.CodeInvalidValue, "fits none of the allowed forms (%s)", strings.Join(texts, ", or "))
}

// other reports a failure by its causes, and a rare keyword in the validator's own words.
func (e *explainer) other(f *jsonschema.ValidationError) {
	for _, cause := range f.Causes {
		e.explain(cause)
	}
	if len(f.Causes) == 0 {
		e.add(f.InstanceLocation, event.CodeInvalidValue, "%s", f.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
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

// join appends a step to a path; see problem.path.
func join(path, step string) string {
	step = strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	if path == "" {
		return step
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
		texts = append(texts, show(v))
	}
	return strings.Join(texts, ", ")
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.FloatString(3)
}

// show renders a value as short JSON.
func show(v any) string {
	raw, err := marshalPlain(v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	return shorten(raw)
}

// marshalPlain is json.Marshal without the escapes that HTML needs and people do not.
func marshalPlain(v any) (string, error) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// shorten cuts s to what an error message can bear, between two runes.
func shorten(s string) string {
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
