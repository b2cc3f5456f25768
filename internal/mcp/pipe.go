package mcp

import (
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxSpool   = maxMessage + 1<<20 // bytes of a server's that wait to be read
	maxWaiting = 16 << 20           // bytes that wait for a server to read them
	// patience is how long a server waits for room: as long as whoever reads is busy and not stuck.
	patience = 5 * time.Second
)

const errFull = notice("it does not read what it is sent")

// spool is a pipe that holds much and does not make a writer wait for long.
type spool struct {
	most     int           // bytes that wait to be read
	patience time.Duration // how long a writer waits for room

	mu     sync.Mutex
	held   []byte
	ended  bool          // nothing more comes
	closed bool          // nobody reads
	change chan struct{} // closed and made anew when something above has changed
}

func newSpool(most int, patience time.Duration) *spool {
	return &spool{most: most, patience: patience, change: make(chan struct{})}
}

func (s *spool) changed() {
	close(s.change)
	s.change = make(chan struct{})
}

// put takes p. It fails with errFull where there was no room for it in time, and where nobody reads.
func (s *spool) put(p []byte) error {
	late := time.NewTimer(s.patience)
	defer late.Stop()
	for {
		change, err := s.take(p)
		if err != errFull {
			return err
		}
		select {
		case <-change:
		case <-late.C:
			return errFull
		}
	}
}

// take is put without patience. When change is closed there may be room.
func (s *spool) take(p []byte) (change <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, mcp.ErrConnectionClosed
	case len(s.held)+len(p) > s.most:
		return s.change, errFull
	}
	s.held = append(s.held, p...)
	s.changed()
	return nil, nil
}

// finish says that nothing more comes.
func (s *spool) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.changed()
}

// Read implements [io.Reader].
func (s *spool) Read(p []byte) (int, error) {
	for {
		s.mu.Lock()
		n, change, over := copy(p, s.held), s.change, s.closed || s.ended
		if s.held = s.held[n:]; n > 0 {
			if len(s.held) == 0 {
				s.held = nil // lets go of what was there
			}
			s.changed()
		}
		s.mu.Unlock()
		switch {
		case n > 0 || len(p) == 0:
			return n, nil
		case over:
			return 0, io.EOF
		}
		<-change
	}
}

// Close implements [io.Closer].
func (s *spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.held = true, nil
	s.changed()
	return nil
}

// outbox writes to somebody who may not read: whoever puts something in does not wait.
type outbox struct {
	*spool
	to   io.WriteCloser
	done chan struct{} // closed when nothing more is written
}

func newOutbox(to io.WriteCloser) *outbox {
	o := &outbox{spool: newSpool(maxWaiting, 0), to: to, done: make(chan struct{})}
	go func() {
		defer close(o.done)
		_, _ = io.Copy(to, o.spool) // the reader of its output sees as well that it is gone, or has closed its input
		o.close()
	}()
	return o
}

// close ends the writing, of what waits too, and tells the reader.
func (o *outbox) close() {
	_ = o.Close()
	_ = o.to.Close()
}
