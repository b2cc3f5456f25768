package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hob/internal/exit"
	"hob/internal/tools"
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
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return wrongValue(wrong)
	}
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	isText, near := strings.Contains(cmd.Use, "WORD"), nearestFlag(cmd, unknown)
	switch {
	case near != "" && isText:
		return exit.Errorf(exit.Usage, "%v: did you mean --%s? Words that begin with a dash stand behind --", err, near)
	case near != "":
		return exit.Errorf(exit.Usage, "%v: did you mean --%s?", err, near)
	case isText:
		return exit.Errorf(exit.Usage, "%v: words that begin with a dash stand behind --", err)
	}
	return err
}

// wrongValue says what a flag takes that was given something else. The parser's own words name its functions.
func wrongValue(wrong *pflag.InvalidValueError) error {
	takes, ok := map[string]string{
		"int": "a whole number", "int64": "a whole number", "bool": "true or false", "duration": "a time such as 30s, 5m or 2h",
	}[wrong.GetFlag().Value.Type()]
	if !ok {
		return wrong
	}
	return exit.Errorf(exit.Usage, "--%s %s: it takes %s", wrong.GetFlag().Name, wrong.GetValue(), takes)
}

// nearestFlag returns the name of the flag that an unknown one may stand for, or "".
func nearestFlag(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	if unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return tools.Nearest(unknown.GetSpecifiedName(), names)
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
