package event

import "hob/internal/llm"

// Resumed says that a turn goes on that was interrupted by the end of the process, or parked.
type Resumed struct {
	Waited bool `json:"waited,omitempty"` // it neither used the model nor ran a tool, so it did not crash the process
	Again  bool `json:"again,omitempty"`  // a person retries it: earlier failures no longer count
}

// Requested says that the model now works on a request of the turn, until the turn's next event
// from the model. After a crash, such a turn may have caused it.
type Requested struct{}

// ParkReason says why a turn is parked.
type ParkReason string

// The reasons for parking a turn. A turn that waits for the model resumes by itself; for the others
// a person decides.
const (
	ParkedForModel ParkReason = "model"  // the model's server does not answer: the turn resumes once it does
	ParkedTooLong  ParkReason = "time"   // the model was away longer than turns wait
	ParkedBroken   ParkReason = "crash"  // the turn crashed the process, or the model's server, repeatedly
	ParkedByPerson ParkReason = "person" // a person did not want to wait
)

// Parked says that the turn is parked until a [Resumed] of it follows.
type Parked struct {
	Reason  ParkReason `json:"reason"`
	Kind    llm.Kind   `json:"kind,omitempty"`    // kind of the model's failure, if that is the reason
	Begun   bool       `json:"begun,omitempty"`   // the server had taken a request of the turn
	Problem string     `json:"problem,omitempty"` // the problem, in one sentence
	Text    string     `json:"text,omitempty"`    // for the person; "" if they know
}

// Paused says that hob was shut down while the turn was open: the next Resumed follows no crash.
type Paused struct{}

// Waiting says how long a turn still waits in the queue for the model. It is never journaled.
type Waiting struct {
	Ahead   int    `json:"ahead"`   // requests that come first
	Seconds int    `json:"seconds"` // estimated wait; 0: unknown
	Text    string `json:"text"`    // a sentence
}

// IsTransient reports whether a body is only shown and never journaled.
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
