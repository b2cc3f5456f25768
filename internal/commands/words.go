package commands

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/markdown"
)

// Moment is a time for people; one of today without the day.
func Moment(t time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// at is [Moment] as Markdown.
func at(t time.Time) string { return markdown.Escape(Moment(t)) }

// safe is a text of somebody else's in a line of Markdown: what could hide something is made visible.
func safe(text string) string { return markdown.Escape(display.Clean(text)) }

// InLine is a text of somebody else's in one line.
func InLine(text string) string { return strings.Join(strings.Fields(display.Clean(text)), " ") }

// code is a text in a line, between backquotes.
func code(text string) string { return strings.ReplaceAll(InLine(text), "`", "'") }

// brief is a line cut so that several fit on a phone.
func brief(text string) string {
	const most = 160 // characters
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// mostLines is how many lines a list has.
const mostLines = 40

// firstLines joins lines, the first of them. more says where the others are.
func firstLines(lines []string, most int, more string) string {
	if left := len(lines) - most; left > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("- and %d more%s", left, more))
	}
	return strings.Join(lines, "\n")
}

// number reads the argument of a command that takes one, or returns the usual one.
func number(args string, usual, most int) (int, error) {
	if args == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("say a number from 1 to %d, or none, which is %d", most, usual)
	}
	return n, nil
}
