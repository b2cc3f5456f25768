package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

var update = flag.Bool("update", false, "accept what the conversations come to")

// TestConversations plays the conversations in testdata. Each file has
//
//	-- budget --   steps N, calls N, output N, context N (optional)
//	-- profile --  JSON of an [llm.Profile] (optional)
//	-- user --     what the person says
//	-- model --    one reply a line: `say TEXT`, `call NAME ARGS` (several joined by " + "), `think TEXT` (and nothing else),
//	               `cut TEXT` (cut off), `fail KIND TEXT`, `break TEXT` (a failure that may pass, after some text); the last
//	               line may be `again`: the line before it for ever
//	-- arrive --   what the person says meanwhile: `N TEXT`, before the Nth request or later (optional)
//	-- want --     what is emitted, how the requests differed, and the messages of the last one
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			got := play(t, parts)
			if *update {
				archive.Files = append(archive.Files[:len(archive.Files)-1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(parts["want"], got); diff != "" {
				t.Errorf("the conversation went otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

func play(t *testing.T, parts map[string]string) (transcript string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { transcript = playInBubble(t, parts) })
	return transcript
}

func playInBubble(t *testing.T, parts map[string]string) string {
	t.Helper()
	script := llm.NewScript(steps(t, parts["model"])...)
	var out recorder
	b, w := budget(t, parts["budget"])
	turn := agent.Turn{
		System:  "You are a test.",
		History: []llm.Message{{Role: llm.UserRole, Text: strings.TrimSpace(parts["user"])}},
		Tools:   agenttest.Tools(),
		Options: llm.Options{NumPredict: 100, Think: llm.ThinkOn, Temperature: 0.5},
		Budget:  b,
		Window:  w,
	}
	turn.Arrived = arrivals(t, script, parts["arrive"])
	if raw := parts["profile"]; raw != "" {
		if err := json.Unmarshal([]byte(raw), &turn.Profile); err != nil {
			t.Fatal(err)
		}
	}
	a := agent.New(script, agenttest.Gate{}, nil, &agenttest.Blobs{}, agenttest.Clock())
	if _, err := a.Run(t.Context(), turn, out.Emit); err != nil {
		fmt.Fprintf(&out, "run error: %v\n", err)
	}
	requests := script.Requests()
	fmt.Fprintf(&out, "\n")
	for i, r := range requests {
		o := r.Options
		line := fmt.Sprintf("%d messages, %d tools, format %t, {NumPredict:%d Think:%s Temperature:%g}",
			len(r.Messages), len(r.Tools), r.Format != nil, o.NumPredict, o.Think, o.Temperature)
		fmt.Fprintf(&out, "request %d: %s\n", i+1, line)
	}
	for _, m := range requests[len(requests)-1].Messages {
		line, _ := json.Marshal(m)
		fmt.Fprintf(&out, "%s\n", line)
	}
	return out.String()
}

// longReads are the tools that only look.
func longReads() []tools.Tool { return agenttest.Tools()[:1] }

// recorder writes emitted bodies as lines.
type recorder struct{ bytes.Buffer }

func (r *recorder) Emit(bodies ...event.Body) error {
	for _, b := range bodies {
		raw, err := event.Marshal(b)
		if err != nil {
			return err
		}
		fmt.Fprintf(r, "%s %s\n", b.Type(), raw)
	}
	return nil
}

func budget(t *testing.T, text string) (agent.Budget, window.Window) {
	b := agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}
	var w window.Window
	for line := range strings.Lines(text) {
		var name string
		var n int
		if _, err := fmt.Sscanf(line, "%s %d", &name, &n); err != nil {
			t.Fatal(err)
		}
		*map[string]*int{"steps": &b.Steps, "calls": &b.Calls, "output": &b.Output, "context": &w.Size}[name] = n
	}
	w.Reserve = w.Size / 5
	return b, w
}

func steps(t *testing.T, text string) []llm.Step {
	var all []llm.Step
	n := 0
	for line := range strings.Lines(text) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.ReplaceAll(rest, `\n`, "\n")
		switch verb {
		case "say":
			all = append(all, llm.Say(rest))
		case "think":
			all = append(all, agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Thinking: rest}}))
		case "cut":
			all = append(all, agenttest.Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: rest}, Truncated: true, Usage: llm.Usage{EvalTokens: 100}}))
		case "fail":
			kind, words, _ := strings.Cut(rest, " ")
			all = append(all, llm.Fail(llm.Kind(kind), words))
		case "break":
			all = append(all, func(_ context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
				onDelta(llm.Delta{Text: rest})
				return nil, &llm.Error{Kind: llm.Incomplete, Message: "it broke off", Retry: true}
			})
		case "call":
			var calls []llm.Call
			for part := range strings.SplitSeq(rest, " + ") {
				name, args, _ := strings.Cut(part, " ")
				n++
				calls = append(calls, llm.Call{ID: fmt.Sprint("c", n), Name: name, Args: json.RawMessage(args)})
			}
			all = append(all, llm.Do(calls...))
		case "again":
			for range 40 {
				all = append(all, all[len(all)-1])
			}
		default:
			t.Fatalf("unknown reply %q", line)
		}
	}
	return all
}

// A server may give every call the same id; the conversation needs different ones.
func TestRepeatedIDsAreMadeDistinct(t *testing.T) {
	same := llm.Call{ID: "0", Name: "look", Args: json.RawMessage(`{"path":"a"}`)}
	script := llm.NewScript(llm.Do(same, same), llm.Do(same), llm.Say("done"))
	var out recorder
	run(t, t.Context(), script, &out)
	var got []string
	for _, m := range script.Requests()[2].Messages {
		for _, c := range m.Calls {
			got = append(got, c.ID)
		}
		if m.Role == llm.ToolRole {
			got = append(got, "-> "+m.CallID)
		}
	}
	want := []string{"0", "0#2", "-> 0", "-> 0#2", "0#3", "-> 0#3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A turn whose history ends with calls begins with those that have no result.
func TestResumesAtUnansweredCalls(t *testing.T) {
	calls := []llm.Call{
		{ID: "a", Name: "look", Args: json.RawMessage(`{"path":"a"}`)},
		{ID: "b", Name: "write", Args: json.RawMessage(`{"path":"b"}`)},
	}
	var out recorder
	turn := agent.Turn{Tools: agenttest.Tools(), Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{
		{Role: llm.UserRole, Text: "go"},
		{Role: llm.AssistantRole, Calls: calls},
		{Role: llm.ToolRole, CallID: "a", ToolName: "look", Text: "seen"},
	}}
	words, err := agent.New(llm.NewScript(llm.Say("done")), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit)
	if err != nil || words != "done" {
		t.Fatalf("Run = %q, %v", words, err)
	}
	if got := out.String(); strings.Contains(got, `"id":"a"`) || !strings.HasPrefix(got, `started {"call_id":"b"}`) {
		t.Errorf("it should have run b and nothing else:\n%s", got)
	}
}

func TestStoppedInMidStreamKeepsWhatWasSaid(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	script := llm.NewScript(func(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		onDelta(llm.Delta{Text: "half a sen"})
		stop(agent.ErrStopped)
		return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
	})
	var out recorder
	run(t, ctx, script, &out)
	want := `delta {"text":"half a sen"}
generated {"message":{"role":"assistant","text":"half a sen"},"usage":{"prompt_tokens":0,"eval_tokens":0},"class":"stopped"}
replied {"text":"half a sen\n\nStopped."}
ended {"reason":"stopped","steps":0,"calls":0,"prompt_tokens":0,"eval_tokens":0}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestStoppedWhileAToolRunsGivesEveryCallAResult(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	hang := tools.New(tools.Def{Name: "hang", Description: "hangs", Capabilities: tools.Writes}, func(ctx context.Context, _ struct{}) (tools.Result, error) {
		stop(agent.ErrStopped)
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	})
	script := llm.NewScript(llm.Do(llm.CallOf(1, "hang", struct{}{}), llm.CallOf(2, "hang", struct{}{})))
	var out recorder
	turn := agent.Turn{Tools: []tools.Tool{hang}, Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}}
	if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	if strings.Count(got, "returned ") != 2 || strings.Count(got, `"code":"cancelled"`) != 2 || !strings.Contains(got, `"reason":"stopped"`) {
		t.Errorf("both calls should have been cancelled and the turn stopped:\n%s", got)
	}
}

// When the process goes down, the turn does not end: nothing after the cut may claim to know what
// happened.
func TestShutdownLeavesTheTurnOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	down := tools.New(tools.Def{Name: "hang", Description: "hangs", Capabilities: tools.Writes}, func(ctx context.Context, _ struct{}) (tools.Result, error) {
		cancel()
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	})
	var out recorder
	turn := agent.Turn{Tools: []tools.Tool{down}, Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}}
	_, err := agent.New(llm.NewScript(llm.Do(llm.CallOf(1, "hang", struct{}{}))), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, turn, out.Emit)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want the context's end", err)
	}
	if got := out.String(); strings.Contains(got, "returned ") || strings.Contains(got, "ended ") || !strings.Contains(got, "started ") {
		t.Errorf("the call should stay open:\n%s", got)
	}
}

func TestAJournalThatFailsEndsTheTurnAtOnce(t *testing.T) {
	full := errors.New("disk full")
	ran := false
	tool := tools.New(tools.Def{Name: "act", Description: "acts", Capabilities: tools.Writes}, func(context.Context, struct{}) (tools.Result, error) {
		ran = true
		return tools.Result{Text: "done"}, nil
	})
	emit := func(bodies ...event.Body) error {
		if _, ok := bodies[0].(event.Started); ok {
			return full
		}
		return nil
	}
	turn := agent.Turn{Tools: []tools.Tool{tool}, Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}}
	_, err := agent.New(llm.NewScript(llm.Do(llm.CallOf(1, "act", struct{}{}))), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, emit)
	if !errors.Is(err, full) || ran {
		t.Errorf("Run = %v, ran = %t; nothing may act that is not journaled", err, ran)
	}
}

// Reads of one reply run at the same time; their results keep the order of the calls.
func TestReadsRunTogetherAndKeepTheirOrder(t *testing.T) {
	second := make(chan struct{})
	tool := tools.New(tools.Def{Name: "meet", Description: "meets", Capabilities: tools.Reads}, func(_ context.Context, in struct {
		N int `json:"n"`
	}) (tools.Result, error) {
		if in.N == 1 {
			<-second // the first can end only once the second runs
		} else {
			close(second)
		}
		return tools.Result{Text: fmt.Sprint("read ", in.N)}, nil
	})
	script := llm.NewScript(llm.Do(llm.CallOf(1, "meet", map[string]int{"n": 1}), llm.CallOf(2, "meet", map[string]int{"n": 2})), llm.Say("done"))
	var out recorder
	turn := agent.Turn{Tools: []tools.Tool{tool}, Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}}
	if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	if first, last := strings.Index(out.String(), "read 1"), strings.Index(out.String(), "read 2"); first < 0 || last < first {
		t.Errorf("results out of order:\n%s", out.String())
	}
}

func run(t *testing.T, ctx context.Context, model llm.Model, out *recorder) {
	t.Helper()
	turn := agent.Turn{Tools: agenttest.Tools(), Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}}
	if _, err := agent.New(model, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, turn, out.Emit); err != nil {
		t.Fatal(err)
	}
}
