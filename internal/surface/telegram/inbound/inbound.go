// Package inbound receives the updates of a bot: messages, files, commands and presses of buttons.
//
// A [Poller] asks Telegram for updates, and makes them durable before it asks for the next. A [Handler] puts
// each into the queue of its chat. The worker of a queue handles one update after the other: it finds out who
// speaks and what they may ask for, receives the files of the message, and hands it in as an input, an answer
// to a question, a command or a choice. A stop and an answer to a question do not wait in the queue of the
// chat.
//
// # Invariants
//
//   - An update is stored before its offset is confirmed, and recorded as done after it was
//     handled. An update that is not done comes again after a restart, with the same input id, so
//     that it stays one input.
//   - A command that acts is recorded as begun first. After an interruption it is reported and not
//     run again.
//   - Updates for which memory has no room stay in the store and are read from there, in order.
//   - Strangers get no answer. People and groups are identified by facts that Telegram guarantees:
//     the ids of accounts and chats.
//   - The data of a button proves nothing: its message must be the one that offers it.
package inbound

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// Config holds the parts that a [Handler] is built from.
type Config struct {
	Client    caller
	Sender    Sender
	Cleaner   Cleaner
	Sessions  Sessions
	Questions Questions
	Journal   journal
	Updates   UpdateStore
	People    PeopleStore
	Sent      SendStore
	Seen      seenUsers
	Files     Inbox // nil: only texts are received
	Story     Story // nil: no driver leads a chat
	Commands  commands.Table
	Me        func() client.User // the bot; without an ID until Telegram has reported it
	Now       func() time.Time
	Log       *slog.Logger
	MaxFile   int64 // size limit in bytes for received files; 0: Telegram's limit for bots
	Actions
	// LetIn is called when an invite has admitted a person. May be nil.
	LetIn func(ctx context.Context, p event.Person)
	// Alert tells the owner something, outside of Telegram. May be nil.
	Alert func(problem string)
}

// Actions is what a [Handler] can do beyond its sessions. Each may be nil.
type Actions struct {
	// Tool returns how a person calls a tool as a command in their chat, as plain text; known is
	// false if they have no such tool. Unknown commands are then handed in as calls of tools. Nil:
	// there are no tools as commands.
	Tool func(ctx context.Context, r commands.Request, name string) (usage string, known bool)
	// Nearest returns the one of words most similar to word, or "".
	Nearest func(word string, words []string) string
	// Translate translates hob's English texts, such as errors, into a language. Nil: they stay
	// English.
	Translate func(lang, text string) string
	// Transcribe returns the text of a recording in the workspace. An error is one sentence that
	// says why there is none.
	Transcribe func(ctx context.Context, f event.File) (string, error)
	// HasModel reports whether a model is available now. Nil: always.
	HasModel func(ctx context.Context) bool
	// ChangesReminder reports whether a reply to a reminder changes it, such as "done" or "in an
	// hour". Nil: never.
	ChangesReminder func(text string) bool
	// Retry resumes a parked turn.
	Retry func(ctx context.Context, chat event.Chat, turn int64) error
}

// caller calls methods of the Bot API; [*client.API] is one.
type caller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Download writes a file to w, up to most bytes.
	Download(ctx context.Context, id string, most int64, w io.Writer) error
}

// Sessions takes inputs; [*session.Sessions] is one.
type Sessions interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
	// Language returns the language in which hob speaks in a chat, such as "de", or "" if nothing
	// there shows it.
	Language(ctx context.Context, chat event.Chat) string
}

// Questions takes answers to questions; [*session.Sessions] is one.
type Questions interface {
	Decide(ctx context.Context, a session.Answer) error
	// IsAsking reports whether the question with this id, or any question for "", waits for an
	// answer in the chat.
	IsAsking(ctx context.Context, chat event.Chat, id string) (bool, error)
}

// journal has the events of the chats.
type journal interface {
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// UpdateStore stores received updates.
type UpdateStore interface {
	// Undone returns the updates of a platform that are not done, oldest first.
	Undone(ctx context.Context, platform string) ([]event.Update, error)
	// SetUpdate records how far the handling of update N got.
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
}

// PeopleStore stores the admitted people and groups.
type PeopleStore interface {
	// Person returns the admitted person or group with this id on the platform.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
	// Redeem admits the person who gives the code of an invite in force: p with the level of the
	// invite, once. A wrong code uses up a try of each invite in force. It reports whether the code
	// was right.
	Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error)
}

// SendStore stores records of the bot's own messages.
type SendStore interface {
	// SentAs returns the event and the part of it that a message of the platform shows.
	SentAs(ctx context.Context, chat event.Chat, message int64) (s event.Send, known bool, err error)
}

// seenUsers records the people who write in groups.
type seenUsers interface {
	Observe(m *client.Message, now time.Time)
}

// Inbox puts files into the workspace.
type Inbox interface {
	// Receive puts a received file into the workspace's inbox, marked as a stranger's if from says
	// so. name is the sender's and may be anything. A file of more than most bytes is refused.
	Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error)
}

// Story is the driver of chats, as far as the surface needs it.
type Story interface {
	// Takes reports whether the driver of the chat takes a command, such as "undo" with "2",
	// instead of hob. discreet says that the message is to be deleted once it was handed in.
	Takes(ctx context.Context, chat event.Chat, name, args string) (takes, discreet bool)
	// Picked returns the outcome of a person's pick of a choice now.
	Picked(ctx context.Context, chat event.Chat, by commands.Request, c event.Choice) Picking
}

// Picking is the outcome of a pick.
type Picking struct {
	Say     string // shown to the person who pressed, at most 200 characters; "": nothing
	No      bool   // they cannot pick it now, and nothing is handed in
	Remains bool   // the buttons stay for everybody, and each press is a new one
}

// Sender sends answers; [*outbound.Senders] is one.
type Sender interface {
	// Wake makes a chat send its new events.
	Wake(name event.Chat)
	// Say sends an answer, in order with the other messages of the chat, and returns once it was
	// sent or cannot be. replyTo is the message that it answers, or 0.
	Say(ctx context.Context, to chat.Address, replyTo int64, a chat.Answer) error
	// Edit replaces a message by an answer. An answer without text replaces only the buttons.
	Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error
}

// Cleaner removes buttons and deletes messages, after the messages that are queued. It does not wait, and
// ignores a refusal.
type Cleaner interface {
	RemoveButtons(to chat.Address, message int64)
	Delete(to chat.Address, message int64)
}
