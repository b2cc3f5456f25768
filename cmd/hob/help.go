package main

import (
	"context"
	_ "embed" // for help.md
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/lists"
	"hob/internal/llm/catalog"
	"hob/internal/model"
	"hob/internal/prose"
	"hob/internal/surface/cli"
)

// helpFile has a section for each command that needs more than one line of help.
//
//go:embed help.md
var helpFile string

// modelHere is the placeholder in examples for the model that hob proposes for this machine.
const modelHere = "MODEL"

// helpText returns the description of a command and its examples, each "" if there are none.
func helpText(c *cobra.Command) (long, examples string) {
	const begin = "\n\nExamples:\n"
	long, examples, _ = strings.Cut("\n\n"+prose.Section(helpFile, c.CommandPath(), "models", modelNames()), begin)
	return strings.TrimPrefix(long, "\n\n"), examples
}

// helpCommand explains commands to a person. With --json it prints all of them, for the manual
// pages.
func helpCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "help [COMMAND ...]", Short: "explain a command", Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(c *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
			about, _, err := c.Root().Find(words)
			if err != nil || about == nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			names := lists.Map(about.Commands(), func(below *cobra.Command) string { return below.Name() + "\t" + below.Short })
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
	h := commandHelp{Use: c.Use, Short: c.Short}
	h.Long, h.Example = helpText(c)
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

// fillHelp fills in and wraps the help of a command when it is shown: its description, and in
// examples the model that hob proposes for this machine. Doing so at startup would slow every
// command down.
func (a *program) fillHelp(root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.Long, cmd.Example = helpText(cmd); strings.Contains(cmd.Example, modelHere) {
			name := model.ProposedHere(cmd.Context()).Name
			more := strings.Repeat(" ", max(len(name)-len(modelHere), 0)) // keep the comments behind the commands aligned
			cmd.Example = strings.ReplaceAll(strings.ReplaceAll(cmd.Example, modelHere+more+" ", name+" "), modelHere, name)
		}
		if cli.IsTerminal(a.stdout) {
			cmd.Long = joinLines(cmd.Long)
		}
		var text strings.Builder
		out := cmd.OutOrStdout()
		cmd.SetOut(&text)
		show(cmd, args)
		cmd.SetOut(out)
		fmt.Fprint(out, a.terminal().Wrap(text.String()))
	})
}

// joinLines joins the lines of each paragraph so that they can be wrapped. Indented lines, such as
// those of a table, stay as they are.
func joinLines(text string) string {
	lines := strings.Split(text, "\n")
	joined := lines[:1]
	for _, line := range lines[1:] {
		last := &joined[len(joined)-1]
		if *last == "" || line == "" || strings.HasPrefix(*last, " ") || strings.HasPrefix(line, " ") {
			joined = append(joined, line)
		} else {
			*last += " " + line
		}
	}
	return strings.Join(joined, "\n")
}

// modelNames lists the models that hob knows.
func modelNames() string {
	t := newTable()
	for _, m := range catalog.Read() {
		t.add("  "+m.Name, display.Bytes(m.Size), "from "+display.Limit(int64(m.Memory))+" of memory", m.GoodFor)
	}
	return strings.TrimRight(t.text(""), "\n")
}

// completionCommand prints the completion script for a shell.
func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "print what completes hob's commands in bash, zsh, fish or powershell",
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

// completeNames returns the candidates for an argument or a flag. A candidate may have a
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
