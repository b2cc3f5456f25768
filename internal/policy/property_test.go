package policy_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// situation is a call and a policy, drawn from little so that they often meet.
type situation struct {
	policy policy.Policy
	call   policy.Call
	aims   []tools.Resource
	powers tools.Capabilities
}

func situations() *rapid.Generator[situation] {
	hosts := []string{"example.org", "b.example", "b.example:8443", "192.168.1.10"}
	urls := []string{"https://example.org/a", "https://EXAMPLE.org:443/a", "https://b.example/?q=secret", "https://b.example:8443/", "http://192.168.1.10/",
		"https://example.org@evil.com/", "https://evil.com/example.org", "https://example.org.evil.com/", "", "https://www.example.org/"}
	paths := []string{"", "/srv/a/b", "/srv/ab", "/srv/a/../c", "a"}
	words := []string{"example.org", "see https://example.org/a.", "b.example/?q=secret", "https://example.org@evil.com/", "bob@b.example", "hello", "evil.com"}
	bits := []tools.Capabilities{tools.Reads, tools.Writes, tools.Executes, tools.Sends, tools.Private, tools.Untrusted, tools.Destroys, tools.Spends,
		tools.Authority, tools.Polls, tools.Confined, tools.Outside, tools.Persists}
	return rapid.Custom(func(t *rapid.T) situation {
		var s situation
		s.powers = rapid.SampledFrom([]tools.Capabilities{tools.Reads | tools.Sends | tools.Untrusted, tools.Sends, tools.Writes | tools.Outside, 0}).Draw(t, "usual")
		for _, bit := range rapid.SliceOfNDistinct(rapid.SampledFrom(bits), 0, rapid.SampledFrom([]int{0, 1, 5}).Draw(t, "odd"), rapid.ID[tools.Capabilities]).Draw(t, "powers") {
			s.powers |= bit
		}
		s.aims = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) tools.Resource {
			return tools.Resource{
				URL: rapid.SampledFrom(urls).Draw(t, "url"), Path: rapid.SampledFrom(paths).Draw(t, "path"),
				Host: rapid.SampledFrom(append(hosts, "", "", "")).Draw(t, "host"),
			}
		}), 0, 3).Draw(t, "aims")
		d := tools.Def{Name: "x", Capabilities: s.powers}
		if rapid.Bool().Draw(t, "aimed") {
			d.ResourcesOf = aimsAt(s.aims...)
		}
		s.call = callOf(toolOf(d))
		s.call.Words = rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(t, "words")
		s.call.Caller.Label = rapid.SampledFrom(labels).Draw(t, "label")
		s.call.Caller.Unattended = rapid.Bool().Draw(t, "unattended")
		s.call.Denied, s.call.Asked = rapid.IntRange(0, 2).Draw(t, "denied"), rapid.IntRange(18, 20).Draw(t, "asked")
		if links := rapid.SliceOfN(rapid.SampledFrom(urls), 0, 3).Draw(t, "links"); len(links) > 0 {
			s.call.Seen = func(url string) bool { return slices.Contains(links, url) }
		}
		s.policy.Hosts = rapid.SliceOfN(rapid.SampledFrom(hosts), 0, 2).Draw(t, "hosts")
		s.policy.Grants = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event.Grant {
			g := event.Grant{Tool: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "tool")}
			if rapid.Bool().Draw(t, "of a host") {
				g.Host = rapid.SampledFrom(hosts).Draw(t, "host")
			} else {
				g.Path = rapid.SampledFrom([]string{"/srv/a", "/srv"}).Draw(t, "folder")
			}
			return g
		}), 0, 3).Draw(t, "grants")
		return s
	})
}

// With both kinds of taint nothing is sent but to an address that the owner gave, or a host that a person has allowed.
func TestRuleOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := situations().Draw(t, "situation")
		s.call.Caller.Label = both
		if r := s.policy.Judge(t.Context(), s.call); !s.powers.Has(tools.Sends) || r.Verdict != policy.Allow {
			return
		}
		sent := 0
		for _, aim := range s.aims {
			if aim.URL == "" && aim.Host == "" {
				continue
			}
			sent++
			if !mayGo(s, aim) {
				t.Fatalf("sends to %+v", aim)
			}
		}
		if sent == 0 {
			t.Fatal("sends, and nobody knows where")
		}
	})
}

// mayGo says, by a list and not by parsing, whether an aim of a situation is allowed by a grant or by the owner's words.
func mayGo(s situation, aim tools.Resource) bool {
	host, given := aim.Host, []string(nil)
	switch aim.URL {
	case "https://example.org/a", "https://EXAMPLE.org:443/a":
		host, given = "example.org", []string{"see https://example.org/a."}
	case "https://b.example/?q=secret":
		host, given = "b.example", []string{"b.example/?q=secret"}
	case "https://b.example:8443/":
		host = "b.example:8443"
	case "http://192.168.1.10/":
		host = "192.168.1.10"
	case "":
	default:
		return false
	}
	granted := slices.ContainsFunc(s.policy.Grants, func(g event.Grant) bool { return g.Tool == "x" && g.Host == host })
	named := slices.ContainsFunc(given, func(text string) bool { return slices.Contains(s.call.Words, text) })
	return granted || slices.Contains(s.policy.Hosts, host) || named && s.powers.Has(tools.Reads)
}

// More taint, fewer grants, fewer words and nobody to ask never make a ruling milder.
func TestRulingsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := situations().Draw(t, "situation")
		worse := s
		worse.call.Caller.Label = s.call.Caller.Label.Join(rapid.SampledFrom(labels).Draw(t, "more"))
		some := func(what string) bool { return rapid.Bool().Draw(t, what) }
		worse.policy.Grants = slices.DeleteFunc(slices.Clone(s.policy.Grants), func(event.Grant) bool { return some("grant taken") })
		worse.policy.Hosts = slices.DeleteFunc(slices.Clone(s.policy.Hosts), func(string) bool { return some("host taken") })
		worse.call.Words = slices.DeleteFunc(slices.Clone(s.call.Words), func(string) bool { return some("words taken") })
		if some("links taken") {
			worse.call.Seen = nil
		}
		worse.call.Caller.Unattended = s.call.Caller.Unattended || some("alone")
		before, after := s.policy.Judge(t.Context(), s.call), worse.policy.Judge(t.Context(), worse.call)
		if after.Verdict > before.Verdict {
			t.Fatalf("%s with label %+v, %s with label %+v", said(before), s.call.Caller.Label, said(after), worse.call.Caller.Label)
		}
	})
}

// What a person is offered to grant is of a form that can be granted, and lifts the question.
func TestGrantsLiftTheQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := situations().Draw(t, "situation")
		s.call.Denied, s.call.Asked, s.call.Caller.Unattended, s.call.Caller.Label = 0, 0, false, both // so that it often asks
		r := s.policy.Judge(t.Context(), s.call)
		if len(r.Grants) == 0 {
			return
		}
		if r.Verdict != policy.Ask || !policy.Grantable(s.call.Tool) {
			t.Fatalf("%s offers %v", said(r), r.Grants)
		}
		for _, g := range r.Grants {
			if err := policy.CheckGrant(g); err != nil || g.Tool != "x" {
				t.Fatalf("it offers %v: %v", g, err)
			}
		}
		s.policy.Grants = append(s.policy.Grants, r.Grants...)
		if after := s.policy.Judge(t.Context(), s.call); after.Verdict != policy.Allow {
			t.Fatalf("%s offers %v, which leaves %s", said(r), r.Grants, said(after))
		}
	})
}

// Every ruling names a rule, and says why where it does not allow.
func TestEveryRulingNamesItsRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := situations().Draw(t, "situation")
		r := s.policy.Judge(t.Context(), s.call)
		if r.Rule == "" || (r.Verdict == policy.Allow) != (r.Why == "") || (r.Verdict == policy.Allow) != (r.Rule.Why() == "") {
			t.Fatalf("%s, because %q", said(r), r.Why)
		}
	})
}
