package agent

import (
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// Usage is what a turn has done so far. It is a fold over the bodies that the turn emitted, so a turn that is taken up
// again after a crash knows it too.
type Usage struct {
	Steps, Calls    int
	PromptTokens    int // of the last reply that had any
	EvalTokens      int
	Time            time.Duration // of the model and of tools; waiting for a person costs nothing
	Allowed, Denied int           // calls
	Wasted          int           // replies that were of no use

	recovery recovery
	nudges   []event.Why // notes of the runtime to the model
	summed   bool        // it has summed the conversation up
	past     []past      // the calls of the turn that have a result, in the order of their results
	since    int         // so many of them were there when the person last said something
	open     []past      // those that have none yet
	started  []string    // ids of calls that began to act
	effects  []event.Effect
	replies  int  // with calls
	calls    int  // of the newest of these
	planned  bool // these were made in the model's place
}

// recovery counts, since the last reply that was of use, what went wrong with the model's replies.
type recovery struct {
	unfit      int // calls that did not fit
	unreadable int // empty replies, and calls that could not be read
	thought    int // thinking without an answer, and calls that were cut off
	broken     int // replies that did not come to their end
}

// ClassDirect is the class of words and calls that a stage had in the model's place; see [event.Generated].
const ClassDirect = "direct"

// Classes of replies beside those of package toolcall; see [event.Generated].
const (
	classSummary = "summary" // it sums the conversation up
	classStopped = "stopped" // somebody stopped it, or the turn's time was used up
	classOrder   = "command" // a person called a tool: there was no model
)

// past is a call of the turn.
type past struct {
	id, tool string
	ref      tools.CallRef
	key      string // tool and canonical arguments
	step     int    // the reply that made it
	acted    bool   // it may have changed something
	by       string // who answered in the tool's place
	ok       bool
	retry    bool              // it failed in a way that may pass
	cut      bool              // it began, and nobody knows what came of it
	silent   bool              // it says nothing of what it did
	sum      [sha256.Size]byte // of the result
	shown    [sha256.Size]byte // of the text that the model read of it, which may be fenced
	label    event.Label       // of it
}

// Add is what was spent once body was emitted, too.
func (s Usage) Add(body event.Body) Usage {
	switch b := body.(type) {
	case event.Generated:
		return s.addReply(b)
	case event.Nudged:
		why := b.Why
		if why == "" {
			why = event.ForBudget
		}
		s.nudges = append(slices.Clip(s.nudges), why)
		if why == event.ForNarration { // nothing of what went wrong before has to do with that
			s.recovery = recovery{}
		}
	case event.Called:
		ref := tools.CallRef{ID: b.ID, Reply: s.replies, Index: s.calls}
		s.open = append(slices.Clip(s.open), past{id: b.ID, tool: b.Tool, ref: ref, key: key(b.Tool, b.Args), step: s.Steps})
		s.calls++
	case event.Started:
		s.started = append(slices.Clip(s.started), b.CallID)
	case event.Returned:
		return s.addResult(b)
	case event.Parked: // what broke off before has been waited for
		s.Wasted, s.recovery.broken = s.Wasted-s.recovery.broken, 0
	case event.Joined:
		s.since = len(s.past)
		s.nudges = slices.DeleteFunc(slices.Clone(s.nudges), func(why event.Why) bool { return why == event.ForAnnounced || why == event.ForClaimed })
	}
	return s
}

// sinceWords is what was spent since the person last said something, as far as guards against repetition look at it: after new
// words the same call may be just what was asked for.
func (s Usage) sinceWords() Usage {
	s.past, s.since = s.past[s.since:], 0
	return s
}

func (s Usage) addReply(b event.Generated) Usage {
	switch toolcall.Class(b.Class) {
	case toolcall.Incomplete, toolcall.Transport, toolcall.Context, toolcall.Failed, classStopped, classOrder, ClassDirect: // no reply
	default:
		s.Steps++
	}
	if b.Usage.PromptTokens > 0 {
		s.PromptTokens = b.Usage.PromptTokens
	}
	if len(b.Message.Calls) > 0 {
		s.replies, s.calls, s.planned = s.replies+1, 0, b.Class == ClassDirect
	}
	s.EvalTokens += b.Usage.EvalTokens
	s.Time += time.Duration(b.DurationMS) * time.Millisecond
	r := &s.recovery
	switch toolcall.Class(b.Class) {
	case toolcall.Calls, toolcall.Text, event.ClassDraft, event.ClassNarration, event.ClassRewrite, "":
		s.recovery = recovery{}
		return s
	case classSummary:
		s.summed = true
		return s
	case classStopped, classOrder, ClassDirect:
		return s
	case toolcall.Empty:
		r.unreadable++
	case toolcall.Malformed:
		if len(b.Message.Calls) > 0 {
			r.unfit++
		} else {
			r.unreadable++
		}
	case toolcall.Thinking, toolcall.Truncated:
		r.thought++
	case toolcall.Incomplete, toolcall.Transport:
		r.broken++
	}
	s.Wasted++
	return s
}

func (s Usage) addResult(b event.Returned) Usage {
	s.Calls++
	s.Time += time.Duration(b.DurationMS) * time.Millisecond
	if len(b.Effects) > 0 {
		s.effects = append(slices.Clip(s.effects), b.Effects...)
	}
	i := slices.IndexFunc(s.open, func(p past) bool { return p.id == b.ID })
	if i < 0 {
		return s
	}
	p := s.open[i]
	s.open = slices.Delete(slices.Clone(s.open), i, i+1)
	p.ok, p.by, p.sum = b.OK, b.By, sha256.Sum256([]byte(b.Text))
	if p.shown, p.label = p.sum, b.Label; b.Fence != "" {
		m, _ := event.Message(b)
		p.shown = sha256.Sum256([]byte(m.Text))
	}
	p.retry = b.Error != nil && b.Error.Retryable
	p.acted, p.silent = slices.Contains(s.started, b.ID), len(b.Effects) == 0
	p.cut = b.By == byRestart || b.By == "" && b.Error != nil && b.Error.Code == event.CodeTimeout
	switch {
	case b.OK:
		s.Allowed++
	case b.By == byGate:
		s.Denied++
	}
	s.past = append(slices.Clip(s.past), p)
	return s
}

// Refusing is why calls are refused from here on, or "".
func (s Usage) Refusing() event.Why {
	for _, why := range s.nudges {
		if why == event.ForBudget || why == event.ForLoop || why == event.ForNarration {
			return why
		}
	}
	return ""
}

// CountNudges counts how often the model got a note of that kind.
func (s Usage) CountNudges(why event.Why) int {
	n := 0
	for _, other := range s.nudges {
		if other == why {
			n++
		}
	}
	return n
}

// HasPlan reports whether the newest calls were made in the model's place.
func (s Usage) HasPlan() bool { return s.planned }

// Batches counts the replies whose calls were more than unfit.
func (s Usage) Batches() int {
	n, last := 0, 0
	for _, p := range s.past {
		if p.by != byCheck && p.ref.Reply > last {
			n, last = n+1, p.ref.Reply
		}
	}
	return n
}

// callRefOf says which call of the turn a call is.
func (s Usage) callRefOf(id string) tools.CallRef {
	for _, all := range [][]past{s.open, s.past} {
		for _, p := range all {
			if p.id == id {
				return p.ref
			}
		}
	}
	return tools.CallRef{ID: id}
}

// key is the same for calls that are the same.
func key(tool string, args []byte) string {
	canonical, err := tools.Canonical(args)
	if err != nil {
		canonical = args
	}
	return tool + " " + strings.TrimSpace(string(canonical))
}
