package egress

import (
	"net"
	"net/netip"
)

// Counted hands conn out as a dialer that reached host with it would.
func (g *Gate) Counted(reason, host string, conn net.Conn) net.Conn {
	t, err := parseTarget(host)
	if err != nil {
		panic(err)
	}
	counted, err := g.count(reason, t, conn)
	if err != nil {
		panic(err)
	}
	return counted
}

// Idle is how long the proxy waits for a byte.
const Idle = proxyIdle

// Patient makes two ends of a tunnel that wait for each other.
func Patient(a, b net.Conn) (net.Conn, net.Conn) {
	one := newIdle(a)
	return one, one.beside(b)
}

// Public returns nil if a is an address of the public internet, and a [*Refused] with its kind otherwise.
func Public(a netip.Addr) error {
	if k := kindOf(a); k != public {
		return &Refused{Host: a.String(), Addr: a, Kind: string(k)}
	}
	return nil
}
