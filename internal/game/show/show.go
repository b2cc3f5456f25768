// Package show writes the views of a story for players: the place, the sheet, the inventory, the
// party, the quests, the map, the line below a turn's prose, the explanation of a turn, the recap
// and the help.
//
// A view is plain text without Markdown, in short lines that read well on a phone and in a
// terminal, in en, ru and zh; any other language is en. It follows from the world and the log
// alone: the same input gives the same text. It contains nothing hidden and no secret. Names are
// clean: they have no control characters, no marks of direction and no line breaks.
package show

import (
	"embed"
	_ "embed"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
	"hob/internal/lists"
	"hob/internal/phrases"
)

//go:embed words help
var texts embed.FS

// Bounds of texts in runes.
const (
	mostName = 70
	mostText = 1440 // of a description
	mostItem = 240  // of an attribute, an objective, a reason
	mostList = 40   // things of a list, the others are counted

	mostInner = 12 // things that are named behind what they are in
)

// language holds the texts of a language.
type language struct {
	phrases.Words
	lang string
}

// languageOf returns the texts of a language, or those of en.
func languageOf(lang string) language {
	lang = spelling.Language(lang)
	return language{phrases.In(texts, lang), lang}
}

// list joins the items of a list; it counts those that are too many.
func (t language) list(things []string) string {
	sep := "; "
	if t.lang == "zh" {
		sep = "；"
	}
	if more := len(things) - mostList; more > 0 {
		things = append(things[:mostList:mostList], t.Text("more", strconv.Itoa(more)))
	}
	return strings.Join(things, sep)
}

// sayList returns the text of a key with a list, "" for an empty list.
func (t language) sayList(key string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	return t.Text(key, t.list(items))
}

// withNotes returns a name with notes in brackets.
func (t language) withNotes(name string, notes ...string) string {
	open, sep, shut := " (", ", ", ")"
	if t.lang == "zh" {
		open, sep, shut = "（", "，", "）"
	}
	some := lists.NonEmpty(notes...)
	if len(some) == 0 {
		return name
	}
	return name + open + strings.Join(some, sep) + shut
}

// Skill returns the name of a skill in a language; a skill of this story alone keeps its name.
func Skill(lang, skill string) string {
	if text, ok := languageOf(lang).Find("skill." + skill); ok {
		return text
	}
	return display.Name(skill, mostName)
}

// stateWord returns the word for an actor's state, "" for a healthy one.
func stateWord(lang string, a *world.Actor) string {
	switch a.State {
	case "", world.Alive:
		return ""
	case world.Dying, world.Dead, world.Unconscious, world.Restrained:
		return languageOf(lang).Text("state." + a.State)
	}
	return display.Name(a.State, mostName)
}

// displayName returns the clean name of a record.
func displayName(name, id string) string {
	return rules.NameOrID(display.Name(name, mostName), display.Name(id, mostName))
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// signed returns a number with its sign.
func signed(n int64) string {
	if n < 0 {
		return "−" + strings.TrimPrefix(number(n), "-")
	}
	return "+" + number(n)
}
