package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/net/publicsuffix"

	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/tools"
)

const (
	fetchRedirects   = 5
	fetchHeaderBytes = 64 << 10
	fetchURLBytes    = 8 << 10
	fetchTLSTimeout  = 10 * time.Second
)

// errFetchTooSlow is why the context of a fetch ended when its own time was up.
var errFetchTooSlow = errors.New("the fetch took too long")

func refusedError(message, hint string) error {
	return &tools.HintedError{Err: tools.Denied(event.CodePermissionDenied, "%s", message), Hint: hint}
}

// newClient returns a client that dials through f.dialer alone, keeps no connection and no cookie, and takes nothing
// from the environment.
func (f *FetchTool) newClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            f.dialer.DialContext,
			DisableKeepAlives:      true,
			DisableCompression:     true, // the body is decompressed under the limit; see body.go
			MaxResponseHeaderBytes: fetchHeaderBytes,
			TLSHandshakeTimeout:    fetchTLSTimeout,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: f.follow,
	}
}

// follow decides whether a redirect is followed. Where it leads must be in reach, as the first address, and is another page of
// one of the sites that were asked already, or one that policy lets the call go on to: the new host learns what the address
// carries, and the call was allowed for the old one.
func (f *FetchTool) follow(req *http.Request, via []*http.Request) error {
	if len(via) > fetchRedirects {
		return tools.Failed("the page redirects more than %d times", fetchRedirects)
	}
	req.Header.Del("Referer") // net/http has set it
	if err := f.check(req.URL); err != nil {
		return &forbiddenRedirect{err}
	}
	for _, before := range via {
		if sameSite(before.URL, req.URL) {
			return nil
		}
	}
	if tools.MayFollow(req.Context(), resourceOf(req.URL)) {
		return nil
	}
	return &foreignRedirect{req.URL}
}

// sameSite reports whether who was asked for one address is who answers at another: on the same host or under the same
// registrable domain, on the usual port or the same one, and not in the clear where the first was not.
func sameSite(from, to *url.URL) bool {
	if from.Scheme == "https" && to.Scheme != "https" || ownPort(from) != ownPort(to) {
		return false
	}
	a, b := hostName(from), hostName(to)
	if a == b {
		return true
	}
	domain := registrable(a)
	return domain != "" && domain == registrable(b)
}

// ownPort is the port of an address, "" where it is the usual one.
func ownPort(u *url.URL) string {
	if port := u.Port(); port != usualPorts()[u.Scheme] {
		return port
	}
	return ""
}

// registrable is the part of a host's name that somebody has registered, "" where nobody has: of a number, of a name without a
// dot, and of this machine.
func registrable(host string) string {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last == "localhost" || strings.Contains(host, ":") || unicode.IsDigit(rune(last[0])) {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

// foreignRedirect is a redirect to a host that the call may not go on to.
type foreignRedirect struct{ to *url.URL }

func (e *foreignRedirect) Error() string { return "redirect to another host" }

// refusal tells the model where the page leads, for it to call fetch with that: then it is judged like any address.
func (e *foreignRedirect) refusal() *tools.Error {
	return tools.Denied(event.CodePermissionDenied, "the page redirects to another host, which was not asked: %s", e.to).
		Suggest("if that page is wanted, call fetch with its address")
}

// forbiddenRedirect is a redirect to where fetch does not go.
type forbiddenRedirect struct{ err error }

func (m *forbiddenRedirect) Error() string { return "follow redirect: " + m.err.Error() }

// checkAddress refuses an address that can never be fetched, before anybody is asked about it: it is none, its port is out of
// reach, or it is the number of a machine that is not public.
func (f *FetchTool) checkAddress(raw string) error {
	u, err := f.parse(raw)
	if err != nil {
		return err
	}
	port, _ := strconv.ParseUint(cmp.Or(u.Port(), usualPorts()[u.Scheme]), 10, 16) // checkPort has read it
	if e := (*egress.Refused)(nil); errors.As(f.dialer.Check(hostName(u), uint16(port)), &e) {
		return refusedError(e.Message(), e.Hint())
	}
	return nil
}

// parse reads an address that checkAddress takes.
func (f *FetchTool) parse(raw string) (*url.URL, error) {
	u, err := readURL(raw)
	if err != nil {
		return nil, err
	}
	return u, f.checkPort(u)
}

// usualPorts are the ports of the schemes.
func usualPorts() map[string]string { return map[string]string{"http": "80", "https": "443"} }

// check judges a URL by what it says. Where its host leads is for the dialer to judge.
func (f *FetchTool) check(u *url.URL) error {
	if err := checkURL(u); err != nil {
		return err
	}
	return f.checkPort(u)
}

// checkPort judges a URL by its port.
func (f *FetchTool) checkPort(u *url.URL) error {
	if u.Port() == "" || u.Port() == "80" || u.Port() == "443" {
		return nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return tools.Invalid(event.CodeInvalidValue, "%q is not a port", u.Port())
	}
	if !f.dialer.Allowed(u.Hostname(), uint16(port)) {
		f.dialer.Declined(u.Hostname(), uint16(port), "port is neither 80 nor 443")
		hint := f.dialer.Exception(u.Hostname(), uint16(port))
		if hint != "" {
			hint = fmt.Sprintf("if %s may be reached, %s", u.Host, hint)
		}
		return refusedError(fmt.Sprintf("port %d is out of reach: fetch reaches ports 80 and 443", port), hint)
	}
	return nil
}

// get makes the request and reads the answer. A page beside an error was reached and not read.
func (f *FetchTool) get(parent context.Context, u *url.URL) (*fetched, error) {
	ctx, cancel := context.WithTimeoutCause(parent, f.timeout, errFetchTooSlow)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, tools.Invalid(event.CodeInvalidValue, "%q is not a URL", u.Redacted())
	}
	req.Header = http.Header{
		"User-Agent":      {f.agent},
		"Accept":          {"text/html,application/xhtml+xml,application/json;q=0.9,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.5"},
		"Accept-Encoding": {"gzip, deflate"},
	}
	resp, err := f.client.Do(req)
	if e := (*foreignRedirect)(nil); errors.As(err, &e) && resp != nil { // its body is closed
		return &fetched{url: resp.Request.URL, status: resp.StatusCode}, e.refusal()
	}
	if err != nil {
		return nil, f.explain(ctx, u, err)
	}
	defer resp.Body.Close()
	page := &fetched{url: resp.Request.URL, status: resp.StatusCode, contentType: declaredType(resp.Header)}
	body, err := readBody(resp, f.limit)
	if err != nil {
		return page, f.explain(ctx, page.url, err)
	}
	return page, f.take(ctx, page, body)
}

// explain says in words why a request for u failed. No words of the server's are in it but host names.
func (f *FetchTool) explain(ctx context.Context, u *url.URL, err error) error {
	host := u.Host
	if e := (*url.Error)(nil); errors.As(err, &e) { // it knows the redirect that failed
		if at, bad := url.Parse(e.URL); bad == nil && at.Host != "" {
			host = at.Host
		}
	}
	if e := (*forbiddenRedirect)(nil); errors.As(err, &e) {
		return forbiddenRedirectError(e.err)
	}
	if e := (*tools.Error)(nil); errors.As(err, &e) {
		return e
	}
	if e := (*egress.Refused)(nil); errors.As(err, &e) {
		return refusedError(e.Message(), e.Hint())
	}
	if e := (*egress.Unrecorded)(nil); errors.As(err, &e) {
		return refusedError("nothing can be fetched: who is contacted could not be recorded", e.Error())
	}
	if ctx.Err() != nil {
		return f.outOfTime(ctx, host)
	}
	return explainNet(host, err)
}

// forbiddenRedirectError is the error for a redirect to an address that check refused for reason.
func forbiddenRedirectError(reason error) error {
	hint := ""
	if r := (*tools.HintedError)(nil); errors.As(reason, &r) {
		hint = r.Hint
	}
	return refusedError("the page redirects to where fetch does not go: "+reason.Error(), hint)
}

func (f *FetchTool) outOfTime(ctx context.Context, host string) error {
	switch {
	case errors.Is(context.Cause(ctx), errFetchTooSlow):
		return tools.TimedOut("%s did not deliver the page within %s", host, f.timeout).Retry()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return tools.TimedOut("%s did not deliver the page in the time there was", host).Retry()
	}
	return tools.Cancelled("the fetch was cancelled")
}

// explainNet puts what net and net/http report into words.
func explainNet(host string, err error) error {
	if e := (*net.DNSError)(nil); errors.As(err, &e) {
		if e.IsNotFound {
			return tools.Failed("there is no host %s", host).Suggest("check the spelling of the address")
		}
		return tools.Failed("the name %s could not be looked up", host).Retry()
	}
	if e := (*tls.CertificateVerificationError)(nil); errors.As(err, &e) {
		return tools.Failed("%s cannot prove that it is %s: its certificate is not valid", host, host)
	}
	if e := (tls.RecordHeaderError{}); errors.As(err, &e) || errors.Is(err, http.ErrSchemeMismatch) {
		return tools.Failed("%s does not speak https there", host)
	}
	if e := (tls.AlertError)(0); errors.As(err, &e) {
		return tools.Failed("%s refused the https connection", host)
	}
	// net/http has no types for these two.
	if strings.Contains(err.Error(), "response headers exceeded") {
		return tools.Failed("%s sent more than %d KiB of headers", host, fetchHeaderBytes>>10)
	}
	if strings.Contains(err.Error(), "malformed") || strings.Contains(err.Error(), "Location header") {
		return tools.Failed("what %s answered is not proper HTTP", host)
	}
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return tools.Failed("%s refused the connection", host).Retry()
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return tools.Failed("there is no way to %s: is this machine online?", host).Retry()
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return tools.TimedOut("%s did not answer", host).Retry()
	}
	return tools.Failed("the connection to %s broke off before the page was complete", host).Retry()
}
