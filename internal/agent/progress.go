package agent

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// Progress is what a turn has done and used so far. It is a fold over the emitted bodies, so a
// resumed turn has the same.
type Progress struct {
	Steps        int           // replies of the model
	Calls        int           // with a result
	PromptTokens int           // of the newest reply that had any
	EvalTokens   int           // of all replies
	Time         time.Duration // of the model and of tools, without waits for a person
	Succeeded    int           // calls that succeeded
	Denied       int           // calls that the gate denied
	Wasted       int           // unusable replies

	failures       failures
	nudges         []event.Why // kinds of the nudges sent
	summed         bool        // the conversation was summarized
	unanswered     callRecords // calls without a result
	answered       callRecords // calls with a result, in the order of their results
	answeredBefore int         // how many of answered came before the person's newest input
	started        []string    // IDs of calls that started to act
	effects        []event.Effect
	callingReplies int  // replies that made calls
	callsInReply   int  // calls in the newest of these
	planned        bool // the newest calls are a plan
}

// ClassDirect is the class of words and plans that a stage gives in the model's place; see
// [event.Generated].
const ClassDirect = "direct"

// IsWithoutModel reports whether no model made b: it is a person's own call, or comes from a stage.
func IsWithoutModel(b event.Generated) bool { return b.Class == classCommand || b.Class == ClassDirect }

// Classes of replies beside those of package toolcall; see [event.Generated].
const (
	classSummary  = "summary" // a summary of the conversation
	classRepeats  = "repeats" // stopped because it repeated itself
	classCutShort = "stopped" // cut short by a stop, or by the end of the turn's time
	classCommand  = "command" // a person's command: no model was asked
)

// callRecords are calls of the turn, oldest first.
type callRecords []callRecord

// callRecord is one call of the turn. The second group of fields is set by its result.
type callRecord struct {
	ref  tools.CallRef // its ID, and the reply that made it
	tool string
	key  string // tool and canonical arguments

	acted          bool              // may have changed something
	by             string            // who answered in the tool's place
	ok             bool              // it succeeded
	unfit          bool              // it did not fit, so its reply counts as unusable
	reason         string            // reason for a failure, for people
	retry          bool              // the cause of the failure may pass
	outcomeUnknown bool              // it started, and its outcome is unknown
	silent         bool              // the tool reports no effects
	sum            [sha256.Size]byte // hash of the result
	shown          [sha256.Size]byte // hash of the result as the model read it, perhaps fenced
	label          event.Label       // of the result
	text           string            // of the result
}

// Add returns the progress with body added.
func (s Progress) Add(body event.Body) Progress {
	switch b := body.(type) {
	case event.Generated:
		return s.addReply(b)
	case event.Nudged:
		why := cmp.Or(b.Why, event.ForBudget)
		s.nudges = append(slices.Clip(s.nudges), why)
		if why == event.ForNarration { // failures before the narration do not concern it
			s.failures = failures{}
		}
	case event.Called:
		ref := tools.CallRef{ID: b.ID, Reply: s.callingReplies, Index: s.callsInReply}
		call := callRecord{ref: ref, tool: b.Tool, key: callKey(b.Tool, b.Args)}
		s.unanswered = append(slices.Clip(s.unanswered), call)
		s.callsInReply++
	case event.Started:
		s.started = append(slices.Clip(s.started), b.CallID)
	case event.Returned:
		return s.addResult(b)
	case event.Parked: // the earlier failures were waited out
		s.Wasted, s.failures.broken = s.Wasted-s.failures.broken, 0
	case event.Joined:
		s.answeredBefore = len(s.answered)
		s.nudges = slices.DeleteFunc(slices.Clone(s.nudges), isObjection)
	}
	return s
}

// sinceInput returns the answered calls since the person's newest input. The guards against
// repetition use it: after new words the same call may be right.
func (s Progress) sinceInput() callRecords { return s.answered[s.answeredBefore:] }

func (s Progress) addReply(b event.Generated) Progress {
	class := toolcall.Class(b.Class)
	switch class {
	case toolcall.Incomplete, toolcall.Transport, toolcall.Context, toolcall.Failed,
		classCutShort, classCommand, ClassDirect: // no reply of the model
	default:
		s.Steps++
	}
	if b.Usage.PromptTokens > 0 {
		s.PromptTokens = b.Usage.PromptTokens
	}
	if len(b.Message.Calls) > 0 {
		s.callingReplies, s.callsInReply, s.planned = s.callingReplies+1, 0, b.Class == ClassDirect
	}
	s.EvalTokens += b.Usage.EvalTokens
	s.Time += time.Duration(b.DurationMS) * time.Millisecond
	switch class {
	case toolcall.Calls, toolcall.Text, event.ClassDraft, event.ClassNarration, event.ClassRewrite, "":
		s.failures = failures{}
		return s
	case classSummary:
		s.summed = true
		return s
	case classCutShort, classCommand, ClassDirect:
		return s
	case toolcall.Empty, toolcall.Malformed:
		s.failures = s.failures.rememberReply(b)
	}
	s.Wasted++
	if kind, isCounted := unusableReplies()[class]; class == toolcall.Malformed && len(b.Message.Calls) > 0 {
		s.failures.unfit++
	} else if isCounted {
		*kind.count(&s.failures)++
	}
	return s
}

func (s Progress) addResult(b event.Returned) Progress {
	s.Calls++
	s.Time += time.Duration(b.DurationMS) * time.Millisecond
	if len(b.Effects) > 0 {
		s.effects = append(slices.Clip(s.effects), b.Effects...)
	}
	i := slices.IndexFunc(s.unanswered, func(p callRecord) bool { return p.ref.ID == b.ID })
	if i < 0 {
		return s
	}
	p := s.unanswered[i]
	s.unanswered = slices.Delete(slices.Clone(s.unanswered), i, i+1)
	p.ok, p.by, p.text, p.sum = b.OK, b.By, b.Text, sha256.Sum256([]byte(b.Text))
	if p.shown, p.label = p.sum, b.Label; b.Fence != "" {
		m, _ := event.Message(b)
		p.shown = sha256.Sum256([]byte(m.Text))
	}
	p.unfit = b.By == byCheck && s.failures.unfit > 0
	if b.Error != nil {
		p.retry, p.reason = b.Error.Retryable, b.Error.Message
	}
	p.acted, p.silent = slices.Contains(s.started, b.ID), len(b.Effects) == 0
	p.outcomeUnknown = b.By == byRestart || b.By == "" && b.Error != nil && b.Error.Code == event.CodeTimeout
	s.failures.doubtful = s.failures.doubtful || b.By == byCheck && b.Error != nil && b.Error.Message == toolcall.AskedAgain
	switch {
	case b.OK:
		s.Succeeded++
	case b.By == byGate:
		s.Denied++
	}
	s.answered = append(slices.Clip(s.answered), p)
	return s
}

// WhyCallsOff returns why calls are refused from now on, or "": it is the kind of the nudge that
// told the model.
func (s Progress) WhyCallsOff() event.Why {
	for _, why := range s.nudges {
		if why == event.ForBudget || why == event.ForLoop || why == event.ForNarration {
			return why
		}
	}
	return ""
}

// CountNudges counts the nudges of a kind.
func (s Progress) CountNudges(why event.Why) int {
	n := 0
	for _, other := range s.nudges {
		if other == why {
			n++
		}
	}
	return n
}

// HasPlan reports whether a stage made the newest calls in the model's place.
func (s Progress) HasPlan() bool { return s.planned }

// Batches counts the replies with at least one call that fit.
func (s Progress) Batches() int {
	n, last := 0, 0
	for _, p := range s.answered {
		if p.by != byCheck && p.ref.Reply > last {
			n, last = n+1, p.ref.Reply
		}
	}
	return n
}

// callRefOf returns the reference of a call that waits for its result.
func (s Progress) callRefOf(id string) tools.CallRef {
	for _, p := range s.unanswered {
		if p.ref.ID == id {
			return p.ref
		}
	}
	return tools.CallRef{ID: id}
}

// callKey identifies a call by its tool and arguments.
func callKey(tool string, args []byte) string {
	canonical, err := tools.Canonical(args)
	if err != nil {
		canonical = args
	}
	return tool + " " + strings.TrimSpace(string(canonical))
}
