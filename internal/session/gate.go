package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// gate asks a person about what policy does not allow by itself.
type gate struct {
	c    *chat
	turn int64
}

// Permit implements [agent.Gate].
func (g gate) Permit(ctx context.Context, t tools.Tool, call llm.Call, _ agent.Emit) error {
	if policy.Judge(ctx, t, call.Args) == policy.Allow {
		return nil
	}
	// The chat serves its turn until that has ended, so what is told to it here is never cut short.
	lasting := context.WithoutCancel(ctx)
	text := policy.Question(ctx, t, call) // may take a while, the first time: not on the chat's goroutine
	var ask event.Asked
	answer := make(chan event.Decided, 1)
	err := g.c.do(lasting, func(ctx context.Context) (err error) {
		ask, err = g.ask(ctx, call, text, answer)
		return err
	})
	if err != nil {
		return err
	}
	expiry := time.NewTimer(ask.Expires.Sub(g.c.cfg.Now()))
	defer expiry.Stop()
	select {
	case d := <-answer:
		return verdict(d)
	case <-expiry.C:
		return g.expire(lasting, ask, answer)
	case <-ctx.Done():
		_ = g.c.do(lasting, func(context.Context) error { delete(g.c.asked, ask.ID); return nil })
		if errors.Is(context.Cause(ctx), agent.ErrStopped) {
			return agent.Stopped()
		}
		return context.Cause(ctx)
	}
}

// ask journals the question, unless it was answered before a restart. A question from before a restart keeps its
// expiry and is told again: whoever saw it may be gone. It runs on the chat's goroutine.
func (g gate) ask(ctx context.Context, call llm.Call, text string, answer chan event.Decided) (event.Asked, error) {
	cur := g.c.tr.current()
	id := fmt.Sprintf("%d/%s", g.turn, call.ID)
	ask, again := cur.asked[id]
	if d, ok := cur.decided[id]; ok {
		answer <- d
		return ask, nil
	}
	if !again {
		ask = event.Asked{
			ID: id, CallID: call.ID, Tool: call.Name, Args: call.Args, Text: text,
			Expires: g.c.cfg.Now().Add(policy.Expiry).UTC().Truncate(time.Second),
		}
	}
	g.c.asked[id] = answer
	_, err := g.c.append(ctx, g.turn, ask)
	return ask, err
}

// expire counts silence as a no, unless somebody answered in the last moment.
func (g gate) expire(ctx context.Context, ask event.Asked, answer chan event.Decided) error {
	err := g.c.do(ctx, func(ctx context.Context) error {
		if len(answer) > 0 {
			return nil
		}
		return g.c.decided(ctx, event.Decided{ID: ask.ID, CallID: ask.CallID, By: "nobody"})
	})
	if err != nil {
		return err
	}
	return verdict(<-answer)
}

func verdict(d event.Decided) error {
	if !d.Allow {
		return agent.Denied(d.By)
	}
	return nil
}
