package client

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hob/internal/surface/telegram/telegramtest"
)

// noToken fails where an error, or anything within it, tells the token or the part of it that is secret.
func noToken(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "err", err)
	_, secret, _ := strings.Cut(testToken, ":")
	for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v %s %q", err, err, err, err), log.String()} {
		if strings.Contains(text, secret) {
			t.Errorf("the token is in %q", text)
		}
	}
	var of *url.Error
	if errors.As(err, &of) && strings.Contains(of.URL, secret) {
		t.Errorf("the token is in the address %q", of.URL)
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		noToken(t, x.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range x.Unwrap() {
			noToken(t, e)
		}
	}
}

// Whatever goes wrong in whatever way, the token stays where it is.
func TestTheTokenIsInNoError(t *testing.T) {
	_, secret, _ := strings.Cut(testToken, ":")
	with := func(err error) telegramtest.RoundTrip {
		return func(*http.Request) (*http.Response, error) { return nil, err }
	}
	address := &url.Error{Op: "Post", URL: "https://x/bot" + testToken + "/getMe", Err: io.EOF}
	for name, over := range map[string]http.RoundTripper{
		"an address":         with(address),
		"within":             with(fmt.Errorf("over: %w", address)),
		"hidden within":      with(hiding{address}),
		"among others":       with(errors.Join(io.ErrUnexpectedEOF, fmt.Errorf("over: %w", address))),
		"escaped":            with(errors.New("get https://x/bot" + url.QueryEscape(testToken))),
		"the secret half":    with(errors.New("cannot resolve " + secret)),
		"of the server":      telegramtest.Answering(400, `{"ok":false,"error_code":400,"description":"no `+testToken+` here"}`),
		"a page":             telegramtest.Answering(502, "<p>/bot"+testToken+"/getMe</p>"),
		"no result":          telegramtest.Answering(200, `{"ok":true,"result":"`+testToken+`"}`),
		"neither yes nor no": telegramtest.Answering(200, `{"ok":"`+testToken+`"}`),
		"of the body": telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(broken{address}), Request: r}, nil
		}),
		"of the file": telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/getFile") {
				return telegramtest.Answering(200, `{"ok":true,"result":{"file_path":"`+testToken+`"}}`)(r)
			}
			return nil, &url.Error{Op: "Get", URL: r.URL.String(), Err: io.EOF}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			a := testAPI(t, "", over)
			var out Message
			for method, err := range map[string]error{
				"call":     a.Call(t.Context(), "getMe", Params{"a": "b"}, &out),
				"upload":   a.Upload(t.Context(), "sendDocument", nil, "document", "a", strings.NewReader("hello"), &out),
				"download": a.Download(t.Context(), "id", 10, io.Discard),
			} {
				if err == nil {
					t.Errorf("%s: there is no error", method)
				}
				noToken(t, err)
			}
		})
	}
}

// What an error is can still be asked.
func TestARedactedErrorIsStillWhatItWas(t *testing.T) {
	a := testAPI(t, "", telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, &url.Error{Op: "Post", URL: r.URL.String(), Err: io.ErrUnexpectedEOF}
	}))
	if err := a.Call(t.Context(), "getMe", nil, nil); !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// hiding is an error that says less than what is in it.
type hiding struct{ err error }

func (hiding) Error() string   { return "it failed" }
func (h hiding) Unwrap() error { return h.err }

type broken struct{ err error }

func (f broken) Read([]byte) (int, error) { return 0, f.err }
