package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/session"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// chats are sessions that record calls. They have only the methods that these tests call.
type chats struct {
	local.Sessions
	running []event.Chat
	halted  []event.Chat
	stopped []event.Chat // not waited for
	answers []session.Answer
	refuse  error
	during  func() // while a turn is stopped
}

func (c *chats) Chats(context.Context) ([]event.Chat, error) { return []event.Chat{"a", "b", "c"}, nil }
func (c *chats) Halt(_ context.Context, name event.Chat) (bool, error) {
	c.halted = append(c.halted, name)
	if c.during != nil {
		c.during()
	}
	return slices.Contains(c.running, name), nil
}
func (c *chats) Stop(_ context.Context, name event.Chat) (bool, error) {
	c.stopped = append(c.stopped, name)
	return slices.Contains(c.running, name), nil
}
func (c *chats) Decide(_ context.Context, a session.Answer) error {
	c.answers = append(c.answers, a)
	return c.refuse
}

func serve(t *testing.T, c *chats) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hob.sock")
	s, err := local.Listen(path, local.Config{Sessions: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket is left: %v", err)
		}
	})
	return path
}

func TestStop(t *testing.T) {
	c := &chats{running: []event.Chat{"b"}}
	client := api.NewClient(serve(t, c))
	got, err := client.Stop(t.Context(), api.StopRequest{})
	if diff := cmp.Diff(api.StopReply{Stopped: []event.Chat{"b"}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got, err = client.Stop(t.Context(), api.StopRequest{Chat: "a"}); err != nil || len(got.Stopped) > 0 {
		t.Error(got, err)
	}
	if diff := cmp.Diff([]event.Chat{"a", "b", "c", "a"}, c.halted); diff != "" {
		t.Error(diff)
	}
	wait := false
	if got, err = client.Stop(t.Context(), api.StopRequest{Chat: "b", Wait: &wait}); err != nil || len(got.Stopped) != 1 || len(c.halted) != 4 || len(c.stopped) != 1 {
		t.Error(got, err, c.halted, c.stopped)
	}
}

// Whoever stops the last turn of a hob hears of it, though that ends the hob.
func TestCloseAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hob.sock")
	c := &chats{running: []event.Chat{"b"}}
	s, err := local.Listen(path, local.Config{Sessions: c})
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	c.during = func() {
		go func() { closed <- s.Close(t.Context()) }()
		for err := error(nil); err == nil; { // until nobody is let in any more
			var conn net.Conn
			var d net.Dialer
			if conn, err = d.DialContext(t.Context(), "unix", path); err == nil {
				conn.Close()
			}
		}
	}
	got, err := api.NewClient(path).Stop(t.Context(), api.StopRequest{Chat: "b"})
	if diff := cmp.Diff(api.StopReply{Stopped: []event.Chat{"b"}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	// One that never ends is cut off.
	s, err = local.Listen(path, local.Config{Sessions: c})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	c.during = func() {
		cancel()
		closed <- s.Close(ctx)
		<-over
	}
	if _, err := api.NewClient(path).Stop(t.Context(), api.StopRequest{Chat: "b"}); !errors.Is(err, api.ErrNoAnswer) {
		t.Error(err)
	}
	close(over)
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// Who speaks to the socket is an owner; nothing in the request makes them one, or somebody else.
func TestDecide(t *testing.T) {
	c := &chats{}
	client := api.NewClient(serve(t, c))
	grant := event.Grant{Tool: "fetch", Host: "a.example"}
	in := api.DecideRequest{Chat: "main", ID: "n", Allow: true, Grants: []event.Grant{grant}}
	if err := client.Decide(t.Context(), in); err != nil {
		t.Error(err)
	}
	want := session.Answer{Chat: "main", ID: "n", Allow: true, By: "owner", Grants: in.Grants,
		Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}}
	if diff := cmp.Diff([]session.Answer{want}, c.answers); diff != "" {
		t.Error(diff)
	}
	if err := client.Decide(t.Context(), api.DecideRequest{Chat: "main", ID: "n", Allow: true, Nobody: true}); err != nil {
		t.Error(err)
	}
	if a := c.answers[1]; a.Allow || a.By != "nobody" {
		t.Errorf("where nobody was asked: %+v", a)
	}
	c.refuse = errors.New("nothing waits for an answer")
	if err := client.Decide(t.Context(), in); err == nil || err.Error() != "nothing waits for an answer" {
		t.Error(err)
	}
}

// A server takes the place of a socket that a killed hob left.
func TestListenReplacesADeadSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hob.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	s, err := local.Listen(path, local.Config{Sessions: &chats{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A state folder may lie deeper than a socket's name is long.
func TestALongPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("deep/", 40), "hob.sock")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := local.Listen(path, local.Config{Sessions: &chats{}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	if _, err := api.NewClient(path).Stop(t.Context(), api.StopRequest{}); err != nil {
		t.Error(err)
	}
}

func TestTheSocketIsPrivate(t *testing.T) {
	info, err := os.Stat(serve(t, &chats{}))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// Whatever else is said to it is answered with what is wrong.
func TestBadRequests(t *testing.T) {
	c := &chats{}
	path := serve(t, c)
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}}}
	defer client.CloseIdleConnections()
	for _, r := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/api/v1/decide", `{"chat":"a","id":"n","allow":true,"level":"owner"}`, 400},
		{"POST", "/api/v1/decide", `{"chat":`, 400},
		{"POST", "/api/v1/stop", strings.Repeat(" ", 2<<20) + "{}", 400},
		{"GET", "/api/v1/stop", ``, 405},
		{"POST", "/api/v1/config", `{}`, 404},
		{"GET", "/", ``, 404},
	} {
		req, err := http.NewRequestWithContext(t.Context(), r.method, "http://hob"+r.path, bytes.NewReader([]byte(r.body)))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Errorf("%s %s: %v", r.method, r.path, err)
			continue
		}
		var problem api.Problem
		if err := json.NewDecoder(resp.Body).Decode(&problem); err != nil || problem.Error == "" {
			t.Errorf("%s %s: no sentence says why: %v", r.method, r.path, err)
		}
		resp.Body.Close()
		if resp.StatusCode != r.status {
			t.Errorf("%s %s: status %d, want %d", r.method, r.path, resp.StatusCode, r.status)
		}
	}
	if len(c.answers)+len(c.halted) > 0 {
		t.Errorf("something was done: %+v", c)
	}
}
