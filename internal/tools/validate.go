package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/schema"
)

// Validate reports whether args are arguments that t takes: nil, or an [*Error] of type validation that names every
// problem. It is strict, as package schema is: nothing is coerced. What fits the schema is held against the Check of the tool's
// [Def], whose error may be of another type. Whoever calls a tool validates first, and asks about the call then.
//
// The schema of a tool from [New] or [NewUntyped] is compiled once. That of any other tool is compiled at every call,
// a fraction of a millisecond: it may change between two calls, and this package keeps no state.
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
		return nil, uncallable(t.Name(), err)
	}
	return newChecker(t.Name(), raw, DefOf(t).Check), nil
}

// checker validates the arguments of one tool.
type checker struct {
	tool   string
	schema *schema.Schema
	check  func(json.RawMessage) error // what the schema cannot say; nil: nothing
}

func newChecker(tool string, raw json.RawMessage, check func(json.RawMessage) error) *checker {
	return &checker{tool, schema.New(raw), check}
}

// clean returns args in the form that [schema.Schema.Check] gives them, or what is wrong with them.
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

// fit is clean by the schema alone.
func (c *checker) fit(args json.RawMessage) (json.RawMessage, *Error) {
	clean, problems, err := c.schema.Check(args)
	if err != nil {
		return nil, uncallable(c.tool, err)
	}
	if len(problems) > 0 {
		return nil, argumentError(c.tool, problems)
	}
	return clean, nil
}

// CheckArgs returns the Check of a [Def] that reads arguments as the tool does. An argument that is absent is zero: it has no
// default yet.
func CheckArgs[In any](check func(In) error) func(json.RawMessage) error {
	return func(args json.RawMessage) error {
		var in In
		if json.Unmarshal(args, &in) != nil {
			return nil //nolint:nilerr // the tool says so itself
		}
		return check(in)
	}
}

// HintedError is an error with a hint for the owner, which no model sees. A result beside it has the [Hint] as its Data.
type HintedError struct {
	Err  *Error
	Hint string // what the owner can do about it; "" where there is nothing
}

// Error returns the words of the error without the hint.
func (e *HintedError) Error() string { return e.Err.Message }

// Unwrap returns the error that the model reads.
func (e *HintedError) Unwrap() error { return e.Err }

// Hint is the Data of a result beside a [HintedError].
type Hint struct {
	Hint string `json:"hint"`
}

// HintOf returns the hint in an error, for the Data of the result beside it, or nil.
func HintOf(err error) any {
	if e := (*HintedError)(nil); errors.As(err, &e) {
		return Hint{e.Hint}
	}
	return nil
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
		Suggestion: CallAgain(tool),
	}
}

// CallAgain is what the error for arguments that do not fit the schema suggests to a model.
func CallAgain(tool string) string { return "call " + tool + " again with the arguments put right" }

// Invalid is the error of a tool for an argument that its schema could not refuse: of type validation, with one of the codes of
// package event for that, and a message that is formatted as by [fmt.Sprintf].
func Invalid(code, format string, args ...any) *Error {
	return &Error{Type: event.TypeValidation, Code: code, Message: fmt.Sprintf(format, args...)}
}
