package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hob/internal/event"
)

// Validate reports whether args are arguments that t takes: nil, or an [*Error] of type validation that names every
// problem. It is strict: nothing is coerced, and a name that stands twice is a problem, because two readers of such an
// object may see two different calls.
//
// The schema of a tool from [New] or [NewUntyped] is compiled once. That of any other tool is compiled at every call,
// a fraction of a millisecond: it may change between two calls, and this package keeps no state.
func Validate(t Tool, args json.RawMessage) error {
	c, err := checkerOf(t)
	if err != nil {
		return err
	}
	if _, bad := c.clean(args); bad != nil {
		return bad
	}
	return nil
}

// checkerOf returns the checker of t's arguments.
func checkerOf(t Tool) (*checker, error) {
	if own, ok := t.(interface{ checker() *checker }); ok {
		return own.checker(), nil
	}
	schema, err := schemaOf(t)
	if err != nil {
		return nil, &Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed,
			Message: fmt.Sprintf("%s cannot be called: %v", t.Name(), err)}
	}
	return newChecker(t.Name(), schema), nil
}

// checker validates arguments against one schema, which it compiles when it first needs it.
type checker struct {
	tool     string
	names    func() []string // of the arguments, in the schema's order
	compiled func() (*jsonschema.Schema, error)
}

func newChecker(tool string, schema json.RawMessage) *checker {
	return &checker{
		tool:     tool,
		names:    sync.OnceValue(func() []string { return propertyNames(schema) }),
		compiled: sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(schema) }),
	}
}

// clean returns args as they are when they fit the schema, but with whole numbers in their plain form ("5", not
// "5.0"), or what is wrong with them. Absent arguments are an empty object.
func (c *checker) clean(args json.RawMessage) (json.RawMessage, *Error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	schema, err := c.compiled()
	if err != nil {
		return nil, &Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed,
			Message: fmt.Sprintf("%s cannot be called: %v", c.tool, err)}
	}
	p := parser{dec: json.NewDecoder(bytes.NewReader(args))}
	object, bad := p.arguments(args)
	if bad != nil {
		return nil, argumentError(c.tool, []problem{*bad})
	}
	if err := schema.Validate(object); err != nil {
		failed := (*jsonschema.ValidationError)(nil)
		if !errors.As(err, &failed) {
			return nil, argumentError(c.tool, []problem{{code: event.CodeInvalidFormat, text: err.Error()}})
		}
		e := explainer{object: object, names: c.names()}
		e.explain(failed)
		return nil, argumentError(c.tool, e.problems)
	}
	if !p.changed {
		return args, nil
	}
	clean, err := marshalParams(object)
	if err != nil {
		return nil, argumentError(c.tool, []problem{{code: event.CodeInvalidFormat, text: err.Error()}})
	}
	return clean, nil
}

// compile makes a schema ready to validate with. It reads no file and no address: a $ref that leaves the schema is
// an error.
func compile(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("parse its parameters: %w", err)
	}
	if m, ok := doc.(map[string]any); ok {
		shut(m)
	}
	const address = "hob:///parameters.json"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(address, doc); err != nil {
		return nil, fmt.Errorf("read its parameters: %w", err)
	}
	schema, err := c.Compile(address)
	if err != nil {
		return nil, fmt.Errorf("compile its parameters: %w", err)
	}
	return schema, nil
}

// shut closes a schema to unknown arguments unless it says something about them, or says something that may.
func shut(schema map[string]any) {
	for _, word := range []string{
		"additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if",
	} {
		if _, says := schema[word]; says {
			return
		}
	}
	schema["additionalProperties"] = false
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside of the schema", url)
}

// anyText is the pattern that holds for every text.
type anyText string

func (anyText) MatchString(string) bool { return true }
func (a anyText) String() string        { return string(a) }

// compilePattern compiles a schema's pattern. Schemas are written for another dialect of regular expressions than
// Go's; a pattern that only the other one has is left for the tool itself to check.
func compilePattern(s string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(s)
	if err != nil {
		return anyText(s), nil
	}
	return re, nil
}

// propertyNames returns the names of a schema's properties in their order.
func propertyNames(schema json.RawMessage) []string {
	var s struct {
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(s.Properties))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil
	}
	var names []string
	for dec.More() {
		tok, err := dec.Token()
		name, ok := tok.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return names
		}
		names = append(names, name)
	}
	return names
}

// maxDepth bounds how deep arguments may nest.
const maxDepth = 64

// maxExponent bounds the decimal exponent of a number: beyond it validating the number would cost more than the call.
const maxExponent = 400

// parser reads arguments into maps, slices, strings, json.Numbers, bools and nils.
type parser struct {
	dec     *json.Decoder
	changed bool // a number was given its plain form
}

// arguments reads exactly one object.
func (p *parser) arguments(raw json.RawMessage) (map[string]any, *problem) {
	if !utf8.Valid(raw) {
		return nil, &problem{code: event.CodeInvalidFormat, text: "the arguments are not valid UTF-8"}
	}
	p.dec.UseNumber()
	v, bad := p.value("", 0)
	if bad != nil {
		return nil, bad
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, &problem{code: event.CodeInvalidFormat, text: "the arguments must be a JSON object, not " + show(v)}
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, &problem{code: event.CodeInvalidFormat, text: "there is something after the arguments' closing brace"}
	}
	return object, nil
}

func (p *parser) value(path string, depth int) (any, *problem) {
	if depth > maxDepth {
		return nil, &problem{path: path, code: event.CodeInvalidFormat, text: fmt.Sprintf("nests deeper than %d levels", maxDepth)}
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, p.broken(err)
	}
	switch tok := tok.(type) {
	case json.Delim:
		if tok == '{' {
			return p.object(path, depth)
		}
		return p.array(path, depth)
	case json.Number:
		return p.number(path, tok)
	}
	return tok, nil
}

func (p *parser) object(path string, depth int) (any, *problem) {
	object := map[string]any{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, p.broken(err)
		}
		name, _ := tok.(string) // the decoder takes nothing else for a name
		below := join(path, name)
		if _, twice := object[name]; twice {
			return nil, &problem{path: below, code: event.CodeInvalidFormat, text: "stands twice"}
		}
		v, bad := p.value(below, depth+1)
		if bad != nil {
			return nil, bad
		}
		object[name] = v
	}
	if _, err := p.dec.Token(); err != nil {
		return nil, p.broken(err)
	}
	return object, nil
}

func (p *parser) array(path string, depth int) (any, *problem) {
	array := []any{}
	for p.dec.More() {
		v, bad := p.value(join(path, strconv.Itoa(len(array))), depth+1)
		if bad != nil {
			return nil, bad
		}
		array = append(array, v)
	}
	if _, err := p.dec.Token(); err != nil {
		return nil, p.broken(err)
	}
	return array, nil
}

// number gives a whole number its plain form, so that 5.0 is an integer for Go as it is for JSON Schema.
func (p *parser) number(path string, n json.Number) (any, *problem) {
	text := strings.ToLower(n.String())
	_, exponent, _ := strings.Cut(text, "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil || e > maxExponent || e < -maxExponent || len(text) > 2*maxExponent {
		return nil, &problem{path: path, code: event.CodeInvalidValue, text: "is a number out of range: " + shorten(text)}
	}
	if !strings.ContainsAny(text, ".e") {
		return n, nil
	}
	const whole = 1 << 53 // up to here every whole float64 is exact
	f, err := n.Float64()
	if err != nil || f != float64(int64(f)) || f >= whole || f <= -whole {
		return n, nil
	}
	p.changed = true
	return json.Number(strconv.FormatInt(int64(f), 10)), nil
}

func (p *parser) broken(err error) *problem {
	text := "the arguments are not JSON: " + err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		text = "the arguments are JSON that ends too early"
	}
	return &problem{code: event.CodeInvalidFormat, text: text}
}
