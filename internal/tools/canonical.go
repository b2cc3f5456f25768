package tools

import (
	"bytes"
	"encoding/json"
	"fmt"

	"hob/internal/jsonl"
)

// Canonical returns args as compact JSON with sorted keys and unchanged numbers. This form is
// validated, approved by a person, and then run.
func Canonical(args json.RawMessage) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("canonicalize arguments: %w", err)
	}
	canonical, err := jsonl.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("canonicalize arguments: %w", err)
	}
	return canonical, nil
}
