package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/blobs"
)

// A result that is longer than its share is shown in part, and the model can read on in it and search
// it under its handle.
func TestALongResultCanBeReadOn(t *testing.T) {
	outputs, err := blobs.New(blobs.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	files, err := files.New(files.Config{Dir: t.TempDir(), Blobs: outputs})
	if err != nil {
		t.Fatal(err)
	}
	dump := tools.New(tools.Def{Name: "dump", Description: "dumps", Capabilities: tools.Reads}, func(context.Context, struct{}) (tools.Result, error) {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "line %d says nothing\n", i)
			if i == 500 {
				b.WriteString("the key is under the mat\n")
			}
		}
		return tools.Result{Text: b.String()}, nil
	})
	shown := regexp.MustCompile(`read_file path="(out:\d+)"`)
	var results []string
	handle := ""
	model := agenttest.ModelFunc(func(_ context.Context, req llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
		last := req.Messages[len(req.Messages)-1]
		if last.Role == llm.ToolRole {
			results = append(results, last.Text)
		}
		call := func(name, args string) (*llm.Reply, error) {
			return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{{ID: fmt.Sprint("c", len(results)), Name: name, Args: json.RawMessage(args)}}}}, nil
		}
		switch len(results) {
		case 0:
			return call("dump", `{}`)
		case 1:
			if m := shown.FindStringSubmatch(last.Text); m != nil {
				handle = m[1]
			}
			return call("search_files", fmt.Sprintf(`{"pattern":"key","path":%q}`, handle))
		case 2:
			return call("read_file", fmt.Sprintf(`{"path":%q,"offset":499,"limit":3}`, handle))
		}
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "Under the mat."}}, nil
	})
	turn := agent.Turn{
		Tools: append(files.Tools(), dump), History: []llm.Message{{Role: llm.UserRole, Text: "Where is the key?"}},
		Window: window.Window{Size: 4096, Reserve: 768},
		Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 1000},
	}
	var out recorder
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	if _, err := agent.New(model, agenttest.Gate{}, nil, outputs, time.Now).Run(ctx, turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	if len(results) != 3 {
		t.Fatalf("%d results:\n%s", len(results), out.String())
	}
	if n := len(results[0]); n > 2000 || !strings.HasPrefix(results[0], "line 0 ") || !strings.HasSuffix(results[0], "line 999 says nothing\n") {
		t.Errorf("the first %d bytes are not the two ends of the result: %s", n, results[0])
	}
	for i, want := range map[int]string{1: "the key is under the mat", 2: "line 499 says nothing\nline 500 says nothing\nthe key is under the mat"} {
		if !strings.Contains(results[i], want) {
			t.Errorf("result %d does not hold %q: %s", i+1, want, results[i])
		}
	}
}
