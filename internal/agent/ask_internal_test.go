package agent

import (
	"encoding/json"
	"testing"

	"hob/internal/llm"
)

// What a call holds can be journaled, whatever was read out of a reply: else the turn has no end.
func TestArgumentsAreJSON(t *testing.T) {
	for args, want := range map[string]string{"": "{}", `{:"a"}`: "{}", "{": "{}", "\xff": "{}", `{"path":"a"}`: `{"path":"a"}`, "null": "null"} {
		if got := (Turn{}).normalizer()(llm.Call{Name: "look", Args: json.RawMessage(args)}).Args; string(got) != want {
			t.Errorf("%q became %q, want %q", args, got, want)
		}
	}
}
