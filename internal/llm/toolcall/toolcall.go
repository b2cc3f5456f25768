package toolcall

import (
	"hob/internal/llm"
	"hob/internal/schema"
)

// Class says what a reply is.
type Class string

// The classes.
const (
	Calls      Class = "calls"      // one or more calls, all of which fit
	Text       Class = "text"       // words for a person
	Empty      Class = "empty"      // nothing at all: servers swallow calls that they cannot read
	Thinking   Class = "thinking"   // thoughts and nothing else
	Truncated  Class = "truncated"  // cut off at the limit of tokens
	Malformed  Class = "malformed"  // calls that cannot be read, or do not fit
	Incomplete Class = "incomplete" // the stream ended before the model was done
	Transport  Class = "transport"  // no reply; the same request may succeed
	Context    Class = "context"    // the conversation is longer than the context
	Failed     Class = "failed"     // no reply, and asking again does not help
)

// Wire is what came off the wire in answer to one request.
type Wire struct {
	Message   llm.Message // as it came: Text may hold calls and thoughts
	Truncated bool
	Err       error    // why there is no complete reply, an *[llm.Error]
	Mode      llm.Mode // how the model was asked
	Strict    bool     // calls in Text count only inside a tag or a fence
	Loose     bool     // the model may think in Text without an opening tag
}

// Reading is what a reply comes to.
type Reading struct {
	Class    Class
	Text     string // for a person: no thoughts, no calls
	Thinking string
	Calls    []Call
	Raw      string // what the model wrote, where a call was found in words or could not be read
	Reason   string // for Malformed, Truncated and the failures: what is wrong, or was lost beside the calls, for the model to read
}

// Call is a call and what is wrong with it.
type Call struct {
	llm.Call                  // Repairs tells everything that was mended; Args are an object where they could be read
	Problems []schema.Problem // none: the call fits
}

// Asked reports whether it is not certain that the call is meant: it does not run, and the model is asked for it.
func (c Call) Asked() bool { return len(c.Problems) == 1 && c.Problems[0].Text == AskedAgain }

// Valid reports whether the call may run.
func (c Call) Valid() bool { return len(c.Problems) == 0 }
