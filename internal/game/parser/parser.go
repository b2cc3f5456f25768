// Package parser reads the plain commands of players, in English, Russian and Chinese, and makes calls of the game's tools of
// them: what a text adventure does, and what needs no model.
//
// # What is plain
//
// A command is a pattern of one of the languages' tables (commands/*.txt) that all of its words fit, and whose names mean
// something that the actor can see, carries or can go to. Words that are left over make it no command: half of a sentence is
// never taken for the whole. Whatever is not plain is left to a model.
//
// What is hidden is not looked at, so that a command that names it comes to the same as one that names what does not exist.
//
// # Names
//
// A name is an id, or what something is called, or words of that which nothing else in sight has: the exact name goes before
// one without articles, that before forms of its words, these before some of its words, and those before their beginnings of
// at least four letters. In Russian a word is meant by any of its cases. Of Chinese names any part will do.
//
// Where several things are meant, and the command can be done with more than one of them, it is asked which.
package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Show is something that is to be shown and that needs no call; "" is nothing. The tables ask for it by a key that begins with "show.".
type Show string

// What can be shown.
const (
	ShowLook      Show = "look"
	ShowInventory Show = "inventory"
	ShowSheet     Show = "sheet"
	ShowMap       Show = "map"
	ShowQuests    Show = "quests"
	ShowRecap     Show = "recap"
	ShowWhy       Show = "why"
	ShowChoices   Show = "choices"
	ShowHelp      Show = "help"
	ShowParty     Show = "party"
	ShowTime      Show = "time"
)

// Option is one of the things that words may mean.
type Option struct {
	Label string // what it is called
	Calls []rules.Call
}

// Meaning is what words come to: exactly one of Calls, Show, Pick and Problem is set. Options may come with a Problem.
type Meaning struct {
	Calls   []rules.Call // what they do, in this order; at most [MostCalls], each with its actor and all of its arguments
	Show    Show         // or what they ask to be shown
	Pick    int          // or which of the choices that were offered, from 1 to 9
	Problem string       // or why it cannot be done, in the player's language, with what to do about it
	Options []Option     // of a Problem that asks which of several is meant: what each of them comes to, at most nine
}

const (
	// MostCalls is how many calls words come to at most.
	MostCalls = 8

	longest   = 400 // runes of a command
	mostParts = 4   // commands in one sentence
)

// Read returns what words mean to an actor, who is nil where it is nobody's turn: nobody can be shown something, and
// pick. lang is the player's; commands of the other languages are understood as well. ok is false where the
// words are no plain command. Read changes nothing.
func Read(w *world.World, book *rules.Book, lang string, actor *world.Actor, words string) (m Meaning, ok bool) {
	return Options{}.Read(w, book, lang, actor, words)
}

// Options are what is known beside the words.
type Options struct {
	Named []string // ids of what was named just before, the newest first: it, him and the like may mean them
	From  string   // the place from where the actor came: back leads there
	Alone bool     // no model understands more: a bare name, or a verb of many uses, is a command as well
}

// Read is the function [Read] with what is known beside the words.
func (o Options) Read(w *world.World, book *rules.Book, lang string, actor *world.Actor, words string) (m Meaning, ok bool) {
	words = strings.TrimSpace(words)
	if _, aside := Aside(words); aside {
		return Meaning{}, false
	}
	if utf8.RuneCountInString(words) > longest || !utf8.ValidString(words) {
		return Meaning{}, false
	}
	said, ok := understand(strings.TrimPrefix(words, "/"))
	switch {
	case !ok || len(said.tokens) == 0 && !said.question:
		return Meaning{}, false
	case len(said.tokens) == 0:
		return Meaning{Show: ShowHelp}, true
	}
	r := &reader{w: w, book: book, lang: lang, langs: tables(lang, said.tokens), actor: actor, said: said, options: o}
	return r.sentence()
}

// Again reports whether words ask for what was said before once more.
func Again(words string) bool {
	said := tokens(strings.TrimPrefix(strings.TrimSpace(words), "/"))
	r := &reader{langs: tables("", said.tokens), said: said}
	return len(said.tokens) > 0 && r.small() == "again"
}

// Aside returns words that are said out of character without their marks: // before them, or (( and )) around them.
func Aside(words string) (text string, ok bool) {
	words = strings.TrimSpace(words)
	if text, ok = strings.CutPrefix(words, "//"); !ok {
		text, ok = strings.CutPrefix(words, "／／")
	}
	for _, marks := range [...][2]string{{"((", "))"}, {"（（", "））"}} {
		if inner, opened := strings.CutPrefix(words, marks[0]); opened && !ok {
			text, ok = strings.CutSuffix(inner, marks[1])
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), ok
}

// Hint says what can be said, with examples from what the actor sees: for games that have no model to understand more. Nil is
// nobody.
func Hint(w *world.World, book *rules.Book, lang string, actor *world.Actor) string {
	r := &reader{w: w, book: book, lang: lang, actor: actor}
	examples := []string{r.text("hint.look")}
	add := func(k kind, key string, fits func(*entity) bool) {
		for e := range r.visible(k, fits) {
			if example := r.text(key, e.name); e.name != "" && !slices.Contains(examples, example) {
				examples = append(examples, example)
				return
			}
		}
	}
	if actor != nil {
		add(way, "hint.go", func(e *entity) bool { return e.link.Door != world.ClosedDoor && e.link.Door != world.LockedDoor })
		add(near, "hint.take", func(e *entity) bool { return loose(e.thing) })
		add(person, "hint.talk", func(e *entity) bool { return rules.CanAct(e.actor) && book.Tool("talk") != nil })
	}
	for _, key := range [...]string{"hint.inventory", "hint.map", "hint.choices", "hint.help"} {
		examples = append(examples, r.text(key))
	}
	return r.text("hint", r.listed(examples))
}
