package api

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// SocketName returns another name for the socket at path, which is good until done is called: the
// kernel takes at most 107 bytes for the name of a socket.
func SocketName(path string) (name string, done func(), err error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path)), func() { folder.Close() }, nil
}

// PeerOf asks the kernel who is at the other end of a connection: the process that connected, or
// the one that listens.
func PeerOf(conn net.Conn) (*unix.Ucred, error) {
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

// checkServer returns nil if this user or root listens at the other end of a connection to the
// socket at path. Any other user who put a socket there would read the owner's messages.
func checkServer(conn net.Conn, path string) error {
	cred, err := PeerOf(conn)
	if err != nil {
		return err
	}
	return checkServerUser(int(cred.Uid), os.Geteuid(), path)
}

func checkServerUser(uid, me int, path string) error {
	if uid != me && uid != 0 {
		return &StrangerError{Path: path, User: uid}
	}
	return nil
}
