package session

import (
	"context"

	"hob/internal/agent"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// denyTool says why a tool that there is may not be called, or nothing.
func (c *chat) denyTool(ctx context.Context, inForce policy.Policy) func(name string) *agent.Denied {
	caller := tools.CallerFrom(ctx)
	return func(name string) *agent.Denied {
		var kit Kit
		if c.read(ctx, func() { kit = c.kit }) != nil {
			return nil //nolint:nilerr // the chat is closed
		}
		tool := kit.tool(name)
		if tool == nil {
			return nil
		}
		if inForce.Offered(caller, tool) == nil {
			return keptBack(kit, caller, name)
		}
		ruling := inForce.Judge(ctx, policy.Call{Call: llm.Call{Name: name}, Tool: tool, Caller: caller})
		return &agent.Denied{Err: ruling.Refusal(name, ""), Rule: string(ruling.Rule)}
	}
}

// keptBack is the refusal of a tool that the skills which it is of keep from the caller, or nil.
func keptBack(kit Kit, caller tools.Caller, name string) *agent.Denied {
	rule := kit.kept(caller, name)
	if rule == "" {
		return nil
	}
	ruling := policy.Ruling{Verdict: policy.Deny, Rule: rule, Why: rule.Why()}
	return &agent.Denied{Err: ruling.Refusal(name, ""), Rule: string(rule)}
}

// chooser is what chooses tools for whoever ctx is about, and the skills that are open in their chat.
func (s *Sessions) chooser(ctx context.Context) (ch chooser, err error) {
	caller := tools.CallerFrom(ctx)
	inForce, err := s.cfg.Policy(ctx)
	if err != nil {
		return ch, err
	}
	err = s.on(ctx, caller.Chat, func(_ context.Context, c *chat) error {
		ch = chooser{kit: c.kit, open: c.tr.opens(), policy: inForce, caller: caller, meta: s.meta, most: c.most}
		return nil
	})
	return ch, err
}
