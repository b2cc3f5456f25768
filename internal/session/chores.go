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

// Chores reads chores out of what a person types, so that no model is asked for them. The zero
// Chores reads none.
//
// A chore is a command of that person, as /name is: their level, platform and scope hold, and the
// call passes policy, journal and audit. Only what they have typed themselves, to hob, is read: see
// [Input.Typed].
type Chores struct {
	Sentences Sentences
	Off       bool // no chore is read: Sentences say only which language is spoken
	Always    bool // also what is not certain is read, where there is a model
	// HasModel reports whether a model can be asked now.
	HasModel func(context.Context) bool
	// Exists reports whether all that a reading names is there, for somebody in a chat.
	Exists func(context.Context, event.Chat, intents.Reading) bool
	// Absent returns what a reading names by its number or its path and is not there, "" where all is, for the caller of ctx. Nil: all is.
	Absent func(context.Context, intents.Reading) string
	// Resolve returns a reading with what its words leave open, or with a question about what they
	// name, for the caller of ctx. Nil: as it is.
	Resolve func(context.Context, intents.Reading) intents.Reading
	// Doubt returns a reading about a reminder of just now with the question whether that is meant, for the caller of ctx, where nothing was
	// done with it since a time. Nil: nobody asks.
	Doubt func(ctx context.Context, r intents.Reading, since time.Time) intents.Reading
	// Suggest returns, in a language, which sentences are near to words that are no chore, and what can be done with things that the
	// words name alone. Nil: nothing is.
	Suggest func(lang, words string) (similar []string, offers []intents.Offer)
	// Permits reports whether the caller of ctx may have done here what a sentence says. Nil: they may have anything done.
	Permits func(ctx context.Context, sentence string) bool
	// LookUp returns the calls that find what words in a language ask for among what the caller of ctx has noted; the zero Reading where there is
	// none. Nil: nothing is looked up.
	LookUp func(ctx context.Context, lang, words string) intents.Reading
	// Run runs a row of the table of commands for the caller of ctx and returns its answer.
	Run func(context.Context, intents.Reading) (string, error)
}

// Sentences are the sentences that are understood. [*intents.Sentences] is one.
type Sentences interface {
	Read(text string) intents.Reading
	Loosely(text string) intents.Reading
	// Guess returns what a text may mean that is no chore, with a score below 1.
	Guess(text string) intents.Reading
	// Following returns what a text means right after a call that a chore of the same person became.
	Following(text string, before llm.Call) intents.Reading
	// Pick returns which of some labels an answer names.
	Pick(answer string, labels []string) []int
	// Affirms reports whether an answer says yes, or no; known is false where it says neither.
	Affirms(answer string) (yes, known bool)
	// LanguageOf returns the language of a text, "" where it does not say.
	LanguageOf(text string) string
	// Translate returns in a language what was said in English by the first of some kinds of chores, tools or commands that has words for it.
	Translate(lang, text string, speakers ...string) string
}

// greeting is the kind of a greeting.
const greeting = "hello"

// The commands that the chat runs itself.
const (
	choreStop = "stop"
	choreNew  = "new"
	choreUndo = "undo" // a row of the table of commands
)

// choreUndoChange is the kind of the chore that takes back a change by its number.
const choreUndoChange = "undo_change"

// areRead reports whether chores are read.
func (c Chores) areRead() bool { return c.Sentences != nil && !c.Off }

// read reads what is typed as a chore, by its words alone. The zero Reading means that it is none.
func (c Chores) read(words string) intents.Reading {
	if words == "" || !c.areRead() {
		return intents.Reading{}
	}
	return c.Sentences.Read(words)
}

// TypedWords returns the words of an input that may be a chore, or "".
func TypedWords(s event.Said) string {
	isChore := s.Typed || s.Command && !tools.IsCommand(s.Text)
	if !isChore || len(s.Attachments)+len(s.Files)+len(s.Aside) > 0 || s.Pick != "" {
		return ""
	}
	return cmp.Or(s.Own, s.Text)
}

// choreID is the ID of the first call that the chores of a turn become. The others have a number behind it.
func choreID(turn int64) string { return event.ChoreCall + strconv.FormatInt(turn, 10) }

// choreCalls returns the calls that the chores of the turn have become. A call of a model is no
// person's, whatever ID its server gives it.
func (t *turn) choreCalls() []llm.Call {
	for _, m := range t.messages {
		if len(m.Calls) > 0 && m.Calls[0].ID == choreID(t.seq) && t.progress.Steps == 0 {
			return m.Calls
		}
	}
	return nil
}

// isCommand reports whether the turn is a person's own call, by its name or as a chore.
func (t *turn) isCommand() bool { return t.input.Command || len(t.choreCalls()) > 0 }

// readTyped reads what is typed as a chore, by its words alone. The zero Reading means that it is
// none.
func (c *chat) readTyped(said event.Said) intents.Reading {
	if c.tr.drivingSkill() != "" {
		return intents.Reading{}
	}
	return c.cfg.Chores.read(TypedWords(said))
}

// exist reports whether all that a reading names is there, and whether it is a call at all.
func (c Chores) exist(ctx context.Context, chat event.Chat, r intents.Reading) bool {
	chores := r.Chores()
	return len(chores) > 0 && !slices.ContainsFunc(chores, func(part intents.Reading) bool { return !c.Exists(ctx, chat, part) })
}

// needsNoModel reports whether a reading is certainly a chore, which need not wait for a model.
func (c *chat) needsNoModel(ctx context.Context, r intents.Reading) bool {
	r = r.At(c.cfg.Now())
	if n := len(c.tr.turns); r.Retracts && r.Near {
		return n > 0 && len(c.tr.turns[n-1].reminders) > 0
	}
	return r.Ask == "" && c.cfg.Chores.exist(ctx, c.name, r)
}

// isAboutChore reports whether words that are no chore by themselves are about the one that the same person has just had done without a model: they
// follow it, or choose of what it has offered.
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
	return len(sentences.Pick(words, lists.Map(choices, func(c event.Choice) string { return c.Label }))) > 0 || affirms && len(asked(choices)) == 1
}

// isStop reports whether a reading is the plain word that stops a turn, as /stop does. What takes
// back stops first, where that turn is the newest.
func (c *chat) isStop(r intents.Reading) bool {
	t, n := c.tr.stoppable(), len(c.tr.turns)
	if t != nil && r.Retracts {
		return n == 0 || c.tr.turns[n-1].seq <= t.seq
	}
	return t != nil && r.Call.Name == choreStop
}
