package main

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// desk is what can be asked of hob from afar with a word after a slash. It answers whether there is a model or not, in
// Markdown for a small screen.
type desk struct {
	set *app.Environment
	hob *app.App
}

// desk returns the commands that hob offers on Telegram beside those of the surface itself.
func (a *program) desk(s *app.Environment, h *app.App) []chat.Command {
	d := &desk{s, h}
	return append([]chat.Command{
		{Name: "status", Summary: "what hob is doing, and how the model does", Least: event.User, Run: d.status},
		{Name: "log", Usage: "[n]", Summary: "the last that happened in this chat", Least: event.User, Private: true, Run: d.log},
		{Name: "jobs", Usage: "[stop N]", Summary: "what runs in the background in this chat", Least: event.BotAdmin, Run: d.jobs},
		{Name: "undo", Usage: "[n]", Summary: "take back the last change of files in this chat, or the last n", Least: event.BotAdmin, Acts: true, Run: d.undo},
		{Name: "approve", Usage: "[yes|no ID]", Summary: "what waits for a yes", Least: event.BotAdmin, Run: d.approve},
		{Name: "retry", Usage: "[ID]", Summary: "try again what was parked here", Least: event.User, Run: d.retry},
		{Name: "tools", Summary: "the tools, each of which is a command", Least: event.User, Run: d.tools},
		{Name: "skill", Usage: "[NAME | close NAME]", Summary: "the skills; open or close one here", Least: event.User, Run: d.skill},
		{Name: "privacy", Summary: "every host that was contacted", Least: event.Owner, Private: true, Run: d.privacy},
	}, d.storyCommands()...)
}

// number reads the argument of a command that takes one, or returns what is meant without.
func number(r chat.Request, usual, most int) (int, error) {
	if strings.TrimSpace(r.Args) == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(r.Args))
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("say a number from 1 to %d, or none, which is %d", most, usual)
	}
	return n, nil
}

// at is a time for people, as Markdown.
func at(t time.Time) string { return markup.Escape(moment(t)) }

// safe is a text of somebody else's in a line of Markdown: what could hide something is made visible.
func safe(text string) string { return markup.Escape(display.Clean(text)) }

const (
	usualLog = 10
	mostLog  = 50
	firstLog = 400 // events, of all chats; where that is too few more are read
)

// log tells of the last that happened in a chat.
func (d *desk) log(ctx context.Context, r chat.Request) (chat.Answer, error) {
	n, err := number(r, usualLog, mostLog)
	if err != nil {
		return chat.Answer{}, err
	}
	end, err := d.hob.Journal.Last(ctx, r.Chat)
	if err != nil {
		return chat.Answer{}, err
	}
	var lines []string
	for window := int64(firstLog); ; window *= 8 {
		after := max(end-window, 0)
		if lines, err = d.entries(ctx, r.Chat, after, n); err != nil {
			return chat.Answer{}, err
		}
		if len(lines) == n || after == 0 {
			break
		}
	}
	if len(lines) == 0 {
		return chat.Answer{Text: "Nothing has happened here yet."}, nil
	}
	return chat.Answer{Text: strings.Join(lines, "\n")}, nil
}

// entries returns a line for each of the last n events of a chat after one that have something to say.
func (d *desk) entries(ctx context.Context, chat event.Chat, after int64, n int) ([]string, error) {
	var lines []string
	for e, err := range d.hob.Journal.Chat(ctx, chat, after) {
		if err != nil {
			return nil, err
		}
		kind, text, ok := oneLine(e, "")
		if !ok {
			continue
		}
		if lines = append(lines, fmt.Sprintf("%s **%s** %s", at(e.Time), safe(kind), safe(brief(text)))); len(lines) > n {
			lines = lines[1:]
		}
	}
	return lines, nil
}

// brief is a line cut so that several fit on a phone.
func brief(text string) string {
	const most = 160 // units of UTF-16
	if short := markup.Cut(text, most); short != text {
		return short + "…"
	}
	return text
}

// jobs tells what runs in the background of a chat, and stops it.
func (d *desk) jobs(_ context.Context, r chat.Request) (chat.Answer, error) {
	jobs := d.hob.Shell.Jobs
	if word, rest, _ := strings.Cut(strings.TrimSpace(r.Args), " "); word != "" {
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if word != "stop" || err != nil {
			return chat.Answer{}, errors.New("/jobs lists what runs in the background, /jobs stop 1 ends job 1")
		}
		if err := jobs.Stop(r.Chat, n); err != nil {
			return chat.Answer{}, err
		}
		return chat.Answer{Text: fmt.Sprintf("job %d is stopped.", n)}, nil
	}
	var lines []string
	for _, line := range jobs.List(r.Chat) {
		lines = append(lines, "- "+safe(line))
	}
	if len(lines) == 0 {
		return chat.Answer{Text: "Nothing runs in the background."}, nil
	}
	return chat.Answer{Text: strings.Join(lines, "\n")}, nil
}

// mostHosts is how many hosts are told of.
const mostHosts = 40

// privacy lists the hosts that were contacted, the last first, and then those that hob refused to contact.
func (d *desk) privacy(ctx context.Context, _ chat.Request) (chat.Answer, error) {
	_ = d.hob.Egress.Flush() // what cannot be written now is told with what is written later
	lines, err := d.hob.Journal.Contacts(ctx, time.Time{})
	if err != nil {
		return chat.Answer{}, err
	}
	rows := together(lines)
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Last.After(rows[j].Last) })
	var reached, refused []string
	for _, c := range rows {
		if c.Reason == app.PrivacyCheck {
			continue
		}
		if c.Connections > 0 || c.Refused == 0 {
			reached = append(reached, fmt.Sprintf("- %s \\(%s\\): %s, %s sent, %s received, last %s", safe(c.Host), safe(c.Reason),
				display.Count(int(c.Connections), "connection"), display.Bytes(c.Sent), display.Bytes(c.Received), at(c.Last)))
		}
		if c.Refused > 0 {
			refused = append(refused, fmt.Sprintf("- %s \\(%s\\): %s, %s", safe(c.Host), safe(c.Reason),
				display.Count(int(c.Refused), "attempt"), safe(c.Why)))
		}
	}
	text := covered(d.set)
	if len(reached) == 0 {
		text += "\n\nNobody was contacted."
	} else {
		text += "\n\n**Contacted**\n" + few(reached)
	}
	if len(refused) > 0 {
		text += "\n\n**Refused**\n" + few(refused)
	}
	return chat.Answer{Text: text}, nil
}

// few joins lines, the first of them.
func few(lines []string) string {
	if more := len(lines) - mostHosts; more > 0 {
		lines = append(lines[:mostHosts:mostHosts], fmt.Sprintf("- and %d more, which hob privacy lists", more))
	}
	return strings.Join(lines, "\n")
}
