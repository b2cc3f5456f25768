// Package narration is what is said of a turn of a story: the facts of it, a check of what a model makes of them, and words for
// when no model finds true ones.
//
// The world has changed already when somebody tells of it, so a narrator can only be right or wrong. What happened is read from the
// events and the outcomes of a turn (see [Turn.Facts]). A draft is read by rules, not by a model: sentences, who does something
// in them, which verb, what with. Each verb that claims that an object changed hands, that somebody went somewhere, was
// hurt or died wants an event of this turn; numbers beside the words of the rules want to be those that fell; names want to be
// those that can be known. Speech, questions, denials, attempts and what is only possible claim nothing.
//
// English and Russian are read word by word, by stems; Chinese as runs of characters. All of it is a matter of words, so it can
// err in both directions: the tests hold how often.
//
// Nothing in here changes a world, and nothing remembers anything from one turn to the next.
package narration

import (
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Turn is what happened in one turn of a story.
type Turn struct {
	Book          *rules.Book
	Lang          string          // en, ru, zh; any other is en
	Before, After *world.World    // as it was and as it is; no Before is After without Events
	Actor         string          // whose turn it was, who is "you"; "" is nobody's: the active actor's, where there is one
	Outcomes      []rules.Outcome // of all calls, applied or not, in their order
	Rolls         []rules.Roll
	Events        []world.Event
	Says          []Line   // what players said
	Recent        []string // what was told in the turns before: what is named there may be named again
}

// Line is something that somebody said.
type Line struct {
	Actor string // an id, or any name
	Text  string
}

// Flag is something that a draft says and that is not so.
type Flag struct {
	Kind     string // one of the kinds below
	Evidence string // the words of the draft, at most 120 runes
	Problem  string // what is wrong with them: one English sentence, for a model
}

// The kinds of flags.
const (
	Number   = "number"   // a total, a difficulty, an amount of coins that is not so
	Item     = "item"     // an object that changed hands in words only, or that is not there
	Move     = "move"     // somebody went in words only
	HP       = "hp"       // harm or healing that was not, or hit points that are others
	Death    = "death"    // somebody died in words only
	Place    = "place"    // the story is somewhere else
	Person   = "person"   // somebody acts who is not there, or cannot, or whom nobody knows
	Speech   = "speech"   // somebody speaks who cannot, or words are put into a player's mouth
	Limit    = "line"     // something that is never to be in the story
	Secret   = "secret"   // what nobody knows yet
	Language = "language" // another language than the story's
	Empty    = "empty"    // nothing is told
	Outcome  = "outcome"  // what came off is told as if it had not, or the other way round
	State    = "state"    // a door or a lid that is open or shut in words only
	Quest    = "quest"    // a task that is over in words only
	Time     = "time"     // another time of day, or a longer while
	Meta     = "meta"     // tools, ids, code, a model that speaks of itself, words that were told before
)

// lang returns the turn's language, one of three.
func (t Turn) lang() string {
	switch t.Lang {
	case "ru", "zh":
		return t.Lang
	}
	return "en"
}
