package tools

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// inferred is what a struct says about a tool's arguments.
type inferred struct {
	whole     json.RawMessage // the schema of all arguments
	forModels json.RawMessage // the schema without the quiet arguments
	defaults  json.RawMessage // a JSON object
}

// inferSchema reads the schema from a struct type. A library for this costs each process a third of
// a megabyte.
func inferSchema(t reflect.Type) (in inferred, err error) {
	if t.Kind() != reflect.Struct {
		return in, fmt.Errorf("its arguments are %s, not a struct", t)
	}
	fields, err := fieldsOf(t, nil)
	if err != nil {
		return in, err
	}
	preset := map[string]json.RawMessage{}
	var told []field
	for _, f := range fields {
		if f.preset != nil {
			preset[f.name] = f.preset
		}
		if !f.quiet {
			told = append(told, f)
		} else if f.required {
			return in, fmt.Errorf("field %s: a model cannot give what it is not told of, so it must be optional", f.name)
		}
	}
	in.whole, in.forModels = objectSchema(fields, nil), objectSchema(told, nil)
	if in.defaults, err = json.Marshal(preset); err != nil {
		return in, err
	}
	// This finds a default of the wrong type now instead of in the first call.
	if err := json.Unmarshal(in.defaults, reflect.New(t).Interface()); err != nil {
		return in, fmt.Errorf("a default does not fit its field: %w", err)
	}
	return in, nil
}

// field is what one field of a struct says.
type field struct {
	name            string
	schema, preset  json.RawMessage
	required, quiet bool
}

// fieldsOf reads the fields of a struct, including those of embedded structs. inside are the
// structs around it; only a struct without any can have defaults.
func fieldsOf(t reflect.Type, inside []reflect.Type) (all []field, err error) {
	if slices.Contains(inside, t) {
		return nil, fmt.Errorf("%s holds itself", t)
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" {
			continue
		}
		one := field{name: cmp.Or(name, f.Name), required: !strings.Contains(options, "omit"), quiet: f.Tag.Get("quiet") == "true"}
		if err := one.read(f, append(inside, t)); err != nil {
			return nil, fmt.Errorf("field %s: %w", one.name, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// read reads the type and the tags of a field.
func (one *field) read(f reflect.StructField, inside []reflect.Type) (err error) {
	var says members
	if text := f.Tag.Get("jsonschema"); text != "" {
		says.add("description", text)
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		if len(inside) > 1 {
			return errors.New("only a field of the top level can have a default")
		}
		if one.preset, err = tagValue(f.Type, text); err != nil {
			return fmt.Errorf("default: %w", err)
		}
		says.add("default", one.preset)
	}
	if one.schema, err = typeSchema(f.Type, f.Tag, says, inside); string(one.schema) == anything {
		return errors.New("a field of any type needs a jsonschema description")
	}
	return err
}

// anything is the schema that accepts any value.
const anything = "{}"

// typeSchema returns the schema of a type. says has what else its field says. The tags enum, min
// and max of a list apply to its elements.
func typeSchema(t reflect.Type, tag reflect.StructTag, says members, inside []reflect.Type) (json.RawMessage, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var s members
	switch kind := t.Kind(); {
	case t == reflect.TypeFor[json.RawMessage](), kind == reflect.Interface: // its Go type is a list of bytes, but it means any value
		return says.object(), nil
	case kind == reflect.Slice:
		items, err := typeSchema(t.Elem(), tag, nil, inside)
		s.add("type", "array")
		s.add("items", subschema(items))
		return s.with(says).object(), err
	case kind == reflect.Map:
		values, err := typeSchema(t.Elem(), "", nil, inside)
		s.add("type", "object")
		s = s.with(says)
		s.add("additionalProperties", subschema(values))
		return s.object(), err
	case kind == reflect.Struct:
		fields, err := fieldsOf(t, inside)
		return objectSchema(fields, says), err
	case kind == reflect.Bool:
		s.add("type", "boolean")
	case kind == reflect.String:
		s.add("type", "string")
	case kind >= reflect.Int && kind <= reflect.Int64:
		s.add("type", "integer")
	case kind == reflect.Float32, kind == reflect.Float64:
		s.add("type", "number")
	default:
		return nil, fmt.Errorf("%s has no form here", t)
	}
	s = s.with(says)
	err := s.addBounds(t, tag)
	return s.object(), err
}

// subschema returns a schema in the short form of one that accepts any value.
func subschema(s json.RawMessage) json.RawMessage {
	if string(s) == anything {
		return json.RawMessage("true")
	}
	return s
}

// objectSchema returns the schema of an object with exactly these fields.
func objectSchema(fields []field, says members) json.RawMessage {
	var s, properties members
	required := []string{}
	for _, f := range fields {
		properties.add(f.name, f.schema)
		if f.required {
			required = append(required, f.name)
		}
	}
	s.add("type", "object")
	s.add("properties", properties.object())
	if s = s.with(says); len(required) > 0 {
		s.add("required", required)
	}
	s.add("additionalProperties", false)
	return s.object()
}

// addBounds reads the tags enum, min and max of a field of type t.
func (m *members) addBounds(t reflect.Type, tag reflect.StructTag) error {
	if text, ok := tag.Lookup("enum"); ok {
		var values []json.RawMessage
		for one := range strings.SplitSeq(text, ",") {
			value, err := tagValue(t, one)
			if err != nil {
				return fmt.Errorf("enum: %w", err)
			}
			values = append(values, value)
		}
		m.add("enum", values)
	}
	for _, bound := range [][2]string{{"min", "minimum"}, {"max", "maximum"}} {
		if text, ok := tag.Lookup(bound[0]); ok {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("%s is %q, not a number", bound[0], text)
			}
			m.add(bound[1], n)
		}
	}
	return nil
}

// tagValue returns the JSON of a tag's value for a field of type t: the text itself for a string,
// parsed as JSON for any other type.
func tagValue(t reflect.Type, text string) (json.RawMessage, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.String {
		return json.Marshal(text)
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("%q is no JSON value", text)
	}
	return json.RawMessage(text), nil
}

// members is the text of the members of a JSON object, in order.
type members []byte

// add adds a member. It panics if the value has no JSON form, which is a mistake of this package.
func (m *members) add(key string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	if len(*m) > 0 {
		*m = append(*m, ',')
	}
	*m = append(append(strconv.AppendQuote(*m, key), ':'), raw...)
}

// with returns m followed by more.
func (m members) with(more members) members {
	if len(m) > 0 && len(more) > 0 {
		m = append(m, ',')
	}
	return append(m, more...)
}

func (m members) object() json.RawMessage { return json.RawMessage("{" + string(m) + "}") }
