package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
)

// rootCommand builds the whole command line. Every command is built from a, so there is no global
// state.
func rootCommand(a *program) *cobra.Command {
	root := &cobra.Command{
		Use:           "hob",
		Short:         "a personal agent over a local model",
		Args:          noCommand,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&a.ConfigFile, "config", "", "configuration file (default $HOB_CONFIG, ~/.config/hob/config.toml, /etc/hob/config.toml)")
	root.PersistentFlags().StringVar(&a.ModelName, "model", "", "model for this run, instead of [ollama] model")
	chat := chatCommand(a)
	root.Flags().AddFlagSet(chat.Flags())
	root.Flags().BoolP("version", "v", false, "print the version")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if asked, _ := cmd.Flags().GetBool("version"); asked {
			_, err := fmt.Fprintln(a.out, ownBuild())
			return err
		}
		return chat.RunE(cmd, args)
	}
	group := func(title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: title, Title: title})
		for _, c := range commands {
			c.GroupID = title
			root.AddCommand(c)
		}
	}
	group("Talk:", chat, askCommand(a), logCommand(a), chatsCommand(a), statusCommand(a), stopCommand(a), retryCommand(a), undoCommand(a), remindCommand(a), remindersCommand(a), memoryCommand(a), zoneCommand(a))
	group("Set up:", setupCommand(a), runCommand(a), tourCommand(a), modelCommand(a), configCommand(a), doctorCommand(a), serveCommand(a), pageCommand(a),
		pairCommand(a), allowCommand(a), backupCommand(a), restoreCommand(a))
	group("Extend:", toolCommand(a), skillCommand(a), mcpCommand(a), intentCommand(a))
	group("Permissions and safety:", approveCommand(a), grantCommand(a), labelCommand(a), auditCommand(a), privacyCommand(a), sandboxCommand(a), journalCommand(a))
	group("Play:", gameCommand(a), rollCommand(a))
	help := helpCommand(a)
	group("About hob:", versionCommand(a), completionCommand(), help)
	root.SetHelpCommand(help) // otherwise cobra adds its own
	root.CompletionOptions.DisableDefaultCmd = true
	suggestBelow(root)
	limitGlobals(root)
	a.fillHelp(root)
	return root
}

// checkArgs refuses fewer than least or more than most arguments with the message how. most -1 is
// no limit.
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

// asRunE adapts f to cobra. An error of f without an exit status means that the command failed, not
// that its usage was wrong.
func asRunE(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd.Context(), args)
		var e *exit.Error
		var m *llm.Error
		var other *event.ReusedIDError
		var wrong *commands.UsageError
		if err == nil || errors.As(err, &e) || errors.As(err, &m) || errors.As(err, &other) {
			return err
		}
		if errors.As(err, &wrong) {
			return exit.Errorf(exit.Usage, "%s", inShell(err.Error()))
		}
		return exit.Errorf(exit.Failed, "%s", inShell(err.Error()))
	}
}

// withConfig is asRunE for a command that needs the configuration.
func (a *program) withConfig(f func(ctx context.Context, s *app.Environment, args []string) error) func(*cobra.Command, []string) error {
	return asRunE(func(ctx context.Context, args []string) error {
		s, err := a.Load()
		if err != nil {
			return err
		}
		return f(ctx, s, args)
	})
}

// besideServer is withConfig for a command that works through the running hob, or starts one in
// this process; see [client.LoadBeside].
func (a *program) besideServer(f func(ctx context.Context, s *app.Environment, args []string) error) func(*cobra.Command, []string) error {
	return asRunE(func(ctx context.Context, args []string) error {
		s, err := client.LoadBeside(ctx, a.Loader)
		if err != nil {
			return err
		}
		return f(ctx, s, args)
	})
}
