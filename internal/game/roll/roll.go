// Package roll rolls dice for `hob roll`: one expression as a value, and many as JSON Lines.
//
// docs/dice.md has the expressions and the forms of the lines. The package knows no chance of its own: dice come from a seed or from
// the faces that are given.
package roll

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hob/internal/game/dice"
	"hob/internal/jsonl"
)

// Result is the result of a roll.
type Result struct {
	OK     bool       `json:"ok"`
	Expr   string     `json:"expr"`
	Total  int64      `json:"total"`
	Detail string     `json:"detail"`
	Crit   dice.Crit  `json:"crit"`
	Dice   []dice.Die `json:"dice"`
	Unused int        `json:"unused,omitempty"` // faces that were given and not asked for
}

// refusal is an answer without a result.
type refusal struct {
	OK    bool    `json:"ok"`
	Error failure `json:"error"`
}

type failure struct {
	Code    dice.Code `json:"code"`
	Message string    `json:"message"`
}

// Seed returns the seed of the dice for a text.
func Seed(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// Faces reads a list of faces with commas between them. An empty text is no list.
func Faces(list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var faces []int
	for word := range strings.SplitSeq(list, ",") {
		face, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("--dice takes whole numbers with commas between, as in --dice 5,3,6: %q is none", word)
		}
		faces = append(faces, face)
	}
	return faces, nil
}

// Roll rolls an expression with the given faces or, without any, with those of src. Its errors are of the expression.
func Roll(expr string, faces []int, src dice.Source) (Result, error) {
	e, err := dice.Parse(expr)
	if err != nil {
		return Result{}, err
	}
	given := dice.Replay(faces)
	if len(faces) > 0 {
		src = given
	}
	r, err := e.Roll(src)
	if err != nil {
		return Result{}, err
	}
	return Result{OK: true, Expr: r.Expr, Total: r.Total, Detail: r.Detail, Crit: r.Crit, Dice: r.Dice, Unused: given.Left()}, nil
}

// Answer returns the JSON value for the results of [Roll].
func Answer(r Result, err error) any {
	var e *dice.Error
	switch {
	case err == nil:
		return r
	case errors.As(err, &e):
		return refusal{Error: failure{e.Code, e.Text}}
	}
	return refusal{Error: failure{dice.BadValue, err.Error()}}
}

// LineError is a line of the input that is no JSON object.
type LineError struct{ N int }

// Error implements error.
func (e *LineError) Error() string {
	return fmt.Sprintf("line %d is no JSON object: each line is one roll, such as {\"expr\":\"4d6kh3+2\"}", e.N)
}

// Lines answers each line of in with a line of out, which encode writes. The dice of a line follow from the seed and from the number
// of lines before it. The answer to a line is written before the next one is awaited. A line that cannot be used ends it with a
// [*LineError].
func Lines(ctx context.Context, in io.Reader, out io.Writer, seed [32]byte, encode func(io.Writer, any) error) error {
	answered := int64(-1)
	return jsonl.Answer(ctx, in, out, func(out io.Writer, n int, text []byte) error {
		var asked line
		if text[0] != '{' || json.Unmarshal(text, &asked) != nil {
			return &LineError{n}
		}
		answered++
		return encode(out, asked.answer(dice.Fair(seed, 0, answered)))
	})
}

// line is a line of the input.
type line struct {
	Expr json.RawMessage `json:"expr"`
	Dice json.RawMessage `json:"dice"`
}

// answer rolls what a line asks for. An expression that is no text counts as absent.
func (l line) answer(src dice.Source) any {
	var faces []int
	if len(l.Dice) > 0 && json.Unmarshal(l.Dice, &faces) != nil {
		return Answer(Result{}, &dice.Error{
			Code: dice.BadValue, Text: "dice is no list of whole numbers: give the face of each die, as in [5,3,6]",
		})
	}
	var expr string
	if json.Unmarshal(l.Expr, &expr) != nil {
		expr = ""
	}
	return Answer(Roll(expr, faces, src))
}
