package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/config"
	"hob/internal/exit"
)

func configCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "show, check or find the configuration", Args: cobra.NoArgs}
	cmd.RunE = func(*cobra.Command, []string) error {
		return exit.Errorf(exit.Usage, "say what to do with the configuration: hob config show, check or path")
	}
	cmd.AddCommand(
		a.withText(&cobra.Command{Use: "show", Short: "print the configuration in force", Args: cobra.NoArgs},
			func(_ context.Context, s *app.Environment, _ []string) (string, error) {
				return config.Show(effectiveConfig(s), describeSource(s)), nil
			}),
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
	)
	return cmd
}

// effectiveConfig is the configuration with what was left to hob filled in.
func effectiveConfig(s *app.Environment) config.Config {
	c, e := s.Config, app.NewModel(s)
	c.Ollama.Host, c.Workspace.Dir = s.Hosts, s.WorkspaceDir
	c.Ollama.NumCtx, c.Ollama.NumPredict = e.NumCtx, e.Window().Reserve
	return c
}

// describeSource says where the configuration came from.
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
	if err := app.NewModel(s).ReadProfiles(); err != nil {
		return err
	}
	for _, token := range []func() (string, error){s.BotToken, s.APIToken} {
		if _, err := token(); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
	}
	if os.IsNotExist(absent) {
		_, err = fmt.Fprintf(a.stdout, "%s does not exist: the defaults are in force\n", path)
	} else {
		_, err = fmt.Fprintf(a.stdout, "%s is fine\n", path)
	}
	return err
}
