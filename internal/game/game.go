// Package game is the engine of stories: all rules of play, and the beginning of a campaign. package eventlog keeps the events of a
// campaign, package world has the records of its state, and the tools are families below package rules.
//
// Nothing in it knows a model, the time of day or a disk.
package game

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"hob/internal/game/dice"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/checks"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/people"
	"hob/internal/game/rules/story"
	"hob/internal/game/rules/things"
	"hob/internal/game/rules/travel"
)

// Rules returns the book of all tools and words. It is read once: a mistake in it is one of the program, and panics.
var Rules = sync.OnceValue(func() *rules.Book {
	book, err := rules.New(checks.Family(), land.Family(), people.Family(), story.Family(), things.Family(), travel.Family())
	if err != nil {
		panic(fmt.Errorf("make the book of rules: %w", err))
	}
	return book
})

// Options returns the options of a log of this game. now gives the times in its log.
func Options(book *rules.Book, now func() time.Time) eventlog.Options {
	return eventlog.Options{Book: book, Now: now, Dice: Throw}
}

// Throw rolls fair dice: the faces follow from the seed, the path and the number of the roll alone (see package dice).
func Throw(seed [32]byte, path, roll int64, expr string) (rules.Roll, error) {
	return ThrowFrom(dice.Fair(seed, path, roll), expr)
}

// ThrowFrom rolls dice whose faces a source shows.
func ThrowFrom(src dice.Source, expr string) (rules.Roll, error) {
	e, err := dice.Parse(expr)
	if err != nil {
		return rules.Roll{}, err
	}
	rolled, err := e.Roll(src)
	if err != nil {
		return rules.Roll{}, err
	}
	r := rules.Roll{Expr: expr, Total: rolled.Total, Detail: rolled.Detail, Dice: make([]rules.Die, len(rolled.Dice))}
	for i, d := range rolled.Dice {
		r.Dice[i] = rules.Die{Size: int64(d.Size), Value: d.Value, Kept: d.Kept}
	}
	return r, nil
}

// SeedOf returns the seed that a word stands for: its SHA-256, behind a name that keeps it apart from other hashes.
func SeedOf(word string) [32]byte { return sha256.Sum256([]byte("hob-seed-v1|" + word)) }
