package egress

import (
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"hob/internal/display"
)

// Contact is a line of the ledger, or what is to be added to one: what happened in one day (UTC) with one host, for one
// reason.
type Contact struct {
	Reason      string    // such as "ollama", "fetch", "command"
	Host        string    // "host:port" as it was asked for, in its one spelling
	Address     string    // that was connected to, or refused, last; "" while none was
	First, Last time.Time // Last also says which day it is
	Connections int64
	Sent        int64 // bytes
	Received    int64
	Refused     int64  // attempts
	Why         string // the last attempt was refused, such as "loopback"
}

// Ledger keeps contacts. Its methods take no context: what happened is recorded whether or not somebody still
// waits for it. It is safe for concurrent use.
type Ledger interface {
	// Begin makes durable that there is a line for the host, reason and day of c, which counts nothing yet. A line that
	// is there is left as it is.
	Begin(c Contact) error

	// Add adds to the lines of these contacts, all or none. It need not be durable when it returns.
	Add(all []Contact) error
}

// noLedger is the ledger of a gate that was given none.
type noLedger struct{}

var errNoLedger = errors.New("there is no ledger")

func (noLedger) Begin(Contact) error { return errNoLedger }
func (noLedger) Add([]Contact) error { return errNoLedger }

// Day is the day that a moment belongs to: the number of days since 1970 began, UTC.
func Day(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// place is the subject of a line.
type place struct{ reason, host string }

// line is what a gate remembers of a host: what was counted since it was last written.
type line struct {
	known       int64 // the day on which the ledger had a line for it, 0 is none
	open        int   // connections
	made        int64 // connections
	refused     int64
	why         string
	address     string
	missed      bool      // it was tried and did not answer
	first, last time.Time // zero while nothing is to be written
	sent        atomic.Int64
	received    atomic.Int64
}

// touch says that something happened.
func (l *line) touch(now time.Time) {
	if l.first.IsZero() {
		l.first = now
	}
	l.last = now
}

// idle reports whether nothing is lost when the line is forgotten.
func (l *line) idle() bool {
	return l.open == 0 && !l.missed && l.made == 0 && l.refused == 0 && l.sent.Load() == 0 && l.received.Load() == 0
}

// line returns the line of a host with which something happens now. The caller holds mu.
func (g *Gate) line(reason string, t target, now time.Time) *line {
	at := place{reason, t.String()}
	l := g.lines[at]
	if l == nil {
		l = new(line)
		g.forgetIdle(now)
		g.lines[at] = l
	}
	l.touch(now)
	return l
}

// forgetIdle makes room for another line. The caller holds mu.
func (g *Gate) forgetIdle(now time.Time) {
	if len(g.lines) >= maxLines {
		_ = g.write() // it makes the lines idle
		for at, l := range g.lines {
			if l.idle() || l.open == 0 && now.Sub(l.last) > time.Hour { // the ledger has refused to take it for an hour
				delete(g.lines, at)
			}
		}
	}
}

// write adds what was counted to the ledger. The caller holds mu.
func (g *Gate) write() error {
	now := g.now()
	g.flushed.Store(now.UnixNano())
	var all []Contact
	var from []*line
	lost := 0 // lines with counts; without one, nobody is told that the time of an attempt is lost
	for at, l := range g.lines {
		c := Contact{Reason: at.reason, Host: at.host, Address: l.address, First: l.first, Last: l.last, Connections: l.made,
			Sent: l.sent.Load(), Received: l.received.Load(), Refused: l.refused, Why: l.why}
		counts := c.Connections > 0 || c.Refused > 0 || c.Sent > 0 || c.Received > 0
		if !counts && !l.missed {
			continue
		}
		if counts {
			lost++
		}
		if l.open > 0 || c.Last.IsZero() { // its bytes came without anybody touching it
			c.Last = now
		}
		if c.First.IsZero() || Day(c.First) != Day(c.Last) {
			c.First = c.Last
		}
		all, from = append(all, c), append(from, l)
	}
	if len(all) == 0 {
		return nil
	}
	if err := g.ledger.Add(all); err != nil {
		g.failed, g.failAt = err, now
		if lost == 0 {
			return nil
		}
		return fmt.Errorf("the record of who was contacted lacks the last counts of %s: %w", display.Count(lost, "host"), err)
	}
	g.failed = nil
	for i, l := range from {
		l.made, l.refused, l.missed, l.why, l.address = l.made-all[i].Connections, 0, false, "", ""
		l.sent.Add(-all[i].Sent)
		l.received.Add(-all[i].Received)
		l.first, l.last = time.Time{}, time.Time{}
	}
	return nil
}

// conn is a connection whose bytes are counted.
type conn struct {
	net.Conn
	gate *Gate
	line *line
	gone atomic.Bool
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.line.received.Add(int64(n))
	c.gate.tryFlush()
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.line.sent.Add(int64(n))
	c.gate.tryFlush()
	return n, err
}

// CloseWrite ends one direction, as that of a TCP connection does.
func (c *conn) CloseWrite() error {
	return closeWrite(c.Conn, c.Close)
}

// closeWrite ends the direction of a connection that is written, or all of it where it cannot do less.
func closeWrite(c net.Conn, closeAll func() error) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return closeAll()
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	if c.gone.CompareAndSwap(false, true) {
		c.gate.removeConn(c)
	}
	return err
}
