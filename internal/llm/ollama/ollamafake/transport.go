package ollamafake

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
)

// Transport reaches the server at any address, without a socket. In a synctest bubble time passes while a client waits
// on it.
func (s *Server) Transport() http.RoundTripper { return pipeTransport{s} }

type pipeTransport struct{ server *Server }

// RoundTrip implements [http.RoundTripper].
func (t pipeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	in, out := io.Pipe()
	w := &pipeWriter{header: http.Header{}, out: out, begun: make(chan struct{})}
	ctx, leave := context.WithCancel(req.Context())
	served := req.Clone(ctx)
	if req.Body == nil {
		served.Body = http.NoBody
	}
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		defer served.Body.Close()
		t.server.ServeHTTP(w, served)
		w.WriteHeader(http.StatusOK)
		out.Close()
	}()
	select {
	case <-w.begun:
	case <-ctx.Done():
		leave()
		return nil, req.Context().Err()
	}
	if w.err != nil {
		leave()
		return nil, w.err
	}
	return &http.Response{StatusCode: w.code, Header: w.sent, Body: body{in, leave}, Request: req}, nil
}

// body is an answer's. The server hears when the client closes it.
type body struct {
	io.Reader
	leave func()
}

// Close implements [io.Closer].
func (b body) Close() error {
	b.leave()
	return nil
}

// pipeWriter is the server's side of a pipe. What the client reads of it is set before begun is closed.
type pipeWriter struct {
	header http.Header
	out    *io.PipeWriter
	once   sync.Once
	begun  chan struct{}

	code int
	sent http.Header
	err  error
}

func (w *pipeWriter) Header() http.Header  { return w.header }
func (w *pipeWriter) Flush()               { w.WriteHeader(http.StatusOK) }
func (w *pipeWriter) WriteHeader(code int) { w.begin(code, nil) }

func (w *pipeWriter) begin(code int, err error) {
	w.once.Do(func() {
		w.code, w.sent, w.err = code, w.header.Clone(), err
		close(w.begun)
	})
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(p)
}

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	if pipe, ok := w.(*pipeWriter); ok {
		reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
		pipe.begin(0, reset)
		pipe.out.CloseWithError(reset)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(errors.Join(http.ErrAbortHandler, err)) // the connection is gone already
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // a reset, and not an end
	}
	_ = conn.Close()
}
