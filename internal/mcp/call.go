package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/event"
	"hob/internal/tools"
)

// call calls a tool of the server, once. It starts the server where it does not run.
func (c *Client) call(ctx context.Context, t remoteTool, args json.RawMessage) (tools.Result, error) {
	r, err := c.ensure(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return tools.Result{}, err
		}
		return tools.Result{}, refused(err, "nothing was done; do without it, or try again later")
	}
	defer r.drop()
	limit := c.cfg.Times.Call
	within, cancel := context.WithTimeoutCause(ctx, limit, noticef("it did not answer within %s", limit))
	defer cancel()
	within, stop := context.WithCancelCause(within)
	watching := make(chan struct{})
	go func() { defer close(watching); until(within, r.over, func() { stop(r.why) }) }()
	res, err := r.session.CallTool(within, &mcp.CallToolParams{Name: t.remote, Arguments: args})
	cause := context.Cause(within)
	stop(nil)
	<-watching
	if err == nil {
		r.answered(true)
		out, err := c.result(t, res)
		if err == nil {
			out.Text += c.takeLeft() // by an earlier run
		}
		return out, err
	}
	return tools.Result{}, c.explain(ctx, r, t, err, cause)
}

// explain says why a call has failed, and what is known of it then. Cause is why it was cut short, if it was.
func (c *Client) explain(ctx context.Context, r *run, t remoteTool, err, cause error) error {
	f := &failure{server: c.cfg.Name, err: err}
	refusal := (*jsonrpc.Error)(nil)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx) // the server was told
	case errors.Is(err, mcp.ErrSessionMissing):
		r.end(noticef("it knows no more of this conversation"))
		f.what, f.err = "has forgotten this conversation with it", nil
		return refused(f, "nothing was done; call "+t.name+" again")
	case errors.As(err, &refusal) && cause == nil:
		r.answered(true)
		f.what, f.err = "refused the call", errors.New(refusal.Message)
		return refused(f, "")
	case cause == nil && (r.wire != nil || errors.Is(err, mcp.ErrConnectionClosed)) || r.isOver():
		r.end(r.reason(err)) // all other errors of a process are that of its connection
		<-r.gone             // then all is known that it said
		f.what, f.err, f.stderr = "has ended before it answered", r.reason(r.why), r.lastStderr()
		return refused(f, "whether it did what was asked is unknown; look before you call "+t.name+" again")
	case cause != nil:
		r.answered(false)
		f.what, f.err = "was told to stop", cause
		e := refused(f, "whether it did what was asked is unknown; look before you call "+t.name+" again, or ask for less at once")
		e.Type, e.Code = event.TypeTimeout, event.CodeTimeout
		return e
	}
	f.what = "could not be asked, or its answer could not be read"
	return refused(f, "whether it did what was asked is unknown; look before you call "+t.name+" again")
}

// refused is an error for the model.
func refused(err error, suggestion string) *tools.Error {
	return tools.Failed("%s", err).Suggest(suggestion)
}

// result makes a tool's result of a server's answer.
func (c *Client) result(t remoteTool, res *mcp.CallToolResult) (tools.Result, error) {
	out := tools.Result{Label: event.Label{Untrusted: true, Source: c.source()}}
	if res.InputRequests != nil {
		return out, refused(fmt.Errorf("the MCP server %s wants to ask something back, which hob does not offer", c.cfg.Name), "")
	}
	out.Text = text(res.Content)
	if data, note := structured(res.StructuredContent); data != nil {
		out.Data = data
		out.Text = cmp.Or(out.Text, string(data))
	} else if note != "" {
		out.Text += note
	}
	out.Text = boundText(out.Text)
	if !res.IsError {
		return out, nil
	}
	message := cmp.Or(out.Text, t.name+" failed and did not say why")
	out.Text = ""
	return out, tools.Failed("%s", message)
}
