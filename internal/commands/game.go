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

// Stories is the game master, as the menu of stories needs it.
type Stories interface {
	// Offers returns the stories that a person can resume, and whether that person may begin one.
	Offers(ctx context.Context, by tools.Caller) (goOn []Story, begins bool, err error)
	// Tales returns the tales that a story can begin with, and the ids of broken ones.
	Tales() (ready []Tale, broken []string)
	// Language returns the language for questions about stories: the wanted one if there is such,
	// else that of the chat's story.
	Language(ctx context.Context, chat event.Chat, wanted string) string
	// Text returns the text of a key in a language.
	Text(lang, key string, args ...string) string
}

// Inbox takes messages for a chat.
type Inbox interface {
	// SubmitCommand submits a command line as a message of that person.
	SubmitCommand(ctx context.Context, by Request, line string) error
}

// Story is a story that is being played.
type Story struct{ ID, Title string }

// Tale is what a story can begin with.
type Tale struct {
	ID    string
	Langs []string            // in which it is written
	Texts map[string]TaleText // by language, for all languages; a missing one has another's text
}

// TaleText is a tale in one language.
type TaleText struct {
	Title, Pitch string
	Trades       []Trade
}

// Trade is a trade that a tale's hero can have.
type Trade struct{ ID, Name, Line string }

// game begins a story step by step, or resumes one. Other arguments go to the chat as a /game
// command.
func (d Deps) game(ctx context.Context, by Request) (Answer, error) {
	app, _, _ := strings.Cut(strings.ToLower(by.Lang), "-")
	w := wizard{d, d.Stories.Language(ctx, by.Chat, app)}
	words := strings.Fields(by.Args)
	switch {
	case len(words) > 1 && words[0] == menuArg:
		return w.takeStep(ctx, by, words[1:])
	case by.Args != "" && by.Args != "list" && by.Args != "new":
		return Answer{Text: w.text("menu_moment")}, d.Inbox.SubmitCommand(ctx, by, "/game "+strings.Join(w.addLanguage(words), " "))
	}
	list, begins, err := d.Stories.Offers(ctx, by.caller())
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Text: "**" + w.text("menu_go_on") + "**"}
	switch {
	case begins:
		a = w.offerTales()
	case by.Args == "new":
		a.Text = w.text("owner_only")
	}
	if by.Args == "new" {
		return a, nil
	}
	for _, s := range list[:min(len(list), maxOffers)] {
		a.Choices = append(a.Choices, []Choice{{"▶ " + s.Title, newStory{}.choiceLine("open", s.ID)}})
	}
	return a, nil
}

// maxOffers limits the stories to resume in one answer.
const maxOffers = 5

// menuArg is the first argument of a step of the menu.
const menuArg = "menu"

// newStory is the selection so far. "-" stands for a value that the tale does not need.
type newStory struct{ tale, lang, trade, mode, dice string }

// choiceLine returns the command line of a choice.
func (n newStory) choiceLine(words ...string) string {
	if len(words) == 0 {
		words = slices.DeleteFunc([]string{"new", n.tale, n.lang, n.trade, n.mode, n.dice}, func(s string) bool { return s == "" })
	}
	return "/game " + menuArg + " " + strings.Join(words, " ")
}

// wizard asks a person, in their language, for the parts of a new story.
type wizard struct {
	Deps
	lang string // en, ru, zh
}

func (w wizard) text(key string, args ...string) string { return w.Stories.Text(w.lang, key, args...) }

// tale returns the tale of an id.
func (w wizard) tale(id string) (Tale, bool) {
	ready, _ := w.Stories.Tales()
	i := slices.IndexFunc(ready, func(t Tale) bool { return t.ID == id })
	if i < 0 {
		return Tale{}, false
	}
	return ready[i], true
}

// offerTales lists the tales, with a choice for each.
func (w wizard) offerTales() Answer {
	a := Answer{Text: "**" + w.text("menu_begin") + "**"}
	ready, broken := w.Stories.Tales()
	for _, t := range ready {
		text := t.Texts[w.lang]
		a.Text += "\n- **" + escape(text.Title) + "**: " + escape(text.Pitch)
		a.Choices = append(a.Choices, []Choice{{"✚ " + text.Title, newStory{tale: t.ID}.choiceLine()}})
	}
	for _, id := range broken {
		a.Text += "\n- " + w.text("menu_broken", "`"+escape(id)+"`", "`hob game tale check "+escape(id)+"`")
	}
	a.Choices = append(a.Choices, []Choice{{"✚ " + w.text("menu_map"), newStory{tale: "map"}.choiceLine()}})
	return a
}

// addLanguage adds the person's language to the arguments of a new story, if they name none and the
// tale has it.
func (w wizard) addLanguage(args []string) []string {
	if len(args) < 2 || args[0] != "new" || w.lang == "en" || len(args) > 2 && slices.ContainsFunc(languages(), func(l [2]string) bool { return l[0] == strings.ToLower(args[2]) }) {
		return args
	}
	if t, ok := w.tale(strings.ToLower(args[1])); ok && !t.hasLanguage(w.lang) {
		return args
	}
	return slices.Insert(slices.Clone(args), 2, w.lang)
}

// hasLanguage reports whether the tale is written in a language.
func (t Tale) hasLanguage(lang string) bool { return slices.Contains(t.Langs, lang) }

// languages returns the languages of stories, with their names.
func languages() [][2]string {
	return [][2]string{{"en", "English"}, {"ru", "Русский"}, {"zh", "中文"}}
}

// takeStep asks for the next missing part, or submits the complete command and shows it.
func (w wizard) takeStep(ctx context.Context, by Request, words []string) (Answer, error) {
	if words[0] == "open" && len(words) == 2 {
		return w.submit(ctx, by, "/game open "+words[1])
	}
	if words[0] != "new" || len(words) < 2 || len(words) > 6 {
		return Answer{}, errors.New(w.text("menu_how"))
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
	case n.mode == "" && by.isPrivate():
		n.mode = "free"
	case n.mode == "":
		return w.askMode(n), nil
	}
	if n.dice == "" {
		same, anew := n, n
		same.dice, anew.dice = "same", "burn"
		return Answer{Text: "**" + w.text("menu_dice") + "**",
			Choices: [][]Choice{{{w.text("menu_same"), same.choiceLine()}, {w.text("menu_anew"), anew.choiceLine()}}}}, nil
	}
	return w.submit(ctx, by, n.command())
}

// command returns the command that begins the story.
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
		if n.lang = lang[0]; !isTale || t.hasLanguage(n.lang) {
			row = append(row, Choice{lang[1], n.choiceLine()})
		}
	}
	return Answer{Text: "**" + w.text("menu_lang") + "**", Choices: [][]Choice{row}}
}

func (w wizard) askTrade(n newStory, t Tale) Answer {
	text := t.Texts[n.lang]
	a := Answer{Text: "**" + escape(text.Title) + "**\n" + escape(text.Pitch) + "\n"}
	for _, trade := range text.Trades {
		n.trade = trade.ID
		a.Text += "\n- **" + escape(trade.Name) + "**: " + escape(trade.Line)
		a.Choices = append(a.Choices, []Choice{{trade.Name, n.choiceLine()}})
	}
	return a
}

func (w wizard) askMode(n newStory) Answer {
	a := Answer{Text: "**" + w.text("menu_turns") + "**"}
	for _, mode := range []string{"free", "round", "initiative"} {
		n.mode = mode
		a.Choices = append(a.Choices, []Choice{{w.text("menu_" + mode), n.choiceLine()}})
	}
	return a
}

// submit submits a command line for the person and shows it.
func (w wizard) submit(ctx context.Context, by Request, line string) (Answer, error) {
	return Answer{Text: "`" + inlineCode(line) + "`"}, w.Inbox.SubmitCommand(ctx, by, line)
}

// suggestStory answers a command of stories in a chat without one: it explains how to begin a
// story.
func (d Deps) suggestStory(name string) func(context.Context, Request) (Answer, error) {
	return func(ctx context.Context, by Request) (Answer, error) {
		app, _, _ := strings.Cut(strings.ToLower(by.Lang), "-")
		return Answer{Text: d.Stories.Text(d.Stories.Language(ctx, by.Chat, app), "menu_none", name)}, nil
	}
}
