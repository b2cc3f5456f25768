package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// The plain word that stops what runs also stops the turn that waits for the model, as /stop does. "Never mind" does where that turn is
// the newest; else it is about the one that came after it.
func TestChores_StopAParkedTurn(t *testing.T) {
	remind := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes},
		func(context.Context, remindArgs) (tools.Result, error) {
			return tools.Result{Text: "set", Effects: []event.Effect{{Kind: "reminder", Target: "1", Detail: event.ReminderSet, Change: 7}}}, nil
		})
	for _, c := range []struct {
		before, between, words string
		stopped                bool
		want, did              string
	}{
		{words: "stop", stopped: true, want: "Stopped."},
		{words: "never mind", stopped: true, want: "Stopped."},
		{before: "timer 10 minutes pasta", words: "never mind", stopped: true, want: "Stopped."},
		{between: "timer 10 minutes pasta", words: "stop", stopped: true, want: "Stopped."},
		{between: "timer 10 minutes pasta", words: "never mind", want: "ran undo", did: `undo {"change":"7"}`},
	} {
		t.Run(c.before+c.between+" "+c.words, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlant()
				h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day), remind)
				if c.before != "" {
					h.watch(h.typed("main", "before", c.before, owner), true)
				}
				p.with(func() { p.down = true })
				parked := h.typed("main", "1", "tell me of the sea", owner)
				<-time.After(time.Minute)
				if c.between != "" {
					h.watch(h.typed("main", "between", c.between, owner), true)
				}
				said := h.typed("main", "2", c.words, owner)
				<-time.After(time.Minute)
				stopped := false
				for _, e := range h.all("main") {
					b, over := e.Body.(event.Ended)
					stopped = stopped || over && e.Turn == parked && b.Reason == event.Stopped
				}
				if got := h.replies("main")[said]; got != c.want+" (done)" || stopped != c.stopped || (c.did != "") != (h.did[c.did] == 1) {
					t.Errorf("%q, stopped: %v, did %v", got, stopped, h.did)
				}
				if all, err := h.Parked(t.Context(), "main"); err != nil || (len(all) == 0) != c.stopped {
					t.Errorf("parked are %+v, %v", all, err)
				}
			})
		})
	}
}

// Where nothing runs, the word that stops has stopped nothing, and does not say so.
func TestChores_StopNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := choring(t, storetest.NewMemory(time.Now), off(t), map[string]int{})
		for words, want := range map[string]string{"stop": "No turn is running.", "hör auf": "Es läuft nichts.", "стоп": "Сейчас ничего не выполняется."} {
			if got := replyOf(h.watch(h.typed("main", words, words, owner), false)).Text; got != want {
				t.Errorf("%q is answered with %q, want %q", words, got, want)
			}
		}
	})
}

// A new conversation that is typed begins as after a reset: nothing of the old one judges it, now or after a restart.
func TestChores_NewConversation(t *testing.T) {
	for _, how := range []string{"reset", "typed"} {
		for _, restart := range []bool{false, true} {
			t.Run(how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					did, memory := map[string]int{}, storetest.NewMemory(time.Now)
					script := llm.NewScript(
						llm.Do(fetch(1, "https://a.example/x")), llm.Say("read"),
						llm.Do(plain(2, "remember")), llm.Do(plain(3, "diary")), llm.Do(fetch(4, "https://a.example/x")), llm.Say("well"))
					begin := func() *house { return choringWith(t, memory, script, did, world(&did)...) }
					h := begin()
					h.watch(h.submit("1", "read https://a.example/x"), false)
					if how == "reset" {
						if err := h.Reset(t.Context(), "main"); err != nil {
							t.Fatal(err)
						}
					} else if got := replyOf(h.watch(h.typed("main", "2", "new conversation", owner), false)); got.Label.Untrusted {
						t.Errorf("the answer is labelled %+v", got.Label)
					}
					if restart {
						h.Close()
						h = begin()
					}
					got := rules(h.watch(h.submit("3", "keep it in mind"), false))
					if want := []string{"", "", "private-data"}; !slices.Equal(got, want) {
						t.Errorf("rules %q, want %q", got, want)
					}
				})
			})
		}
	}
}

// A call that is on record goes on after a restart, though its words would be asked about by now: it gets its result.
func TestChores_AskedAboutAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, memory := map[string]int{}, storetest.NewMemory(time.Now)
		first := choring(t, memory, off(t), did)
		seq := first.typed("main", "1", "delette notes.txt", owner) // it asks, because it is not certain
		synctest.Wait()
		first.Close()
		second := openAs(t, memory, off(t), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
			cfg.Chores.Resolve = func(_ context.Context, r intents.Reading) intents.Reading {
				r.Ask, r.Acts = "Which file?", false
				return r
			}
		}, choreTools(did)...)
		bodies := second.watch(seq, true)
		if calls, results := of[event.Called](bodies), of[event.Returned](bodies); len(calls) != 1 || len(results) != 1 || did["delete_file notes.txt"] != 1 {
			t.Errorf("%s, and did %v", types(bodies), did)
		}
	})
}

// The text of a skill that was opened before a typed new conversation is no part of that.
func TestChores_NewConversationHasNoSkills(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			memory, script := storetest.NewMemory(time.Now), llm.NewScript(llm.Say("well"))
			begin := func() *house {
				return skilledWith(t, memory, script, []skills.Skill{music(map[string]int{})}, nil,
					func(cfg *session.Config, _ *session.Settings) { cfg.Chores = unmodelled(map[string]int{}) })
			}
			h := begin()
			if err := h.OpenSkill(t.Context(), h.request("music")); err != nil {
				t.Fatal(err)
			}
			h.watch(h.typed("main", "1", "new conversation", owner), false)
			if restart {
				h.Close()
				h = begin()
			}
			h.watch(h.submit("2", "hello"), false)
			for _, m := range script.Requests()[0].Messages {
				if strings.Contains(m.Text, "Play softly at night.") {
					t.Errorf("restarted: %v: the model reads %q", restart, m.Text)
				}
			}
		})
	}
}
