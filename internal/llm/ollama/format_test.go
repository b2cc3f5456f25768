package ollama

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hob/internal/llm"
)

// A server that cannot make a grammar of a request's format gets the simple one in its place.
func TestSimpleFormat(t *testing.T) {
	const typed, simple = `{"anyOf":[{"type":"object"}]}`, `{"type":"object"}`
	for name, c := range map[string]struct {
		refusal http.HandlerFunc
		simple  string
		want    int // requests
	}{
		"a status of 400":                 {status(400, `{"error":"bad request"}`), simple, 2},
		"a failure that names the format": {status(500, `{"error":"invalid JSON schema in format"}`), simple, 2},
		"a line that names the grammar":   {lines(`{"error":"failed to parse grammar"}`), simple, 2},
		"nothing simpler":                 {status(400, `{"error":"bad request"}`), "", 1},
		"another failure":                 {status(404, `{"error":"model 'tiny:1b' not found"}`), simple, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, func(w http.ResponseWriter, r *http.Request) { lines(text("{}"), doneLine)(w, r) })
			answer := f.chat
			f.chat = func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(string(f.lastBody()), "anyOf") {
					c.refusal(w, r)
					return
				}
				answer(w, r)
			}
			req := hello
			req.Format, req.SimpleFormat = json.RawMessage(typed), json.RawMessage(c.simple)
			reply, err := start(t, f).Chat(t.Context(), req, nil)
			if len(f.bodies) != c.want || (err == nil) != (c.want == 2) || err == nil && reply.Message.Text != "{}" {
				t.Errorf("%d requests, %v, %v", len(f.bodies), reply, err)
			}
			if e, ok := err.(*llm.Error); err != nil && (!ok || e.Message == "") {
				t.Errorf("error %v", err)
			}
		})
	}
}
