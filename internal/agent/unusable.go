package agent

import (
	"cmp"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/llm/toolcall"
)

// How often the model is asked again after replies of no use, by what was wrong with them. All but
// maxWasted count from the last reply that was of use. See [recovery].
const (
	maxUnfit      = 3 // each call is corrected; then the model is asked in the structured form
	maxUnreadable = 3 // likewise
	maxDoubtful   = 2 // what only looks like a call is asked about in words once
	maxStructured = 2 // tries in the structured form
	maxRepeats    = 1
	maxThought    = 2
	maxBroken     = 2
	maxWasted     = 6 // replies of no use in the whole turn
)

// unusableReply is what is made of replies of a class that are of no use.
type unusableReply struct {
	count   func(*recovery) *int // of these since the last reply that was of use
	most    int                  // after so many the model is asked again
	why     event.Why            // of the note that the model reads then; "": none, the same request is made again
	setback string               // what a person reads then
	failure string               // what a person reads when the model is not asked again; "": the error says it
}

// unusableReplies are the classes of replies of no use that are counted. Of [toolcall.Malformed] these are the calls that cannot be read:
// those that do not fit are answered, each by its result.
func unusableReplies() map[toolcall.Class]unusableReply {
	unreadable := func(r *recovery) *int { return &r.unreadable }
	thought := func(r *recovery) *int { return &r.thought }
	broken := func(r *recovery) *int { return &r.broken }
	repeats := func(r *recovery) *int { return &r.repeats }
	const maxTries = maxUnreadable - 1 + maxStructured // in the usual form, and then in the structured one
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

// failureWords is the sentence for a person on why the model is of no use.
func failureWords(r reply) string {
	if r.err != nil && r.reading.Class != toolcall.Malformed {
		return r.err.Message
	}
	all := unusableReplies()
	return cmp.Or(all[r.reading.Class].failure, all[toolcall.Malformed].failure)
}

// correction is the note for the model after a reply that could not be used; tries has that reply. Each try has another
// text: small models answer the same words with the same reply. (notes.md has one for each: unreadable-1 and so on.)
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
