package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const (
	ollamaPort = "11434"
	thisOllama = "http://127.0.0.1:" + ollamaPort
)

// Hosts returns the base URLs of the Ollama servers, in the order in which they are tried; there is at least one. env
// is the value of OLLAMA_HOST, which counts when the file names no host.
func (o Ollama) Hosts(env string) ([]string, error) {
	if !o.NamesHost(env) {
		return []string{thisOllama}, nil
	}
	written, from := o.Host, "[ollama] host "
	if len(written) == 0 {
		written, from = []string{env}, "OLLAMA_HOST "
	}
	urls := make([]string, len(written))
	for i, s := range written {
		u, err := HostURL(s)
		if err != nil {
			return nil, fmt.Errorf("%s%w", from, err)
		}
		urls[i] = u
	}
	return urls, nil
}

// NamesHost reports whether the file or env, the value of OLLAMA_HOST, names a host. Where none does, it is Ollama's usual
// address on this machine.
func (o Ollama) NamesHost(env string) bool { return len(o.Host) > 0 || strings.TrimSpace(env) != "" }

// HostURL returns the base URL that an address in one of Ollama's own forms means: "host", "host:port", ":port" or a
// URL. As in Ollama, the port is 11434 unless a scheme is written, whose own port counts then. An address that a
// server listens on ("0.0.0.0", "[::]") means this machine. The URL has no slash at its end.
func HostURL(s string) (string, error) {
	bad := func(why string) (string, error) {
		return "", fmt.Errorf(`must be an address such as "127.0.0.1:11434" or "http://192.168.1.10:11434": %s`, why)
	}
	raw, scheme, defaultPort := strings.Trim(strings.TrimSpace(s), `"'`), "http", ollamaPort
	rest, hasScheme := raw, false
	if before, after, found := strings.Cut(raw, "://"); found {
		scheme, rest, hasScheme = strings.ToLower(before), after, true
	}
	switch {
	case scheme != "http" && scheme != "https":
		return bad(fmt.Sprintf("%q is neither http nor https", scheme))
	case hasScheme && scheme == "http":
		defaultPort = "80"
	case hasScheme:
		defaultPort = "443"
	}
	u, err := url.Parse(scheme + "://" + bracketed(rest))
	switch {
	case err != nil:
		return bad(fmt.Sprintf("%q is no address", redact(s)))
	case u.User != nil:
		return bad("a name or password in it would be a secret in the open; use a server that needs none")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return bad(fmt.Sprintf("%q goes on after the path", s))
	}
	host, err := dialable(u.Hostname())
	if err != nil {
		return bad(fmt.Sprintf("%q %v", s, err))
	}
	port := cmp.Or(u.Port(), defaultPort)
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return bad(fmt.Sprintf("%s is no port", port))
	}
	return scheme + "://" + net.JoinHostPort(host, port) + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// bracketed puts a bare IPv6 address into the brackets that a URL needs.
func bracketed(s string) string {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Is6() {
		return "[" + s + "]"
	}
	return s
}

// dialable turns the name of a place to listen into the name of a place to dial.
func dialable(host string) (string, error) {
	if host == "" {
		return "127.0.0.1", nil
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		switch {
		case !addr.IsUnspecified():
			return host, nil
		case addr.Is4():
			return "127.0.0.1", nil
		}
		return "::1", nil
	}
	if !isHostName(host) {
		return "", errors.New("names no host")
	}
	return host, nil
}

// redact hides what stands before an @: it may be a password.
func redact(s string) string {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		return "..." + s[i:]
	}
	return s
}
