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
	// Begin is called in each [Resume], also where calls wait. It returns [Prepare] to have the turn go
	// on as it would, [RunCalls] with a turn of [Turn.WithPlan], and [Finish] with one of [Turn.End].
	Begin(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error)
	// Close is called with the ending that a turn comes to, unless that is settled or a person stopped
	// the turn. It returns [Finish] with a turn of [Turn.End] whose ending is settled, or [Resume] to
	// go on.
	Close(ctx context.Context, t Turn, e Ending, emit Emit) (Turn, Phase, error)
}

// Cause is what brought a turn to its end.
type Cause int

// The causes.
const (
	Answered  Cause = iota // the model answered
	Cut                    // the model answered, and its limit of tokens cut the answer off
	OutOfTime              // the turn's time was used up
	Useless                // the model's replies were of no use
	Misfit                 // the model's calls did not fit, also when it had read why
	Overcalls              // the model called though calls are refused
)

// Ending is how a turn ends.
type Ending struct {
	Cause   Cause
	Reason  event.Reason     // "": done, or what the calls of the turn say: denied, out of budget, looped
	Reply   event.Replied    // its Text is the last words
	Last    *event.Generated // the reply that the words are from, which is not recorded yet; nil: none
	Failure string           // why the model could not be asked
	Settled bool             // the stage is not asked
}

// WithEnding returns the turn with its ending, which [Finish] plays.
func (t Turn) WithEnding(e Ending) Turn {
	t.state.ending = &e
	return t
}

// StagePrompt is what a stage changes in the requests of its turn, and in what the loop makes of
// the replies.
type StagePrompt struct {
	Context     string  // stands below the newest words
	Temperature float64 // 0: that of the turn
	Tokens      int     // that a reply may have; 0: as many as the turn says
	CallsOnly   bool    // words beside calls are not kept, and words alone end the turn unchecked
	WordsOnly   bool    // whatever comes ends the turn: calls are not run, and nothing is asked for again
	Class       string  // of a reply in words; "": text
	KeepTurns   int     // so many earlier turns keep their words, however small the context

	// Show is asked while a reply comes, with all of its text so far: it returns as much as may be read
	// now, of which what it returned before is the beginning, and false where the rest is not wanted.
	// Without it nobody reads a reply before the stage has seen all of it.
	Show func(text string) (shown string, goOn bool)
}

// WithStagePrompt returns the turn whose requests p changes.
func (t Turn) WithStagePrompt(p StagePrompt) Turn {
	t.state.prompt = p
	return t
}

// IsExhausted reports whether a budget of the turn is used up, or the model goes round in circles.
func (t Turn) IsExhausted() bool { return t.exhaustedBudget() != "" || t.findCircle() != "" }

// WithPlan emits a plan: calls that its stage makes in the model's place, and returns the turn with
// them. After a crash the stage has to plan the same again, with the same IDs (see [Emit]), and tools of
// plans should be [tools.Replays]: another that had started is then interrupted.
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
