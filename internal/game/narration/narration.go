// Package narration is what is said of a turn of a story: the facts of it, a check of what a model makes of them, and words for
// when no model finds true ones.
//
// The world has changed already when somebody tells of it, so a narrator can only be right or wrong. What happened is read from the
// events and the outcomes of a turn (see [Turn.Facts]). A draft is read by words, not by a model and without a grammar: a table for each
// language (claims/LANG.txt) says which words claim that something changed hands, that somebody went, was hurt or died, that a door
// opened, and which words take that back: a denial, a question, a wish, a likeness, a memory, speech. What the words are about are the
// names of the world that stand near them. A claim that no event of the turn allows is a flag. Some words need nothing near them: the
// contrary of what happened (a lid that was opened is stuck), a number that stands in no fact, and somebody who is not there. One reader reads all languages; Chinese is cut into the words of the table and
// the names first.
//
// The telling half reads a turn once (digest.go), writes a fact for each call (outcomes.go) and each change (changes.go) by the key of its
// words (facts.go, words.go), and puts facts together: as a tale (tell.go, voice.go, sight.go), a recap, or what a storyteller is to be told
// (ask.go). What a player did in vain is in acts.go, what a narration left out in rest.go.
//
// The checking half takes a draft apart (text.go), says what its words claim (lexicon.go) and name (names.go), and knows what is known
// (known.go). Each kind of claim has a judge ([checker.judges] in claims.go), which holds a clause (clause.go), whom its verb is said of
// (subject.go) and what it is about (objects.go) against what changed (hands.go, deeds.go). People, numbers and hours have their own.
// Numbers are held against those in the engine's own sentences, which the same reader reads, and against what is known; an hour that is
// told, in one of the forms of the table, against the clock.
//
// Only what is certain is flagged: the tests hold how much is found, and that what is true is not flagged. Of lies as a small
// model tells them three in five are found at the first reading, of artful ones (a hand comes up with an amulet in it) one in three. So a
// turn's words never stand alone: the line of what changed stands below them.
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
	// Pick says which of several texts [Turn.Tell] begins with, those of the tale before those of the engine. It follows from the seed
	// of the campaign, so that the same turn is told the same. 0 tells in the engine's plainest words, with their numbers.
	Pick int
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
	Place    = "place"    // a place that there is not
	Person   = "person"   // somebody is there who is not, or acts and is dead, or whom nobody knows
	Limit    = "line"     // something that is never to be in the story
	Secret   = "secret"   // what nobody knows yet
	Language = "language" // another language than the story's
	Empty    = "empty"    // nothing is told
	Outcome  = "outcome"  // a hit is told as a miss, or the other way round
	State    = "state"    // a door or a lid that is open or shut in words only
	Time     = "time"     // another time of day
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
