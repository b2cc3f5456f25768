package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/schema"
)

// Validate reports whether args are arguments that t takes: nil, or an [*Error] of type validation that names every
// problem. It is strict, as package schema is: nothing is coerced.
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
	raw, err := schemaOf(t)
	if err != nil {
		return nil, uncallable(t.Name(), err)
	}
	return newChecker(t.Name(), raw), nil
}

// checker validates the arguments of one tool.
type checker struct {
	tool   string
	schema *schema.Schema
}

func newChecker(tool string, raw json.RawMessage) *checker { return &checker{tool, schema.New(raw)} }

// clean returns args in the form that [schema.Schema.Check] gives them, or what is wrong with them.
func (c *checker) clean(args json.RawMessage) (json.RawMessage, *Error) {
	clean, problems, err := c.schema.Check(args)
	if err != nil {
		return nil, uncallable(c.tool, err)
	}
	if len(problems) > 0 {
		return nil, argumentError(c.tool, problems)
	}
	return clean, nil
}

func uncallable(tool string, err error) *Error {
	return &Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: fmt.Sprintf("%s cannot be called: %v", tool, err)}
}

// maxProblems is how many problems an error names.
const maxProblems = 10

// argumentError puts problems into one error. Its code is that of the first.
func argumentError(tool string, problems []schema.Problem) *Error {
	texts := make([]string, 0, len(problems))
	for _, p := range problems {
		texts = append(texts, p.String())
	}
	if n := len(texts); n > maxProblems {
		texts = append(texts[:maxProblems], fmt.Sprintf("and %d more", n-maxProblems))
	}
	return &Error{
		Type: event.TypeValidation, Code: string(problems[0].Kind),
		Message:    strings.Join(texts, "; "),
		Suggestion: "call " + tool + " again with the arguments put right",
	}
}

// Invalid is the error of a tool for an argument that its schema could not refuse: of type validation, with one of the codes of
// package event for that, and a message that is formatted as by [fmt.Sprintf].
func Invalid(code, format string, args ...any) *Error {
	return &Error{Type: event.TypeValidation, Code: code, Message: fmt.Sprintf(format, args...)}
}
