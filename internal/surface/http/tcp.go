package http

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"

	"hob/internal/commands"
)

// TCPConfig says where other programs may reach hob over TCP, and how.
type TCPConfig struct {
	Addr  string       // of this machine alone, such as 127.0.0.1:8080
	Token string       // that every request carries, as "Authorization: Bearer TOKEN"
	Hosts []string     // further names under which it is asked for, such as hob.example:8080
	Log   *slog.Logger // of refused tokens; nil: nobody reads it
}

// minToken is how long a token is at least: a random one of hexadecimal digits then has 64 bits.
const minToken = 16

// ListenTCP serves the public part of the API on a loopback address. Every request needs the token.
// It needs a Host that means this machine: else a page whose name points here could ask. It has no
// Origin, or one with such a host: else a page of another site could ask, with a token that a
// browser has.
func ListenTCP(tcp TCPConfig, cfg Config) (*Server, error) {
	addr, err := parseLoopback(tcp.Addr)
	if err != nil {
		return nil, err
	}
	if len(tcp.Token) < minToken {
		return nil, fmt.Errorf("[api] token_file: the token has to have at least %d characters: make one with openssl rand -hex 32", minToken)
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(addr))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("[api] listen: another program has %s: end that, or choose another port", addr)
	} else if err != nil {
		return nil, fmt.Errorf("[api] listen: %w", err)
	}
	s := newServer(cfg)
	port := netip.MustParseAddrPort(l.Addr().String()).Port()
	routes := s.public(commands.API)
	known := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serveKnown(routes, w, r) })
	g := guard{hosts: map[string]bool{}, token: sha256.Sum256([]byte(tcp.Token)), next: http.NewCrossOriginProtection().Handler(known), log: tcp.Log}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	for _, name := range append([]string{"localhost", "127.0.0.1", "[::1]"}, tcp.Hosts...) {
		g.allowHost(strings.ToLower(name), port)
	}
	s.serve(l, g)
	return s, nil
}

// parseLoopback reads an address, and checks that only this machine reaches it.
func parseLoopback(text string) (netip.AddrPort, error) {
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

// The refusals of a [guard].
var (
	errHost   = errors.New("hob does not answer to that host: ask for localhost, or add the host to [api] hosts")
	errOrigin = errors.New("a page of another site may not talk to hob")
	errToken  = errors.New("the token is missing or wrong: send Authorization: Bearer and what is in [api] token_file")
)

// guard is the middleware that checks the host, the origin and the token of each request.
type guard struct {
	hosts map[string]bool // in small letters, with the port where a request has to name it
	token [sha256.Size]byte
	next  http.Handler
	log   *slog.Logger
}

// allowHost allows requests for a host, at the port that it names, else at port.
func (g guard) allowHost(name string, port uint16) {
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
		answerProblem(w, http.StatusMisdirectedRequest, errHost)
		return
	}
	if err := g.checkOrigin(r.Header); err != nil {
		answerProblem(w, http.StatusForbidden, err)
		return
	}
	if !g.hasToken(r.Header) {
		g.log.Warn("a request to the API without its token was refused", "from", r.RemoteAddr, "path", r.URL.Path)
		w.Header().Set("WWW-Authenticate", "Bearer")
		answerProblem(w, http.StatusUnauthorized, errToken)
		return
	}
	g.next.ServeHTTP(w, r)
}

// checkOrigin checks the page that a request comes from; most come from none.
func (g guard) checkOrigin(h http.Header) error {
	for _, from := range h.Values("Origin") {
		_, host, _ := strings.Cut(strings.ToLower(from), "://")
		if !strings.HasPrefix(from, "http") || !g.hosts[host] {
			return errOrigin
		}
	}
	switch site := h.Get("Sec-Fetch-Site"); site {
	case "", "none", "same-origin":
		return nil
	}
	return errOrigin
}

// hasToken reports whether a request has the token.
func (g guard) hasToken(h http.Header) bool {
	all := h.Values("Authorization")
	if len(all) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(all[0], " ")
	sum := sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
