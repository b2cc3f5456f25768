package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

func toolCommand(a *app) *cobra.Command {
	var asJSON, yes bool
	chat := "main"
	cmd := &cobra.Command{
		Use:   "tool [NAME [key=value ... | JSON]]",
		Short: "list the tools, or call one without a model",
		Long: "Without a name it lists the tools. With one it calls the tool through the same policy as a model would.\n" +
			"key=value is text that is read by the tool's schema; a JSON object is taken strictly.",
		Example: "  hob tool\n" +
			"  hob tool read_file path=notes/todo.md\n" +
			"  hob tool write_file '{\"path\":\"a.txt\",\"content\":\"hello\"}' --json\n" +
			"  hob tool run_command command='df -h'",
		RunE: does(func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return a.listTools(ctx, asJSON)
			}
			ctx = tools.WithCaller(ctx, tools.Caller{
				Chat: event.Chat(chat), User: "owner", Platform: "cli", Scope: "private", Level: tools.Owner,
			})
			return a.callTool(ctx, args[0], args[1:], asJSON, yes)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.Flags().StringVar(&chat, "chat", chat, "the chat whose stored results (out:7) and past the tool sees")
	cmd.Flags().BoolVar(&yes, "yes", false, "run what would ask, without asking")
	return cmd
}

// registry builds the tools for a command that needs no model.
func (a *app) registry() (*tools.Registry, error) {
	s, err := a.load()
	if err != nil {
		return nil, err
	}
	outputs, err := tools.NewOutputs(tools.OutputsConfig{Dir: s.outputs()})
	if err != nil {
		return nil, err
	}
	return s.tools(newEngine(s).share, outputs, closedJournal{s}, s.newShell())
}

func (a *app) listTools(ctx context.Context, asJSON bool) error {
	registry, err := a.registry()
	if err != nil {
		return err
	}
	if asJSON {
		defs := registry.ToSchema()
		for i, d := range defs {
			if len(d.Accepts) > 0 { // here nobody is confused by what models are not told of
				defs[i].Parameters = d.Accepts
			}
		}
		return a.printJSON(defs)
	}
	for _, t := range registry.All() {
		note := ""
		if policy.Judge(ctx, t, nil) == policy.Ask {
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

func (a *app) callTool(ctx context.Context, name string, words []string, asJSON, yes bool) error {
	registry, err := a.registry()
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	res, err := a.invoke(ctx, registry, name, words, yes)
	refusal := (*tools.Error)(nil)
	if err != nil && !errors.As(err, &refusal) {
		return err
	}
	if asJSON {
		if err := a.printJSON(outcome(res, refusal)); err != nil {
			return err
		}
	} else if refusal == nil {
		text := strings.TrimSuffix(res.Text, "\n")
		if isTerminal(a.stdout) {
			text = cli.Clean(text)
		}
		fmt.Fprintln(a.stdout, text)
	}
	if refusal == nil {
		return nil
	}
	code := exitFailed
	if errors.Is(err, errNotAllowed) || refusal.Code == event.CodeCancelled {
		code = exitDenied
	}
	if hint := ownersHint(res.Data); hint != "" { // for the owner only: the model never sees it
		fmt.Fprintf(a.stderr, "hob: %s\n", hint)
	}
	if asJSON {
		return &exit{code, ""}
	}
	msg := refusal.Message
	if refusal.Suggestion != "" {
		msg += "; " + refusal.Suggestion
	}
	return failed(code, "%s", msg)
}

// ownersHint is what a failed call tells the owner and not the model.
func ownersHint(data any) string {
	switch d := data.(type) {
	case tools.FetchRefusal:
		return d.Hint
	case tools.ShellRefusal:
		return d.Hint
	}
	return ""
}

// errNotAllowed marks a call that a person, or nobody, allowed.
var errNotAllowed = errors.New("not allowed")

// invoke resolves, validates, asks and runs, in this order.
func (a *app) invoke(ctx context.Context, registry *tools.Registry, name string, words []string, yes bool) (tools.Result, error) {
	tool, err := registry.ByName(name)
	if err != nil {
		if name == "run_command" || name == "job" { // only the configuration takes these away
			err = &tools.Error{
				Type: event.TypeDisabled, Code: event.CodeToolDisabled,
				Message: "commands are switched off", Suggestion: "set [shell] enabled to true",
			}
		}
		return tools.Result{}, err
	}
	args, err := arguments(tool, words)
	if err != nil {
		return tools.Result{}, err
	}
	if err := tools.Validate(tool, args); err != nil {
		return tools.Result{}, err
	}
	if args, err = tools.Canonical(args); err != nil {
		return tools.Result{}, err
	}
	if policy.Judge(ctx, tool, args) == policy.Ask && !yes {
		fmt.Fprintf(a.stderr, "%s asks to do this:\n%s\n", name, policy.Question(ctx, tool, llm.Call{Name: name, Args: args}))
		if yes, _ := a.confirm(ctx, "Allow it?"); !yes { // whatever went wrong with the asking, nobody said yes
			return tools.Result{}, errors.Join(errNotAllowed, &tools.Error{
				Type: event.TypePermission, Code: event.CodePermissionDenied,
				Message: "denied: " + name + " asks first and nobody said yes", Suggestion: "add --yes if it shall run",
			})
		}
	}
	return tools.Call(ctx, tool, args)
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
