package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/surface/telegram/telegramtest"
)

const testToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

func testAPI(t *testing.T, base string, over http.RoundTripper) *API {
	t.Helper()
	a, err := NewAPI(APIConfig{Base: base, Token: testToken, Transport: over})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestNewAPISaysWhatToSet(t *testing.T) {
	for _, c := range []struct{ base, token, want string }{
		{"", testToken, ""},
		{"https://api.telegram.org", testToken + "\n", ""},
		{"http://localhost:8081/a%20b/", testToken, ""},
		{"ftp://api.telegram.org", testToken, "api_base"},
		{"api.telegram.org", testToken, "api_base"},
		{"https://", testToken, "api_base"},
		{"https://ada:hunter2@api.telegram.org", testToken, "api_base"},
		{"https://api.telegram.org/?a=b", testToken, "api_base"},
		{"https://api.telegram.org/bot" + testToken, testToken, "out of api_base"},
		{"", "", "token_file"},
		{"", "110201543", "token_file"},
		{"", "110201543:a/../b", "token_file"},
		{"", "110201543:a b", "token_file"},
	} {
		_, err := NewAPI(APIConfig{Base: c.base, Token: c.token, Transport: telegramtest.RoundTrip(nil)})
		text := fmt.Sprint(err)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(text, c.want)) {
			t.Errorf("%q, %q: %v, want %q", c.base, c.token, err, c.want)
		}
		if strings.Contains(text, "hunter2") || strings.Contains(text, testToken) {
			t.Errorf("%q: a secret is in %q", c.base, text)
		}
	}
	if _, err := NewAPI(APIConfig{Token: testToken}); err == nil {
		t.Error("an API without a way to dial was made")
	}
}

// The server gets the token where it belongs, below whatever path it is at; the library never has it.
func TestTheServerGetsTheToken(t *testing.T) {
	var got []string
	over := telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
		got = append(got, r.Method+" "+r.URL.String())
		if strings.Contains(r.URL.Path, "getFile") {
			return telegramtest.Answering(200, `{"ok":true,"result":{"file_path":"photos/a b.jpg"}}`)(r)
		}
		resp, err := telegramtest.Answering(200, `{"ok":true,"result":true}`)(r)
		return resp, err
	})
	a := testAPI(t, "https://example.org/a%2Fb", over)
	if a.bot.Token != placeholder {
		t.Errorf("the library has the token %q", a.bot.Token)
	}
	if err := a.Call(t.Context(), "sendMessage", Params{"text": "hello"}, nil); err != nil {
		t.Error(err)
	}
	if err := a.Upload(t.Context(), "sendDocument", nil, "document", "a.txt", strings.NewReader("hello"), nil); err != nil {
		t.Error(err)
	}
	if err := a.Download(t.Context(), "x", 100, io.Discard); err != nil {
		t.Error(err)
	}
	want := []string{
		"POST https://example.org/a%2Fb/bot" + testToken + "/sendMessage",
		"POST https://example.org/a%2Fb/bot" + testToken + "/sendDocument",
		"POST https://example.org/a%2Fb/bot" + testToken + "/getFile",
		"GET https://example.org/a%2Fb/file/bot" + testToken + "/photos/a%20b.jpg",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What an answer means, to a call and to an upload.
func TestWhatAnAnswerMeans(t *testing.T) {
	page := "<html><title>502</title></html>"
	for _, c := range []struct {
		name, body string
		status     int
		header     []string
		want       Error
		is         error
	}{
		{"flood", `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}}`, 429, nil,
			Error{Code: 429, Message: "Too Many Requests: retry after 7", RetryAfter: 7 * time.Second}, nil},
		{"flood for ten years", `{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":315360000}}`, 429, nil,
			Error{Code: 429, Message: "Too Many Requests", RetryAfter: time.Hour}, nil},
		{"flood in HTML", page, 429, []string{"Retry-After", "9"},
			Error{Code: 429, Message: "Too Many Requests, and the answer is none of a Bot API server", RetryAfter: 9 * time.Second}, nil},
		{"moved", `{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded","parameters":{"migrate_to_chat_id":-1001}}`, 400, nil,
			Error{Code: 400, Message: "Bad Request: group chat was upgraded", MovedTo: -1001}, ErrRefused},
		{"bad token", `{"ok":false,"error_code":401,"description":"Unauthorized"}`, 401, nil, Error{Code: 401, Message: "Unauthorized"}, ErrUnauthorized},
		{"unknown method", `{"ok":false,"error_code":404,"description":"Not Found"}`, 404, nil, Error{Code: 404, Message: "Not Found"}, ErrRefused},
		{"blocked", `{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}`, 403, nil,
			Error{Code: 403, Message: "Forbidden: bot was blocked by the user"}, ErrForbidden},
		{"conflict", `{"ok":false,"error_code":409,"description":"Conflict: x"}`, 409, nil, Error{Code: 409, Message: "Conflict: x"}, ErrConflict},
		{"no without a reason", `{"ok":false}`, 200, nil, Error{Code: 400}, ErrRefused},
		{"internal", `{"ok":false,"error_code":500,"description":"Internal Server Error"}`, 500, nil,
			Error{Code: 500, Message: "Internal Server Error", Unknown: true}, nil},
		{"bad gateway", page, 502, nil, Error{Code: 502, Message: "Bad Gateway, and the answer is none of a Bot API server", Unknown: true}, nil},
		{"a page", page, 200, nil, Error{Code: 200, Message: "OK, and the answer is none of a Bot API server", Unknown: true}, nil},
		{"no object", `[]`, 200, nil, Error{Code: 200, Message: "OK, and the answer is none of a Bot API server", Unknown: true}, nil},
		{"neither yes nor no", `{"error":"x"}`, 200, nil, Error{Code: 200, Message: "OK, and the answer is none of a Bot API server", Unknown: true}, nil},
		{"nothing", ``, 200, nil, Error{Code: 200, Message: "OK, and the answer is none of a Bot API server", Unknown: true}, nil},
		{"half", `{"ok":true,"result":{"mess`, 200, nil, Error{Code: 200, Message: "OK, and the answer is none of a Bot API server", Unknown: true}, nil},
		{"elsewhere", page, 302, []string{"Location", "https://evil.example/"},
			Error{Code: 302, Message: "Found, and the answer is none of a Bot API server"}, nil},
		{"not here", page, 404, nil, Error{Code: 404, Message: "Not Found, and the answer is none of a Bot API server"}, ErrRefused},
		{"many lines", `{"ok":false,"error_code":400,"description":"a\n\tb\u0000c ` + strings.Repeat("ä", 300) + `"}`, 400, nil,
			Error{Code: 400, Message: "a bc " + strings.Repeat("ä", 146) + "…"}, ErrRefused},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := testAPI(t, "", telegramtest.Answering(c.status, c.body, c.header...))
			for method, err := range map[string]error{
				"sendMessage":  a.Call(t.Context(), "sendMessage", nil, nil),
				"sendDocument": a.Upload(t.Context(), "sendDocument", Params{"chat_id": "1"}, "document", "a", strings.NewReader("hello"), nil),
			} {
				want := c.want
				want.Method = method
				var got *Error
				if !errors.As(err, &got) {
					t.Fatalf("%s: %v", method, err)
				}
				if d := cmp.Diff(want, *got); d != "" {
					t.Errorf("%s: %s", method, d)
				}
				for _, is := range []error{ErrUnauthorized, ErrConflict, ErrForbidden, ErrRefused, ErrTooLarge} {
					if errors.Is(err, is) != (is == c.is) {
						t.Errorf("%s: is %q: %v", method, is, errors.Is(err, is))
					}
				}
			}
		})
	}
}

func TestATokenOfNoBot(t *testing.T) {
	a := testAPI(t, "", telegramtest.Answering(404, `{"ok":false,"error_code":404,"description":"Not Found"}`))
	for method, want := range map[string]bool{"getMe": true, "getUpdates": true, "sendMessageDraft": false} {
		if err := a.Call(t.Context(), method, nil, nil); errors.Is(err, ErrUnauthorized) != want || errors.Is(err, ErrRefused) == want {
			t.Errorf("%s: %v", method, err)
		}
	}
	a = testAPI(t, "", telegramtest.Answering(404, "<html>")) // a server that is something else
	if err := a.Call(t.Context(), "getMe", nil, nil); errors.Is(err, ErrUnauthorized) {
		t.Errorf("a page says that the token is unknown: %v", err)
	}
}

// A result that is not what was asked for: it was done, but nobody knows what.
func TestAResultThatCannotBeRead(t *testing.T) {
	a := testAPI(t, "", telegramtest.Answering(200, `{"ok":true,"result":"x"}`))
	var out Message
	err := a.Call(t.Context(), "sendMessage", nil, &out)
	var e *Error
	if !errors.As(err, &e) || !e.Unknown {
		t.Errorf("got %#v", err)
	}
	if err := a.Call(t.Context(), "sendMessage", nil, nil); err != nil {
		t.Error("nobody wanted the result, and:", err)
	}
}

// Nobody reads gigabytes.
func TestAHugeAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		a := testAPI(t, "", srv.Transport())
		srv.Fail(telegramtest.Fault{Kind: telegramtest.Huge, Bytes: 1 << 40})
		var e *Error
		if err := a.Call(t.Context(), "getMe", nil, nil); !errors.As(err, &e) || !errors.Is(err, ErrLongAnswer) || !e.Unknown {
			t.Error(err)
		}
	})
}

// What may have been done, seen from over a socket: faults of each kind, and whether the error says so.
func TestUnknownOverASocket(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, c := range []struct {
		name    string
		serve   func(net.Conn) // nil: nobody listens
		unknown bool
	}{
		{"nobody listens", nil, false},
		{"hung up on after the request", func(c net.Conn) { readRequest(c) }, true},
		{"cut", func(c net.Conn) {
			readRequest(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"ok\":true,")
		}, true},
		{"no HTTP", func(c net.Conn) { readRequest(c); _, _ = io.WriteString(c, "ERR\r\n\r\n") }, true},
		{"no TLS", func(c net.Conn) { _, _ = io.WriteString(c, "no\r\n") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			addr := listen(t, c.serve)
			over := &http.Transport{DisableKeepAlives: true}
			scheme := "http://"
			if c.name == "no TLS" {
				scheme = "https://"
			}
			err := testAPI(t, scheme+addr, over).Call(t.Context(), "sendMessage", Params{"text": "x"}, nil)
			var e *Error
			if !errors.As(err, &e) || e.Unknown != c.unknown {
				t.Errorf("unknown is not %v: %v", c.unknown, err)
			}
			noToken(t, err)
		})
	}
}

// listen serves one connection after the other; its address is refused where serve is nil.
func listen(t *testing.T, serve func(net.Conn)) string {
	if serve == nil {
		return "127.0.0.1:1" // which nobody is given who asks for any port
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return l.Addr().String()
}

func readRequest(c net.Conn) {
	b := make([]byte, 4096)
	for all := ""; !strings.HasSuffix(all, "text=x"); {
		n, err := c.Read(b)
		if all += string(b[:n]); err != nil {
			return
		}
	}
}

// A context that ends before there is a connection: nothing was done. After that, something may have been.
func TestUnknownWhenCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dialing := make(chan net.Conn)
		over := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			select {
			case c := <-dialing:
				return c, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}
		defer over.CloseIdleConnections()
		a := testAPI(t, "http://example.org", over)
		for _, connected := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(t.Context())
			failed := make(chan error)
			go func() { failed <- a.Call(ctx, "sendMessage", Params{"text": "x"}, nil) }()
			if connected {
				here, there := net.Pipe()
				defer there.Close()
				dialing <- here
				readRequest(there)
			}
			synctest.Wait()
			cancel(errors.New("hob ends"))
			err := <-failed
			var e *Error
			if !errors.As(err, &e) || e.Unknown != connected || !errors.Is(err, context.Canceled) {
				t.Errorf("connected %v: %v", connected, err)
			}
		}
		over.CloseIdleConnections()
	})
}

// The same by a transport that tells nothing: what is not known is unknown.
func TestUnknownInMemory(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: errors.New("refused")}
	for _, c := range []struct {
		err     error
		unknown bool
	}{
		{io.EOF, true},
		{refused, false},
		{fmt.Errorf("over: %w", refused), false},
		{&url.Error{Op: "Post", URL: "https://x/bot" + testToken + "/a", Err: refused}, false},
		{&url.Error{Op: "Post", URL: "https://x/bot" + testToken + "/a", Err: io.EOF}, true},
		{hinted{}, false},
	} {
		a := testAPI(t, "", telegramtest.RoundTrip(func(*http.Request) (*http.Response, error) { return nil, c.err }))
		err := a.Call(t.Context(), "sendMessage", nil, nil)
		var e *Error
		if !errors.As(err, &e) || e.Unknown != c.unknown {
			t.Errorf("%v: unknown is not %v", err, c.unknown)
		}
		noToken(t, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var e *Error
	err := testAPI(t, "", telegramtest.Answering(200, `{"ok":true}`)).Call(ctx, "sendMessage", nil, nil)
	if !errors.As(err, &e) || e.Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// hinted is a refusal as the gate's are.
type hinted struct{}

func (hinted) Error() string { return "refuse to dial" }
func (hinted) Hint() string  { return "set it" }

// A redirect leads nowhere, and least of all the token.
func TestNoRedirectIsFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("somebody came with %s", r.URL) }))
	defer other.Close()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer srv.Close()
	over := &http.Transport{}
	defer over.CloseIdleConnections()
	err := testAPI(t, srv.URL, over).Call(t.Context(), "getMe", nil, nil)
	var e *Error
	if !errors.As(err, &e) || e.Code != http.StatusTemporaryRedirect || e.Unknown {
		t.Error(err)
	}
	noToken(t, err)
}
