package event

import "hob/internal/llm"

// Resumed says that a turn which the end of the process had cut short, or that was parked, goes on.
type Resumed struct {
	Waited bool `json:"waited,omitempty"` // it neither held the model nor ran a tool: it is not what ended the process
	Again  bool `json:"again,omitempty"`  // a person tries it again: what went wrong before does not count any more
}

// Requested says that a request of the turn is with the model from here on, until something of the model follows. Whichever
// turn had one when the process died may be what ended it.
type Requested struct{}

// ParkReason says why a turn is parked.
type ParkReason string

// The reasons a turn is parked for. A turn that waits for the model goes on by itself, the others when a person says so.
const (
	ParkedForModel ParkReason = "model"  // the model's server does not answer: the turn waits until it does
	ParkedTooLong  ParkReason = "time"   // it did not answer for as long as turns wait
	ParkedBroken   ParkReason = "crash"  // the turn ended the process, or the model's server, again and again
	ParkedByPerson ParkReason = "person" // somebody did not want to wait
)

// Parked says that the turn is set aside, until a [Resumed] of it follows.
type Parked struct {
	Reason  ParkReason `json:"reason"`
	Kind    llm.Kind   `json:"kind,omitempty"`    // of the failure of the model, if that is why
	Begun   bool       `json:"begun,omitempty"`   // its server had taken a request of the turn
	Problem string     `json:"problem,omitempty"` // what is wrong, a sentence
	Text    string     `json:"text,omitempty"`    // for the person; "" where they know
}

// Paused says that hob was stopped while the turn was open: the next Resumed follows no crash.
type Paused struct{}

// Waiting is how long a turn still waits for its turn at the model. It is never journaled.
type Waiting struct {
	Ahead   int    `json:"ahead"`   // requests that have to end first
	Seconds int    `json:"seconds"` // until it begins, estimated; 0 unknown
	Text    string `json:"text"`    // a sentence
}

// IsTransient reports whether a body is shown while it lasts and never journaled.
func IsTransient(b Body) bool {
	switch b.(type) {
	case Delta, Waiting:
		return true
	}
	return false
}

// Type implements [Body].
func (Resumed) Type() string   { return "resumed" }
func (Paused) Type() string    { return "paused" }
func (Requested) Type() string { return "requested" }
func (Parked) Type() string    { return "parked" }
func (Waiting) Type() string   { return "waiting" }

func (Resumed) sealed()   {}
func (Paused) sealed()    {}
func (Requested) sealed() {}
func (Parked) sealed()    {}
func (Waiting) sealed()   {}
