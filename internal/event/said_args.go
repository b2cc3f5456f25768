package event

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// ChoreCall is what the ID of a call begins with that hob has made of a person's own words. A turn's number follows.
const ChoreCall = "chore-"

// SaidArgs returns the arguments of a call as a person reads them. Those of a chore come without what hob has added to the words: their
// language, and what else they may mean.
func (c Called) SaidArgs() json.RawMessage {
	if !strings.HasPrefix(c.ID, ChoreCall) {
		return c.Args
	}
	d, out := json.NewDecoder(bytes.NewReader(c.Args)), []byte{'{'}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return c.Args
	}
	for d.More() {
		t, err := d.Token()
		name, isName := t.(string)
		var v json.RawMessage
		if err != nil || !isName || d.Decode(&v) != nil {
			return c.Args
		}
		if slices.Contains([]string{"lang", "other"}, name) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		key, _ := json.Marshal(name) // a text has no value that fails
		out = append(append(append(out, key...), ':'), v...)
	}
	return append(out, '}')
}
