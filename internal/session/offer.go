package session

import (
	"context"

	"hob/internal/agent"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// offer leaves out of a turn the tools that the caller may not be offered.
func (c *chat) offer(ctx context.Context, t *agent.Turn) error {
	inForce, err := c.cfg.Policy(context.WithoutCancel(ctx)) // a turn that is stopped by now still has to say so
	if err != nil {
		return err
	}
	caller := tools.CallerFrom(ctx)
	t.Tools = inForce.Menu(caller, t.Tools)
	t.Withheld = func(name string) *agent.Refusal {
		tool := find(c.cfg.Tools, name)
		if tool == nil || inForce.Offered(caller, tool) == nil {
			return nil
		}
		ruling := inForce.Judge(ctx, policy.Call{Call: llm.Call{Name: name}, Tool: tool, Caller: caller})
		return &agent.Refusal{Err: ruling.Refusal(name, ""), Rule: string(ruling.Rule)}
	}
	return nil
}

// sieve is what goes over results, or nothing.
func (c *chat) sieve() agent.Sieve {
	if c.cfg.Sieve == nil {
		return nil
	}
	return c.cfg.Sieve
}
