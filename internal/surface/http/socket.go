package http

import (
	"errors"
	"net"
	"os"
	"path/filepath"

	"hob/internal/surface/http/api"
)

// listenPrivate makes the socket in a folder of its own, and moves it to its path once its
// permissions are right.
func listenPrivate(path string) (net.Listener, error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".socket-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name, done, err := api.SocketName(filepath.Join(folder, "s"))
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(name, 0o600), os.Rename(name, path)); err != nil {
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
