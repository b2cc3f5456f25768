package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// object is a JSON object, most often a schema.
type object = map[string]any

// ready is a schema in the form in which it is used: in the words of draft 2020-12 whatever it was written in, with
// nothing but the keywords that arguments are held against. Every $ref leads into the $defs of the root.
type ready struct {
	root      object               // explains
	validator *jsonschema.Resolved // says whether arguments fit
}

// compile makes a schema ready. It reads no file and no address: a $ref that leaves the schema is an error.
func compile(raw json.RawMessage) (*ready, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("parse its parameters: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("parse its parameters: something stands after the schema")
	}
	if m, ok := doc.(object); ok {
		closeToUnknown(m)
	}
	root, err := schemaOf(doc)
	if err == nil {
		err = tidy(root)
	}
	if err == nil {
		err = checkCycles(root)
	}
	if err != nil {
		return nil, fmt.Errorf("read its parameters: %w", err)
	}
	decides, err := newValidator(root)
	if err != nil {
		return nil, fmt.Errorf("compile its parameters: %w", err)
	}
	return &ready{root, decides}, nil
}

// newValidator hands a tidy schema to the validator.
func newValidator(root object) (*jsonschema.Resolved, error) {
	raw, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// closeToUnknown closes a schema to unknown arguments unless it says something about them, or says something that may.
func closeToUnknown(schema object) {
	for _, word := range []string{
		"additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if",
	} {
		if _, says := schema[word]; says {
			return
		}
	}
	schema["additionalProperties"] = false
}

// schemaOf returns a schema as an object, which true and false have as well.
func schemaOf(v any) (object, error) {
	switch v := v.(type) {
	case object:
		return v, nil
	case bool:
		if v {
			return object{}, nil
		}
		return object{"not": object{}}, nil
	}
	return nil, fmt.Errorf("%s stands where a schema should", Short(v))
}

// isFalse reports whether a schema is false, which nothing fits.
func isFalse(schema object) bool {
	not, ok := schema["not"].(object)
	return ok && len(schema) == 1 && len(not) == 0
}

// parts gives each schema that stands directly in another to do, with the keyword in which it stands. It puts objects
// in the place of true and false.
func parts(schema object, do func(keyword string, part object) error) error {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		give := func(v any) (object, error) {
			part, err := schemaOf(v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", keyword, err)
			}
			return part, do(keyword, part)
		}
		var err error
		switch v := schema[keyword].(type) {
		case object:
			switch keyword {
			case "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties":
				err = eachMember(slices.Sorted(maps.Keys(v)), v, give)
			default:
				if isSchemaKeyword(keyword) {
					_, err = give(v)
				}
			}
		case []any:
			switch keyword {
			case "allOf", "anyOf", "items", "oneOf", "prefixItems":
				for i, part := range v {
					if v[i], err = give(part); err != nil {
						break
					}
				}
			}
		case bool:
			if isSchemaKeyword(keyword) {
				schema[keyword], err = give(v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachMember gives the members of an object to give, except for the lists among them: a dependency may be one of names.
func eachMember(names []string, members object, give func(any) (object, error)) error {
	for _, name := range names {
		if _, list := members[name].([]any); list {
			continue
		}
		part, err := give(members[name])
		if err != nil {
			return err
		}
		members[name] = part
	}
	return nil
}

// isSchemaKeyword reports whether a keyword's value is one schema.
func isSchemaKeyword(keyword string) bool {
	switch keyword {
	case "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
		"unevaluatedItems", "unevaluatedProperties":
		return true
	}
	return false
}

// appliesInPlace reports whether the schemas in a keyword are held against the value that the keyword's own is.
func appliesInPlace(keyword string) bool {
	switch keyword {
	case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas":
		return true
	}
	return false
}

// checkCycles returns an error when a tidy schema could be held against one value for ever.
func checkCycles(root object) error {
	open := map[uintptr]bool{} // of the schemas that were looked at: which lie on the way from the first
	var follow func(schema object) error
	follow = func(schema object) error {
		on, seen := open[identity(schema)]
		switch {
		case on:
			return errors.New("a $ref leads back to itself")
		case seen:
			return nil
		}
		open[identity(schema)] = true
		defer func() { open[identity(schema)] = false }()
		if to := target(root, schema); to != nil {
			if err := follow(to); err != nil {
				return err
			}
		}
		return parts(schema, func(keyword string, part object) error {
			if appliesInPlace(keyword) {
				return follow(part)
			}
			return nil
		})
	}
	if err := follow(root); err != nil {
		return err
	}
	return parts(root, func(keyword string, part object) error {
		if keyword == "$defs" {
			return follow(part)
		}
		return nil
	})
}

// identity is the address of an object.
func identity(o object) uintptr { return reflect.ValueOf(o).Pointer() }
