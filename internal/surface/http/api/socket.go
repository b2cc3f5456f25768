package api

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"hob/internal/linux"
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
func PeerOf(conn net.Conn) (pid, uid int, err error) {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, 0, errors.New("it is no connection of a socket of this machine")
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var asked error
	err = raw.Control(func(fd uintptr) {
		pid, uid, asked = linux.PeerOf(int(fd))
	})
	return pid, uid, errors.Join(err, asked)
}

// checkServer returns nil if this user or root listens at the other end of a connection to the
// socket at path. Any other user who put a socket there would read the owner's messages.
func checkServer(conn net.Conn, path string) error {
	_, uid, err := PeerOf(conn)
	if err != nil {
		return err
	}
	return checkServerUser(uid, os.Geteuid(), path)
}

func checkServerUser(uid, me int, path string) error {
	if uid != me && uid != 0 {
		return &StrangerError{Path: path, User: uid}
	}
	return nil
}
