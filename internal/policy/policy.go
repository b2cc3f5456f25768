// Package policy says whether a call may run: at once, after a person has said yes, or not at all. It judges by what a
// tool says it may do, by who asks, and by where the data came from that the call was made of, not by patterns in its
// arguments. It assumes that the model obeys whoever wrote last. It waits for nobody: asking is the session's work.
//
// A conversation is tainted: untrusted once a stranger's words are in it, private once the household's own are. Each alone
// is harmless; together with a way out they are a leak. So what leaves the machine, what outlasts the conversation and what
// cannot be taken back is held against the taint (see [Policy.Judge]).
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

// Expiry is how long a question waits for its answer; after that it counts as a no.
const Expiry = 24 * time.Hour

// What wears people out, and what a model gains by asking again, is bounded.
const (
	maxDenied  = 2    // denials of one tool in a turn, after which it is not judged any more
	maxAsked   = 20   // questions in a chat in an hour
	maxAddress = 2048 // bytes of an address that nobody gave word for word: more is a letter, not an address
)

// Verdict is what policy thinks of a call.
type Verdict int

// The verdicts. The zero Verdict denies.
const (
	Deny Verdict = iota
	Ask
	Allow
)

// String returns "deny", "ask" or "allow".
func (v Verdict) String() string {
	switch v {
	case Deny:
		return "deny"
	case Ask:
		return "ask"
	case Allow:
		return "allow"
	}
	return fmt.Sprintf("verdict %d", int(v))
}

// Policy is what is in force: a value, to be made anew whenever any of it may have changed.
type Policy struct {
	Disabled map[string]bool // tools that a person has switched off
	// DisabledIn are tools that a person has switched off in one chat.
	DisabledIn map[event.Chat]map[string]bool
	Only       []string      // the only tools that may run; none means all
	Hosts      []string      // that may be sent to without asking; see [CheckHost] for their form
	Searches   []string      // of servers of the owner's own that search: the same, except for what both taints meet in
	Grants     []event.Grant // what a person has allowed once and for all
}

// Call is a call and all that it is judged by.
type Call struct {
	llm.Call              // with canonical, valid arguments
	Tool     tools.Tool   // that it is of
	Caller   tools.Caller // Label is the join over all that the model was told
	Words    []string     // what the owner said in this conversation, word for word
	// Asks is what whoever asks has said in this turn themselves, word for word: nothing that was forwarded, quoted or
	// attached. None: nobody knows.
	Asks []string
	// Seen reports whether a page that was fetched in this conversation has exactly this link. Nil: none has.
	Seen   func(url string) bool
	Unsure bool // it may not be what the person meant, or is more than they may expect: it asks at least
	Denied int  // how often calls of the tool were denied in this turn
	Asked  int  // how many questions were asked in this chat in the last hour
}

// Ruling is what comes of a call.
type Ruling struct {
	Verdict Verdict
	Rule    Rule
	Why     string        // in a few words, for whoever is asked or refused; it names no setting
	Grants  []event.Grant // of an Ask: what a person could allow once and for all in its place
}
