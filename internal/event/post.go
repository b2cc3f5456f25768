package event

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Person is somebody who may use hob over a platform, or a group whose members may.
type Person struct {
	Platform string    `json:"platform"`       // "telegram"
	ID       int64     `json:"id"`             // on the platform; ids of groups are negative
	Name     string    `json:"name,omitempty"` // their name when they were added; for people to read, it proves nothing
	Level    Level     `json:"level"`          // a group has User, and each member a level of their own
	Since    time.Time `json:"since"`          // when they were added
	By       string    `json:"by,omitempty"`   // who added them
}

// Invite is a code that admits one person. The code itself is not stored.
type Invite struct {
	Platform string    `json:"platform"`
	Level    Level     `json:"level"` // the level that they get
	Expires  time.Time `json:"expires"`
	Tries    int       `json:"tries"` // wrong codes that may still be tried
}

// Update is an update from a platform in its original form, until it was handled.
type Update struct {
	N        int64           `json:"n"` // hob's own number, rising in the order of arrival; 0 until it is received
	Platform string          `json:"platform"`
	Bot      int64           `json:"bot"`  // the bot that received it
	ID       int64           `json:"id"`   // on the platform, which may restart its numbers
	Hash     string          `json:"hash"` // of Raw, see [HashJSON]; "" in old records
	Raw      json.RawMessage `json:"raw"`  // nil once it was handled
	State    UpdateState     `json:"state"`
}

// HashJSON returns a hash of a JSON value that ignores blanks and the order of keys.
func HashJSON(raw json.RawMessage) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // a float64 cannot hold every id
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

// UpdateState is how far the handling of an [Update] got.
type UpdateState string

// The states of an update. An update that had begun and not ended when the process died may have
// had its effect.
const (
	UpdateNew   UpdateState = "new"
	UpdateBegun UpdateState = "begun"
	UpdateDone  UpdateState = "done"
)

// Send is the record of one outgoing message of a platform. It holds one part of an event and is to
// be sent once.
type Send struct {
	Chat    Chat      `json:"chat"`
	Seq     int64     `json:"seq"`               // of the event
	Part    int       `json:"part"`              // which part of the event, as the surface numbers them
	State   SendState `json:"state"`             //
	Tries   int       `json:"tries"`             // tries that may have arrived
	Message int64     `json:"message,omitempty"` // its id on the platform, once known
}

// SendState is how far a [Send] got.
type SendState string

// The states of a send. A send that had begun and not ended when the process died may have arrived.
const (
	SendBegun   SendState = "begun"
	SendSent    SendState = "sent"
	SendRefused SendState = "refused" // the platform will never accept it
	SendGone    SendState = "gone"    // sent, and deleted again
	SendHeld    SendState = "held"    // to be tried again: it did not arrive, or a second arrival is harmless
)

// SendReader is the reader whose mark says which events of a chat were sent.
func SendReader(chat Chat) string { return "told/" + string(chat) }
