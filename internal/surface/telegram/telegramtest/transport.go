package telegramtest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// Transport calls the server in memory: no sockets, so that it works in a bubble of testing/synctest. The host
// of a request is not looked at. A request whose context ends is let go of at once.
func (s *Server) Transport() http.RoundTripper { return &transport{s} }

type transport struct{ s *Server }

// memoryAnswer is a response while the server writes it.
type memoryAnswer struct {
	header  http.Header
	code    int
	body    *io.PipeWriter
	ready   chan struct{} // closed when there is a code
	once    sync.Once
	refused bool
	err     error // with done
}

func (a *memoryAnswer) Header() http.Header { return a.header }

func (a *memoryAnswer) WriteHeader(code int) {
	a.once.Do(func() {
		a.code = code
		a.header = a.header.Clone()
		close(a.ready)
	})
}

func (a *memoryAnswer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// handle runs the handler as net/http would.
func (a *memoryAnswer) handle(s *Server, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			a.err = io.EOF
			_ = a.body.CloseWithError(io.ErrUnexpectedEOF)
			return
		}
		a.WriteHeader(http.StatusOK)
		_ = a.body.Close()
	}()
	s.ServeHTTP(a, r)
}

// RoundTrip hands a request to the server. It returns when the first byte of an answer is there.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		closeBody(req)
		return nil, err
	}
	ctx, cancel := context.WithCancel(req.Context())
	r := req.Clone(ctx)
	r.RequestURI = req.URL.RequestURI()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	pr, pw := io.Pipe()
	a := &memoryAnswer{header: http.Header{}, body: pw, ready: make(chan struct{})}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { _ = pr.CloseWithError(context.Cause(ctx)) })
	end := func() {
		cancel()
		closeBody(req)
		<-done
		stop()
	}
	go func() {
		defer close(done)
		a.handle(t.s, r)
	}()
	select {
	case <-a.ready:
	case <-done:
	case <-ctx.Done():
		end()
		return nil, ctx.Err()
	}
	select {
	case <-a.ready:
	default:
		end()
		switch {
		case req.Context().Err() != nil:
			return nil, req.Context().Err()
		case a.refused:
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		}
		return nil, a.err
	}
	length := int64(-1)
	if n, err := strconv.ParseInt(a.header.Get("Content-Length"), 10, 64); err == nil {
		length = n
	}
	return &http.Response{
		Status: strconv.Itoa(a.code) + " " + http.StatusText(a.code), StatusCode: a.code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: &body{pr, end}, ContentLength: length, Request: req,
	}, nil
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
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
