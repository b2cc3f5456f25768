package policy_test

import (
	"testing"

	"hob/internal/policy"
)

// found says how an address stands in the owner's words: "exact", "named" (its host does) or "".
func found(t *testing.T, url string, words ...string) string {
	t.Helper()
	for _, c := range []struct {
		label int
		rule  policy.Rule
		found string
	}{{3, policy.RuleAddressNamed, "exact"}, {2, policy.RuleHostNamed, "named"}} {
		call := fetch(labels[c.label], at(url))
		call.Words = words
		r := policy.Policy{}.Judge(t.Context(), call)
		if r.Rule == c.rule && r.Verdict == policy.Allow {
			return c.found
		}
		if r.Verdict != policy.Ask {
			t.Errorf("%s in %q: %s", url, words, said(r))
		}
	}
	return ""
}

func TestWordsOfTheOwner(t *testing.T) {
	for _, c := range []struct{ url, words, want string }{
		// the address, in sentences and brackets
		{"https://example.org/a", "https://example.org/a", "exact"},
		{"https://example.org/a", "read https://example.org/a.", "exact"},
		{"https://example.org/a", "read (https://example.org/a), and tell me", "exact"},
		{"https://example.org/a", "[this](https://example.org/a).", "exact"},
		{"https://example.org/a", "**https://example.org/a**", "exact"},
		{"https://example.org/a", "\"https://example.org/a\"", "exact"},
		{"https://example.org/a", "»https://example.org/a«", "exact"},
		{"https://example.org/a", "打开https://example.org/a，谢谢", "exact"},
		{"https://example.org/a", "first\nhttps://example.org/a\nsecond", "exact"},
		{"https://example.org/a.", "read https://example.org/a.", "exact"},
		{"https://example.org/a", "https://example.org/b https://example.org/a", "exact"},
		{"https://example.org/a?b=c&d=e", "https://example.org/a?b=c&d=e", "exact"},
		{"https://example.org/a?u=x@y", "https://example.org/a?u=x@y", "exact"},
		// what does not matter
		{"https://example.org/a#top", "https://example.org/a", "exact"},
		{"https://example.org/a", "https://example.org/a#top", "exact"},
		{"https://example.org/", "https://example.org", "exact"},
		{"https://example.org", "https://example.org/", "exact"},
		{"https://example.org?a=b", "https://example.org/?a=b", "exact"},
		{"https://example.org/?a=b", "https://example.org?a=b", "exact"},
		{"https://example.org/a", "example.org/a", "exact"},
		{"http://example.org/a", "example.org/a", "exact"},
		{"https://example.org/", "what is on https://example.org?", "exact"},
		{"https://example.org/", "what is on example.org/?", "exact"},
		{"HTTPS://EXAMPLE.org/a", "Example.Org/a", "exact"},
		{"https://example.org:443/a", "https://example.org/a", "exact"},
		{"https://example.org:8443/a", "https://example.org:8443/a", "exact"},
		{"http://nas:8080/a", "http://nas:8080/a", "exact"},
		{"http://192.168.1.10/a", "192.168.1.10/a", "exact"},
		{"http://[::1]:8080/a", "http://[::1]:8080/a", "exact"},
		{"https://www.example.org/a", "www.example.org/a", "exact"},
		// what does
		{"http://example.org/a", "https://example.org/a", "named"},
		{"https://example.org/a", "https://example.org/a/b", "named"},
		{"https://example.org/a", "https://example.org/ab", "named"},
		{"https://example.org/a/b", "https://example.org/a", "named"},
		{"https://example.org/", "https://example.org/a", "named"},
		{"https://example.org/?a", "https://example.org?ab", "named"},
		{"https://example.org/a", "https://example.org/A", "named"},
		{"https://example.org/a", "https://example.org/a?b", "named"},
		{"https://example.org/a?b", "https://example.org/a", "named"},
		{"https://example.org/a", "https://example.org/a.b", "named"},
		{"https://example.org/a", `https://example.org/a\b`, "named"},
		{"https://example.org/a", "https://example.org/a看", "named"},
		{"https://example.org/a b", "https://example.org/a b", "named"},
		{"https://example.org/a\u200b", "https://example.org/a\u200b", "named"},
		{"https://www.example.org/a", "example.org/a", "named"},
		{"https://example.org/a", "www.example.org/a", "named"},
		// the host with a slash, as a word
		{"https://example.org/x", "EXAMPLE.ORG/", "named"},
		{"https://example.org/x", "what does example.org/ say", "named"},
		{"https://example.org/x", "'example.org/'", "named"},
		{"https://example.org/x", "site:example.org/", "named"},
		{"https://example.org/x", "example.org/news: what is new there?", "named"},
		{"https://example.org/x", "打开example.org/看看", "named"},
		{"https://example.org/x", "你好。example.org/。谢谢", "named"},
		{"https://example.org/x", "example.org/...", "named"},
		{"https://example.org/x", "mail bob@foo.com about example.org/", "named"},
		{"https://example.org/x", "example.org/ or bob@foo.com", "named"},
		{"https://example.org/x", "www.example.org or so", "named"},
		{"http://192.168.1.10/x", "the box at 192.168.1.10/", "named"},
		{"https://example.org:8443/x", "example.org:8443/", "named"},
		{"https://münchen.de/x", "in München.de/", "named"},
		{"https://xn--mnchen-3ya.de/x", "münchen.de/", "named"},
		{"https://münchen.de/x", "xn--mnchen-3ya.de/", "named"},
		{"https://www.münchen.de/x", "auf münchen.de/", "named"},
		{"https://xn--nxasmm1c.com/x", "βόλος.com/", "named"},
		// without a slash it is a word
		{"https://example.org/", "what is on example.org?", ""},
		{"https://example.org/", "example.org", ""},
		{"https://example.org/?a", "example.org?a", ""},
		{"https://example.org/x", "site:example.org", ""},
		{"https://example.org/x", "打开example.org看看", ""},
		{"http://192.168.1.10/x", "the box at 192.168.1.10", ""},
		{"https://example.org:8443/x", "example.org:8443", ""},
		{"https://münchen.de/x", "in München.de", ""},
		// other hosts and other words
		{"https://example.org/x", "example.org.evil.com/", ""},
		{"https://example.org/x", "notexample.org/", ""},
		{"https://example.org/x", "a.example.org/", ""},
		{"https://a.example.org/x", "example.org/", ""},
		{"https://example.org/x", "example.orgs/", ""},
		{"https://example.org/x", "example.org-evil.com/", ""},
		{"https://example.org/x", "not-example.org/", ""},
		{"https://example.org/x", "my_example.org/", ""},
		{"https://example.org/x", "example_org/", ""},
		{"https://example.org/x", "bob@example.org/", ""},
		{"https://example.org/x", "example.org@evil.com/", ""},
		{"https://example.org/x", "https://example.org:pw@evil.com", ""},
		{"https://example.org/x", `https://example.org\@evil.com`, ""},
		{"https://example.org/x", "https://example.org%2eevil.com", ""},
		{"https://example.org/x", "example.org。evil.com/", ""},
		{"https://example.org/x", "evil。example.org/", ""},
		{"https://example.org/x", "example.org\u200b.evil.com", ""},
		{"https://example.org/x", "evil\u00adexample.org/", ""},
		{"https://example.org/x", "example.org\u0301/", ""},
		{"https://example.org/x", "example.org\xff.evil.com", ""},
		{"https://example.org/x", "https://foo.com/example.org/", ""},
		{"https://example.org/x", "https://foo.com/?u=example.org/", ""},
		{"https://example.org/x", "https://foo.com/?u=https://example.org/x", ""},
		{"https://example.org/x", "https://foo.com/https://example.org/x", ""},
		{"https://example.org/x", "ftp://example.org/x", ""},
		{"https://example.org/x", "xhttps://example.org/x", ""},
		{"https://example.org/x", "example.org:8080/", ""},
		{"https://example.org/x", "example.org:80evil.com", ""},
		{"https://example.org:8443/x", "example.org/", ""},
		{"https://192.168.1.10/x", "1192.168.1.10/ 192.168.1.100/ 192.168.1.10.5/", ""},
		{"http://nas/x", "the nas", ""},
		{"http://nas/x", "http://nas.example.org/x", ""},
		{"http://[::1]/x", "::1", ""},
		{"https://münchen.de/x", "munchen.de/", ""},
		{"https://xn--nxasmm1c.com/x", "βόλοσ.com/", ""}, // the same letter in another size, and another host
	} {
		if got := found(t, c.url, "hello.", c.words, "bye."); got != c.want {
			t.Errorf("%s in %q is %q, want %q", c.url, c.words, got, c.want)
		}
	}
	if got := found(t, "https://example.org/a", "https://exam", "ple.org/a"); got != "" {
		t.Errorf("two of the owner's words are one address: %q", got)
	}
}

// However an address is spelled: where the dialer would go elsewhere than the owner has said, or might, the owner has not
// said it. The owner says each of these addresses here, and all that it could be taken for.
func TestHostileAddresses(t *testing.T) {
	const named = "example.org/ www.example.org https://example.org/ https://example.org/x 127.0.0.1/ "
	for _, url := range []string{
		"https://example.org@evil.com/x",
		"https://example.org:pw@evil.com/x",
		"https://example.org%40evil.com/x",
		`https://example.org\@evil.com/x`,
		`https://evil.com\@example.org/x`,
		`https://example.org\.evil.com/x`,
		`https:\\example.org/x`,
		`https:/\example.org/x`,
		"https:example.org/x",
		"https:/example.org/x",
		"https:///example.org/x",
		"//example.org/x",
		"example.org/x",
		"https://example.org./x",
		"https://example..org/x",
		"https://.example.org/x",
		"https://-example.org/x",
		"https://example.org%2eevil.com/x",
		"https://example.org%00.evil.com/x",
		"https://example.org%0a/x",
		"https://example.org%0d%0aHost:evil.com/x",
		"https://example%2eorg/x",
		"https://example.org\n.evil.com/x",
		"https://example.org\t/x",
		"https://example.org /x",
		"https://example.org\u200b.evil.com/x",
		"https://example.org\u2028/x",
		"https://еxample.org/x",       // Cyrillic е
		"https://example.org。e.vil/x", // an ideographic full stop
		"https://example.org:0/x",
		"https://example.org:99999/x",
		"https://example.org:8443/x",
		"https://example.org:x/x",
		"https://example.org:443:444/x",
		"https://[::ffff:127.0.0.1]/x",
		"https://[fe80::1%25eth0]/x",
		"https://[example.org]/x",
		"https://[::1",
		"http://0x7f.0.0.1/x",
		"http://127.1/x",
		"http://2130706433/x",
		"http://0177.0.0.1/x",
		"ftp://example.org/x",
		"javascript:example.org",
		"file://example.org/x",
		"https://example.org.evil.com/x",
		"https://wwwexample.org/x",
		"https://xn--example-9d0b.org/x",
		"https://example.org\xff/x",
		"https://",
		" https://example.org/x",
	} {
		if got := found(t, url, named); got != "" {
			t.Errorf("%q is %q in %q", url, got, named)
		}
	}
	for _, url := range []string{"https://example.org@evil.com/x", "https://example.org:pw@evil.com/x", `https://example.org\@evil.com/x`,
		"https://example.org./x", "ftp://example.org/x", "//example.org/x", "https://[fe80::1%25eth0]/x"} {
		if got := found(t, url, url, named); got != "" {
			t.Errorf("%q is %q, and cannot be taken apart", url, got)
		}
	}
	for url, want := range map[string]string{ // strange, and go where they say
		"https://example.org/%0a%0dx":         "named",
		`https://example.org/\evil.com`:       "named",
		"https://example.org/@evil.com":       "named",
		"https://example.org/?@evil.com":      "named",
		"https://example.org#@evil.com":       "exact",
		"https://EXAMPLE.ORG:443/x":           "exact",
		"https://ｅｘａｍｐｌｅ．ｏｒｇ/x":               "exact", // is looked up as example.org
		"https://example.org:/x":              "exact",
		"https://example.org:00443/x":         "exact",
		"https://example.org/x?https://e.vil": "named",
	} {
		if got := found(t, url, named); got != want {
			t.Errorf("%q is %q, want %q", url, got, want)
		}
	}
}
