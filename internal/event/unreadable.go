package event

import (
	"encoding/json"
	"errors"
)

// ErrUnknownType is the error of [Unmarshal] for a type that only a newer hob knows.
var ErrUnknownType = errors.New("it was written by a newer hob")

// Unreadable replaces a body in a journal that cannot be read. It is never journaled itself.
// Readers may ignore it.
type Unreadable struct {
	Of      string `json:"of"`      // the journaled type
	Damaged bool   `json:"damaged"` // the stored bytes changed; otherwise the type is unknown
	Reason  string `json:"reason"`
}

// Type implements [Body].
func (Unreadable) Type() string { return "unreadable" }
func (Unreadable) sealed()      {}

// Read is [Unmarshal] for readers that go on after errors: an unreadable body becomes an
// [Unreadable].
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
