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
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lazyregexp"
)

// Show names a view, which needs no call; "" is none. In the tables its key begins with "show.".
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
	Label string // its name for players
	Calls []rules.Call
}

// IsSaid reports whether words are what the meaning is called, in whatever case, with or without an article.
func (o Option) IsSaid(words string) bool {
	input := tokens(strings.TrimSpace(words))
	return slices.ContainsFunc(tables("", input.tokens), func(t table) bool {
		r := &reader{table: t}
		return r.is(input.tokens, o.Label)
	})
}

// Meaning is the result of reading: exactly one of Calls, Show, Pick and Problem is set. Options
// may come with a Problem.
type Meaning struct {
	Calls   []rules.Call // the calls that they make, in order; at most [MostCalls], each with its actor and all arguments
	Show    Show         // or the view that they ask for
	Pick    int          // or the number of an offered choice, from 1 to 9
	Problem string       // or why it cannot be done, in the player's language, with what to do about it
	Options []Option     // if the Problem asks which of several things is meant: one for each, at most nine
	// Done means that the Problem is none: it answers a command that was done and changes nothing.
	Done bool
	// Idle means that the Problem says that nothing comes of the command. A command behind it can be done.
	Idle bool
	// Partly means that only a name was understood.
	Partly bool
	// Whom is the id of the person whom the Problem is about. The next "him" may mean them.
	Whom string
	// Missed is the name of the thing that is not here, by the Problem. The next "it" means that thing.
	Missed string
	// Before and After are the answers to such commands: to those before the first of Calls, and to those behind it.
	Before, After string
	// Then is the part of the words behind Calls that is no call: a view or a problem. Nil: there is none.
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

// Options are the context in which words are read.
type Options struct {
	Named   []string // the ids that were named just before, the newest first: "it", "him" and the like may mean them
	Earlier []string // the ids that were named before that: "it" means one of them if it cannot be a person
	Missed  string   // the name just before of a thing that was not here: "it" means that
	From    string   // the place from which the actor came: "back" leads there
	NoModel bool     // the game has no model: a bare name, or a verb with many uses, is a command too
	Asked   bool     // meanings were proposed just before: "yes" picks the first, "no" none
	// Variant picks one of several texts that say the same, so that a player does not read the same one again and again.
	Variant int
	// Try returns the result of calls and changes nothing. Nil: only single commands are read.
	Try func(calls []rules.Call) Tried
}

// Tried is the result of calls in a trial.
type Tried struct {
	World *world.World // after them
	Ends  bool         // one was refused, or something happened that stops the player
}

// smile matches emoticons at the end of words: they mean nothing here.
var smile = lazyregexp.New(`(?:\s*(?:[:;=]-?'?[()DPp]+|<3|\^\^|[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}]\x{FE0F}?))+$`)

// Read is the function [Read] with a context.
func (o Options) Read(w *world.World, book *rules.Book, lang string, actor *world.Actor, words string) (m Meaning, ok bool) {
	words = strings.TrimSpace(words)
	if _, aside := Aside(words); aside {
		return Meaning{}, false
	}
	if o.NoModel {
		words = smile().ReplaceAllString(words, "")
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
	if m.Problem != "" && r.named != nil && r.named.kind == person && len(m.Options) == 0 {
		m.Whom = r.named.id
	}
	if m.Problem != "" && strings.Contains(m.Problem, r.unknown) && r.sought != person { // it is nobody
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

// Rewind returns "undo" or "redo" and a number of turns for words that ask for it, and "" for all others.
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

// Agrees reports whether words only say yes.
func Agrees(words string) bool {
	input := tokens(strings.TrimSpace(words))
	return slices.ContainsFunc(tables("", input.tokens), func(t table) bool { return t.is("agree", input.tokens) })
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

// Hint lists what can be said in a game without a model, with examples of what the actor sees. A nil actor sees nothing.
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
