package policy

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"hob/internal/tools"
)

// address is a parsed web address, in the form that the dialer uses. The zero address means that
// parsing failed: it matches nothing, and no grant covers it.
type address struct {
	scheme string // http or https
	host   string // in the form of [NormalHost], without a port
	shown  string // host in its own script, if that differs
	port   string // the default of the scheme if the address has none
	rest   string // path and query as they will be requested, from / on; "" if only the host is known
	name   string // the host as grants name it
}

// addressOf returns the address to which a call is about to send; ok is false if it cannot be
// parsed, or if the tool names a host and the address of another.
func addressOf(r tools.Resource) (address, bool) {
	var a address
	if r.URL == "" {
		name, port, ok := splitHost(r.Host)
		if !ok {
			return address{}, false
		}
		a = address{scheme: "https", host: name, port: port}
	} else if a = parseAddress(r.URL); a.host == "" {
		return address{}, false
	}
	if a.port == usualPort(a.scheme) {
		a.port = ""
	}
	a.name = joinHost(a.host, a.port)
	if a.port == "" {
		a.port = usualPort(a.scheme)
	}
	if r.Host != "" {
		name, port, ok := splitHost(r.Host)
		if !ok || name != a.host || port != "" && port != a.port || port == "" && a.port != usualPort(a.scheme) {
			return address{}, false
		}
	}
	if strings.Contains(a.host, "xn--") {
		if told, err := idna.Lookup.ToUnicode(a.host); err == nil && told != a.host {
			a.shown = told
		}
	}
	return a, true
}

// parseAddress parses a URL. It returns the zero address for an unusual one, for example one with a
// user name.
func parseAddress(raw string) address {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" || !utf8.ValidString(raw) {
		return address{}
	}
	name, port, ok := splitHost(strings.TrimSuffix(u.Host, ":"))
	if !ok {
		return address{}
	}
	a := address{scheme: u.Scheme, host: name, port: port}
	_, rest, _ := strings.Cut(raw, "://")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		a.rest = rest[i:]
	} else {
		a.rest = "/"
	}
	if a.rest[0] == '?' {
		a.rest = "/" + a.rest
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }) {
		a.rest = "" // nobody has named an address in this form
	}
	return a
}

func usualPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

func joinHost(name, port string) string {
	if port == "" {
		return name
	}
	return name + ":" + port
}

// splitHost splits a host with an optional port into its normalized parts; ok is false if it is no
// host. It converts a name in another script to the form that is looked up, and refuses names that
// the dialer would have to guess.
func splitHost(s string) (name, port string, ok bool) {
	name = s
	if i := strings.LastIndexByte(s, ':'); i >= 0 && (strings.HasSuffix(s[:i], "]") || strings.Count(s, ":") == 1) {
		name, port = s[:i], s[i+1:]
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", "", false
		}
		port = strconv.FormatUint(n, 10)
	}
	if strings.Contains(name, ":") {
		ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
		if err != nil || ip.Zone() != "" {
			return "", "", false
		}
		return "[" + ip.String() + "]", port, true
	}
	if !isASCII(name) {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			return "", "", false
		}
		name = ascii
	}
	name = strings.ToLower(name)
	return name, port, isHostName(name)
}

// isHostName reports whether s, in lower case, is a name that a name server can be asked for.
func isHostName(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
