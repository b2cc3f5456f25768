package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hob/internal/exit"
)

// limitGlobals makes commands that use no model refuse --model, because whoever gives it expects an
// effect. A command that reads no configuration accepts --config all the same, since an alias may
// pass it to every command. The help of these commands shows neither.
func limitGlobals(root *cobra.Command) {
	shadow := func(flag string, value func(*cobra.Command) pflag.Value, paths ...string) {
		for _, path := range paths {
			c, _, err := root.Find(strings.Fields(path))
			if err != nil || c == root {
				panic("there is no command " + path) // a mistake in the lists below
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

// flagError explains a wrong flag. A refused flag has a sentence of its own. A command that takes
// free text may have been given words that look like a flag.
func flagError(cmd *cobra.Command, err error) error {
	if refused := (*refusedFlagError)(nil); errors.As(err, &refused) {
		return exit.Errorf(exit.Usage, "%v", refused)
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) && strings.Contains(cmd.Use, "WORD") {
		return exit.Errorf(exit.Usage, "%v: words that begin with a dash stand behind --", err)
	}
	return err
}

// exclude makes cmd refuse flag together with any of others.
func exclude(cmd *cobra.Command, flag string, others ...string) {
	before := cmd.PreRunE
	cmd.PreRunE = func(c *cobra.Command, args []string) error { // cobra would check later, with its own wording
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

// refusedFlag is the value of a flag that a command refuses: setting it fails.
type refusedFlag struct{ why string }

func (f *refusedFlag) String() string   { return "" }
func (f *refusedFlag) Type() string     { return "string" }
func (f *refusedFlag) Set(string) error { return &refusedFlagError{f.why} }

type refusedFlagError struct{ why string }

func (e *refusedFlagError) Error() string { return e.why }
