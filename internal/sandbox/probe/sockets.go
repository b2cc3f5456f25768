//go:build linux

package probe

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// socket is a canary that is contacted. Nothing reads from it before the judge does: what was sent waits in it, and
// says from which attack it came.
type socket struct {
	fd     int
	name   string // what a contact is put down to when it does not say
	stream bool
}

// laySockets opens the sockets. A machine without IPv6 lacks those canaries.
func (c *Canaries) laySockets() error {
	t := &c.targets
	t.Stream, t.Datagram = filepath.Join(c.dir, "stream"), filepath.Join(c.dir, "datagram")
	t.Abstract = "hob-canary-" + rand.Text()
	t.TCP4 = c.listenPort("TCP over IPv4", unix.SOCK_STREAM, inet4(0))
	t.TCP6 = c.listenPort("TCP over IPv6", unix.SOCK_STREAM, inet6(0))
	t.UDP4 = c.listenPort("UDP over IPv4", unix.SOCK_DGRAM, inet4(0))
	t.UDP6 = c.listenPort("UDP over IPv6", unix.SOCK_DGRAM, inet6(0))
	// The folder's name may be longer than a socket's address, so the folder is named by a descriptor.
	dir, err := unix.Open(c.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	for _, u := range []struct {
		name string
		kind int
		path string
	}{
		{"unix socket", unix.SOCK_STREAM, fmt.Sprintf("/proc/self/fd/%d/stream", dir)},
		{"unix datagram socket", unix.SOCK_DGRAM, fmt.Sprintf("/proc/self/fd/%d/datagram", dir)},
		{"abstract unix socket", unix.SOCK_STREAM, "@" + t.Abstract},
	} {
		if err := c.listen(u.name, u.kind, &unix.SockaddrUnix{Name: u.path}); err != nil {
			return err
		}
	}
	return nil
}

// listenPort returns the port, or 0 when there is no such network.
func (c *Canaries) listenPort(name string, kind int, at unix.Sockaddr) int {
	if c.listen(name, kind, at) != nil {
		return 0
	}
	got, _ := unix.Getsockname(c.sockets[len(c.sockets)-1].fd)
	_, port := familyAndPort(got)
	return port
}

func (c *Canaries) listen(name string, kind int, at unix.Sockaddr) error {
	family, _ := familyAndPort(at)
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return err
	}
	err = unix.Bind(fd, at)
	if err == nil && kind == unix.SOCK_STREAM {
		err = unix.Listen(fd, 16)
	}
	if err != nil {
		_ = unix.Close(fd)
		return err
	}
	c.sockets = append(c.sockets, socket{fd, name, kind == unix.SOCK_STREAM})
	return nil
}

// contacts returns which sockets were contacted, by the name of the attack.
func (c *Canaries) contacts() map[string]string {
	found := map[string]string{}
	for _, s := range c.sockets {
		for {
			name, contacted := s.next()
			if !contacted {
				break
			}
			if !isAttack(name) {
				name = s.name
			}
			found[name] = "the canary was contacted"
		}
	}
	return found
}

func isAttack(name string) bool {
	return slices.ContainsFunc(attacks(), func(a attack) bool { return a.name == name })
}

// next takes one contact, if there is any, and returns the text that came with it; it does not wait.
func (s socket) next() (text string, contacted bool) {
	fd := s.fd
	if s.stream {
		conn, _, err := unix.Accept4(s.fd, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		if err != nil {
			return "", false
		}
		defer unix.Close(conn)
		fd = conn
	}
	var p [64]byte
	n, _, err := unix.Recvfrom(fd, p[:], 0)
	return string(p[:max(n, 0)]), err == nil || s.stream // who connects may send nothing
}
