package http

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"

	"hob/internal/surface/http/api"
)

// listenPrivate makes the socket. It never has more permissions than it needs.
func listenPrivate(path string) (net.Listener, error) {
	name, done, err := api.SocketName(path)
	if err != nil {
		return nil, err
	}
	defer done()
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) (failed error) {
		err := raw.Control(func(fd uintptr) { failed = syscall.Fchmod(int(fd), 0o600) })
		return errors.Join(err, failed)
	}}
	l, err := config.Listen(context.Background(), "unix", name) // as [net.ListenUnix] does
	if err != nil {
		return nil, err
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := os.Chmod(name, 0o600); err != nil { // a umask takes more away
		l.Close()
		return nil, err
	}
	return l, nil
}

// ownListener is a listener that accepts connections of this user and of root alone.
type ownListener struct{ net.Listener }

// Accept implements [net.Listener].
func (l ownListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if isOwn(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

// isOwn reports whether the peer of a connection is this user or root, and no more confined than
// this process: a process in a sandbox has the same user.
func isOwn(conn net.Conn) bool {
	pid, uid, err := api.PeerOf(conn)
	return err == nil && mayConnect(uid, pid, os.Geteuid())
}

// mayConnect reports whether a process of user uid may speak to a hob of user me. A hob of another
// user starts no process of root's, so that root's needs no look at its confinement, which a
// service may not take (ProtectProc=).
func mayConnect(uid, pid, me int) bool {
	return uid == 0 && me != 0 || (uid == 0 || uid == me) && !isConfined(pid)
}
