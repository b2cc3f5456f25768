package session

import (
	"context"

	"hob/internal/agent"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// whyDenied returns the function for [agent.Turn].Denied: it returns why a tool that exists may not
// be called, or nil.
func (p *player) whyDenied(ctx context.Context) func(name string) *agent.Denied {
	inForce, caller := p.ch.policy, p.ch.caller
	return func(name string) *agent.Denied {
		var toolset Toolset
		if p.c.access(ctx, func() { toolset = p.c.toolset }) != nil {
			return nil //nolint:nilerr // the chat is closed
		}
		tool := toolset.tool(name)
		if tool == nil {
			return nil
		}
		if inForce.CheckOffered(caller, tool) == nil {
			return deniedBySkills(toolset, caller, name)
		}
		ruling := inForce.Judge(ctx, policy.Call{Call: llm.Call{Name: name}, Tool: tool, Caller: caller})
		return &agent.Denied{Err: ruling.Refusal(name, ""), Rule: string(ruling.Rule)}
	}
}

// deniedBySkills returns the refusal of a tool that its skills keep from the caller, or nil.
func deniedBySkills(toolset Toolset, caller tools.Caller, name string) *agent.Denied {
	rule := toolset.keptByRule(caller, name)
	if rule == "" {
		return nil
	}
	ruling := policy.Ruling{Verdict: policy.Deny, Rule: rule, Why: rule.Why()}
	return &agent.Denied{Err: ruling.Refusal(name, ""), Rule: string(rule)}
}
