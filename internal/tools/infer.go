package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// inferred is what a struct says of a tool's arguments.
type inferred struct {
	whole     json.RawMessage // their schema
	forModels json.RawMessage // the same without the quiet ones
	defaults  json.RawMessage // an object
}

// inferSchema reads a struct.
func inferSchema(t reflect.Type) (in inferred, err error) {
	if t.Kind() != reflect.Struct {
		return in, fmt.Errorf("its arguments are %s, not a struct", t)
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {}, // bytes by its Go type, any value by its meaning
	}})
	if err != nil {
		return in, err
	}
	preset := map[string]json.RawMessage{}
	if err := annotate(t, s, preset); err != nil {
		return in, err
	}
	if err := simplify(s, ""); err != nil {
		return in, err
	}
	if in.whole, err = json.Marshal(s); err != nil {
		return in, err
	}
	if in.defaults, err = json.Marshal(preset); err != nil {
		return in, err
	}
	// A default of the wrong type is found here and not in the first call.
	if err := json.Unmarshal(in.defaults, reflect.New(t).Interface()); err != nil {
		return in, fmt.Errorf("a default does not fit its field: %w", err)
	}
	given := len(s.Properties)
	if err := removeQuiet(t, s); err != nil {
		return in, err
	}
	if in.forModels = in.whole; len(s.Properties) < given {
		in.forModels, err = json.Marshal(s)
	}
	return in, err
}

// removeQuiet takes the arguments with the tag quiet out of s.
func removeQuiet(t reflect.Type, s *jsonschema.Schema) error {
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Tag.Get("quiet") != "true" || s.Properties[name] == nil {
			continue
		}
		if slices.Contains(s.Required, name) {
			return fmt.Errorf("field %s: a model cannot give what it is not told of, so it must be optional", name)
		}
		delete(s.Properties, name)
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(p string) bool { return p == name })
	}
	return nil
}

// annotate reads the tags enum, default, min and max of t's fields into their properties, and those of the structs in
// it. Only the fields of the top level can have a default; preset collects them and is nil below.
func annotate(t reflect.Type, s *jsonschema.Schema, preset map[string]json.RawMessage) error {
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = field.Name
		}
		p := s.Properties[name]
		if p == nil || field.Anonymous || name == "-" {
			continue
		}
		if text, ok := field.Tag.Lookup("default"); ok {
			if preset == nil {
				return fmt.Errorf("field %s: only a field of the top level can have a default", name)
			}
			raw, err := tagValue(p, text)
			if err != nil {
				return fmt.Errorf("field %s: default: %w", name, err)
			}
			p.Default, preset[name] = raw, raw
		}
		inner, leaf := field.Type, p
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice && leaf.Items != nil {
			if inner.Kind() == reflect.Slice {
				leaf = leaf.Items
			}
			inner = inner.Elem()
		}
		if err := bounds(field, leaf); err != nil {
			return fmt.Errorf("field %s: %w", name, err)
		}
		if inner.Kind() == reflect.Struct && leaf.Properties != nil {
			if err := annotate(inner, leaf, nil); err != nil {
				return fmt.Errorf("field %s: %w", name, err)
			}
		}
	}
	return nil
}

// bounds reads the tags enum, min and max of a field, or of the elements of one that is a list.
func bounds(field reflect.StructField, p *jsonschema.Schema) error {
	if text, ok := field.Tag.Lookup("enum"); ok {
		for one := range strings.SplitSeq(text, ",") {
			raw, err := tagValue(p, one)
			if err != nil {
				return fmt.Errorf("enum: %w", err)
			}
			var value any
			if err := json.Unmarshal(raw, &value); err != nil {
				return fmt.Errorf("enum: %w", err)
			}
			p.Enum = append(p.Enum, value)
		}
	}
	for tag, bound := range map[string]**float64{"min": &p.Minimum, "max": &p.Maximum} {
		if text, ok := field.Tag.Lookup(tag); ok {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("%s is %q, not a number", tag, text)
			}
			*bound = &n
		}
	}
	return nil
}

// tagValue returns the JSON of a value in a tag: text as it stands for a string, JSON for everything else.
func tagValue(p *jsonschema.Schema, text string) (json.RawMessage, error) {
	if p.Type == "string" || slices.Contains(p.Types, "string") {
		return json.Marshal(text)
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("%q is no JSON value", text)
	}
	return json.RawMessage(text), nil
}

// simplify takes out of s what small models and chat templates stumble over: null beside another type.
func simplify(s *jsonschema.Schema, path string) error {
	if s == nil {
		return nil
	}
	if len(s.Types) > 0 {
		types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		if len(types) != 1 {
			return fmt.Errorf("field %s: it has the types %v, and a model needs one", path, s.Types)
		}
		s.Type, s.Types = types[0], nil
	}
	for name, p := range s.Properties {
		if p.Type == "" && len(p.Types) == 0 && p.Description == "" {
			return fmt.Errorf("field %s: a field of any type needs a jsonschema description", path+name)
		}
		if err := simplify(p, path+name+"/"); err != nil {
			return err
		}
	}
	return simplify(s.Items, path)
}
