package fetch

import (
	"encoding/json"
	"net"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"hob/internal/event"
	"hob/internal/tools"
)

// resourcesOfURL says what a call with the argument url will ask for. It reads the address with the parser of the call itself,
// so that what is decided about is what is asked for. An address that is none has no resource, and the call will fail.
func resourcesOfURL(args json.RawMessage) []tools.Resource {
	var in struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(args, &in) != nil {
		return nil
	}
	u, err := readURL(in.URL)
	if err != nil {
		return nil
	}
	return []tools.Resource{resourceOf(u)}
}

func resourceOf(u *url.URL) tools.Resource { return tools.Resource{Host: hostOf(u), URL: u.String()} }

// ResourceOf returns what a call that asks for a web address aims at, and whether fetch could be called with it.
func ResourceOf(address string) (tools.Resource, bool) {
	u, err := readURL(address)
	if err != nil {
		return tools.Resource{}, false
	}
	return resourceOf(u), true
}

// hostOf returns the host of u as it is looked up, with the port where that is not the scheme's own.
func hostOf(u *url.URL) string {
	host, port := hostName(u), ownPort(u)
	switch {
	case port != "":
		return net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		return "[" + host + "]"
	}
	return host
}

// hostName returns the name or the number of u's host as it is looked up.
func hostName(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		// In the letters of the name one host can look like another.
		if name, err := idna.Lookup.ToASCII(u.Hostname()); err == nil {
			host = strings.TrimSuffix(name, ".")
		}
	}
	return host
}

// readURL reads an address that a model wrote, and refuses what could never be fetched. It asks nobody.
func readURL(raw string) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return nil, tools.Invalid(event.CodeInvalidValue, "url is empty").Suggest("give an address that starts with https://")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, tools.Invalid(event.CodeInvalidValue, "%q is not a URL", raw[:boundary(raw, 200)]).Suggest("give an address such as https://example.org/page")
	}
	if err := checkURL(u); err != nil {
		return nil, err
	}
	return u, nil
}

// checkURL judges a URL by all that it says but its port.
func checkURL(u *url.URL) error {
	switch {
	case len(u.String()) > fetchURLBytes: // first: the others repeat what is in it
		return tools.Invalid(event.CodeInvalidValue, "an address of more than %s bytes is not fetched", thousands(fetchURLBytes))
	case u.Scheme == "":
		return tools.Invalid(event.CodeInvalidValue, "%q does not start with http:// or https://", u.Redacted()).Suggest("start it with https://")
	case u.Scheme != "http" && u.Scheme != "https":
		return tools.Invalid(event.CodeInvalidValue, "only http:// and https:// addresses can be fetched, not %s:", u.Scheme)
	case u.Hostname() == "":
		return tools.Invalid(event.CodeInvalidValue, "%q names no host", u.Redacted()).Suggest("give an address such as https://example.org/page")
	case u.User != nil:
		return tools.Invalid(event.CodeInvalidValue, "an address with a user name or password in it is not fetched").Suggest("leave out what stands before the @")
	}
	return nil
}
