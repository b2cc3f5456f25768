package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// TLSOwn is the value of [page] tls for certificates of hob's own.
const TLSOwn = "own"

// UsualPage is where hob page opens the page if the configuration does not say.
const UsualPage = "localhost:8780"

// Listens returns the addresses at which hob serves itself, whether it runs or not: the page's, and that of the API.
func (c Config) Listens() (all []netip.AddrPort) {
	for _, listen := range []string{c.Page.Listen, UsualPage, c.API.Listen} {
		host, port, err := net.SplitHostPort(listen)
		if host == "localhost" {
			host = "127.0.0.1"
		}
		ip, none := netip.ParseAddr(host)
		if n, bad := strconv.ParseUint(port, 10, 16); err == nil && none == nil && bad == nil {
			all = append(all, netip.AddrPortFrom(ip, uint16(n)))
		}
	}
	return all
}

// Target is the "host:port" under which people find the page; "" where it is off.
func (p Page) Target() string {
	host, port, err := net.SplitHostPort(p.Listen)
	u, bad := url.Parse(p.URL)
	switch {
	case err != nil || bad != nil:
		return ""
	case p.TLS == TLSOwn:
		host = p.Host
	case p.URL != "":
		host, port = u.Hostname(), u.Port()
		if port == "" {
			port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
		}
	}
	return net.JoinHostPort(host, port)
}

// checkPageListen takes an address to listen at, of any interface: [Page.Check] says which need TLS.
func checkPageListen(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	host, port, err := net.SplitHostPort(s)
	n, bad := strconv.ParseUint(port, 10, 16)
	ip, none := netip.ParseAddr(host)
	if err != nil || bad != nil || n == 0 || host != "localhost" && (none != nil || ip.Zone() != "") {
		return "", fmt.Errorf(`must be an address to listen at, such as "localhost:8780" or "0.0.0.0:8780", not %q`, s)
	}
	return s, nil
}

// checkPageURL takes the origin under which people open the page. A browser keeps secrets over HTTPS and on localhost alone.
func checkPageURL(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
		return "", fmt.Errorf(`must be an address without a path, such as "https://hob.example.org", not %q`, s)
	}
	host := strings.ToLower(u.Host)
	switch {
	case !isHostName(strings.ToLower(u.Hostname())):
		return "", fmt.Errorf("must have a name and not an address of numbers, not %q", s)
	case u.Scheme == "https":
		return "https://" + strings.TrimSuffix(host, ":443"), nil
	case u.Scheme == "http" && strings.ToLower(u.Hostname()) == "localhost":
		return "http://" + strings.TrimSuffix(host, ":80"), nil
	}
	return "", fmt.Errorf("must begin with https://, not %q: browsers keep no secret over plain HTTP, but on localhost", s)
}

func checkPageProxy(s string) (string, error) {
	if ip, err := netip.ParseAddr(s); err == nil && ip.Zone() == "" {
		return ip.Unmap().String(), nil
	}
	if p, err := netip.ParsePrefix(s); err == nil {
		return p.Masked().String(), nil
	}
	return "", fmt.Errorf(`must hold addresses or networks, such as "127.0.0.1" or "10.0.0.0/24", not %q`, s)
}

// check returns the key that does not go with the others, and what is wrong with it; "" where all do.
func (p Page) check() (key, predicate string) {
	if p.Listen == "" {
		return "", ""
	}
	host, _, _ := net.SplitHostPort(p.Listen)
	ip, err := netip.ParseAddr(host)
	local := err != nil || ip.IsLoopback()
	switch {
	case p.TLS == "" && !local:
		return "listen", fmt.Sprintf("= %q can be reached from other machines, and plain HTTP would show them what you read: "+
			`set tls = "own" and host, or listen on localhost and put a proxy in front`, p.Listen)
	case p.TLS == TLSOwn && p.Host == "":
		return "tls", `= "own" needs the name that people open: set host, such as "hob.lan"`
	case p.TLS == "" && p.Host != "":
		return "host", `is the name in a certificate: set tls = "own", or give the address of a proxy in url`
	case p.TLS == TLSOwn && p.URL != "":
		return "url", "is for a proxy in front, which has certificates: leave out either url or tls"
	case len(p.Proxies) > 0 && p.URL == "":
		return "proxies", "needs url, the address under which people open the proxy"
	}
	return "", ""
}
