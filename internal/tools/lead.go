package tools

import "encoding/json"

// Plan is what a person's words come to where no model is needed to understand them: calls, which run as a model's would, or an
// answer.
type Plan struct {
	Calls  []Planned
	Result Result // the answer; with Calls there is none
}

// Planned is a call of a [Plan].
type Planned struct {
	Name string
	Args json.RawMessage
}

// Narration says how what was done in a turn is told by a model: one more request after the calls, in which calls are refused.
type Narration struct {
	Batches     int     // replies with calls that a turn may have before it is told; 0: as many as the turn's budget has
	Ask         string  // what the model is told then
	Temperature float64 // of that request
	Tokens      int     // that the words may have
	Rewrites    int     // how often the words may be written again where they do not agree with what is so
}

// Place says which call of its turn a call is.
type Place struct {
	ID    string // of the call
	Reply int    // which reply of the turn made it, from 1
	Index int    // which of the reply's calls it is, from 0
	From  Origin
}

// Origin is who made a call.
type Origin int

// The origins of calls.
const (
	FromModel   Origin = iota
	FromPlan           // what leads the chat, as a person's plain words came to it
	FromCommand        // a person, by the tool's name
)
