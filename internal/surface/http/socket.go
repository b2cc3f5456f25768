package http

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// listenPrivate makes the socket in a folder of its own, and moves it to where it can be found once its permissions are
// right.
func listenPrivate(path string) (net.Listener, error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".socket-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	near, done, err := short(filepath.Join(folder, "s"))
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

// short returns another name for path, which is good until done is called: the kernel takes at most 107 bytes for that of a
// socket.
func short(path string) (name string, done func(), err error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path)), func() { folder.Close() }, nil
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
	cred, err := peerOf(conn)
	return err == nil && welcome(int(cred.Uid), int(cred.Pid), os.Geteuid())
}

// mayServe returns nil if whoever listens at the other end of a connection to the socket at path is this user or root. Who else
// could put a socket there would be told what the owner says.
func mayServe(conn net.Conn, path string) error {
	cred, err := peerOf(conn)
	if err != nil {
		return err
	}
	return serves(int(cred.Uid), os.Geteuid(), path)
}

func serves(uid, me int, path string) error {
	if uid != me && uid != 0 {
		return &StrangerError{Path: path, User: uid}
	}
	return nil
}

// peerOf asks the kernel who is at the other end of a connection: who connected, or who listens.
func peerOf(conn net.Conn) (*unix.Ucred, error) {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.New("it is no connection of a socket of this machine")
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	var cred *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		cred, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	return cred, errors.Join(err, asked)
}

// welcome reports whether a process of user uid may speak to a hob of user me. Of root's one thing is known: hob started it
// only if hob is root, too. So it need not be looked at, which a service may not do (ProtectProc=).
func welcome(uid, pid, me int) bool {
	return uid == 0 && me != 0 || (uid == 0 || uid == me) && !confined(pid)
}
