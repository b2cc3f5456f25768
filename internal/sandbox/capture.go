//go:build linux

package sandbox

import (
	"errors"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// drainTime is how long the output of a command is still read after everything of it was killed: only somebody who got
// away can hold the other end.
const drainTime = 500 * time.Millisecond

// capture reads what a command writes. It keeps both ends of both streams.
type capture struct {
	keeping sync.Mutex // guards ends and written, and is never held for long
	ends    [2]ends
	written int64
	most    int64

	calling sync.Mutex // is held while live is called
	live    func(stream int, p []byte)

	pipes   [2]*os.File
	flood   chan struct{} // closed when the command has written too much
	killed  chan struct{} // closed when its end has come
	drained chan struct{} // closed when both streams are read to their ends
}

// newCapture returns a capture and the ends of its pipes that are the command's.
func newCapture(l Limits, live func(int, []byte)) (c *capture, stdout, stderr *os.File, err error) {
	c = &capture{
		most: l.Output, live: live, ends: [2]ends{{keep: l.Keep}, {keep: l.Keep}},
		flood: make(chan struct{}), killed: make(chan struct{}), drained: make(chan struct{}),
	}
	if c.pipes[0], stdout, err = os.Pipe(); err != nil {
		return nil, nil, nil, err
	}
	if c.pipes[1], stderr, err = os.Pipe(); err != nil {
		c.pipes[0].Close()
		stdout.Close()
		return nil, nil, nil, err
	}
	return c, stdout, stderr, nil
}

// start begins to read.
func (c *capture) start() {
	var reading sync.WaitGroup
	for i := range c.pipes {
		reading.Go(func() { c.drain(i) })
	}
	go func() { reading.Wait(); close(c.drained) }()
}

// drain reads a stream to its end.
func (c *capture) drain(i int) {
	buf := make([]byte, 32<<10)
	for {
		n, err := c.pipes[i].Read(buf)
		if n > 0 {
			if c.take(i, buf[:n]) {
				<-c.killed // a flood that nobody drinks stands still
			}
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			c.takeRest(i, buf)
		}
		if err != nil {
			return
		}
	}
}

// takeRest takes what is in a stream now; somebody may go on filling it.
func (c *capture) takeRest(i int, buf []byte) {
	raw, err := c.pipes[i].SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		left, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ) // FIONREAD by its other name
		for err == nil && left > 0 {
			var n int
			if n, err = unix.Read(int(fd), buf[:min(left, len(buf))]); n <= 0 {
				return
			}
			c.take(i, buf[:n])
			left -= n
		}
	})
}

// take keeps what was read and reports whether that is too much by now.
func (c *capture) take(i int, p []byte) bool {
	c.calling.Lock()
	if c.live != nil {
		c.live(i+1, p)
	}
	c.calling.Unlock()
	c.keeping.Lock()
	defer c.keeping.Unlock()
	c.ends[i].add(p)
	before := c.written
	c.written += int64(len(p))
	if before <= c.most && c.written > c.most {
		close(c.flood)
	}
	return c.written > c.most
}

// output returns what has been read so far.
func (c *capture) output() (stdout, stderr Output) {
	c.keeping.Lock()
	defer c.keeping.Unlock()
	return c.ends[0].output(), c.ends[1].output()
}

// stop ends the reading. Everything of the command is dead, so what it wrote is there to be read; again is called now
// and then for as long as it is not, because then somebody lives who should not.
func (c *capture) stop(again func()) {
	close(c.killed)
	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	look := time.NewTicker(drainTime / 20)
	defer look.Stop()
	for waiting := true; waiting; {
		select {
		case <-c.drained:
			waiting = false
		case <-patience.C:
			waiting = false
		case <-look.C:
			again()
		}
	}
	c.endReading()
	<-c.drained
	c.pipes[0].Close()
	c.pipes[1].Close()
}

// endReading has the readers wait for nothing more. What is there by now they take: on a machine that stands still, or whose live
// is slow, they may not have come to it in all that time.
func (c *capture) endReading() {
	for _, p := range c.pipes {
		if p.SetReadDeadline(time.Unix(1, 0)) != nil {
			p.Close()
		}
	}
}

// abandon takes the pipes of a command away that never began, and returns the beginning of what came out of them.
func (c *capture) abandon() (stderr string) {
	c.stop(func() {})
	_, printed := c.output()
	return printed.String()
}
