package agent

import (
	"cmp"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/llm/toolcall"
)

// How many unusable replies of each kind lead to another request. All but maxWasted count from the
// last usable reply. See [recovery].
const (
	maxUnfit      = 3 // each call is corrected; then the model is asked in the structured form
	maxUnreadable = 3 // likewise
	maxDoubtful   = 2 // something that only looks like a call is asked about once, in words
	maxStructured = 2 // tries in the structured form
	maxRepeats    = 1
	maxThought    = 2
	maxBroken     = 2
	maxWasted     = 6 // unusable replies in the whole turn
)

// unusableReply says how the loop handles one class of unusable replies.
type unusableReply struct {
	count   func(*recovery) *int // the counter of the class in recovery
	most    int                  // the turn ends once there are more than this
	why     event.Why            // kind of the note to the model; "": none, the same request is repeated
	setback string               // what the person reads when the model is asked again
	failure string               // what the person reads when it is not; "": the error says it
}

// unusableReplies has the classes of unusable replies. [toolcall.Malformed] here means calls that
// cannot be read; a call that does not fit gets an error result instead.
func unusableReplies() map[toolcall.Class]unusableReply {
	unreadable := func(r *recovery) *int { return &r.unreadable }
	thought := func(r *recovery) *int { return &r.thought }
	broken := func(r *recovery) *int { return &r.broken }
	repeats := func(r *recovery) *int { return &r.repeats }
	const maxTries = maxUnreadable - 1 + maxStructured // in the usual form, then in the structured one
	return map[toolcall.Class]unusableReply{
		toolcall.Empty: {unreadable, maxTries, event.ForUnreadable, "the model said nothing",
			"The model gave an empty reply, also when asked again. Ask in other words, or try another model with `hob model use NAME`."},
		toolcall.Malformed: {unreadable, maxTries, event.ForUnreadable, "the model's call could not be read",
			"The model tried to call a tool in a form that nobody can read, also when told how. Ask in other words, or measure it with `hob model try NAME`."},
		toolcall.Thinking: {thought, maxThought, event.ForThinking, "the model thought and said nothing",
			"The model thought and did not come to an answer. Ask for less at once, set a larger [ollama] num_predict, or try another model with `hob model use NAME`."},
		toolcall.Truncated: {thought, maxThought, event.ForCut, "the model's call was cut off",
			"The model's reply was cut off again and again before it was complete. Ask for less at once, or set a larger [ollama] num_predict."},
		classRepeats: {repeats, maxRepeats, event.ForRepeats, "the model repeated itself",
			"The model repeated itself without end and was stopped, also when asked again. Ask in other words, or try another model with `hob model use NAME`."},
		toolcall.Incomplete: {broken, maxBroken, "", "the reply broke off", ""},
		toolcall.Transport:  {broken, maxBroken, "", "the server failed", ""},
	}
}

// failureWords is the sentence for the person on why the model failed.
func failureWords(r reply) string {
	if r.err != nil && r.reading.Class != toolcall.Malformed {
		return r.err.Message
	}
	all := unusableReplies()
	return cmp.Or(all[r.reading.Class].failure, all[toolcall.Malformed].failure)
}

// correction returns the note to the model after an unusable reply; tries includes that reply. Each
// try has another text, because a small model answers the same words with the same reply. In
// notes.md they are unreadable-1 and so on.
func (t Turn) correction(r reply, tries recovery) event.Nudged {
	kind := unusableReplies()[r.reading.Class]
	try := strconv.Itoa(*kind.count(&tries))
	switch {
	case kind.why != event.ForUnreadable:
		return newNudge(kind.why, string(kind.why), "try", try, "tokens", strconv.Itoa(r.usage.EvalTokens))
	case len(t.Tools) == 0 || t.Progress.WhyCallsOff() != "":
		return newNudge(kind.why, "plain", "try", try)
	}
	reason := strings.TrimRight(cmp.Or(r.reading.Reason, "it came out empty"), ".")
	return newNudge(kind.why, "unreadable-"+try,
		"reason", reason, "example", t.state.offer.Example(t.form(tries), toolcall.Call{}), "answer", t.state.offer.AnswerWord())
}
