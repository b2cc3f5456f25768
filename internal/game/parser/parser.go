// Package parser reads plain commands of players, in English, Russian and Chinese, and turns them
// into calls of the game's tools. It understands what a text adventure does, and needs no model.
//
// # Plain commands
//
// A command is a pattern of a language's table (commands/*.txt). All of its words must fit the
// pattern, and its names must mean something that the actor sees, carries or can go to. A sentence
// with words left over is no command: half of a sentence is never taken for the whole. Everything
// else is left to a model, or, where there is none, to [Options.Propose].
//
// Hidden things are not looked at, so a command that names one has the same result as one that
// names nothing that exists.
//
// # Names
//
// A name is an id, or the name of something, or words of it that nothing else in sight has. The
// exact name goes before the name without its article, that before forms of its words, these before
// some of its words, and those before prefixes of at least four letters. A Russian word may have
// any case. Any part of a Chinese name will do.
//
// If several things are meant, and the command works with more than one of them, the answer asks
// which.
package parser

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Show names something to show, which needs no call; "" is nothing. The tables have it in keys that
// begin with "show.".
type Show string

// The things to show.
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

// Option is one of several possible meanings.
type Option struct {
	Label string // what it is called
	Calls []rules.Call
}

// Meaning is the result of reading: exactly one of Calls, Show, Pick and Problem is set. Options
// may come with a Problem.
type Meaning struct {
	Calls   []rules.Call // what they do, in this order; at most [MostCalls], each with its actor and all of its arguments
	Show    Show         // or what they ask to be shown
	Pick    int          // or which of the choices that were offered, from 1 to 9
	Problem string       // or why it cannot be done, in the player's language, with what to do about it
	Options []Option     // of a Problem that asks which of several is meant: what each of them comes to, at most nine
	// Done is whether a Problem is no problem, but what came of something that was done and changes nothing.
	Done bool
	// Idle is whether a Problem says that nothing comes of something: what is said behind it can be done.
	Idle bool
	// Partly is whether a Problem says that no more than a name was understood.
	Partly bool
	// Whom is the id of the person whom a Problem is about: "him" is him from then on.
	Whom string
	// Missed is what a Problem says is not here: "it" is that from then on, and not something else that happens to be.
	Missed string
	// Before and After are what came of such things: of those in front of the first of Calls, and of those behind it.
	Before, After string
	// Then is what the words say behind Calls and what is no call: something to show, or a problem. Nil: nothing.
	Then *Meaning
}

const (
	// MostCalls is the number of calls that one input makes at most.
	MostCalls = 16

	longest   = 400 // runes of a command
	mostParts = 9   // commands in one sentence
)

// Read returns the meaning of an actor's words. A nil actor can only look and pick. lang is the
// player's language; commands of the other languages are understood as well. ok is false if the
// words are no plain command. Read changes nothing.
func Read(w *world.World, book *rules.Book, lang string, actor *world.Actor, words string) (m Meaning, ok bool) {
	return Options{}.Read(w, book, lang, actor, words)
}

// Options are the context of the words.
type Options struct {
	Named   []string // ids of what was named just before, the newest first: it, him and the like may mean them
	Missed  string   // what was named just before, and was not there: it is that
	From    string   // the place from where the actor came: back leads there
	NoModel bool     // the game has no model: a bare name, or a verb with many uses, is a command too
	Asked   bool     // a meaning was proposed just before, or several: yes picks the first, and no none
	// Variant is which of the texts that say the same is taken, so that a player does not read one again and again.
	Variant int
	// Try returns what comes of calls; it changes nothing. Nil: a sentence of several commands is no plain one.
	Try func(calls []rules.Call) Tried
}

// Tried is what comes of calls that were tried.
type Tried struct {
	World *world.World // as it is after them
	Ends  bool         // one of them was refused, or something happened: nobody just goes on
}

// smile matches emoticons at the end of words, which say nothing.
var smile = regexp.MustCompile(`(?:\s*(?:[:;=]-?'?[()DPp]+|<3|\^\^|[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}]\x{FE0F}?))+$`)

// Read is the function [Read] with a context.
func (o Options) Read(w *world.World, book *rules.Book, lang string, actor *world.Actor, words string) (m Meaning, ok bool) {
	words = strings.TrimSpace(words)
	if _, aside := Aside(words); aside {
		return Meaning{}, false
	}
	if o.NoModel {
		words = smile.ReplaceAllString(words, "")
	}
	if utf8.RuneCountInString(words) > longest || !utf8.ValidString(words) {
		return Meaning{}, false
	}
	input, ok := tokenize(strings.TrimPrefix(words, "/"))
	switch {
	case !ok || len(input.tokens) == 0 && !input.question:
		return Meaning{}, false
	case len(input.tokens) == 0:
		return Meaning{Show: ShowHelp}, true
	}
	r := o.reader(w, book, lang, actor, input)
	m, ok = r.readSentence()
	if m.Problem != "" && r.named != nil && r.named.kind == person {
		m.Whom = r.named.id
	}
	if m.Problem != "" && strings.Contains(m.Problem, r.unknown) {
		m.Missed = r.unknown
	}
	return m, ok
}

// reader returns a reader of an input.
func (o Options) reader(w *world.World, book *rules.Book, lang string, actor *world.Actor, input utterance) *reader {
	return &reader{w: w, book: book, lang: lang, langs: tables(lang, input.tokens), actor: actor, input: input, options: o, actions: actions()}
}

// Again reports whether words ask to repeat the words before them.
func Again(words string) bool {
	input := tokens(strings.TrimPrefix(strings.TrimSpace(words), "/"))
	r := &reader{langs: tables("", input.tokens), input: input}
	return len(input.tokens) > 0 && r.smallTalk() == "again"
}

// Rewind returns whether words take turns back, "undo", or do them again, "redo", and how many; "" for neither.
func Rewind(words string) (what string, turns int64) {
	input := tokens(strings.TrimSpace(words))
	if input.question || input.odd || input.quoted || strings.HasPrefix(input.raw, "/") {
		return "", 0
	}
	r := &reader{tokens: input.tokens}
	for _, r.table = range tables("", input.tokens) {
		match := matching{tokens: input.tokens, end: len(input.tokens)}
		match.fits = func() bool {
			r.slots, turns = match.slots, 1
			if p := r.phrase(1); len(p) > 0 {
				turns = max(r.numberIn(1), number(r.table.which("times.", p)))
			}
			return turns > 0
		}
		for _, what := range [...]string{"undo", "redo"} {
			if match.patterns(r.table.word(what)) {
				return what, turns
			}
		}
	}
	return "", 0
}

// Agrees reports whether words say yes and nothing else.
func Agrees(words string) bool {
	input := tokens(strings.TrimSpace(words))
	return slices.ContainsFunc(tables("", input.tokens), func(t table) bool { return t.is("agree", input.tokens) })
}

// Aside returns words that are out of character without their marks: // before them, or (( and ))
// around them.
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

// Hint says what can be said, with examples of what the actor sees, for games without a model. A
// nil actor sees nothing.
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
	return r.text("hint", r.joinNames(examples))
}
