package chat

import (
	"context"

	"hob/internal/event"
)

// Command is a command that people give with a slash and a word. It needs no model.
type Command struct {
	Name    string      // "status"
	Usage   string      // of its arguments, such as "[n]"
	Summary string      // one line
	Least   event.Level // level; for people below it there is no such command
	Private bool        // only in a private chat
	Own     bool        // only the person who gave it may press the buttons of its answers
	Acts    bool        // not idempotent: after a crash it is reported, not repeated
	Run     func(ctx context.Context, r Request) (Answer, error)
}

// Request is a command as somebody gave it. They read the error of [Command.Run].
type Request struct {
	Chat event.Chat
	From string // id of the person
	event.Principal
	Args string
	Lang string // the language of the chat, or of their app, as an IETF tag such as "pt-br"; "" is unknown
}

// Answer is a text of hob's own, in Markdown.
type Answer struct {
	Text    string
	Buttons [][]Button // rows
}

// Button is a button below an answer. Whoever may give the command may press it, until hob ends.
type Button struct {
	Text  string
	Press func(ctx context.Context, by Request) (Answer, error) // its answer replaces the one above the button
	Line  string                                                // in place of Press: a call of a tool, as if they wrote it
}
