package http

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"hob/internal/commands"
	"hob/internal/surface/http/api"
)

// TCPConfig says where other programs may reach hob over TCP, and how.
type TCPConfig struct {
	Addr  string   // of this machine alone, such as 127.0.0.1:8080
	Token string   // that every request carries, as "Authorization: Bearer TOKEN"
	Hosts []string // further names under which it is asked for, such as hob.example:8080
}

// minToken is how long a token is at least: a random one of hexadecimal digits then has 64 bits.
const minToken = 16

// ListenTCP serves the public part of the API on a loopback address. Every request has to have the token; a Host that
// means this machine (else a page whose name is made to point here could ask); and no Origin, or one with such a host (else a
// page of somebody else could, with a token that was told to a browser).
func ListenTCP(tcp TCPConfig, cfg Config) (*Server, error) {
	addr, err := loopback(tcp.Addr)
	if err != nil {
		return nil, err
	}
	if len(tcp.Token) < minToken {
		return nil, fmt.Errorf("[api] token_file: the token has to have at least %d characters: make one with openssl rand -hex 32", minToken)
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(addr))
	if err != nil {
		return nil, fmt.Errorf("[api] listen: %w", err)
	}
	s := newServer(cfg)
	port := netip.MustParseAddrPort(l.Addr().String()).Port()
	g := guard{hosts: map[string]bool{}, token: sha256.Sum256([]byte(tcp.Token)), next: http.NewCrossOriginProtection().Handler(s.public(commands.API))}
	for _, name := range append([]string{"localhost", "127.0.0.1", "[::1]"}, tcp.Hosts...) {
		g.allow(strings.ToLower(name), port)
	}
	s.serve(l, g)
	return s, nil
}

// loopback reads an address and makes sure that only this machine reaches it.
func loopback(text string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("[api] listen = %q is no address: write one such as 127.0.0.1:8080", text)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	addr, err := netip.ParseAddrPort(net.JoinHostPort(host, port))
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("[api] listen = %q is no address: write one such as 127.0.0.1:8080", text)
	}
	if !addr.Addr().IsLoopback() {
		return netip.AddrPort{}, fmt.Errorf("[api] listen = %q can be reached from other machines: write 127.0.0.1:%s, and from elsewhere go through ssh -L",
			text, port)
	}
	return addr, nil
}

// guard lets only those requests through that may come.
type guard struct {
	hosts map[string]bool // in small letters, with the port where that has to stand there
	token [sha256.Size]byte
	next  http.Handler
}

// allow lets requests come that ask for that host, which has a port of its own or is asked for at port.
func (g guard) allow(name string, port uint16) {
	if _, _, err := net.SplitHostPort(name); err == nil {
		g.hosts[name] = true
		return
	}
	g.hosts[fmt.Sprintf("%s:%d", name, port)] = true
	if port == 80 { // which browsers leave out
		g.hosts[name] = true
	}
}

// ServeHTTP implements [http.Handler].
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.hosts[strings.ToLower(r.Host)] {
		answer(w, http.StatusMisdirectedRequest, api.Problem{Error: "hob does not answer to that host: ask for localhost, or add the host to [api] hosts"})
		return
	}
	if err := g.origin(r.Header); err != nil {
		answer(w, http.StatusForbidden, api.Problem{Error: err.Error()})
		return
	}
	if !g.knows(r.Header) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		answer(w, http.StatusUnauthorized, api.Problem{Error: "the token is missing or wrong: send Authorization: Bearer and what is in [api] token_file"})
		return
	}
	g.next.ServeHTTP(w, r)
}

// origin says what is wrong with the page that a request comes from; most come from none.
func (g guard) origin(h http.Header) error {
	for _, from := range h.Values("Origin") {
		_, host, _ := strings.Cut(strings.ToLower(from), "://")
		if !strings.HasPrefix(from, "http") || !g.hosts[host] {
			return errors.New("a page of another site may not talk to hob")
		}
	}
	switch site := h.Get("Sec-Fetch-Site"); site {
	case "", "none", "same-origin":
		return nil
	}
	return errors.New("a page of another site may not talk to hob")
}

// knows reports whether a request has the token.
func (g guard) knows(h http.Header) bool {
	all := h.Values("Authorization")
	if len(all) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(all[0], " ")
	sum := sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
