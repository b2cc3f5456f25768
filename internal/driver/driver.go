// Package driver holds the words between the loop and a skill that drives a chat, such as the master of a game.
//
// While such a skill is open each message of the chat goes to its [Driver] first. The driver answers where no model is
// needed, gives the model the context of the moment, checks the words that would end the turn, and completes them. A driver
// that has the model narrate what was done is a [Narrator], too.
//
// The package is a leaf: agent/staged plays a turn over a Driver, the skills package names it, and session wires the two.
// Every method may be called again after a crash, with the same [tools.Caller]: what it has done it must not do twice.
package driver

import (
	"context"
	"encoding/json"

	"hob/internal/tools"
)

// Driver drives a chat while its skill is open.
type Driver interface {
	// TryDirect returns the calls or the answer that a person's words come to without a model, or false where they need one.
	// The person reads its error.
	TryDirect(ctx context.Context, words string) (Plan, bool, error)
	// Context returns the text that stands below the newest words in each request of this turn, and nowhere else. Its error
	// ends the turn, and the person reads it.
	Context(ctx context.Context, words string) (string, error)
	// Check returns the mistakes in the words that would end the turn, each a sentence for the model.
	Check(ctx context.Context, draft string) []string
	// Finalize completes the words that end a turn with effects, files and choices; its Text is for the person, and "" means
	// the draft itself. After an error the draft stands alone. It is not called in a turn that a [Plan.Result] answered, that a
	// person stopped, or that an error of TryDirect or Context ended.
	Finalize(ctx context.Context, draft string) (tools.Result, error)
}

// Narrator is a driver that has the model narrate, and that has words of its own.
type Narrator interface {
	// Narration says how the model narrates the turn, or that it answers in its own words. It is called after Context, and
	// again when there is something to narrate: only then its Ask has to be complete.
	Narration(ctx context.Context) (Narration, bool)
	// Fallback returns the words that stand where the model finds none or was not asked. Where it broke off behind shown, which
	// is true and which somebody may have read, it returns what completes that: shown and the rest.
	Fallback(ctx context.Context, shown string) (string, error)
}

// Speaker is a driver that has a voice of its own.
type Speaker interface {
	// System returns the system text for the chat of ctx, which stands in place of hob's own; "" is hob's. It changes only with what
	// the driver has open there. Under such a text no skills are offered, and messages carry no time of day: the driver has its own.
	System(ctx context.Context) (string, error)
}

// Lister is a driver whose chats differ in the tools that they have.
type Lister interface {
	// List returns the names of the tools in the model's list for the chat of ctx, in their order, and of those that are switched
	// off there: nobody sees them, and a call of one is refused. It is called when the skill is opened and at the beginning of
	// each turn. The list of a chat changes only with the result.
	List(ctx context.Context) (listed, off []string, err error)
}

// Plan is the meaning of words that need no model: calls, which run like a model's, or an answer.
type Plan struct {
	Calls  []PlannedCall
	Result tools.Result // the answer; empty where there are Calls
}

// PlannedCall is a call of a [Plan].
type PlannedCall struct {
	Name string
	Args json.RawMessage
}

// Narration says how a model narrates a turn: in one more request after the calls, in which calls are refused.
type Narration struct {
	Batches     int     // replies with calls that a turn may have before the narration; 0: as many as its budget allows
	Ask         string  // the instruction to the model
	Temperature float64 // of that request
	Tokens      int     // that the words may have
	Rewrite     string  // the note that asks for other words, with {0} for the mistakes in these; "" is in English
	Rewrites    int     // how often words that fail the check are asked for again, while nothing of them is shown

	// Enough reports whether the calls so far are all that the words want: then the narration follows at once. Nil: the model says
	// so by a reply without calls.
	Enough func(ctx context.Context) bool
	// Stands reports whether words that came in place of calls narrate the turn already, and hold. Nil: none do.
	Stands func(ctx context.Context, words string) bool

	// Shown returns what a person reads of words, of which the beginning of their result is that of the beginning. Sentence by
	// sentence is then shown once it is checked. Without it nothing is shown before the turn is over.
	Shown func(words string) string
}
