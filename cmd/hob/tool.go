package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/policy"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

func toolCommand(a *app) *cobra.Command {
	var asJSON bool
	c := invocation{chat: "main"}
	cmd := &cobra.Command{
		Use:   "tool [NAME [key=value ... | JSON]]",
		Short: "list the tools, call one without a model, switch them on and off",
		Long: "Without a name it lists the tools. With one it calls the tool through the same policy as a model would.\n" +
			"key=value is text that is read by the tool's schema; a JSON object is taken strictly.",
		Example: "  hob tool\n" +
			"  hob tool read_file path=notes/todo.md\n" +
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
	cmd.AddCommand(switchCommand(a, true), switchCommand(a, false))
	return cmd
}

// kit builds the tools for a command that needs no conversation, upon a journal that is open.
func (a *app) kit(s *setting, said memory) (kit, error) {
	outputs, err := tools.NewOutputs(tools.OutputsConfig{Dir: s.outputs()})
	if err != nil {
		return kit{}, err
	}
	e := newEngine(s)
	return s.tools(e.share, outputs, said, s.newShell(), discreet{queue.New(e, 1, time.Now), s.discreet})
}

func (a *app) listTools(ctx context.Context, asJSON bool) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	kit, err := a.kit(s, past{})
	if err != nil {
		return err
	}
	if asJSON {
		defs := kit.ToSchema()
		for i, d := range defs {
			if len(d.Accepts) > 0 { // here nobody is confused by what models are not told of
				defs[i].Parameters = d.Accepts
			}
		}
		return a.printJSON(defs)
	}
	inForce, err := s.policyNow(ctx)
	if err != nil {
		return err
	}
	caller := tools.Caller{User: "owner", Standing: atHome()}
	for _, t := range kit.All() {
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
		fmt.Fprintf(a.stdout, "%s%s\n    %s\n", t.Name()+usage(t), note, t.Description())
	}
	return nil
}

// usage is how a tool's arguments are written on a command line: those it requires, then the others in brackets.
func usage(t tools.Tool) string {
	properties, _ := t.Parameters()["properties"].(map[string]any)
	required, _ := t.Parameters()["required"].([]any)
	var b strings.Builder
	for _, name := range required {
		fmt.Fprintf(&b, " %v=...", name)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(required, any(name)) {
			fmt.Fprintf(&b, " [%s=...]", name)
		}
	}
	return b.String()
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

// arguments reads the words of a command line as the arguments of a tool: one JSON object, or key=value pairs whose
// values are text unless the schema says otherwise.
func arguments(tool tools.Tool, words []string) (json.RawMessage, error) {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		return json.RawMessage(words[0]), nil
	}
	properties, _ := tool.Parameters()["properties"].(map[string]any)
	args := map[string]any{}
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return nil, failed(exitUsage, "%q is neither key=value nor a JSON object", w)
		}
		if _, twice := args[key]; twice {
			return nil, failed(exitUsage, "%s is given twice", key)
		}
		args[key] = value
		schema, _ := properties[key].(map[string]any)
		if kind, _ := schema["type"].(string); kind != "string" && schema != nil && json.Valid([]byte(value)) {
			args[key] = json.RawMessage(value)
		}
	}
	return json.Marshal(args)
}

// printJSON prints one compact JSON value on a line.
func (a *app) printJSON(v any) error {
	return cli.WriteJSON(a.stdout, v)
}

// elsewhere reports whether a tool works on other platforms than this terminal.
func elsewhere(t tools.Tool) bool {
	on := tools.DefOf(t).Platforms
	return len(on) > 0 && !slices.Contains(on, atHome().Platform)
}
