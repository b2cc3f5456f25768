package egress

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Canary is a listener on loopback that nobody has a reason to reach. Each contact is counted, and redirected where
// the canary has an address for that.
type Canary struct {
	listener net.Listener
	reply    string
	hits     atomic.Int64
	all      sync.WaitGroup
}

// NewCanary starts a canary at a port of the kernel's choice. Where redirect is not "", it answers whatever it is asked
// with a redirect to there.
func NewCanary(ctx context.Context, redirect string) (*Canary, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start canary: %w", err)
	}
	return newCanary(l, redirect), nil
}

// newCanary is the canary that listens at l.
func newCanary(l net.Listener, redirect string) *Canary {
	c := &Canary{listener: l, reply: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"}
	if redirect != "" {
		c.reply = "HTTP/1.1 302 Found\r\nLocation: " + redirect + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	}
	c.all.Go(c.serve)
	return c
}

func (c *Canary) serve() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return
		}
		c.hits.Add(1)
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		_, _ = conn.Read(make([]byte, 4096))
		_, _ = io.WriteString(conn, c.reply)
		_ = conn.Close()
	}
}

// Addr is where it listens, "127.0.0.1:port".
func (c *Canary) Addr() string { return c.listener.Addr().String() }

// Hits is how often somebody came, up to now. A connection that was made before the call is counted: the canary connects
// to itself, and earlier contacts are served first.
func (c *Canary) Hits(ctx context.Context) (int64, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.Addr())
	if err != nil {
		return 0, fmt.Errorf("look at canary: %w", err)
	}
	_, _ = io.WriteString(conn, "?")
	_, _ = io.Copy(io.Discard, conn) // it is served when this ends
	_ = conn.Close()
	return c.hits.Add(-1), nil
}

// Close ends it.
func (c *Canary) Close() error {
	err := c.listener.Close()
	c.all.Wait()
	return err
}
