package event

import (
	"encoding/json"
	"strings"

	"hob/internal/jsonl"
)

// ChoreCall is what the ID of a call begins with that hob has made of a person's own words. A turn's number follows.
const ChoreCall = "chore-"

// SaidArgs returns the arguments of a call as a person reads them. Those of a chore come without what hob has added to the words: their
// language, and what else they may mean.
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
		key, _ := json.Marshal(m.Name) // a text has no value that fails
		out = append(append(append(out, key...), ':'), m.Value...)
	}
	return append(out, '}')
}
