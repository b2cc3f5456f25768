package http

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/surface/http/api"
)

// No text makes the reader of bodies fail in another way than with a sentence, and what it takes
// encoding/json takes too.
func FuzzUnmarshalStrict(f *testing.F) {
	for _, seed := range []string{`{"session_id":"a","messages":[{"role":"user","content":"x"}]}`, `{"messages":[null]}`, `{"a":{"b":[]}}`, `[]`, `{"session_id":1e999}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var in, plain api.ChatRequest
		err := unmarshalStrict([]byte(text), &in)
		if err == nil && json.Unmarshal([]byte(text), &plain) != nil {
			t.Errorf("%q was read", text)
		}
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "json:")) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
