package commands

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/markdown"
	"hob/internal/phrases"
	"hob/internal/when"
)

// FormatTime formats a time for people, on the clocks of now and without the day if that is today.
func FormatTime(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// time returns a time on the clocks of the household, as Markdown.
func (d Deps) time(t time.Time) string { return markdown.Escape(FormatTime(t, d.Now())) }

// timeFor is time for who asks: the page has days as the language of its reader writes them.
func (d Deps) timeFor(by Request, t time.Time) string {
	now := d.Now()
	if t = t.In(now.Location()); by.Surface != Page || t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return d.time(t)
	}
	return markdown.Escape(when.Describe(when.Reading{Start: t.Truncate(time.Minute)}, phrases.Language(by.Lang), now))
}

// escape returns foreign text as Markdown, with control characters made visible.
func escape(text string) string { return markdown.Escape(display.Clean(text)) }

// escapeText is [escape] for a text in which hob itself has marked code by backquotes, also one whose end was cut off.
func escapeText(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(OneLine(text), "`") {
		if i%2 == 0 {
			b.WriteString(markdown.EscapeInline(part))
		} else if part != "" {
			b.WriteString("`" + part + "`")
		}
	}
	return b.String()
}

// OneLine returns foreign text in one line.
func OneLine(text string) string { return display.Join(display.Clean(text)) }

// inlineCode returns a text for use between backquotes.
func inlineCode(text string) string { return strings.ReplaceAll(OneLine(text), "`", "'") }

// shorten cuts a line so that several fit on a phone.
func shorten(text string) string { return display.Truncate(text, 160) }

// maxLines limits the lines of a list.
const maxLines = 40

// truncateLines joins the first lines. more says where the others are.
func truncateLines(lines []string, most int, more string) string {
	if left := len(lines) - most; left > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("- and %d more%s", left, more))
	}
	return strings.Join(lines, "\n")
}

// parseNumber parses a number from 1 to most, or returns the default for "".
func parseNumber(args string, usual, most int) (int, error) {
	if args == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("say a number from 1 to %d, or none, which is %d", most, usual)
	}
	return n, nil
}
