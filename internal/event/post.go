package event

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Person is somebody who may speak to hob over a platform, or a group in which people may.
type Person struct {
	Platform string    `json:"platform"`       // "telegram"
	ID       int64     `json:"id"`             // on the platform; those of groups are negative
	Name     string    `json:"name,omitempty"` // as it was when they were let in; for people to read, it proves nothing
	Level    Level     `json:"level"`          // of a group: User, everybody in it has their own
	Since    time.Time `json:"since"`          // when they were let in
	By       string    `json:"by,omitempty"`   // who has let them in
}

// Invite is a code that lets one person in. The code itself is kept nowhere.
type Invite struct {
	Platform string    `json:"platform"`
	Level    Level     `json:"level"` // that they get
	Expires  time.Time `json:"expires"`
	Tries    int       `json:"tries"` // wrong codes that may still be given
}

// Update is an update from a platform, as it came, until it was handled.
type Update struct {
	N        int64           `json:"n"` // by which it is known, rising in the order in which they came; 0 until it was received
	Platform string          `json:"platform"`
	Bot      int64           `json:"bot"`  // that it came to
	ID       int64           `json:"id"`   // on the platform, which may number anew
	Hash     string          `json:"hash"` // of Raw, see [HashJSON]; "" if it came before there were any
	Raw      json.RawMessage `json:"raw"`  // nil once it was dealt with
	State    UpdateState     `json:"state"`
}

// HashJSON is a hash of a JSON value that does not depend on blanks or on the order of keys.
func HashJSON(raw json.RawMessage) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // a float64 does not hold every id
	var value any
	if err := decoder.Decode(&value); err != nil {
		return "", err
	}
	canonical, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:16]), nil
}

// UpdateState is how far an [Update] has come.
type UpdateState string

// The states of an update. One that was begun and not done when the process died may have had its effect.
const (
	UpdateNew   UpdateState = "new"
	UpdateBegun UpdateState = "begun"
	UpdateDone  UpdateState = "done"
)

// Send is the record of one message to a platform, with a part of an event, which is to be sent once.
type Send struct {
	Chat    Chat      `json:"chat"`
	Seq     int64     `json:"seq"`               // of the event
	Part    int       `json:"part"`              // of what is sent of it; the surface numbers them
	State   SendState `json:"state"`             //
	Tries   int       `json:"tries"`             // how many tries may have arrived
	Message int64     `json:"message,omitempty"` // its id on the platform, once it is known
}

// SendState is how far a [Send] has come.
type SendState string

// The states of a send. One that was begun and has not ended when the process died may have arrived.
const (
	SendBegun   SendState = "begun"
	SendSent    SendState = "sent"
	SendRefused SendState = "refused" // the platform will never take it
	SendGone    SendState = "gone"    // it was sent and taken away again
	SendHeld    SendState = "held"    // it will be tried again: it did not arrive, or that does no harm
)

// SendReader is the reader whose mark says up to where a chat has been sent what happened in it.
func SendReader(chat Chat) string { return "told/" + string(chat) }
