package session_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store/storetest"
)

// A turn that is stopped while the policy in force is read ends as stopped, as at any other time.
func TestATurnIsStoppedBeforeItIsOffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t, journal: storetest.NewMemory(time.Now), did: map[string]int{}}
		all := h.tools()
		stopped := false
		h.Sessions = session.New(t.Context(), session.Config{
			Journal: h.journal, Model: llm.NewScript(llm.Say("hello")), Toolset: session.PlainToolset(all...),
			Now: h.now, Log: slog.New(slog.DiscardHandler),
			Policy: func(ctx context.Context) (policy.Policy, error) {
				if !stopped {
					stopped = true
					if ran, err := h.Stop(t.Context(), "main"); err != nil || !ran {
						t.Errorf("stop: %v, %v", ran, err)
					}
				}
				if ctx.Err() != nil { // as a database says
					return policy.Policy{}, ctx.Err()
				}
				return inForce(ctx)
			},
			Random: rand.Reader,
			Settings: func(context.Context) session.Settings {
				return session.Settings{Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000}}
			},
		})
		defer h.Close()
		bodies := h.watch(h.submit("1", "hello"), false)
		if end, ok := bodies[len(bodies)-1].(event.Ended); !ok || end.Reason != event.Stopped {
			t.Errorf("it ended with %+v", bodies[len(bodies)-1])
		}
	})
}
