package session

import (
	"context"

	"hob/internal/agent"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// whyDenied returns the function for [agent.Turn].Denied: it says why an existing tool may not be
// called, or returns nil.
func (p *player) whyDenied(ctx context.Context) func(name string) *agent.Denied {
	inForce, caller := p.chooser.policy, p.chooser.caller
	return func(name string) *agent.Denied {
		var toolset Toolset
		if p.c.access(ctx, func() { toolset = p.c.toolset }) != nil {
			return nil //nolint:nilerr // the chat has ended
		}
		tool := toolset.tool(name)
		if tool == nil {
			return nil
		}
		ruling, denied := deniedBySkills(toolset, caller, name)
		if inForce.CheckOffered(caller, tool) != nil {
			ruling = inForce.Judge(ctx, policy.Call{Call: llm.Call{Name: name}, Tool: tool, Caller: caller})
		} else if !denied {
			return nil
		}
		return &agent.Denied{Err: ruling.Refusal(name, ""), Rule: string(ruling.Rule)}
	}
}

// deniedBySkills returns the ruling by which the skills of a tool keep it from the caller; denied is
// false if they do not.
func deniedBySkills(toolset Toolset, caller tools.Caller, name string) (r policy.Ruling, denied bool) {
	rule := toolset.denyingRule(caller, name)
	return policy.Ruling{Verdict: policy.Deny, Rule: rule, Why: rule.Why()}, rule != ""
}
