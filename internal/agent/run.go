// Package agent plays one turn: it asks the model, runs the tools that the model calls, and asks again
// with the results, until the model answers in words or a budget is used up.
//
// [Agent.Run] shows all of the loop: a [Turn] is a value in a [Phase], and one function plays that phase
// and returns the next turn with the next phase. The agent keeps nothing between turns.
//
// Everything that happens goes out through [Emit] before the loop acts on it, so a journal of the
// emitted bodies is enough to resume after a crash. A Turn whose history ends with calls without
// results begins by running those. The outcome of a call that had started is unknown: unless it may
// run twice, the caller gives it the result [Interrupted] before it resumes the turn.
//
// Small models make mistakes, and the loop corrects them. After an unusable reply it asks again, in
// other words and at last in another form. It answers a call that does not fit with its mistakes.
// It makes a turn that goes in circles answer with what it has. It shortens a conversation that
// outgrows the context.
//
// A note from the runtime to the model is a nudge ([event.Nudged]); an [event.Noted] is a status line
// for the person. When a budget is used up the model reads a nudge that says so. That nudge is what
// turns calls off (see [Progress.WhyCallsOff]): from then on every call is refused, and the model has
// one more reply for words.
//
// A [Stage] changes how a turn goes: it may answer or plan calls in the model's place, and it sees
// the last words first.
//
// Run works on the goroutine of its caller. It starts others only for calls that run in parallel,
// and waits for them. A Turn has no lock: only the phase that plays has it.
//
// The files:
//   - run.go has the loop, turn.go its state, progress.go what a turn has done, stage.go what a
//     stage may change, agent.go what an agent needs.
//   - resume.go, prepare.go, ask.go, calls.go, recover.go and finish.go have a phase each.
//   - chat.go makes a request, stream.go takes its reply as it arrives, and clock.go measures the
//     time. endless.go finds text without end, and wrapping.go what is wrapped around an answer.
//   - answer_checks.go lists why an answer is rejected; script.go, untrue.go, overlooked.go and
//     grounded.go find it.
//   - circles.go and repeats.go are about calls without progress, budget.go about limits, and
//     nudges.go about the notes to the model on all of this.
//   - tool_list.go has the tools of a turn, results.go makes results without a tool,
//     excerpt_result.go shortens a result, and fit.go the conversation.
//
// Invariants:
//   - Every call gets exactly one Returned, whatever happens: unknown tool, bad arguments, denied, timed
//     out, panicked, cancelled, budget used up.
//   - A call is resolved and validated before a person is asked about it, and Started is emitted before
//     it acts.
//   - A turn emits exactly one Replied and one Ended, in this order, unless Run returns an error; then
//     the turn has not ended and can be resumed.
package agent

import "context"

// Phase is a step of the loop.
type Phase int

// The phases. A turn begins with the first.
const (
	Resume   Phase = iota // find where the turn stands, and which phase comes next
	Prepare               // bring the conversation up to date and into the context
	Ask                   // ask the model, and read its reply
	RunCalls              // give each call that waits its result
	Recover               // ask again after a reply that was of no use, or give up
	Finish                // say the last words
	End                   // the turn is over
)

// Run plays the turn to its end and returns the words of the final reply. It returns an error when emit,
// the gate or a function of the Turn failed, when ctx ended for another reason than [ErrStopped], or when
// the turn is parked (see [ErrAway]).
//
// These are all ways from phase to phase; a test holds them against the code:
//
//	Resume   -> Prepare | RunCalls | Finish
//	Prepare  -> Ask | Finish
//	Ask      -> RunCalls | Resume | Recover | Finish
//	RunCalls -> Resume | Finish
//	Recover  -> Resume | Finish
//	Finish   -> End | Resume | Finish
//
// The usual turn is Resume, Prepare, Ask, RunCalls and again, until Ask finds an answer: then
// Finish. Only a [Stage] leads from Finish back: to Resume when the model has to speak once more,
// and to Finish once it has settled the words. With an error the phase says nothing: it is End then.
func (a *Agent) Run(ctx context.Context, t Turn, emit Emit) (string, error) {
	for phase := Resume; phase != End; {
		var err error
		switch phase {
		case Resume:
			t, phase, err = a.resume(ctx, t, emit)
		case Prepare:
			t, phase, err = a.prepare(ctx, t, emit)
		case Ask:
			t, phase, err = a.ask(ctx, t, emit)
		case RunCalls:
			t, phase, err = a.runCalls(ctx, t, emit)
		case Recover:
			t, phase, err = a.recover(ctx, t, emit)
		case Finish:
			t, phase, err = a.finish(ctx, t, emit)
		}
		if err != nil {
			return "", err
		}
	}
	return t.state.ending.Reply.Text, nil
}
