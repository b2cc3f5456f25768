package staged_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/agent/staged"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	fake "hob/internal/llm/ollama/ollamafake"
	"hob/internal/tools"
)

// The rows of the conformance file about the loop.
func TestTurnEngine(t *testing.T) {
	t.Run("turn-engine-01", func(t *testing.T) {
		s := newTale()
		var steps []llm.Step
		for i := range 5 {
			steps = append(steps, walk(i, fmt.Sprint("place ", i)))
		}
		script := llm.NewScript(append(steps, llm.Say("You walked far."), llm.Say("one too many"))...)
		got, bodies := agenttest.Play(t, t.Context(), script, s.turn("walk for ever"))
		if got != "You walked far.\n\nAt place 4" || agenttest.EndReason(t, bodies) != event.Done || len(s.done) != 5 {
			t.Errorf("%q, %s, it did %v", got, agenttest.EndReason(t, bodies), s.done)
		}
		if diff := cmp.Diff("calls calls calls calls calls narration", classes(bodies)); diff != "" {
			t.Error(diff)
		}
		r := script.Requests()
		if len(r) != 6 || r[5].Options != (llm.Options{NumPredict: 180, Think: llm.ThinkOn, Temperature: 0.8}) ||
			r[4].Options != (llm.Options{NumPredict: 100, Think: llm.ThinkOn, Temperature: 0.1}) {
			t.Errorf("%d requests, the last with %+v", len(r), r[len(r)-1].Options)
		}
		if err := prefix(r); err != nil {
			t.Error(err)
		}
		if m := r[5].Messages; m[len(m)-1].Text != "Tell it." || len(m) != 1+2*5+1 {
			t.Errorf("the last message is %+v", m[len(m)-1])
		}
	})
	t.Run("turn-engine-02", func(t *testing.T) {
		s := newTale()
		script := llm.NewScript(llm.Say("I see a dragon."), llm.Say("Night falls."))
		got, bodies := agenttest.Play(t, t.Context(), script, s.turn("look around"))
		if got != "Night falls.\n\nAt home" || len(script.Requests()) != 2 || len(agenttest.Of[event.Called](bodies)) > 0 {
			t.Errorf("%q after %d requests", got, len(script.Requests()))
		}
		want := []event.Body{
			event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: "draft", Raw: "I see a dragon.", Usage: llm.Usage{PromptTokens: 11, EvalTokens: 4}},
			event.Nudged{Text: "Tell it.", Why: event.ForNarration},
			event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: "Night falls."}, Class: "narration", Usage: llm.Usage{PromptTokens: 13, EvalTokens: 4}},
			event.Replied{Text: "Night falls.\n\nAt home", Choices: []event.Choice{{Label: "on", Text: "go on", Pick: "7"}}},
			event.Ended{Reason: event.Done, Steps: 2, PromptTokens: 13, EvalTokens: 8},
		}
		if diff := cmp.Diff(want, bodies); diff != "" {
			t.Error(diff)
		}
		if err := prefix(script.Requests()); err != nil {
			t.Error(err)
		}
	})
	t.Run("turn-engine-04", func(t *testing.T) {
		s := newTale()
		two := llm.Do(llm.CallOf(1, "walk", map[string]string{"to": "a"}), llm.CallOf(2, "walk", map[string]string{"to": "b"}))
		_, bodies := agenttest.Play(t, t.Context(), llm.NewScript(two, walk(3, "c"), llm.Say("ok"), llm.Say("ok")), s.turn("walk"))
		if r := agenttest.Results(bodies); len(r) != 3 || r[0].Text != "you walked from home to a" || r[1].Text != "you walked from a to b" {
			t.Errorf("%+v", r)
		}
		want := []tools.CallRef{{ID: "walk-1", Reply: 1}, {ID: "walk-2", Reply: 1, Index: 1}, {ID: "walk-3", Reply: 2}}
		if diff := cmp.Diff(want, s.places); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("turn-engine-05", func(t *testing.T) {
		s := newTale()
		turn := s.turn("dance")
		turn.Denied = func(name string) *agent.Denied {
			if name == "teleport" {
				return &agent.Denied{Rule: "tool-disabled", Err: &tools.Error{Type: event.TypeDisabled, Code: event.CodeToolDisabled, Message: "teleport is disabled"}}
			}
			return nil
		}
		odd := llm.Do(llm.CallOf(1, "dance", struct{}{}), llm.CallOf(2, "teleport", struct{}{}), llm.CallOf(3, "walk", map[string]string{"to": "a"}))
		script := llm.NewScript(odd, llm.Say("ok"), llm.Say("You walked to a."))
		got, bodies := agenttest.Play(t, t.Context(), script, turn)
		r := agenttest.Results(bodies)
		if len(r) != 3 || r[0].OK || r[0].Error.Code != event.CodeToolNotFound || r[1].OK || r[1].Error.Code != event.CodeToolDisabled || !r[2].OK || agenttest.EndReason(t, bodies) != event.Done {
			t.Errorf("%q, %+v", got, r)
		}
		if diff := cmp.Diff([]tools.CallRef{{ID: "walk-3", Reply: 1, Index: 2}}, s.places); diff != "" {
			t.Errorf("the place counts all calls of the reply: %s", diff)
		}
		if all := fmt.Sprint(script.Requests()[1].Messages); !strings.Contains(all, "dance") || !strings.Contains(all, "teleport is disabled") {
			t.Errorf("the model reads %s", all)
		}
	})
	t.Run("turn-engine-07", func(t *testing.T) {
		s := newTale()
		two := llm.Do(llm.CallOf(1, "walk", map[string]string{"to": "a"}), llm.CallOf(2, "walk", map[string]string{"to": "hell"}))
		got, bodies := agenttest.Play(t, t.Context(), llm.NewScript(two, llm.Say("ok"), llm.Say("You are at a.")), s.turn("walk"))
		r := agenttest.Results(bodies)
		if !r[0].OK || r[1].OK || r[1].Error.Code != event.CodeExecutionFailed || !strings.Contains(r[1].Text, "the tool broke") || s.where() != "a" {
			t.Errorf("%q, %+v", got, r)
		}
	})
	t.Run("turn-engine-10", func(t *testing.T) {
		s := newTale()
		var steps []llm.Step
		for range 9 {
			steps = append(steps, llm.Say(""))
		}
		got, bodies := agenttest.Play(t, t.Context(), llm.NewScript(steps...), s.turn("walk"))
		if got != "Nothing happens. Say what you do.\n\nAt home" || agenttest.EndReason(t, bodies) != event.NoModel || len(s.places) > 0 {
			t.Errorf("%q, %s", got, agenttest.EndReason(t, bodies))
		}
	})
	t.Run("turn-engine-11", func(t *testing.T) {
		for want, first := range map[string]llm.Step{"Nothing happens. Say what you do.\n\nAt home": llm.Say("well"), "You walked to a.\n\nAt a": walk(1, "a")} {
			s := newTale()
			s.narration.Batches = 1
			got, bodies := agenttest.Play(t, t.Context(), llm.NewScript(first, llm.Say("")), s.turn("walk"))
			words, _, _ := strings.Cut(want, "\n")
			if got != want || agenttest.EndReason(t, bodies) != event.Done || s.finalized[words] != 1 {
				t.Errorf("%q, %s, finalized %v", got, agenttest.EndReason(t, bodies), s.finalized)
			}
			if g := agenttest.Of[event.Generated](bodies); g[len(g)-1].Message.Text != words || g[len(g)-1].Class != "narration" {
				t.Errorf("the conversation keeps %+v", g[len(g)-1])
			}
		}
	})
}

// A narration that fails the check is asked for again, as often as the driver says; then its own
// words stand.
func TestRewrites(t *testing.T) {
	for rewrites, want := range []string{"narration", "narration rewrite", "narration rewrite rewrite"} {
		s := newTale()
		s.narration.Rewrites = rewrites
		steps := []llm.Step{llm.Say("ok")}
		for range rewrites + 1 {
			steps = append(steps, llm.Say("A dragon!"))
		}
		script := llm.NewScript(steps...)
		got, bodies := agenttest.Play(t, t.Context(), script, s.turn("look"))
		if got != "Nothing happens. Say what you do.\n\nAt home" || classes(bodies) != "draft "+want || agenttest.EndReason(t, bodies) != event.Done {
			t.Errorf("%d rewrites: %q, %s", rewrites, got, classes(bodies))
		}
		if err := prefix(script.Requests()); err != nil {
			t.Error(err)
		}
		g := agenttest.Of[event.Generated](bodies)
		if last := g[len(g)-1]; last.Raw != "A dragon!" || last.Message.Text != "Nothing happens. Say what you do." {
			t.Errorf("%+v", last)
		}
	}
	s := newTale()
	got, bodies := agenttest.Play(t, t.Context(), llm.NewScript(llm.Say("ok"), llm.Say("A dragon!"), llm.Say("It is quiet.")), s.turn("look"))
	if got != "It is quiet.\n\nAt home" || classes(bodies) != "draft narration rewrite" {
		t.Errorf("%q, %s", got, classes(bodies))
	}
}

// Calls in a narration are not run, and the words beside them count.
func TestCallsInANarration(t *testing.T) {
	both := func(text string) llm.Step {
		return agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text, Calls: []llm.Call{llm.CallOf(9, "walk", map[string]string{"to": "b"})}}})
	}
	for text, want := range map[string]string{"You are at a.": "You are at a.", "": "You walked to a.", "A dragon!": "You walked to a."} {
		s := newTale()
		s.narration.Batches, s.narration.Rewrites = 1, 0
		got, bodies := agenttest.Play(t, t.Context(), llm.NewScript(walk(1, "a"), both(text)), s.turn("walk"))
		if got != want+"\n\nAt a" || len(s.done) != 1 || len(agenttest.Of[event.Called](bodies)) != 1 || agenttest.EndReason(t, bodies) != event.Done {
			t.Errorf("%q: %q, %v", text, got, s.done)
		}
	}
}

// Whatever limit the first part reaches, the model narrates what was done, and hob adds no words of
// its own.
func TestTheFirstPartEnds(t *testing.T) {
	var unfit, same, thinking []llm.Step
	for range 20 {
		unfit = append(unfit, llm.Do(llm.CallOf(1, "walk", map[string]string{"too": "a"})))
		same = append(same, walk(1, "a"))
		thinking = append(thinking, agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Thinking: "hm"}}))
	}
	for name, c := range map[string]struct {
		steps  []llm.Step
		budget agent.Budget
		want   string
		reason event.Reason
	}{
		"unfit":                 {append(unfit[:5:5], llm.Say("Told.")), agent.Budget{}, "Told.\n\nAt home", event.Done},
		"circles":               {append(same[:4:4], llm.Say("Told.")), agent.Budget{}, "Told.\n\nAt a", event.Done},
		"steps":                 {append(same[:2:2], llm.Say("Told.")), agent.Budget{Steps: 2, Calls: 30, Time: time.Hour, Output: 1000}, "Told.\n\nAt a", event.Done},
		"calls":                 {append(same[:2:2], llm.Say("Told.")), agent.Budget{Steps: 30, Calls: 2, Time: time.Hour, Output: 1000}, "Told.\n\nAt a", event.Done},
		"thinking":              {thinking, agent.Budget{}, "Nothing happens. Say what you do.\n\nAt home", event.NoModel},
		"server":                {[]llm.Step{llm.Fail(llm.Failed, "no server")}, agent.Budget{}, "Nothing happens. Say what you do.\n\nAt home\n\nno server", event.NoModel},
		"server, behind a call": {[]llm.Step{walk(1, "a"), llm.Fail(llm.Failed, "no server")}, agent.Budget{}, "You walked to a.\n\nAt a", event.Done},
		"too long":              {[]llm.Step{walk(1, "a"), llm.Fail(llm.ContextExceeded, "too long")}, agent.Budget{}, "You walked to a.\n\nAt a", event.Done},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTale()
			turn := agenttest.WithBudget(s.turn("walk"))
			if c.budget.Steps > 0 {
				turn.Budget = c.budget
			}
			var out agenttest.Collector
			got, err := agent.New(llm.NewScript(c.steps...), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit)
			if err != nil || got != c.want || agenttest.EndReason(t, out.Bodies) != c.reason {
				t.Errorf("%q, %v, %s by %s", got, err, agenttest.EndReason(t, out.Bodies), classes(out.Bodies))
			}
			sum := 0
			for _, n := range s.finalized {
				sum += n
			}
			if sum != 1 {
				t.Errorf("finalized %v", s.finalized)
			}
		})
	}
}

// A turn whose time is used up is narrated in the time that is left for last words.
func TestTheFirstPartRunsOutOfTime(t *testing.T) {
	for want, last := range map[string]llm.Step{"Told.\n\nAt a": llm.Say("Told."), "You walked to a.\n\nAt a": hangs} {
		synctest.Test(t, func(t *testing.T) {
			s := newTale()
			var out agenttest.Collector
			got, err := agent.New(llm.NewScript(walk(1, "a"), hangs, last), agenttest.Gate{}, nil, nil, time.Now).Run(t.Context(), agenttest.WithBudget(s.turn("walk")), out.Emit)
			if err != nil || got != want || agenttest.EndReason(t, out.Bodies) != event.Done || classes(out.Bodies) != "calls draft narration" {
				t.Errorf("%q, %v, %s by %s", got, err, agenttest.EndReason(t, out.Bodies), classes(out.Bodies))
			}
		})
	}
}

func hangs(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	onDelta(llm.Delta{Text: "half a dra"})
	<-ctx.Done()
	return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
}

// A stop ends the turn in either part; the end of the process leaves it open.
func TestStoppedInEitherPart(t *testing.T) {
	for _, cause := range []error{agent.ErrStopped, errors.New("down")} {
		for n := range 2 {
			ctx, cancel := context.WithCancelCause(t.Context())
			stop := func(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
				onDelta(llm.Delta{Text: "half a dra"})
				cancel(cause)
				return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
			}
			s := newTale()
			var out agenttest.Collector
			steps := append([]llm.Step{llm.Say("ok")}[:n:n], stop)
			got, err := agent.New(llm.NewScript(steps...), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, agenttest.WithBudget(s.turn("look")), out.Emit)
			switch {
			case cause != agent.ErrStopped && (err == nil || strings.Contains(agenttest.Names(out.Bodies), "ended")):
				t.Errorf("part %d: %q, %v, %s", n+1, got, err, agenttest.Names(out.Bodies))
			case cause == agent.ErrStopped && (err != nil || got != "Stopped." || agenttest.EndReason(t, out.Bodies) != event.Stopped || len(s.finalized) > 0):
				t.Errorf("part %d: %q, %v, %s", n+1, got, err, agenttest.Names(out.Bodies))
			}
		}
	}
}

// Replies whose calls were all unfit are no batches, and do not change how the model is asked for
// the narration. Words that were cut off are no narration.
func TestUnfitRepliesAreNoBatches(t *testing.T) {
	s := newTale()
	s.narration = driver.Narration{Batches: 1, Ask: "Tell it."}
	unfit := llm.Do(llm.CallOf(1, "walk", map[string]string{"too": "a"}))
	cut := agenttest.Reply(llm.Reply{Truncated: true, Message: llm.Message{Role: llm.AssistantRole, Text: "You are a",
		Calls: []llm.Call{llm.CallOf(3, "walk", map[string]string{"to": "b"}), llm.CallOf(4, "walk", map[string]string{"to": "c"})}}})
	script := llm.NewScript(unfit, unfit, walk(2, "a"), cut)
	got, bodies := agenttest.Play(t, t.Context(), script, s.turn("walk"))
	if got != "You walked to a.\n\nAt a" || classes(bodies) != "malformed malformed calls narration" {
		t.Errorf("%q by %s", got, classes(bodies))
	}
	s = newTale()
	s.narration = driver.Narration{Batches: 1, Ask: "Tell it.", Temperature: 0.8}
	script = llm.NewScript(unfit, unfit, unfit, unfit, unfit, llm.Say("Told."))
	agenttest.Play(t, t.Context(), script, s.turn("walk"))
	want := s.turn("").Options
	want.Temperature = 0.8
	if r := script.Requests(); len(r) != 6 || r[5].Format != nil || r[5].Options != want {
		t.Errorf("%d requests, the last with %+v", len(r), r[len(r)-1].Options)
	}
}

// A turn that is resumed after its draft does not ask again for an answer without a model.
func TestResumedAfterTheDraft(t *testing.T) {
	var asked []string
	d := master{asked: &asked, tells: &driver.Narration{Ask: "Tell it."}}
	turn := agent.Turn{Stage: staged.New(d, "roll", nil), History: []llm.Message{{Role: llm.UserRole, Text: "roll"}}}
	turn = turn.Record(event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: event.ClassDraft, Raw: "well"},
		event.Nudged{Text: "Tell it.", Why: event.ForNarration})
	got, _ := agenttest.Play(t, t.Context(), llm.NewScript(llm.Say("It is dark.")), turn)
	if diff := cmp.Diff([]string{"context roll", "narration", "check It is dark.", "finalize It is dark."}, asked); diff != "" || got != "It is dark." {
		t.Errorf("%q, %s", got, diff)
	}
}

// Words beside calls are unchecked: neither the person nor the model reads them.
func TestWordsBesideCalls(t *testing.T) {
	s := newTale()
	script := llm.NewScript(agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "A dragon!", Calls: []llm.Call{llm.CallOf(1, "walk", map[string]string{"to": "a"})}}}),
		llm.Say("ok"), llm.Say("You are at a."))
	got, bodies := agenttest.Play(t, t.Context(), script, s.turn("walk"))
	if got != "You are at a.\n\nAt a" || strings.Contains(fmt.Sprint(script.Requests()), "dragon") || agenttest.Of[event.Generated](bodies)[0].Raw != "A dragon!" {
		t.Errorf("%q, %+v", got, agenttest.Of[event.Generated](bodies)[0])
	}
}

// The narration of a turn that goes round in circles begins with what the server has read.
func TestCirclesKeepThePrompt(t *testing.T) {
	s := newTale()
	script := llm.NewScript(walk(1, "a"), walk(2, "a"), walk(3, "a"), walk(4, "a"), llm.Say("Told."))
	agenttest.Play(t, t.Context(), script, s.turn("walk"))
	r := script.Requests()
	if err := prefix(r[len(r)-2:]); err != nil || len(r) != 5 {
		t.Errorf("%d requests, %v", len(r), err)
	}
}

// The end of the process during Finalize leaves the turn open.
func TestDownDuringFinalize(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	turn := agenttest.WithBudget(agent.Turn{Stage: staged.New(dying{cancel: cancel}, "hello", nil), History: []llm.Message{{Role: llm.UserRole, Text: "hello"}}})
	var out agenttest.Collector
	got, err := agent.New(llm.NewScript(llm.Say("It is dark.")), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, turn, out.Emit)
	if !errors.Is(err, context.Canceled) || len(out.Bodies) > 0 {
		t.Errorf("%q, %v, %s", got, err, agenttest.Names(out.Bodies))
	}
}

// dying is a driver whose process ends during Finalize.
type dying struct {
	master
	cancel func()
}

func (d dying) Finalize(ctx context.Context, _ string) (tools.Result, error) {
	d.cancel()
	return tools.Result{}, ctx.Err()
}

// Whatever a model does in both parts: each turn has one reply that can be read, and one end.
func TestWhateverAModelDoesInBothParts(t *testing.T) {
	long := strings.Repeat("long ", 20<<10)
	hostile := map[string]func(n int) llm.Step{
		"calls":   func(n int) llm.Step { return walk(n, fmt.Sprint("place ", n)) },
		"unfit":   func(int) llm.Step { return llm.Do(llm.CallOf(1, "walk", map[string]int{"too": 1})) },
		"unknown": func(int) llm.Step { return llm.Do(llm.CallOf(1, "fly", struct{}{})) },
		"empty":   func(int) llm.Step { return llm.Say("") },
		"long":    func(int) llm.Step { return llm.Say(long) },
		"garbage": func(int) llm.Step { return llm.Say(`{"name": "walk", "arguments": {"to": `) },
		"dragon":  func(int) llm.Step { return llm.Say("A dragon!") },
		"thinking": func(int) llm.Step {
			return agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Thinking: "hm"}})
		},
		"cut": func(int) llm.Step {
			return agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "You w"}, Truncated: true})
		},
		"failed":   func(int) llm.Step { return llm.Fail(llm.Failed, "no server") },
		"broken":   func(int) llm.Step { return llm.Fail(llm.Incomplete, "it broke off") },
		"too long": func(int) llm.Step { return llm.Fail(llm.ContextExceeded, "too long") },
	}
	for first, one := range hostile {
		for second, two := range hostile {
			for _, broken := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					s := newTale()
					s.broken = broken
					n, asked := 0, 0
					model := agenttest.ModelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
						n++
						if m := req.Messages[len(req.Messages)-1]; m.Text == "Tell it." || strings.Contains(m.Text, "does not agree") {
							asked++
							return two(n)(ctx, req, onDelta)
						}
						return one(n)(ctx, req, onDelta)
					})
					var out agenttest.Collector
					got, err := agent.New(model, agenttest.Gate{}, nil, nil, time.Now).Run(t.Context(), agenttest.WithBudget(s.turn("walk")), out.Emit)
					if err == nil {
						err = agenttest.Whole(out.Bodies)
					}
					if err != nil || strings.TrimSpace(got) == "" || len(got) > 1000 || n > 20 || asked > 2 || len(s.done) > 5 || len(s.finalized) != 1 {
						t.Errorf("%s, then %s: %.100q, %v, %d requests, finalized %d", first, second, got, err, n, len(s.finalized))
					}
					if !broken && (strings.Contains(got, "hob") || strings.Contains(got, "model") || strings.Contains(got, "dragon")) {
						t.Errorf("%s, then %s: %q", first, second, got)
					}
				})
			}
		}
	}
}

// The request of the second part begins with that of the first, to the last byte.
func TestBothPartsOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fake.New(t, fake.Config{}, fake.CallTool("walk", map[string]string{"to": "a"}), fake.Say("done"), fake.Chunks("A dra", "gon!"), fake.Chunks("You are ", "at a."))
		model, err := ollama.New(ollama.Config{Hosts: []string{"http://ollama.test"}, Model: "tiny:1b", NumCtx: 8192, Transport: server.Transport(),
			FirstByte: 5 * time.Minute, Idle: 2 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		s := newTale()
		turn := agenttest.WithBudget(s.turn("walk"))
		turn.Options.Think = ""
		var all []event.Body
		got, err := agent.New(model, agenttest.Gate{}, nil, nil, time.Now).Run(t.Context(), turn, func(bodies ...event.Body) error {
			all = append(all, bodies...)
			return nil
		})
		if err != nil || got != "You are at a.\n\nAt a" || agenttest.EndReason(t, all) != event.Done || classes(all) != "calls draft narration rewrite" {
			t.Fatalf("%q, %v, %s", got, err, classes(all))
		}
		r := server.Requests()
		for i := 1; i < len(r); i++ {
			if diff := cmp.Diff(r[i-1].Tools, r[i].Tools); diff != "" {
				t.Errorf("request %d: %s", i+1, diff)
			}
			if diff := cmp.Diff(r[i-1].Messages, r[i].Messages[:len(r[i-1].Messages)]); diff != "" {
				t.Errorf("request %d does not begin with the one before it: %s", i+1, diff)
			}
		}
	})
}
