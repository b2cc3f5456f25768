package session_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// house is a hob in a box: a journal in memory, a scripted model, and tools that count what they did.
type house struct {
	t       *testing.T
	journal session.Journal
	did     map[string]int // by tool and path
	asleep  time.Duration  // by which the wall clock is ahead of all timers, as after a suspended night
	*session.Sessions
}

func open(t *testing.T, journal session.Journal, model llm.Model) *house {
	return openWith(t, journal, model)
}

// openWith is open with more tools.
func openWith(t *testing.T, journal session.Journal, model llm.Model, more ...tools.Tool) *house {
	return openAs(t, journal, model, func(*session.Config) {}, more...)
}

// openAs is openWith for another configuration.
func openAs(t *testing.T, journal session.Journal, model llm.Model, change func(*session.Config), more ...tools.Tool) *house {
	h := &house{t: t, journal: journal, did: map[string]int{}}
	all := append(h.tools(), more...)
	cfg := session.Config{
		Journal: journal, Model: model, Toolset: session.PlainToolset(all...), Now: h.now,
		Log:    slog.New(slog.DiscardHandler),
		Policy: inForce, Random: rand.Reader,
		Settings: func(context.Context) session.Settings {
			return session.Settings{
				Budget:  agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
				Options: llm.Options{NumPredict: 500}, Window: window.Window{Size: 8192, Reserve: 500},
			}
		},
	}
	change(&cfg)
	h.Sessions = session.New(t.Context(), cfg)
	t.Cleanup(h.Close)
	return h
}

// inForce is the policy of a house where nothing was granted or switched off.
func inForce(context.Context) (policy.Policy, error) { return policy.Policy{}, nil }

// owner is the standing of who lives there.
var owner = event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}

func (h *house) now() time.Time { return time.Now().Add(h.asleep) }

func (h *house) tools() []tools.Tool {
	type path struct {
		Path string `json:"path"`
	}
	make := func(name string, powers tools.Capabilities) tools.Tool {
		return tools.New(tools.Def{Name: name, Description: name, Capabilities: powers}, func(_ context.Context, in path) (tools.Result, error) {
			h.did[name+" "+in.Path]++
			return tools.Result{Text: name + " " + in.Path}, nil
		})
	}
	return []tools.Tool{make("look", tools.Reads), make("write", tools.Writes), make("run", tools.Executes)}
}

func (h *house) submit(id, text string) int64 {
	h.t.Helper()
	seq, err := h.Submit(h.t.Context(), session.Input{Chat: "main", ID: id, From: "ana", Text: text,
		Principal: owner})
	if err != nil {
		h.t.Fatal(err)
	}
	return seq
}

// watch follows the chat until the turn that answers what was said has ended and returns its
// bodies. It answers questions with allow.
func (h *house) watch(seq int64, allow bool) []event.Body {
	h.t.Helper()
	var bodies []event.Body
	turn := seq
	for e, err := range h.Follow(h.t.Context(), "main", 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		if q, ok := e.Body.(event.Asked); ok {
			// It fails where the question was answered before the crash that a test is about, or
			// has expired.
			_ = h.Decide(h.t.Context(), yes(q, allow, "ana"))
		}
		turn = session.TurnOf(seq, turn, e)
		if e.Turn != turn {
			continue
		}
		bodies = append(bodies, e.Body)
		if _, over := e.Body.(event.Ended); over {
			break
		}
	}
	return bodies
}

func types(bodies []event.Body) string {
	var names []string
	for _, b := range bodies {
		names = append(names, b.Type())
	}
	return strings.Join(names, " ")
}

func call(n int, tool, path string) llm.Call {
	return llm.CallOf(n, tool, map[string]string{"path": path})
}

func TestATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llm.NewScript(llm.Do(call(1, "write", "a")), llm.Say("It is written."))
		h := open(t, storetest.NewMemory(time.Now), model)
		got := types(h.watch(h.submit("1", "write a"), false))
		if want := "said generated called started returned delta generated replied ended"; got != want &&
			got != strings.Replace(want, " delta", "", 1) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestTheSameInputTwiceIsOneInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("once")))
		first := h.submit("1", "hello")
		h.watch(first, false)
		if again := h.submit("1", "hello"); again != first {
			t.Errorf("handed in again it became %d, not %d", again, first)
		}
		other := (*event.ReusedIDError)(nil)
		if _, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "1", Text: "something else"}); !errors.As(err, &other) {
			t.Errorf("another text with the same id: %v", err)
		}
	})
}

func TestInputsThatArriveMeanwhileAreAnsweredInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan struct{})
		model := llm.NewScript(
			func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				<-busy
				return llm.Say("first")(ctx, r, d)
			},
			llm.Say("second"), llm.Say("third"))
		h := open(t, storetest.NewMemory(time.Now), model)
		h.submit("1", "one")
		h.submitAs("2", "bo", "two")
		last := h.submit("3", "three")
		close(busy)
		h.watch(last, false)
		want := []string{"user one", "assistant first", "user two", "assistant second", "user three"}
		if diff := cmp.Diff(want, summary(model.Requests()[2])); diff != "" {
			t.Error(diff)
		}
	})
}

// crashing is a journal whose process dies when n events were appended: the append that would go
// beyond fails, and so does everything after it.
type crashing struct {
	session.Journal
	left int
}

func (c *crashing) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	if c.left -= len(entries); c.left < 0 {
		c.left = 0
		return nil, errors.New("crashed")
	}
	return c.Journal.Append(ctx, entries...)
}

// modelOf answers by what the conversation holds and not by how often it was asked, as a real model
// does.
func modelOf(requests *[]llm.Request) llm.Model {
	return model(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		*requests = append(*requests, req)
		results := 0
		for _, m := range req.Messages {
			if m.Role == llm.ToolRole {
				results++
			}
		}
		switch results {
		case 0:
			return llm.Do(call(1, "look", "a"), call(2, "write", "b"))(ctx, req, onDelta)
		case 2:
			return llm.Do(call(3, "run", "c"))(ctx, req, onDelta)
		}
		return llm.Say("so it is")(ctx, req, onDelta)
	})
}

type model func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

func (m model) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	return m(ctx, req, onDelta)
}

// Whatever event the crash comes after: the turn ends after the restart, nothing that acts runs
// twice, and the model never sees a transcript that is not legal.
func TestCrashAfterEveryEvent(t *testing.T) {
	for n := 1; ; n++ {
		crashed := false
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { crashed = crashAfter(t, n) })
		})
		if !crashed {
			if n < 12 {
				t.Errorf("the turn was over after %d events", n)
			}
			return
		}
	}
}

func crashAfter(t *testing.T, n int) (crashed bool) {
	var requests []llm.Request
	memory := storetest.NewMemory(time.Now)
	journal := &crashing{memory, n}
	first := open(t, journal, modelOf(&requests))
	seq := first.submit("1", "go")
	for e, err := range first.Follow(t.Context(), "main", 0) {
		if err != nil {
			crashed = true
			break
		}
		if q, ok := e.Body.(event.Asked); ok {
			_ = first.Decide(t.Context(), yes(q, true, "ana"))
		}
		if _, over := e.Body.(event.Ended); over {
			break
		}
	}
	first.Close()

	second := open(t, memory, modelOf(&requests))
	if _, err := second.IsBusy(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	bodies := second.watch(seq, true)
	if got, ok := bodies[len(bodies)-1].(event.Ended); !ok || got.Reason != event.Done {
		t.Errorf("the turn ended with %+v", bodies[len(bodies)-1])
	}
	for _, act := range []string{"write b", "run c"} {
		if times := first.did[act] + second.did[act]; times > 1 {
			t.Errorf("%s was done %d times", act, times)
		}
	}
	legal(t, requests)
	return crashed
}

// legal fails when a request has a call without exactly one result before the next message that is
// no result.
func legal(t *testing.T, requests []llm.Request) {
	t.Helper()
	for _, r := range requests {
		open := map[string]bool{}
		for _, m := range r.Messages {
			if m.Role == llm.ToolRole {
				if !open[m.CallID] {
					t.Errorf("a result for %q, which waits for none: %+v", m.CallID, r.Messages)
				}
				delete(open, m.CallID)
				continue
			}
			if len(open) > 0 {
				t.Errorf("calls without results: %v in %+v", open, r.Messages)
			}
			for _, c := range m.Calls {
				open[c.ID] = true
			}
		}
	}
}

// Being told to stop is no crash, and who waits for a person's answer ends no process: both may
// happen any number of times.
func TestATurnThatWaitsForAnAnswerIsNotParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		asks := llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("fine"))
		h := open(t, memory, asks)
		seq := h.submit("1", "run x")
		synctest.Wait() // it waits for an answer
		for range 5 {
			h.Close()
			h = open(t, memory, asks)
			if busy, err := h.IsBusy(t.Context(), "main"); err != nil || !busy {
				t.Fatalf("IsBusy = %t, %v; the turn should go on", busy, err)
			}
			synctest.Wait()
		}
		h.Close()
		for range 10 {
			crashed := open(t, &crashing{memory, 2}, asks) // dies after Resumed and Asked
			if busy, err := crashed.IsBusy(t.Context(), "main"); err != nil || !busy {
				t.Fatalf("IsBusy = %t, %v; the turn should go on", busy, err)
			}
			synctest.Wait()
			crashed.Close() // which can no longer journal that it was told to stop
		}
		h = open(t, memory, asks)
		bodies := h.watch(seq, true)
		if got := bodies[len(bodies)-1].(event.Ended).Reason; got != event.Done || h.did["run x"] != 1 {
			t.Errorf("it ended with %q, and did %v", got, h.did)
		}
		legal(t, asks.Requests())
	})
}

// A turn whose call takes the process down with it is parked in the end. A person may try it again,
// and what it leaves is legal.
func TestATurnWhoseCallEndsTheProcessIsParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		asks := llm.NewScript(llm.Do(call(1, "look", "x")), llm.Say("new"), llm.Say("fine"))
		crashed := open(t, &crashing{memory, 3}, asks) // dies after Called
		seq := crashed.submit("1", "look x")
		synctest.Wait()
		crashed.Close()
		for range 3 {
			crashed := open(t, &crashing{memory, 1}, asks) // dies after Resumed
			_, _ = crashed.IsBusy(t.Context(), "main")     // it may crash before it can answer
			pass(time.Minute)                              // it begins behind others
			crashed.Close()
		}
		h := open(t, memory, asks)
		h.watch(h.submit("2", "and now?"), false)
		all, err := h.Parked(t.Context(), "main")
		if err != nil || len(all) != 1 || all[0].ID != seq || all[0].Reason != event.ParkedBroken {
			t.Fatalf("parked: %+v %v", all, err)
		}
		if err := h.Retry(t.Context(), "main", seq); err != nil {
			t.Fatal(err)
		}
		bodies := h.watch(seq, false)
		if got := bodies[len(bodies)-1].(event.Ended).Reason; got != event.Done || h.did["look x"] != 1 {
			t.Errorf("it ended with %q, and did %v", got, h.did)
		}
		legal(t, asks.Requests())
	})
}

// A turn that makes progress each time and still ends the process each time is parked, and the
// person reads how often it did.
func TestAPersonReadsHowOftenATurnEndedTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		entries := []store.Entry{{Chat: "main", Body: event.Said{InputID: "1", Text: "hello", Principal: owner}}}
		for range 12 {
			entries = append(entries,
				store.Entry{Chat: "main", Turn: 1, Body: event.Generated{Message: llm.Message{Text: "so"}}},
				store.Entry{Chat: "main", Turn: 1, Body: event.Resumed{}})
		}
		entries = append(entries,
			store.Entry{Chat: "main", Turn: 1, Body: event.Generated{Message: llm.Message{Text: "so"}}},
			store.Entry{Chat: "main", Turn: 1, Body: event.Requested{}})
		if _, err := memory.Append(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
		h := open(t, memory, llm.NewScript())
		if all, err := h.Parked(t.Context(), "main"); err != nil || len(all) != 1 ||
			all[0].Reason != event.ParkedBroken {
			t.Fatalf("parked: %+v %v", all, err)
		}
		for e, err := range memory.Chat(t.Context(), "main", 0) {
			if b, ok := e.Body.(event.Parked); err != nil || ok && !strings.Contains(b.Text, "ended 13 times") {
				t.Errorf("the person reads %q %v", b.Text, err)
			}
		}
	})
}

// A turn that only waits while the process is killed again and again is not what kills it.
func TestATurnThatWaitsIsNotGivenUp(t *testing.T) {
	for _, crashes := range []int{10, 60} {
		synctest.Test(t, func(t *testing.T) {
			memory := storetest.NewMemory(time.Now)
			h := open(t, memory, llm.NewScript())
			h.Close()
			_, err := memory.Append(t.Context(),
				store.Entry{Chat: "main", Body: event.Said{InputID: "1", Text: "hello",
					Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}}})
			if err != nil {
				t.Fatal(err)
			}
			for range crashes {
				crashed := open(t, &crashing{memory, 1}, llm.NewScript(llm.Say("never journaled"))) // dies after Resumed
				_, _ = crashed.IsBusy(t.Context(), "main")                                          // it may crash before it can answer
				synctest.Wait()
				crashed.Close()
			}
			h = open(t, memory, llm.NewScript(llm.Say("hello")))
			all, err := h.Parked(t.Context(), "main")
			if err != nil || len(all) > 0 {
				t.Errorf("after %d crashes parked: %+v %v", crashes, all, err)
			}
		})
	}
}

func TestApprovals(t *testing.T) {
	for name, c := range map[string]struct {
		decide func(*house, event.Asked)
		ran    int
		reason event.Reason
		by     string
	}{
		"a yes runs it":   {func(h *house, q event.Asked) { h.decide(q, true, "ana") }, 1, event.Done, "ana"},
		"a no does not":   {func(h *house, q event.Asked) { h.decide(q, false, "ana") }, 0, event.Denied, "ana"},
		"silence is a no": {func(*house, event.Asked) { pass(25 * time.Hour) }, 0, event.Denied, "nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := open(t, storetest.NewMemory(time.Now),
					llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("well")))
				seq := h.submit("1", "run x")
				var end event.Ended
				var by string
				for e, err := range h.Follow(t.Context(), "main", 0) {
					if err != nil {
						t.Fatal(err)
					}
					switch b := e.Body.(type) {
					case event.Asked:
						if !strings.Contains(b.Text, "path: x\n") || len(b.ID) != 22 || b.Hash == "" ||
							!b.Expires.After(time.Now().Add(23*time.Hour)) {
							t.Errorf("asked %+v", b)
						}
						c.decide(h, b)
					case event.Decided:
						by = b.By
					case event.Ended:
						end = b
					}
					if end.Reason != "" && e.Turn == seq {
						break
					}
				}
				if h.did["run x"] != c.ran || end.Reason != c.reason || by != c.by {
					t.Errorf("ran %d times, ended %q, decided by %q; want %+v", h.did["run x"], end.Reason, by, c)
				}
			})
		})
	}
}

func yes(q event.Asked, allow bool, by string) session.Answer {
	return session.Answer{Chat: "main", ID: q.ID, Allow: allow, By: by, Principal: owner}
}

func (h *house) decide(q event.Asked, allow bool, by string) {
	if err := h.Decide(h.t.Context(), yes(q, allow, by)); err != nil {
		h.t.Error(err)
	}
	if err := h.Decide(h.t.Context(), yes(q, allow, by)); err == nil {
		h.t.Error("a second decision was taken")
	}
}

// A question keeps its expiry over a restart, and a yes that comes too late is none.
func TestAQuestionExpiresOverARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		model := llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("well"))
		h := open(t, memory, model)
		seq := h.submit("1", "run x")
		synctest.Wait()
		h.Close()
		pass(25 * time.Hour)
		h = open(t, memory, model)
		var expiries []time.Time
		bodies := h.watch(seq, true)
		for _, b := range bodies {
			if q, ok := b.(event.Asked); ok {
				expiries = append(expiries, q.Expires)
			}
		}
		if len(expiries) != 2 || !expiries[0].Equal(expiries[1]) {
			t.Errorf("the question expires at %v", expiries)
		}
		if end := bodies[len(bodies)-1].(event.Ended); end.Reason != event.Denied || h.did["run x"] > 0 {
			t.Errorf("it ended with %q and ran %v", end.Reason, h.did)
		}
	})
}

// asked returns the newest question.
func (h *house) asked() (q event.Asked) {
	for e, err := range h.journal.Chat(h.t.Context(), "main", 0) {
		if b, ok := e.Body.(event.Asked); err == nil && ok {
			q = b
		}
	}
	return q
}

// A machine that slept past the expiry wakes to a question that a late yes does not answer.
func TestAYesAfterTheExpiryIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("well")))
		h.submit("1", "run x")
		synctest.Wait()
		h.asleep = 25 * time.Hour
		late := yes(h.asked(), true, "ana")
		if err := h.Decide(t.Context(), late); err == nil || !strings.Contains(err.Error(), "expired") {
			t.Errorf("Decide = %v", err)
		}
		late.Allow = false
		if err := h.Decide(t.Context(), late); err != nil || h.did["run x"] > 0 {
			t.Errorf("a no is always taken: %v, ran %v", err, h.did)
		}
		synctest.Wait()
	})
}

// Wherever a stop lands, the turn ends as stopped and the chat lives on.
func TestStopAtAnyMoment(t *testing.T) {
	for n := range 30 {
		synctest.Test(t, func(t *testing.T) {
			memory := storetest.NewMemory(time.Now)
			var h *house
			count := 0
			h = open(t, &stopping{Memory: memory, at: n, count: &count, stop: func() {
				go func() { _, _ = h.Stop(t.Context(), "main") }()
			}}, llm.NewScript(llm.Do(call(1, "look", "a")), llm.Do(call(2, "run", "x")),
				llm.Say("done"), llm.Say("again")))
			seq := h.submit("1", "run x")
			bodies := h.watch(seq, true)
			if got := bodies[len(bodies)-1].(event.Ended).Reason; got != event.Stopped && got != event.Done {
				t.Errorf("stopped at event %d it ended with %q", n, got)
			}
			if _, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "2", Text: "again"}); err != nil {
				t.Errorf("the chat is dead: %v", err)
			}
		})
	}
}

// A stop may also land while a call is being judged, between two looks at whether the turn was stopped.
func TestStopWhileACallIsJudged(t *testing.T) {
	for n := range 600 { // which of two ready ways a goroutine takes is chance
		synctest.Test(t, func(t *testing.T) {
			var h *house
			judged := 0
			act := describing{tool: tools.New(tools.Def{Name: "act", Description: "acts", Capabilities: tools.Executes},
				func(context.Context, struct{}) (tools.Result, error) { return tools.Result{Text: "done"}, nil }),
				asked: func() {
					if judged++; judged == n%6+1 {
						_, _ = h.Stop(t.Context(), "main")
					}
				}}
			h = openWith(t, storetest.NewMemory(time.Now),
				llm.NewScript(llm.Do(llm.CallOf(1, "act", struct{}{})), llm.Say("done"), llm.Say("again")), act)
			bodies := h.watch(h.submit("1", "act"), true)
			if got := bodies[len(bodies)-1].(event.Ended).Reason; got != event.Stopped && got != event.Done {
				t.Errorf("stopped at look %d it ended with %q", n%6+1, got)
			}
			if _, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "2", Text: "again"}); err != nil {
				t.Errorf("the chat is dead: %v", err)
			}
		})
	}
}

// describing is a tool that tells when somebody looks at what it may do.
type describing struct {
	tool  tools.Tool
	asked func()
}

func (d describing) Name() string               { return d.tool.Name() }
func (d describing) Description() string        { return d.tool.Description() }
func (d describing) Parameters() map[string]any { return d.tool.Parameters() }
func (d describing) Def() tools.Def             { d.asked(); return tools.DefOf(d.tool) }
func (d describing) Execute(ctx context.Context, params map[string]any) (string, error) {
	return d.tool.Execute(ctx, params)
}

// stopping is a journal that tells when it has been appended to for the at-th time.
type stopping struct {
	*storetest.Memory
	at    int
	count *int
	stop  func()
}

func (s *stopping) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	if *s.count++; *s.count == s.at {
		s.stop()
	}
	return s.Memory.Append(ctx, entries...)
}

// What a turn had spent before it was cut short is spent.
func TestAResumedTurnGetsNoNewBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		again := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			n++
			return llm.Do(call(n, "look", fmt.Sprint(n)))(ctx, r, d)
		})
		memory := storetest.NewMemory(time.Now)
		h := open(t, &crashing{memory, 20}, again)
		seq := h.submit("1", "look around")
		synctest.Wait()
		h.Close()
		h = open(t, memory, again)
		bodies := h.watch(seq, false)
		end := bodies[len(bodies)-1].(event.Ended)
		if end.Reason != event.OverBudget || end.Steps != 11 || n > 12 {
			t.Errorf("it ended with %+v after %d requests", end, n)
		}
	})
}

func TestResetStopsWhatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		script := llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("hello"))
		h := open(t, memory, script)
		h.submit("1", "run x")
		synctest.Wait()
		h.Close()
		h = open(t, memory, script)
		if err := h.Reset(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		h.watch(h.submit("2", "hello"), false)
		if got := len(script.Requests()[1].Messages); got != 1 {
			t.Errorf("the new conversation begins with %d messages", got)
		}
	})
}

// Who follows a chat that breaks off is told all that was journaled, and then why.
func TestAFollowerSeesTheLastEventBeforeTheEnd(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			memory := storetest.NewMemory(time.Now)
			h := open(t, &crashing{memory, 5}, llm.NewScript(llm.Do(call(1, "write", "a")), llm.Say("done")))
			h.submit("1", "write a")
			var last int64
			// From after the Said: what comes then comes from the chat and not from the journal.
			for e, err := range h.Follow(t.Context(), "main", 1) {
				if err != nil {
					break
				}
				synctest.Wait()
				last = max(last, e.Seq)
			}
			var journaled int64
			for e := range memory.Chat(t.Context(), "main", 0) {
				journaled = e.Seq
			}
			if last != journaled {
				t.Errorf("saw up to %d of %d", last, journaled)
			}
		})
	}
}

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(call(1, "run", "x"))))
		if ran, err := h.Stop(t.Context(), "main"); ran || err != nil {
			t.Errorf("Stop of an idle chat = %t, %v", ran, err)
		}
		seq := h.submit("1", "run x")
		synctest.Wait() // it waits for an answer now
		if ran, err := h.Stop(t.Context(), "main"); !ran || err != nil {
			t.Errorf("Stop = %t, %v", ran, err)
		}
		bodies := h.watch(seq, false)
		if got := bodies[len(bodies)-1].(event.Ended).Reason; got != event.Stopped || h.did["run x"] > 0 {
			t.Errorf("it ended with %q and ran %v", got, h.did)
		}
	})
}

// Once the end of a turn is in the journal there is nothing left to stop, although its goroutine
// may not have returned yet.
func TestStopAfterTheEnd(t *testing.T) {
	for range 50 {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("done")))
		h.watch(h.submit("1", "hello"), false)
		if ran, err := h.Stop(t.Context(), "main"); ran || err != nil {
			t.Fatalf("Stop after the end = %t, %v", ran, err)
		}
	}
}

// The prompt of the next request begins, byte for byte, with that of the one before, whatever the
// clock says.
func TestThePromptOnlyGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(llm.Do(call(1, "look", "a")), llm.Say("seen"), llm.Say("fine"), llm.Say("still fine"))
		memory := storetest.NewMemory(time.Now)
		h := open(t, memory, script)
		h.watch(h.submit("1", "look"), false)
		pass(26 * time.Hour)
		h.watch(h.submit("2", "and now?"), false)
		h.Close() // a restart changes nothing either
		pass(time.Minute)
		h = open(t, memory, script)
		h.watch(h.submit("3", "and now?"), false)

		var before []byte
		for i, r := range script.Requests() {
			head, err := json.Marshal([]any{r.System, r.Tools})
			if err != nil {
				t.Fatal(err)
			}
			messages, err := json.Marshal(r.Messages)
			if err != nil {
				t.Fatal(err)
			}
			prompt := append(head, strings.TrimSuffix(string(messages), "]")...)
			if !strings.HasPrefix(string(prompt), string(before)) {
				t.Errorf("request %d does not begin with request %d:\n%s\n%s", i+1, i, before, prompt)
			}
			if strings.Contains(string(head), "20") && strings.Contains(string(head), time.Now().Format("2006")) {
				t.Error("there is a date at the front of the prompt")
			}
			before = prompt
		}
		if last := string(before); strings.Count(last, "2000-01-0") != 3 {
			t.Errorf("every message should carry its own time: %s", last)
		}
	})
}

func TestALongConversationIsToldInShortAndNothingIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requests []llm.Request
		long := strings.Repeat("many words ", 400)
		memory := storetest.NewMemory(time.Now)
		h := open(t, memory, model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			requests = append(requests, r)
			return llm.Say("yes")(ctx, r, d)
		}))
		for i := range 8 {
			h.watch(h.submit(fmt.Sprint(i), fmt.Sprintf("turn %d %s", i, long)), false)
		}
		h.Close()
		h = open(t, memory, model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			requests = append(requests, r)
			return llm.Say("yes")(ctx, r, d)
		}))
		h.watch(h.submit("last", "the end"), false)
		for _, r := range requests {
			if n := len(fmt.Sprint(r.Messages)) / 4; n > 8192*3/4 {
				t.Errorf("a request of about %d tokens", n)
			}
			legal(t, []llm.Request{r})
		}
		before, after := requests[len(requests)-2].Messages, requests[len(requests)-1].Messages
		if !reflect.DeepEqual(before, after[:len(before)]) {
			t.Error("a restart changed what the model is told")
		}
		said := 0
		for e, err := range memory.Chat(t.Context(), "main", 0) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := e.Body.(event.Said); ok {
				said++
			}
		}
		if said != 9 {
			t.Errorf("%d of 9 inputs are in the journal", said)
		}
	})
}

func TestResetBeginsANewConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(llm.Say("hello"), llm.Say("who are you?"), llm.Say("ana"))
		memory := storetest.NewMemory(time.Now)
		h := open(t, memory, script)
		h.watch(h.submit("1", "I am ana"), false)
		if err := h.Reset(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		h.watch(h.submit("2", "who am I?"), false)
		h.Close()
		h = open(t, memory, script)
		h.watch(h.submit("3", "ana"), false)
		if got := fmt.Sprint(script.Requests()[2].Messages); strings.Contains(got, "I am ana") ||
			!strings.Contains(got, "who am I?") {
			t.Errorf("the model is told %s", got)
		}
	})
}

// A follower that does not keep up misses deltas and nothing else.
func TestASlowFollowerMissesNoEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chatter := func(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			for i := range 1000 {
				onDelta(llm.Delta{Text: fmt.Sprint("x ", i, " ")})
			}
			for i := range 300 {
				onDelta(llm.Delta{Status: fmt.Sprint("still at it ", i)})
			}
			return llm.Say("so it is")(ctx, r, onDelta)
		}
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(chatter))
		seq := h.submit("1", "go on and on")
		var seqs []int64
		for e, err := range h.Follow(t.Context(), "main", 0) {
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // let the turn run as far ahead as it can
			if e.Seq > 0 {
				seqs = append(seqs, e.Seq)
			}
			if _, over := e.Body.(event.Ended); over && e.Turn == seq {
				break
			}
		}
		for i, s := range seqs {
			if s != int64(i+1) {
				t.Fatalf("event %d has Seq %d", i, s)
			}
		}
		if len(seqs) != 304 { // said, 300 noted, generated, replied, ended
			t.Errorf("saw %d events", len(seqs))
		}
	})
}

func TestBadInputIsRefused(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
	for _, in := range []session.Input{
		{Chat: "main", ID: "1", Text: " \n"}, {Chat: "main", ID: "", Text: "x"}, {Chat: "", ID: "1", Text: "x"}, {Chat: "two words", ID: "1", Text: "x"},
		{Chat: "bell\a", ID: "1", Text: "x"}, {Chat: event.Chat(strings.Repeat("x", 200)), ID: "1", Text: "x"},
	} {
		if _, err := h.Submit(t.Context(), in); err == nil {
			t.Errorf("%+v was taken", in)
		}
	}
}

// pass lets the virtual time of a synctest bubble go by.
func pass(d time.Duration) { <-time.After(d) }
