package egress

import (
	"fmt"
	"net/netip"
)

// kind says what an address is for.
type kind string

// The kinds. All but public are refused.
const (
	public        kind = "public"
	unspecified   kind = "this host"
	loopback      kind = "loopback"
	private       kind = "private network"
	shared        kind = "carrier's shared network"
	linkLocal     kind = "link-local, where cloud metadata services are"
	metadata      kind = "cloud platform service"
	multicast     kind = "multicast"
	documentation kind = "documentation and tests"
	translation   kind = "translation to or tunnel of IPv4"
	special       kind = "special purpose"
	reserved      kind = "reserved"
	zoned         kind = "bound to one network interface"
	invalid       kind = "not an address"
	unlisted      kind = "on no list" // of a host and port, whatever the address
	ownService    kind = "hob's own"  // its page or its API
)

// span is a range of addresses that is not public, and what it is for.
type span struct {
	prefix netip.Prefix
	kind   kind
}

// specials4 returns what of IPv4 is not public: the IANA IPv4 Special-Purpose Address Registry, multicast, the reserved
// class E with broadcast, and 168.63.129.16, at which Azure serves its virtual machines and which no registry lists.
// Registry entries that are globally reachable (192.0.0.9, AS112, AMT) are infrastructure, not places to fetch from.
func specials4() [19]span {
	p := netip.MustParsePrefix
	return [...]span{
		{p("0.0.0.0/8"), unspecified},
		{p("10.0.0.0/8"), private},
		{p("100.64.0.0/10"), shared},
		{p("127.0.0.0/8"), loopback},
		{p("168.63.129.16/32"), metadata},
		{p("169.254.0.0/16"), linkLocal},
		{p("172.16.0.0/12"), private},
		{p("192.0.0.0/24"), special},
		{p("192.0.2.0/24"), documentation},
		{p("192.31.196.0/24"), special},
		{p("192.52.193.0/24"), special},
		{p("192.88.99.0/24"), translation},
		{p("192.168.0.0/16"), private},
		{p("192.175.48.0/24"), special},
		{p("198.18.0.0/15"), documentation},
		{p("198.51.100.0/24"), documentation},
		{p("203.0.113.0/24"), documentation},
		{p("224.0.0.0/4"), multicast},
		{p("240.0.0.0/4"), reserved},
	}
}

// specials6 returns what of 2000::/3 is not public, after the IANA IPv6 Special-Purpose Address Registry. All that is
// outside 2000::/3 is not public either: nothing there has been given out as global unicast.
func specials6() [5]span {
	p := netip.MustParsePrefix
	return [...]span{
		{p("2001::/23"), special}, // Teredo, benchmarking, ORCHID and the rest of the IETF's block
		{p("2001:db8::/32"), documentation},
		{p("2002::/16"), translation}, // 6to4: holds an IPv4 address
		{p("2620:4f:8000::/48"), special},
		{p("3fff::/20"), documentation},
	}
}

// kindOf returns what an address is for.
//
// An IPv4 address inside an IPv6 one (::ffff:10.0.0.1) is judged as IPv4. Other ways to put IPv4 into IPv6 (NAT64, 6to4,
// Teredo, the old compatible form) are refused whatever they hold; so on a network that reaches IPv4 through NAT64
// alone, sites without IPv6 stay out of reach. An address with a zone is refused.
func kindOf(a netip.Addr) kind {
	if !a.IsValid() {
		return invalid
	}
	if a.Zone() != "" {
		return zoned
	}
	if a = a.Unmap(); a.Is4() {
		for _, s := range specials4() {
			if s.prefix.Contains(a) {
				return s.kind
			}
		}
		return public
	}
	return kindOf6(a)
}

func kindOf6(a netip.Addr) kind {
	p := netip.MustParsePrefix
	switch {
	case a.IsLoopback():
		return loopback
	case a.IsUnspecified():
		return unspecified
	case a.IsMulticast():
		return multicast
	case a.IsLinkLocalUnicast():
		return linkLocal
	case p("fd00:ec2::/32").Contains(a): // Amazon's metadata service lies in the private range
		return metadata
	case a.IsPrivate():
		return private
	case p("::/96").Contains(a), p("::ffff:0:0:0/96").Contains(a), p("64:ff9b::/32").Contains(a):
		return translation // IPv4-compatible, IPv4-translated (SIIT) and NAT64
	case !p("2000::/3").Contains(a):
		return reserved
	}
	for _, s := range specials6() {
		if s.prefix.Contains(a) {
			return s.kind
		}
	}
	return public
}

// Refused says that somebody was not dialed because the rule does not reach there.
type Refused struct {
	Host string     // what was asked for: a name or an address
	Port uint16     // 0 where no port was asked for
	Addr netip.Addr // the address behind it that is not public; invalid where none was looked at
	Kind string     // what that address is, such as "loopback", or "on no list"

	dialer *Dialer
}

// Error is for logs.
func (e *Refused) Error() string {
	if e.Kind == string(unlisted) {
		return fmt.Sprintf("refuse to dial %s: it is on no list of hosts that may be reached", target{e.Host, e.Port})
	}
	if e.Kind == string(ownService) {
		return fmt.Sprintf("refuse to dial %s: hob itself listens there", target{e.Host, e.Port})
	}
	if e.Host == e.Addr.String() {
		return fmt.Sprintf("refuse to dial %s: it is not public (%s)", e.Host, e.Kind)
	}
	return fmt.Sprintf("refuse to dial %s: its address %s is not public (%s)", e.Host, e.Addr, e.Kind)
}

// Message is for a model.
func (e *Refused) Message() string {
	if e.Kind == string(unlisted) {
		return "that host and port is not on the list of what may be reached"
	}
	if e.Kind == string(ownService) {
		return "hob itself listens there: that is for people alone"
	}
	return "that address is not public, so it is out of reach"
}

// Hint says to the owner what to set, or is "" where there is nothing to set.
func (e *Refused) Hint() string {
	if e.dialer == nil || e.Kind == string(ownService) { // no exception lets anybody there
		return ""
	}
	host := e.Host
	if e.Kind == string(unlisted) {
		if exception := e.dialer.Exception(host, e.Port); exception != "" {
			return fmt.Sprintf("if %s may be reached, %s", target{host, e.Port}, exception)
		}
		return ""
	}
	if _, err := netip.ParseAddr(host); err != nil && e.Kind != string(private) && e.Kind != string(loopback) {
		host = e.Addr.String() // no exception for a name covers this kind
	}
	exception := e.dialer.Exception(host, e.Port)
	if exception == "" || e.Addr.Zone() != "" {
		return ""
	}
	if e.Host == e.Addr.String() {
		return fmt.Sprintf("%s is no public address (%s); if it may be reached, %s", e.Host, e.Kind, exception)
	}
	return fmt.Sprintf("%s is at %s (%s); if it may be reached, %s", e.Host, e.Addr, e.Kind, exception)
}
