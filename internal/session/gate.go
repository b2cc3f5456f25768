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

// gate checks the calls of one turn against policy, and asks a person if policy requires it.
type gate struct {
	c       *chat
	turn    int64
	denied  map[string]int // number of denied calls by tool, including those whose results are not journaled yet
	command bool           // a person made the call, and no model
	unsure  bool           // see [policy.Call]
	lang    string         // see [chat.language]
	caller  tools.Caller   // whose turn it is

	refusals map[string]string // translated refusals of commands, by their English text
}

// Permit implements [agent.Gate]. The returned context carries the label of everything that the
// model has read.
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
	if r, kept := keptBySkills(toolset, p.Caller, call.Name); kept { // the model was not offered it either
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

// checkNarrowed refuses a tool that the skills of the turn do not allow. Skills can only take
// rights away.
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

// refuse counts and returns the refusal of a call. Only models get the suggestion.
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
// agreed to, and returns that binding, which the tool checks again.
func (g gate) question(ctx context.Context, p policy.Call, r policy.Ruling) (shown event.Binding, err error) {
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
		return g.refuse(p.Call, now, "")
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

// ask journals the question, unless it was answered before a restart. An open question from before
// a restart keeps its nonce and its expiry, and is asked again, because its reader may be gone.
func (c *chat) ask(ctx context.Context, ask event.Asked, answer chan event.Decided) (event.Asked, error) {
	cur := c.tr.current()
	if old, ok := cur.newestQuestion(ask.CallID); ok {
		d, answered := cur.decided[old.ID]
		switch {
		case answered && !cur.started[ask.CallID] && (!d.Allow || c.cfg.Now().Before(old.Expires)):
			answer <- d
			return old, nil
		case answered: // the yes was used before the restart, or has expired
		case old.Hash == ask.Hash:
			c.questions[old.ID] = answer
			_, err := c.append(ctx, cur.seq, old)
			return old, err
		default: // the call has changed since
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

// nonce returns 128 random bits as text without a leading dash, which would look like an option of
// a command. One in 64 would have one.
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

// withdraw answers no instead of a person, unless somebody just answered.
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
	Chat  event.Chat // the chat with the question
	ID    string     // of the question
	Allow bool
	By    string // who answers, as the surface names them
	event.Principal
	Grants []event.Grant // those of the offered grants that the person gives
}

// YesOrNo reads an answer of one word to a question, in English, German, Russian or
// Chinese. If the text is no such word, ok is false.
func YesOrNo(text string) (yes, ok bool) {
	switch strings.Trim(strings.ToLower(strings.TrimSpace(text)), ".!。！ ") {
	case "yes", "y", "ok", "okay", "allow", "ja", "j", "да", "д", "ок", "是", "是的", "好", "好的", "可以", "允许":
		return true, true
	case "no", "n", "deny", "nein", "нет", "н", "不", "否", "不行", "不是", "不可以", "拒绝":
		return false, true
	}
	return false, false
}

// mayAllow is the lowest level that may answer yes, because a question is about a risk for the
// whole household.
const mayAllow = event.BotAdmin

// answer journals an answer. The question may be from before a restart, and not asked again yet. It
// runs on the chat's goroutine.
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

// recordDecision journals a decision and sends it to the waiting turn.
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
