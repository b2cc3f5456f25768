// Package telegram is hob on Telegram: what people write to a bot becomes inputs, and what happens in their chats is told.
//
// # Invariants
//
//   - An update is durable before Telegram is told that it came, and is dealt with once: what was cut short while it was
//     acted upon is not acted upon again but told.
//   - Updates of one chat are dealt with in the order in which they came; chats do not wait for each other.
//   - Each message that tells a part of an event is sent once. Where nobody can know whether one arrived, it is sent again
//     and says so itself.
//   - What can be picked below a reply can be picked until it was, unless what leads the chat says that it stays, or until a newer
//     reply has choices, also after a restart. What a press says of itself proves nothing: the message has to be the one that tells
//     the reply.
//   - What nobody would miss (typing, drafts, a line about tools, a picture as it is by now) is sent where there is time, and never kept waiting for.
//   - Who is not known gets no answer and costs no model a token. Only the press of a button is ended for them, with a sentence.
//   - The token is in no error, log or address that leaves this package.
package telegram

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// Sessions is what the surface needs of [*session.Sessions].
type Sessions interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Decide(ctx context.Context, a session.Answer) error
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Waiting(ctx context.Context, chat event.Chat, id string) (bool, error)
}

// Memory is what the surface keeps over restarts.
type Memory interface {
	// Receive keeps updates that are not known yet, in one durable transaction, and returns those, in order, with their N. One
	// is known that came to the same bot with the same id and the same content.
	Receive(ctx context.Context, all []event.Update) ([]event.Update, error)
	// Undone returns the updates of a platform that have not been dealt with, oldest first.
	Undone(ctx context.Context, platform string) ([]event.Update, error)
	// SetUpdate notes how far the update N has come.
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error

	// BeginSend notes that a message is about to be sent, and returns the record: Tries counts this one. A message that
	// was sent or refused before comes back as it is.
	BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error)
	// EndSend notes what became of it. With a reader, that one is marked at mark in the same transaction.
	EndSend(ctx context.Context, s event.Send, reader string, mark int64) error
	// Sends returns what was sent of an event, by part.
	Sends(ctx context.Context, chat event.Chat, seq int64) ([]event.Send, error)
	// SentAs returns what a message of the platform tells.
	SentAs(ctx context.Context, chat event.Chat, message int64) (s event.Send, known bool, err error)
	Mark(ctx context.Context, reader string, seq int64) error
	Marked(ctx context.Context, reader string) (int64, error)
	// ChatsOf returns the chats whose names begin so, by name.
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)

	// Person returns who or what has that id on the platform, if they were let in.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
	// People returns all who were let in, by id.
	People(ctx context.Context, platform string) ([]event.Person, error)
	// Redeem lets in who gives the code of an invite that is in force: p with the level of the invite, once. A wrong code uses
	// up a try of each invite that is in force. It reports whether the code was right.
	Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error)

	// Shown returns the message in which a chat shows what has that name, 0 where none does.
	Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error)
	// SetShown notes which message shows it from here on.
	SetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	// ForgetShown notes that a message shows it no more. Where another does by now, nothing changes.
	ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error
}

// Files is the workspace as the surface uses it.
type Files interface {
	// Receive puts what somebody has sent into the workspace's inbox, marked as a stranger's where from says so. name is the
	// sender's and may be anything; more than most bytes are refused.
	Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error)
	// Open opens a file that a tool has handed over; one that has changed since is an error that says so.
	Open(ctx context.Context, f event.File) (io.ReadCloser, error)
}

// Config is what the surface is made of.
type Config struct {
	API      *client.API
	Sessions Sessions
	Memory   Memory
	Files    Files          // nil: nothing is received or sent but words
	Story    Story          // nil: nothing leads a chat
	Commands []chat.Command // beside those of the surface itself: /start /help /new /stop
	Now      func() time.Time
	Log      *slog.Logger

	// Tool says how somebody calls a tool as a command where they are, in plain text, and whether there is one of that name for
	// them. What is no command of this surface is then handed in as a call of a tool. Nil: there are only commands.
	Tool func(ctx context.Context, r chat.Request, name string) (usage string, known bool)
	// Nearest returns the one of words that somebody may have meant by word, or "". Nil: nobody knows.
	Nearest func(word string, words []string) string
	// Hear returns the words of a recording in the workspace. Nil, or an error: nobody can; the error is one sentence that
	// says why.
	Hear func(ctx context.Context, f event.File) (string, error)
	// Retry goes on with a turn that is parked. Nil: none is.
	Retry func(ctx context.Context, chat event.Chat, turn int64) error
	// Named is told what the bot is called, for links to it. May be nil.
	Named func(ctx context.Context, name string) error
	// Alert tells the owner, elsewhere than here, what keeps this surface from working; "" that it works again.
	Alert func(problem string)
	// Changed is called when [State.Problem] has changed, also by what goes by of itself. Nil: nobody wants to know.
	Changed func()

	MaxFile int64 // bytes of a file that is received; Telegram gives bots 20 MB
	// Pace is how much time passes between two changes of a message while a reply is being written.
	Pace time.Duration
}
