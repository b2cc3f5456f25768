package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tools"
)

// choreContext is what a chore is read by besides its words.
type choreContext struct {
	at        time.Time // when it was said
	reminders []int64   // the changes that "never mind" takes back
	stopped   bool      // it has stopped the turn before it
	failed    bool      // the turn before it was a call of a person's own that did nothing
	replies   []ownReply
	call      llm.Call       // that the same person's chore became just before; no Name: none
	changes   []int64        // that it has made
	choices   []event.Choice // that the turn before it offered
	made      []int64        // the reminders that the turn before it made
	elsewhere time.Time      // when another thing than reminders was spoken of, if that was later
}

// lookBack returns what the open turn's message is read by.
func (tr *transcript) lookBack() choreContext {
	cur := tr.current()
	around := choreContext{at: cur.saidAt, replies: tr.ownReplies(), choices: tr.offered(len(tr.turns) - 1), elsewhere: tr.elsewhere(len(tr.turns) - 1)}
	if n := len(tr.turns); n > 1 {
		before := tr.turns[n-2]
		around.stopped = before.stoppedAt > cur.seq
		if !around.stopped && cur.saidAt.Sub(before.saidAt) <= recent {
			around.reminders, around.made = before.reminders, before.made
			around.failed = before.isCommand() && before.failed && len(before.receipt.Effects()) == 0
		}
		calls, since := before.choreCalls(), cur.saidAt.Sub(before.saidAt)
		if len(calls) > 0 && isSamePerson(before.input, cur.input) && since <= answerTime {
			around.call = calls[len(calls)-1]
			if since <= justNow {
				around.changes = before.changes
			}
		}
	}
	return around
}

// nothingDone is said to who takes back a chore that has failed.
const nothingDone = "Nothing was done just now, so there is nothing of it to take back. Say it again to take back the change before."

// undoReading is the command that takes back changes.
func undoReading(r intents.Reading, changes []int64) intents.Reading {
	numbers := lists.Map(changes, func(n int64) string { return strconv.FormatInt(n, 10) })
	args, _ := json.Marshal(map[string]string{"change": strings.Join(numbers, " ")}) // it has no value that fails
	return intents.Reading{
		Kind: choreUndo, Call: llm.Call{Name: choreUndo, Args: args}, Command: true, Acts: true,
		Score: r.Score, Lang: r.Lang, Retracts: true,
	}
}

// resolve returns a reading as it is meant at a time: in the language of the chat, where the words
// are of several, and with what they leave open.
func (p *player) resolve(ctx context.Context, r intents.Reading, at time.Time) intents.Reading {
	if r.IsOfSeveral() {
		r = r.In(p.lang)
	}
	r = r.At(at.In(p.c.cfg.Now().Location()))
	if resolve := p.c.cfg.Chores.Resolve; resolve != nil && r.Kind != "" {
		r = r.EachPart(func(part intents.Reading) intents.Reading { return resolve(tools.WithCaller(ctx, p.ch.caller), part) })
	}
	return r
}

// readChore returns what a person has typed as a chore. The zero Reading means that it is none, and
// for the model. A driver reads its own chat; only "undo #41" is hob's everywhere. Words of time
// mean what they meant at that time. Words of several languages are of that of the chat, and "never
// mind" is about the turn before. What answers hob's question completes the chore that it asked
// about. What is not certain is read where no model could read it.
func (p *player) readChore(ctx context.Context, around choreContext) intents.Reading {
	words, chores := TypedWords(p.input), p.c.cfg.Chores
	r := p.resolve(ctx, chores.Sentences.Read(words), around.at)
	if leadOf(p.ch.openSkills) != "" && (r.Kind != choreUndoChange || r.Asks || r.Ask != "") {
		return intents.Reading{}
	}
	if one := p.picked(ctx, words, around.choices, around.at); one.Kind != "" {
		return one
	}
	if len(around.made) == 1 {
		r = r.About(around.made[0])
	}
	if r.Kind == choreUndo && string(r.Call.Args) == "{}" && around.failed { // "that" is what failed, and no older change
		r.Ask, r.Call, r.Acts = nothingDone, llm.Call{}, false
		return r
	}
	if r.Retracts {
		if back, ok := p.retracting(ctx, r, around); ok {
			return back
		}
	}
	exists := chores.exist(ctx, p.c.name, r)
	question := p.question(ctx, around.replies)
	whole := p.answered(ctx, words, question, around)
	isWhen := question.AsksWhen() && (r.Near || r.IsGreeting())
	if whole.Kind != "" && (r.Kind == "" || r.Near && !exists || isWhen || whole.Covers(r)) {
		return whole
	}
	if r.Near && !exists {
		return intents.Reading{} // "done" is said of many things
	}
	if next := p.following(ctx, words, around); r.Kind == "" && next.Kind != "" {
		return next
	}
	r = p.doubt(ctx, r, around.elsewhere)
	isCertain := exists && r.Ask == "" && !r.Asks
	asksAboutCall := r.Ask != "" && r.Call.Name != ""
	if isCertain || asksAboutCall || p.input.Command && r.Kind != "" {
		return r
	}
	if !chores.Always && chores.HasModel(ctx) {
		return intents.Reading{}
	}
	return p.readLoosely(ctx, words, around.at)
}

// retracting returns what words do that take back what was just asked for. False means that they may be another chore.
func (p *player) retracting(ctx context.Context, r intents.Reading, around choreContext) (back intents.Reading, ok bool) {
	if around.stopped {
		return intents.Reading{Kind: choreStop, Call: llm.Call{Name: choreStop}, Command: true, Score: 1, Lang: r.Lang}, true
	}
	changes := around.reminders
	if len(changes) == 0 && (r.Near || intents.Makes(around.call)) { // to cancel what has moved or removed something does not undo that
		changes = around.changes
	}
	if len(changes) > 0 {
		return undoReading(r, changes), true
	}
	if q := p.question(ctx, around.replies); q.Kind != "" {
		return p.retract(q), true
	}
	return intents.Reading{}, r.Near // "forget it" is said of many things
}

// following returns what words mean right after the chore of the turn before, or the zero Reading.
func (p *player) following(ctx context.Context, words string, around choreContext) intents.Reading {
	if around.call.Name == "" {
		return intents.Reading{}
	}
	r := p.c.cfg.Chores.Sentences.Following(words, around.call)
	isCorrection := r.TakesBack() || len(r.Parts) > 0
	switch {
	case r.Kind == "" || isCorrection && len(around.changes) == 0: // it has changed nothing
		return intents.Reading{}
	case r.TakesBack():
		return undoReading(r, around.changes)
	}
	if r = p.resolve(ctx, r, around.at); r.Ask != "" || !p.c.cfg.Chores.exist(ctx, p.c.name, r) {
		return intents.Reading{}
	}
	return r
}

// readLoosely reads words as a chore that are not certain. Without a model it guesses where nothing else reads them.
func (p *player) readLoosely(ctx context.Context, words string, at time.Time) intents.Reading {
	chores := p.c.cfg.Chores
	r := p.resolve(ctx, chores.Sentences.Loosely(words), at)
	if r.Kind == "" && !(chores.Always && chores.HasModel(ctx)) { // else it is known that there is none
		if chores.LookUp != nil {
			if found := chores.LookUp(tools.WithCaller(ctx, p.ch.caller), p.lang, words); found.Kind != "" {
				return found
			}
		}
		return p.guessChore(ctx, words, at)
	}
	if r.Near && (r.Retracts || !chores.Exists(ctx, p.c.name, r)) {
		return intents.Reading{}
	}
	if r.Kind == greeting && !chores.Always {
		return intents.Reading{} // what is said next needs the model: that it is away is the answer, see addHelp
	}
	return r
}

// guessChore guesses which chore words are. What a guess names must be there.
func (p *player) guessChore(ctx context.Context, words string, at time.Time) intents.Reading {
	r := p.resolve(ctx, p.c.cfg.Chores.Sentences.Guess(words), at)
	if r.Ask != "" || r.Near || !p.c.cfg.Chores.exist(ctx, p.c.name, r) {
		return intents.Reading{}
	}
	return r
}

// chorePlan is what a turn does that is a chore. The zero plan means that it is none.
type chorePlan struct {
	answer    string                        // in place of calls
	calls     []llm.Call                    // none where there is an answer
	tools     []tools.Tool                  // that are called
	unsure    bool                          // see [policy.Call]
	translate func(llm.Call, string) string // a result, into the language of the words
}

// planChore returns what becomes of the words of the turn as a chore, and runs a row of the table of
// commands. What the turn has called before a crash is what it goes on with, whatever the words would
// mean now.
func (p *player) planChore(ctx context.Context) (chorePlan, error) {
	if TypedWords(p.input) == "" || !p.c.cfg.Chores.areRead() {
		return chorePlan{}, nil
	}
	var made []llm.Call // before a crash
	var around choreContext
	started, answered := false, false
	err := p.c.access(ctx, func() {
		cur := p.c.tr.current()
		made, around, started = cur.choreCalls(), p.c.tr.lookBack(), cur.started[choreID(p.seq)]
		answered = slices.ContainsFunc(cur.messages, func(m llm.Message) bool { return m.Role == llm.AssistantRole })
	})
	if err != nil || answered && len(made) == 0 {
		return chorePlan{}, err // the model has it already
	}
	r := p.readChore(ctx, around)
	if len(made) > 0 && (r.Ask != "" || !slices.EqualFunc(r.Chores(), made, isCallOf)) {
		// The reading differs from the journaled calls, so its certainty is unknown: have the gate
		// ask.
		r = madeBefore(made, r.Lang)
	}
	translate := func(text string) string { return p.translateFor(r, text) }
	switch {
	case r.Kind == "" && len(made) == 0 && started:
		const text = "hob was cut short while doing that: look at what it did before you repeat it."
		return chorePlan{answer: translate(text)}, nil
	// A question about a call may name what only those may know who may make it.
	case r.Ask != "" && (r.Call.Name == "" || has(p.ch.callableTools(), r.Call.Name)):
		return chorePlan{answer: translate(r.Ask)}, nil
	case len(r.Chores()) == 0:
		return chorePlan{answer: r.Answer}, nil
	case r.Command && r.Ask == "":
		answer, err := p.runCommandChore(ctx, started, r)
		return chorePlan{answer: translate(answer)}, err
	case r.Command:
		return chorePlan{}, nil
	}
	return p.planCalls(r), nil
}

// planCalls returns the plan of a reading that becomes calls of tools, or the zero plan where a tool does not exist.
func (p *player) planCalls(r intents.Reading) chorePlan {
	plan, parts := chorePlan{unsure: r.Acts && (r.Score < 1 || r.Many)}, map[string]intents.Reading{}
	for i, part := range r.Chores() {
		tool := tools.Find(p.ch.existingTools(), part.Call.Name)
		if tool == nil {
			return chorePlan{}
		}
		if part.Call.ID = choreID(p.seq); i > 0 {
			part.Call.ID += "-" + strconv.Itoa(i+1)
		}
		parts[part.Call.ID] = part
		plan.calls, plan.tools = append(plan.calls, part.Call), append(plan.tools, tool)
	}
	plan.translate = func(call llm.Call, text string) string { return p.translateFor(parts[call.ID], text) }
	return plan
}

// translateFor returns in the language of a chore what was answered to it.
func (p *player) translateFor(r intents.Reading, text string) string {
	if own, ok := p.gate.refusals[text]; ok {
		return own
	}
	return p.c.cfg.Chores.Sentences.Translate(r.Lang, text, r.Speakers()...)
}

// isCallOf reports whether a reading becomes a call.
func isCallOf(r intents.Reading, call llm.Call) bool {
	return r.Call.Name == call.Name && string(r.Call.Args) == string(call.Args)
}

// madeBefore is the reading of calls that were made before a crash.
func madeBefore(made []llm.Call, lang string) intents.Reading {
	r := intents.Reading{Acts: true, Lang: lang}
	for _, call := range made {
		r.Parts = append(r.Parts, intents.Reading{Call: call, Acts: true, Lang: lang})
	}
	return r
}

// prepareChore makes the turn the call of a chore.
func (p *player) prepareChore(ctx context.Context, chore chorePlan) error {
	p.turn.Budget = p.c.cfg.Budget
	p.turn.Command, p.turn.Tools, p.turn.Translate = chore.calls, chore.tools, chore.translate
	p.gate.command, p.gate.unsure = true, chore.unsure
	_, err := p.fillHistory(ctx, llm.KeepNone)
	return err
}

// commandLine is a chore as a line of the table of commands, such as "tools disable fetch".
func commandLine(r intents.Reading) string {
	return strings.TrimSpace(r.Call.Name + " " + r.CommandArgs())
}

// stopChore says whether the words have stopped a turn: submit has done that.
func (p *player) stopChore(ctx context.Context) (answer string, err error) {
	err = p.c.access(ctx, func() {
		answer = "No turn is running."
		if slices.ContainsFunc(p.c.tr.turns, func(t *turn) bool { return t.stoppedAt > p.seq }) {
			answer = "Stopped."
		}
	})
	return answer, err
}

// runCommandChore runs a row of the table of commands, or what the chat itself does. One that changes
// several things, or whose words were not certain, is said back instead. One that was cut short by a
// crash is reported, and not run again.
func (p *player) runCommandChore(ctx context.Context, started bool, r intents.Reading) (string, error) {
	switch {
	case r.Acts && r.Many:
		var args struct{ Last int }
		_ = json.Unmarshal(r.Call.Args, &args) // it is hob's own
		return fmt.Sprintf("That takes back %d changes. To do it say: /%s", args.Last, commandLine(r)), nil
	case r.Acts && r.Score < 1:
		return "Do you mean /" + commandLine(r) + "? Then say that.", nil
	case started:
		return "hob was cut short while doing /" + commandLine(r) + ": look at what it did before you repeat it.", nil
	case r.Call.Name == choreStop:
		return p.stopChore(ctx)
	case r.Call.Name == choreNew:
		err := p.c.doInTurn(ctx, func(ctx context.Context) error { return p.c.forget(ctx, p.seq) })
		return "A new conversation begins.", err
	}
	if r.Acts {
		if err := p.emit(context.WithoutCancel(ctx), []event.Body{event.Started{CallID: choreID(p.seq)}}); err != nil {
			return "", err
		}
	}
	answer, err := p.c.cfg.Chores.Run(ctx, r)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if bad := (*event.Error)(nil); errors.As(err, &bad) && bad.Suggestion != "" {
		return bad.Message + ": " + bad.Suggestion, nil
	}
	if err != nil {
		return err.Error(), nil //nolint:nilerr // the person reads it
	}
	return cmp.Or(answer, "Done."), nil
}

// How long "never mind" takes back the reminder that the turn before it has made, and anything else: meanwhile a reminder may have rung.
const (
	recent  = time.Hour
	justNow = 3 * time.Minute
)
