package http

import (
	"errors"
	"net"
	"os"
	"path/filepath"

	"hob/internal/surface/http/api"
)

// listenPrivate makes the socket in a folder of its own, and moves it to where it can be found once its permissions are
// right.
func listenPrivate(path string) (net.Listener, error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".socket-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	near, done, err := api.SocketName(filepath.Join(folder, "s"))
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: near, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(near, 0o600), os.Rename(near, path)); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// known is a listener that lets nobody in but this user and root.
type known struct{ net.Listener }

// Accept implements [net.Listener].
func (k known) Accept() (net.Conn, error) {
	for {
		conn, err := k.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if mayCome(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

// mayCome reports whether the peer of a connection is this user or root, and no less free than this process is: what runs
// in a sandbox has the same user.
func mayCome(conn net.Conn) bool {
	cred, err := api.PeerOf(conn)
	return err == nil && welcome(int(cred.Uid), int(cred.Pid), os.Geteuid())
}

// welcome reports whether a process of user uid may speak to a hob of user me. Of root's one thing is known: hob started it
// only if hob is root, too. So it need not be looked at, which a service may not do (ProtectProc=).
func welcome(uid, pid, me int) bool {
	return uid == 0 && me != 0 || (uid == 0 || uid == me) && !confined(pid)
}
