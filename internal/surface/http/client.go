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
	"net/url"
	"os"
	"syscall"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
)

// ErrNobody says that no hob is running there.
var ErrNobody = errors.New("no hob is running")

// ErrUnheard says that the hob that runs there has closed the connection without an answer.
var ErrUnheard = errors.New("the running hob does not listen to this process: it has just ended, or this process is confined " +
	"more than hob is, such as by a sandbox or no_new_privs; try it again from an ordinary shell")

// ErrGone says that the hob that ran there has ended while it was spoken to. What it had taken goes on at its next start.
var ErrGone = errors.New("the running hob has ended")

// StrangerError says that somebody else listens at the socket: it is told nothing.
type StrangerError struct {
	Path string
	User int // of whoever listens
}

func (e *StrangerError) Error() string {
	return fmt.Sprintf("%s is served by user %d, which is not this hob's user: nothing was sent; speak to that hob with \"sudo -u '#%d' hob\", or remove the socket if nobody there should run one", e.Path, e.User, e.User)
}

// maxAnswer is how many bytes an answer may have, but for one that goes on.
const maxAnswer = 64 << 20

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
		conn, err := d.DialContext(ctx, "unix", near)
		if err != nil {
			return nil, err
		}
		if err := mayServe(conn, path); err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
	return &Client{http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true, Proxy: nil}}}
}

// Stop stops what runs in a chat, or everywhere, and returns once it has ended.
func (c *Client) Stop(ctx context.Context, in StopRequest) (StopReply, error) {
	var out StopReply
	err := c.post(ctx, "stop", in, &out)
	return out, err
}

// Decide answers a question.
func (c *Client) Decide(ctx context.Context, a session.Answer) error {
	return c.post(ctx, "decide", DecideRequest{Chat: a.Chat, ID: a.ID, Allow: a.Allow, Grants: a.Grants}, &struct{}{})
}

// Submit hands in what the owner says, as [session.Sessions.Submit] does. Of the input only the chat, the id, the text with its
// label and attachments, and whether it is a command count.
func (c *Client) Submit(ctx context.Context, in session.Input) (int64, error) {
	var out seqReply
	err := c.post(ctx, "say", sayRequest{
		Chat: in.Chat, ID: in.ID, Text: in.Text, Command: in.Command, Label: in.Label, Attachments: in.Attachments,
	}, &out)
	return out.Seq, err
}

// Reset makes the model forget a chat.
func (c *Client) Reset(ctx context.Context, chat event.Chat) error {
	return c.post(ctx, "reset", resetRequest{chat}, &struct{}{})
}

// Waiting reports whether a question of the chat waits for an answer.
func (c *Client) Waiting(ctx context.Context, chat event.Chat, id string) (bool, error) {
	var out waitsReply
	err := c.get(ctx, "waiting", url.Values{"chat": {string(chat)}, "id": {id}}, &out)
	return out.Waits, err
}

// Last returns the Seq of the chat's newest event, 0 if there is none.
func (c *Client) Last(ctx context.Context, chat event.Chat) (int64, error) {
	var out seqReply
	err := c.get(ctx, "last", url.Values{"chat": {string(chat)}}, &out)
	return out.Seq, err
}

// Skills returns the skills that are there for the owner in a chat.
func (c *Client) Skills(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	var out commands.SkillList
	err := c.get(ctx, "skills", url.Values{"chat": {string(chat)}}, &out)
	return out, err
}

// OpenSkill opens a skill in a chat, as [session.Sessions.OpenSkill] does. Of the wish only the chat and the skill count.
func (c *Client) OpenSkill(ctx context.Context, in session.Wish) error {
	return c.post(ctx, "skills/open", skillRequest{in.Chat, in.Skill}, &struct{}{})
}

// CloseSkill closes a skill in a chat. Of the wish only the chat and the skill count.
func (c *Client) CloseSkill(ctx context.Context, in session.Wish) error {
	return c.post(ctx, "skills/close", skillRequest{in.Chat, in.Skill}, &struct{}{})
}

// Status asks the hob that runs what it is doing.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var out Status
	err := c.get(ctx, "status", nil, &out)
	return out, err
}

// post and get make a request. Their error is [ErrNobody], [ErrUnheard], [ErrGone], or what the server answers.
func (c *Client) post(ctx context.Context, what string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+what, bytes.NewReader(body))
	if err != nil {
		return err
	}
	return c.do(req, out)
}

func (c *Client) get(ctx context.Context, what string, query url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+what+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	return c.do(req, out)
}

// base is where the API is, on the socket.
const base = "http://hob/api/v1/"

func (c *Client) do(req *http.Request, out any) error {
	resp, err := c.open(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("ask the running hob: %w", err)
	}
	return json.Unmarshal(raw, out)
}

// open makes a request and returns the answer, if it is a success.
func (c *Client) open(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, ErrNobody
	}
	ctx := req.Context()
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" {
		return nil, fmt.Errorf("ask the running hob: %w", err)
	}
	if stranger := (*StrangerError)(nil); errors.As(err, &stranger) {
		return nil, stranger
	}
	if err != nil { // in whichever way it was cut off
		return nil, ErrUnheard
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("ask the running hob: %w", err)
	}
	return nil, told(resp, raw)
}

// told is the error that the server answers with.
func told(resp *http.Response, raw []byte) error {
	var p problem
	if json.Unmarshal(raw, &p) != nil || p.Error == "" {
		p.Error = "the running hob answered " + resp.Status
	}
	switch p.Code {
	case codeClosed:
		return ErrGone
	case codeOther:
		return &session.OtherInputError{ID: p.Subject}
	}
	return errors.New(p.Error)
}
