// Package toolcall makes calls of what a model wrote: it finds them, mends them, and holds them against the schemas of the
// tools. It is pure: no clock, no network, no state, no logging. This is the only place where what a model wrote is coerced
// or repaired. Everything behind it is strict.
//
// The path of a reply through [Offer.Read]:
//
//	think.go    takes out what was thought, for it is never said
//	words.md    has the marks and words that models write, words.go reads it
//	scan.go     goes over the text once and tries each place where a call can begin; control.go knows control tokens
//	formats.go  marks that models are trained to call with: one table of openers, closers and bodies; mention.go: not those
//	            that are only spoken of
//	line.go     what counts where a line or a statement begins; fence.go where a fence does, action.go behind Action:,
//	            meant.go what begins as a call does and cannot be read
//	calls.go    the calls behind each: lists, Python, names; object.go: JSON; elements.go: elements
//	lenient.go  reads every value in them, and notes what it mends; quotes.go: texts in quotes, scalars.go: what has none;
//	            tree.go holds the values and writes them
//	gate.go     decides which candidates run, and about which the model is asked
//	resolve.go  finds the tool that a name means
//	mend.go     brings the arguments into the schema: unwrap.go, then coerce.go by the shape in shape.go
//	read.go     gives the reply its class
//
// Calls that the server read count; where it read none, calls are looked for in the words. A call that was cut off is never
// closed; one that the model left without its last bracket is, unless a part of a value may be missing with it, and for a tool
// with side effects only if its arguments are whole. What stands behind a call was written without its result and is dropped.
// A reply holds at most 32 calls.
//
// Marked calls count wherever they stand, unless they are only spoken of. Others count where a text, a line or a fence begins
// with them. Where it is not certain that such a call is meant, or how, it runs if the tool only looks; else the model is
// asked for it ([AskedAgain]), and a person does not see it. So is a reply that is nothing but the shape of a call of a tool
// that there is not.
//
// Arguments are mended with the schema of the tool at hand. Where others may have been meant than those that were read, since
// a text has swallowed the next argument or some stand beside the others, a tool that acts does not run.
//
// [Screen] shows of a reply that is still being written what Read will call its text, and not more. It runs the same scan
// over the text as it grows: a decision that rests on the end of the text waits.
//
// The other way, from hob to the model: render.go puts tools and calls into words, arrange.go suits them to a chat template,
// format.go makes the grammar of structured replies, correct.go and example.go answer a call that does not fit.
//
// All of it takes time in proportion to the text, whatever the text is.
package toolcall
