package commands

import (
	"context"
	"fmt"
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
)

// log shows the last events of a chat.
func (d Deps) log(ctx context.Context, by Request) (Answer, error) {
	n, err := parseNumber(by.Args, defaultLogLines, maxLogLines)
	if err != nil {
		return Answer{}, err
	}
	all, err := d.Log.Log(ctx, by.Chat, n)
	if err != nil {
		return Answer{}, err
	}
	if len(all) == 0 {
		return Answer{Text: "Nothing has happened here yet.", Data: all}, nil
	}
	var lines []string
	for _, l := range all {
		lines = append(lines, fmt.Sprintf("%s **%s** %s", escapeTime(l.Time), escape(l.Kind), escape(shorten(l.Text))))
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: all}, nil
}
