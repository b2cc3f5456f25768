package agent_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// diligent is a model that knows nothing but what stands in the request: it opens one room after the
// other, as the last result says, and answers when it sees the names of all. Its server refuses what is
// longer than its context.
type diligent struct {
	t       *testing.T
	context int
	rooms   int
	asked   int // requests
	refused int // for their length
	summed  int
}

var (
	nameIn = regexp.MustCompile(`in room (\d+) lives (\w+)`)
	nextIn = regexp.MustCompile(`the next door leads to room (\d+)`)
)

func (d *diligent) Chat(_ context.Context, req llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	d.asked++
	length := len(req.System)
	for _, tool := range req.Tools {
		length += len(tool.Name) + len(tool.Description) + len(tool.Parameters)
	}
	task := false
	names, next := map[string]string{}, "1"
	for _, m := range req.Messages {
		length += len(m.Text) + 40
		for _, c := range m.Calls {
			length += len(c.Name) + len(c.Args) + 40
		}
		task = task || m.Role == llm.UserRole && m.Text == chainTask
		for _, found := range nameIn.FindAllStringSubmatch(m.Text, -1) {
			names[found[1]] = found[2]
		}
		if found := nextIn.FindAllStringSubmatch(m.Text, -1); m.Role == llm.ToolRole && found != nil {
			next = found[len(found)-1][1]
		}
	}
	if !task {
		d.t.Errorf("request %d has lost what was asked", d.asked)
	}
	tokens := length / 4
	if tokens+req.Options.NumPredict > d.context {
		d.refused++
		return nil, &llm.Error{Kind: llm.ContextExceeded, Message: "too long"}
	}
	reply := &llm.Reply{Message: llm.Message{Role: llm.AssistantRole}, Usage: llm.Usage{PromptTokens: tokens, EvalTokens: 20}}
	var all []string
	for room := 1; room <= d.rooms; room++ {
		if who, ok := names[fmt.Sprint(room)]; ok {
			all = append(all, fmt.Sprintf("in room %d lives %s", room, who))
		}
	}
	last := req.Messages[len(req.Messages)-1]
	switch {
	case last.Role == llm.UserRole && strings.HasPrefix(last.Text, window.Instruction(d.context / 10)[:20]):
		d.summed++
		reply.Message.Text = "Goal: find out who lives where. Known: " + strings.Join(all, "; ")
	case len(all) == d.rooms:
		reply.Message.Text = strings.Join(all, "; ") + "."
	default:
		reply.Message.Calls = []llm.Call{{ID: fmt.Sprint("c", d.asked), Name: "open_room", Args: fmt.Appendf(nil, `{"room":%s}`, next)}}
	}
	return reply, nil
}

const chainTask = "Find out who lives in each of the rooms, one after the other, and tell me all names."

// dwellers are those who live in the rooms.
func dwellers() []string {
	return []string{"Ada", "Bruno", "Clara", "Dmitri", "Elif", "Farid", "Greta", "Hiro", "Ines", "Jonas"}
}

// A chain of ten steps whose results are longer than the context ends with every name: none is lost
// when the conversation is made shorter, and the server never refuses it.
func TestTenStepsInASmallContext(t *testing.T) {
	for _, size := range []int{2048, 4096, 8192} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			names := dwellers()
			open := tools.New(tools.Def{Name: "open_room", Description: "opens a room", Capabilities: tools.Reads},
				func(_ context.Context, in struct {
					Room int `json:"room"`
				}) (tools.Result, error) {
					if in.Room < 1 || in.Room > len(names) {
						return tools.Result{}, fmt.Errorf("there is no room %d", in.Room)
					}
					return tools.Result{Text: fmt.Sprintf("in room %d lives %s\n%sthe next door leads to room %d", in.Room, names[in.Room-1],
						strings.Repeat("a chair, a table, a bed and a window with a view of the garden\n", 200), in.Room+1)}, nil
				})
			model := &diligent{t: t, context: size, rooms: len(names)}
			reserve := window.OutputTokens(size)
			turn := agent.Turn{
				System: "You are a test.", Tools: []tools.Tool{open}, History: []llm.Message{{Role: llm.UserRole, Text: chainTask}},
				Options: llm.Options{NumPredict: reserve}, Window: window.Window{Size: size, Reserve: reserve},
				Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 10_000},
			}
			var out recorder
			compacted := 0
			words, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now).Run(t.Context(), turn, func(bodies ...event.Body) error {
				for _, b := range bodies {
					if _, ok := b.(event.Compacted); ok {
						compacted++
					}
				}
				return out.Emit(bodies...)
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				if !strings.Contains(words, name) {
					t.Errorf("%s is lost in %q", name, words)
				}
			}
			if model.refused > 0 {
				t.Errorf("the server refused %d requests for their length", model.refused)
			}
			if size <= 4096 && compacted == 0 {
				t.Error("the conversation was never made shorter: the test shows nothing")
			}
			t.Logf("%d requests, made shorter %d times, %d summaries", model.asked, compacted, model.summed)
		})
	}
}

// A turn that had wasted all of its replies when the process died asks once more. A call in that reply
// gets its result.
func TestACallAfterTheLastWastedReply(t *testing.T) {
	script := llm.NewScript(llm.Do(llm.CallOf(1, "look", map[string]string{"path": "a"})), llm.Say("It is done."))
	var out recorder
	turn := agent.Turn{
		System: "You are a test.", History: []llm.Message{{Role: llm.UserRole, Text: "look"}}, Tools: agenttest.Tools(),
		Budget: agent.Budget{Steps: 20, Calls: 20, Time: time.Hour, Output: 10_000}, Progress: agent.Progress{Wasted: 6, Steps: 6},
	}
	if _, err := agent.New(script, agenttest.Gate{}, nil, &agenttest.Blobs{}, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "called") != strings.Count(text, "returned") || !strings.Contains(text, "returned") {
		t.Errorf("a call has no result:\n%s", text)
	}
}
