// Package policy decides whether a call may run: at once, after a person agrees, or not at all. It
// judges by what a tool says it may do, by who asks, and by where the data behind the call came
// from, not by patterns in the arguments. It assumes that the model obeys whoever wrote last. It
// waits for nobody: asking is the session's work.
//
// A conversation is tainted: untrusted once a stranger's words are in it, private once the
// household's data is. Each alone is harmless; together with a way out they are a leak. So sending,
// storing for later conversations and irreversible actions are checked against the taint (see
// [Policy.Judge]).
//
// More taint, fewer grants or fewer words of the owner never make a ruling milder.
package policy

import (
	"fmt"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// Expiry is how long a question is open; after that it counts as a no.
const Expiry = 24 * time.Hour

// Limits on what wears people out, and on what a model gains by asking again.
const (
	maxDenied  = 2    // denials of one tool in a turn, after which its calls are not judged any more
	maxAsked   = 20   // questions in a chat in an hour
	maxAddress = 2048 // bytes of an address that nobody gave word for word: a longer one can carry a message
)

// Verdict is the decision on a call.
type Verdict int

// The verdicts. The zero Verdict denies.
const (
	Deny Verdict = iota
	Ask
	Allow
)

// String returns "deny", "ask" or "allow".
func (v Verdict) String() string {
	if names := []string{Deny: "deny", Ask: "ask", Allow: "allow"}; v >= 0 && int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("verdict %d", int(v))
}

// Policy is the set of rules in force. It is a value: make a new one when anything may have
// changed.
type Policy struct {
	Disabled map[string]bool // tools that a person has switched off
	// DisabledIn has the tools that a person has switched off in one chat.
	DisabledIn map[event.Chat]map[string]bool
	Only       []string      // the only tools that may run; none means all
	Hosts      []string      // may be sent to without a question; see [CheckHost] for the form
	Searches   []string      // hosts of the owner's own search servers: like Hosts, unless both taints meet
	Grants     []event.Grant // permissions that people gave for good
}

// Call is a call with all facts by which it is judged.
type Call struct {
	llm.Call              // its arguments are canonical and valid
	Tool     tools.Tool   // the called tool
	Caller   tools.Caller // Label is the joined label of everything that the model has read
	Words    []string     // the owner's words in this conversation, verbatim
	// Asks are the asking person's own words in this turn, verbatim, without anything forwarded,
	// quoted or attached. Nil: unknown.
	Asks []string
	// Seen reports whether a page fetched in this conversation has exactly this link. Nil: none
	// has.
	Seen   func(url string) bool
	Unsure bool // it may not be what the person meant, or more than they expect: it asks at least
	Denied int  // denied calls of the tool in this turn
	Asked  int  // questions in this chat in the last hour
}

// Ruling is the decision on a call with its reasons.
type Ruling struct {
	Verdict Verdict
	Rule    Rule
	Why     string        // a short reason for the person or the model; it names no setting
	Grants  []event.Grant // for an Ask: what a person could grant for good instead
}
