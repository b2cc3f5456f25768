package page

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
)

// host is the name of the page where it is not on localhost.
const host = "hob.test"

// trusting starts a browser that trusts a certificate, and finds the host on this machine.
func trusting(t *testing.T, h *house, cert *x509.Certificate) *tab {
	t.Helper()
	key := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	ctx, stop, err := startBrowser(chromedp.Flag("ignore-certificate-errors-spki-list", base64.StdEncoding.EncodeToString(key[:])),
		chromedp.Flag("host-resolver-rules", "MAP "+host+" 127.0.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return h.newTabIn(ctx)
}

// speak signs in by a link, says something, reloads, and makes and uses a passkey.
func (b *tab) speak() {
	b.h.t.Helper()
	b.open(link.FindString(b.h.hob("page")))
	b.press("#sign-in button")
	b.live()
	b.asked("say hello", "hello")
	b.visit("chat")
	b.shows("#transcript .item.reply", "hello")
	b.usePasskey()
	b.clean()
}

// With a certificate of hob's own, which is good for who trusts the authority that hob hands out, a browser signs in, follows the
// stream and uses a passkey. Chromium is given the key of the certificate that was checked here: its authorities are the machine's.
func TestOwnCertificates(t *testing.T) {
	notShort(t)
	needsBrowser(t)
	port := freePort(t)
	h := newHouseAt(t, port, fmt.Sprintf("https://%s:%d", host, port),
		fmt.Sprintf("listen = \"127.0.0.1:%d\"\ntls = \"own\"\nhost = %q\n", port, host), "", newModel().steps())
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM([]byte(h.hob("page", "trust"))) {
		t.Fatal("hob page trust prints no certificate")
	}
	conn, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port), &tls.Config{RootCAs: authorities, ServerName: host})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	trusting(t, h, conn.ConnectionState().PeerCertificates[0]).speak()
}

// Behind a proxy that has the certificate it is the same.
func TestBehindAProxy(t *testing.T) {
	notShort(t)
	needsBrowser(t)
	port := freePort(t)
	behind := &url.URL{Scheme: "http", Host: fmt.Sprintf("localhost:%d", port)}
	proxy := httptest.NewTLSServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind)
		r.SetXForwarded()
	}})
	t.Cleanup(proxy.Close)
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	origin := "https://" + host + ":" + at.Port()
	h := newHouseAt(t, port, origin, fmt.Sprintf("listen = \"localhost:%d\"\nurl = %q\nproxies = [\"127.0.0.1\", \"::1\"]\n", port, origin), "", newModel().steps())
	trusting(t, h, proxy.Certificate()).speak()

	// Nobody gets past the proxy by the page's own address.
	answer, err := http.Get(behind.String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("past the proxy the answer is %s", answer.Status)
	}
}
