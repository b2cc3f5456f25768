package tools

import (
	"bytes"
	"encoding/json"
	"fmt"

	"hob/internal/jsonl"
)

// Canonical returns args as compact JSON with sorted keys, numbers as they stand: the form that is validated, that a
// person approves, and that then runs.
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
