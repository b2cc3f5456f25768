package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// Stories are those that can be begun and gone on with.
type Stories interface {
	// Offers returns the stories that somebody can go on with, and whether they may begin one.
	Offers(ctx context.Context, by tools.Caller) (goOn []Story, begins bool, err error)
	// Tales returns what a story can be begun with, and the ids of tales that cannot.
	Tales() (ready []Tale, broken []string)
	// Language is that in which somebody in a chat is asked about stories: one that they want, else that of the chat's story.
	Language(ctx context.Context, chat event.Chat, wanted string) string
	// Say returns the words of that key in a language.
	Say(lang, key string, args ...string) string
}

// Inbox takes what somebody says in a chat.
type Inbox interface {
	// SubmitCommand hands in the line of a command as if somebody had written it.
	SubmitCommand(ctx context.Context, by Request, line string) error
}

// Story is one that is being played.
type Story struct{ ID, Title string }

// Tale is what a story can be begun with.
type Tale struct {
	ID    string
	Langs []string            // that it has words in
	Texts map[string]TaleText // by language, for all: where it has no words they are those of another
}

// TaleText is a tale in one language.
type TaleText struct {
	Title, Pitch string
	Trades       []Trade
}

// Trade is what a hero of a tale can be.
type Trade struct{ ID, Name, Line string }

// game begins a story by a few steps, or goes on with one. With arguments of its own it is the command that any chat has.
func (d Deps) game(ctx context.Context, by Request) (Answer, error) {
	app, _, _ := strings.Cut(strings.ToLower(by.Lang), "-")
	w := wizard{d, d.Stories.Language(ctx, by.Chat, app)}
	words := strings.Fields(by.Args)
	switch {
	case len(words) > 1 && words[0] == menuWord:
		return w.step(ctx, by, words[1:])
	case by.Args != "" && by.Args != "list" && by.Args != "new":
		return Answer{Text: w.say("menu_moment")}, d.Inbox.SubmitCommand(ctx, by, "/game "+strings.Join(w.inTheirs(words), " "))
	}
	list, begins, err := d.Stories.Offers(ctx, by.caller())
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Text: "**" + w.say("menu_go_on") + "**"}
	switch {
	case begins:
		a = w.beginnings()
	case by.Args == "new":
		a.Text = w.say("owner_only")
	}
	if by.Args == "new" {
		return a, nil
	}
	for _, s := range list[:min(len(list), mostGoOn)] {
		a.Choices = append(a.Choices, []Choice{{"▶ " + s.Title, newStory{}.line("open", s.ID)}})
	}
	return a, nil
}

// mostGoOn is how many stories are offered to go on with.
const mostGoOn = 5

// menuWord begins the arguments of a step of the menu.
const menuWord = "menu"

// newStory is what was chosen so far; "-" is what a tale does not ask for.
type newStory struct{ tale, lang, trade, mode, dice string }

// line is the command that a choice stands for.
func (n newStory) line(words ...string) string {
	if len(words) == 0 {
		words = slices.DeleteFunc([]string{"new", n.tale, n.lang, n.trade, n.mode, n.dice}, func(s string) bool { return s == "" })
	}
	return "/game " + menuWord + " " + strings.Join(words, " ")
}

// wizard asks somebody, in their language, which story it is to be.
type wizard struct {
	Deps
	lang string // en, ru, zh
}

func (w wizard) say(key string, args ...string) string { return w.Stories.Say(w.lang, key, args...) }

// tale returns the tale of that id.
func (w wizard) tale(id string) (Tale, bool) {
	ready, _ := w.Stories.Tales()
	i := slices.IndexFunc(ready, func(t Tale) bool { return t.ID == id })
	if i < 0 {
		return Tale{}, false
	}
	return ready[i], true
}

// beginnings offers the stories that can be begun.
func (w wizard) beginnings() Answer {
	a := Answer{Text: "**" + w.say("menu_begin") + "**"}
	ready, broken := w.Stories.Tales()
	for _, t := range ready {
		text := t.Texts[w.lang]
		a.Text += "\n- **" + safe(text.Title) + "**: " + safe(text.Pitch)
		a.Choices = append(a.Choices, []Choice{{"✚ " + text.Title, newStory{tale: t.ID}.line()}})
	}
	for _, id := range broken {
		a.Text += "\n- " + w.say("menu_broken", "`"+safe(id)+"`", "`hob game tale check "+safe(id)+"`")
	}
	a.Choices = append(a.Choices, []Choice{{"✚ " + w.say("menu_map"), newStory{tale: "map"}.line()}})
	return a
}

// inTheirs has a tale that is begun without a word about its language be told in theirs.
func (w wizard) inTheirs(args []string) []string {
	if len(args) < 2 || args[0] != "new" || w.lang == "en" || len(args) > 2 && slices.ContainsFunc(languages(), func(l [2]string) bool { return l[0] == strings.ToLower(args[2]) }) {
		return args
	}
	if t, ok := w.tale(strings.ToLower(args[1])); ok && !t.has(w.lang) {
		return args
	}
	return slices.Insert(slices.Clone(args), 2, w.lang)
}

// has reports whether a tale has words in a language.
func (t Tale) has(lang string) bool { return slices.Contains(t.Langs, lang) }

// languages are those that stories are told in, and what they are called.
func languages() [][2]string {
	return [][2]string{{"en", "English"}, {"ru", "Русский"}, {"zh", "中文"}}
}

// step does a step of the menu: it asks for what was not chosen yet, or hands in the command and says which.
func (w wizard) step(ctx context.Context, by Request, words []string) (Answer, error) {
	if words[0] == "open" && len(words) == 2 {
		return w.submit(ctx, by, "/game open "+words[1])
	}
	if words[0] != "new" || len(words) < 2 || len(words) > 6 {
		return Answer{}, errors.New(w.say("menu_how"))
	}
	words = append(words[1:], "", "", "", "")
	n := newStory{words[0], words[1], words[2], words[3], words[4]}
	t, isTale := w.tale(n.tale)
	switch {
	case n.lang == "":
		return w.askLanguage(n, t, isTale), nil
	case n.trade == "" && isTale:
		return w.askTrade(n, t), nil
	case n.trade == "":
		n.trade = "-"
	}
	switch {
	case n.mode == "" && by.private():
		n.mode = "free"
	case n.mode == "":
		return w.askMode(n), nil
	}
	if n.dice == "" {
		same, anew := n, n
		same.dice, anew.dice = "same", "burn"
		return Answer{Text: "**" + w.say("menu_dice") + "**",
			Choices: [][]Choice{{{w.say("menu_same"), same.line()}, {w.say("menu_anew"), anew.line()}}}}, nil
	}
	return w.submit(ctx, by, n.command())
}

// command is the command that begins the story.
func (n newStory) command() string {
	line := fmt.Sprintf("/game new %s %s", n.tale, n.lang)
	if n.trade != "-" {
		line += " trade=" + n.trade
	}
	if n.mode != "free" {
		line += " mode=" + n.mode
	}
	if n.dice == "burn" {
		line += " dice=burn"
	}
	return line
}

func (w wizard) askLanguage(n newStory, t Tale, isTale bool) Answer {
	var row []Choice
	for _, lang := range languages() {
		if n.lang = lang[0]; !isTale || t.has(n.lang) {
			row = append(row, Choice{lang[1], n.line()})
		}
	}
	return Answer{Text: "**" + w.say("menu_lang") + "**", Choices: [][]Choice{row}}
}

func (w wizard) askTrade(n newStory, t Tale) Answer {
	text := t.Texts[n.lang]
	a := Answer{Text: "**" + safe(text.Title) + "**\n" + safe(text.Pitch) + "\n"}
	for _, trade := range text.Trades {
		n.trade = trade.ID
		a.Text += "\n- **" + safe(trade.Name) + "**: " + safe(trade.Line)
		a.Choices = append(a.Choices, []Choice{{trade.Name, n.line()}})
	}
	return a
}

func (w wizard) askMode(n newStory) Answer {
	a := Answer{Text: "**" + w.say("menu_turns") + "**"}
	for _, mode := range []string{"free", "round", "initiative"} {
		n.mode = mode
		a.Choices = append(a.Choices, []Choice{{w.say("menu_" + mode), n.line()}})
	}
	return a
}

// submit hands in a command of the person's in their place, and says which.
func (w wizard) submit(ctx context.Context, by Request, line string) (Answer, error) {
	return Answer{Text: "`" + code(line) + "`"}, w.Inbox.SubmitCommand(ctx, by, line)
}

// inStory is a command of a story where none leads the chat: it says how to begin one.
func (d Deps) inStory(name string) func(context.Context, Request) (Answer, error) {
	return func(ctx context.Context, by Request) (Answer, error) {
		app, _, _ := strings.Cut(strings.ToLower(by.Lang), "-")
		return Answer{Text: d.Stories.Say(d.Stories.Language(ctx, by.Chat, app), "menu_none", name)}, nil
	}
}
