package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// placeholder replaces the token everywhere outside of the transport.
const placeholder = "0:token"

// maxAnswer limits the size of an answer, in bytes. A hundred updates of usual size take a
// hundredth of it.
const maxAnswer = 8 << 20

// tooSlow is the cause of a request without progress. It is a [context.DeadlineExceeded].
type tooSlow struct{}

func (tooSlow) Error() string        { return "the server took too long" }
func (tooSlow) Is(target error) bool { return target == context.DeadlineExceeded }

// ErrLongAnswer says that an answer is longer than maxAnswer.
var ErrLongAnswer = errors.New("the answer is too long")

// transport replaces the placeholder by the token, and removes the token from everything that comes
// back. It does not follow redirects, but returns them like other answers.
type transport struct {
	next  http.RoundTripper
	token string
}

// RoundTrip sends a request with the token in its URL. Errors do not contain the token.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.URL.Path = strings.Replace(out.URL.Path, "/bot"+placeholder+"/", "/bot"+t.token+"/", 1)
	if out.URL.RawPath != "" {
		out.URL.RawPath = strings.Replace(out.URL.RawPath, "/bot"+placeholder+"/", "/bot"+t.token+"/", 1)
	}
	resp, err := t.next.RoundTrip(out)
	if err != nil {
		return nil, t.clean(err)
	}
	resp.Request = req
	return resp, nil
}

// redact removes the token from a text, even if its colon is escaped or its beginning is cut off.
func (t *transport) redact(s string) string {
	s = strings.ReplaceAll(s, t.token, "***")
	if _, secret, _ := strings.Cut(t.token, ":"); len(secret) >= 8 {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return s
}

// clean returns an error without the token. An error that contains the token is replaced by one
// that keeps only its kind.
func (t *transport) clean(err error) error {
	if !t.hasToken(err) {
		return err
	}
	return &redacted{t.redact(err.Error()), err}
}

// hasToken reports whether the text of an error, or of one inside it, has the token.
func (t *transport) hasToken(err error) bool {
	if err == nil {
		return false
	}
	if s := err.Error(); t.redact(s) != s {
		return true
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		return t.hasToken(x.Unwrap())
	case interface{ Unwrap() []error }:
		if slices.ContainsFunc(x.Unwrap(), t.hasToken) {
			return true
		}
	}
	return false
}

// redacted replaces an error that has the token in it. It cannot be unwrapped.
type redacted struct {
	text   string
	within error
}

func (e *redacted) Error() string        { return e.text }
func (e *redacted) Is(target error) bool { return errors.Is(e.within, target) }

// isDialError reports whether the replaced error is a dial error.
func (e *redacted) isDialError() bool { return isDialError(e.within) }

// isDialError reports whether an error means that nobody was reached: a network error, or a refusal
// of the egress gate, which has a hint for the owner.
func isDialError(err error) bool {
	var hidden *redacted
	if errors.As(err, &hidden) && hidden.isDialError() {
		return true
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var refused interface{ Hint() string }
	return errors.As(err, &refused)
}

// progress is how far a request got.
type progress struct {
	mu     sync.Mutex
	traced bool // the transport reports progress
	open   bool // the request may have used an open connection
}

// trace returns a context that watches its request.
func (p *progress) trace(ctx context.Context) context.Context {
	set := func(open bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.traced, p.open = true, open
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { set(false) },
		GotConn: func(httptrace.GotConnInfo) { set(true) },
		// A server can act only on a request that was written completely.
		WroteRequest: func(i httptrace.WroteRequestInfo) { set(i.Err == nil) },
	})
}

// mayHaveArrived reports whether a server may have acted on a request that ended with this error.
func (p *progress) mayHaveArrived(err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.traced {
		return !isDialError(err)
	}
	return p.open
}

// doer sends one request for the library. It holds a context, against the usual rule, because the
// library has no parameter for one.
type doer struct {
	ctx    context.Context
	method string
	over   *transport
	status int // of the answer; 0 before it
}

// Do sends a request and reads the whole answer, a JSON object with an "ok". Anything else is an
// [*Error].
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	if err := d.ctx.Err(); err != nil {
		return nil, &Error{Method: d.method, Err: causeOf(d.ctx, err)}
	}
	var p progress
	resp, err := d.over.RoundTrip(req.WithContext(p.trace(d.ctx)))
	if err != nil {
		return nil, &Error{Method: d.method, Err: causeOf(d.ctx, err), Unknown: p.mayHaveArrived(err)}
	}
	defer resp.Body.Close()
	d.status = resp.StatusCode
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = ErrLongAnswer
	}
	var answer struct {
		OK *bool `json:"ok"`
	}
	switch {
	case err != nil:
		return nil, d.unreadableError(resp, causeOf(d.ctx, d.over.clean(err)))
	case json.Unmarshal(body, &answer) != nil || answer.OK == nil:
		return nil, d.unreadableError(resp, nil)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// unreadableError is the error for an answer that does not come from a Bot API server, or whose
// rest was lost because of err.
func (d *doer) unreadableError(resp *http.Response, err error) *Error {
	e := &Error{
		Method: d.method, Code: resp.StatusCode, Err: err, Unknown: resp.StatusCode < 300 || resp.StatusCode >= 500,
		Message: strings.TrimSpace(http.StatusText(resp.StatusCode) + ", and the answer is none of a Bot API server"),
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && resp.StatusCode >= 400 {
		e.RetryAfter = retrySeconds(s)
	}
	return e
}

// causeOf returns why a request failed: the end of its context, or else err.
func causeOf(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case ctx.Err() == nil:
		return err
	case cause == error(tooSlow{}), errors.Is(cause, ctx.Err()):
		return cause
	}
	return ctx.Err() // the cause may be any text of the caller
}

// withIdleLimit returns a context that ends with tooSlow after so long without a call of alive.
// stop must be called.
func withIdleLimit(ctx context.Context, most time.Duration) (limited context.Context, alive, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(most, func() { cancel(tooSlow{}) })
	return ctx, func() { timer.Reset(most) }, func() { timer.Stop(); cancel(nil) }
}

// maxRetry limits how long one answer can make hob pause.
const maxRetry = time.Hour

// retrySeconds returns a server's number of seconds, at most maxRetry.
func retrySeconds(n int) time.Duration {
	return min(time.Duration(min(max(n, 0), 1<<30))*time.Second, maxRetry)
}
