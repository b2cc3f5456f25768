package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/lists"
	"hob/internal/schema"
)

// Validate returns nil if t accepts args, otherwise an [*Error] of type validation that names every
// problem. It is strict, like package schema: nothing is coerced. Arguments that fit the schema
// must also pass the Check of the tool's [Def], whose error may have another type. A caller of a
// tool validates first and asks for approval afterwards.
//
// The schema of a tool from [New] or [NewUntyped] is compiled once. The schema of any other tool is
// compiled at every call, which takes a fraction of a millisecond: it may change between two calls,
// and this package keeps no state.
func Validate(t Tool, args json.RawMessage) error {
	c, err := checkerOf(t)
	if err != nil {
		return err
	}
	_, err = c.clean(args)
	return err
}

// checkerOf returns the checker of t's arguments.
func checkerOf(t Tool) (*checker, error) {
	if own, ok := t.(interface{ checker() *checker }); ok {
		return own.checker(), nil
	}
	raw, err := schemaOf(t)
	if err != nil {
		return nil, uncallableError(t.Name(), err)
	}
	return newChecker(t.Name(), raw, DefOf(t).Check), nil
}

// checker validates the arguments of one tool.
type checker struct {
	tool   string
	schema *schema.Schema
	check  func(json.RawMessage) error // checks what the schema cannot express; may be nil
}

func newChecker(tool string, raw json.RawMessage, check func(json.RawMessage) error) *checker {
	return &checker{tool, schema.New(raw), check}
}

// clean returns args in the form of [schema.Schema.Check], or what is wrong with them.
func (c *checker) clean(args json.RawMessage) (json.RawMessage, error) {
	clean, bad := c.fit(args)
	if bad != nil {
		return nil, bad
	}
	if c.check != nil {
		if err := c.check(clean); err != nil {
			return nil, err
		}
	}
	return clean, nil
}

// fit is clean without the Check of the [Def].
func (c *checker) fit(args json.RawMessage) (json.RawMessage, *Error) {
	clean, problems, err := c.schema.Check(args)
	if err != nil {
		return nil, uncallableError(c.tool, err)
	}
	if len(problems) > 0 {
		return nil, argumentError(c.tool, problems)
	}
	return clean, nil
}

// CheckArgs returns a Check for a [Def] that decodes the arguments as the tool does. A missing
// argument is zero, because defaults are not filled in yet.
func CheckArgs[In any](check func(In) error) func(json.RawMessage) error {
	return func(args json.RawMessage) error {
		var in In
		if json.Unmarshal(args, &in) != nil {
			return nil //nolint:nilerr // the tool reports it itself
		}
		return check(in)
	}
}

func uncallableError(tool string, err error) *Error {
	return Failed("%s cannot be called: %v", tool, err)
}

// maxProblems limits the problems in an error.
const maxProblems = 10

// argumentError joins problems into one error, with the code of the first.
func argumentError(tool string, problems []schema.Problem) *Error {
	texts := lists.Map(problems, schema.Problem.String)
	if n := len(texts); n > maxProblems {
		texts = append(texts[:maxProblems], fmt.Sprintf("and %d more", n-maxProblems))
	}
	return Invalid(string(problems[0].Kind), "%s", strings.Join(texts, "; ")).Suggest(CallAgain(tool))
}
