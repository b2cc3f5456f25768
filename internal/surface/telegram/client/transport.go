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

// placeholder is the token as all but the transport know it.
const placeholder = "0:token"

// maxAnswer is how much of an answer is read, in bytes. A hundred updates of usual size are a hundredth of it.
const maxAnswer = 8 << 20

// tooSlow is the cause of a request that was given up. It is a [context.DeadlineExceeded].
type tooSlow struct{}

func (tooSlow) Error() string        { return "the server took too long" }
func (tooSlow) Is(target error) bool { return target == context.DeadlineExceeded }

// ErrLongAnswer says that an answer is longer than maxAnswer.
var ErrLongAnswer = errors.New("the answer is too long")

// transport puts the token where the placeholder is, and takes it out of whatever comes back. No redirect is
// followed: what one leads to is an answer like any other.
type transport struct {
	next  http.RoundTripper
	token string
}

// RoundTrip sends a request with the token in its address. The errors know none.
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

// redact takes the token out of a text, also where something has escaped its colon or cut its beginning.
func (t *transport) redact(s string) string {
	s = strings.ReplaceAll(s, t.token, "***")
	if _, secret, _ := strings.Cut(t.token, ":"); len(secret) >= 8 {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return s
}

// clean is an error without the token. One that has it anywhere can be asked what it is and not what it holds.
func (t *transport) clean(err error) error {
	if !t.hasToken(err) {
		return err
	}
	return &redacted{t.redact(err.Error()), err}
}

// hasToken reports whether an error, or one within it, has the token in its text.
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

// redacted stands for an error that has the token in it. It cannot be unwrapped.
type redacted struct {
	text   string
	within error
}

func (e *redacted) Error() string        { return e.text }
func (e *redacted) Is(target error) bool { return errors.Is(e.within, target) }

// isDialError reports whether it says that nobody was reached, without showing what it holds.
func (e *redacted) isDialError() bool { return isDialError(e.within) }

// isDialError reports whether an error says that nobody was reached: the network's, or a refusal of the gate,
// which is known by the hint that it has for the owner.
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

// progress is how far a request has come.
type progress struct {
	mu     sync.Mutex
	traced bool // the transport tells of it
	open   bool // there is a connection that it may have gone into
}

// trace returns a context whose request is watched.
func (p *progress) trace(ctx context.Context) context.Context {
	set := func(open bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.traced, p.open = true, open
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { set(false) },
		GotConn: func(httptrace.GotConnInfo) { set(true) },
		// A request that was not written to its end is none that a server could act upon.
		WroteRequest: func(i httptrace.WroteRequestInfo) { set(i.Err == nil) },
	})
}

// mayHaveArrived reports whether a server may have acted upon a request that ended in this error.
func (p *progress) mayHaveArrived(err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.traced {
		return !isDialError(err)
	}
	return p.open
}

// doer is what the library sends one request with. It holds a context, which nothing else should: the library
// has no place for one.
type doer struct {
	ctx    context.Context
	method string
	over   *transport
	status int // of the answer, once there is one
}

// Do sends a request and reads all of the answer, which is an object of JSON with an "ok". Everything else is
// an [*Error].
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

// unreadableError is the error for an answer that is none of a Bot API server, or of which err has kept the rest away.
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

// causeOf is the error of a request under a context: where that has ended, why.
func causeOf(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case ctx.Err() == nil:
		return err
	case cause == error(tooSlow{}), errors.Is(cause, ctx.Err()):
		return cause
	}
	return ctx.Err() // the cause is its owner's business, and might be anything
}

// withIdleLimit is a context that ends with tooSlow when nothing was heard of for so long. alive says that
// something was; stop must be called.
func withIdleLimit(ctx context.Context, most time.Duration) (limited context.Context, alive, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(most, func() { cancel(tooSlow{}) })
	return ctx, func() { timer.Reset(most) }, func() { timer.Stop(); cancel(nil) }
}

// maxRetry is how long a server is left alone at most: one answer, whoever gave it, silences hob for no longer.
const maxRetry = time.Hour

// retrySeconds is a server's number of seconds, within maxRetry.
func retrySeconds(n int) time.Duration {
	return min(time.Duration(min(max(n, 0), 1<<30))*time.Second, maxRetry)
}
