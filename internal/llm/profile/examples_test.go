package profile

import (
	"encoding/json"
	"testing"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// An example is a call in a model's own words, so hob has to be able to read it, as strictly as its profile says.
func TestSeedsExamplesAreCalls(t *testing.T) {
	offer := toolcall.NewOffer([]llm.ToolDefinition{{Name: "get_weather", Description: "Tells the weather.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}}, nil)
	for _, e := range book(t).entries {
		if e.profile.Example == "" {
			continue
		}
		r := offer.Read(toolcall.Wire{Message: llm.Message{Role: llm.AssistantRole, Text: e.profile.Example},
			Strict: e.profile.Has(llm.StrictPromotion)})
		if r.Class != toolcall.Calls || len(r.Calls) != 1 || r.Calls[0].Name != "get_weather" || string(r.Calls[0].Args) != `{"city":"Paris"}` {
			t.Errorf("%s: %s is read as %+v", e.profile.Name, e.profile.Example, r)
		}
	}
}
