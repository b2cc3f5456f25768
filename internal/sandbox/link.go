//go:build linux

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/inside"
)

// link is this side of the socket to a helper. What [link.listen] fills in is there to be read when the channel beside
// it is closed.
type link struct {
	conn     *net.UnixConn
	named    bool           // the helper's process is to be known
	answer   inside.Message // the first one,
	listener net.Listener   // what came with it,
	peer     int            // and a descriptor of the process that sent it, or -1
	answered chan struct{}
	end      *inside.Ended
	ended    chan struct{}
	frozen   chan inside.Message // the answers to orders to freeze
	orders   atomic.Int64        // that were given
	closed   chan struct{}       // nothing more will come
	using    sync.Mutex          // held while the peer is used or let go of: its end is awaited by more than one
}

// newLink makes a link. Where it is named, the one at the other end is known as a process.
func newLink(conn *net.UnixConn, named bool) *link {
	l := &link{
		conn: conn, named: named, peer: -1,
		answered: make(chan struct{}), ended: make(chan struct{}), frozen: make(chan inside.Message, 1), closed: make(chan struct{}),
	}
	if named {
		if raw, err := conn.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { // then it is not known, and bwrap's end has to do
				_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
			})
		}
	}
	return l
}

// sendSpec sends the helper its specification. The packet is as large as the command, and the kernel's default takes less.
func (l *link) sendSpec(s inside.Spec) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write down what the sandbox is to do: %w", err)
	}
	_ = l.conn.SetWriteBuffer(len(text) + 1<<14) // if that is refused the packet is, too
	_, err = l.conn.Write(text)
	if errors.Is(err, unix.EMSGSIZE) || errors.Is(err, unix.ENOBUFS) {
		return errTooLong
	}
	return nil // whatever else was wrong, the helper is dead, and that is seen
}

// askEnd has the helper end everything. Closing the socket needs no room in it, so that it never has to wait.
func (l *link) askEnd() {
	_ = l.conn.CloseWrite() // it may be dead
}

// listen reads the helper's messages until the socket's end.
func (l *link) listen() {
	defer close(l.closed)
	packet, rights := make([]byte, 16<<10), make([]byte, unix.CmsgSpace(4)+unix.CmsgSpace(unix.SizeofUcred))
	for {
		n, m, _, _, err := l.conn.ReadMsgUnix(packet, rights)
		if err != nil || n == 0 {
			return
		}
		fds, pid := l.beside(rights[:m])
		var message inside.Message
		if json.Unmarshal(packet[:n], &message) != nil {
			continue
		}
		if !isClosed(l.answered) {
			l.takeAnswer(message, fds, pid)
			continue
		}
		closeAll(fds)
		if message.Frozen != nil {
			l.takeFrozen(message)
		}
		if message.Ended != nil && l.end == nil {
			l.end = message.Ended
			close(l.ended)
		}
	}
}

// takeFrozen hands an answer on to who waits for it, in the place of one that nobody waited for.
func (l *link) takeFrozen(m inside.Message) {
	select {
	case <-l.frozen:
	default:
	}
	l.frozen <- m // nobody else puts anything in
}

// takeAnswer takes in the first message.
func (l *link) takeAnswer(message inside.Message, fds []int, pid int) {
	defer close(l.answered)
	l.answer = message
	if len(fds) == 1 {
		f := os.NewFile(uintptr(fds[0]), "listener")
		listener, err := net.FileListener(f) // a copy
		f.Close()
		if err == nil {
			l.listener = listener
		}
	} else {
		closeAll(fds)
	}
	if pid > 0 {
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			l.peer = fd // it waits for an order, or goes on to start the command: the number is still its own
		}
	}
}

// beside reads what came beside a packet: descriptors, and who sent it.
func (l *link) beside(rights []byte) (fds []int, pid int) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, 0
	}
	for _, m := range messages {
		if got, err := unix.ParseUnixRights(&m); err == nil {
			fds = append(fds, got...)
		}
		if who, err := unix.ParseUnixCredentials(&m); err == nil && l.named {
			pid = int(who.Pid)
		}
	}
	return fds, pid
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}

// killPeer kills the helper's process, where it is known.
func (l *link) killPeer() {
	l.using.Lock()
	defer l.using.Unlock()
	if fd := l.knownPeer(); fd >= 0 {
		_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // it may be dead
	}
}

// waitPeer waits until the helper's process is dead, where it is known.
func (l *link) waitPeer(atMost time.Duration) {
	l.using.Lock()
	defer l.using.Unlock()
	if fd := l.knownPeer(); fd >= 0 {
		waitDead(fd, atMost)
	}
}

func (l *link) knownPeer() int {
	if isClosed(l.answered) {
		return l.peer
	}
	return -1
}

// close lets go of everything.
func (l *link) close() {
	l.conn.Close()
	<-l.closed
	if l.listener != nil {
		l.listener.Close()
	}
	l.using.Lock()
	defer l.using.Unlock()
	if l.peer >= 0 {
		unix.Close(l.peer)
		l.peer = -1
	}
}
