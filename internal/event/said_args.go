package event

import (
	"encoding/json"
	"strings"

	"hob/internal/jsonl"
)

// ChoreCall begins the ID of a call that hob made from a person's own words. The number of the turn
// follows.
const ChoreCall = "chore-"

// SaidArgs returns the arguments of a call as people read them. For a chore they exclude what hob
// added to the words: their language and other possible meanings.
func (c Called) SaidArgs() json.RawMessage {
	if !strings.HasPrefix(c.ID, ChoreCall) {
		return c.Args
	}
	all, ok := jsonl.Members(c.Args)
	if !ok {
		return c.Args
	}
	out := []byte{'{'}
	for _, m := range all {
		if m.Name == "lang" || m.Name == "other" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		key, _ := json.Marshal(m.Name) // a string always has a JSON form
		out = append(append(append(out, key...), ':'), m.Value...)
	}
	return append(out, '}')
}
