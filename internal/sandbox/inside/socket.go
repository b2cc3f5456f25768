//go:build linux

package inside

import (
	"encoding/json"

	"golang.org/x/sys/unix"
)

// receive reads the Spec.
func receive() (Spec, error) {
	var s Spec
	n, _, err := recv(nil, unix.MSG_PEEK|unix.MSG_TRUNC) // the packet's length
	if err != nil {
		return s, err
	}
	if n == 0 {
		return s, errNoSpec
	}
	packet := make([]byte, n)
	if n, _, err = recv(packet, 0); err != nil {
		return s, err
	}
	return s, json.Unmarshal(packet[:n], &s)
}

func recv(p []byte, flags int) (int, unix.Sockaddr, error) {
	for {
		if n, from, err := unix.Recvfrom(SocketFD, p, flags); err != unix.EINTR {
			return n, from, err
		}
	}
}

// send sends m, with a descriptor beside it unless that is -1. Where nobody reads it any more the end is near anyway: the
// closed socket is seen where the helper waits.
func send(m Message, fd int) {
	packet, err := json.Marshal(m)
	if err != nil {
		return
	}
	var rights []byte
	if fd >= 0 {
		rights = unix.UnixRights(fd)
	}
	for {
		err := unix.Sendmsg(SocketFD, packet, rights, nil, unix.MSG_NOSIGNAL)
		if err != unix.EINTR {
			return
		}
	}
}

// drainSocket takes what the other end may have sent. Unread it would be lost to the other end as a reset connection, and
// with it the last message.
func drainSocket() {
	unix.Shutdown(SocketFD, unix.SHUT_RD) //nolint:errcheck // then it is closed already
	var packet [1]byte
	for {
		if n, _, err := recv(packet[:], unix.MSG_DONTWAIT); err != nil || n == 0 {
			return
		}
	}
}

// openLoopback makes the listener for the proxy in this network namespace, which has nothing but loopback.
func openLoopback(up bool) (int, error) {
	if up {
		if err := RaiseLoopback(); err != nil {
			return -1, wrap("bring loopback up", err)
		}
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, wrap("make the proxy's socket", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Port: ProxyPort, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return -1, wrap("bind the proxy's port", err)
	}
	return fd, wrap("listen for the proxy", unix.Listen(fd, 128))
}

// RaiseLoopback brings up the loopback of this network namespace.
func RaiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
