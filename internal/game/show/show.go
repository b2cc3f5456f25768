// Package show is what a player is shown of a story: where one is, the sheet, what is carried, the party, quests, the map, the
// one line below a turn's prose, what the engine did and why, what happened so far, and what can be said.
//
// It is plain text without Markdown, in short lines that read well on a phone and in a terminal, in en, ru and zh; another
// language is en. Everything follows from the world and the log alone, and is the same for the same ones. Nothing that is hidden
// and no secret is in it. Names are made clean: no control characters, nothing that turns the direction of the text, nothing that
// breaks a line.
package show

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

var (
	//go:embed words/en.txt
	wordsEN string
	//go:embed words/ru.txt
	wordsRU string
	//go:embed words/zh.txt
	wordsZH string
)

// How many runes there are of what.
const (
	mostName = 60
	mostText = 1200 // of a description
	mostItem = 200  // of an attribute, an objective, a reason
	mostList = 40   // things of a list, the others are counted

	mostInner = 12 // things that are named behind what they are in
)

// tongue is the words of a language.
type tongue struct{ lang, lines, help string }

// speak returns the words of a language; another than ru and zh is en.
func speak(lang string) tongue {
	switch lang {
	case "ru":
		return tongue{lang, wordsRU, helpRU}
	case "zh":
		return tongue{lang, wordsZH, helpZH}
	}
	return tongue{"en", wordsEN, helpEN}
}

// find returns the text of a key.
func (t tongue) find(key string) (text string, ok bool) {
	for rest := t.lines; rest != ""; {
		at := strings.Index(rest, key+" = ")
		if at < 0 {
			break
		}
		text, _, _ = strings.Cut(rest[at+len(key)+len(" = "):], "\n")
		if at == 0 && len(rest) == len(t.lines) || at > 0 && rest[at-1] == '\n' {
			return text, true
		}
		rest = rest[at+len(key):]
	}
	return "", false
}

// say returns words, with what stands for {0}, {1} and so on in them.
func (t tongue) say(key string, args ...string) string {
	text, ok := t.find(key)
	if !ok {
		return key
	}
	pairs := make([]string, 0, 2*len(args))
	for i, a := range args {
		pairs = append(pairs, "{"+strconv.Itoa(i)+"}", a)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// list joins the things of a list; of many only the first, and how many more there are.
func (t tongue) list(things []string) string {
	sep := "; "
	if t.lang == "zh" {
		sep = "；"
	}
	if more := len(things) - mostList; more > 0 {
		things = append(things[:mostList:mostList], t.say("more", strconv.Itoa(more)))
	}
	return strings.Join(things, sep)
}

// noted returns a name with notes on it in brackets.
func (t tongue) noted(name string, notes ...string) string {
	open, sep, shut := " (", ", ", ")"
	if t.lang == "zh" {
		open, sep, shut = "（", "，", "）"
	}
	some := filled(notes...)
	if len(some) == 0 {
		return name
	}
	return name + open + strings.Join(some, sep) + shut
}

// filled returns the texts that are not empty.
func filled(texts ...string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
}

// Skill returns what a skill is called in a language; one that only this story has keeps its name.
func Skill(lang, skill string) string {
	if text, ok := speak(lang).find("skill." + skill); ok {
		return text
	}
	return clean(skill, mostName)
}

// stateWord returns the word for an actor's state, "" for one that is well.
func stateWord(lang string, a *world.Actor) string {
	switch a.State {
	case "", world.Alive:
		return ""
	case world.Dying, world.Dead, world.Unconscious, world.Restrained:
		return speak(lang).say("state." + a.State)
	}
	return clean(a.State, mostName)
}

// named returns what a record is called, on one line.
func named(name, id string) string {
	return rules.Called(clean(name, mostName), clean(id, mostName))
}

// eyes returns whose eyes a story is seen with: an actor, the active one, or the first of the party that there is, or nil.
func eyes(w *world.World, actor string) *world.Actor {
	for _, id := range append([]string{actor, w.Self().Active}, w.Self().Party...) {
		if a := w.Actor(id); a != nil {
			return a
		}
	}
	return nil
}

// isClean reports whether s is such a line already: of ASCII alone, for other scripts take a closer look.
func isClean(s string, n int) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return len(s) <= n
}

// clean returns s as one line of at most n runes: no control and no format characters, such as those that turn the direction of
// the text after them, single spaces, and at most two marks on a letter.
func clean(s string, n int) string {
	if isClean(s, n) { // most are: worlds have thousands of them
		return s
	}
	var b strings.Builder
	runes, marks, space := 0, 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = runes > 0
			continue
		case !unicode.IsGraphic(r):
			continue
		case !unicode.Is(unicode.M, r):
			marks = 0
		default:
			if marks++; marks > 2 || runes == 0 || space {
				continue
			}
		}
		if runes++; runes > n {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// signed returns a number with its sign.
func signed(n int64) string {
	if n < 0 {
		return "−" + strings.TrimPrefix(number(n), "-")
	}
	return "+" + number(n)
}
