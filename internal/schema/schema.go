// Package schema holds arguments against the JSON Schema of their tool: it reads them strictly, and says of everything
// that does not fit where it stands and what is wrong with it.
//
// Nothing is coerced here. A name that stands twice is a problem, because two readers of such an object may see two
// different calls; so is a number that would take longer to check than to use. A schema that says nothing about unknown
// arguments allows none.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is the JSON Schema of an object, compiled when it is first needed. It is safe for concurrent use.
type Schema struct {
	raw      json.RawMessage
	names    func() []string
	compiled func() (*jsonschema.Schema, error)
}

// New returns the schema that raw is, draft 2020-12 unless it says otherwise. It reads no file and no address.
func New(raw json.RawMessage) *Schema {
	return &Schema{
		raw:      raw,
		names:    sync.OnceValue(func() []string { return propertyNames(raw) }),
		compiled: sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(raw) }),
	}
}

// Raw returns the schema as it was given to [New]. It is not to be changed.
func (s *Schema) Raw() json.RawMessage { return s.raw }

// Names returns the names of the arguments in the schema's order.
func (s *Schema) Names() []string { return s.names() }

// Err compiles the schema and returns what is wrong with it, if anything is.
func (s *Schema) Err() error {
	_, err := s.compiled()
	return err
}

// Check returns args as they are when they fit, but with whole numbers in their plain form ("5", not "5.0"), or every
// problem that they have: what is missing first, then by path. Absent arguments are an empty object. The error is that
// of [Schema.Err].
func (s *Schema) Check(args json.RawMessage) (json.RawMessage, []Problem, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	compiled, err := s.compiled()
	if err != nil {
		return nil, nil, err
	}
	p := parser{dec: json.NewDecoder(bytes.NewReader(args))}
	object, bad := p.arguments(args)
	if bad != nil {
		return nil, []Problem{*bad}, nil
	}
	if err := compiled.Validate(object); err != nil {
		failed := (*jsonschema.ValidationError)(nil)
		if !errors.As(err, &failed) {
			return nil, []Problem{{Kind: Format, Text: err.Error()}}, nil
		}
		e := explainer{object: object, names: s.names()}
		e.explain(failed)
		return nil, e.sorted(), nil
	}
	if !p.changed {
		return args, nil, nil
	}
	clean, err := plain(object)
	if err != nil {
		return nil, []Problem{{Kind: Format, Text: err.Error()}}, nil
	}
	return json.RawMessage(clean), nil, nil
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
