package egress

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// own are the addresses at which hob serves its page and its API, in this process or another. No dialer reaches them, whatever is allowed: what a model, a command
// or an MCP server asks there would come from this machine, and for the owner.
type own struct {
	mu    sync.Mutex
	doors []*ownDoor
}

// ownDoor is a service of hob.
type ownDoor struct {
	listens []netip.AddrPort
	host    target // under which people find it; no host: by its addresses alone
}

// KeepFrom keeps every dialer of the gate from the addresses at which a service of this hob listens, and from host, a "host:port"
// under which people find it, until release is called. host may be "".
func (g *Gate) KeepFrom(listens []net.Addr, host string) (release func()) {
	d := &ownDoor{}
	for _, l := range listens {
		if at, err := netip.ParseAddrPort(l.String()); err == nil {
			d.listens = append(d.listens, netip.AddrPortFrom(at.Addr().Unmap(), at.Port()))
		}
	}
	if t, err := parseTarget(host); err == nil {
		d.host = t
	}
	g.own.mu.Lock()
	defer g.own.mu.Unlock()
	g.own.doors = append(g.own.doors, d)
	return func() {
		g.own.mu.Lock()
		defer g.own.mu.Unlock()
		g.own.doors = slices.DeleteFunc(g.own.doors, func(other *ownDoor) bool { return other == d })
	}
}

// isOwn reports whether t, at an address, is a service of this hob. An invalid address is not known yet.
func (g *Gate) isOwn(t target, a netip.Addr) bool {
	if g == nil {
		return false
	}
	g.own.mu.Lock()
	defer g.own.mu.Unlock()
	for _, d := range g.own.doors {
		if d.host == t && t.host != "" {
			return true
		}
		for _, l := range d.listens {
			if a.IsValid() && l.Port() == t.port && (l.Addr() == a.Unmap() || isThisMachine(a.Unmap())) {
				return true
			}
		}
	}
	return false
}

// isThisMachine reports whether an address is one of this machine. One that listens on another of them is taken for the service, too:
// a port has one owner here.
func isThisMachine(a netip.Addr) bool {
	if a.IsLoopback() || a.IsUnspecified() {
		return true
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return true // nobody knows
	}
	return slices.ContainsFunc(all, func(one net.Addr) bool {
		text, _, _ := strings.Cut(one.String(), "/")
		at, err := netip.ParseAddr(text)
		return err == nil && at.Unmap() == a
	})
}
