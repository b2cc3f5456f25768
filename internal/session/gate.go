package session

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// gate checks the calls of one turn against policy, and asks a person where policy requires that.
type gate struct {
	c       *chat
	turn    int64
	denied  map[string]int // by tool: those of the turn, and those whose results are not journaled yet
	command bool           // a person made the call: there is no model
	unsure  bool           // see [policy.Call]
	lang    string         // see [chat.language]
	caller  tools.Caller   // whose turn it is

	refusals map[string]string // of commands, in that language, by their English words
}

// Permit implements [agent.Gate]. The context in which the call runs carries the label of
// everything that the model had read.
func (g gate) Permit(ctx context.Context, t tools.Tool, call llm.Call) (context.Context, error) {
	p := policy.Call{Call: call, Tool: t, Caller: tools.CallerFrom(ctx), Denied: g.denied[call.Name], Unsure: g.unsure}
	var toolset Toolset
	err := g.c.access(ctx, func() {
		g.c.tr.fillJudged(&p, g.c.cfg.Now())
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
	if r, kept := keptBySkills(toolset, p.Caller, call.Name); kept { // it was not offered either
		return nil, g.refuse(call, r, "")
	}
	ruling := inForce.Judge(ctx, p)
	if ruling.Verdict == policy.Ask {
		var shown event.Binding
		shown, err = g.question(ctx, p, ruling)
		ctx = tools.WithApproved(ctx, shown)
	} else if ruling.Verdict != policy.Allow {
		err = g.refuse(call, ruling, "")
	}
	ctx = tools.WithJudge(tools.WithCaller(ctx, p.Caller), func(ctx context.Context, to tools.Resource) bool {
		now, err := g.c.cfg.Policy(ctx)
		return err == nil && now.MayFollow(ctx, p, to)
	})
	return ctx, err
}

// checkNarrowed refuses a tool that the skills of the turn do not allow. Skills only take rights
// away.
func (g gate) checkNarrowed(ctx context.Context, tool string) error {
	return g.c.doInTurn(ctx, func(context.Context) error {
		cur := g.c.tr.current()
		if !cur.narrowed || cur.isCommand() || slices.Contains(cur.allowedTools, tool) {
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

// refuse returns the refusal of a call for its reader, and counts it: a suggestion is for models.
func (g gate) refuse(call llm.Call, r policy.Ruling, by string) error {
	g.denied[call.Name]++
	e := r.Refusal(call.Name, by)
	if g.command {
		e.Suggestion = ""
		if by != "stop" {
			e.Message = r.ForPerson("", call.Name, by) + r.HowToAllow("", g.caller)
			g.refusals["error: "+e.Message] = r.ForPerson(g.lang, call.Name, by) + r.HowToAllow(g.lang, g.caller)
		}
	}
	return &agent.Denied{Err: e, Rule: string(r.Rule)}
}

// question asks a person whether the call may run. It checks that the call is still what the person
// agreed to, and returns that binding: the tool checks it, too.
func (g gate) question(ctx context.Context, p policy.Call, r policy.Ruling) (shown event.Binding, err error) {
	record, err := policy.NewQuestion(ctx, g.lang, g.c.cfg.Now().Location(), p, r) // may take a while: not on the chat's goroutine
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
		return shown, g.refuse(p.Call, r, d.By)
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
	if err := g.c.sessions.hold.awaitRelease(ctx); err != nil { // a yes that is not used now is good at the next start
		if errors.Is(err, agent.ErrStopped) {
			return shown, agent.Stopped()
		}
		return shown, err
	}
	// Of what only looks nobody journals that it begins; but a yes is good for once, also after a
	// crash.
	return record.Binding, g.c.doInTurn(ctx, func(ctx context.Context) error {
		_, err := g.c.append(ctx, g.turn, event.Started{CallID: p.ID})
		return err
	})
}

// recheck refuses a call that is denied now: a person may have switched its tool off while another
// was asked.
func (g gate) recheck(ctx context.Context, p policy.Call) error {
	inForce, err := g.c.cfg.Policy(context.WithoutCancel(ctx)) // a stop is the agent's to tell
	if err != nil {
		return err
	}
	if now := inForce.Judge(ctx, p); now.Verdict == policy.Deny {
		return g.refuse(p.Call, now, "")
	}
	return nil
}

// awaitAnswer returns the answer to a question: a person's, or a no once it expires. The end of ctx is an
// error.
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
	_ = g.c.access(ctx, func() { delete(g.c.questions, ask.ID) }) // it is asked again at the next start
	return event.Decided{}, context.Cause(ctx)
}

// ask journals the question, unless it was answered before a restart. A question from before a
// restart keeps its nonce and its expiry and is asked again: its reader may be gone.
func (c *chat) ask(ctx context.Context, ask event.Asked, answer chan event.Decided) (event.Asked, error) {
	cur := c.tr.current()
	if old, ok := cur.newestQuestion(ask.CallID); ok {
		d, answered := cur.decided[old.ID]
		switch {
		case answered && !cur.started[ask.CallID] && (!d.Allow || c.cfg.Now().Before(old.Expires)):
			answer <- d
			return old, nil
		case answered: // the yes was used before the restart, or has expired since
		case old.Hash == ask.Hash:
			c.questions[old.ID] = answer
			_, err := c.append(ctx, cur.seq, old)
			return old, err
		default: // it is another call by now
			withdrawn := event.Decided{ID: old.ID, CallID: old.CallID, By: "nobody"}
			if _, err := c.append(ctx, cur.seq, withdrawn); err != nil {
				return old, err
			}
		}
	}
	id, err := nonce(c.cfg.Random)
	if err != nil {
		return ask, err
	}
	ask.ID, ask.Expires = id, c.cfg.Now().Add(policy.Expiry).UTC().Truncate(time.Second)
	c.questions[id] = answer
	_, err = c.append(ctx, cur.seq, ask)
	return ask, err
}

// nonce returns 128 random bits. It does not begin with a dash, as an option of a command does: one
// in 64 would.
func nonce(random io.Reader) (string, error) {
	for {
		var raw [16]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return "", fmt.Errorf("make a nonce: %w", err)
		}
		if id := base64.RawURLEncoding.EncodeToString(raw[:]); id[0] != '-' {
			return id, nil
		}
	}
}

// withdraw answers no in place of a person, unless one answered in the last moment.
func (g gate) withdraw(ctx context.Context, ask event.Asked, answer chan event.Decided, by string) error {
	return g.c.doInTurn(ctx, func(ctx context.Context) error {
		if len(answer) > 0 {
			return nil
		}
		return g.c.recordDecision(ctx, event.Decided{ID: ask.ID, CallID: ask.CallID, By: by})
	})
}

// Answer is a person's answer to a question.
type Answer struct {
	Chat  event.Chat // in which it was asked
	ID    string     // of the question
	Allow bool
	By    string // who answers, in the surface's terms
	event.Principal
	Grants []event.Grant // of those that the question offers: what they allow once and for all
}

// mayAllow is the lowest level that may answer yes: a question is about a risk for the whole
// household.
const mayAllow = event.BotAdmin

// answer journals an answer, also to a question from before a restart that its turn has not reached
// again. It runs on the chat's goroutine.
func (c *chat) answer(ctx context.Context, a Answer) error {
	cur := c.tr.current()
	if cur == nil {
		return notWaiting(a.ID)
	}
	ask, ok := cur.asked[a.ID]
	if _, over := cur.decided[a.ID]; !ok || over {
		return notWaiting(a.ID)
	}
	switch {
	case a.Allow && a.Level < mayAllow:
		return fmt.Errorf("only an owner of this hob can allow that: %s is %s", a.By, a.Level)
	case a.Allow && !c.cfg.Now().Before(ask.Expires):
		return fmt.Errorf("the question %s has expired: ask again", a.ID)
	case !a.Allow && len(a.Grants) > 0:
		return errors.New("a no cannot allow anything once and for all")
	}
	for _, grant := range a.Grants {
		if !slices.Contains(ask.Grants, grant) {
			return fmt.Errorf("the question %s does not offer %s", a.ID, grant)
		}
	}
	return c.recordDecision(ctx, event.Decided{
		ID: a.ID, CallID: ask.CallID, Allow: a.Allow, By: a.By, Grants: a.Grants,
	})
}

func notWaiting(id string) error {
	return fmt.Errorf("nothing waits for an answer to %s: "+
		"it was answered or withdrawn, or it never was a question here", id)
}

// recordDecision journals a decision and sends it to the turn that waits for it.
func (c *chat) recordDecision(ctx context.Context, d event.Decided) error {
	cur := c.tr.current()
	if cur == nil {
		return notWaiting(d.ID)
	}
	if _, err := c.append(ctx, cur.seq, d); err != nil {
		return err
	}
	if waits, ok := c.questions[d.ID]; ok {
		delete(c.questions, d.ID)
		waits <- d
	}
	return nil
}

func toToolError(err error) *tools.Error {
	if own := (*tools.Error)(nil); errors.As(err, &own) {
		return own
	}
	return &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: err.Error()}
}
