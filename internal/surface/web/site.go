package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Site is where people find the page. The zero Site is nowhere.
type Site struct {
	Origin  string // "http://localhost:8780" or "https://hob.lan:8780"
	proxies []netip.Prefix
	local   bool // it is http://localhost
}

// SiteConfig is [page] of the configuration.
type SiteConfig struct {
	Listen  string // "localhost:8780"
	TLS     bool   // with certificates of hob's own
	Host    string // the name in them
	URL     string // of the proxy in front
	Proxies []string
}

// NewSite returns the site of a configuration that was checked.
func NewSite(c SiteConfig) (Site, error) {
	_, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return Site{}, fmt.Errorf("[page] listen: %w", err)
	}
	s := Site{Origin: "http://localhost:" + port, local: true}
	switch {
	case c.TLS:
		s = Site{Origin: strings.TrimSuffix("https://"+c.Host+":"+port, ":443")}
	case c.URL != "":
		u, err := url.Parse(c.URL)
		if err != nil {
			return Site{}, fmt.Errorf("[page] url: %w", err)
		}
		s = Site{Origin: c.URL, local: u.Scheme == "http"}
	case port == "80":
		s.Origin = "http://localhost"
	}
	for _, text := range c.Proxies {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			ip, none := netip.ParseAddr(text)
			if none != nil {
				return Site{}, fmt.Errorf("[page] proxies: %w", err)
			}
			p = netip.PrefixFrom(ip, ip.BitLen())
		}
		s.proxies = append(s.proxies, p)
	}
	return s, nil
}

// Host is the host of the origin, with its port where it has one.
func (s Site) Host() string {
	_, host, _ := strings.Cut(s.Origin, "://")
	return host
}

// IsSecure reports whether the page is served over HTTPS.
func (s Site) IsSecure() bool { return strings.HasPrefix(s.Origin, "https://") }

// cookieName is the name of the cookie with the token of a session. A browser takes a __Host- cookie over HTTPS alone,
// and for this host alone.
func (s Site) cookieName() string {
	if s.IsSecure() {
		return "__Host-hob"
	}
	return "hob"
}

// isProxy reports whether the other end of a connection is a proxy whose headers count.
func (s Site) isProxy(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(at.Addr().Unmap()) })
}

// hostOf returns the host that a browser asked for.
func (s Site) hostOf(r *http.Request) string {
	if forwarded := r.Header.Get("X-Forwarded-Host"); forwarded != "" && s.isProxy(r) {
		return strings.ToLower(forwarded)
	}
	return strings.ToLower(r.Host)
}

// clientOf returns the address of the browser: the one that a proxy in front has seen, where the request comes by that.
func (s Site) clientOf(r *http.Request) string {
	all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if at, err := netip.ParseAddr(strings.TrimSpace(all[len(all)-1])); err == nil && s.isProxy(r) {
		return at.Unmap().String()
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return at.Addr().Unmap().String()
}

// isHost reports whether a host that a browser asked for is that of the page.
func (s Site) isHost(host string) bool {
	if s.IsSecure() {
		host = strings.TrimSuffix(host, ":443")
	}
	return host == s.Host()
}

// isPlain reports whether a proxy says that the browser spoke plain HTTP to it.
func (s Site) isPlain(r *http.Request) bool {
	proto := r.Header.Get("X-Forwarded-Proto")
	return s.IsSecure() && s.isProxy(r) && proto != "" && !strings.EqualFold(proto, "https")
}

// isLoopbackName reports whether a host is an address of this machine in numbers, at the page's port.
func (s Site) isLoopbackName(host string) bool {
	at, err := netip.ParseAddrPort(host)
	_, port, _ := net.SplitHostPort(s.Host())
	return s.local && err == nil && at.Addr().IsLoopback() && strconv.Itoa(int(at.Port())) == port
}

// Listen listens at an address of the configuration. Localhost is both of its addresses: a browser tries the one of IPv6 first, where
// another program of this machine could wait otherwise.
func Listen(listen string) ([]net.Listener, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, fmt.Errorf("[page] listen: %w", err)
	}
	hosts := []string{host}
	if host == "localhost" {
		hosts = []string{"127.0.0.1", "::1"}
	}
	var all []net.Listener
	for _, h := range hosts {
		addr, err := netip.ParseAddr(h)
		n, bad := strconv.ParseUint(port, 10, 16)
		if err != nil || bad != nil {
			return nil, fmt.Errorf("[page] listen: %q is no address", listen)
		}
		l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(addr, uint16(n))))
		if err != nil && h == "::1" && (errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)) {
			break // a machine without IPv6
		}
		if err != nil {
			for _, l := range all {
				_ = l.Close()
			}
			if errors.Is(err, syscall.EADDRINUSE) {
				return nil, fmt.Errorf("[page] listen: another program has %s: end that, or choose another port", listen)
			}
			return nil, fmt.Errorf("[page] listen: %w", err)
		}
		all = append(all, l)
	}
	return all, nil
}
