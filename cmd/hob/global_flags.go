package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hob/internal/exit"
)

// limitGlobals has commands refuse --model where it means nothing: who gives it expects something of it. --config says which hob is
// meant, and an alias may give it to every command: those that read none take it, and their help does not show it.
func limitGlobals(root *cobra.Command) {
	shadow := func(flag string, value func(*cobra.Command) pflag.Value, paths ...string) {
		for _, path := range paths {
			c, _, err := root.Find(strings.Fields(path))
			if err != nil || c == root {
				panic("there is no command " + path) // its author's mistake
			}
			c.PersistentFlags().Var(value(c), flag, "")
			c.PersistentFlags().Lookup(flag).Hidden = true
		}
	}
	taken := func(*cobra.Command) pflag.Value { return root.PersistentFlags().Lookup("config").Value }
	shadow("config", taken, "roll", "game exec", "version", "completion", "help")
	refused := func(c *cobra.Command) pflag.Value {
		return &refusedFlag{c.CommandPath() + " asks no model: leave --model out"}
	}
	shadow("model", refused,
		"log", "chats", "stop", "undo", "remind", "reminders", "memory", "tour", "page", "pair", "allow", "backup", "skill",
		"grant", "label", "audit", "privacy", "sandbox", "journal", "roll", "version", "completion", "help",
		"game new", "game do", "game tools", "game list", "game map", "game recap", "game undo", "game redo", "game branch", "game switch",
		"game export", "game import", "game verify", "game fair", "game remove")
	root.SetFlagErrorFunc(flagError)
}

// flagError is the error of a wrong flag. One that was refused says why in a sentence of its own. A command that takes words has
// been given one that looks like a flag.
func flagError(cmd *cobra.Command, err error) error {
	if refused := (*refusedFlagError)(nil); errors.As(err, &refused) {
		return exit.Errorf(exit.Usage, "%v", refused)
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) && strings.Contains(cmd.Use, "WORD") {
		return exit.Errorf(exit.Usage, "%v: words that begin with a dash stand behind --", err)
	}
	return err
}

// exclude has cmd refuse a flag beside any of others.
func exclude(cmd *cobra.Command, flag string, others ...string) {
	before := cmd.PreRunE
	cmd.PreRunE = func(c *cobra.Command, args []string) error { // cobra checks its own groups later, and names them in words of its own
		for _, other := range others {
			if c.Flags().Changed(flag) && c.Flags().Changed(other) {
				return exit.Errorf(exit.Usage, "--%s and --%s do not go together: leave one of them out", flag, other)
			}
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// refusedFlag is the value of a flag that a command refuses.
type refusedFlag struct{ why string }

func (f *refusedFlag) String() string   { return "" }
func (f *refusedFlag) Type() string     { return "string" }
func (f *refusedFlag) Set(string) error { return &refusedFlagError{f.why} }

type refusedFlagError struct{ why string }

func (e *refusedFlagError) Error() string { return e.why }
