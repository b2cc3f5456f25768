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
//   - An update is in the store before its offset is confirmed, and done in the store after it was handled. An
//     update that is not done comes again after a restart; the id of its input is the same, so that it is one
//     input.
//   - A command that acts is noted as begun before: cut short, it is reported and not run again.
//   - Updates that there is no room for stay in the store and are read from there, in order.
//   - Strangers get no answer. People and groups are known by what Telegram vouches for: the numbers of
//     accounts and chats.
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

// Config is everything that a [Handler] is made of.
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
	Story     Story // nil: nothing leads a chat
	Commands  commands.Table
	Me        func() client.User // the bot; without an ID until Telegram has said who it is
	Now       func() time.Time
	Log       *slog.Logger
	MaxFile   int64 // bytes of a file that is received; 0 is as many as Telegram gives to bots
	Actions
	// LetIn is called when an invite has let somebody in. May be nil.
	LetIn func(ctx context.Context, p event.Person)
	// Alert sends the owner a sentence, elsewhere than here. May be nil.
	Alert func(problem string)
}

// Actions is what a [Handler] can do beyond its sessions. Each may be nil.
type Actions struct {
	// Tool returns how somebody calls a tool as a command where they are, in plain text, and whether there is one
	// of that name for them. What is no command of this surface is then handed in as a call of a tool. Nil: there
	// are only commands.
	Tool func(ctx context.Context, r commands.Request, name string) (usage string, known bool)
	// Nearest returns the one of words that somebody may have meant by word, or "".
	Nearest func(word string, words []string) string
	// Translate returns hob's own English words, such as those of an error, in a language. Nil: they stay.
	Translate func(lang, text string) string
	// Transcribe returns the words of a recording in the workspace. An error is one sentence that says why there are none.
	Transcribe func(ctx context.Context, f event.File) (string, error)
	// HasModel reports whether a model can be asked now. Nil: one can.
	HasModel func(ctx context.Context) bool
	// ChangesReminder reports whether a reply to a reminder says what is to become of it, such as "done" or "in an hour". Nil: none does.
	ChangesReminder func(text string) bool
	// Retry goes on with a turn that is parked.
	Retry func(ctx context.Context, chat event.Chat, turn int64) error
}

// caller calls methods of the Bot API; [*client.API] is one.
type caller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Download writes a file to w, at most so many bytes.
	Download(ctx context.Context, id string, most int64, w io.Writer) error
}

// Sessions takes inputs; [*session.Sessions] is one.
type Sessions interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
	// Language returns the language in which hob speaks in a chat, such as "de"; "" where nothing there says it.
	Language(ctx context.Context, chat event.Chat) string
}

// Questions takes answers to questions; [*session.Sessions] is one.
type Questions interface {
	Decide(ctx context.Context, a session.Answer) error
	// IsAsking reports whether the question of that id, or any where it is "", waits for an answer in the chat.
	IsAsking(ctx context.Context, chat event.Chat, id string) (bool, error)
}

// journal has the events of the chats.
type journal interface {
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// UpdateStore keeps the updates that were received.
type UpdateStore interface {
	// Undone returns the updates of a platform that are not done, oldest first.
	Undone(ctx context.Context, platform string) ([]event.Update, error)
	// SetUpdate notes how far the update N is.
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
}

// PeopleStore keeps the people and groups who were let in.
type PeopleStore interface {
	// Person returns the person or group with that id on the platform, if they were let in.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
	// Redeem lets in the person who gives the code of an invite that is in force: p with the level of the invite,
	// once. A wrong code uses up a try of each invite that is in force. It reports whether the code was right.
	Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error)
}

// SendStore keeps the bot's own messages.
type SendStore interface {
	// SentAs returns the event, and the part of it, that a message of the platform is.
	SentAs(ctx context.Context, chat event.Chat, message int64) (s event.Send, known bool, err error)
}

// seenUsers notes the people who write in groups.
type seenUsers interface {
	Observe(m *client.Message, now time.Time)
}

// Inbox puts files into the workspace.
type Inbox interface {
	// Receive puts a file that somebody has sent into the workspace's inbox, marked as a stranger's where from
	// says so. name is the sender's and may be anything; more than most bytes are refused.
	Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error)
}

// Story is the driver of chats, as the surface needs it.
type Story interface {
	// Takes reports whether the driver of the chat takes the command of that name and arguments, such as "undo" and "2", in place of
	// hob's own; discreet says that the message is to be deleted once it was handed in.
	Takes(ctx context.Context, chat event.Chat, name, args string) (takes, discreet bool)
	// Picked returns the outcome if that person picks that choice now.
	Picked(ctx context.Context, chat event.Chat, by commands.Request, c event.Choice) Picking
}

// Picking is the outcome of a pick.
type Picking struct {
	Say     string // shown to the person who has pressed, in at most 200 characters; "" is nothing
	No      bool   // they cannot pick it now: no input is handed in
	Remains bool   // the buttons stay, for others and for them: each press is one of its own
}

// Sender sends answers; [*outbound.Senders] is one.
type Sender interface {
	// Wake makes a chat send its new events.
	Wake(name event.Chat)
	// Say sends an answer, in order with the other messages of the chat, and returns when it was sent or never
	// will be. replyTo is the message that it answers, 0 none.
	Say(ctx context.Context, to chat.Address, replyTo int64, a chat.Answer) error
	// Edit replaces a message by an answer. One without text replaces the buttons only.
	Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error
}

// Cleaner removes buttons and deletes messages, after the messages that are queued. It does not wait, and
// ignores a refusal.
type Cleaner interface {
	RemoveButtons(to chat.Address, message int64)
	Delete(to chat.Address, message int64)
}
