package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

func toolCommand(a *program) *cobra.Command {
	in, chat := app.Invocation{Ask: a.askToRun}, "main"
	cmd := &cobra.Command{
		Use:   "tool [NAME [WORD ... | key=value ... | JSON]]",
		Short: "list the tools, call one without a model, switch them on and off",
		Args:  cobra.ArbitraryArgs,
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, args []string) error {
			if len(args) == 0 {
				return a.listTools(ctx, s, event.Chat(chat))
			}
			in.Tool, in.Words = args[0], args[1:]
			in.Caller = tools.Caller{Chat: event.Chat(chat), User: "owner", Principal: app.LocalOwner()}
			return a.callTool(ctx, s, in)
		}),
	}
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value")
	cmd.Flags().StringVar(&chat, "chat", chat, "the chat whose stored results (out:7) and past the tool sees, and whose states are listed")
	cmd.Flags().BoolVar(&in.Yes, "yes", false, "run what would ask, without asking")
	cmd.Flags().StringVar(&in.RequestID, "request-id", "", "id of this call: the same id twice runs once, and answers the same")
	help := toolHelpCommand(a)
	cmd.AddCommand(help, switchCommand(a, true), switchCommand(a, false))
	cmd.SetHelpFunc(func(c *cobra.Command, words []string) { // its subcommands inherit this function
		names := c.Flags().Args()
		if c != cmd || len(names) == 0 {
			c.Root().HelpFunc()(c, words)
			return
		}
		if err := help.RunE(c, names); err != nil {
			fmt.Fprintf(a.Stderr, "hob: %v\n", err)
		}
	})
	return cmd
}

func (a *program) listTools(ctx context.Context, s *app.Environment, chat event.Chat) error {
	set, err := s.StandaloneTools(ctx, app.JournalTools(nil))
	if err != nil {
		return err
	}
	defer set.Skills.Close()
	if a.json {
		defs, err := s.ToolDefinitions(ctx, set, chat)
		if err != nil {
			return err
		}
		return a.printJSON(defs)
	}
	lines, err := s.ToolLines(ctx, set, chat)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.out, lines, "\nThose of stories: hob game tools.\n")
	return err
}

// callSuccess and callFailure are what `hob tool NAME --json` prints.
type callSuccess struct {
	OK      bool           `json:"ok"`
	Text    string         `json:"text"`
	Data    any            `json:"data"`
	Effects []event.Effect `json:"effects"`
}

type callFailure struct {
	OK    bool         `json:"ok"`
	Error *tools.Error `json:"error"`
}

func callOutput(res tools.Result, refusal *tools.Error) any {
	if refusal != nil {
		return callFailure{Error: refusal}
	}
	return callSuccess{true, res.Text, res.Data, append([]event.Effect{}, res.Effects...)}
}

// printJSON prints one compact JSON value on a line.
func (a *program) printJSON(v any) error {
	return cli.WriteJSON(a.stdout, v)
}

func (a *program) callTool(ctx context.Context, s *app.Environment, in app.Invocation) error {
	ctx, stop := client.UntilInterrupted(ctx)
	defer stop()
	caller, err := s.OpenToolCaller(ctx)
	if err != nil {
		return err
	}
	done, err := caller.Call(ctx, in)
	if err == nil {
		err = a.printInvoked(done)
	}
	return cmp.Or(err, caller.Close())
}

// printInvoked prints the result of a call and returns an error with its exit status.
func (a *program) printInvoked(done app.InvocationResult) error {
	if done.Note != "" {
		fmt.Fprintf(a.Stderr, "hob: %s\n", done.Note)
	}
	if a.json {
		if err := a.printJSON(callOutput(done.Result, done.Refusal)); err != nil {
			return err
		}
	} else if done.Refusal == nil {
		fmt.Fprintln(a.stdout, a.terminal().Clean(strings.TrimSuffix(done.Result.Text, "\n")))
	}
	if done.Refusal == nil {
		return nil
	}
	code := exit.Failed
	switch {
	case done.Denied || done.Refusal.Code == event.CodeCancelled:
		code = exit.Denied
	case done.Misused:
		code = exit.Usage
	}
	if done.Hint != "" { // for the owner only: the model never sees it
		fmt.Fprintf(a.Stderr, "hob: %s\n", done.Hint)
	}
	if a.json {
		return exit.Silently(code)
	}
	return exit.Errorf(code, "%s", done.Refusal.Sentence())
}

// askToRun asks the person at the terminal whether a call may run. It returns who denied it, or "".
func (a *program) askToRun(ctx context.Context, tool string, q event.Asked) (deniedBy string) {
	t := a.terminal()
	fmt.Fprintf(a.Stderr, "%s\n%s\n", cli.Words(t.Language()).Text("asks", tool), display.Clean(q.Text))
	if !cli.IsTerminal(a.stdin) {
		return "nobody"
	}
	if yes, _ := t.Confirm(ctx, cli.Words(t.Language()).Text("allow")); !yes { // an error while asking is not a yes
		return "the user"
	}
	return ""
}

// toolHelpCommand explains one tool.
func toolHelpCommand(a *program) *cobra.Command {
	return a.withText(&cobra.Command{
		Use: "help NAME", Short: "explain a tool: its arguments, other names, examples, and what policy makes of it",
		Args: checkArgs(1, 1, "say which tool: hob tool help NAME, of those that hob tool lists"),
	}, func(ctx context.Context, s *app.Environment, names []string) (string, error) {
		return s.ToolHelp(ctx, names[0])
	})
}
