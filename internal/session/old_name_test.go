package session_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// A journal of an earlier release calls the tool process by its old name: its turns are told as they were, one that was cut
// short ends, and a model that copies the name is told those of today.
func TestAnOldJournalCallsProcessByItsOldName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := storetest.NewMemory(time.Now)
		at := func(turn int64, bodies ...event.Body) {
			for _, b := range bodies {
				if _, err := journal.Append(t.Context(), store.Entry{Chat: "main", Turn: turn, Body: b}); err != nil {
					t.Fatal(err)
				}
			}
		}
		old := func(id string) (event.Generated, event.Called) {
			c := llm.Call{ID: id, Name: "job", Args: json.RawMessage(`{"id":1}`)}
			return event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{c}}}, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args}
		}
		asks, called := old("a")
		at(0, event.Said{InputID: "1", From: "ana", Text: "how far is it?", Principal: owner})
		at(1, asks, called, event.Started{CallID: "a"}, event.Returned{ID: "a", Tool: "job", OK: true, Text: "job 1: running for 3s"},
			event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: "it runs"}}, event.Replied{Text: "it runs"}, event.Ended{Reason: event.Done})
		asks, called = old("b")
		at(0, event.Said{InputID: "2", From: "ana", Text: "and now?", Principal: owner})
		at(9, asks, called, event.Started{CallID: "b"}) // hob is killed

		var requests []llm.Request
		copying := model(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			requests = append(requests, req)
			if last := req.Messages[len(req.Messages)-1]; last.Role == llm.UserRole && last.Text != "" && len(requests) == 2 {
				c := llm.Call{ID: "c", Name: "job", Args: json.RawMessage(`{}`)}
				return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{c}}}, nil
			}
			return llm.Say("so it is")(ctx, req, onDelta)
		})
		process := tools.New(tools.Def{Name: "process", Description: "processes", Capabilities: tools.Reads},
			func(context.Context, struct{}) (tools.Result, error) {
				return tools.Result{Text: "there are no processes"}, nil
			})
		h := openAs(t, journal, copying, func(*session.Config) {}, process)
		if _, err := h.IsBusy(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		if got := h.watch(9, true); got[len(got)-1].(event.Ended).Reason != event.Done {
			t.Errorf("the turn that was cut short ends as %+v", got[len(got)-1])
		}
		bodies := h.watch(h.submit("3", "once more"), true)
		legal(t, requests)
		names := 0
		for _, m := range requests[0].Messages {
			for _, c := range m.Calls {
				if c.Name == "job" {
					names++
				}
			}
		}
		if names != 2 {
			t.Errorf("%d calls of before are told by their name: %+v", names, requests[0].Messages)
		}
		if !slices.ContainsFunc(bodies, func(b event.Body) bool {
			r, ok := b.(event.Returned)
			return ok && !r.OK && r.Error != nil && strings.HasSuffix(r.Error.Message, "the tools are look, run, write, process")
		}) {
			t.Errorf("a model that copies the name gets %+v", bodies)
		}
	})
}
