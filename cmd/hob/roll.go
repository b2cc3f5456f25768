package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/dice"
	"hob/internal/game/roll"
	"hob/internal/surface/cli"
)

// rollOptions are the flags and arguments of hob roll.
type rollOptions struct {
	expr        string
	faces, seed string
	seeded      bool
	lines       bool
}

func rollCommand(a *program) *cobra.Command {
	var r rollOptions
	cmd := &cobra.Command{
		Use:                "roll EXPR [--dice V,V,...] [--seed S] [--json] | --jsonl",
		Short:              "roll dice",
		DisableFlagParsing: true, // -1 and --d6 are arithmetic here; see flagsOf
		RunE: func(cmd *cobra.Command, args []string) error {
			flags, words := flagsOf(cmd, args)
			cmd.DisableFlagParsing = false
			if err := cmd.ParseFlags(flags); err != nil {
				return flagError(cmd, err)
			}
			if help, err := cmd.Flags().GetBool("help"); help || err != nil {
				return errors.Join(err, cmd.Help())
			}
			r.expr = strings.TrimSpace(strings.Join(words, " "))
			r.seeded = cmd.Flags().Changed("seed")
			return asRunE(func(ctx context.Context, _ []string) error { return a.roll(ctx, r) })(cmd, words)
		},
	}
	cmd.Flags().StringVar(&r.faces, "dice", "", "the faces in the order they are rolled (0 to 90 for a d%), instead of rolling")
	cmd.Flags().StringVar(&r.seed, "seed", "", "any text: the same one rolls the same dice")
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value")
	cmd.Flags().BoolVar(&r.lines, "jsonl", false, "read and print JSON Lines")
	return cmd
}

// flagsOf separates flags with their values from the words of the expression. An argument with a
// leading dash is a flag only if a name follows the dashes; otherwise it is arithmetic.
func flagsOf(cmd *cobra.Command, args []string) (flags, words []string) {
	cmd.InheritedFlags() // adds the global flags to those that Lookup finds
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

// isName reports whether s begins like the name of a flag, and not like dice.
func isName(s string) bool {
	isLetter := s != "" && s[0] >= 'a' && s[0] <= 'z'
	isDice := len(s) > 1 && s[0] == 'd' && (s[1] == '%' || s[1] >= '0' && s[1] <= '9')
	return isLetter && !isDice
}

// roll runs hob roll.
func (a *program) roll(ctx context.Context, r rollOptions) error {
	switch {
	case r.lines && (r.expr != "" || r.faces != ""):
		return exit.Errorf(exit.Usage, "--jsonl reads expressions and dice from standard input: name none beside it")
	case !r.lines && r.expr == "":
		return exit.Errorf(exit.Usage, "say what to roll: hob roll 4d6kh3+2")
	case r.faces != "" && r.seeded:
		return exit.Errorf(exit.Usage, "--dice gives the faces and --seed makes them: use one of the two")
	}
	seed := roll.Seed(r.seed)
	if !r.seeded {
		_, _ = rand.Read(seed[:]) // never fails
	}
	if r.lines {
		return asUsageError[*roll.LineError](roll.Lines(ctx, a.stdin, a.stdout, seed, cli.WriteJSON))
	}
	faces, err := roll.Faces(r.faces)
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	outcome, err := roll.Roll(r.expr, faces, dice.Fair(seed, 0, 0))
	if err != nil && !a.json {
		return exit.Errorf(exit.Usage, "%s", display.Clean(err.Error()))
	}
	if a.json {
		if failure := a.printJSON(roll.Answer(outcome, err)); failure != nil || err == nil {
			return failure
		}
		return exit.Errorf(exit.Usage, "") // the printed line says why
	}
	if outcome.Unused > 0 {
		fmt.Fprintf(a.Stderr, "hob: %d of the faces given were not needed\n", outcome.Unused)
	}
	_, err = fmt.Fprintln(a.out, display.Clean(outcome.Detail)+critical(outcome.Crit))
	return err
}

// asUsageError gives an error of type E the exit status of wrong usage. It returns any other error
// as it is.
func asUsageError[E error](err error) error {
	var e E
	if errors.As(err, &e) {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	return err
}

// critical is the text behind the total for a natural success or failure.
func critical(c dice.Crit) string {
	switch c {
	case dice.CritHit:
		return ", a critical success"
	case dice.CritFail:
		return ", a critical failure"
	}
	return ""
}
