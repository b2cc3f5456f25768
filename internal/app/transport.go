package app

import (
	"maps"
	"net"
	"net/http"
	"net/url"
	"time"

	"hob/internal/exit"
)

// NewTransport returns a transport that reaches only the server of an address. why is the reason in
// the ledger; setting is the configuration key of the address.
func (s *Environment) NewTransport(why, address, setting string) (http.RoundTripper, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%s: %v", setting, err)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	dialer, err := s.Egress.Only(why, net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%s: %v", setting, err)
	}
	return &http.Transport{
		Proxy: nil, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second,
		MaxIdleConnsPerHost: 8, DisableCompression: true,
	}, nil
}

// newHTTPClient returns a client for the server of an address. It sends header with each request. A
// redirect to another server fails.
func (s *Environment) newHTTPClient(why, address, setting string, header http.Header) (*http.Client, error) {
	way, err := s.NewTransport(why, address, setting)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: headerTransport{way, header}}, nil
}

// headerTransport adds fixed headers to each request.
type headerTransport struct {
	next   http.RoundTripper
	header http.Header
}

// RoundTrip implements [http.RoundTripper].
func (t headerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	maps.Copy(r.Header, t.header)
	return t.next.RoundTrip(r)
}
