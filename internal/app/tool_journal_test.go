package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/tools"
)

// What was said in a chat is found by other forms of its words, in its own chat alone and with its label, and however often it was
// searched for; the text that is shown is where the words stand.
func TestHistory(t *testing.T) {
	o := newTestApp(t, noOllama)
	o.append("main", 0,
		event.Said{InputID: "1", Text: "Die Mülltonnen werden dienstags geleert"},
		event.Returned{ID: "c", Tool: "fetch", OK: true, Text: strings.Repeat("nothing. ", 100) + "the plumber's number is 4711", Label: event.Label{Untrusted: true}})
	o.append("other", 0, event.Said{InputID: "1", Text: "Mülltonne"})
	for i := range 300 {
		for _, tool := range []string{"recall", "search_chat"} { // and under the name that it had
			id := fmt.Sprint(tool, i)
			o.append("main", 0, event.Called{ID: id, Tool: tool, Args: json.RawMessage(`{"query":"Mülltonne plumbers"}`)},
				event.Returned{ID: id, Tool: tool, OK: true, Text: "2026-11-24 said: Mülltonnen plumbers"})
		}
	}
	o.append("main", 0, event.Said{InputID: "2", Text: "what was that about the Mülltonne?"})
	recall := func(chat event.Chat, query string) tools.Result {
		t.Helper()
		tool, err := o.Tools.ByName(app.RecallTool)
		if err != nil {
			t.Fatal(err)
		}
		ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: chat, RequestID: "2", Principal: app.LocalOwner()})
		res, err := tools.Call(ctx, tool, json.RawMessage(`{"query":"`+query+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	for _, c := range []struct {
		chat      event.Chat
		query     string
		want      string // of its one line
		untrusted bool
	}{
		{"main", "wann wird die Mülltonne geleert", " said: Die Mülltonnen werden dienstags geleert", false},
		{"main", "number of the plumbers", "the plumber's number is 4711", true},
		{"other", "Mülltonnen", " said: Mülltonne", false},
		{"main", "cats", "nothing earlier in this chat holds cats", false},
	} {
		res := recall(c.chat, c.query)
		if !strings.Contains(res.Text, c.want) || strings.Contains(res.Text, "\n") || res.Label.Untrusted != c.untrusted || !res.Label.Private {
			t.Errorf("%s: %s (%+v), want %s", c.query, res.Text, res.Label, c.want)
		}
	}
}
