package event

import (
	"encoding/json"
	"errors"
)

// ErrUnknownType is the error of [Unmarshal] for a type that this hob does not know: a newer hob wrote it.
var ErrUnknownType = errors.New("it was written by a newer hob")

// Unreadable stands in the place of a body that is in a journal and cannot be read. It is never journaled. A reader that
// does not look for it steps over it.
type Unreadable struct {
	Of      string `json:"of"`      // the type under which it was journaled
	Damaged bool   `json:"damaged"` // it is not what was written; otherwise it is of a type that this hob does not know
	Reason  string `json:"reason"`
}

// Type implements [Body].
func (Unreadable) Type() string { return "unreadable" }
func (Unreadable) sealed()      {}

// Read is [Unmarshal] for readers that go on: a body that cannot be read is an [Unreadable].
func Read(typ string, raw json.RawMessage) Body {
	body, err := Unmarshal(typ, raw)
	switch {
	case errors.Is(err, ErrUnknownType):
		return Unreadable{Of: typ, Reason: "this hob does not know the type: " + ErrUnknownType.Error()}
	case err != nil:
		return Unreadable{Of: typ, Damaged: true, Reason: err.Error()}
	}
	return body
}
