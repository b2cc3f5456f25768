package session_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
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

// People who write from elsewhere are limited, and told by which limit. An input that comes again
// is not counted, nor is what is typed on the machine itself.
func TestPeopleAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			return llm.Say("hi")(ctx, r, d)
		})
		s := session.New(t.Context(), session.Config{
			Journal: storetest.NewMemory(time.Now), Model: answer, Now: time.Now,
			Log: slog.New(slog.DiscardHandler), Policy: inForce, Random: rand.Reader,
			Limiter: policy.NewLimiter(policy.Limits{TurnsPerMinute: 3, MaxText: 10, Home: "cli"}, time.Now),
			Settings: func(context.Context) session.Settings {
				return session.Settings{Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000}}
			},
		})
		defer s.Close()
		submit := func(platform, from string, id int, text string) error {
			_, err := s.Submit(t.Context(), session.Input{
				Chat: "main", ID: fmt.Sprint(platform, from, id), From: from, Text: text,
				Principal: event.Principal{Platform: platform},
			})
			return err
		}
		for i := range 3 {
			for range 2 { // as after a crash, before it was confirmed
				if err := submit("telegram", "1", i, "hi"); err != nil {
					t.Error(err)
				}
			}
		}
		if err := submit("telegram", "1", 3, "hi"); err == nil || !strings.Contains(err.Error(), "3") {
			t.Errorf("the fourth: %v", err)
		}
		if err := submit("telegram", "2", 0, "hi"); err != nil {
			t.Errorf("somebody else: %v", err)
		}
		if err := submit("telegram", "2", 1, strings.Repeat("é", 11)); err == nil ||
			!strings.Contains(err.Error(), "10") {
			t.Errorf("a long one: %v", err)
		}
		for i := range 10 {
			if err := submit("cli", "owner", i, strings.Repeat("x", 100)); err != nil {
				t.Errorf("typed here: %v", err)
			}
		}
		pass(time.Minute + time.Second)
		if err := submit("telegram", "1", 3, "hi"); err != nil {
			t.Errorf("a minute later: %v", err)
		}
	})
}
