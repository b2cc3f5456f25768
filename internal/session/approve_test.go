package session_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// Only an owner's answer to the very question that waits here counts. Anything else is refused and
// changes nothing.
func TestAnswersThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		change func(h *house, a *session.Answer)
		want   string
	}{
		"forged":             {func(_ *house, a *session.Answer) { a.ID = "AAAAAAAAAAAAAAAAAAAAAA" }, "nothing waits"},
		"guessed in part":    {func(_ *house, a *session.Answer) { a.ID = a.ID[:21] }, "nothing waits"},
		"empty":              {func(_ *house, a *session.Answer) { a.ID = "" }, "nothing waits"},
		"by its call":        {func(_ *house, a *session.Answer) { a.ID = "run-1" }, "nothing waits"},
		"of another chat":    {func(_ *house, a *session.Answer) { a.Chat = "other" }, "nothing waits"},
		"by a user":          {func(_ *house, a *session.Answer) { a.Level = event.User }, "only an owner"},
		"by a group's admin": {func(_ *house, a *session.Answer) { a.Level = event.GroupOwner }, "only an owner"},
		"by nobody known":    {func(_ *house, a *session.Answer) { a.Principal = event.Principal{} }, "only an owner"},
		"too late":           {func(h *house, _ *session.Answer) { h.asleep = 25 * time.Hour }, "expired"},
		"on the very moment": {func(h *house, _ *session.Answer) { h.asleep = 24 * time.Hour }, "expired"},
		"with more than was offered": {func(_ *house, a *session.Answer) {
			a.Grants = []event.Grant{{Tool: "run", Host: "evil.example"}}
		}, "does not offer"},
		"a no that grants": {func(_ *house, a *session.Answer) {
			a.Allow, a.Grants = false, []event.Grant{{Tool: "run", Host: "evil.example"}}
		}, "a no cannot"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := open(t, storetest.NewMemory(time.Now),
					llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("well")))
				seq := h.submit("1", "run x")
				synctest.Wait()
				a := yes(h.asked(), true, "mallory")
				c.change(h, &a)
				if err := h.Decide(t.Context(), a); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("Decide = %v, want one that says %q", err, c.want)
				}
				synctest.Wait()
				if h.did["run x"] > 0 {
					t.Error("it ran")
				}
				h.asleep = 0
				if err := h.Decide(t.Context(), yes(h.asked(), false, "ana")); err != nil {
					t.Errorf("the right answer is not taken any more: %v", err)
				}
				h.watch(seq, false)
			})
		})
	}
}

// bound is a tool whose calls run on something that may change.
type bound struct {
	tools.Tool
	sum *string
}

func (b bound) Def() tools.Def {
	d := tools.DefOf(b.Tool)
	d.Bind = func(context.Context, json.RawMessage) (event.Binding, error) {
		return event.Binding{Profile: "T3", Dir: "/w",
			Files: []event.BoundFile{{Path: "deploy.sh", Sum: *b.sum}}}, nil
	}
	return d
}

// What a person has said yes to runs as it was, or not at all.
func TestAnApprovalHoldsForWhatWasShown(t *testing.T) {
	for _, change := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			sum, ran := strings.Repeat("a", 64), 0
			act := bound{tools.New(tools.Def{Name: "act", Description: "acts", Capabilities: tools.Executes},
				func(ctx context.Context, _ struct{}) (tools.Result, error) {
					ran++
					if shown, ok := tools.ApprovedFrom(ctx); !ok || len(shown.Files) != 1 ||
						shown.Files[0].Sum != sum {
						t.Errorf("it is not told what was shown: %+v", shown)
					}
					return tools.Result{Text: "done"}, nil
				}), &sum}
			h := openWith(t, storetest.NewMemory(time.Now),
				llm.NewScript(llm.Do(llm.CallOf(1, "act", struct{}{})), llm.Say("well")), act)
			seq := h.submit("1", "act")
			synctest.Wait()
			if change {
				sum = strings.Repeat("b", 64)
			}
			h.decide(h.asked(), true, "ana")
			bodies := h.watch(seq, false)
			var r event.Returned
			for _, b := range bodies {
				if got, ok := b.(event.Returned); ok {
					r = got
				}
			}
			if change && (ran != 0 || r.OK || r.Rule != "altered" || !strings.Contains(r.Text, "deploy.sh")) ||
				!change && (ran != 1 || !r.OK) {
				t.Errorf("changed %t: ran %d times, %+v", change, ran, r)
			}
		})
	}
}

// A yes is good for once, also one for a call that only looks and that ran when hob died.
func TestAYesIsGoodForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		looked, hold := 0, make(chan struct{})
		ask := tools.New(tools.Def{Name: "ask", Description: "asks", Capabilities: tools.Reads | tools.Sends},
			func(ctx context.Context, _ struct{}) (tools.Result, error) {
				if looked++; looked == 1 {
					<-ctx.Done()
					return tools.Result{}, context.Cause(ctx)
				}
				close(hold)
				return tools.Result{Text: "seen"}, nil
			})
		model := llm.NewScript(llm.Do(llm.CallOf(1, "ask", struct{}{})), llm.Say("well"))
		h := openWith(t, memory, model, ask)
		seq := h.submit("1", "ask")
		synctest.Wait()
		first := h.asked()
		h.decide(first, true, "ana")
		synctest.Wait()
		h.Close() // in the middle of it

		h = openWith(t, memory, model, ask)
		if _, err := h.IsBusy(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		second := h.asked()
		if looked != 1 || second.ID == first.ID {
			t.Fatalf("it looked %d times, and asked %s after %s", looked, second.ID, first.ID)
		}
		if err := h.Decide(t.Context(), yes(first, true, "ana")); err == nil {
			t.Error("the first yes was taken again")
		}
		h.decide(second, true, "ana")
		h.watch(seq, false)
		if looked != 2 {
			t.Errorf("it looked %d times", looked)
		}
	})
}

// After two denials a tool is not asked about again in that turn, also not in the same breath; in
// the next it may.
func TestTwoDenialsBlockATool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(
			llm.Do(call(1, "run", "a"), call(2, "run", "b"), call(3, "run", "c")), llm.Do(call(4, "run", "d")),
			llm.Do(call(5, "look", "e")), llm.Say("well"),
			llm.Do(call(6, "run", "f")), llm.Say("well"))
		h := open(t, storetest.NewMemory(time.Now), script)
		rules := func(bodies []event.Body) (asked int, rules []string) {
			for _, b := range bodies {
				switch b := b.(type) {
				case event.Asked:
					asked++
				case event.Returned:
					rules = append(rules, b.Rule)
				}
			}
			return asked, rules
		}
		asked, got := rules(h.watch(h.submit("1", "run"), false))
		if diff := cmp.Diff([]string{"unconfined", "unconfined", "denied-twice", "denied-twice", ""}, got); diff != "" || asked != 2 {
			t.Errorf("asked %d times; %s", asked, diff)
		}
		if asked, _ := rules(h.watch(h.submit("2", "run"), false)); asked != 1 {
			t.Errorf("the next turn asked %d times", asked)
		}
		legal(t, script.Requests())
	})
}

// A stop withdraws the question: a late press is told so.
func TestAStopWithdrawsTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("well")))
		seq := h.submit("1", "run x")
		synctest.Wait()
		q := h.asked()
		if ran, err := h.Halt(t.Context(), "main"); err != nil || !ran {
			t.Fatal(ran, err)
		}
		if err := h.Decide(t.Context(), yes(q, true, "ana")); err == nil {
			t.Error("a yes after the stop was taken")
		}
		by := ""
		for _, b := range h.watch(seq, true) {
			if d, ok := b.(event.Decided); ok {
				by = d.By
			}
		}
		if by != "stop" || h.did["run x"] > 0 {
			t.Errorf("decided by %q, ran %v", by, h.did)
		}
	})
}

// Where nobody can be asked, what would ask is denied, and the turn goes on.
func TestUnattended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("well")))
		alone := owner
		alone.Unattended = true
		seq, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "1", Text: "run x", Principal: alone})
		if err != nil {
			t.Fatal(err)
		}
		bodies := h.watch(seq, true)
		if got := types(bodies); strings.Contains(got, "asked") ||
			!strings.Contains(got, "returned generated replied ended") || h.did["run x"] > 0 {
			t.Errorf("%s, ran %v", got, h.did)
		}
	})
}
