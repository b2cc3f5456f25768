package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// A message at which hob itself fails is refused, or its turn is parked. Other messages, and other chats, are answered.
func TestFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openAs(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("hello"), llm.Say("hello")), func(cfg *session.Config) {
			cfg.Facts = func(_ context.Context, _ tools.Caller, text string) ([]string, error) {
				if text == "break" {
					panic("a fault")
				}
				return nil, nil
			}
			inForce := cfg.Policy
			cfg.Policy = func(ctx context.Context) (p policy.Policy, err error) {
				if c := tools.CallerFrom(ctx); c.RequestID == "3" {
					panic("a fault")
				}
				return inForce(ctx)
			}
		})
		_, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "1", From: "ana", Text: "break", Principal: owner})
		if err == nil || !strings.Contains(err.Error(), "hob itself has a fault") {
			t.Errorf("submit: %v", err)
		}
		first := h.say("main", "2", "good morning")
		synctest.Wait()
		broken := h.say("main", "3", "breaks while it is played")
		synctest.Wait()
		last := h.say("main", "4", "good evening")
		synctest.Wait()
		if got := h.replies("main"); got[first] != "hello (done)" || got[last] != "hello (done)" {
			t.Errorf("replies: %v", got)
		}
		if got := h.parked("main"); got != fmt.Sprintf("%d crash", broken) {
			t.Errorf("parked: %q", got)
		}
	})
}
