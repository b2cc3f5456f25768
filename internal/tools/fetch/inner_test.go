package fetch

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// What the client must not do by itself; nothing a server can see would tell all of it.
func TestFetch_ClientHasNoWillOfItsOwn(t *testing.T) {
	client := New(Config{}).client
	transport, ok := client.Transport.(*http.Transport)
	if !ok {
		t.Fatalf("transport %T", client.Transport)
	}
	type habits struct{ Proxy, Cookies, OwnDial, KeepsAlive, Decompresses, HTTP2 bool }
	got := habits{
		Proxy: transport.Proxy != nil, Cookies: client.Jar != nil, OwnDial: transport.DialContext == nil || transport.DialTLSContext != nil,
		KeepsAlive: !transport.DisableKeepAlives, Decompresses: !transport.DisableCompression, HTTP2: transport.ForceAttemptHTTP2,
	}
	if diff := cmp.Diff(habits{}, got); diff != "" {
		t.Errorf("habits (-want +got):\n%s", diff)
	}
}

// FuzzRenderHTML looks for a page that breaks the reading of pages.
func FuzzRenderHTML(f *testing.F) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		f.Fatalf("pages %v, %v", pages, err)
	}
	for _, path := range pages {
		page, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(page))
	}
	for _, page := range []string{
		"", "<", "<a href=//x>y", "<base href=:><a href=x>y", "<table><td colspan=-1>x", "<ol start=99999999999><li>x", "<pre>\r\n x</pre>",
		"<ul><ul><li><li>x", "<frameset><frame>", "<title>t<p>x", "<svg><title>s</title></svg><p>x", "<template><p>x", "<a><a>x</a>", "<img alt=x><p>y", "<h1>ü#</h1>",
	} {
		f.Add(page)
	}
	at := &url.URL{Scheme: "https", Host: "page.example", Path: "/a/b"}
	f.Fuzz(func(t *testing.T, page string) {
		page = strings.ToValidUTF8(page, "\uFFFD") // as toUTF8 leaves it
		for _, markdown := range []bool{false, true} {
			got := renderHTML(page, at, markdown)
			if got == "" || !utf8.ValidString(got) {
				t.Errorf("markdown %v: %q", markdown, got)
			}
			if !markdown && strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) && !blank(r) }) {
				t.Errorf("a control character in %q", got)
			}
		}
	})
}

// FuzzToUTF8 looks for bytes that come out of decoding as anything but text.
func FuzzToUTF8(f *testing.F) {
	f.Add([]byte("\xcf\xf0\xe8\xe2\xe5\xf2"), "text/html; charset=windows-1251")
	f.Add([]byte("\xff\xfeh\x00"), "text/plain")
	f.Add([]byte("<?xml encoding='utf-16'?>"), "text/xml")
	f.Add([]byte("\x1b$B\x46\x7c"), "text/html; charset=iso-2022-jp")
	f.Add([]byte("\xfe\xff\xd8"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		for _, xml := range []bool{false, true} {
			if got := toUTF8(body, contentType, xml); !utf8.ValidString(got) {
				t.Errorf("toUTF8(%q, %q) is %q", body, contentType, got)
			}
		}
	})
}
