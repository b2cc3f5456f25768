// Package toolcall makes calls of what a model wrote: it finds them, mends them, and holds them against the schemas of the
// tools. It is pure: no clock, no network, no state, no logging. This is the only place where what a model wrote is coerced
// or repaired. Everything behind it is strict.
//
// A reply is read in two passes through [Offer.Read]. The first finds what may be a call, reads it leniently, and notes what it
// mended and what leaves a doubt:
//
//	think.go    takes out what was thought, for it is never said
//	scan.go     goes over the text once, step by step, and tries each place where a call can begin; control.go knows control tokens
//	formats.go  marks that models are trained to call with: words.md has one table of openers, closers and bodies, and all other
//	            words that models write; mention.go: not those that are only spoken of
//	line.go     what counts where a line or a statement begins; fence.go where a fence does, action.go behind labels,
//	            meant.go what begins as a call does and cannot be read, spelled.go what calls in a syntax that nobody reads
//	calls.go    the calls behind each: lists, Python, names; object.go: JSON; elements.go: elements
//	lenient.go  reads every value in them, and notes what it mends; quotes.go: texts in quotes, scalars.go: what has none;
//	            tree.go holds the values and writes them
//
// The second decides what becomes of each candidate:
//
//	gate.go     which run, and about which the model is asked: by their doubts, by what stands around them, by what the tool does
//	resolve.go  finds the tool that a name means
//	mend.go     brings the arguments into the schema: unwrap.go, then coerce.go by the shape in shape.go; placeholder.go: texts
//	            that are no values
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
// over the text as it grows: a step that looked at the end of the text is taken back, and tried again when there is more.
//
// The other way, from hob to the model: render.go puts tools and calls into words, arrange.go suits them to a chat template,
// format.go makes the grammar of structured replies, correct.go and example.go answer a call that does not fit.
//
// All of it takes time in proportion to the text, whatever the text is.
package toolcall
