package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/game/rules"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/tools"
)

// game begins a story by a few presses, or goes on with one. With arguments it is the command that any chat has.
func (d *desk) game(ctx context.Context, r chat.Request) (chat.Answer, error) {
	w := d.wizard(ctx, r)
	args, what := strings.Fields(r.Args), strings.TrimSpace(r.Args)
	if what != "" && what != "list" && what != "new" {
		return chat.Answer{Text: w.say("menu_moment")}, d.command(ctx, r, "/game "+strings.Join(w.inTheirs(args), " "))
	}
	list, begins, err := d.hob.GameMaster.Offers(ctx, tools.Caller{Chat: r.Chat, User: r.From, Standing: r.Standing})
	if err != nil {
		return chat.Answer{}, err
	}
	a := chat.Answer{Text: "**" + w.say("menu_go_on") + "**"}
	switch {
	case begins:
		a = w.beginnings()
	case what == "new":
		a.Text = w.say("owner_only")
	}
	if what == "new" {
		return a, nil
	}
	for _, c := range list[:min(len(list), mostGoOn)] {
		a.Buttons = append(a.Buttons, []chat.Button{{Text: "▶ " + c.Title, Press: w.does("/game open " + c.ID)}})
	}
	return a, nil
}

// beginnings offers what stories there are to begin.
func (w wizard) beginnings() chat.Answer {
	a := chat.Answer{Text: "**" + w.say("menu_begin") + "**"}
	ready, broken := w.set.Tales().List()
	for _, t := range ready {
		a.Text += "\n- **" + safe(t.Title(w.lang)) + "**: " + safe(t.Pitch(w.lang))
		a.Buttons = append(a.Buttons, []chat.Button{{Text: "✚ " + t.Title(w.lang), Press: w.language(newStory{tale: t.ID})}})
	}
	for _, t := range broken {
		a.Text += "\n- " + w.say("menu_broken", "`"+safe(t.ID)+"`", "`hob game tale check "+safe(t.ID)+"`")
	}
	a.Buttons = append(a.Buttons, []chat.Button{{Text: "✚ " + w.say("menu_map"), Press: w.language(newStory{tale: "map"})}})
	return a
}

// mostGoOn is how many stories can be gone on with by a press.
const mostGoOn = 5

// newStory is what was chosen so far.
type newStory struct{ tale, lang, trade, mode string }

// next answers a press with the next step.
type next = func(ctx context.Context, by chat.Request) (chat.Answer, error)

// wizard asks somebody, in their language, what story it is to be.
type wizard struct {
	*desk
	lang string // en, ru, zh
}

// wizard asks in the language of whoever gave the command: that of their app, else that of the story of the chat, else English.
func (d *desk) wizard(ctx context.Context, by chat.Request) wizard {
	app, _, _ := strings.Cut(strings.ToLower(by.Lang), "-")
	return wizard{d, d.hob.GameMaster.LangFor(ctx, by.Chat, app)}
}

func (w wizard) say(key string, args ...string) string {
	return w.hob.GameMaster.Words(w.lang, key, args...)
}

// inTheirs has a tale that is begun without a word about its language be told in theirs.
func (w wizard) inTheirs(args []string) []string {
	if len(args) < 2 || args[0] != "new" || w.lang == "en" || len(args) > 2 && slices.Contains(rules.Langs(), strings.ToLower(args[2])) {
		return args
	}
	if t, ok := w.set.Tales().ByID(strings.ToLower(args[1])); ok && !slices.Contains(t.Langs(), w.lang) {
		return args
	}
	return slices.Insert(slices.Clone(args), 2, w.lang)
}

// step is a step of the wizard.
func (w wizard) step(key string, rows ...[]chat.Button) (chat.Answer, error) {
	return chat.Answer{Text: "**" + w.say(key) + "**", Buttons: rows}, nil
}

func (w wizard) language(n newStory) next {
	return func(context.Context, chat.Request) (chat.Answer, error) {
		var row []chat.Button
		t, isTale := w.set.Tales().ByID(n.tale)
		for _, lang := range [][2]string{{"en", "English"}, {"ru", "Русский"}, {"zh", "中文"}} {
			if n.lang = lang[0]; isTale && !slices.Contains(t.Langs(), n.lang) {
				continue
			}
			row = append(row, chat.Button{Text: lang[1], Press: w.trade(n)})
		}
		return w.step("menu_lang", row)
	}
}

func (w wizard) trade(n newStory) next {
	return func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		t, ok := w.set.Tales().ByID(n.tale)
		if !ok {
			return w.mode(n)(ctx, by)
		}
		a := chat.Answer{Text: "**" + safe(t.Title(n.lang)) + "**\n" + safe(t.Pitch(n.lang)) + "\n"}
		for _, trade := range t.Trades(n.lang) {
			n.trade = trade.ID
			a.Text += "\n- **" + safe(trade.Name) + "**: " + safe(trade.Line)
			a.Buttons = append(a.Buttons, []chat.Button{{Text: trade.Name, Press: w.mode(n)}})
		}
		return a, nil
	}
}

func (w wizard) mode(n newStory) next {
	return func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		if by.Scope == "private" {
			n.mode = "free"
			return w.dice(n)(ctx, by)
		}
		var rows [][]chat.Button
		for _, mode := range []string{"free", "round", "initiative"} {
			n.mode = mode
			rows = append(rows, []chat.Button{{Text: w.say("menu_" + mode), Press: w.dice(n)}})
		}
		return w.step("menu_turns", rows...)
	}
}

func (w wizard) dice(n newStory) next {
	return func(context.Context, chat.Request) (chat.Answer, error) {
		line := fmt.Sprintf("/game new %s %s", n.tale, n.lang)
		if n.trade != "" {
			line += " trade=" + n.trade
		}
		if n.mode != "" && n.mode != "free" {
			line += " mode=" + n.mode
		}
		return w.step("menu_dice",
			[]chat.Button{{Text: w.say("menu_same"), Press: w.does(line)}, {Text: w.say("menu_anew"), Press: w.does(line + " dice=burn")}})
	}
}

// does hands in a command of the person's in their place, and says which.
func (w wizard) does(line string) next {
	return func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		return chat.Answer{Text: "`" + line + "`"}, w.command(ctx, by, line)
	}
}

// command hands in a command as if somebody had written it.
func (d *desk) command(ctx context.Context, r chat.Request, line string) error {
	_, err := d.hob.Submit(ctx, session.Input{
		Chat: r.Chat, ID: "desk/" + rand.Text(), From: r.From, Text: line, Standing: r.Standing, Command: true,
	})
	return err
}

// story is what people can do with a story by its names alone, where it leads a chat; elsewhere they say how to begin one.
func (d *desk) story(name string) func(context.Context, chat.Request) (chat.Answer, error) {
	return func(ctx context.Context, r chat.Request) (chat.Answer, error) {
		return chat.Answer{Text: d.wizard(ctx, r).say("menu_none", name)}, nil
	}
}

// storyCommands are the commands of a story that the list of commands shows.
func (d *desk) storyCommands() []chat.Command {
	all := []chat.Command{{
		Name: "game", Usage: "[new | open NAME]", Summary: "begin a story, or go on with one", Least: event.User, Own: true, Run: d.game,
	}}
	for _, c := range [][2]string{
		{"join", "play a character of your own in the story here"}, {"recap", "what has happened in the story"}, {"x", "take back how it was told, no question asked"},
	} {
		all = append(all, chat.Command{Name: c[0], Summary: c[1], Least: event.User, Run: d.story(c[0])})
	}
	return all
}
