package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
)

// rootCommand builds the whole command line. Every command is a method value of a, so that nothing is global.
func rootCommand(a *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "hob",
		Short: "a personal agent over a local model",
		Long: "hob is a personal agent for one household: it talks to a model on your own Ollama, does chores with\n" +
			"files, the shell and the web, and keeps a journal of all it did. Without a command it opens the prompt.",
		Example: "  hob                                   open the prompt\n" +
			"  hob ask \"what is in my notes?\"        one question, one answer\n" +
			"  hob tool read_file path=notes/a.md    a tool, without a model\n" +
			"  hob model suggest                     which models fit this machine\n" +
			"  hob model pull MODEL                  get a model",
		Args:          noCommand,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&a.ConfigFile, "config", "", "configuration file (default $HOB_CONFIG, ~/.config/hob/config.toml, /etc/hob/config.toml)")
	root.PersistentFlags().StringVar(&a.ModelName, "model", "", "model for this run, instead of [ollama] model")
	chat := chatCommand(a)
	root.RunE = chat.RunE // hob alone is hob chat
	root.Flags().AddFlagSet(chat.Flags())
	root.AddCommand(chat, askCommand(a), serveCommand(a), toolCommand(a), skillCommand(a), mcpCommand(a), logCommand(a), stopCommand(a), retryCommand(a), approveCommand(a), pairCommand(a), allowCommand(a), grantCommand(a), labelCommand(a), auditCommand(a),
		statusCommand(a), privacyCommand(a), modelCommand(a), configCommand(a),
		runCommand(a), tourCommand(a), undoCommand(a), gameCommand(a), rollCommand(a), intentCommand(a), sandboxCommand(a), doctorCommand(a), backupCommand(a), restoreCommand(a), journalCommand(a), versionCommand(a))
	fillHelp(root)
	return root
}

// noCommand refuses words that are no command, with the one that was most likely meant.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if root.SuggestionsMinimumDistance <= 0 {
		root.SuggestionsMinimumDistance = 2
	}
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return exit.Errorf(exit.Usage, "there is no command %q: did you mean hob %s?", args[0], near[0])
	}
	return exit.Errorf(exit.Usage, "there is no command %q: hob --help lists them; to ask something use hob ask", args[0])
}

// checkArgs refuses fewer or more words than a command takes (most -1: as many as there are) with how it is used.
func checkArgs(least, most int, how string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return exit.Errorf(exit.Usage, "%s", how)
		}
		return nil
	}
}

// first returns the first argument, or "".
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// asRunE wraps what a command does, so that an error which names no exit status means "it failed" and not "wrong usage".
func asRunE(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd.Context(), args)
		var e *exit.Error
		var m *llm.Error
		var other *event.ReusedIDError
		if err == nil || errors.As(err, &e) || errors.As(err, &m) || errors.As(err, &other) {
			return err
		}
		return exit.Errorf(exit.Failed, "%v", err)
	}
}

func versionCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		RunE: asRunE(func(context.Context, []string) error {
			_, err := fmt.Fprintln(a.stdout, "hob", a.Version)
			return err
		}),
	}
}
