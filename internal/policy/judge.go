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
// A tool that is switched off, or not for whoever asks, is denied, and so is one that was denied twice in the turn. What is
// left is judged by the capabilities of the call, and the strictest of these holds:
//
//   - what changes rights asks, and is denied where strangers' words are in the conversation;
//   - what spends asks;
//   - what runs programs asks, unless the kernel keeps them to the workspace and off the network;
//   - what cannot be taken back asks;
//   - what sends asks unless all that it sends to is harmless (see judgeResource);
//   - what later conversations are told, and what changes files outside of the workspace, asks where strangers' words are in
//     this one;
//   - what says nothing of itself asks.
//
// Where nobody can be asked, or too often somebody was, a question is a denial.
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

// CheckOffered says whether the caller may be offered a tool at all: nil, or the error that a call of it would have.
func (p Policy) CheckOffered(caller tools.Caller, t tools.Tool) *tools.Error {
	rule := p.withholdingRule(caller, t)
	if rule == "" {
		return nil
	}
	return deny(rule).Refusal(t.Name(), "")
}

// ToolList returns what of all tools a model is offered on behalf of the caller, in their order. Hidden tools are not: people
// alone know of them.
func (p Policy) ToolList(caller tools.Caller, all []tools.Tool) []tools.Tool {
	menu := make([]tools.Tool, 0, len(all))
	for _, t := range all {
		if !tools.DefOf(t).Hidden && p.withholdingRule(caller, t) == "" {
			menu = append(menu, t)
		}
	}
	return menu
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

// acts are the capabilities that say what a call does; the others qualify them.
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

// strictest returns the strictest of rulings, and of those the first. Where several ask, a person could lift all of them or
// none: one that nothing lifts leaves nothing to grant.
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
	case caps.Has(tools.Sends): // first: it says more to whoever is asked, and walls do not change it
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

// judgeOutside judges a change of files that a person has opened a folder for.
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

// resourcesOf returns what a call is about to touch, or nothing where its tool does not say.
func resourcesOf(t tools.Tool, args json.RawMessage) []tools.Resource {
	all, _ := tools.ResourcesOf(t, args)
	return all
}
