// Package toolcall makes calls of what a model wrote: it finds them, mends them, and holds them against the schemas of the
// tools. It is pure: no clock, no network, no state, no logging.
//
// This is the only place where what a model wrote is coerced or repaired. Everything behind it is strict.
//
// [Offer.Read] takes what came off the wire. What was thought is taken out first, for it is never said. Calls that the
// server read count; where it read none, calls are looked for in the words: behind the marks that models are trained to
// call with, which stand in one table ([formats]), in fences, and bare. One reader ([lenient]) reads all values. A call that
// was cut off is never closed; one that the model left without its last bracket is, unless a part of a value may be missing
// with it, and for a tool with side effects only if its arguments are whole. What stands behind a call was written without
// its result and is dropped. A reply holds at most 32 calls.
//
// Marked calls count wherever they stand, unless they are only spoken of. Others count where a text, a line or a fence begins
// with them. Where it is not certain that such a call is meant, or how, it runs if the tool only looks; else the model is
// asked for it ([AskedAgain]), and a person does not see it. So is a reply that is nothing but the shape of a call of a tool
// that there is not.
//
// Arguments are mended with the schema of the tool at hand. Where others may have been meant than those that were read, since
// a text has swallowed the next argument or some stand beside the others, a tool that acts does not run.
//
// [Screen] shows of a reply that is still being written what Read will call its text, and not more.
//
// Both take time in proportion to the text, whatever the text is.
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
