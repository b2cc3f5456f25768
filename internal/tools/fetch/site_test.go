package fetch

import (
	"net/url"
	"testing"
)

func TestSameSite(t *testing.T) {
	for _, c := range []struct {
		from, to string
		same     bool
	}{
		{"http://example.org/", "https://example.org/", true},
		{"http://example.org/", "https://www.example.org/x", true},
		{"https://a.b.example.org/", "https://c.example.org/", true},
		{"https://EXAMPLE.org/", "https://example.org./", true},
		{"https://example.org:443/", "https://example.org/", true},
		{"http://example.org:80/", "https://example.org:443/", true},
		{"https://bücher.example/", "https://xn--bcher-kva.example/", true},
		{"https://example.org/", "http://example.org/", false}, // for everybody on the way to read
		{"https://example.org/", "https://example.org:8443/", false},
		{"http://example.org:8080/", "https://example.org/", false},
		{"https://example.org/", "https://example.com/", false},
		{"https://example.org/", "https://example.org.evil.test/", false},
		{"https://example.org/", "https://notexample.org/", false},
		{"https://a.co.uk/", "https://b.co.uk/", false},
		{"https://a.co.uk/", "https://www.a.co.uk/", true},
		{"https://co.uk/", "https://a.co.uk/", false},
		{"https://a.github.io/", "https://b.github.io/", false}, // each of somebody else
		{"https://a.blogspot.com/", "https://b.blogspot.com/", false},
		{"http://10.0.0.1/", "http://10.0.0.1/x", true},
		{"http://10.0.0.1/", "http://11.0.0.1/", false},
		{"http://1.2.3.4/", "http://9.9.3.4/", false},
		{"http://[2001:db8::1]/", "http://[2001:db8::1]/x", true},
		{"http://[2001:db8::1]/", "http://[2001:db8::2]/", false},
		{"http://localhost/", "http://localhost/x", true},
		{"http://a.localhost/", "http://b.localhost/", false},
		{"http://x.a.localhost/", "http://y.a.localhost/", false},
		{"http://router/", "http://router/x", true},
		{"http://router/", "http://a.router/", false},
		{"http://0x7f.1/", "http://a.0x7f.1/", false},
	} {
		from, err := url.Parse(c.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(c.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := sameSite(from, to); got != c.same {
			t.Errorf("from %s to %s: %t, want %t", c.from, c.to, got, c.same)
		}
	}
}
