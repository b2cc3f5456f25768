package tools

// CallRef says which call of its turn a call is.
type CallRef struct {
	ID    string // of the call
	Reply int    // which reply of the turn made it, from 1
	Index int    // which of the reply's calls it is, from 0
	From  CallOrigin
}

// CallOrigin is who made a call.
type CallOrigin int

// The origins of calls.
const (
	FromModel   CallOrigin = iota
	FromPlan               // the driver of the chat, from a person's plain words
	FromCommand            // a person, by the tool's name
)
