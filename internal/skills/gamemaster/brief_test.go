package gamemaster_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/tools"
)

// TestSchemas has each tool read its schema, which nothing else does before its first call.
func TestSchemas(t *testing.T) {
	h := newHouse(t, plan{})
	s := h.master.Skill()
	listed, _, err := s.Driver.(driver.Lister).List(t.Context())
	if err != nil || len(s.Tools) < 40 || len(listed) != 12 {
		t.Fatalf("%d tools, %d of them in the list, %v", len(s.Tools), len(listed), err)
	}
	for _, tool := range s.Tools {
		_, err := tool.(tools.Runner).Run(t.Context(), json.RawMessage(`{"no such argument": 1}`))
		var bad *tools.Error
		if !errors.As(err, &bad) || bad.Type != event.TypeValidation {
			t.Errorf("%s: %v", tool.Name(), err)
		}
		if !slices.Contains(listed, tool.Name()) {
			continue
		}
		told := tools.Schema([]tools.Tool{tool})[0].Parameters
		raw, err := json.Marshal(told)
		var schema struct {
			Required   []string
			Properties map[string]json.RawMessage
		}
		if err := errors.Join(err, json.Unmarshal(raw, &schema)); err != nil || len(schema.Properties) == 0 {
			t.Errorf("%s: models are told of no argument: %s, %v", tool.Name(), raw, err)
		}
		for _, name := range schema.Required {
			if schema.Properties[name] == nil {
				t.Errorf("%s: models are not told of %s, which it needs", tool.Name(), name)
			}
		}
	}
}
