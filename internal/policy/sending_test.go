package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// fetch returns a call that reads what aims point at.
func fetch(label event.Label, aims ...tools.Resource) policy.Call {
	call := callOf(toolOf(tools.Def{Name: "fetch", Capabilities: tools.Reads | tools.Sends | tools.Untrusted, ResourcesOf: aimsAt(aims...)}))
	call.Caller.Label = label
	return call
}

func at(url string) tools.Resource { return tools.Resource{URL: url} }

func TestJudgeReadsOfTheWeb(t *testing.T) {
	const url = "https://example.org/a?b=c"
	seen := func(links ...string) func(string) bool {
		return func(u string) bool { return slices.Contains(links, u) }
	}
	long := "https://example.org/" + strings.Repeat("a", 2048)
	grants := []event.Grant{{Tool: "fetch", Host: "example.org"}}
	for _, c := range []struct {
		name   string
		url    string
		words  string
		seen   func(string) bool
		policy policy.Policy
		want   [4]string // with no taint, untrusted, private, both
	}{
		{name: "nobody gave it", url: url,
			want: [4]string{"allow untainted", "ask constructed-address", "ask private-data", "ask rule-of-two"}},
		{name: "a link", url: url, seen: seen(url),
			want: [4]string{"allow untainted", "allow link", "ask private-data", "ask rule-of-two"}},
		{name: "another link", url: url, seen: seen("https://example.org/a"),
			want: [4]string{"allow untainted", "ask constructed-address", "ask private-data", "ask rule-of-two"}},
		{name: "the host is named", url: url, words: "look at Example.org/, please",
			want: [4]string{"allow host-named", "allow host-named", "allow host-named", "ask rule-of-two"}},
		{name: "the address is given", url: url, words: "look at <https://example.org/a?b=c>.", want: all("allow address-named")},
		{name: "granted", url: url, policy: policy.Policy{Grants: grants}, want: all("allow granted")},
		{name: "a host of all tools", url: url, policy: policy.Policy{Hosts: []string{"example.org"}}, want: all("allow host-allowed")},
		{name: "granted to another tool", url: url, policy: policy.Policy{Grants: []event.Grant{{Tool: "post", Host: "example.org"}}},
			want: [4]string{"allow untainted", "ask constructed-address", "ask private-data", "ask rule-of-two"}},
		{name: "granted, another port", url: "https://example.org:8443/", policy: policy.Policy{Grants: grants, Hosts: []string{"example.org"}},
			want: [4]string{"allow untainted", "ask constructed-address", "ask private-data", "ask rule-of-two"}},
		{name: "a grant covers no names below", url: "https://a.example.org/", policy: policy.Policy{Grants: grants, Hosts: []string{"example.org"}},
			want: [4]string{"allow untainted", "ask constructed-address", "ask private-data", "ask rule-of-two"}},
		{name: "long, and a link of a granted host that is named", url: long, words: "example.org/", seen: seen(long), policy: policy.Policy{Grants: grants},
			want: [4]string{"allow granted", "ask long-address", "ask long-address", "ask long-address"}},
		{name: "long, and given", url: long, words: long, want: all("allow address-named")},
		{name: "no address", url: "https://a:b@example.org/", words: "https://a:b@example.org/ example.org/", seen: seen("https://a:b@example.org/"),
			policy: policy.Policy{Grants: grants, Hosts: []string{"example.org"}},
			want:   [4]string{"allow untainted", "ask constructed-address", "ask private-data", "ask rule-of-two"}},
	} {
		var got [4]string
		for i, label := range labels {
			call := fetch(label, at(c.url))
			call.Words, call.Seen = []string{"hello", c.words}, c.seen
			got[i] = said(c.policy.Judge(t.Context(), call))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What a call is led to is judged as what it names, and nobody is asked: a question is a no.
func TestMayGoOn(t *testing.T) {
	p := policy.Policy{Grants: []event.Grant{{Tool: "fetch", Host: "granted.example"}}, Hosts: []string{"allowed.example"}}
	for _, c := range []struct {
		to   string
		want [4]bool // with no taint, untrusted, private, both
	}{
		{"https://elsewhere.example/", [4]bool{true, false, false, false}},
		{"https://named.example/x", [4]bool{true, true, true, false}},
		{"https://given.example/y", [4]bool{true, true, true, true}},
		{"https://granted.example/", [4]bool{true, true, true, true}},
		{"https://allowed.example/", [4]bool{true, true, true, true}},
		{"https://granted.example:8443/", [4]bool{true, false, false, false}},
		{"https://granted.example/" + strings.Repeat("a", 2048), [4]bool{true, false, false, false}},
	} {
		var got [4]bool
		for i, label := range labels {
			call := fetch(label, at("https://first.example/"))
			call.Words = []string{"look at https://named.example/ and https://given.example/y"}
			got[i] = p.MayFollow(t.Context(), call, at(c.to))
		}
		if got != c.want {
			t.Errorf("%.60s: %v, want %v", c.to, got, c.want)
		}
	}
}

// Of several aims the strictest counts, and what a person is offered lifts all of it or nothing.
func TestJudgeSeveralAims(t *testing.T) {
	p := policy.Policy{Grants: []event.Grant{{Tool: "fetch", Host: "granted.example"}}}
	for _, c := range []struct {
		name string
		aims []tools.Resource
		want policy.Ruling
	}{
		{"none", nil, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleSendsUnknown}},
		{"a file only", []tools.Resource{{Path: "/a"}}, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleSendsUnknown}},
		{"an empty one", []tools.Resource{at("https://granted.example/"), {}}, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleSendsUnknown}},
		{"granted, to a file", []tools.Resource{at("https://granted.example/"), {Path: "/a"}}, policy.Ruling{Verdict: policy.Allow, Rule: policy.RuleGranted}},
		{"two of one host", []tools.Resource{at("https://granted.example/"), at("http://b.example/1"), at("https://B.example/2")},
			policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo, Grants: []event.Grant{{Tool: "fetch", Host: "b.example"}}}},
		{"two hosts", []tools.Resource{at("https://b.example:8443/"), at("https://c.example/2")},
			policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo, Grants: []event.Grant{{Tool: "fetch", Host: "b.example:8443"}, {Tool: "fetch", Host: "c.example"}}}},
		{"one that nothing lifts", []tools.Resource{at("https://b.example/"), at("https://u@c.example/2")}, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo}},
		{"it says its host itself", []tools.Resource{{Host: "b.example", URL: "https://b.example/"}},
			policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo, Grants: []event.Grant{{Tool: "fetch", Host: "b.example"}}}},
		{"it says another host", []tools.Resource{{Host: "granted.example", URL: "https://b.example/"}}, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo}},
		{"it says another port", []tools.Resource{{Host: "granted.example", URL: "https://granted.example:8443/"}}, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo}},
		{"it says a port that is not there", []tools.Resource{{Host: "granted.example:8443", URL: "https://granted.example/"}}, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleOfTwo}},
		{"it says the usual port", []tools.Resource{{Host: "granted.example:443", URL: "https://granted.example/"}}, policy.Ruling{Verdict: policy.Allow, Rule: policy.RuleGranted}},
		{"a host only", []tools.Resource{{Host: "granted.example"}}, policy.Ruling{Verdict: policy.Allow, Rule: policy.RuleGranted}},
	} {
		c.want.Why = c.want.Rule.Why()
		if diff := cmp.Diff(c.want, p.Judge(t.Context(), fetch(both, c.aims...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What goes to nobody but who asks needs no question, unless others read along there, or it goes elsewhere as well.
func TestJudgeSendingToWhoAsks(t *testing.T) {
	const powers = tools.Reads | tools.Sends | tools.Private
	for _, c := range []struct {
		scope string
		aims  []tools.Resource
		want  string
	}{
		{"private", []tools.Resource{{ToAsker: true}}, "allow to-asker"},
		{"group", []tools.Resource{{ToAsker: true}}, "ask sends-unknown"},
		{"", []tools.Resource{{ToAsker: true}}, "ask sends-unknown"},
		{"private", []tools.Resource{{ToAsker: true}, at("https://b.example/")}, "ask rule-of-two"},
		{"private", []tools.Resource{{ToAsker: true}, {}}, "ask sends-unknown"},
	} {
		call := callOf(toolOf(tools.Def{Name: "send_file", Capabilities: powers, ResourcesOf: aimsAt(c.aims...)}))
		call.Caller.Label, call.Caller.Scope = both, c.scope
		if got := said(policy.Policy{}.Judge(t.Context(), call)); got != c.want {
			t.Errorf("%q %v: %s, want %s", c.scope, c.aims, got, c.want)
		}
	}
}

// What only sends has a person's yes: the owner's words are no recipient.
func TestJudgeMessages(t *testing.T) {
	post := toolOf(tools.Def{Name: "post", Capabilities: tools.Sends, ResourcesOf: aimsAt(tools.Resource{Host: "mail.example.org"})})
	offered := []event.Grant{{Tool: "post", Host: "mail.example.org"}}
	for _, c := range []struct {
		name   string
		policy policy.Policy
		want   string
		grants []event.Grant
	}{
		{"asks", policy.Policy{}, "ask sends", offered},
		{"granted", policy.Policy{Grants: offered}, "allow granted", nil},
		{"a host of all tools", policy.Policy{Hosts: []string{"mail.example.org"}}, "allow host-allowed", nil},
		{"another host", policy.Policy{Hosts: []string{"example.org"}}, "ask sends", offered},
	} {
		for _, label := range labels {
			call := callOf(post)
			call.Caller.Label, call.Words = label, []string{"https://mail.example.org/ mail.example.org/"}
			r := c.policy.Judge(t.Context(), call)
			if diff := cmp.Diff(c.grants, r.Grants); said(r) != c.want || diff != "" {
				t.Errorf("%s, %v: %s, want %s\n%s", c.name, label, said(r), c.want, diff)
			}
		}
	}
}

func TestJudgeFilesElsewhere(t *testing.T) {
	tool := func(powers tools.Capabilities, paths ...string) tools.Tool {
		var aims []tools.Resource
		for _, p := range paths {
			aims = append(aims, tools.Resource{Path: p})
		}
		return toolOf(tools.Def{Name: "write", Capabilities: powers | tools.Writes | tools.Outside, ResourcesOf: aimsAt(aims...)})
	}
	p := policy.Policy{Grants: []event.Grant{{Tool: "write", Path: "/srv/notes"}, {Tool: "read", Path: "/srv"}}}
	for _, c := range []struct {
		name   string
		tool   tools.Tool
		want   string
		grants []event.Grant
	}{
		{"below a grant", tool(0, "/srv/notes/a/b.md"), "allow granted", nil},
		{"the folder itself", tool(0, "/srv/notes"), "allow granted", nil},
		{"beside it", tool(0, "/srv/notes2/a"), "ask outside-untrusted", []event.Grant{{Tool: "write", Path: "/srv/notes2"}}},
		{"out of it again", tool(0, "/srv/notes/../a"), "ask outside-untrusted", nil},
		{"one of two", tool(0, "/srv/notes/a", "/srv/b/c"), "ask outside-untrusted", []event.Grant{{Tool: "write", Path: "/srv/b"}}},
		{"two", tool(0, "/srv/a/a", "/srv/b/c", "/srv/b/d"), "ask outside-untrusted", []event.Grant{{Tool: "write", Path: "/srv/a"}, {Tool: "write", Path: "/srv/b"}}},
		{"at the top", tool(0, "/a"), "ask outside-untrusted", nil},
		{"it does not say where", tool(0), "ask outside-untrusted", nil},
		{"for later conversations too", tool(tools.Persists, "/srv/a/a"), "ask persists-untrusted", nil},
		{"for good", tool(tools.Destroys, "/srv/notes/a"), "ask destroys", nil},
	} {
		call := callOf(c.tool)
		call.Caller.Label = untrusted
		r := p.Judge(t.Context(), call)
		if diff := cmp.Diff(c.grants, r.Grants); said(r) != c.want || diff != "" {
			t.Errorf("%s: %s, want %s\n%s", c.name, said(r), c.want, diff)
		}
	}
}
