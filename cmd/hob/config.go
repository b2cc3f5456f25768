package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/surface/cli"
)

func configCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "show, check or change the configuration, or say where it is",
		Args: checkArgs(0, 0, "say what to do with the configuration: hob config show, check, path, set or edit")}
	cmd.RunE = func(*cobra.Command, []string) error {
		return exit.Errorf(exit.Usage, "say what to do with the configuration: hob config show, check, path, set or edit")
	}
	cmd.AddCommand(
		&cobra.Command{Use: "show [TABLE | TABLE.KEY]", Aliases: []string{"get"}, Short: "print the configuration in force, or a part of it",
			Args: checkArgs(0, 1, "say at most one table or key: hob config show ollama.host"),
			RunE: a.withConfig(func(_ context.Context, s *app.Environment, args []string) error {
				return a.showConfig(s, strings.Join(args, ""))
			})},
		&cobra.Command{Use: "check", Short: "say what is wrong in the configuration file", Args: cobra.NoArgs,
			RunE: asRunE(func(context.Context, []string) error { return a.checkConfig() })},
		&cobra.Command{Use: "path", Short: "print where the configuration file is", Args: cobra.NoArgs,
			RunE: asRunE(func(context.Context, []string) error {
				path, err := a.ConfigPath()
				if err == nil {
					_, err = fmt.Fprintln(a.stdout, path)
				}
				return err
			})},
		setCommand(a),
		&cobra.Command{Use: "edit", Short: "open the configuration file in your editor, and check it before it counts", Args: cobra.NoArgs,
			RunE: asRunE(func(ctx context.Context, _ []string) error { return a.editConfig(ctx) })},
	)
	return cmd
}

func setCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{Use: "set KEY VALUE", Short: "change one value in the configuration file",
		Args: checkArgs(2, 2, "say which key and which value: hob config set shell.timeout 5m"),
		RunE: asRunE(func(ctx context.Context, args []string) error { return a.setConfig(ctx, args[0], args[1]) })}
	cmd.Flags().SetInterspersed(false) // a value may begin with a dash: ollama.keep_alive -1
	return cmd
}

// showConfig prints the configuration in force, or one part of it, as TOML that can be copied.
func (a *program) showConfig(s *app.Environment, part string) (err error) {
	text := config.Show(effectiveConfig(s), describeSource(s))
	if part != "" {
		if text, err = config.ShowPart(effectiveConfig(s), part); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
	}
	_, err = io.WriteString(a.stdout, text)
	return err
}

// setConfig changes one value in the configuration file and prints how to apply it.
func (a *program) setConfig(ctx context.Context, key, value string) error {
	path, err := a.ConfigPath()
	if err != nil {
		return err
	}
	if err := a.configEditor(ctx).Set(path, strings.Trim(strings.ReplaceAll(key, "[", ""), "] "), value); err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	_, err = fmt.Fprintf(a.out, "%s is set in %s%s\n", key, path, a.howItCounts(ctx))
	return err
}

// configEditor returns an editor that records its changes for undo. Without a known state folder it
// records nothing.
func (a *program) configEditor(ctx context.Context) config.Editor {
	s, err := a.LoadStateDir()
	path, noPath := a.ConfigPath()
	if err != nil || noPath != nil {
		return config.Editor{}
	}
	return s.ConfigEditor(app.WithOwnersCause(ctx, "config"), path)
}

// howItCounts returns the end of a sentence: how a running hob applies a changed configuration.
func (a *program) howItCounts(ctx context.Context) string {
	s, err := a.LoadStateDir()
	if err != nil {
		return ""
	}
	if serves := client.Serving(ctx, s); serves != "" {
		return ": " + serves + " runs, and takes it with systemctl reload, a SIGHUP or a new start"
	}
	return ""
}

// editConfig opens the configuration file in the person's editor.
func (a *program) editConfig(ctx context.Context) error {
	if !a.terminal().IsInteractive() {
		return exit.Errorf(exit.Usage, "an editor needs a terminal: hob config set KEY VALUE needs none")
	}
	path, err := a.ConfigPath()
	if err != nil {
		return err
	}
	before, err := config.Read(path)
	if err != nil {
		return err
	}
	for text := before; ; {
		if text, err = cli.EditText(a.Env, "hob-*.toml", text); err != nil {
			return err
		}
		if text == before {
			_, err = fmt.Fprintf(a.out, "%s is as it was\n", path)
			return err
		}
		err := a.configEditor(ctx).Replace(path, before, text)
		if err == nil {
			_, err = fmt.Fprintf(a.out, "%s is changed%s\n", path, a.howItCounts(ctx))
			return err
		}
		fmt.Fprintf(a.Stderr, "hob: %v\n", err)
		if again, _ := a.terminal().Confirm(ctx, wordsIn(a.terminal().Language()).Text("edit.again")); !again {
			return exit.Errorf(exit.Usage, "nothing is written: %s is as it was", path)
		}
	}
}

// effectiveConfig returns the configuration with the values that hob itself chose filled in.
func effectiveConfig(s *app.Environment) config.Config {
	c, now := s.Config, app.NewModel(s).State()
	c.Ollama.Host, c.Workspace.Dir = s.Hosts, s.WorkspaceDir
	c.Ollama.NumCtx, c.Ollama.NumPredict = now.Context, now.Reserve
	return c
}

// describeSource says which file the configuration came from.
func describeSource(s *app.Environment) string {
	if _, err := os.Stat(s.ConfigPath); os.IsNotExist(err) {
		return "the defaults: there is no " + s.ConfigPath
	}
	return s.ConfigPath
}

func (a *program) checkConfig() error {
	path, err := a.ConfigPath()
	if err != nil {
		return err
	}
	_, absent := os.Stat(path)
	if !os.IsNotExist(absent) {
		if err := config.Check(path); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
	}
	s, err := a.Load()
	if err != nil {
		return err
	}
	if err := app.NewModel(s).CheckProfiles(); err != nil {
		return err
	}
	if _, err := s.Sentences(); err != nil {
		return err
	}
	for _, token := range []func() (string, error){s.BotToken, s.APIToken} {
		if _, err := token(); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
	}
	if os.IsNotExist(absent) {
		_, err = fmt.Fprintf(a.out, "%s does not exist: the defaults are in force\n", path)
	} else {
		_, err = fmt.Fprintf(a.out, "%s is fine\n", path)
	}
	return err
}
