package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
	"hob/internal/tools/files"
)

// A turn at 4k reads twelve files of 9 KB, and what the task asks for stands in the middle of each. The last request has
// it of all twelve: the page of a file has the lines that the task is about, and so has the line that stands for it
// later. The model of the test sums up nothing when it is asked to.
func TestFactsInTheMiddleOfTwelveFiles(t *testing.T) {
	for _, c := range []struct {
		name, task, filler string
		fact               func(n int) string
		tool               string
	}{
		{"en", "Read part01.txt to part12.txt, one after the other, and write the code of each part to codes.txt.",
			"row %03d: the mean of the table was taken at valve %03d and was in order",
			func(n int) string { return fmt.Sprintf("the code of part %d is K%d", n, 531+7*n) }, "read_file"},
		{"de", "Lies part01.txt bis part12.txt und nenne mir die Rechnungsnummer jeder Lieferung.",
			"Zeile %03d: der Wert der Tabelle wurde am Ventil %03d gemessen und war gut",
			func(n int) string { return fmt.Sprintf("Rechnungsnummern der %d. Lieferung: R%d", n, 531+7*n) }, "read_file"},
		{"zh", "请依次阅读 part01.txt 到 part12.txt,告诉我每个仓库的密码。",
			"第%03d行:阀门%03d的平均读数正常,没有发现任何问题,一切都很好",
			func(n int) string { return fmt.Sprintf("%d号仓库密码是K%d", n, 531+7*n) }, "read_file"},
		{"the output of a command", "Show part01.txt to part12.txt and find the serial number in each of them.",
			"row %03d: the mean of the table was taken at valve %03d and was in order",
			func(n int) string { return fmt.Sprintf("serial no. S-%d", 531+7*n) }, "show"},
		{"a line of 400 bytes", "Read part01.txt to part12.txt and tell me the serial number in each of them.",
			"row %03d: the mean of the table was taken at valve %03d and was in order",
			func(n int) string {
				return strings.Repeat("and so on, as ever, ", 15) + fmt.Sprintf("serial S-%d, ", 531+7*n) + strings.Repeat("and more. ", 9)
			}, "read_file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const count, size = 12, 4096
			w := window.Window{Size: size, Reserve: window.OutputTokens(size)}
			dir := t.TempDir()
			for n := 1; n <= count; n++ {
				var b strings.Builder
				for row := 0; b.Len() < 9<<10; row++ {
					fmt.Fprintf(&b, c.filler+"\n", row, row*n)
					if row == 60 {
						b.WriteString(c.fact(n) + "\n")
					}
				}
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part%02d.txt", n)), []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			workspace, err := files.New(files.Config{Dir: dir, Share: w.Share})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { workspace.Close() })
			show := tools.New(tools.Def{Name: "show", Description: "Show a file.", Capabilities: tools.Reads},
				func(_ context.Context, in struct {
					Path string `json:"path"`
				}) (tools.Result, error) {
					text, err := os.ReadFile(filepath.Join(dir, in.Path))
					return tools.Result{Text: string(text)}, err
				})
			read := 0
			var last string
			model := agenttest.ModelFunc(func(_ context.Context, req llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
				var b strings.Builder
				for _, m := range req.Messages {
					b.WriteString(m.Text + "\n")
				}
				last = b.String()
				if w.Count(window.Estimate(req)) > size-w.Reserve {
					t.Errorf("a request has %d tokens", w.Count(window.Estimate(req)))
				}
				reply := &llm.Reply{Message: llm.Message{Role: llm.AssistantRole}}
				ask := req.Messages[len(req.Messages)-1].Text
				switch {
				case strings.HasPrefix(ask, window.Instruction(size / 10)[:20]):
					reply.Message.Text = "Some files were read."
				case read == count:
					reply.Message.Text = "That is all."
				default:
					read++
					reply.Message.Calls = []llm.Call{llm.CallOf(read, c.tool, map[string]string{"path": fmt.Sprintf("part%02d.txt", read)})}
				}
				return reply, nil
			})
			compacted := 0
			turn := agent.Turn{
				System: strings.Repeat("You are an agent with tools. ", 60), Tools: append(workspace.Tools(), show),
				History: []llm.Message{{Role: llm.UserRole, Text: c.task + "\n\n[Monday 2026-03-02 14:00 UTC]"}},
				Options: llm.Options{NumPredict: w.Reserve}, Window: w,
				Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 10_000},
			}
			if _, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, agenttest.Clock()).Run(t.Context(), turn, func(bodies ...event.Body) error {
				for _, b := range bodies {
					if _, ok := b.(event.Compacted); ok {
						compacted++
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if read != count || compacted == 0 {
				t.Fatalf("%d files were read, and the conversation was made shorter %d times", read, compacted)
			}
			for n := 1; n <= count; n++ {
				fact := c.fact(n)
				for _, word := range strings.Fields(fact) {
					if strings.ContainsAny(word, "KRS") && strings.ContainsAny(word, "0123456789") {
						fact = strings.Trim(word, ",")
					}
				}
				if !strings.Contains(last, fact) {
					t.Errorf("the last request lacks %q of file %d", fact, n)
				}
			}
			if t.Failed() {
				t.Log(last)
			}
		})
	}
}
