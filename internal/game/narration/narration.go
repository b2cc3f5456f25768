// Package narration holds what a model narrates of a turn against what happened: [Check] flags what is not so, and [Rest] says what is left
// out. It knows no model.
//
// The world has changed already when somebody tells of it, so a narrator can only be right or wrong. What happened is in the turn's
// [account.Digest]. A draft is read by words, not by a model and without a grammar: a table for each language (claims/LANG.txt) says
// which words claim that something changed hands, that somebody went, was hurt or died, that a door opened, and which words take that
// back: a denial, a question, a wish, a likeness, a memory, speech. What the words are about are the names of the world that stand near
// them. A claim that no event of the turn allows is a flag. Some words need nothing near them: the contrary of what happened (a lid that
// was opened is stuck), a number that stands in no fact, and somebody who is not there. One reader reads all languages; Chinese is cut
// into the words of the table and the names first.
//
// A draft is taken apart (text.go); its words claim (lexicon.go) and name (names.go) something. Each kind of claim is a row of a table
// ([checker.judges] in claims.go), whose judge holds a clause (clause.go), whom its verb is said of (subject.go) and what it is about
// (objects.go) against what changed (hands.go, deeds.go). People, numbers and hours have their own. Numbers are held against those in the
// engine's own sentences, which the same reader reads, and against what is known; an hour that is told, in one of the forms of the
// table, against the clock.
//
// The tables know plain words. What they say against the turn is evidence for a classifier, which says of each sentence what it tells of
// (sentences.go); it has learned from labelled narrations and sentences, and knows other words, too. Where something of the kind did happen in the
// turn, as when one thing is taken and two are told of, the tables flag by themselves.
//
// The tests hold how much is found, and that what is true is not flagged. Of lies of which half are plain and half artful (a hand comes up with
// an amulet in it) 69 of a hundred are found, and two or three of a hundred true narrations are flagged. So a turn's words never stand alone: the line of what
// changed stands below them.
package narration

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
