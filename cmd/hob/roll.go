package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/display"
	"hob/internal/eval"
	"hob/internal/exit"
	"hob/internal/game/dice"
	"hob/internal/surface/cli"
)

// rolls is what hob roll was asked for.
type rolls struct {
	expr        string
	faces, seed string
	seeded      bool
	json, lines bool
}

func rollCommand(a *program) *cobra.Command {
	var r rolls
	cmd := &cobra.Command{
		Use:   "roll EXPR [--dice V,V,...] [--seed S] [--json] | --jsonl",
		Short: "roll dice",
		Long: "Rolls an expression: dice, operators upon them (k keep, p drop, rr, ro, ra reroll, e explode, mi, ma), sets,\n" +
			"arithmetic and comparisons, as in docs/dice.md. It needs no configuration and no model.\n\n" +
			"With --jsonl it reads JSON Lines from standard input, {\"expr\":\"4d6kh3+2\",\"dice\":[5,3,6,1]}, and prints a line\n" +
			"for each: the total, what each die showed, or an error. Without dice, or with none, it rolls them.",
		Example: "  hob roll 4d6kh3+2\n" +
			"  hob roll 2d20kh1 + 5\n" +
			"  hob roll 4d6kh3+2 --dice 5,3,6,1        dice that were rolled elsewhere\n" +
			"  hob roll 8d6 --seed tuesday             the same dice every time\n" +
			"  hob roll --jsonl <rolls.jsonl",
		DisableFlagParsing: true, // -1 and --d6 are arithmetic here, see flagsOf
		RunE: func(cmd *cobra.Command, args []string) error {
			flags, words := flagsOf(cmd, args)
			cmd.DisableFlagParsing = false
			if err := cmd.ParseFlags(flags); err != nil {
				return err
			}
			if help, err := cmd.Flags().GetBool("help"); help || err != nil {
				return errors.Join(err, cmd.Help())
			}
			r.expr = strings.TrimSpace(strings.Join(words, " "))
			r.seeded = cmd.Flags().Changed("seed")
			return does(func(ctx context.Context, _ []string) error { return a.roll(ctx, r) })(cmd, words)
		},
	}
	cmd.Flags().StringVar(&r.faces, "dice", "", "the faces in the order they are rolled (0 to 90 for a d%), instead of rolling")
	cmd.Flags().StringVar(&r.seed, "seed", "", "any text: the same one rolls the same dice")
	cmd.Flags().BoolVar(&r.json, "json", false, "print one JSON value")
	cmd.Flags().BoolVar(&r.lines, "jsonl", false, "read and print JSON Lines")
	return cmd
}

// flagsOf separates the flags, with their values, from the words of an expression. A word begins with - only if it is
// arithmetic: what stands behind the signs is no name.
func flagsOf(cmd *cobra.Command, args []string) (flags, words []string) {
	cmd.InheritedFlags() // makes those of all commands known to this one
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		switch {
		case args[i] == "--":
			return flags, append(words, args[i+1:]...)
		case args[i] != "-h" && (!isFlag || !isName(name)):
			words = append(words, args[i])
			continue
		}
		flags = append(flags, args[i])
		if f := cmd.Flags().Lookup(name); f != nil && f.NoOptDefVal == "" && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	return flags, words
}

// isName reports whether s begins as the name of a flag does, and not as dice do.
func isName(s string) bool {
	isLetter := s != "" && s[0] >= 'a' && s[0] <= 'z'
	isDice := len(s) > 1 && s[0] == 'd' && (s[1] == '%' || s[1] >= '0' && s[1] <= '9')
	return isLetter && !isDice
}

// roll does what hob roll was asked for.
func (a *program) roll(ctx context.Context, r rolls) error {
	switch {
	case r.lines && (r.expr != "" || r.faces != ""):
		return exit.Errorf(exit.Usage, "--jsonl reads expressions and dice from standard input: name none beside it")
	case !r.lines && r.expr == "":
		return exit.Errorf(exit.Usage, "say what to roll: hob roll 4d6kh3+2")
	case r.faces != "" && r.seeded:
		return exit.Errorf(exit.Usage, "--dice gives the faces and --seed makes them: use one of the two")
	}
	seed := sha256.Sum256([]byte(r.seed))
	if !r.seeded {
		_, _ = rand.Read(seed[:]) // which never fails
	}
	if r.lines {
		return rollLines(ctx, a.stdin, a.stdout, seed)
	}
	faces, err := facesOf(r.faces)
	if err != nil {
		return err
	}
	outcome, err := rolled(r.expr, faces, dice.Fair(seed, 0, 0))
	if err != nil && !r.json {
		return exit.Errorf(exit.Usage, "%s", display.Clean(err.Error()))
	}
	if r.json {
		if failure := a.printJSON(told(outcome, err)); failure != nil || err == nil {
			return failure
		}
		return exit.Errorf(exit.Usage, "") // the line says why
	}
	if outcome.Unused > 0 {
		fmt.Fprintf(a.Stderr, "hob: %d of the faces given were not needed\n", outcome.Unused)
	}
	_, err = fmt.Fprintln(a.stdout, display.Clean(outcome.Detail)+critical(outcome.Crit))
	return err
}

// critical is what a person is told of a natural success or failure, behind the total.
func critical(c dice.Crit) string {
	switch c {
	case dice.CritHit:
		return ", a critical success"
	case dice.CritFail:
		return ", a critical failure"
	}
	return ""
}

// facesOf reads the value of --dice.
func facesOf(list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var faces []int
	for word := range strings.SplitSeq(list, ",") {
		face, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "--dice takes whole numbers with commas between, as in --dice 5,3,6: %q is none", word)
		}
		faces = append(faces, face)
	}
	return faces, nil
}

// result is an answer of `hob roll --jsonl`.
type result struct {
	OK     bool       `json:"ok"`
	Expr   string     `json:"expr"`
	Total  int64      `json:"total"`
	Detail string     `json:"detail"`
	Crit   dice.Crit  `json:"crit"`
	Dice   []dice.Die `json:"dice"`
	Unused int        `json:"unused,omitempty"` // faces that were given and not asked for
}

// refusal is its answer where there is no result.
type refusal struct {
	OK    bool      `json:"ok"`
	Error rollError `json:"error"`
}

type rollError struct {
	Code    dice.Code `json:"code"`
	Message string    `json:"message"`
}

// rolled rolls an expression with these faces or, where there are none, with those of src.
func rolled(expr string, faces []int, src dice.Source) (result, error) {
	e, err := dice.Parse(expr)
	if err != nil {
		return result{}, err
	}
	given := dice.Replay(faces)
	if len(faces) > 0 {
		src = given
	}
	r, err := e.Roll(src)
	if err != nil {
		return result{}, err
	}
	return result{OK: true, Expr: r.Expr, Total: r.Total, Detail: r.Detail, Crit: r.Crit, Dice: r.Dice, Unused: given.Left()}, nil
}

// told is what a program is told of a roll.
func told(r result, err error) any {
	var e *dice.Error
	switch {
	case err == nil:
		return r
	case errors.As(err, &e):
		return refusal{Error: rollError{e.Code, e.Text}}
	}
	return refusal{Error: rollError{dice.BadValue, err.Error()}}
}

// rollLine is a line of the input of `hob roll --jsonl`. An expression that is no text counts as absent.
type rollLine struct {
	Expr eval.Loose[string] `json:"expr"`
	Dice json.RawMessage    `json:"dice"`
}

// rollLines answers every line of in with one of out. The dice of a line follow from the seed and from how many lines came
// before it.
func rollLines(ctx context.Context, in io.Reader, out io.Writer, seed [32]byte) error {
	reader := bufio.NewReaderSize(in, 64<<10)
	writer := bufio.NewWriter(out)
	answered := int64(0)
	for n := 1; ; n++ {
		line, readErr := reader.ReadBytes('\n')
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			var asked rollLine
			if text[0] != '{' || json.Unmarshal(text, &asked) != nil {
				return errors.Join(writer.Flush(),
					exit.Errorf(exit.Usage, "line %d is no JSON object: each line is one roll, such as {\"expr\":\"4d6kh3+2\"}", n))
			}
			if err := cli.WriteJSON(writer, answer(asked, dice.Fair(seed, 0, answered))); err != nil {
				return err
			}
			answered++
			if reader.Buffered() == 0 { // whoever asks line by line gets its answer
				if err := writer.Flush(); err != nil {
					return err
				}
			}
		}
		if readErr == io.EOF {
			return writer.Flush()
		}
		if readErr != nil {
			return errors.Join(writer.Flush(), readErr)
		}
	}
}

// answer rolls what a line asks for.
func answer(asked rollLine, src dice.Source) any {
	var faces []int
	if len(asked.Dice) > 0 && json.Unmarshal(asked.Dice, &faces) != nil {
		return told(result{}, &dice.Error{
			Code: dice.BadValue, Text: "dice is no list of whole numbers: give the face of each die, as in [5,3,6]",
		})
	}
	return told(rolled(asked.Expr.V, faces, src))
}
