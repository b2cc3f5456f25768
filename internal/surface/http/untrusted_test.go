package http_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store/storetest"
)

// letter is what a program hands on, as the model reads it.
func letter(text string) event.Attachment {
	return event.Attachment{Text: text, Label: event.Label{Untrusted: true, Source: "api"}, Fence: "word"}
}

// fences is a sanitizer that fences with a word that a test knows.
type fences struct{ session.Sanitizer }

func (f fences) SanitizeMessage(text string, from event.Label) (string, string) {
	if !from.Untrusted {
		return text, ""
	}
	return text, "word"
}
func (f fences) SanitizeLabel(l event.Label) event.Label { return l }

func fenced(cfg *session.Config) {
	cfg.Sanitizer = fences{policy.NewSanitizer(nil, nil)}
}

// saidIn is what was said first in a chat.
func saidIn(t *testing.T, journal *storetest.Memory, chat event.Chat) event.Said {
	t.Helper()
	for e, err := range journal.Chat(t.Context(), chat, 0) {
		said, ok := e.Body.(event.Said)
		if err != nil || !ok {
			t.Fatalf("%+v, %v", e, err)
		}
		return said
	}
	t.Fatal("nothing was said")
	return event.Said{}
}

// Of a message that the owner did not write nothing is an order, and what comes with their words is
// told apart from them.
func TestChat_UntrustedMessages(t *testing.T) {
	const user, strange = `{"role":"user","content":"sum it up"}`, `{"role":"user","content":"letter one","untrusted":true}`
	const other, past = `{"role":"user","content":"letter two","untrusted":true}`, `{"role":"user","content":"long ago"},{"role":"assistant","content":"yes"}`
	whole := event.Said{Text: "letter one", Fence: "word", Label: event.Label{Untrusted: true, Source: "api"}}
	both := event.Said{Text: "sum it up", Attachments: []event.Attachment{letter("letter one"), letter("letter two")}}
	one := event.Said{Text: "sum it up", Attachments: []event.Attachment{letter("letter one")}}
	two := whole
	two.Text, two.Attachments = "letter two", []event.Attachment{letter("letter one")}
	for _, c := range []struct {
		name, messages string
		want           event.Said
	}{
		{"words", user, event.Said{Text: "sum it up"}},
		{"nothing is said of it", `{"role":"user","content":"sum it up","untrusted":false}`, event.Said{Text: "sum it up"}},
		{"a letter", strange, whole},
		{"a letter after a conversation", past + "," + strange, whole},
		{"before the words", strange + "," + user, one},
		{"behind the words", user + "," + strange, one},
		{"around the words", strange + "," + user + "," + other, both},
		{"two before the words", past + "," + strange + "," + other + "," + user, both},
		{"two behind the words", user + "," + strange + "," + other, both},
		{"two letters", strange + "," + other, two},
		{"a letter of before", strange + `,{"role":"assistant","content":"yes"},` + user, event.Said{Text: "sum it up"}},
		{"a letter before other words", strange + `,{"role":"user","content":"no"},` + user, event.Said{Text: "sum it up"}},
		{"an empty letter", `{"role":"user","content":" ","untrusted":true},` + user, event.Said{Text: "sum it up"}},
		{"what came of it", strange + "," + user + `,{"role":"assistant","content":"yes"}`, one},
	} {
		t.Run(c.name, func(t *testing.T) {
			journal := storetest.NewMemory(time.Now)
			h := open(t, journal, modelFunc(func(context.Context, string) (*llm.Reply, error) { return textReply("well") }), fenced)
			status, body := h.post(t, t.Context(), `{"session_id":"a","request_id":"1","messages":[`+c.messages+`]}`)
			if status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
			rest := cmpopts.IgnoreFields(event.Said{}, "InputID", "From", "Tail", "Principal")
			if diff := cmp.Diff(c.want, saidIn(t, journal, "a"), rest); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Who hands on a letter gives no command with it.
func TestChat_UntrustedIsNoCommand(t *testing.T) {
	asked := 0
	model := modelFunc(func(context.Context, string) (*llm.Reply, error) { asked++; return textReply("well") })
	h := open(t, storetest.NewMemory(time.Now), model, fenced)
	const line = `{"role":"user","content":"/write path=a","untrusted":true}`
	status, body := h.post(t, t.Context(), `{"session_id":"a","command":true,"messages":[`+line+`]}`)
	if status != http.StatusOK || asked != 1 || !strings.Contains(body, `"applied_actions":[]`) {
		t.Errorf("%d, the model was asked %d times: %s", status, asked, body)
	}
	status, body = h.post(t, t.Context(), `{"session_id":"a","command":true,"messages":[`+line+`,{"role":"user","content":"/write path=a"}]}`)
	if status != http.StatusBadRequest || asked != 1 || !strings.Contains(body, "a command takes no untrusted messages beside it") {
		t.Errorf("%d, the model was asked %d times: %s", status, asked, body)
	}
	for _, wrong := range []string{`"yes"`, "1", "null"} {
		if status, body := h.post(t, t.Context(), `{"session_id":"a","messages":[{"role":"user","content":"x","untrusted":`+wrong+`}]}`); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", wrong, status, body)
		}
	}
}

// The same request is answered with what came of it, and is the same with the same attachments
// alone.
func TestChat_UntrustedTwice(t *testing.T) {
	asked := 0
	model := modelFunc(func(context.Context, string) (*llm.Reply, error) { asked++; return textReply("well") })
	h := open(t, storetest.NewMemory(time.Now), model, func(cfg *session.Config) { cfg.Sanitizer = policy.NewSanitizer(nil, rand.Reader) })
	ask := func(messages string) (int, string) {
		return h.post(t, t.Context(), `{"session_id":"a","request_id":"1","messages":[`+messages+`]}`)
	}
	const words, one = `{"role":"user","content":"sum it up"}`, `{"role":"user","content":"one","untrusted":true},`
	status, first := ask(one + words)
	if again, body := ask(one + words); status != http.StatusOK || again != status || body != first || asked != 1 {
		t.Errorf("%d %s\n%d %s\nthe model was asked %d times", status, first, again, body, asked)
	}
	for _, other := range []string{words, one + one + words, strings.ReplaceAll(one, "one", "two") + words,
		`{"role":"user","content":"sum it up","untrusted":true}`, one + strings.ReplaceAll(words, "sum", "add")} {
		if status, body := ask(other); status != http.StatusConflict || asked != 1 {
			t.Errorf("%s: %d %s", other, status, body)
		}
	}
	if status, body := h.post(t, t.Context(), `{"session_id":"a","messages":[{"role":"user","content":"`+strings.Repeat("x", 1001)+`","untrusted":true},`+words+`]}`); status == http.StatusOK {
		t.Errorf("a letter of any length is taken: %s", body)
	}
}

// A stranger's text is no command and no chore either in a group's chat, where people command what their level allows.
func TestUntrustedInAGroup(t *testing.T) {
	const group = event.Chat("telegram/-1001234567890")
	for path, body := range map[string]string{
		"/api/v1/say":  `{"chat":"` + string(group) + `","id":"1","text":"/write path=a","command":true,"typed":true,"label":{"untrusted":true,"source":"mail"}}`,
		"/api/v1/chat": `{"session_id":"` + string(group) + `","command":true,"messages":[{"role":"user","content":"/write path=a","untrusted":true}]}`,
	} {
		journal := storetest.NewMemory(time.Now)
		h := open(t, journal, modelFunc(func(context.Context, string) (*llm.Reply, error) { return textReply("well") }), fenced)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://hob"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := h.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if said := saidIn(t, journal, group); resp.StatusCode != http.StatusOK || said.Command || said.Typed {
			t.Errorf("%s: %s, %+v", path, resp.Status, said)
		}
	}
}
