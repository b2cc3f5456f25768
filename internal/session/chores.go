package session

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tools"
)

// Chores reads chores in what a person types, so that no model has to be asked. The zero Chores
// reads none.
//
// A chore is a command of that person, as /name is: their level, platform and scope apply, and the
// call passes policy, journal and audit. Only text that they typed themselves, to hob, is read: see
// [Input.Typed].
type Chores struct {
	Sentences *intents.Sentences
	Off       bool // read no chores; Sentences then only tells the language
	Always    bool // read uncertain chores even if a model is available
	// HasModel reports whether a model is available now.
	HasModel func(context.Context) bool
	// ChoseModel says that the configuration names a model: where none is available, that one is away.
	ChoseModel bool
	// Shell is the platform of people who can hand in lines from a pipe. "": none.
	Shell string
	// Exists reports whether everything that a reading names exists, in a chat.
	Exists func(context.Context, event.Chat, intents.Reading) bool
	// Absent returns the thing that a reading names by number or path and that does not exist, or
	// "". ctx carries the caller. Nil: never.
	Absent func(context.Context, intents.Reading) string
	// Resolve fills in what the words leave open, or asks about what they name. ctx carries the
	// caller. Nil: readings stay as they are.
	Resolve func(context.Context, intents.Reading) intents.Reading
	// Confirm adds a question to a reading that refers to a recent reminder: whether that one is
	// meant, if nothing was done with it since a time. ctx carries the caller. Nil: no question.
	Confirm func(ctx context.Context, r intents.Reading, since time.Time) intents.Reading
	// Suggest returns sentences similar to words that are no chore, and offers for things that the
	// words merely name, in a language. Nil: none.
	Suggest func(lang, words string) (similar []string, offers []intents.Offer)
	// Permits reports whether the caller of ctx may have a sentence done here. Nil: always.
	Permits func(ctx context.Context, sentence string) bool
	// LookUp returns calls that search the caller's notes for what words ask, or the zero Reading
	// if nothing fits. ctx carries the caller. Nil: no search.
	LookUp func(ctx context.Context, lang, words string) intents.Reading
	// Run runs a row of the command table for the caller of ctx and returns its answer.
	Run func(context.Context, intents.Reading) (string, error)
}

// greeting is the kind of chore that is only a greeting.
const greeting = "hello"

// The commands that a chat runs itself.
const (
	choreStop = "stop"
	choreNew  = "new"
	choreUndo = "undo" // a row of the command table
)

// choreUndoChange is the kind of chore that takes back a change by its number.
const choreUndoChange = "undo_change"

// areRead reports whether chores are read at all.
func (c Chores) areRead() bool { return c.Sentences != nil && !c.Off }

// read reads typed words as a chore, without context. The zero Reading means that they are none.
func (c Chores) read(words string) intents.Reading {
	if words == "" || !c.areRead() {
		return intents.Reading{}
	}
	return c.Sentences.Read(words)
}

// TypedWords returns the text of an input that may be a chore, or "".
func TypedWords(s event.Said) string {
	isChore := s.Typed || s.Command && !tools.IsCommand(s.Text)
	if !isChore || len(s.Attachments)+len(s.Files)+len(s.Aside) > 0 || s.Pick != "" {
		return ""
	}
	return cmp.Or(s.Own, s.Text)
}

// choreID is the ID of the first call that the chores of a turn lead to. Later ones have a number
// appended.
func choreID(turn int64) string { return event.ChoreCall + strconv.FormatInt(turn, 10) }

// choreCalls returns the calls that the chores of the turn led to. A call of the model never
// counts, whatever ID its server gave it.
func (t *turn) choreCalls() []llm.Call {
	for _, m := range t.messages {
		if len(m.Calls) > 0 && m.Calls[0].ID == choreID(t.seq) && t.progress.Steps == 0 {
			return m.Calls
		}
	}
	return nil
}

// isCommand reports whether the turn is a person's own call, by name or as a chore.
func (t *turn) isCommand() bool { return t.input.Command || len(t.choreCalls()) > 0 }

// readTyped reads a typed input as a chore, without context. The zero Reading means that it is
// none, or that a driver leads the chat.
func (c *chat) readTyped(said event.Said) intents.Reading {
	if c.tr.drivingSkill() != "" {
		return intents.Reading{}
	}
	return c.cfg.Chores.read(TypedWords(said))
}

// isDoable reports whether a reading has calls and everything that they name exists.
func (c Chores) isDoable(ctx context.Context, chat event.Chat, r intents.Reading) bool {
	chores := r.Chores()
	return len(chores) > 0 && !slices.ContainsFunc(chores, func(part intents.Reading) bool { return !c.Exists(ctx, chat, part) })
}

// needsNoModel reports whether a reading is certainly a chore, so that it need not wait for a
// model.
func (c *chat) needsNoModel(ctx context.Context, r intents.Reading) bool {
	r = r.At(c.cfg.Now())
	if n := len(c.tr.turns); r.Retracts && r.Near {
		return n > 0 && len(c.tr.turns[n-1].reminderChanges) > 0
	}
	return r.Ask == "" && c.cfg.Chores.isDoable(ctx, c.name, r)
}

// isAboutChore reports whether words refer to the chore that the same person just had done: they
// follow it up, or pick from its choices.
func (c *chat) isAboutChore(said event.Said) bool {
	words, last := TypedWords(said), len(c.tr.turns)-1
	if words == "" || !c.cfg.Chores.areRead() || last < 0 || c.tr.hasOpenTurn {
		return false
	}
	t, sentences := c.tr.turns[last], c.cfg.Chores.Sentences
	if !isSamePerson(t.input, said) || c.cfg.Now().Sub(t.saidAt) > answerTime || c.tr.isParkedBetween(t.seq, math.MaxInt64) {
		return false
	}
	if calls := t.choreCalls(); len(calls) > 0 && sentences.Following(words, calls[len(calls)-1]).Kind != "" {
		return true
	}
	choices := slices.DeleteFunc(slices.Clone(t.choices), isNoOffer)
	_, affirms := sentences.Affirms(words)
	return len(sentences.Pick(words, lists.Map(choices, func(c event.Choice) string { return c.Label }))) > 0 || affirms && len(askedChoices(choices)) == 1
}

// isStop reports whether a reading stops a turn, as /stop does. A retraction such as "never mind"
// stops the stoppable turn if that is the newest.
func (c *chat) isStop(r intents.Reading) bool {
	t, n := c.tr.stoppable(), len(c.tr.turns)
	if t != nil && r.Retracts {
		return n == 0 || c.tr.turns[n-1].seq <= t.seq
	}
	return t != nil && r.Call.Name == choreStop
}
