package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"hob/internal/event"
	"hob/internal/jsonl"
	"hob/internal/schema"
)

// New returns a tool made from a typed function. In is a struct; its fields are the arguments, in
// the order in which the model sees them:
//
//	type in struct {
//		Path  string `json:"path" jsonschema:"file in the workspace"`          // required
//		Mode  string `json:"mode,omitempty" enum:"create,append" default:"create"`
//		Limit int    `json:"limit,omitempty" min:"1" max:"2000" default:"100"` // omitempty: optional
//	}
//
// The tags enum, default, min and max stand for the JSON Schema keywords of that name. A missing
// argument gets its default before run is called. An optional argument with the tag quiet:"true" is
// accepted but left out of the schema for models: people and programs need it, and it would only
// confuse a small model. The schema is flat and plain: no null, no $ref, no unknown arguments.
//
// The tool checks its arguments, reports all problems at once, and calls run only if they fit. Its
// Execute returns the Text of run's result.
//
// The struct is read when the tool is first listed or called, because most runs need few of hob's
// tools. Mistakes in the source panic then, and so are found by the tool's own tests: no struct, a
// field without a JSON form, a recursive type, a malformed tag, a field of any type without a
// description. [CheckCommand] is for tests, too, because it takes longer than all the rest.
func New[In any](d Def, run func(context.Context, In) (Result, error)) Tool {
	if run == nil {
		panic(fmt.Sprintf("tools.New(%q): run is nil", d.Name))
	}
	takes := sync.OnceValue(func() arguments {
		in, err := inferSchema(reflect.TypeFor[In]())
		if err != nil {
			panic(fmt.Sprintf("tools.New(%q): %v", d.Name, err))
		}
		return arguments{forModels: in.forModels, defaults: in.defaults, check: newChecker(d.Name, in.whole, d.Check)}
	})
	return &funcTool{def: d, takes: takes, run: func(ctx context.Context, args json.RawMessage) (Result, error) {
		var in In
		for _, raw := range []json.RawMessage{takes().defaults, args} {
			if err := json.Unmarshal(raw, &in); err != nil {
				return Result{}, misfitError(d.Name, err)
			}
		}
		return run(ctx, in)
	}}
}

// NewRaw returns a tool whose arguments are known only at run time and that takes them as JSON.
// schemas returns the JSON Schema of everything that the tool accepts, and the schema for models. A
// schema whose top level does not say otherwise allows no unknown arguments. schemas is called when
// the tool is first listed or called, because most runs need few tools; with a wrong schema each
// call is an error.
func NewRaw(d Def, schemas func() (accepts, told json.RawMessage), run func(context.Context, json.RawMessage) (Result, error)) (Tool, error) {
	if run == nil {
		return nil, fmt.Errorf("define tool %q: it has no function to run", d.Name)
	}
	if !isToolName(d.Name) {
		return nil, fmt.Errorf("define tool %q: a name is 1 to 64 of letters, digits, dot, dash and underscore", d.Name)
	}
	takes := sync.OnceValue(func() arguments {
		accepts, told := schemas()
		return arguments{forModels: told, check: newChecker(d.Name, accepts, d.Check)}
	})
	return &funcTool{def: d, takes: takes, run: run}, nil
}

// NewUntyped returns a tool whose parameters are known only at run time, such as one declared by a
// skill's file or another program. A nil schema means no parameters. A schema whose top level does
// not say otherwise allows no unknown arguments. run gets numbers as float64.
func NewUntyped(d Def, schema map[string]any, run func(context.Context, map[string]any) (string, error)) (Tool, error) {
	if run == nil {
		return nil, fmt.Errorf("define tool %q: it has no function to run", d.Name)
	}
	raw, err := marshalSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("define tool %q: %w", d.Name, err)
	}
	same := func() (accepts, told json.RawMessage) { return raw, raw }
	t, err := NewRaw(d, same, func(ctx context.Context, args json.RawMessage) (Result, error) {
		params := map[string]any{}
		if err := json.Unmarshal(args, &params); err != nil {
			return Result{}, misfitError(d.Name, err)
		}
		text, err := run(ctx, params)
		return Result{Text: text}, err
	})
	if err != nil {
		return nil, err
	}
	if err := t.(*funcTool).checker().schema.Err(); err != nil {
		return nil, fmt.Errorf("define tool %q: %w", d.Name, err)
	}
	if bad := CheckCommand(t); len(bad) > 0 {
		return nil, fmt.Errorf("define tool %q: %s", d.Name, strings.Join(bad, "; "))
	}
	return t, nil
}

// funcTool is a tool made from a function by this package.
type funcTool struct {
	def   Def
	takes func() arguments
	run   func(ctx context.Context, args json.RawMessage) (Result, error) // args are valid
}

// arguments is what a tool knows about its arguments.
type arguments struct {
	check     *checker        // has the schema of everything that the tool accepts
	forModels json.RawMessage // the schema for models
	defaults  json.RawMessage // a JSON object, for a typed function
}

func (m *funcTool) Name() string                 { return m.def.Name }
func (m *funcTool) Description() string          { return m.def.Description }
func (m *funcTool) Def() Def                     { return m.def }
func (m *funcTool) Schema() json.RawMessage      { return slices.Clone(m.checker().schema.Raw()) }
func (m *funcTool) ModelSchema() json.RawMessage { return slices.Clone(m.takes().forModels) }
func (m *funcTool) checker() *checker            { return m.takes().check }

// Parameters returns the schema as a new map that the caller may change.
func (m *funcTool) Parameters() map[string]any {
	var params map[string]any
	_ = json.Unmarshal(m.checker().schema.Raw(), &params) // it was marshalled from an object
	return params
}

// Run implements [Runner].
func (m *funcTool) Run(ctx context.Context, args json.RawMessage) (Result, error) {
	clean, bad := m.checker().clean(args)
	if bad != nil {
		return Result{}, bad
	}
	return m.run(ctx, clean)
}

// Execute implements [Tool].
func (m *funcTool) Execute(ctx context.Context, params map[string]any) (string, error) {
	args, err := marshalParams(params)
	if err != nil {
		return "", err
	}
	res, err := m.Run(ctx, args)
	return res.Text, err
}

func marshalParams(params map[string]any) (json.RawMessage, error) {
	if params == nil {
		return json.RawMessage("{}"), nil
	}
	args, err := jsonl.Marshal(params)
	if err != nil {
		return nil, Invalid(event.CodeInvalidFormat, "the arguments have no JSON form: %v", err)
	}
	return args, nil
}

// misfitError is the error for arguments that fit the schema but not the Go type, such as an
// integer of 30 digits.
func misfitError(tool string, err error) *Error {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return argumentError(tool, []schema.Problem{{
			Path: "/" + strings.ReplaceAll(e.Field, ".", "/"), Kind: schema.Value,
			Text: "is out of range: " + e.Value,
		}})
	}
	return argumentError(tool, []schema.Problem{{Kind: schema.Value, Text: err.Error()}})
}
