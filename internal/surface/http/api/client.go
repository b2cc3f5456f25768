// Package api holds the wire types of hob's local API and a client for it. It is a leaf: hob's own
// commands, and whatever else speaks to a running hob, need no part of the server, which is the
// package above this one.
//
// Everything is below /api/v1/. For other programs, on the socket and over TCP:
//
//	POST chat     [ChatRequest], an input for a chat; answers a [ChatReply], the outcome of its turn
//	GET  events   ?chat=&after=: the journal of a chat as server-sent events, and new events as they
//	              happen: id is the seq, data a line of hob ask --json. Last-Event-ID counts before
//	              after. A delta has no id.
//	POST stop     [StopRequest]; answers a [StopReply]
//	POST command  [CommandRequest], a command of the table that every surface has; answers a
//	              [CommandReply]
//	GET  parked   the turns that wait for the model or are parked, a [ParkedReply]; of one chat with
//	              ?chat=
//	POST retry    [RetryRequest]: goes on with such a turn
//
// For hob's own commands, on the socket alone: POST decide, say, reset, park, skills/open and
// skills/close; GET follow, waiting, last, skills and status. [Client] speaks them; they may change
// with any version.
//
// An answer that is no success is a [Problem], {"error": one sentence}: 400 is about the request,
// 401 about its sender, 403 and 421 about the page that it comes from; 404 says that there is
// nothing of that name, 409 that something else stands in the way (a busy chat, a request_id that
// was used for another message), 429 that there were too many requests and, in Retry-After, for how
// many seconds, 503 that hob ends or its journal fails.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"

	"hob/internal/commands"
	"hob/internal/event"
)

// maxAnswer is how many bytes an answer may have, except for a stream of events.
const maxAnswer = 64 << 20

// Client speaks to the hob that serves the API at a socket, as the owner. Its errors are
// [ErrNotRunning], [ErrNoAnswer], [ErrGone], a [*StrangerError], a [*event.ReusedIDError], or the
// sentence that the server answers.
type Client struct{ http http.Client }

// NewClient returns a client for the socket at path. It connects with each request.
func NewClient(path string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		name, done, err := SocketName(path)
		if err != nil {
			return nil, err
		}
		defer done()
		var d net.Dialer
		conn, err := d.DialContext(ctx, "unix", name)
		if err != nil {
			return nil, err
		}
		if err := checkServer(conn, path); err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
	return &Client{http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true, Proxy: nil}}}
}

// Submit hands in an input of the owner and returns the Seq of its event.
func (c *Client) Submit(ctx context.Context, in SayRequest) (int64, error) {
	out, err := post[SeqReply](ctx, c, "say", in)
	return out.Seq, err
}

// Decide answers a question.
func (c *Client) Decide(ctx context.Context, in DecideRequest) error {
	return c.order(ctx, "decide", in)
}

// Command runs a command, as the owner at the terminal.
func (c *Client) Command(ctx context.Context, in CommandRequest) (CommandReply, error) {
	return post[CommandReply](ctx, c, "command", in)
}

// Stop stops the turn of a chat, or all turns, and returns once they have ended.
func (c *Client) Stop(ctx context.Context, in StopRequest) (StopReply, error) {
	return post[StopReply](ctx, c, "stop", in)
}

// Reset makes the model forget a chat.
func (c *Client) Reset(ctx context.Context, chat event.Chat) error {
	return c.order(ctx, "reset", ResetRequest{chat})
}

// Parked returns the turns of a chat that wait for the model or are parked.
func (c *Client) Parked(ctx context.Context, chat event.Chat) ([]event.ParkedTurn, error) {
	out, err := get[ParkedReply](ctx, c, "parked", url.Values{"chat": {string(chat)}})
	return out.Parked, err
}

// Park sets the turn of a chat aside that waits for the model, and returns it, nil where none
// waits.
func (c *Client) Park(ctx context.Context, chat event.Chat) (*event.ParkedTurn, error) {
	out, err := post[ParkReply](ctx, c, "park", ParkRequest{chat})
	return out.Parked, err
}

// Retry goes on with a turn that is parked.
func (c *Client) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	return c.order(ctx, "retry", RetryRequest{chat, turn})
}

// IsAsking reports whether a question of the chat waits for an answer.
func (c *Client) IsAsking(ctx context.Context, chat event.Chat, id string) (bool, error) {
	out, err := get[WaitsReply](ctx, c, "waiting", url.Values{"chat": {string(chat)}, "id": {id}})
	return out.Waits, err
}

// Last returns the Seq of the chat's newest event, 0 if there is none.
func (c *Client) Last(ctx context.Context, chat event.Chat) (int64, error) {
	out, err := get[SeqReply](ctx, c, "last", url.Values{"chat": {string(chat)}})
	return out.Seq, err
}

// SkillList returns the skills that the owner has in a chat.
func (c *Client) SkillList(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	return get[commands.SkillList](ctx, c, "skills", url.Values{"chat": {string(chat)}})
}

// OpenSkill opens a skill in a chat.
func (c *Client) OpenSkill(ctx context.Context, in SkillRequest) error {
	return c.order(ctx, "skills/open", in)
}

// CloseSkill closes a skill in a chat.
func (c *Client) CloseSkill(ctx context.Context, in SkillRequest) error {
	return c.order(ctx, "skills/close", in)
}

// Status returns the state of the hob that runs.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return get[Status](ctx, c, "status", nil)
}

// order posts what has no answer but an error.
func (c *Client) order(ctx context.Context, path string, in any) error {
	_, err := post[struct{}](ctx, c, path, in)
	return err
}

func post[Out any](ctx context.Context, c *Client, path string, in any) (out Out, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	return do[Out](ctx, c, http.MethodPost, path, bytes.NewReader(body))
}

func get[Out any](ctx context.Context, c *Client, path string, query url.Values) (Out, error) {
	return do[Out](ctx, c, http.MethodGet, path+"?"+query.Encode(), nil)
}

// base is the address of the API. Whatever its host is, the client connects to the socket.
const base = "http://hob/api/v1/"

// do makes a request and returns the answer.
func do[Out any](ctx context.Context, c *Client, method, path string, body io.Reader) (out Out, err error) {
	resp, err := c.open(ctx, method, path, body)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	raw, err := readBody(resp)
	if err != nil {
		return out, err
	}
	err = json.Unmarshal(raw, &out)
	return out, err
}

// open makes a request and returns the answer, if it is a success.
func (c *Client) open(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, base+path, body)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, requestError(ctx, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	raw, err := readBody(resp)
	if err != nil {
		return nil, err
	}
	return nil, problemError(resp.Status, raw)
}

// readBody reads a whole answer.
func readBody(resp *http.Response) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("ask the running hob: %w", err)
	}
	return raw, nil
}

// requestError returns the client's error for a request that got no answer.
func requestError(ctx context.Context, err error) error {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return ErrNotRunning
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" {
		return fmt.Errorf("ask the running hob: %w", err)
	}
	if stranger := (*StrangerError)(nil); errors.As(err, &stranger) {
		return stranger
	}
	return ErrNoAnswer // however the connection was cut
}

// problemError returns the client's error for an answer that is no success.
func problemError(status string, raw []byte) error {
	var p Problem
	if json.Unmarshal(raw, &p) != nil || p.Error == "" {
		p.Error = "the running hob answered " + status
	}
	switch p.Code {
	case CodeClosed:
		return ErrGone
	case CodeReusedID:
		return &event.ReusedIDError{ID: p.Subject}
	}
	return errors.New(p.Error)
}
