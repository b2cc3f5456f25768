package policy

import (
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/tools"
)

// judgeSending judges a call by everything that it sends to. A command that may send is judged as a
// command.
func (p Policy) judgeSending(c Call, caps tools.Capabilities) Ruling {
	if caps.Has(tools.Executes) {
		return ask(RuleCommandNetwork)
	}
	var found []Ruling
	for _, r := range resourcesOf(c.Tool, c.Args) {
		if r.URL == "" && r.Host == "" && r.Path != "" {
			continue // a file beside the address
		}
		if r.ToAsker && c.Caller.Scope == "private" {
			found = append(found, allow(RuleToAsker)) // the asking person, who could also read the file
			continue
		}
		if r.InGroup != "" && c.Caller.Scope == "group" {
			found = append(found, judgeHere(c, r.InGroup))
			continue
		}
		found = append(found, p.judgeResource(c, caps, r))
	}
	if len(found) == 0 {
		return ask(RuleSendsUnknown)
	}
	return strictest(found)
}

// judgeResource judges one target of a call. An address can leak what the model knows, so:
//
//   - an address that the owner gave word for word is fine, and so is a granted host;
//   - a long one, in a conversation with any taint, asks;
//   - with both kinds of taint everything else asks: the rule of two;
//   - a host that the owner named is fine, and so is the owner's search server;
//   - with private data everything else asks;
//   - with strangers' words only links of their pages are fine, because others may be made up to
//     carry a message;
//   - without taint there is nothing to leak, and nobody to receive it.
//
// A call that only sends, such as a message, needs a person's yes or a grant. An address that
// cannot be parsed matches nothing.
func (p Policy) judgeResource(c Call, caps tools.Capabilities, r tools.Resource) Ruling {
	if r.URL == "" && r.Host == "" {
		return ask(RuleSendsUnknown)
	}
	to, clear := addressOf(r)
	granted, taint := p.grantingRule(c.Tool.Name(), to.name), c.Caller.Label
	if !caps.Has(tools.Reads) {
		if granted != "" {
			return allow(granted)
		}
		return p.askHost(RuleSends, c, to)
	}
	named, exact := to.in(c.Words)
	switch {
	case exact:
		return allow(RuleAddressNamed)
	case len(r.URL) > maxAddress && (taint.Untrusted || taint.Private):
		return ask(RuleLongAddress)
	case granted != "":
		return allow(granted)
	case taint.Untrusted && taint.Private:
		return p.askHost(RuleOfTwo, c, to)
	case named:
		return allow(RuleHostNamed)
	case slices.Contains(p.Searches, to.name):
		return allow(RuleSearches)
	case taint.Private:
		return p.askHost(RulePrivateData, c, to)
	case taint.Untrusted && clear && c.Seen != nil && r.URL != "" && c.Seen(r.URL):
		return allow(RuleLink)
	case taint.Untrusted:
		return p.askHost(RuleConstructed, c, to)
	}
	return allow(RuleUntainted)
}

// MayFollow reports whether a running call may follow a redirect to a resource: whether policy
// would allow a call of the same tool that names it. Nobody is asked in the middle of a call.
func (p Policy) MayFollow(ctx context.Context, c Call, to tools.Resource) bool {
	return p.judgeResource(c, tools.CapabilitiesOf(ctx, c.Tool, c.Args), to).Verdict == Allow
}

// grantingRule returns the rule by which a tool may send to a host, in the form of a grant, or "".
func (p Policy) grantingRule(tool, host string) Rule {
	switch {
	case host == "":
		return ""
	case slices.ContainsFunc(p.Grants, func(g event.Grant) bool { return g.Tool == tool && g.Host == host }):
		return RuleGranted
	case slices.Contains(p.Hosts, host):
		return RuleHostAllowed
	}
	return ""
}

// askHost returns an Ask that a grant of the host would lift.
func (p Policy) askHost(r Rule, c Call, to address) Ruling {
	g := event.Grant{Tool: c.Tool.Name(), Host: to.name}
	if CheckGrant(g) != nil || !Grantable(c.Tool) {
		return ask(r)
	}
	return ask(r, g)
}
