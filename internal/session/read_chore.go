package session

import (
	"context"
	"encoding/json"
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

// How long "never mind" takes back the reminder that the turn before it has made, and anything else: meanwhile a reminder may have rung.
const (
	recent  = time.Hour
	justNow = 3 * time.Minute
)

// choreContext is what a chore is read by besides its words.
type choreContext struct {
	at        time.Time // when it was said
	reminders []int64   // the changes that "never mind" takes back
	stopped   bool      // it has stopped the turn before it
	failed    bool      // the turn before it was a call of a person's own that did nothing
	replies   []ownReply
	call      llm.Call       // that the same person's chore became just before, and that did what it was to do; no Name: none
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
		if len(calls) > 0 && !before.failed && isSamePerson(before.input, cur.input) && since <= answerTime && !tr.isParkedBetween(before.seq, cur.seq) {
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
		isOneTool := !slices.ContainsFunc(r.Parts, func(part intents.Reading) bool { return part.Call.Name != r.Parts[0].Call.Name })
		r = r.EachPart(func(part intents.Reading) intents.Reading {
			resolved, absent := resolve(tools.WithCaller(ctx, p.ch.caller), part), ""
			if len(r.Parts) > 0 && isOneTool && p.c.cfg.Chores.Absent != nil {
				absent = p.c.cfg.Chores.Absent(tools.WithCaller(ctx, p.ch.caller), resolved)
			}
			if absent != "" { // of several, none is done that stands beside one which cannot be
				resolved.Ask = fmt.Sprintf("There is no %s, so nothing was done.", absent)
			}
			return resolved
		})
	}
	return r
}

// typedMessage is a message that a person has typed, as the readers of chores see it.
type typedMessage struct {
	words   string
	strict  intents.Reading // what the words say by themselves
	exists  bool            // strict is a call, and all that it names is there
	context choreContext
}

// choreReaders returns the readers of what a person has typed, in the order in which they are asked. The first that says done has read it; the
// zero Reading means then that it is no chore, and for the model.
func choreReaders() []choreReader {
	return []choreReader{
		(*player).leaveToDriver,
		(*player).readPick,
		(*player).readUndoOfFailure,
		(*player).readRetraction,
		(*player).readAnswer,
		(*player).readFollowing,
		(*player).readCertain,
		(*player).readLoosely,
	}
}

type choreReader func(p *player, ctx context.Context, m typedMessage) (r intents.Reading, done bool)

// readChore returns what a person has typed as a chore. The zero Reading means that it is none, and for the model. Words of time mean what they
// meant when they were said. Words of several languages are of that of the chat.
func (p *player) readChore(ctx context.Context, around choreContext) intents.Reading {
	m := typedMessage{words: TypedWords(p.input), context: around}
	m.strict = p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(m.words), around.at)
	if len(around.made) == 1 {
		m.strict = m.strict.About(around.made[0])
	}
	m.exists = p.c.cfg.Chores.exist(ctx, p.c.name, m.strict)
	for _, read := range choreReaders() {
		if r, done := read(p, ctx, m); done {
			return r
		}
	}
	return intents.Reading{}
}

// leaveToDriver leaves to a driver what is said in its chat. Only "undo #41" is hob's everywhere.
func (p *player) leaveToDriver(_ context.Context, m typedMessage) (r intents.Reading, done bool) {
	isUndo := m.strict.Kind == choreUndoChange && !m.strict.Asks && m.strict.Ask == ""
	return intents.Reading{}, leadOf(p.ch.openSkills) != "" && !isUndo
}

// readPick reads which of the choices is meant that the last answer offered.
func (p *player) readPick(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	if r = p.picked(ctx, m.words, m.context.choices, m.context.at); r.Kind != "" {
		return r, true
	}
	return p.affirmed(ctx, m)
}

// affirmed reads a yes or a no to the only choice that the last answer asks about: "do you mean 20:00?"
func (p *player) affirmed(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	yes, known := p.c.cfg.Chores.Sentences.Affirms(m.words)
	about := asked(m.context.choices)
	if !known || len(about) != 1 {
		return r, false
	}
	if yes {
		r = p.readChoice(ctx, about[0].Text, m.context.at)
		return r, r.Kind != ""
	}
	return intents.Reading{Kind: choreStop, Answer: p.translate(intents.HobsOwn, keptAsIs), Lang: p.lang}, true
}

// readUndoOfFailure keeps "undo that" behind a chore that has failed from taking back an older change.
func (p *player) readUndoOfFailure(_ context.Context, m typedMessage) (r intents.Reading, done bool) {
	r = m.strict
	if r.Kind != choreUndo || string(r.Call.Args) != "{}" || !m.context.failed {
		return intents.Reading{}, false
	}
	r.Ask, r.Call, r.Acts = nothingDone, llm.Call{}, false
	return r, true
}

// readAnswer reads what answers hob's question, which completes the chore that it asked about. Where it is none, what is only near to a chore,
// such as "done", must name something that is there: it is said of many things.
func (p *player) readAnswer(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	question := p.question(ctx, m.context.replies)
	isVague := m.strict.Near && !m.exists
	isWhen := question.AsksWhen() && (m.strict.Near || m.strict.IsGreeting())
	r = p.answered(ctx, m.words, question, m.context)
	if r.Kind != "" && (m.strict.Kind == "" || isVague || isWhen || r.Covers(m.strict)) {
		return r, true
	}
	return intents.Reading{}, isVague
}

// readCertain reads what is certainly a chore.
func (p *player) readCertain(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	r = p.doubt(ctx, m.strict, m.context.elsewhere)
	isCertain := m.exists && r.Ask == "" && !r.Asks
	asksAboutCall := r.Ask != "" && r.Call.Name != ""
	return r, isCertain || asksAboutCall || p.input.Command && r.Kind != ""
}

// readRetraction reads what takes back what was just asked for, such as "never mind".
func (p *player) readRetraction(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	r, around := m.strict, m.context
	if !r.Retracts {
		return intents.Reading{}, false
	}
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

// readFollowing reads what words mean right after the chore of the turn before, such as "and milk too".
func (p *player) readFollowing(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	if m.strict.Kind != "" || m.context.call.Name == "" {
		return intents.Reading{}, false
	}
	r = p.c.cfg.Chores.Sentences.Following(m.words, m.context.call)
	isCorrection := r.TakesBack() || len(r.Parts) > 0
	switch {
	case r.Kind == "" || isCorrection && len(m.context.changes) == 0: // it has changed nothing
		return intents.Reading{}, false
	case r.TakesBack():
		return undoReading(r, m.context.changes), true
	}
	r = p.resolve(ctx, r, m.context.at)
	return r, r.Ask == "" && p.c.cfg.Chores.exist(ctx, p.c.name, r)
}

// readLoosely reads words that are not certain, where no model can read them. What it looks up or guesses must be there.
func (p *player) readLoosely(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	chores := p.c.cfg.Chores
	hasModel := chores.HasModel(ctx)
	if hasModel && !chores.Always {
		return intents.Reading{}, true
	}
	r = p.resolve(ctx, chores.Sentences.Loosely(m.words), m.context.at)
	switch {
	case r.Kind == "" && !hasModel:
		if chores.LookUp != nil {
			r = chores.LookUp(tools.WithCaller(ctx, p.ch.caller), p.lang, m.words)
		}
		if r.Kind != "" {
			return r, true
		}
		r = p.resolve(ctx, chores.Sentences.Guess(m.words), m.context.at)
		return r, r.Ask == "" && !r.Near && chores.exist(ctx, p.c.name, r)
	case r.Near && (r.Retracts || !chores.Exists(ctx, p.c.name, r)):
		return intents.Reading{}, true
	case r.Kind == greeting && !chores.Always:
		return intents.Reading{}, true // what is said next needs the model: that it is away is the answer, see addHelp
	}
	return r, true
}
