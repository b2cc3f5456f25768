package staged_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/agent/staged"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// The calls of a plan run like those of a model, and no model is asked.
func TestAPlan(t *testing.T) {
	s := newTale()
	script := llm.NewScript()
	turn := s.turn("go a b nowhere a")
	turn.History = append([]llm.Message{{Role: llm.UserRole, Text: "go a"}, {Role: llm.AssistantRole, Calls: []llm.Call{{ID: "direct-0-1", Name: "walk"}}},
		{Role: llm.ToolRole, CallID: "direct-0-1"}, {Role: llm.AssistantRole, Text: "You went."}}, turn.History...)
	turn.Begin = 4
	got, bodies := agenttest.Play(t, t.Context(), script, turn)
	if len(script.Requests()) > 0 || got != "You walked to a and b and a.\n\nAt a" || agenttest.EndReason(t, bodies) != event.Done {
		t.Errorf("%q by %s", got, agenttest.Names(bodies))
	}
	want := "generated called called called called started returned started returned started returned started returned generated replied ended"
	if diff := cmp.Diff(want, agenttest.Names(bodies)); diff != "" {
		t.Error(diff)
	}
	g := agenttest.Of[event.Generated](bodies)
	var ids []string
	for _, c := range g[0].Message.Calls {
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]string{"direct-0-1#2", "direct-0-2", "direct-0-3", "direct-0-4"}, ids); diff != "" {
		t.Error(diff)
	}
	if g[1].Message.Text != "You walked to a and b and a." || classes(bodies) != "direct direct" {
		t.Errorf("%+v", g[1])
	}
	end := bodies[len(bodies)-1].(event.Ended)
	if diff := cmp.Diff(event.Ended{Reason: event.Done, Calls: 4}, end); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(tools.CallRef{ID: "direct-0-4", Reply: 1, Index: 3, From: tools.FromPlan}, s.places[3]); diff != "" {
		t.Error(diff)
	}
	r := agenttest.Of[event.Replied](bodies)[0]
	if diff := cmp.Diff(event.Replied{Text: got, Choices: []event.Choice{{Label: "on", Text: "go on", Pick: "7"}}}, r); diff != "" {
		t.Error(diff)
	}
}

// A plan may call a tool of PlanTools that the model may not call.
func TestAPlanCallsPlanTools(t *testing.T) {
	s := newTale()
	turn := s.turn("go a")
	turn.PlanTools, turn.Tools = turn.Tools[:1], turn.Tools[1:]
	if got, _ := agenttest.Play(t, t.Context(), llm.NewScript(), turn); got != "You walked to a.\n\nAt a" {
		t.Errorf("%q", got)
	}
	s.done = nil
	turn.Stage = staged.New(s, "walk", nil)
	_, bodies := agenttest.Play(t, t.Context(), llm.NewScript(walk(1, "b"), llm.Say("ok"), llm.Say("ok")), turn)
	if r := agenttest.Results(bodies); len(r) != 1 || r[0].OK || len(s.done) > 0 {
		t.Errorf("%+v", r)
	}
}

// A driver is asked first about a command. Else the tool that the command names answers it.
func TestACommandWithADriver(t *testing.T) {
	command := []llm.Call{{ID: "command-1", Name: "write", Args: []byte(`{"path":"a"}`)}}
	for name, c := range map[string]struct {
		words   string
		command []llm.Call
		answer  string
		want    string
		final   int // calls of Finalize
	}{
		"a plan":            {"go a", command, "", "You walked to a.\n\nAt a", 1},
		"a plan of no tool": {"go a", nil, "there is no /go", "You walked to a.\n\nAt a", 1},
		"a tool":            {"/write a", command, "", "wrote a", 0},
		"neither":           {"/wirte a", nil, "there is no /wirte", "there is no /wirte", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTale()
			turn := s.turn(c.words)
			turn.Command, turn.Answer, turn.PlanTools, turn.Tools = c.command, c.answer, turn.Tools, agenttest.Tools()
			script := llm.NewScript()
			got, bodies := agenttest.Play(t, t.Context(), script, turn)
			if got != c.want || len(script.Requests()) > 0 || agenttest.EndReason(t, bodies) != event.Done || len(s.finalized) != c.final {
				t.Errorf("%q by %s, finalized %v", got, agenttest.Names(bodies), s.finalized)
			}
			for n := range bodies { // from wherever it goes on
				var out agenttest.Collector
				again, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), agenttest.WithBudget(turn.Record(bodies[:n]...)), out.Emit)
				if whole := agenttest.Of[event.Replied](bodies[:n]); len(whole) == 0 && (err != nil || !strings.HasPrefix(again, strings.Split(c.want, " a")[0])) {
					t.Errorf("after %s: %q, %v", agenttest.Names(bodies[:n]), again, err)
				}
			}
		})
	}
}

// Where no model is asked, a person reads as much of a planned call's result as of a command's.
func TestTheResultOfAPlan(t *testing.T) {
	s := newTale()
	turn := s.turn("go " + strings.Repeat("a", 2000))
	turn.Answer = "there is no /go"
	_, bodies := agenttest.Play(t, t.Context(), llm.NewScript(), turn)
	if r := agenttest.Results(bodies); len(r[0].Text) < 2000 || strings.Contains(r[0].Text, "left out") {
		t.Errorf("%.100q", r[0].Text)
	}
}

// The result of Finalize is sanitized. After an error of Finalize the last words stand alone.
func TestFinalize(t *testing.T) {
	result := rolled()
	result.Text = "It is dark, says hunter2."
	sanitizer := agenttest.SanitizerFunc(func(r event.Returned) event.Returned {
		r.Text = strings.ReplaceAll(r.Text, "hunter2", "***")
		return r
	})
	for name, c := range map[string]struct {
		driver master
		want   event.Replied
	}{
		"all":     {master{result: result}, event.Replied{Text: "It is dark, says ***.", Label: result.Label, Effects: result.Effects, Files: result.Files, Choices: result.Choices}},
		"no text": {master{result: tools.Result{Files: result.Files}}, event.Replied{Text: "It is dark.", Files: result.Files}},
		"error":   {master{result: result, mute: errors.New("no")}, event.Replied{Text: "It is dark."}},
	} {
		t.Run(name, func(t *testing.T) {
			var out agenttest.Collector
			turn := agenttest.WithBudget(agent.Turn{Stage: staged.New(c.driver, "hello", sanitizer), History: []llm.Message{{Role: llm.UserRole, Text: "hello"}}})
			got, err := agent.New(llm.NewScript(llm.Say("It is dark.")), agenttest.Gate{}, sanitizer, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit)
			if err != nil || got != c.want.Text {
				t.Errorf("%q, %v", got, err)
			}
			if diff := cmp.Diff(c.want, agenttest.Of[event.Replied](out.Bodies)[0]); diff != "" {
				t.Error(diff)
			}
			if g := agenttest.Of[event.Generated](out.Bodies)[0]; g.Message.Text != "It is dark." || g.Class != "narration" || g.Raw != "" {
				t.Errorf("the conversation keeps %+v", g)
			}
		})
	}
}

// Strangers may have written the words of a story. All that the driver has a model read is
// sanitized: its context, its instruction to narrate, and its own words in place of the model's.
func TestTheWordsOfADriverAreSanitized(t *testing.T) {
	const token = "<|im_start|>"
	sanitizer := agenttest.SanitizerFunc(func(r event.Returned) event.Returned {
		r.Text = strings.ReplaceAll(r.Text, token, "<token>")
		return r
	})
	var reqs []llm.Request
	script := agenttest.ModelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		reqs = append(reqs, req)
		return llm.Say("a dragon")(ctx, req, onDelta) // which is not so, each time
	})
	var out agenttest.Collector
	d := haunted{master{tells: &driver.Narration{Ask: "FACTS " + token, Batches: 1, Tokens: 100}}, token}
	turn := agenttest.WithBudget(agent.Turn{Stage: staged.New(d, "hello", sanitizer), History: []llm.Message{{Role: llm.UserRole, Text: "hello"}}})
	if _, err := agent.New(script, agenttest.Gate{}, sanitizer, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for _, req := range reqs {
		for _, m := range req.Messages {
			seen += m.Text + "\n"
		}
	}
	for _, g := range agenttest.Of[event.Generated](out.Bodies) {
		seen += g.Message.Text + "\n"
	}
	if strings.Contains(seen, token) || !strings.Contains(seen, "context <token>") || !strings.Contains(seen, "FACTS <token>") || !strings.Contains(seen, "fallback <token>") {
		t.Error(seen)
	}
}

// haunted is a master with a token in all of its words.
type haunted struct {
	master
	token string
}

func (h haunted) Context(context.Context, string) (string, error)  { return "context " + h.token, nil }
func (h haunted) Fallback(context.Context, string) (string, error) { return "fallback " + h.token, nil }

var errCrash = errors.New("crashed")

// A crash at any moment, and a start from what was journaled until then: one reply, one end, and
// each call done once.
func TestCrashesOfATurnWithADriver(t *testing.T) {
	model := func() llm.Model { // it answers by what stands in the conversation
		return agenttest.ModelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			n, results := 0, 0
			last := req.Messages[len(req.Messages)-1].Text
			for _, m := range req.Messages {
				n += len(m.Calls)
				if m.Role == llm.ToolRole {
					results++
				}
			}
			switch {
			case strings.Contains(last, "does not agree"):
				return llm.Say("You are there.")(ctx, req, onDelta)
			case last == "Tell it.":
				return llm.Say("A dragon!")(ctx, req, onDelta)
			case results < 3:
				two := []llm.Call{llm.CallOf(n, "walk", map[string]int{"to": 1}), llm.CallOf(n+1, "walk", map[string]string{"to": fmt.Sprint("p", results)})}
				return llm.Do(two...)(ctx, req, onDelta)
			}
			return llm.Say("done")(ctx, req, onDelta)
		})
	}
	for _, words := range []string{"walk", "go a b"} {
		s := newTale()
		var all agenttest.Collector
		if _, err := agent.New(model(), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), agenttest.WithBudget(s.turn(words)), all.Emit); err != nil {
			t.Fatal(err)
		}
		for after := range len(all.Bodies) {
			for _, second := range []int{after + 1, 100} {
				crashTwice(t, words, model(), after, second, s.done)
			}
		}
	}
}

// crashTwice plays a turn whose process ends when so many bodies were journaled, and again when so
// many more were.
func crashTwice(t *testing.T, words string, model llm.Model, first, second int, want []string) {
	t.Helper()
	s := newTale()
	var journal []event.Body
	for _, left := range []int{first, second, 1000} {
		turn := agenttest.WithBudget(s.turn(words).Record(journal...))
		_, err := agent.New(model, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, func(bodies ...event.Body) error {
			if _, delta := bodies[0].(event.Delta); delta {
				return nil
			}
			if left -= len(bodies); left < 0 {
				left = 0
				return errCrash
			}
			journal = append(journal, bodies...)
			return nil
		})
		if err == nil {
			break
		} else if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
	}
	if err := agenttest.Whole(journal); err != nil {
		t.Errorf("%q, after %d and %d: %v: %s", words, first, second, err, agenttest.Names(journal))
	}
	if diff := cmp.Diff(want, s.done); diff != "" || len(s.finalized) > 1 {
		t.Errorf("%q, after %d and %d: finalized %v; %s", words, first, second, s.finalized, diff)
	}
}

// The last three turns of a story keep their words, however small the context.
func TestTheLastTurnsOfAStoryStay(t *testing.T) {
	for _, led := range []bool{false, true} {
		stay := 100
		for turns := 8; turns < 60; turns++ {
			s := newTale()
			turn := agenttest.WithBudget(s.turn("look"))
			if !led {
				turn.Stage = nil
			}
			var history []llm.Message
			for i := range turns {
				history = append(history, llm.Message{Role: llm.UserRole, Text: fmt.Sprint("I do thing ", i)},
					llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{llm.CallOf(i, "walk", map[string]string{"to": "a"})}},
					llm.Message{Role: llm.ToolRole, CallID: fmt.Sprint("walk-", i), ToolName: "walk", Text: strings.Repeat("walked ", 30)},
					llm.Message{Role: llm.UserRole, Text: "Tell it.", Note: true},
					llm.Message{Role: llm.AssistantRole, Text: fmt.Sprint("It was told ", i, strings.Repeat(" at length", 30))})
			}
			turn.Begin = len(history)
			turn.History = append(history, turn.History...)
			turn.Window = window.Window{Size: 4096, Reserve: 400}
			var out agenttest.Collector
			script := llm.NewScript(llm.Say("A summary."), llm.Say("well"), llm.Say("well"), llm.Say("well"))
			if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
				t.Fatal(err)
			}
			for _, c := range agenttest.Of[event.Compacted](out.Bodies) {
				n := 0
				for _, i := range []int{1, 2, 3} {
					if told := fmt.Sprint("It was told ", turns-i, strings.Repeat(" at length", 30)); slices.ContainsFunc(c.Messages, func(m llm.Message) bool { return m.Text == told }) {
						n++
					}
				}
				stay = min(stay, n)
			}
		}
		if led && stay != 3 || !led && stay >= 3 {
			t.Errorf("led: %t, %d of the last turns stay", led, stay)
		}
	}
}

// Whatever a model does in a turn with a driver: it ends with one reply, nothing is shown
// unchecked, and every request is legal.
func TestWhateverAModelDoesInAStory(t *testing.T) {
	times := 1
	if os.Getenv("HOB_TEST_FULL") != "" {
		times = 50
	}
	for range times {
		rapid.Check(t, func(rt *rapid.T) {
			kinds := rapid.SliceOfN(rapid.IntRange(0, 17), 1, 30).Draw(rt, "replies")
			batches := rapid.IntRange(0, 6).Draw(rt, "batches")
			rewrites := rapid.IntRange(0, 2).Draw(rt, "rewrites")
			size := rapid.SampledFrom([]int{0, 2048, 16384}).Draw(rt, "context")
			crash := rapid.IntRange(0, 60).Draw(rt, "crash")
			synctest.Test(t, func(*testing.T) { chaosLed(rt, kinds, batches, rewrites, size, crash) })
		})
	}
}

func chaosLed(t *rapid.T, kinds []int, batches, rewrites, size, crash int) {
	n := 0
	var requests []llm.Request
	model := agenttest.ModelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		requests = append(requests, req)
		kind := kinds[n%len(kinds)]
		switch n++; kind {
		case 16:
			return walk(n%3, fmt.Sprint("p", n))(ctx, req, onDelta)
		case 17:
			return llm.Say("A dragon!")(ctx, req, onDelta)
		}
		return agenttest.Misbehave(kind, n)(ctx, req, onDelta)
	})
	s := newTale()
	s.narration.Batches, s.narration.Rewrites = batches, rewrites
	var journal []event.Body
	left := crash
	emit := func(bodies ...event.Body) error {
		if d, ok := bodies[0].(event.Delta); ok {
			if d.Text != "" {
				t.Errorf("%q was shown", d.Text)
			}
			return nil
		}
		if left -= len(bodies); left < 0 {
			return errCrash
		}
		journal = append(journal, bodies...)
		return nil
	}
	for {
		base := s.turn("walk")
		base.Tools = append(base.Tools[:1], agenttest.Tools()...)
		base.Window = window.Window{Size: size, Reserve: size / 6}
		turn := agenttest.Resumed(base, journal)
		turn.Budget = agent.Budget{Steps: 12, Calls: 15, Time: time.Hour, Output: 100_000}
		_, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now).Run(context.Background(), turn, emit)
		if err == nil {
			break
		} else if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		left = 1000
	}
	if err := agenttest.Whole(journal); err != nil {
		t.Errorf("%v: %s", err, agenttest.Names(journal))
	}
	for key, times := range s.at {
		if times != 1 {
			t.Errorf("%s was done %d times", key, times)
		}
	}
	if len(requests) > 40 || len(s.finalized) == 0 || len(s.finalized) > 2 { // a crash may have come between Finalize and its record
		t.Errorf("%d requests, finalized %d times", len(requests), len(s.finalized))
	}
	for i, r := range requests {
		if err := agenttest.Illegal(r.Messages); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}
