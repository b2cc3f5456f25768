// Package pipehttp calls an HTTP server in memory, for the fakes of servers: without a socket time passes in a bubble of
// testing/synctest while a client waits.
package pipehttp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// Transport returns a transport that hands each request to h, whatever its host is. A request whose context ends is let go of
// at once. A handler that panics with [http.ErrAbortHandler] hangs up. Who closes the body of an answer waits for the handler.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

// Break ends an answer with an error: of the request, or where the client has the beginning of the answer already, of its body.
// It reports whether that can be done, which is so where the answer is one in memory.
func Break(w http.ResponseWriter, err error) bool {
	a, ok := w.(*answer)
	if ok {
		a.fail(err, err)
	}
	return ok
}

type transport struct{ handler http.Handler }

// answer is a response while the handler writes it.
type answer struct {
	header http.Header
	body   *io.PipeWriter
	once   sync.Once
	begun  chan struct{} // closed when the client may look at what follows

	code int
	sent http.Header
	err  error // in place of a response
}

func (a *answer) Header() http.Header  { return a.header }
func (a *answer) Flush()               { a.WriteHeader(http.StatusOK) }
func (a *answer) WriteHeader(code int) { a.begin(code, nil) }

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

func (a *answer) begin(code int, err error) {
	a.once.Do(func() {
		a.code, a.sent, a.err = code, a.header.Clone(), err
		close(a.begun)
	})
}

// fail ends the answer with an error of the request, or of the body where that has begun.
func (a *answer) fail(request, body error) {
	a.begin(0, request)
	_ = a.body.CloseWithError(body)
}

// handle runs the handler as net/http would.
func (a *answer) handle(h http.Handler, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			a.fail(io.EOF, io.ErrUnexpectedEOF)
			return
		}
		a.WriteHeader(http.StatusOK)
		_ = a.body.Close()
	}()
	h.ServeHTTP(a, r)
}

// RoundTrip hands a request to the server. It returns when the first byte of an answer is there.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	r := req.Clone(ctx)
	r.RequestURI = req.URL.RequestURI()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	in, out := io.Pipe()
	a := &answer{header: http.Header{}, body: out, begun: make(chan struct{})}
	stop := context.AfterFunc(ctx, func() { _ = in.CloseWithError(context.Cause(ctx)) })
	done := make(chan struct{})
	end := func() {
		cancel()
		_ = r.Body.Close()
		<-done
		stop()
	}
	if ctx.Err() != nil {
		close(done)
		end()
		return nil, ctx.Err()
	}
	go func() {
		defer close(done)
		a.handle(t.handler, r)
	}()
	select {
	case <-a.begun:
	case <-ctx.Done():
		end()
		return nil, ctx.Err()
	}
	if a.err != nil {
		end()
		return nil, cmp.Or(req.Context().Err(), a.err)
	}
	length := int64(-1)
	if n, err := strconv.ParseInt(a.sent.Get("Content-Length"), 10, 64); err == nil {
		length = n
	}
	return &http.Response{
		Status: strconv.Itoa(a.code) + " " + http.StatusText(a.code), StatusCode: a.code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, Body: &body{in, end}, ContentLength: length, Request: req,
	}, nil
}

// body ends the request when it is closed.
type body struct {
	*io.PipeReader
	end func()
}

func (b *body) Close() error {
	err := b.PipeReader.Close()
	b.end()
	return err
}
