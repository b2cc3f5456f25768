package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
)

// Log is the history of chats.
type Log interface {
	// Log returns the last n events of a chat that have a text, oldest first.
	Log(ctx context.Context, chat event.Chat, n int) ([]LogLine, error)
}

// LogLine is an event in one line.
type LogLine struct {
	Time time.Time `json:"time"`
	Kind string    `json:"kind"` // "said", "called read_file"
	Text string    `json:"text"`
}

const (
	defaultLogLines = 10
	maxLogLines     = 50

	eventsPerLine = 8 // a message, its calls and what they return, and the answer

	yesterday = "yesterday" // is a day in the arguments of /log and /undo
)

// dayBefore returns when the day before now began, in the zone of now.
func dayBefore(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-1, 0, 0, 0, 0, now.Location())
}

// log shows the last messages of a chat, or those of yesterday, each with what came of it.
func (d Deps) log(ctx context.Context, by Request) (Answer, error) {
	if strings.EqualFold(strings.TrimPrefix(by.Args, "of "), yesterday) { // a sentence names what it says
		return d.logOfYesterday(ctx, by)
	}
	n, err := parseNumber(by.Args, defaultLogLines, maxLogLines)
	if err != nil {
		return Answer{}, fmt.Errorf("%w; `/log %s` shows that day", err, yesterday)
	}
	all, err := d.Log.Log(ctx, by.Chat, n*eventsPerLine)
	if err != nil {
		return Answer{}, err
	}
	lines := d.logLines(by, all)
	if len(lines) == 0 {
		return Answer{Text: "Nothing has happened here yet.", Data: []LogLine{}}, nil
	}
	return Answer{Text: strings.Join(lines[max(0, len(lines)-n):], "\n"), Data: all[max(0, len(all)-n):]}, nil
}

// logOfYesterday shows what happened in a chat yesterday, on the clocks of the household.
func (d Deps) logOfYesterday(ctx context.Context, by Request) (Answer, error) {
	from := dayBefore(d.Now())
	today := from.AddDate(0, 0, 1)
	var all []LogLine
	for n := maxLogLines * eventsPerLine; ; n *= 2 {
		var err error
		if all, err = d.Log.Log(ctx, by.Chat, n); err != nil {
			return Answer{}, err
		}
		if len(all) < n || all[0].Time.Before(from) {
			break
		}
	}
	all = slices.DeleteFunc(all, func(l LogLine) bool { return l.Time.Before(from) || !l.Time.Before(today) })
	lines := d.logLines(by, all)
	if len(lines) == 0 {
		return Answer{Text: "Nothing happened here yesterday.", Data: []LogLine{}}, nil
	}
	return Answer{Text: strings.Join(lines[max(0, len(lines)-maxLogLines):], "\n"), Data: all}, nil
}

// logLines returns a line for each message, with its answer, or with what it has called where there is none yet, and a line for each event
// between messages. The last message without either is the one that asks.
func (d Deps) logLines(by Request, all []LogLine) (lines []string) {
	var said *LogLine // has no answer yet
	called := ""
	end := func(answer string) {
		if said != nil && answer != "" {
			lines = append(lines, d.timeFor(by, said.Time)+" **"+escape(shorten(said.Text))+"** · "+escapeText(shorten(answer)))
		}
		said, called = nil, ""
	}
	for i, l := range all {
		kind, tool, _ := strings.Cut(l.Kind, " ")
		switch {
		case kind == "said":
			end(cmp.Or(called, "…"))
			said = &all[i]
		case kind == "called":
			called = tool + " " + l.Text
		case kind == "replied" && said != nil:
			end(l.Text)
		case kind != "returned":
			lines = append(lines, d.timeFor(by, l.Time)+" "+escapeText(shorten(l.Text)))
		}
	}
	end(called)
	return lines
}
