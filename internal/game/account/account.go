// Package account has the engine's own words for a turn of a story: what was done, what changed, what a place looks like. No model is
// needed for them, and none is asked.
//
// It reads a turn once (digest.go), writes a fact for each call (outcomes.go) and each change (changes.go) by the key of its words
// (facts.go, words.go), and puts facts together: as a tale (tell.go, voice.go, sight.go), a recap, the prompt of a storyteller (ask.go),
// or what a storyteller left out (rest.go). What a player did in vain is in acts.go. Nothing that is hidden, secret or never to be in the
// story is told: words are held against all that is known (known.go, banned.go).
//
// Nothing in here changes a world, and nothing remembers anything from one turn to the next. Package narration holds what a model makes
// of a turn against the same [Digest].
package account

import (
	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// Turn is what happened in one turn of a story.
type Turn struct {
	Book          *rules.Book
	Lang          string          // en, ru, zh; any other is en
	Before, After *world.World    // the world before and after the turn; a nil Before is worked out from After and Events
	Actor         string          // the hero, who acted and is "you"; "" is the active actor, if there is one
	Outcomes      []rules.Outcome // of all calls, applied or not, in their order
	Rolls         []rules.Roll
	Events        []world.Event
	Says          []Line   // what players said
	Recent        []string // what was told in the turns before, whose names may be told again
	// Pick says which of several texts [Turn.Tell] begins with, those of the tale before those of the engine. It follows from the seed
	// of the campaign, so that the same turn is told the same. 0 tells in the engine's plainest words, with their numbers.
	Pick int
	// Holds reports whether a sentence holds against the turn: package narration has the check. Without one no player's words are repeated.
	Holds func(*Digest, string) bool
}

// Line is something that somebody said.
type Line struct {
	Actor string // an id, or any name
	Text  string
}

// Language returns the turn's language, one of three.
func (t Turn) Language() string { return spelling.Language(t.Lang) }
