package ollamafake

import (
	"errors"
	"net"
	"net/http"
	"syscall"

	"hob/internal/pipehttp"
)

// Transport reaches the server at any address, without a socket. In a synctest bubble time passes while a client waits
// on it.
func (s *Server) Transport() http.RoundTripper { return pipehttp.Transport(s) }

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	if pipehttp.Break(w, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}) {
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
