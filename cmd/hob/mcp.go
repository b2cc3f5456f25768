package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/store"
	offer "hob/internal/surface/mcp"
	"hob/internal/tools"
)

func mcpCommand(a *program) *cobra.Command {
	c := invocation{chat: "mcp"}
	cmd := &cobra.Command{
		Use: "mcp", Short: "offer hob's tools to other agents (Model Context Protocol)", Args: cobra.NoArgs,
		Long: "mcp speaks the Model Context Protocol on standard input and output, for another agent that starts it. What that agent\n" +
			"calls passes through the same policy and audit as a call of a model. Nobody is there to be asked: what would ask is\n" +
			"refused, unless it was granted before (hob grant).",
		Example: `  {"mcpServers": {"hob": {"command": "hob", "args": ["mcp"]}}}`,
		RunE:    does(func(ctx context.Context, _ []string) error { return a.serveMCP(ctx, c) }),
	}
	cmd.Flags().StringVar(&c.chat, "chat", c.chat, "the chat that the calls belong to: its stored results (out:7), its past")
	return cmd
}

// serveMCP answers another agent until that has gone.
func (a *program) serveMCP(ctx context.Context, c invocation) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	ctx, stop := client.UntilInterrupted(ctx)
	defer stop()
	db, err := s.Egress.OpenJournal(ctx)
	if err != nil {
		return err
	}
	k, err := s.StandaloneTools(ctx, app.JournalTools(db))
	if err == nil {
		err = offer.Serve(ctx, a.offered(s, db, k, c))
		k.Skills.Close()
	}
	s.Egress.LeaveJournal()
	return closeAll(err, db.Close())
}

// guest is another agent: what it calls is made of its words, and of all that it was told here.
type guest struct {
	caller tools.Caller

	mu    sync.Mutex
	label event.Label
}

// speaking returns the guest as the caller that it is by now.
func (g *guest) speaking() tools.Caller {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.caller
	c.Label = g.label
	return c
}

// told notes that the guest was told something.
func (g *guest) told(from event.Label) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.label = g.label.Join(from)
}

// offered is what another agent may see and call.
func (a *program) offered(s *app.Environment, db *store.DB, k app.Toolset, c invocation) offer.Config {
	g := &guest{
		caller: tools.Caller{Chat: event.Chat(c.chat), User: "mcp", Standing: app.LocalOwner()},
		label:  event.Label{Untrusted: true, Source: "another agent"},
	}
	g.caller.Unattended = true
	return offer.Config{
		Tools: func(ctx context.Context) ([]tools.Tool, error) {
			inForce, err := s.PolicyNow(ctx, db)
			return inForce.Menu(g.caller, k.Shown()), err
		},
		Call: func(ctx context.Context, name string, args json.RawMessage) (tools.Result, error) {
			call := c
			call.name, call.args = name, args
			end, err := a.invoke(tools.WithCaller(ctx, g.speaking()), s, db, k, call)
			if err != nil {
				return tools.Result{}, err
			}
			g.told(end.result.Label)
			res, bad := discreetly(s, end)
			if bad != nil {
				return res, bad
			}
			return res, nil
		},
		Release: version, In: io.NopCloser(a.stdin), Out: unclosed{a.stdout},
	}
}

// discreetly is what came of a call without what nobody may be told, wherever in it that stands.
func discreetly(s *app.Environment, end ended) (tools.Result, *tools.Error) {
	res := end.result
	res.Text = s.Redactor.Redact(res.Text)
	if raw, err := json.Marshal(res.Data); err != nil || res.Data == nil {
		res.Data = nil
	} else if raw = []byte(s.Redactor.Redact(string(raw))); json.Valid(raw) {
		res.Data = json.RawMessage(raw)
	}
	res.Effects = slices.Clone(res.Effects)
	for i, e := range res.Effects {
		res.Effects[i].Target, res.Effects[i].Detail = s.Redactor.Redact(e.Target), s.Redactor.Redact(e.Detail)
	}
	if end.refusal == nil {
		return res, nil
	}
	bad := *end.refusal
	bad.Message, bad.Suggestion = s.Redactor.Redact(bad.Message), s.Redactor.Redact(bad.Suggestion)
	return res, &bad
}

// unclosed is a stream that others go on to use.
type unclosed struct{ io.Writer }

// Close implements [io.Closer].
func (unclosed) Close() error { return nil }
