package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"hob/internal/event"
	"hob/internal/schema"
)

// New returns a tool that is a typed function. In is a struct; its fields are the arguments, in the order in which the
// model sees them:
//
//	type in struct {
//		Path  string `json:"path" jsonschema:"file in the workspace"`          // required
//		Mode  string `json:"mode,omitempty" enum:"create,append" default:"create"`
//		Limit int    `json:"limit,omitempty" min:"1" max:"2000" default:"100"` // omitempty: optional
//	}
//
// The tags enum, default, min and max stand for the keywords of that name; an argument that is absent gets its
// default before run sees it. An optional argument with the tag quiet:"true" is taken like any other, and models are not
// told of it: for what people and programs need and a small model would only stumble over. The schema is flat and plain: no null, no $ref, no unknown arguments.
//
// The tool checks its arguments itself, all problems at once, and gives them to run only when they fit. Its Execute
// returns the Text of run's result.
//
// New panics when In can never work: not a struct, a field that JSON has no form for, a recursive type, a malformed
// tag, a field of any type without a description; and when run is nil. All of these are mistakes in the source that the first
// test of the tool finds. That test also calls [CheckCommand], which New does not: it takes longer than all the rest.
func New[In any](d Def, run func(context.Context, In) (Result, error)) Tool {
	if run == nil {
		panic(fmt.Sprintf("tools.New(%q): run is nil", d.Name))
	}
	in, err := inferSchema(reflect.TypeFor[In]())
	if err != nil {
		panic(fmt.Sprintf("tools.New(%q): %v", d.Name, err))
	}
	b := base{def: d, schema: in.whole, told: in.told, check: newChecker(d.Name, in.whole, d.Check)}
	return &typed[In]{base: b, defaults: in.defaults, run: run}
}

// NewUntyped returns a tool whose parameters are known only at run time, such as one that a skill's file or another
// program declares. A nil schema means no parameters. A schema whose top level does not say otherwise allows no
// unknown arguments. Numbers reach run as float64.
func NewUntyped(d Def, schema map[string]any, run func(context.Context, map[string]any) (string, error)) (Tool, error) {
	if run == nil {
		return nil, fmt.Errorf("define tool %q: it has no function to run", d.Name)
	}
	if !toolName.MatchString(d.Name) {
		return nil, fmt.Errorf("define tool %q: a name is 1 to 64 of letters, digits, dot, dash and underscore", d.Name)
	}
	if schema == nil {
		schema = map[string]any{"type": "object", "properties": map[string]any{}}
	}
	if schema["type"] != "object" {
		return nil, fmt.Errorf(`define tool %q: its parameters must be a JSON Schema of type "object"`, d.Name)
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("define tool %q: marshal its parameters: %w", d.Name, err)
	}
	u := &untyped{base: base{def: d, schema: raw, told: raw, check: newChecker(d.Name, raw, d.Check)}, run: run}
	if err := u.check.schema.Err(); err != nil {
		return nil, fmt.Errorf("define tool %q: %w", d.Name, err)
	}
	if bad := CheckCommand(u); len(bad) > 0 {
		return nil, fmt.Errorf("define tool %q: %s", d.Name, strings.Join(bad, "; "))
	}
	return u, nil
}

// base is what the tools made here have in common.
type base struct {
	def    Def
	schema json.RawMessage // of all that it takes
	told   json.RawMessage // of what models are told
	check  *checker
}

func (b *base) Name() string            { return b.def.Name }
func (b *base) Description() string     { return b.def.Description }
func (b *base) Def() Def                { return b.def }
func (b *base) Schema() json.RawMessage { return slices.Clone(b.schema) }
func (b *base) Told() json.RawMessage   { return slices.Clone(b.told) }
func (b *base) checker() *checker       { return b.check }

// Parameters returns the schema as a map of its own, for the caller to keep.
func (b *base) Parameters() map[string]any {
	var m map[string]any
	_ = json.Unmarshal(b.schema, &m) // it was marshalled from an object
	return m
}

type typed[In any] struct {
	base
	defaults json.RawMessage // an object
	run      func(context.Context, In) (Result, error)
}

// Run implements [Runner].
func (t *typed[In]) Run(ctx context.Context, args json.RawMessage) (Result, error) {
	clean, bad := t.check.clean(args)
	if bad != nil {
		return Result{}, bad
	}
	var in In
	for _, raw := range []json.RawMessage{t.defaults, clean} {
		if err := json.Unmarshal(raw, &in); err != nil {
			return Result{}, unfit(t.def.Name, err)
		}
	}
	return t.run(ctx, in)
}

// Execute implements [Tool].
func (t *typed[In]) Execute(ctx context.Context, params map[string]any) (string, error) {
	args, err := marshalParams(params)
	if err != nil {
		return "", err
	}
	res, err := t.Run(ctx, args)
	return res.Text, err
}

type untyped struct {
	base
	run func(context.Context, map[string]any) (string, error)
}

// Run implements [Runner].
func (u *untyped) Run(ctx context.Context, args json.RawMessage) (Result, error) {
	clean, bad := u.check.clean(args)
	if bad != nil {
		return Result{}, bad
	}
	params := map[string]any{}
	if err := json.Unmarshal(clean, &params); err != nil {
		return Result{}, unfit(u.def.Name, err)
	}
	text, err := u.run(ctx, params)
	return Result{Text: text}, err
}

// Execute implements [Tool].
func (u *untyped) Execute(ctx context.Context, params map[string]any) (string, error) {
	args, err := marshalParams(params)
	if err != nil {
		return "", err
	}
	res, err := u.Run(ctx, args)
	return res.Text, err
}

func marshalParams(params map[string]any) (json.RawMessage, error) {
	if params == nil {
		return json.RawMessage("{}"), nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(params); err != nil {
		return nil, Invalid(event.CodeInvalidFormat, "the arguments have no JSON form: %v", err)
	}
	return out.Bytes(), nil
}

// unfit is the error for arguments that fit the schema and still not the Go type, such as an integer of 30 digits.
func unfit(tool string, err error) *Error {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return argumentError(tool, []schema.Problem{{
			Path: "/" + strings.ReplaceAll(e.Field, ".", "/"), Kind: schema.Value,
			Text: "is out of range: " + e.Value,
		}})
	}
	return argumentError(tool, []schema.Problem{{Kind: schema.Value, Text: err.Error()}})
}

// inferred is what a struct says of a tool's arguments.
type inferred struct {
	whole    json.RawMessage // their schema
	told     json.RawMessage // the same without the quiet ones
	defaults json.RawMessage // an object
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
	if err := hush(t, s); err != nil {
		return in, err
	}
	in.told, err = json.Marshal(s)
	return in, err
}

// hush takes the arguments with the tag quiet out of s.
func hush(t reflect.Type, s *jsonschema.Schema) error {
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
