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
)

// "Never mind" takes back the reminders of the turn before within recent, and other changes within
// justNow. A reminder may have rung meanwhile.
const (
	recent  = time.Hour
	justNow = 3 * time.Minute
)

// choreContext is the context, besides its words, by which a chore is read. The turn before is the
// one just before the message in the conversation.
type choreContext struct {
	at              time.Time      // when the message was said
	stopped         bool           // the message stopped the turn before
	failed          bool           // the turn before was a person's own call that did nothing
	reminderChanges []int64        // the changes by which a "never mind" takes back the reminders of the turn before
	reminderIDs     []int64        // numbers of those reminders
	choices         []event.Choice // offered by the turn before
	call            llm.Call       // the last call from the same person's chore just before, if it succeeded; no Name: none
	changes         []int64        // the changes of that chore
	replies         []ownReply
	leftReminders   time.Time // when the conversation left the topic of reminders; zero: it did not
}

// lookBack returns the context of the open turn's message.
func (tr *transcript) lookBack() choreContext {
	cur, last := tr.current(), len(tr.turns)-1
	around := choreContext{
		at: cur.saidAt, replies: tr.ownReplies(), choices: tr.offeredChoices(last), leftReminders: tr.leftReminders(last),
	}
	if last == 0 {
		return around
	}
	before := tr.turns[last-1]
	since := cur.saidAt.Sub(before.saidAt)
	around.stopped = before.stoppedAt > cur.seq
	if !around.stopped && since <= recent {
		around.reminderChanges, around.reminderIDs = before.reminderChanges, before.reminderIDs
		around.failed = before.isCommand() && before.failed && len(before.receipt.Effects()) == 0
	}
	if calls := before.choreCalls(); len(calls) > 0 && !before.failed && tr.leadsTo(before, cur) {
		around.call = calls[len(calls)-1]
		if since <= justNow {
			around.changes = before.changes
		}
	}
	return around
}

// nothingDone is the reply to a person who takes back a chore that failed.
const nothingDone = "Nothing was done just now, so there is nothing of it to take back. Say it again to take back the change before."

// undoReading returns the command that takes back changes.
func undoReading(r intents.Reading, changes []int64) intents.Reading {
	numbers := lists.Map(changes, func(n int64) string { return strconv.FormatInt(n, 10) })
	args, _ := json.Marshal(map[string]string{"change": strings.Join(numbers, " ")}) // a map of strings always has a JSON form
	return intents.Reading{
		Kind: choreUndo, Call: llm.Call{Name: choreUndo, Args: args}, Command: true, Acts: true,
		Score: r.Score, Lang: r.Lang, Retracts: true,
	}
}

// resolve returns a reading as meant at a time: in the language of the chat if the words fit
// several, and with the open parts filled in.
func (p *player) resolve(ctx context.Context, r intents.Reading, at time.Time) intents.Reading {
	if r.IsOfSeveral() {
		r = r.In(p.lang)
	}
	r = r.At(at.In(p.c.cfg.Now().Location()))
	resolve, absent := p.c.cfg.Chores.Resolve, p.c.cfg.Chores.Absent
	if resolve == nil || r.Kind == "" {
		return r
	}
	isOneTool := !slices.ContainsFunc(r.Parts, func(part intents.Reading) bool { return part.Call.Name != r.Parts[0].Call.Name })
	return r.EachPart(func(part intents.Reading) intents.Reading {
		part = resolve(ctx, part)
		if len(r.Parts) > 0 && isOneTool && absent != nil {
			if what := absent(ctx, part); what != "" { // of several calls none runs if one of them cannot
				part.Ask, part.Fails = fmt.Sprintf("There is no %s, so nothing was done.", what), true
			}
		}
		return part
	})
}

// typedMessage is a message that a person typed, prepared for the readers of chores.
type typedMessage struct {
	words    string
	strict   intents.Reading // the meaning of the words without context
	isDoable bool            // strict has calls, and everything that they name exists
	context  choreContext
}

// choreReaders returns the readers of a typed message in the order of precedence. The first that
// returns done decides; a zero Reading then means that the message is no chore and goes to the
// model.
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

// readChore reads what a person typed as a chore. The zero Reading means that it is none and goes
// to the model. Times are relative to when the message was said. Words that fit several languages
// count as the chat's.
func (p *player) readChore(ctx context.Context, around choreContext) intents.Reading {
	m := typedMessage{words: TypedWords(p.input), context: around}
	m.strict = p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(m.words), around.at)
	if len(around.reminderIDs) == 1 {
		m.strict = m.strict.About(around.reminderIDs[0])
	}
	m.isDoable = p.c.cfg.Chores.isDoable(ctx, p.c.name, m.strict)
	for _, read := range choreReaders() {
		if r, done := read(p, ctx, m); done {
			return r
		}
	}
	return intents.Reading{}
}

// leaveToDriver leaves a message in a driver's chat to the driver. Only "undo #41" is hob's
// everywhere.
func (p *player) leaveToDriver(_ context.Context, m typedMessage) (r intents.Reading, done bool) {
	isUndo := m.strict.Kind == choreUndoChange && !m.strict.Asks && m.strict.Ask == ""
	return intents.Reading{}, drivingSkillOf(p.chooser.openSkills) != "" && !isUndo
}

// readPick reads which of the offered choices the message means.
func (p *player) readPick(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	if r = p.pickChoices(ctx, m.words, m.context.choices, m.context.at); r.Kind != "" {
		return r, true
	}
	return p.readYesOrNo(ctx, m)
}

// readYesOrNo reads a yes or a no to the only choice that hob asked about: "do you mean 20:00?"
func (p *player) readYesOrNo(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	yes, known := p.c.cfg.Chores.Sentences.Affirms(m.words)
	about := askedChoices(m.context.choices)
	if !known || len(about) != 1 {
		return r, false
	}
	if yes {
		r = p.readChoice(ctx, about[0].Text, m.context.at)
		return r, r.Kind != ""
	}
	return intents.Reading{Kind: choreStop, Answer: p.say(keptAsIs), Lang: p.lang}, true
}

// readUndoOfFailure keeps "undo that" after a failed chore from taking back an older change.
func (p *player) readUndoOfFailure(_ context.Context, m typedMessage) (r intents.Reading, done bool) {
	r = m.strict
	if r.Kind != choreUndo || string(r.Call.Args) != "{}" || !m.context.failed {
		return intents.Reading{}, false
	}
	r.Ask, r.Call, r.Acts = nothingDone, llm.Call{}, false
	return r, true
}

// readAnswer reads a message that answers hob's question, and so completes a chore. A message that
// answers nothing and is only near to a chore, such as "done", must name something that exists;
// otherwise it is for the model.
func (p *player) readAnswer(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	question := p.askedChore(ctx, m.context.replies)
	isVague := m.strict.Near && !m.isDoable
	isWhen := question.AsksWhen() && (m.strict.Near || m.strict.IsGreeting())
	r = p.applyAnswer(ctx, m.words, question, m.context)
	if r.Kind != "" && (m.strict.Kind == "" || isVague || isWhen || r.Covers(m.strict)) {
		return r, true
	}
	return intents.Reading{}, isVague
}

// readCertain reads a message that is certainly a chore.
func (p *player) readCertain(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	r = p.confirm(ctx, m.strict, m.context.leftReminders)
	isCertain := m.isDoable && r.Ask == "" && !r.Asks
	asksAboutCall := r.Ask != "" && r.Call.Name != ""
	return r, isCertain || asksAboutCall || p.input.Command && r.Kind != ""
}

// readRetraction reads a message that takes back the one before, such as "never mind".
func (p *player) readRetraction(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	r, around := m.strict, m.context
	if !r.Retracts {
		return intents.Reading{}, false
	}
	if around.stopped {
		return intents.Reading{Kind: choreStop, Call: llm.Call{Name: choreStop}, Command: true, Score: 1, Lang: r.Lang}, true
	}
	changes := around.reminderChanges
	if len(changes) == 0 && (r.Near || intents.Makes(around.call)) { // to cancel a move or a removal is not to undo it
		changes = around.changes
	}
	if len(changes) > 0 {
		return undoReading(r, changes), true
	}
	if q := p.askedChore(ctx, around.replies); q.Kind != "" {
		return p.retract(q), true
	}
	return intents.Reading{}, r.Near // "forget it" has many other uses
}

// readFollowing reads a message that follows up the chore of the turn before, such as "and milk
// too".
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
	return r, r.Ask == "" && p.c.cfg.Chores.isDoable(ctx, p.c.name, r)
}

// readLoosely reads an uncertain message, if no model can, or if all chores are read.
func (p *player) readLoosely(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	chores := p.c.cfg.Chores
	hasModel := chores.HasModel(ctx)
	if hasModel && !chores.Always {
		return intents.Reading{}, true
	}
	r = p.resolve(ctx, chores.Sentences.Loosely(m.words), m.context.at)
	if r.Kind == "" && !hasModel {
		return p.lookUpOrGuess(ctx, m)
	}
	isVague := r.Near && (r.Retracts || !chores.Exists(ctx, p.c.name, r))
	isGreeting := r.Kind == greeting && !chores.Always // a conversation follows, which needs the model: addHelp says that it is away
	if isVague || isGreeting {
		return intents.Reading{}, true
	}
	return r, true
}

// lookUpOrGuess searches the caller's notes for what a message asks, or else guesses what it means. A
// guess must name existing things.
func (p *player) lookUpOrGuess(ctx context.Context, m typedMessage) (r intents.Reading, done bool) {
	chores := p.c.cfg.Chores
	if chores.LookUp != nil {
		r = chores.LookUp(ctx, p.lang, m.words)
	}
	if r.Kind != "" {
		return r, true
	}
	r = p.resolve(ctx, chores.Sentences.Guess(m.words), m.context.at)
	return r, r.Ask == "" && !r.Near && chores.isDoable(ctx, p.c.name, r)
}
