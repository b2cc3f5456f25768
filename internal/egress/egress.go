// Package egress is the only place of hob that dials. A process has one [Gate], which hands out dialers, each for one
// reason and with one rule; whatever no dialer was handed out for cannot be reached. What goes through them stands in a
// [Ledger].
//
// # Who may be reached
//
//   - [Gate.Fetch]: public addresses, and the hosts and ports that the owner named.
//   - [Gate.Commands]: the hosts and ports that the owner named, and nothing else. [Proxy] serves it to commands.
//   - [Gate.Only]: the hosts and ports of the configuration (Ollama's, Telegram's), and nothing else.
//   - The zero [Dialer]: nobody.
//
// What all of them hold to:
//
//   - What counts is the address a connection really goes to, never how it was spelled. A name is looked up once, all
//     its answers are judged, exactly those are dialed, and the address is judged again in the moment of connecting.
//     A name that answers differently the next time (DNS rebinding) has nothing to gain.
//   - One answer that is out of reach refuses the whole name.
//   - IPv6 is refused unless it is known to be public, whatever IPv4 address it holds.
//   - An exception is for what was asked. "192.168.1.10:8123" lets that address be dialed by that spelling; it does not
//     let a stranger's name point there. An exception for a name covers public addresses, private networks and
//     loopback, because that is where a household's names point; the link-local addresses of cloud metadata services,
//     and all else that is special, need an exception for the address itself. The hosts of [Gate.Only] are the owner's
//     own servers: their names also cover the carrier's shared range, in which private overlay networks live.
//   - Nobody reaches what hob serves itself, in this process or another: see [Gate.KeepFrom].
//   - Nothing is taken from the environment: no proxy, no unix socket, no UDP except for looking names up, which the
//     machine's own resolver does.
//
// # The ledger
//
// A line of the ledger is what happened in one day (UTC) with one host and port, as they were asked for, for one reason.
// A line is on the disk before the host's name is looked up or a connection made: a kill -9 loses no host. How often and
// how much is counted in memory and written when a connection moves bytes, begins or ends and the last writing was five
// seconds ago, by [Gate.Flush], and by [Gate.Close]; a kill loses what was counted since. Attempts that were refused
// without asking anybody anything are counts, too. Bytes are those of the connection, TLS and HTTP headers included.
//
// Where a line cannot be written nothing is dialed, except for Ollama on this machine's loopback: nobody else sees that,
// and a full disk should not take the model away. It is then counted in memory, and [Gate.Close] says what is missing.
//
// A refusal is a [*Refused]. It has two sentences: Message is for a model and names neither the address behind a name
// nor how to lift the refusal; Hint is for the owner and names both.
package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/idna"
)

const (
	connectTimeout = 10 * time.Second       // for one address
	headStart      = 300 * time.Millisecond // what an address gets before the next is tried beside it; RFC 8305, section 5, says 250 ms
	maxTried       = 6                      // addresses of one name that are dialed; all are judged
)

// Resolver looks names up. [*net.Resolver] is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Config is what a [Dialer] is made of. The zero Config reaches the public internet and nothing else.
type Config struct {
	Allow    []string // the owner's exceptions, each "host:port"; the host is a name or an address
	Setting  string   // what the owner calls that list, such as "[fetch] allow"; for hints only
	Resolver Resolver // nil means the machine's own
}

// Dialer connects to the hosts that its rule allows; the zero Dialer to nobody. It is immutable and safe for concurrent use; its
// DialContext fits http.Transport.
type Dialer struct {
	allow    map[target]bool
	setting  string
	resolver Resolver
	public   bool   // public addresses need no exception
	own      bool   // allow are the owner's servers, not exceptions for what a model asks
	reason   string // for the ledger
	gate     *Gate  // nil where nothing is kept
}

// target is a host as [canonical] spells it, and a port.
type target struct {
	host string
	port uint16
}

func (t target) String() string { return net.JoinHostPort(t.host, strconv.Itoa(int(t.port))) }

// New returns a dialer that keeps no ledger, or an error that quotes the exception which is not a "host:port". Tests use
// it; hob's dialers come from a [Gate].
func New(c Config) (*Dialer, error) {
	d := &Dialer{allow: make(map[target]bool, len(c.Allow)), setting: c.Setting, resolver: c.Resolver, public: true}
	for _, entry := range c.Allow {
		t, err := parseTarget(entry)
		if err != nil {
			return nil, fmt.Errorf("read exception %q: %w; write it as host:port, such as nas.lan:8080 or [fd00::7]:80", entry, err)
		}
		d.allow[t] = true
	}
	return d, nil
}

// Allowed reports whether the owner made an exception for exactly this host and port.
func (d *Dialer) Allowed(host string, port uint16) bool {
	host, err := canonical(host)
	return err == nil && d.allow[target{host, port}]
}

// Exception says to the owner how to make an exception for host and port, or is "" where there is nothing to set.
func (d *Dialer) Exception(host string, port uint16) string {
	host, err := canonical(host)
	if d.setting == "" || err != nil || port == 0 {
		return ""
	}
	return fmt.Sprintf("add %q to %s", target{host, port}, d.setting)
}

// Declined counts in the ledger an attempt that ended before it could be dialed, because the one who was asked to make it
// has rules of its own. why is such a rule in words.
func (d *Dialer) Declined(host string, port uint16, why string) {
	if host, err := canonical(host); err == nil {
		t := target{host, port}
		d.gate.refuse(d.reason, t, &Refused{Host: t.host, Port: t.port, Kind: why, dialer: d})
	}
}

// Check returns a [*Refused] for a host and port that are out of reach whatever the name leads to, and counts it in the ledger.
// Nil means that only dialing can show that. It asks nobody.
func (d *Dialer) Check(host string, port uint16) error {
	host, err := canonical(host)
	if err != nil {
		return nil //nolint:nilerr // dialing says what is wrong with it
	}
	t := target{host, port}
	if err := d.permit(t); err != nil {
		d.gate.refuse(d.reason, t, err)
		return err
	}
	return nil
}

// For returns a dialer with the same rule whose contacts stand in the ledger under another reason.
func (d *Dialer) For(reason string) *Dialer {
	twin := *d
	twin.reason = reason
	return &twin
}

// DialContext connects to address, a "host:port", over TCP. network is "tcp", "tcp4" or "tcp6". The error is a
// [*Refused] where the rule does not reach the address, an [*Unrecorded] where the ledger cannot be written, a
// *net.DNSError where the name has no address.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	var family string
	switch network {
	case "tcp":
		family = "ip"
	case "tcp4", "tcp6":
		family = "ip" + network[3:]
	default:
		return nil, fmt.Errorf("dial %s: only tcp is dialed, not %q", address, network)
	}
	t, err := parseTarget(address)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	if err := d.permit(t); err != nil { // before anybody is asked where the name leads
		d.gate.refuse(d.reason, t, err)
		return nil, err
	}
	if err := d.gate.begin(d, t); err != nil {
		return nil, err
	}
	addrs, err := d.resolve(ctx, family, t)
	if err != nil {
		d.gate.refuse(d.reason, t, err)
		return nil, err
	}
	conn, err := race(ctx, min(len(addrs), maxTried), func(ctx context.Context, i int) (net.Conn, error) {
		return d.connect(ctx, network, t, addrs[i])
	})
	if err != nil {
		d.gate.miss(d.reason, t)
		return nil, fmt.Errorf("dial %s: %w", t, err)
	}
	return d.gate.count(d.reason, t, conn)
}

// permit returns a *Refused if t is out of reach whatever its name leads to.
func (d *Dialer) permit(t target) error {
	if d.gate.isOwn(t, netip.Addr{}) {
		return &Refused{Host: t.host, Port: t.port, Kind: string(ownService), dialer: d}
	}
	if !d.public && !d.allow[t] {
		return &Refused{Host: t.host, Port: t.port, Kind: string(unlisted), dialer: d}
	}
	a, err := netip.ParseAddr(t.host)
	switch {
	case err == nil:
		return d.judge(t, a)
	case t.host == "localhost" || strings.HasSuffix(t.host, ".localhost"): // of every machine: RFC 6761
		return d.judge(t, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	}
	return nil
}

// resolve returns where t leads, or an error if one of its addresses may not be dialed.
func (d *Dialer) resolve(ctx context.Context, family string, t target) ([]netip.AddrPort, error) {
	answers, err := d.lookup(ctx, family, t.host)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", t, err)
	}
	addrs := make([]netip.AddrPort, 0, len(answers))
	for _, a := range answers {
		if err := d.judge(t, a); err != nil {
			return nil, err
		}
		addrs = append(addrs, netip.AddrPortFrom(a.Unmap(), t.port))
	}
	return addrs, nil
}

// lookup returns at least one address of host, or an error.
func (d *Dialer) lookup(ctx context.Context, family, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	resolver := d.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	answers, err := resolver.LookupNetIP(ctx, family, host)
	if err == nil && len(answers) == 0 {
		err = &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return answers, err
}

// judge returns nil if a may be dialed for t, and a *Refused otherwise.
func (d *Dialer) judge(t target, a netip.Addr) error {
	if d.gate.isOwn(t, a) {
		return &Refused{Host: t.host, Port: t.port, Addr: a, Kind: string(ownService), dialer: d}
	}
	kind := kindOf(a)
	if kind == public && (d.public || d.allow[t]) {
		return nil
	}
	if d.allow[t] {
		named, err := netip.ParseAddr(t.host)
		if err == nil && named == a.Unmap() {
			return nil
		}
		if err != nil && (kind == private || kind == loopback || d.own && kind == shared) {
			return nil
		}
	}
	return &Refused{Host: t.host, Port: t.port, Addr: a, Kind: string(kind), dialer: d}
}

// race calls connect for 0 to n-1, one more each time headStart has passed or a call has failed, and returns the first
// connection. When it returns, no call is running.
func race(ctx context.Context, n int, connect func(ctx context.Context, i int) (net.Conn, error)) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	type outcome struct {
		conn net.Conn
		err  error
	}
	outcomes := make(chan outcome)
	next, running := 0, 0
	start := func() {
		i := next
		next++
		running++
		go func() {
			conn, err := connect(ctx, i)
			outcomes <- outcome{conn, err}
		}()
	}
	defer func() {
		cancel()
		for ; running > 0; running-- {
			if late := <-outcomes; late.conn != nil {
				late.conn.Close()
			}
		}
	}()
	var errs []error
	for start(); running > 0; {
		var wait <-chan time.Time
		if next < n {
			wait = time.After(headStart)
		}
		select {
		case o := <-outcomes:
			running--
			if o.err == nil {
				return o.conn, nil
			}
			errs = append(errs, o.err)
			if next < n && ctx.Err() == nil {
				start()
			}
		case <-wait:
			start()
		}
	}
	return nil, errors.Join(errs...)
}

// connect dials one address and judges, in the moment of connecting, the address the kernel is handed.
func (d *Dialer) connect(ctx context.Context, network string, t target, addr netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{
		Timeout: connectTimeout,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("read the address %q: %w", address, err)
			}
			return d.judge(t, at.Addr())
		},
	}
	dialer.SetMultipathTCP(false) // the sandbox's and the firewall's rules are about TCP
	return dialer.DialContext(ctx, network, addr.String())
}

// parseTarget reads "host:port".
func parseTarget(s string) (target, error) {
	host, portText, err := net.SplitHostPort(s)
	if err != nil {
		return target{}, errors.New("it has no port")
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil || port == 0 {
		return target{}, fmt.Errorf("%q is not a port number", portText)
	}
	if host, err = canonical(host); err != nil {
		return target{}, err
	}
	return target{host, uint16(port)}, nil
}

// canonical gives the one spelling of a host that exceptions are compared by: an address as netip writes it, a name in
// lower-case ASCII without the root's dot.
func canonical(host string) (string, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().String(), nil
	}
	name, err := idna.Lookup.ToASCII(host)
	if err != nil {
		// Names that people use and IDNA does not know, such as my_nas.lan.
		name = strings.ToLower(host)
	}
	name = strings.TrimSuffix(name, ".")
	if a, err := netip.ParseAddr(name); err == nil { // full-width digits, or "127.0.0.1."
		return a.Unmap().String(), nil
	}
	if name == "" || len(name) > 253 || strings.ContainsFunc(name, func(r rune) bool { return !nameRune(r) }) {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return name, nil
}

// nameRune reports whether r may stand in a canonical name. What is left out could be read in two ways by two parsers.
func nameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '.' || r == '_'
}
