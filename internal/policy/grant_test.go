package policy_test

import (
	"testing"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

func TestNormalHost(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"example.org", "example.org"},
		{"Example.ORG", "example.org"},
		{"example.org:8443", "example.org:8443"},
		{"example.org:08443", "example.org:8443"},
		{"nas", "nas"},
		{"192.168.1.10:8123", "192.168.1.10:8123"},
		{"münchen.de", "xn--mnchen-3ya.de"},
		{"[::1]:8080", "[::1]:8080"},
		{"[2001:DB8:0::1]", "[2001:db8::1]"},
		{"2001:db8::1", "[2001:db8::1]"},
		{"", ""}, {"https://example.org", ""}, {"example.org/a", ""}, {"a@example.org", ""}, {"*.example.org", ""},
		{"example.org.", ""}, {".example.org", ""}, {"exa mple.org", ""}, {"example.org:80", ""}, {"example.org:443", ""},
		{"example.org:0", ""}, {"example.org:65536", ""}, {"example.org:", ""}, {"example.org:a", ""}, {"[::1%eth0]", ""},
		{"a\nb.org", ""}, {"a\u200b.org..", ""}, {`example.org\a`, ""}, {"example.org?a", ""}, {":8080", ""}, {"-a.org", ""},
	} {
		got, err := policy.NormalHost(c.in)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.in, got, err, c.want)
		}
		if ok := c.in == c.want && c.want != ""; ok != (policy.CheckHost(c.in) == nil) {
			t.Errorf("%q: its form is right: %v, and CheckHost says %v", c.in, ok, policy.CheckHost(c.in))
		}
	}
}

func TestCheckGrant(t *testing.T) {
	for _, c := range []struct {
		grant event.Grant
		want  string
	}{
		{event.Grant{Tool: "fetch", Host: "example.org"}, ""},
		{event.Grant{Tool: "write_file", Path: "/srv/notes"}, ""},
		{event.Grant{Host: "example.org"}, "the grant names no tool: name one"},
		{event.Grant{Tool: "fetch"}, "the grant for fetch has neither a host nor a folder: give one of them"},
		{event.Grant{Tool: "fetch", Host: "a.org", Path: "/srv"}, "the grant for fetch has both a host and a folder: make it two"},
		{event.Grant{Tool: "fetch", Host: "A.org"}, `write the host "A.org" as a.org`},
		{event.Grant{Tool: "fetch", Host: "a.org:443"}, `leave out the port of "a.org:443": it is a usual one`},
		{event.Grant{Tool: "fetch", Host: "https://a.org"}, `"https://a.org" is more than a host: leave only the name, and a port if it has one`},
		{event.Grant{Tool: "fetch", Host: "*"}, `"*" is not a host: give a name such as example.org, or an address, and nothing else`},
		{event.Grant{Tool: "w", Path: "/"}, "/ is every file there is: name a folder in it"},
		{event.Grant{Tool: "w", Path: "notes"}, `"notes" is no folder that can be granted: write it in full, from / on, without . or .. in it, nor a slash at its end`},
		{event.Grant{Tool: "w", Path: "/srv/../etc"}, `"/srv/../etc" is no folder that can be granted: write it in full, from / on, without . or .. in it, nor a slash at its end`},
		{event.Grant{Tool: "w", Path: "/srv/"}, `"/srv/" is no folder that can be granted: write it in full, from / on, without . or .. in it, nor a slash at its end`},
		{event.Grant{Tool: "w", Path: "/a\x00b"}, `"/a\x00b" is no folder that can be granted: write it in full, from / on, without . or .. in it, nor a slash at its end`},
	} {
		got := ""
		if err := policy.CheckGrant(c.grant); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.grant, got, c.want)
		}
	}
}

func TestGrantable(t *testing.T) {
	fetch := tools.Reads | tools.Sends | tools.Untrusted
	for _, c := range []struct {
		name   string
		powers tools.Capabilities
		aims   bool
		want   bool
	}{
		{"a fetch", fetch, true, true},
		{"a message", tools.Sends, true, true},
		{"files elsewhere", tools.Writes | tools.Outside, true, true},
		{"a fetch that does not say where to", fetch, false, false},
		{"what needs no grant", tools.Reads, true, false},
		{"a command", fetch | tools.Executes, true, false},
		{"a command within walls", fetch | tools.Executes | tools.Confined, true, false},
		{"what changes rights", fetch | tools.Authority, true, false},
		{"what costs", fetch | tools.Spends, true, false},
		{"what cannot be taken back", fetch | tools.Destroys, true, false},
		{"what is kept", fetch | tools.Persists, true, false},
	} {
		d := tools.Def{Capabilities: c.powers}
		if c.aims {
			d.ResourcesOf = aimsAt()
		}
		if got := policy.Grantable(toolOf(d)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if policy.Grantable(plain{}) {
		t.Error("a tool that does not describe itself is grantable")
	}
}
