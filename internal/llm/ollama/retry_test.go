package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// verdict is what decides about an error: whether the same request may be sent again, and of what kind it is.
type verdict struct {
	Kind  llm.Kind
	Retry bool
}

func verdictOn(err error) verdict {
	failure := (*llm.Error)(nil)
	if !errors.As(err, &failure) {
		return verdict{}
	}
	return verdict{failure.Kind, failure.Retry}
}

// TestRetry is the table of the failures after which the same request may succeed, and of those after which it will not.
func TestRetry(t *testing.T) {
	const again, never = true, false
	for _, tc := range []struct {
		name string
		chat http.HandlerFunc
		want verdict
	}{
		{"the connection closes before anything", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, verdict{llm.Incomplete, again}},
		{"it is reset before anything", reset(), verdict{llm.Incomplete, again}},
		{"it is reset after content", reset(text("Hel")), verdict{llm.Incomplete, again}},
		{"it closes after content", hangUp(text("Hel")), verdict{llm.Incomplete, again}},
		{"a clean end without done", lines(text("Hel")), verdict{llm.Incomplete, again}},
		{"nothing at all", lines(), verdict{llm.Incomplete, again}},
		{"a line cut in two", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text("Hel")[:30]) }, verdict{llm.Incomplete, again}},
		{"the model repeats itself", lines(text("a"), `{"error":"prediction aborted, token repeat limit reached"}`), verdict{llm.Repeats, again}},

		{"500", status(500, `{"error":"something broke"}`), verdict{llm.Failed, again}},
		{"500 before a byte", status(500, ""), verdict{llm.Failed, again}},
		{"502, empty", status(502, ""), verdict{llm.Failed, again}},
		{"502, a web page", status(502, "<html>Bad Gateway</html>"), verdict{llm.Failed, again}},
		{"504", status(504, "upstream timed out"), verdict{llm.Failed, again}},
		{"an error after content", lines(text("Hel"), `{"error":"something broke"}`), verdict{llm.Failed, again}},
		{"an error with a status", lines(`{"error":"something broke","status":500}`), verdict{llm.Failed, again}},
		{"the runner died", status(500, `{"error":"llama runner process has terminated: exit status 2"}`), verdict{llm.Failed, again}},
		{"the runner died, after content", lines(text("Hel"), `{"error":"model runner has unexpectedly stopped, this may be due to resource limitations"}`), verdict{llm.Failed, again}},

		{"out of memory", status(500, `{"error":"model requires more system memory (9.0 GiB) than is available (2.0 GiB)"}`), verdict{llm.Failed, never}},
		{"out of memory, and so it died", lines(`{"error":"llama runner process has terminated: cudaMalloc failed: out of memory"}`), verdict{llm.Failed, never}},
		{"the context is full", status(400, `{"error":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"}`), verdict{llm.ContextExceeded, never}},
		{"the context is full, 500", status(500, `{"error":"the input length exceeds the context length"}`), verdict{llm.ContextExceeded, never}},
		{"no tools", status(400, `{"error":"\"tiny:1b\" does not support tools"}`), verdict{llm.NoTools, never}},
		{"no model", status(404, `{"error":"model \"tiny:1b\" not found, try pulling it first"}`), verdict{llm.ModelMissing, never}},
		{"the cloud", status(401, `{"error":"unauthorized","signin_url":"https://ollama.com/connect"}`), verdict{llm.ModelRefused, never}},
		{"a call that cannot be read", status(500, `{"error":"error parsing tool call: raw='{', err=unexpected end of JSON input"}`), verdict{llm.Malformed, never}},
		{"a call that cannot be read, after content", lines(text("a"), `{"error":"failed to parse JSON: invalid character 'x'"}`), verdict{llm.Malformed, never}},
		{"400", status(400, `{"error":"invalid options"}`), verdict{llm.Failed, never}},
		{"401", status(401, `{"error":"unauthorized"}`), verdict{llm.Failed, never}},
		{"404", status(404, "404 page not found"), verdict{llm.Failed, never}},
		{"an error with a status that blames the request", lines(`{"error":"bad option","status":400}`), verdict{llm.Failed, never}},
		{"a web page", lines("<html>Welcome to your router</html>"), verdict{llm.Failed, never}},
		{"no Ollama", lines(`{}`), verdict{llm.Failed, never}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := start(t, newFake(t, tc.chat)).Chat(t.Context(), hello, nil)
			if diff := cmp.Diff(tc.want, verdictOn(err)); diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// reset sends lines and then resets the connection: what a server does that is killed.
func reset(all ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if len(all) > 0 {
			lines(all...)(w, r)
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}
}

// Patience has been had already, or nobody is there to ask again.
func TestNoRetryOfWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		verdictOf := func(there memory, ctx context.Context) verdict {
			cfg := testConfig("box")
			cfg.Transport = there
			_, err := newClient(t, cfg).Chat(ctx, hello, nil)
			return verdictOn(err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		silence := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		got := []verdict{
			verdictOf(memory{"box:11434": newFake(t, status(503, ""))}, t.Context()),
			verdictOf(memory{"box:11434": newFake(t, silence)}, t.Context()),
			verdictOf(memory{}, t.Context()),
			verdictOf(memory{"box:11434": newFake(t, nil)}, gone),
		}
		want := []verdict{{llm.Busy, false}, {llm.Silent, false}, {llm.Unreachable, false}, {llm.Cancelled, false}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("busy, silent, unreachable, cancelled (-want +got):\n%s", diff)
		}
	})
}

// broken is a transport under which a chat fails in one way, and everything else works.
type broken struct {
	memory
	err error
}

func (b broken) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/api/chat" {
		return nil, b.err
	}
	return b.memory.RoundTrip(r)
}

// How a connection ends decides whether there was one.
func TestDroppedOrRefused(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want verdict
	}{
		"the pipe broke":         {&net.OpError{Op: "write", Err: syscall.EPIPE}, verdict{llm.Incomplete, true}},
		"reset":                  {&net.OpError{Op: "read", Err: syscall.ECONNRESET}, verdict{llm.Incomplete, true}},
		"the end":                {fmt.Errorf("transport connection broken: %w", io.ErrUnexpectedEOF), verdict{llm.Incomplete, true}},
		"refused":                {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, verdict{llm.Unreachable, false}},
		"reset while it dialled": {&net.OpError{Op: "dial", Err: syscall.ECONNRESET}, verdict{llm.Unreachable, false}},
		"another":                {errors.New("tls: no"), verdict{llm.Unreachable, false}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := testConfig("box")
			cfg.Transport = broken{memory{"box:11434": newFake(t, nil)}, c.err}
			_, err := newClient(t, cfg).Chat(t.Context(), hello, nil)
			if diff := cmp.Diff(c.want, verdictOn(err)); diff != "" || !errors.Is(err, c.err) {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// Of two hosts, one that drops the chat and one that is not there, the first one's failure is told: it may pass.
func TestADropIsToldRatherThanARefusal(t *testing.T) {
	for _, hosts := range [][]string{{"drops", "dead"}, {"dead", "drops"}, {"drops", "http://drops:1"}} {
		cfg := testConfig(hosts...)
		f := newFake(t, nil)
		cfg.Transport = broken{memory{"drops:11434": f, "drops:1": f}, io.EOF}
		_, err := newClient(t, cfg).Chat(t.Context(), hello, nil)
		if diff := cmp.Diff(verdict{llm.Incomplete, true}, verdictOn(err)); diff != "" {
			t.Errorf("hosts %v: error %v (-want +got):\n%s", hosts, err, diff)
		}
	}
}
