package modeleval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/golden"
	"hob/internal/llm"
)

var update = flag.Bool("update", false, "record the run anew, and accept its card")

// recordedReply is a line of testdata/run.jsonl: one reply of a model, in the order of a whole run.
type recordedReply struct {
	Text  string   `json:"text,omitempty"`
	Calls []string `json:"calls,omitempty"` // "tool {arguments}"
}

// A run that was recorded comes to the same card when it is played again. cmd/hob plays the same run over the wire.
func TestRecordedRun(t *testing.T) {
	run, card := filepath.Join("testdata", "run.jsonl"), filepath.Join("testdata", "run.card")
	if *update {
		if err := os.WriteFile(run, record(t), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(run)
	if err != nil {
		t.Fatal(err)
	}
	var steps []llm.Step
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var r recordedReply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		m := llm.Message{Role: llm.AssistantRole}
		written(llm.NativeMode, act{text: r.Text, calls: r.Calls}, &m)
		usage := llm.Usage{PromptTokens: 400, EvalTokens: 20, PromptEval: time.Second, Eval: time.Second}
		steps = append(steps, func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
			return &llm.Reply{Message: m, Usage: usage}, nil
		})
	}
	script, k := llm.NewScript(steps...), known()
	k.Now = nil
	got, err := Run(t.Context(), script, k, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(script.Requests()); n != len(steps) {
		t.Errorf("%d requests, and %d replies were recorded", n, len(steps))
	}
	var lines strings.Builder
	fmt.Fprintln(&lines, got.Verdict)
	for _, c := range got.Checks {
		fmt.Fprintf(&lines, "%s | %t | %d requests | %d calls | %s\n", c.Name, c.Pass, c.Requests, c.Calls, c.Note)
	}
	golden.Check(t, *update, card, lines.String())
}

// record returns the replies of a run of a model that does some of it wrong.
func record(t *testing.T) []byte {
	t.Helper()
	a := newActor()
	a.faults = map[string]act{
		"two steps 1":            says("I will now send the message."),
		"nested object 0":        does(`create_event {"title":"Chess","date":"2026-03-14","place":"Caissa in Riga"}`),
		"two data gaps 0":        says(`{"name": "find_order", "arguments": {"item": "lamp"}}`), // written as text, it is read all the same
		"grounded synthesis 3":   says("January 417, February 386, March 352: 1,165 kWh."),
		"sequential reasoning 2": does(`find_car {"plate":"HB-L 204"}`, `find_car {"plate":"HB-L 204"}`),
	}
	var out bytes.Buffer
	_, err := Run(t.Context(), modelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		reply, err := a.Chat(ctx, req, onDelta)
		r := recordedReply{Text: reply.Message.Text}
		for _, c := range reply.Message.Calls {
			r.Calls = append(r.Calls, c.Name+" "+string(c.Args))
		}
		line, _ := json.Marshal(r)
		fmt.Fprintf(&out, "%s\n", line)
		return reply, err
	}), known(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
