package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hob/internal/exit"
)

// helpCommand explains commands: to a person, and with --json to what makes the manual pages.
func helpCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "help [COMMAND ...]", Short: "explain a command", Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(c *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
			about, _, err := c.Root().Find(words)
			if err != nil || about == nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, below := range about.Commands() {
				names = append(names, below.Name()+"\t"+below.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = func(c *cobra.Command, words []string) error {
		if a.json {
			return a.printJSON(describeCommand(c.Root()))
		}
		about, rest, err := c.Root().Find(words)
		if err != nil {
			return err
		}
		if len(rest) > 0 && !about.HasParent() {
			return noCommand(about, rest)
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
	cmd.Flags().BoolVar(&a.json, "json", false, "print all commands as one JSON value")
	return cmd
}

// commandHelp is a command as `hob help --json` describes it.
type commandHelp struct {
	Use      string        `json:"use"`
	Short    string        `json:"short"`
	Long     string        `json:"long,omitempty"`
	Example  string        `json:"example,omitempty"`
	Flags    []flagHelp    `json:"flags,omitempty"`
	Commands []commandHelp `json:"commands,omitempty"`
}

type flagHelp struct {
	Name      string `json:"name"`
	Shorthand string `json:"shorthand,omitempty"`
	Type      string `json:"type"`
	Default   string `json:"default,omitempty"`
	Usage     string `json:"usage"`
}

func describeCommand(c *cobra.Command) commandHelp {
	h := commandHelp{Use: c.Use, Short: c.Short, Long: strings.ReplaceAll(c.Long, namesHere, modelNames()), Example: c.Example}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		h.Flags = append(h.Flags, flagHelp{f.Name, f.Shorthand, f.Value.Type(), f.DefValue, f.Usage})
	})
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			h.Commands = append(h.Commands, describeCommand(below))
		}
	}
	return h
}

// completionCommand prints what a shell completes hob's commands with.
func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "print what completes hob's commands in bash, zsh, fish or powershell",
		Long: "completion prints a script for your shell, with which Tab completes commands, flags and values such as the names of\n" +
			"models, tools, skills, chats and stories. make install puts those of bash, zsh and fish where they are found.",
		Example: "  hob completion bash > ~/.local/share/bash-completion/completions/hob\n" +
			"  hob completion zsh > ~/.zfunc/_hob                      with fpath+=~/.zfunc before compinit\n" +
			"  hob completion fish > ~/.config/fish/completions/hob.fish\n" +
			"  hob completion powershell >> $PROFILE",
		ValidArgs: shells,
		Args:      checkArgs(1, 1, "say for which shell: hob completion bash, zsh, fish or powershell"),
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return exit.Errorf(exit.Usage, "there is no completion for %s: hob completion %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// completeNames is what completes an argument or a flag: names that begin with what was typed, each of which may have a
// description behind a tab.
type completeNames func(ctx context.Context) []string

func (f completeNames) function(most int) cobra.CompletionFunc {
	return func(c *cobra.Command, words []string, begin string) (all []string, _ cobra.ShellCompDirective) {
		if most >= 0 && len(words) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, name := range f(c.Context()) {
			if strings.HasPrefix(name, begin) {
				all = append(all, name)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}
