// Package schema validates arguments against the JSON Schema of their tool. It reads them strictly, and reports every problem
// with its place and the reason.
//
// Nothing is coerced. A name that occurs twice is a problem, because two readers of such an object may see two different
// calls. So is a number that would take longer to check than to use. A schema that says nothing about unknown arguments
// allows none.
package schema

import (
	"bytes"
	"encoding/json"
	"sync"

	"hob/internal/jsonl"
)

// Schema is the JSON Schema of an object, compiled when it is first needed. It is safe for concurrent use.
type Schema struct {
	raw      json.RawMessage
	names    func() []string
	compiled func() (*ready, error)
}

// New returns the schema that raw is, draft 2020-12 unless it says otherwise. It reads no file and no address.
func New(raw json.RawMessage) *Schema {
	return &Schema{
		raw:      raw,
		names:    sync.OnceValue(func() []string { return propertyNames(raw) }),
		compiled: sync.OnceValues(func() (*ready, error) { return compile(raw) }),
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
	if err := compiled.validator.Validate(floats(object)); err != nil {
		e := newExplainer(compiled.root, s.names())
		e.explain(compiled.root, object, "")
		return nil, e.sorted(err), nil
	}
	if !p.changed {
		return args, nil, nil
	}
	clean, err := jsonl.Marshal(object)
	if err != nil {
		return nil, []Problem{{Kind: Format, Text: err.Error()}}, nil
	}
	return clean, nil, nil
}

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

// propertyNames returns the names of a schema's properties in their order.
func propertyNames(schema json.RawMessage) []string {
	var s struct {
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	var names []string
	members, _ := jsonl.Members(s.Properties)
	for _, m := range members {
		names = append(names, m.Name)
	}
	return names
}
