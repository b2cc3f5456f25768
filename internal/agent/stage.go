package agent

import (
	"context"

	"hob/internal/event"
	"hob/internal/llm"
)

// Stage changes how a turn goes: before the model is asked, and before the turn ends. Its methods
// return the turn, which may have another Stage then, and the phase that follows. Their error ends
// Run, as one of emit does.
type Stage interface {
	// Begin is called in each [Resume], even if calls wait. It returns [Prepare] to go on as usual,
	// [RunCalls] with a turn from [Turn.WithPlan], or [Finish] with a turn from [Turn.WithEnding].
	Begin(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error)
	// Close is called with the ending of the turn, unless the ending is settled or a person stopped
	// the turn. It returns [Finish] with a turn from [Turn.WithEnding] whose ending is settled, or
	// [Resume] to go on.
	Close(ctx context.Context, t Turn, e Ending, emit Emit) (Turn, Phase, error)
}

// Cause is how a turn came to its end.
type Cause int

// The causes.
const (
	Answered  Cause = iota // the model answered
	Cut                    // the model answered, and hit its token limit
	OutOfTime              // the turn's time was used up
	Unusable               // the model's replies were unusable
	Misfit                 // the model's calls did not fit, even after corrections
	Overcalls              // the model made calls although calls are refused
)

// Ending is how a turn ends.
type Ending struct {
	Cause   Cause
	Reason  event.Reason     // "": derived from the calls: done, denied, out of budget or looped
	Reply   event.Replied    // its Text is the last words
	Last    *event.Generated // the reply with these words, if it is not recorded yet; else nil
	Failure string           // why the model could not be asked; "" if it could
	Settled bool             // the stage is not asked again
}

// WithEnding returns the turn with its ending, which [Finish] plays.
func (t Turn) WithEnding(e Ending) Turn {
	t.state.ending = &e
	return t
}

// StageRules is how a stage changes the requests of its turn, and how the loop treats the replies.
type StageRules struct {
	Context     string  // stands below the newest words
	Temperature float64 // 0: as the turn says
	Tokens      int     // limit for a reply; 0: as the turn says
	CallsOnly   bool    // drop words beside calls, and let words alone end the turn unchecked
	WordsOnly   bool    // any reply ends the turn: calls are ignored, and nothing is asked again
	Class       string  // of a reply in words; "": text
	KeepTurns   int     // at least so many earlier turns keep their text, however small the context

	// Show is called as a reply arrives, with all of its text so far. It returns as much as may be
	// shown now, which must extend what it returned before, and false to cancel the rest. Without
	// Show nothing is shown before the stage has seen the whole reply.
	Show func(text string) (shown string, goOn bool)
}

// WithStageRules returns the turn with these rules.
func (t Turn) WithStageRules(r StageRules) Turn {
	t.state.rules = r
	return t
}

// IsExhausted reports whether a budget of the turn is used up, or the model goes in circles.
func (t Turn) IsExhausted() bool { return t.exhaustedBudget() != "" || t.findCircle() != "" }

// WithPlan emits a plan, calls that the stage makes in the model's place, and returns the turn with
// them. After a crash the stage must plan the same calls again, with the same IDs (see [Emit]).
// Tools of plans should be [tools.Replays]; another call that had started is interrupted.
func (t Turn) WithPlan(emit Emit, calls ...llm.Call) (Turn, error) {
	generated := event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: ClassDirect}
	var called []event.Body
	normalize := t.normalizer()
	for _, c := range calls {
		c = normalize(c)
		generated.Message.Calls = append(generated.Message.Calls, c)
		called = append(called, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args, Repairs: []string{}})
	}
	return t.Emit(emit, append([]event.Body{generated}, called...)...)
}
