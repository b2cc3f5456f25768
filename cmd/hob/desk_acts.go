package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
)

const (
	mostUndo      = 100 // changes that are taken back at once
	mostSentences = 20  // files that are told of
)

// undo takes back the last changes of a chat.
func (d *desk) undo(ctx context.Context, r chat.Request) (chat.Answer, error) {
	n, err := number(r, 1, mostUndo)
	if err != nil {
		return chat.Answer{}, err
	}
	return d.takeBack(ctx, r, undoing{last: n})
}

// takeBack takes changes back and tells what became of the files. What was changed since is left alone, unless somebody has
// read what it was and says so with a button.
func (d *desk) takeBack(ctx context.Context, r chat.Request, u undoing) (chat.Answer, error) {
	open, err := d.open(ctx)
	if err != nil {
		return chat.Answer{}, err
	}
	for _, c := range open {
		if c.Chat == r.Chat {
			return chat.Answer{}, errors.New("something is being done here: wait until that has ended, or /stop it, and then /undo")
		}
	}
	u.chat, u.by = r.Chat, tools.Caller{User: r.From, Standing: r.Standing}
	all, err := d.hob.Journal.Changes(store.Limits{}).List(ctx, 0)
	if err != nil {
		return chat.Answer{}, err
	}
	if u.numbers = u.choose(all); len(u.numbers) == 0 { // what a button does later is what is meant now
		return chat.Answer{Text: "There is nothing to take back in this chat."}, nil
	}
	done, err := takeBack(ctx, d.set, d.hob.Journal, u)
	refused := (*changes.ConflictError)(nil)
	switch {
	case errors.As(err, &refused):
		return d.inTheWay(u, refused.Conflicts), nil
	case err != nil:
		return chat.Answer{}, err
	}
	return d.takenBack(done), nil
}

// takenBack tells what was taken back, with a button that makes it again.
func (d *desk) takenBack(done []changes.Undone) chat.Answer {
	var lines []string
	again := undoing{}
	for _, one := range done {
		if one.By.ID != 0 {
			again.numbers = append(again.numbers, one.By.ID)
		}
		lines = append(lines, "- "+safe(sentence(d.set, one)))
	}
	if more := len(lines) - mostSentences; more > 0 {
		lines = append(lines[:mostSentences], fmt.Sprintf("- and %d more", more))
	}
	a := chat.Answer{Text: "**Taken back**\n" + strings.Join(lines, "\n")}
	if len(again.numbers) > 0 {
		a.Buttons = [][]chat.Button{{d.undoButton("Make it again", again)}}
	}
	return a
}

func (d *desk) undoButton(text string, u undoing) chat.Button {
	return chat.Button{Text: text, Press: func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		return d.takeBack(ctx, by, u)
	}}
}

// inTheWay tells why nothing was taken back, with a button that does it all the same where that is possible: what is there now
// is kept then.
func (d *desk) inTheWay(u undoing, conflicts []changes.Conflict) chat.Answer {
	var lines []string
	forced := true
	for _, c := range conflicts {
		line := "- " + safe(shownPath(d.set, c.Change.Path)+": "+c.Why)
		if c.Force {
			line += markup.Escape(fmt.Sprintf("; change %d left %s, now there is %s", c.Change.ID, look(c.Change.After), look(c.Found)))
		}
		lines = append(lines, line)
		forced = forced && c.Force
	}
	if more := len(lines) - mostSentences; more > 0 {
		lines = append(lines[:mostSentences], fmt.Sprintf("- and %d more", more))
	}
	a := chat.Answer{Text: "**Nothing was taken back**\n" + strings.Join(lines, "\n")}
	if forced {
		u.how.Force = true
		a.Buttons = [][]chat.Button{{d.undoButton("Take it back all the same", u)}}
	}
	return a
}

// approve lists what waits for an answer, and answers it.
func (d *desk) approve(ctx context.Context, r chat.Request) (chat.Answer, error) {
	all, err := d.waiting(ctx, r)
	if err != nil {
		return chat.Answer{}, err
	}
	words := strings.Fields(r.Args)
	if len(words) == 0 {
		return d.questions(all, ""), nil
	}
	if len(words) != 2 || words[0] != "yes" && words[0] != "no" {
		return chat.Answer{}, errors.New("/approve lists what waits; /approve yes ID allows it, /approve no ID does not")
	}
	w, err := pick(all, words[1])
	if err != nil {
		return chat.Answer{}, fmt.Errorf("under %s nothing waits, or several do: /approve lists what does", display.Clean(words[1]))
	}
	return d.decide(ctx, r, w, words[0] == "yes")
}

// waiting returns the questions that a person may see, oldest first: in a group those of the group.
func (d *desk) waiting(ctx context.Context, r chat.Request) ([]waiting, error) {
	open, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	var all []waiting
	for _, c := range open {
		if c.Chat != r.Chat && (r.Level < event.BotAdmin || r.Scope != "private") {
			continue
		}
		some, err := waitingIn(ctx, d.hob.Journal, c)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// mostQuestions is how many questions are shown at once, each of them whole.
const mostQuestions = 8

// questions shows questions below a sentence, with buttons.
func (d *desk) questions(all []waiting, first string) chat.Answer {
	a := chat.Answer{Text: first}
	if len(all) == 0 {
		a.Text = strings.TrimSpace(first + "\n\nNothing waits for an answer.")
	}
	for i, w := range all {
		if i == mostQuestions {
			a.Text += fmt.Sprintf("\n\nAnd %d more.", len(all)-mostQuestions)
			break
		}
		name, until := w.ID[:min(shortID, len(w.ID))], "until "+at(w.Expires)
		buttons := []chat.Button{{Text: "Yes: " + name, Press: d.answer(w, true)}, {Text: "No: " + name, Press: d.answer(w, false)}}
		if time.Now().After(w.Expires) {
			until, buttons = "which has expired: only a no is taken", buttons[1:]
		}
		a.Text += fmt.Sprintf("\n\n**%s** %s in %s, %s\n%s", safe(name), safe(w.Tool), safe(string(w.Chat)), until, markup.Fenced(display.Clean(w.Text)))
		a.Buttons = append(a.Buttons, buttons)
	}
	if len(all) > 0 {
		a.Text += "\n\nIn words: /approve yes ID, or /approve no ID."
	}
	a.Text = strings.TrimSpace(a.Text)
	return a
}

// answer is what a button below a question does. That it came too late is told above what still waits.
func (d *desk) answer(w waiting, allow bool) func(context.Context, chat.Request) (chat.Answer, error) {
	return func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		a, err := d.decide(ctx, by, w, allow)
		if err == nil || ctx.Err() != nil {
			return a, err
		}
		all, failure := d.waiting(ctx, by)
		return d.questions(all, safe(err.Error())), failure
	}
}

// decide answers a question as who asks for it, and shows what still waits.
func (d *desk) decide(ctx context.Context, by chat.Request, w waiting, allow bool) (chat.Answer, error) {
	err := d.hob.Decide(ctx, session.Answer{Chat: w.Chat, ID: w.ID, Allow: allow, By: by.From, Standing: by.Standing})
	if err != nil {
		return chat.Answer{}, err
	}
	words := "Allowed"
	if !allow {
		words = "Denied"
	}
	all, err := d.waiting(ctx, by)
	return d.questions(all, fmt.Sprintf("%s: %s in %s.", words, safe(w.Tool), safe(string(w.Chat)))), err
}
