//go:build linux

package sandbox

import (
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// What a command has written is not lost because nobody came to read it in time, also where somebody got away and holds the
// other end.
func TestCapture_TakesWhatIsThere(t *testing.T) {
	c, stdout, stderr, err := newCapture(Limits{Output: 1 << 20, Keep: 1 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	defer stderr.Close()
	want := [2]string{strings.Repeat("out\n", 10_000), "oops\n"} // as much as a pipe holds
	for i, f := range []*os.File{stdout, stderr} {
		if _, err := f.WriteString(want[i]); err != nil {
			t.Fatal(err)
		}
	}
	c.endReading()
	c.start()
	c.stop(func() {})
	out, oops := c.output()
	if out.String() != want[0] || oops.String() != want[1] {
		t.Errorf("%d bytes and %q are left, of %d and %q", out.Total, oops, len(want[0]), want[1])
	}
}

// A helper hears that it is to end, however busy the machine is and however full the socket.
func TestAsk_IsHeard(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fds[1])
	ours := os.NewFile(uintptr(fds[0]), "socket")
	conn, err := net.FileConn(ours)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	packet := make([]byte, 1<<10)
	for err == nil {
		err = unix.Send(fds[0], packet, unix.MSG_NOSIGNAL)
	}
	if err := ours.Close(); err != nil {
		t.Fatal(err)
	}
	newLink(conn.(*net.UnixConn), false).askEnd()
	for n := 1; n > 0; {
		if n, _, err = unix.Recvfrom(fds[1], packet, 0); err != nil {
			t.Fatal("it is not told:", err)
		}
	}
}

// paused is a command that ends well while hob stands still.
type paused struct{ runner }

func (paused) ended() <-chan struct{} {
	<-time.After(time.Minute)
	c := make(chan struct{})
	close(c)
	return c
}

func (paused) kill() {}

// When hob stands still for longer than a command may take, one that ended well meanwhile was not too late.
func TestWatch_EndedWhileHobStoodStill(t *testing.T) {
	for range 100 { // chance decides which of two that are ready is seen first
		synctest.Test(t, func(t *testing.T) {
			p := &Process{capture: &capture{}}
			if p.watch(t.Context(), paused{}, time.Second, nil); p.outcome.TimedOut {
				t.Fatal("it is said to be out of time")
			}
		})
	}
}
