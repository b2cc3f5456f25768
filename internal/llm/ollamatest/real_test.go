package ollamatest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/ollamatest"
)

// contextTokens is small, so that a conversation is soon too long for it.
const contextTokens = 1024

func modelOf(t *testing.T, server *ollamatest.Server, name string) llm.Model {
	t.Helper()
	model, err := ollama.New(ollama.Config{Hosts: []string{server.URL()}, Dial: new(net.Dialer).DialContext, Model: name, NumCtx: contextTokens})
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func definitions(t *testing.T) []llm.ToolDefinition {
	t.Helper()
	var tools []struct{ Function llm.ToolDefinition }
	if err := json.Unmarshal([]byte(files), &tools); err != nil {
		t.Fatal(err)
	}
	var all []llm.ToolDefinition
	for _, tool := range tools {
		all = append(all, tool.Function)
	}
	return all
}

// converse plays a whole turn: it asks, answers each call with what results has for it, and asks again until the model
// only talks. It returns the conversation as lines, calls of one reply on one line.
func converse(ctx context.Context, model llm.Model, tools []llm.ToolDefinition, results map[string]string) ([]string, error) {
	req := llm.Request{
		System:   "You are hob.",
		Messages: []llm.Message{{Role: llm.UserRole, Text: "Look after my notes.\n\n[Friday, half past nine]"}},
		Tools:    tools,
		Options:  llm.Options{NumPredict: 200},
	}
	var lines []string
	for range 6 {
		var streamed strings.Builder
		reply, err := model.Chat(ctx, req, func(d llm.Delta) { streamed.WriteString(d.Text) })
		if err != nil {
			return lines, err
		}
		if streamed.String() != reply.Message.Text {
			return lines, fmt.Errorf("streamed %q and replied %q", streamed.String(), reply.Message.Text)
		}
		if reply.Truncated || reply.Usage.PromptTokens == 0 || reply.Usage.EvalTokens == 0 {
			return lines, fmt.Errorf("reply %+v", reply)
		}
		if len(reply.Message.Calls) == 0 {
			return append(lines, "says "+reply.Message.Text), nil
		}
		req.Messages = append(req.Messages, reply.Message)
		var calls []string
		for _, call := range reply.Message.Calls {
			line := call.Name + " " + string(call.Args)
			calls = append(calls, line)
			result, ok := results[line]
			if !ok {
				return lines, fmt.Errorf("unexpected call %s", line)
			}
			req.Messages = append(req.Messages, llm.Message{Role: llm.ToolRole, CallID: call.ID, ToolName: call.Name, Text: result})
		}
		lines = append(lines, "calls "+strings.Join(calls, ", "))
	}
	return lines, errors.New("no end")
}

// Whole turns through hob's own client.
func TestTurns(t *testing.T) {
	server := ollamatest.Run(t)
	const list, notes, missing = `list_files {"path":"."}`, `read_file {"path":"notes.md"}`, `read_file {"path":"missing.md"}`
	for name, tt := range map[string]struct {
		model   string
		results map[string]string
		want    []string
	}{
		"a plain answer": {ollamatest.Plain, nil, []string{"says " + ollamatest.PlainAnswer}},
		"one tool": {
			ollamatest.OneTool,
			map[string]string{notes: "Buy milk.\nFeed the cat."},
			[]string{"calls " + notes, "says " + ollamatest.OneToolAnswer},
		},
		"two tools in two steps": {
			ollamatest.TwoSteps,
			map[string]string{list: "notes.md", notes: "Buy milk."},
			[]string{"calls " + list, "calls " + notes, "says " + ollamatest.TwoStepsAnswer},
		},
		"two calls in one reply": {
			ollamatest.TwoCalls,
			map[string]string{list: "notes.md", notes: "Buy milk."},
			[]string{"calls " + notes + ", " + list, "says " + ollamatest.TwoCallsAnswer},
		},
		"a tool that fails, and recovery": {
			ollamatest.Recovery,
			map[string]string{missing: "error: there is no missing.md", list: "notes.md"},
			[]string{"calls " + missing, "calls " + list, "says " + ollamatest.RecoveryAnswer},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := converse(t.Context(), modelOf(t, server, tt.model), definitions(t), tt.results)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What goes wrong, as the agent hears of it.
func TestFailures(t *testing.T) {
	server := ollamatest.Run(t)
	hello := []llm.Message{{Role: llm.UserRole, Text: "Hello."}}
	for name, tt := range map[string]struct {
		model string
		req   llm.Request
		want  llm.Kind
		says  string // what the sentence names
	}{
		"the model is missing":         {"nobody", llm.Request{Messages: hello}, llm.ModelMissing, "hob model pull nobody"},
		"the model takes no tools":     {ollamatest.NoTools, llm.Request{Messages: hello, Tools: definitions(t)}, llm.NoTools, ollamatest.NoTools},
		"the conversation is too long": {ollamatest.Plain, llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Text: strings.Repeat("word ", 2*contextTokens)}}}, llm.ContextExceeded, "num_ctx"},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := modelOf(t, server, tt.model).Chat(t.Context(), tt.req, func(llm.Delta) {})
			if reply != nil || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, %v; want %s that names %s", reply, err, tt.want, tt.says)
			}
		})
	}
}

func TestCutReply(t *testing.T) {
	model := modelOf(t, ollamatest.Run(t), ollamatest.Endless)
	reply, err := model.Chat(t.Context(), llm.Request{
		Messages: []llm.Message{{Role: llm.UserRole, Text: "Count."}},
		Options:  llm.Options{NumPredict: 400},
	}, func(llm.Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	if !reply.Truncated || reply.Usage.EvalTokens != 400 || !strings.HasPrefix(reply.Message.Text, ollamatest.EndlessPrefix+ollamatest.EndlessRound) {
		t.Errorf("got %+v", reply)
	}
}

// A stream that is cancelled half-way is an error, however much has come, and the model is free for the next turn.
func TestCancelledHalfWay(t *testing.T) {
	server := ollamatest.Run(t)
	stopped := errors.New("the user typed stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var said strings.Builder
	reply, err := modelOf(t, server, ollamatest.Endless).Chat(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.UserRole, Text: "Count."}},
	}, func(d llm.Delta) {
		said.WriteString(d.Text)
		if strings.Contains(said.String(), " third,") {
			cancel(stopped)
		}
	})
	if reply != nil || !errors.Is(err, llm.Cancelled) || !errors.Is(err, stopped) {
		t.Errorf("got %v, %v", reply, err)
	}
	if !strings.HasPrefix(said.String(), ollamatest.EndlessPrefix) {
		t.Errorf("said %q", said.String())
	}
	got, err := converse(t.Context(), modelOf(t, server, ollamatest.Plain), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"says " + ollamatest.PlainAnswer}, got); diff != "" {
		t.Error(diff)
	}
}
