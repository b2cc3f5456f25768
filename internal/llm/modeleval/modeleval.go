// Package modeleval evaluates how a model calls tools, and derives its profile. Nothing here does anything: results are written
// in advance or were recorded.
//
// # The battery
//
// [Run] puts nineteen checks to a model: nine of how it behaves, eight tasks, and two of the machine under it. No other model
// judges.
//
// Each check of behaviour is a conversation of its own with the same five tools, at most four requests long, and judged
// mechanically: by what package toolcall reads in the replies, by the exact arguments, and by words that a right answer has.
//
//	single call           one call, and its result used in the answer
//	parallel calls        two calls in one reply, natively only: the other ways have one call a reply
//	none needed           no call where the question holds the answer
//	two steps             a call with what the first call returned
//	error recovery        a call mended as its error says
//	unicode and newlines  letters of two scripts and a line break arrive byte for byte
//	nested object         an object inside the arguments
//	long result           one line in the middle of 1,500 tokens found
//	denial                a call that is not allowed: said so, not tried again
//
// Each task is a turn that package agent plays, as it plays every turn of hob, with all that it mends and asks again, and with
// the profile that the checks before came to. Its tools answer from a small world that never changes. What counts is which calls
// succeeded and what the answer holds.
//
//	data gap                 the first result lacks what was asked for: another tool has it
//	two data gaps            two results lack one thing each: two other tools have them
//	relevance                a result about something else: said so, and nothing of it taken for the answer
//	grounded synthesis       three results in one answer, all numbers from them and their sum right
//	inconsistent tools       two results of other shapes, and an id that has to be written in another way
//	argument transformation  day, time and length in words become the forms that the tool takes
//	conditional routing      what to do depends on the first result
//	sequential reasoning     three calls, each with what the one before returned
//
// And the machine:
//
//	effective context     at least 4,096 tokens, and as many as the profile asks for
//	speed                 fast enough to wait for
//
// The mode is chosen first. A model whose template takes tools begins natively. Where the single call fails twice that way,
// the tools stand in the prompt; where that fails, too, a schema binds the reply. A model that can think does not, unless the
// single call works only with thinking. A model that natively passes less than seven in ten checks of behaviour is tried in the
// prompt, too, and keeps the better mode.
//
// With [Subject].Runs each check is made so many times, and passes if more than half of them do.
//
// # The replay
//
// [Replay] gives a model the turns of another one and compares. A recorded call gets its recorded result. Another call has
// none, so it ends the replay of that turn.
package modeleval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hob/internal/llm"
)

// checkTime is what one check may take. The first loads the model: a large one from a slow disk takes minutes.
const checkTime = 5 * time.Minute

// Check is one check and how it went.
type Check struct {
	Name    string   `json:"name"`
	Pass    bool     `json:"pass"`
	Skipped bool     `json:"skipped,omitempty"` // it could not be done, and counts neither way
	Note    string   `json:"note,omitempty"`    // one line: what went wrong or, of a check of the machine, what was measured
	Mode    llm.Mode `json:"mode,omitempty"`    // how the model got its list of tools; "" for a check of the machine
	TookMS  int64    `json:"took_ms"`

	// How often it was made, and how often of these it passed, and what all runs took: 0 for a check of the machine.
	Runs     int `json:"runs,omitempty"`
	Passed   int `json:"passed,omitempty"`
	Requests int `json:"requests,omitempty"`
	Calls    int `json:"calls,omitempty"`
}

func (c Check) took() time.Duration { return time.Duration(c.TookMS) * time.Millisecond }

// Card is what a battery found out.
type Card struct {
	Model           string      `json:"model"`
	Mode            llm.Mode    `json:"mode"`              // "" if it makes calls in none
	Checks          []Check     `json:"checks"`            // in the order of the battery, those of Mode
	PromptPerSecond float64     `json:"prompt_per_second"` // tokens read; 0 if the server does not say
	EvalPerSecond   float64     `json:"eval_per_second"`   // tokens generated; 0 if the server does not say
	Context         int         `json:"context"`           // tokens that the server gives; 0 if it does not say
	Verdict         string      `json:"verdict"`           // one line: "good: 18 of 19, not parallel calls"
	Profile         llm.Profile `json:"-"`
}

// Subject is what is known of a model before it is measured.
type Subject struct {
	Model           string
	Profile         llm.Profile                            // only its measured parts change
	Runs            int                                    // how often each check is made; 0 is once
	Tools, Thinking bool                                   // it sees tools in every request; it can think
	Context         func(ctx context.Context) (int, error) // the tokens that the server gives the loaded model; may be nil
	Now             func() time.Time                       // nil leaves TookMS at 0
}

// Run puts the battery to a model: some 40 requests to one that does everything right. onCheck hears of every check as it
// ends, of those in a mode that is not taken too; it may be nil.
//
// A failed check is no error. A model that cannot be asked is one: [llm.Unreachable], [llm.ModelMissing] and
// [llm.ModelRefused], as they come, and the end of ctx. The card holds what was found out so far then.
func Run(ctx context.Context, m llm.Model, known Subject, onCheck func(Check)) (Card, error) {
	b := &battery{model: m, subject: known, onCheck: onCheck, meter: &meter{}}
	if b.onCheck == nil {
		b.onCheck = func(Check) {}
	}
	card := Card{Model: known.Model, Profile: known.Profile}
	best, other, err := b.checkBehaviour(ctx)
	if best != nil {
		card.Checks = best.checks
		if best.works {
			card.Mode = best.mode
		}
	}
	if err != nil {
		return card, err
	}
	err = b.runTasks(ctx, best)
	if card.Checks = best.checks; err != nil {
		return card, err
	}
	machine, tokens, err := b.checkMachine(ctx)
	card.Checks = append(card.Checks, machine...)
	card.Context, card.PromptPerSecond, card.EvalPerSecond = tokens, b.meter.promptPerSecond(), b.meter.evalPerSecond()
	if err != nil {
		return card, err
	}
	card.Verdict = verdict(best, other, card.Checks)
	if best.works {
		card.Profile = best.profileOf(known)
	}
	return card, nil
}

// battery is one run of the battery.
type battery struct {
	model   llm.Model
	subject Subject
	onCheck func(Check)
	meter   *meter
}

// round is the checks of behaviour, in one mode.
type round struct {
	mode     llm.Mode
	think    llm.Think
	checks   []Check
	works    bool // the single call passed
	slow     bool // the single call took too long, as it would in any mode
	promoted bool // a call was found in words where none was needed

	behaviour int // how many of checks are of behaviour, once the tasks follow
}

// tally counts the checks that passed, and those that were made.
func tally(checks []Check) (passed, made int) {
	for _, c := range checks {
		if c.Pass {
			passed++
		}
		if !c.Skipped {
			made++
		}
	}
	return passed, made
}

// find returns the check of that name; the zero Check if there is none.
func (r *round) find(name string) Check {
	for _, c := range r.checks {
		if c.Name == name {
			return c
		}
	}
	return Check{}
}

// mostlyWorks reports whether at least seven in ten passed: below that another mode may well be better. The number is
// a little under what good 8B models reach in published comparisons with re-asks and repairs, about eight in ten.
func (r *round) mostlyWorks() bool {
	passed, made := tally(r.checks)
	return 10*passed >= 7*made
}

// beats reports whether r passed more than s of the checks that were made in both.
func (r *round) beats(s *round) bool {
	more := 0
	for i, c := range r.checks {
		switch d := s.checks[i]; {
		case c.Skipped || d.Skipped:
		case c.Pass && !d.Pass:
			more++
		case d.Pass && !c.Pass:
			more--
		}
	}
	return more > 0
}

// checkBehaviour finds the mode and makes the checks of behaviour in it. other is the round in another mode that was made in
// full and not taken.
func (b *battery) checkBehaviour(ctx context.Context) (best, other *round, err error) {
	for _, start := range b.startRounds() {
		best = &start
		if err := b.runFirst(ctx, best); err != nil {
			return best, nil, err
		}
		if best.works || best.slow {
			break
		}
	}
	if err := b.runRest(ctx, best); err != nil || !best.works || best.mode != llm.NativeMode || best.mostlyWorks() {
		return best, nil, err
	}
	other = &round{mode: llm.PromptMode, think: b.leastThink()}
	if err := b.runFirst(ctx, other); err != nil || !other.works {
		return best, nil, err
	}
	if err := b.runRest(ctx, other); err != nil {
		return best, nil, err
	}
	if other.beats(best) {
		best, other = other, best
	}
	return best, other, nil
}

// startRounds returns the ways of calling in the order in which they are tried.
func (b *battery) startRounds() []round {
	least := b.leastThink()
	var list []round
	if b.subject.Tools {
		second := least
		if b.subject.Thinking {
			second = llm.ThinkLow
		}
		list = append(list, round{mode: llm.NativeMode, think: least}, round{mode: llm.NativeMode, think: second})
	}
	return append(list, round{mode: llm.PromptMode, think: least}, round{mode: llm.SchemaMode, think: least})
}

// leastThink is the least that the model can be made to think.
func (b *battery) leastThink() llm.Think {
	if b.subject.Thinking && b.subject.Profile.Has(llm.AlwaysThinks) {
		return llm.ThinkLow
	}
	return llm.ThinkOff
}

// runFirst makes the first check, which says whether the mode works.
func (b *battery) runFirst(ctx context.Context, r *round) error {
	checks, tools := behaviourChecks()
	err := b.runCheck(ctx, r, checks[0], tools)
	r.works = err == nil && r.checks[0].Pass
	return err
}

// runRest makes the checks after the first, or skips them where the first failed.
func (b *battery) runRest(ctx context.Context, r *round) error {
	checks, tools := behaviourChecks()
	for _, c := range checks[1:] {
		skipped := Check{Name: c.Name, Skipped: true, Mode: r.mode}
		switch {
		case !r.works:
			skipped.Note = "the single call failed"
			b.addCheck(r, skipped)
		case c.Name == parallelCalls && r.mode != llm.NativeMode: // as it is told by toolcall.Render
			skipped.Note = "this way a reply has one call"
			b.addCheck(r, skipped)
		default:
			if err := b.runCheck(ctx, r, c, tools); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *battery) addCheck(r *round, c Check) {
	r.checks = append(r.checks, c)
	b.onCheck(c)
}

// runTasks makes the tasks in the round's mode, with the profile that comes of it, or skips them where the first check failed.
func (b *battery) runTasks(ctx context.Context, r *round) error {
	r.behaviour = len(r.checks)
	p := r.profileOf(b.subject)
	for _, c := range tasks() {
		if !r.works {
			b.addCheck(r, Check{Name: c.Name, Skipped: true, Note: "the single call failed", Mode: r.mode})
			continue
		}
		err := b.repeatCheck(ctx, r, Check{Name: c.Name}, func(ctx context.Context, m *counter) (string, int, error) {
			return c.play(ctx, m, p, b)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// runCheck makes one check of behaviour. The error is one that ends the battery.
func (b *battery) runCheck(ctx context.Context, r *round, c check, tools []llm.ToolDefinition) error {
	p := b.subject.Profile
	p.Mode, p.Think, p.OneCall = r.mode, r.think, false
	return b.repeatCheck(ctx, r, Check{Name: c.Name}, func(ctx context.Context, m *counter) (string, int, error) {
		t := newConversation(m, p, system, tools)
		note, err := c.run(ctx, t)
		if c.Name == noneNeeded && (note != "" || err != nil) {
			r.promoted = r.promoted || t.promoted
		}
		return note, t.calls, err
	})
}

// repeatCheck makes a check as often as it is wanted. The error is one that ends the battery.
func (b *battery) repeatCheck(ctx context.Context, r *round, done Check, run func(context.Context, *counter) (note string, calls int, err error)) error {
	began, m := b.now(), &counter{model: b.model, meter: b.meter}
	for done.Runs < max(b.subject.Runs, 1) && !r.slow {
		note, calls, err := b.runOnce(ctx, m, run)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("try model: %w", context.Cause(ctx))
		case errors.Is(err, errFatal):
			return fmt.Errorf("try model: %w", err)
		case errors.Is(err, context.DeadlineExceeded):
			note = fmt.Sprintf("took longer than %v", checkTime)
			r.slow = r.slow || done.Name == singleCall
		case err != nil:
			note = oneLine(err.Error())
		}
		done.Runs++
		done.Calls += calls
		if note == "" {
			done.Passed++
		} else if done.Note == "" {
			done.Note = note
		}
	}
	done.Pass = 2*done.Passed > done.Runs
	done.Requests, done.TookMS, done.Mode = m.requests, b.now().Sub(began).Milliseconds(), r.mode
	b.addCheck(r, done)
	return nil
}

// runOnce makes a check once, within the time for one.
func (b *battery) runOnce(ctx context.Context, m *counter, run func(context.Context, *counter) (string, int, error)) (string, int, error) {
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	return run(limited, m)
}

func (b *battery) now() time.Time {
	if b.subject.Now == nil {
		return time.Time{}
	}
	return b.subject.Now()
}
