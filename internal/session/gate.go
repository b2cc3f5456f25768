package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// gate checks the calls of one turn against policy, and asks a person if policy requires it.
type gate struct {
	c       *chat
	turn    int64
	denied  map[string]int // number of denied calls by tool, including those whose results are not journaled yet
	command bool           // a person made the call, and no model
	unsure  bool           // see [policy.Call]
	lang    string         // see [chat.language]

	refusals map[string]string // translated refusals of commands, by their English text
}

// Permit implements [agent.Gate]. The returned context carries the label of everything that the
// model has read.
func (g gate) Permit(ctx context.Context, t tools.Tool, call llm.Call) (context.Context, error) {
	p := policy.Call{Call: call, Tool: t, Caller: tools.CallerFrom(ctx), Denied: g.denied[call.Name], Unsure: g.unsure}
	var toolset Toolset
	err := g.c.access(ctx, func() {
		g.c.tr.fillPolicyCall(&p, g.c.cfg.Now())
		toolset = g.c.toolset
	})
	if err != nil {
		return nil, err
	}
	inForce, err := g.c.cfg.Policy(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	if err := g.checkNarrowed(ctx, call.Name); err != nil {
		return nil, err
	}
	if r, denied := deniedBySkills(toolset, p.Caller, call.Name); denied { // the model was not offered it either
		return nil, g.refuse(p, r, "")
	}
	if ruling := inForce.Judge(ctx, p); ruling.Verdict == policy.Ask {
		var shown event.Binding
		shown, err = g.askPerson(ctx, p, ruling)
		ctx = tools.WithApproved(ctx, shown)
	} else if ruling.Verdict != policy.Allow {
		err = g.refuse(p, ruling, "")
	}
	ctx = tools.WithJudge(tools.WithCaller(ctx, p.Caller), func(ctx context.Context, to tools.Resource) bool {
		now, err := g.c.cfg.Policy(ctx)
		return err == nil && now.MayFollow(ctx, p, to)
	})
	return ctx, err
}

// checkNarrowed refuses a tool that the skills of the turn do not allow. Skills can only take
// rights away.
func (g gate) checkNarrowed(ctx context.Context, tool string) error {
	return g.c.doInTurn(ctx, func(context.Context) error {
		cur := g.c.tr.current()
		if len(cur.narrowedBy) == 0 || cur.isCommand() || slices.Contains(cur.allowedTools, tool) {
			return nil
		}
		g.denied[tool]++
		e := tools.Denied(event.CodePermissionDenied, "%s is not among the tools that the skill %s allows",
			tool, strings.Join(cur.narrowedBy, ", "))
		return &agent.Denied{
			Rule: string(policy.RuleSkill), Err: e.Suggest("use one of: " + strings.Join(cur.allowedTools, ", ")),
		}
	})
}

// refuse counts and returns the refusal of a call. Only models get the suggestion.
func (g gate) refuse(p policy.Call, r policy.Ruling, by string) error {
	g.denied[p.Name]++
	e := r.Refusal(p.Name, by)
	if g.command {
		e.Suggestion = ""
		if by != "stop" {
			e.Message = r.ForPerson("", p.Name, by) + r.HowToAllow("", p.Caller)
			g.refusals["error: "+e.Message] = r.ForPerson(g.lang, p.Name, by) + r.HowToAllow(g.lang, p.Caller)
		}
	}
	return &agent.Denied{Err: e, Rule: string(r.Rule)}
}

// askPerson asks a person whether the call may run. It checks that the call is still what the person
// agreed to, and returns that binding, which the tool checks again.
func (g gate) askPerson(ctx context.Context, p policy.Call, r policy.Ruling) (shown event.Binding, err error) {
	record, err := policy.NewQuestion(ctx, g.lang, g.c.cfg.Now().Location(), p, r) // may be slow, so it does not run on the chat's goroutine
	if err != nil {
		return shown, &agent.Denied{Err: toToolError(err), Rule: string(r.Rule)}
	}
	answer := make(chan event.Decided, 1)
	err = g.c.doInTurn(ctx, func(ctx context.Context) (err error) {
		record, err = g.c.ask(ctx, record, answer)
		return err
	})
	if err != nil {
		return shown, err
	}
	d, err := g.awaitAnswer(ctx, record, answer)
	switch {
	case err != nil:
		return shown, err
	case !d.Allow:
		return shown, g.refuse(p, r, d.By)
	}
	if err := g.recheck(ctx, p); err != nil {
		return shown, err
	}
	if bad := policy.CheckApproved(ctx, record, p); bad != nil {
		g.denied[p.Name]++
		return shown, &agent.Denied{Err: bad, Rule: string(policy.RuleAltered)}
	}
	if !tools.DefOf(p.Tool).Capabilities.Repeatable() {
		return record.Binding, nil
	}
	if err := g.c.sessions.hold.awaitRelease(ctx); err != nil { // a yes that goes unused now is still valid after a restart
		if errors.Is(err, agent.ErrStopped) {
			return shown, agent.Stopped()
		}
		return shown, err
	}
	// A read is not journaled as started. Its yes counts once all the same, even after a crash.
	return record.Binding, g.c.doInTurn(ctx, func(ctx context.Context) error {
		_, err := g.c.append(ctx, g.turn, event.Started{CallID: p.ID})
		return err
	})
}

// recheck refuses a call that is denied by now: somebody may have disabled its tool while the
// question was open.
func (g gate) recheck(ctx context.Context, p policy.Call) error {
	inForce, err := g.c.cfg.Policy(context.WithoutCancel(ctx)) // the agent reports a stop
	if err != nil {
		return err
	}
	if now := inForce.Judge(ctx, p); now.Verdict == policy.Deny {
		return g.refuse(p, now, "")
	}
	return nil
}

// awaitAnswer returns the answer to a question: a person's, or a no when it expires. If ctx ends,
// it returns an error.
func (g gate) awaitAnswer(ctx context.Context, ask event.Asked, answer chan event.Decided) (event.Decided, error) {
	expiry := time.NewTimer(ask.Expires.Sub(g.c.cfg.Now()))
	defer expiry.Stop()
	select {
	case d := <-answer:
		return d, nil
	case <-expiry.C:
		if err := g.withdraw(ctx, ask, answer, "nobody"); err != nil {
			return event.Decided{}, err
		}
		return <-answer, nil
	case <-ctx.Done():
	}
	if errors.Is(context.Cause(ctx), agent.ErrStopped) {
		if err := g.withdraw(ctx, ask, answer, "stop"); err != nil {
			return event.Decided{}, err
		}
		return event.Decided{}, agent.Stopped()
	}
	_ = g.c.access(ctx, func() { delete(g.c.questions, ask.ID) }) // the question is asked again after a restart
	return event.Decided{}, context.Cause(ctx)
}

// withdraw answers no instead of a person, unless somebody just answered.
func (g gate) withdraw(ctx context.Context, ask event.Asked, answer chan event.Decided, by string) error {
	return g.c.doInTurn(ctx, func(ctx context.Context) error {
		if len(answer) > 0 {
			return nil
		}
		return g.c.recordDecision(ctx, event.Decided{ID: ask.ID, CallID: ask.CallID, By: by})
	})
}

func toToolError(err error) *tools.Error {
	if own := (*tools.Error)(nil); errors.As(err, &own) {
		return own
	}
	return &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: err.Error()}
}
