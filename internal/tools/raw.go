package tools

import (
	"context"
	"encoding/json"
	"fmt"
)

// NewRaw returns a tool whose arguments are known only at run time and that takes them as JSON. Accepts is the JSON Schema of all
// that it takes, told that of what models are told. A schema whose top level does not say otherwise allows no unknown
// arguments. They are read when they are first needed, which takes time and memory: a call with one that is wrong is an error.
func NewRaw(d Def, accepts, told json.RawMessage, run func(context.Context, json.RawMessage) (Result, error)) (Tool, error) {
	if run == nil {
		return nil, fmt.Errorf("define tool %q: it has no function to run", d.Name)
	}
	if !toolName.MatchString(d.Name) {
		return nil, fmt.Errorf("define tool %q: a name is 1 to 64 of letters, digits, dot, dash and underscore", d.Name)
	}
	return &raw{base: base{def: d, schema: accepts, told: told, check: newChecker(d.Name, accepts, d.Check)}, run: run}, nil
}

type raw struct {
	base
	run func(context.Context, json.RawMessage) (Result, error)
}

// Run implements [Runner].
func (r *raw) Run(ctx context.Context, args json.RawMessage) (Result, error) {
	clean, bad := r.check.clean(args)
	if bad != nil {
		return Result{}, bad
	}
	return r.run(ctx, clean)
}

// Execute implements [Tool].
func (r *raw) Execute(ctx context.Context, params map[string]any) (string, error) {
	args, err := marshalParams(params)
	if err != nil {
		return "", err
	}
	res, err := r.Run(ctx, args)
	return res.Text, err
}
