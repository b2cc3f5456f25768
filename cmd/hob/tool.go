package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

func toolCommand(a *program) *cobra.Command {
	var asJSON bool
	c := invocation{chat: "main"}
	cmd := &cobra.Command{
		Use:   "tool [NAME [WORD ... | key=value ... | JSON]]",
		Short: "list the tools, call one without a model, switch them on and off",
		Long: "Without a name it lists the tools. With one it calls the tool through the same policy as a model would.\n" +
			"What follows are its arguments: words in the order that hob tool help NAME shows, key=value for those of a name,\n" +
			"or a JSON object. Words and values are text that is read by the tool's schema; JSON is taken strictly.",
		Example: "  hob tool\n" +
			"  hob tool help read_file\n" +
			"  hob tool read_file notes/todo.md\n" +
			"  hob tool read_file path=notes/todo.md limit=20\n" +
			"  hob tool write_file '{\"path\":\"a.txt\",\"content\":\"hello\"}' --json\n" +
			"  hob tool run_command command='df -h'\n" +
			"  hob tool disable fetch",
		Args: cobra.ArbitraryArgs,
		RunE: does(func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return a.listTools(ctx, asJSON)
			}
			c.name, c.words = args[0], args[1:]
			return a.callTool(ctx, c, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.Flags().StringVar(&c.chat, "chat", c.chat, "the chat whose stored results (out:7) and past the tool sees")
	cmd.Flags().BoolVar(&c.yes, "yes", false, "run what would ask, without asking")
	cmd.Flags().StringVar(&c.request, "request-id", "", "id of this call: the same id twice runs once, and answers the same")
	cmd.AddCommand(toolHelpCommand(a), switchCommand(a, true), switchCommand(a, false))
	usual := cmd.HelpFunc()
	cmd.SetHelpFunc(func(c *cobra.Command, words []string) { // its subcommands have it, too
		names := c.Flags().Args()
		if c != cmd || len(names) == 0 {
			usual(c, words)
			return
		}
		if err := a.explainTool(c.Context(), names[0]); err != nil {
			fmt.Fprintf(a.Stderr, "hob: %v\n", err)
		}
	})
	return cmd
}

func (a *program) listTools(ctx context.Context, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	kit, err := s.StandaloneTools(ctx, app.JournalTools(nil))
	if err != nil {
		return err
	}
	defer kit.Skills.Close()
	if asJSON {
		defs := tools.Schema(kit.Shown())
		for i, d := range defs {
			if len(d.Accepts) > 0 { // here nobody is confused by what models are not told of
				defs[i].Parameters = d.Accepts
			}
		}
		return a.printJSON(defs)
	}
	inForce, err := policyNow(ctx, s)
	if err != nil {
		return err
	}
	caller := tools.Caller{User: "owner", Standing: app.LocalOwner()}
	for _, t := range kit.Shown() {
		ruling := inForce.Judge(ctx, policy.Call{Call: llm.Call{Name: t.Name()}, Tool: t, Caller: caller})
		note := ""
		switch {
		case elsewhere(t):
			note = " (" + strings.Join(tools.DefOf(t).Platforms, ", ") + " only)"
		case inForce.Offered(caller, t) != nil:
			note = " DISABLED"
		case ruling.Verdict == policy.Ask && !tools.DefOf(t).Powers.Has(tools.Sends):
			note = " (asks first)"
		}
		if source := tools.SourceOf(t); source != tools.BuiltIn {
			note += " from " + source
		}
		fmt.Fprintf(a.stdout, "%s%s\n    %s\n", usage(t), note, t.Description())
	}
	_, err = fmt.Fprintln(a.stdout, "Those of stories: hob game tools.")
	return err
}

// success and failure are what `hob tool NAME --json` prints.
type success struct {
	OK      bool           `json:"ok"`
	Text    string         `json:"text"`
	Data    any            `json:"data"`
	Effects []event.Effect `json:"effects"`
}

type failure struct {
	OK    bool         `json:"ok"`
	Error *tools.Error `json:"error"`
}

func outcome(res tools.Result, refusal *tools.Error) any {
	if refusal != nil {
		return failure{Error: refusal}
	}
	return success{true, res.Text, res.Data, append([]event.Effect{}, res.Effects...)}
}

// printJSON prints one compact JSON value on a line.
func (a *program) printJSON(v any) error {
	return cli.WriteJSON(a.stdout, v)
}

// elsewhere reports whether a tool works on other platforms than this terminal.
func elsewhere(t tools.Tool) bool {
	on := tools.DefOf(t).Platforms
	return len(on) > 0 && !slices.Contains(on, app.LocalOwner().Platform)
}
