package http

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"hob/internal/session"
)

// ErrNobody says that no hob is running there.
var ErrNobody = errors.New("no hob is running")

// ErrUnheard says that the hob that runs there has closed the connection without an answer.
var ErrUnheard = errors.New("the running hob does not listen to this process: it has just ended, or this process is confined " +
	"more than hob is, such as by a sandbox or no_new_privs; try it again from an ordinary shell")

// Client speaks to the hob that serves the API at a socket.
type Client struct{ http http.Client }

// NewClient returns a client for the socket at path. It connects with each request.
func NewClient(path string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		near, done, err := short(path)
		if err != nil {
			return nil, err
		}
		defer done()
		var d net.Dialer
		return d.DialContext(ctx, "unix", near)
	}
	return &Client{http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true, Proxy: nil}}}
}

// Stop stops what runs in a chat, or everywhere, and returns once it has ended.
func (c *Client) Stop(ctx context.Context, in StopRequest) (StopReply, error) {
	var out StopReply
	return out, c.post(ctx, "stop", in, &out)
}

// Decide answers a question.
func (c *Client) Decide(ctx context.Context, a session.Answer) error {
	return c.post(ctx, "decide", DecideRequest{Chat: a.Chat, ID: a.ID, Allow: a.Allow, Grants: a.Grants}, &struct{}{})
}

// post makes a request. Its error is [ErrNobody], [ErrUnheard], or what the server answers.
func (c *Client) post(ctx context.Context, what string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://hob/api/v1/"+what, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return ErrNobody
	}
	if dial := (*net.OpError)(nil); err != nil && (ctx.Err() != nil || errors.As(err, &dial) && dial.Op == "dial") {
		return fmt.Errorf("ask the running hob: %w", err)
	}
	if err != nil { // in whichever way it was cut off
		return ErrUnheard
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return fmt.Errorf("ask the running hob: %w", err)
	}
	if resp.StatusCode == http.StatusOK {
		return json.Unmarshal(raw, out)
	}
	var p problem
	if json.Unmarshal(raw, &p) != nil || p.Error == "" {
		p.Error = "the running hob answered " + resp.Status
	}
	return errors.New(p.Error)
}
