//go:build linux

package probe

import (
	"errors"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// sentWord is what an attack found when it sent a packet and cannot know whether it arrived.
const sentWord = "it was sent"

var errNone = errors.New("the machine has no such addresses")

func network() []attack {
	return []attack{
		contacting("TCP over IPv4", unix.SOCK_STREAM, 0, func(t *targets) unix.Sockaddr { return inet4(t.TCP4) }),
		contacting("TCP over IPv6", unix.SOCK_STREAM, 0, func(t *targets) unix.Sockaddr { return inet6(t.TCP6) }),
		contacting("MPTCP", unix.SOCK_STREAM, unix.IPPROTO_MPTCP, func(t *targets) unix.Sockaddr { return inet4(t.TCP4) }),
		contacting("UDP over IPv4", unix.SOCK_DGRAM, 0, func(t *targets) unix.Sockaddr { return inet4(t.UDP4) }),
		contacting("UDP over IPv6", unix.SOCK_DGRAM, 0, func(t *targets) unix.Sockaddr { return inet6(t.UDP6) }),
		{name: "DNS", try: resolver},
		{name: "packet socket", try: creating(unix.AF_PACKET, unix.SOCK_RAW)},
		{name: "raw socket", try: func(*targets) (string, error) {
			return closeFD(unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP))
		}},
		{name: "vsock", try: creating(unix.AF_VSOCK, unix.SOCK_STREAM)},
	}
}

func unixSockets() []attack {
	return []attack{
		{name: "unix socket", try: func(t *targets) (string, error) {
			return byPath("unix socket", unix.SOCK_STREAM, t.Stream)
		}},
		{name: "unix datagram socket", try: func(t *targets) (string, error) {
			return byPath("unix datagram socket", unix.SOCK_DGRAM, t.Datagram)
		}},
		contacting("abstract unix socket", unix.SOCK_STREAM, 0, func(t *targets) unix.Sockaddr {
			return &unix.SockaddrUnix{Name: "@" + t.Abstract}
		}),
	}
}

// inet4 is on loopback, but not at 127.0.0.1: a stranger who tries the ports there must not count as an attack that got through.
func inet4(port int) unix.Sockaddr {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 89, 71, 3}}
}
func inet6(port int) unix.Sockaddr { return &unix.SockaddrInet6{Port: port, Addr: [16]byte{15: 1}} }

// familyAndPort returns the family of an address, and its port, which is 0 where it has none.
func familyAndPort(at unix.Sockaddr) (family, port int) {
	switch at := at.(type) {
	case *unix.SockaddrInet4:
		return unix.AF_INET, at.Port
	case *unix.SockaddrInet6:
		return unix.AF_INET6, at.Port
	}
	return unix.AF_UNIX, 0
}

// contacting is an attack that contacts a canary. Whether a packet arrived only the canary knows.
func contacting(name string, kind, protocol int, to func(*targets) unix.Sockaddr) attack {
	a := attack{name: name, try: func(t *targets) (string, error) { return contact(name, kind, protocol, to(t)) }}
	if kind == unix.SOCK_DGRAM {
		a.outside = arrived
	}
	return a
}

// contact connects to a canary and sends it the name of the attack.
func contact(name string, kind, protocol int, to unix.Sockaddr) (string, error) {
	family, port := familyAndPort(to)
	if family != unix.AF_UNIX && port == 0 {
		return "", errNone
	}
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, protocol)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	if err := connect(fd, to); err != nil {
		return "", err
	}
	if _, err := unix.Write(fd, []byte(name)); err != nil {
		return "", err
	}
	if kind == unix.SOCK_DGRAM && family != unix.AF_UNIX {
		return sentWord, nil
	}
	return "it was contacted", nil
}

// connect waits a little: where packets are dropped in silence nobody answers. It does so in many steps, for the reason that
// [targets.wait] has; a signal of Go's own runtime ends a step, too.
func connect(fd int, to unix.Sockaddr) error {
	err := unix.Connect(fd, to)
	if err != unix.EINPROGRESS {
		return err
	}
	ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	connected := false
	for step := 0; !connected && step < 50; step++ {
		n, err := unix.Poll(ready, 10)
		if err != nil && err != unix.EINTR {
			return err
		}
		connected = n > 0
	}
	if !connected {
		return unix.ETIMEDOUT
	}
	errno, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err == nil && errno != 0 {
		err = syscall.Errno(errno)
	}
	return err
}

// byPath contacts a unix socket whose path may be longer than a socket's address: its folder is opened first.
func byPath(name string, kind int, path string) (string, error) {
	dir, err := unix.Open(filepath.Dir(path), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(dir)
	short := "/proc/self/fd/" + strconv.Itoa(dir) + "/" + filepath.Base(path)
	return contact(name, kind, 0, &unix.SockaddrUnix{Name: short})
}

// resolver sees whether there is a way to a name server. Connecting a UDP socket sends nothing; it fails when no route
// leads there. The address is one of those that are kept for examples.
func resolver(*targets) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	return "there is a route", unix.Connect(fd, &unix.SockaddrInet4{Port: 53, Addr: [4]byte{192, 0, 2, 53}})
}

// creating is an attack that makes a socket of a family.
func creating(family, kind int) func(*targets) (string, error) {
	return func(*targets) (string, error) {
		return closeFD(unix.Socket(family, kind|unix.SOCK_CLOEXEC, 0))
	}
}

// closeFD closes the descriptor that a call made.
func closeFD(fd int, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return "it was made", unix.Close(fd)
}
