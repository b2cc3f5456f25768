package session_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
)

// hookLog notes what it is told.
type hookLog struct {
	mu   sync.Mutex
	told []string
}

func (x *hookLog) Begin(_ context.Context, chat event.Chat) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.told = append(x.told, fmt.Sprintf("begin %s", chat))
	if len(x.told) > 2 {
		return []string{"what lingered is gone"}
	}
	return nil
}

func (x *hookLog) End(_ context.Context, chat event.Chat, reason event.Reason) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.told = append(x.told, fmt.Sprintf("end %s %s", chat, reason))
	return []string{"something still runs", "and more"}
}

// The hook hears of the beginning and the end of each turn, however it ends. Its notes are
// journaled before the Ended: whoever has seen that finds nothing of the turn alive.
func TestTheHookHearsOfTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := &hookLog{}
		h := &house{t: t, journal: storetest.NewMemory(time.Now), did: map[string]int{}}
		all := h.tools()
		model := llm.NewScript(llm.Say("hello"), llm.Do(call(1, "run", "x")), llm.Say("no"))
		h.Sessions = session.New(t.Context(), session.Config{
			Journal: h.journal, Model: model, Toolset: session.PlainToolset(all...), Now: h.now,
			Log: slog.New(slog.DiscardHandler), TurnHook: x,
			Policy: inForce, Random: rand.Reader,
			Settings: func(context.Context) session.Settings {
				return session.Settings{Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000}}
			},
		})
		defer h.Close()

		bodies := h.watch(h.submit("1", "hello"), false)
		n := len(bodies)
		want := []event.Body{event.Replied{Text: "hello"}, event.Noted{Text: "something still runs"},
			event.Noted{Text: "and more"}}
		if diff := cmp.Diff(want, bodies[n-4:n-1]); diff != "" || types(bodies)[:4] != "said" {
			t.Errorf("%s: %s", types(bodies), diff)
		}

		seq := h.submit("2", "run x") // asks, and is stopped then
		synctest.Wait()
		if ran, err := h.Stop(t.Context(), "main"); err != nil || !ran {
			t.Fatal(ran, err)
		}
		bodies = h.watch(seq, false)
		if diff := cmp.Diff(event.Noted{Text: "what lingered is gone"}, bodies[1]); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"begin main", "end main done", "begin main", "end main stopped"}, x.told); diff != "" {
			t.Error(diff)
		}
	})
}

// A turn that hob cuts short has not ended; it begins again with the next hob.
func TestTheHookOfATurnThatIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := &hookLog{}
		h := &house{t: t, journal: storetest.NewMemory(time.Now), did: map[string]int{}}
		all := h.tools()
		h.Sessions = session.New(t.Context(), session.Config{
			Journal: h.journal, Model: llm.NewScript(llm.Do(call(1, "run", "x"))),
			Toolset: session.PlainToolset(all...), Now: h.now, Log: slog.New(slog.DiscardHandler), TurnHook: x,
			Policy: inForce, Random: rand.Reader,
			Settings: func(context.Context) session.Settings {
				return session.Settings{Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000}}
			},
		})
		h.submit("1", "run x")
		synctest.Wait()
		h.Close()
		if diff := cmp.Diff([]string{"begin main"}, x.told); diff != "" {
			t.Error(diff)
		}
		if _, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "2", Text: "x"}); !errors.Is(err, session.ErrClosed) {
			t.Error(err)
		}
	})
}
