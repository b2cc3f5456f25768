package egress

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// flushEvery is how long counts may be in memory only while there is something to write them for.
const flushEvery = 5 * time.Second

// maxLines is how many hosts a gate remembers; those that nothing is going on with are forgotten first. A forgotten one
// costs another look into the ledger.
const maxLines = 4096

// GateConfig is what a [Gate] is made of.
type GateConfig struct {
	Ledger   Ledger           // nil keeps nothing, so nothing is dialed but Ollama on loopback
	Resolver Resolver         // nil means the machine's own
	Now      func() time.Time // nil means time.Now
}

// Gate is the one way out of a process. It hands out dialers and keeps the ledger of what goes through them. It is safe
// for concurrent use and starts no goroutine.
type Gate struct {
	ledger   Ledger
	resolver Resolver
	now      func() time.Time
	flushed  atomic.Int64 // when counts were last written, in Unix nanoseconds

	own own

	mu     sync.Mutex // held while the ledger is written, so that of two dials both wait for the line they need
	lines  map[place]*line
	conns  map[*conn]bool
	closed bool
	failed error // the last writing that failed
	failAt time.Time
}

// NewGate returns a gate that nothing has gone through yet.
func NewGate(c GateConfig) *Gate {
	g := &Gate{ledger: c.Ledger, resolver: c.Resolver, now: c.Now, lines: map[place]*line{}, conns: map[*conn]bool{}}
	if g.ledger == nil {
		g.ledger = noLedger{}
	}
	if g.now == nil {
		g.now = time.Now
	}
	g.flushed.Store(g.now().UnixNano())
	return g
}

// Fetch returns the dialer for pages that a model asks for: public addresses, and the owner's exceptions, each
// "host:port". setting is what the owner calls that list.
func (g *Gate) Fetch(allow []string, setting string) (*Dialer, error) {
	return g.dialer("fetch", Config{Allow: allow, Setting: setting})
}

// Commands returns the dialer for commands: exactly the hosts and ports of allow, each "host:port". setting is what the
// owner calls that list.
func (g *Gate) Commands(allow []string, setting string) (*Dialer, error) {
	d, err := g.dialer("command", Config{Allow: allow, Setting: setting})
	if err == nil {
		d.public = false
	}
	return d, err
}

// Only returns a dialer for the owner's own servers: exactly these, each "host:port". reason stands in the ledger, such
// as "ollama".
func (g *Gate) Only(reason string, servers ...string) (*Dialer, error) {
	d, err := g.dialer(reason, Config{Allow: servers})
	if err == nil {
		d.public, d.own = false, true
	}
	return d, err
}

func (g *Gate) dialer(reason string, c Config) (*Dialer, error) {
	c.Resolver = g.resolver
	d, err := New(c)
	if err == nil {
		d.reason, d.gate = reason, g
	}
	return d, err
}

// Unrecorded says that a connection was not made because the ledger could not be written.
type Unrecorded struct {
	Host string // "host:port"
	Err  error
}

func (e *Unrecorded) Error() string {
	return fmt.Sprintf("refuse to dial %s: what cannot be recorded is not contacted: %v", e.Host, e.Err)
}

// Unwrap returns Err.
func (e *Unrecorded) Unwrap() error { return e.Err }

var errClosed = errors.New("the gate is closed")

// begin makes sure that the ledger knows of t before anything is sent.
func (g *Gate) begin(d *Dialer, t target) error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return &Unrecorded{t.String(), errClosed}
	}
	now := g.now()
	l := g.line(d.reason, t, now)
	today := Day(now)
	if l.known == today {
		return nil
	}
	private := d.own && t.here()
	if private && g.failed != nil && now.Sub(g.failAt) < flushEvery {
		return nil // it was tried just now
	}
	err := g.ledger.Begin(Contact{Reason: d.reason, Host: t.String(), First: now, Last: now})
	switch {
	case err == nil:
		l.known = today
	case private:
		g.failed, g.failAt = err, now
	default:
		return &Unrecorded{t.String(), err}
	}
	return nil
}

// here reports whether t is this machine's loopback however names are looked up.
func (t target) here() bool {
	a, err := netip.ParseAddr(t.host)
	return err == nil && a.IsLoopback() || t.host == "localhost"
}

// refuse counts an attempt that a rule refused.
func (g *Gate) refuse(reason string, t target, err error) {
	refused := (*Refused)(nil)
	if g == nil || !errors.As(err, &refused) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	l := g.line(reason, t, g.now())
	l.refused++
	l.why = refused.Kind
	if refused.Addr.IsValid() && refused.Addr.String() != t.host {
		l.address = refused.Addr.Unmap().String()
	}
}

// miss notes when a host was last tried that does not answer.
func (g *Gate) miss(reason string, t target) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.line(reason, t, g.now()).missed = true
	g.flushDue()
}

// count hands a connection out through the ledger.
func (g *Gate) count(reason string, t target, inner net.Conn) (net.Conn, error) {
	if g == nil {
		return inner, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		inner.Close()
		return nil, &Unrecorded{t.String(), errClosed}
	}
	l := g.line(reason, t, g.now())
	l.made++
	l.open++
	if at, ok := inner.RemoteAddr().(*net.TCPAddr); ok {
		l.address = at.AddrPort().Addr().Unmap().String()
	}
	c := &conn{Conn: inner, gate: g, line: l}
	g.conns[c] = true
	return c, nil
}

// removeConn takes a connection out of those that are open.
func (g *Gate) removeConn(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.conns[c] {
		delete(g.conns, c)
		c.line.open--
		c.line.touch(g.now())
	}
	g.flushDue()
}

// tryFlush writes the counts if it is time to, and nobody is at it.
func (g *Gate) tryFlush() {
	if g.now().UnixNano()-g.flushed.Load() < int64(flushEvery) || !g.mu.TryLock() {
		return
	}
	defer g.mu.Unlock()
	g.flushDue()
}

// flushDue writes the counts if it is time to. The caller holds mu.
func (g *Gate) flushDue() {
	if !g.closed && g.now().UnixNano()-g.flushed.Load() >= int64(flushEvery) {
		_ = g.write() // Close reports it
	}
}

// Flush writes what was counted since the last time. An error is also what Close returns, unless the next writing works.
func (g *Gate) Flush() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	return g.write()
}

// Close closes all connections, writes what was counted, and refuses all that comes after. Its error says what the ledger
// lacks. A second call does nothing.
func (g *Gate) Close() error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil
	}
	g.closed = true
	open := slices.Collect(maps.Keys(g.conns))
	g.mu.Unlock()
	for _, c := range open {
		_ = c.Close() // its user gets an error
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.write()
}
