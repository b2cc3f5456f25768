package policy

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"hob/internal/event"
	"hob/internal/tools"
)

// Judge says whether a call may run.
//
// A tool that is switched off, or not for the caller, is denied, and so is a tool that was denied
// twice in the turn. Other calls are judged by their capabilities, and the strictest of these rules
// holds:
//
//   - a change of rights asks, and is denied if strangers' words are in the conversation;
//   - spending asks;
//   - running programs asks, unless the kernel confines them to the workspace without network;
//   - an irreversible action asks;
//   - sending asks, unless all targets are harmless (see judgeResource);
//   - storing something for later conversations, and changing files outside of the workspace, asks
//     if strangers' words are in the conversation;
//   - a tool that does not describe itself asks.
//
// If nobody can be asked, or too many questions were asked, a question becomes a denial.
func (p Policy) Judge(ctx context.Context, c Call) Ruling {
	if rule := p.withholdingRule(c.Caller, c.Tool); rule != "" {
		return deny(rule)
	}
	if c.Denied >= maxDenied {
		return deny(RuleDeniedTwice)
	}
	r := p.weigh(c, tools.CapabilitiesOf(ctx, c.Tool, c.Args))
	if c.Unsure && r.Verdict == Allow {
		r = ask(RuleUnsure)
	}
	switch {
	case r.Verdict != Ask:
		return r
	case c.Caller.Unattended:
		return Ruling{Verdict: Deny, Rule: r.Rule, Why: r.Why + ", and nobody is there to be asked"}
	case c.Asked >= maxAsked:
		return deny(RuleAskedTooOften)
	}
	return r
}

// CheckOffered returns nil if the caller may be offered a tool, otherwise the error that a call
// would get.
func (p Policy) CheckOffered(caller tools.Caller, t tools.Tool) *tools.Error {
	rule := p.withholdingRule(caller, t)
	if rule == "" {
		return nil
	}
	return deny(rule).Refusal(t.Name(), "")
}

// ToolList returns the tools of all that a model may be offered on behalf of the caller, in their
// order. It excludes hidden tools, which only people know.
func (p Policy) ToolList(caller tools.Caller, all []tools.Tool) []tools.Tool {
	offered := make([]tools.Tool, 0, len(all))
	for _, t := range all {
		if !tools.DefOf(t).Hidden && p.withholdingRule(caller, t) == "" {
			offered = append(offered, t)
		}
	}
	return offered
}

// withholdingRule returns the rule that keeps a tool from the caller, or "".
func (p Policy) withholdingRule(caller tools.Caller, t tools.Tool) Rule {
	switch name := t.Name(); {
	case p.Disabled[name]:
		return RuleDisabled
	case p.DisabledIn[caller.Chat][name]:
		return RuleDisabledHere
	case len(p.Only) > 0 && !slices.Contains(p.Only, name):
		return RuleAllowlist
	}
	return Rule(tools.DefOf(t).Audience().Barrier(caller))
}

// acts are the capabilities that say what a call does. The others qualify them.
const acts = tools.Reads | tools.Writes | tools.Executes | tools.Sends | tools.Destroys | tools.Spends | tools.Authority |
	tools.Outside | tools.Persists | tools.Plays

// weigh judges a call by its capabilities.
func (p Policy) weigh(c Call, caps tools.Capabilities) Ruling {
	var found []Ruling
	for _, rule := range []struct {
		of    tools.Capabilities
		judge func(Policy, Call, tools.Capabilities) Ruling
	}{
		{tools.Authority, Policy.judgeAuthority},
		{tools.Spends, func(Policy, Call, tools.Capabilities) Ruling { return ask(RuleSpends) }},
		{tools.Executes, Policy.judgeCommand},
		{tools.Destroys, func(Policy, Call, tools.Capabilities) Ruling { return ask(RuleDestroys) }},
		{tools.Sends, Policy.judgeSending},
		{tools.Persists, Policy.judgePersisting},
		{tools.Outside, Policy.judgeOutside},
	} {
		if caps.Has(rule.of) {
			found = append(found, rule.judge(p, c, caps))
		}
	}
	switch {
	case len(found) > 0:
		return strictest(found)
	case caps&acts == 0:
		return ask(RuleSaysNothing)
	case caps.Has(tools.Writes):
		return allow(RuleWorkspace)
	case caps.Has(tools.Plays):
		return allow(RuleStory)
	}
	return allow(RuleReads)
}

// strictest returns the strictest of rulings, and of those the first. If several of them ask, a
// person could only grant all or none: if one cannot be lifted by a grant, none is offered.
func strictest(all []Ruling) Ruling {
	s := all[0]
	for _, r := range all[1:] {
		switch {
		case r.Verdict < s.Verdict:
			s = r
		case r.Verdict > s.Verdict || s.Verdict != Ask:
		case len(r.Grants) == 0:
			s.Grants = nil
		case len(s.Grants) > 0:
			s.Grants = slices.Clone(s.Grants)
			for _, g := range r.Grants {
				if !slices.Contains(s.Grants, g) {
					s.Grants = append(s.Grants, g)
				}
			}
		}
	}
	return s
}

func (p Policy) judgeAuthority(c Call, _ tools.Capabilities) Ruling {
	if c.Caller.Label.Untrusted {
		return deny(RuleAuthorityUntrusted)
	}
	return ask(RuleAuthority)
}

func (p Policy) judgeCommand(_ Call, caps tools.Capabilities) Ruling {
	switch {
	case caps.Has(tools.Sends): // first, because it tells the person more, and the sandbox does not change it
		return ask(RuleCommandNetwork)
	case !caps.Has(tools.Confined):
		return ask(RuleUnconfined)
	}
	return allow(RuleSandboxed)
}

func (p Policy) judgePersisting(c Call, _ tools.Capabilities) Ruling {
	if c.Caller.Label.Untrusted {
		return ask(RulePersistsUntrusted)
	}
	return allow(RulePersists)
}

// judgeOutside judges a change of files in a folder that a person has opened.
func (p Policy) judgeOutside(c Call, _ tools.Capabilities) Ruling {
	if !c.Caller.Label.Untrusted {
		return allow(RuleOutside)
	}
	var missing []event.Grant
	name, grantable, known := c.Tool.Name(), Grantable(c.Tool), false
	for _, r := range resourcesOf(c.Tool, c.Args) {
		if r.Path == "" {
			continue
		}
		known = true
		if slices.ContainsFunc(p.Grants, func(g event.Grant) bool { return g.Tool == name && isWithin(g.Path, r.Path) }) {
			continue
		}
		g := event.Grant{Tool: name, Path: filepath.Dir(r.Path)}
		grantable = grantable && plainPath(r.Path) && CheckGrant(g) == nil
		if !slices.Contains(missing, g) {
			missing = append(missing, g)
		}
	}
	switch {
	case known && len(missing) == 0:
		return allow(RuleGranted)
	case known && grantable:
		return ask(RuleOutsideUntrusted, missing...)
	}
	return ask(RuleOutsideUntrusted)
}

// resourcesOf returns what a call is about to touch, or nothing if its tool does not say.
func resourcesOf(t tools.Tool, args json.RawMessage) []tools.Resource {
	all, _ := tools.ResourcesOf(t, args)
	return all
}
