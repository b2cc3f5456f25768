// Package outbound sends what happens in the chats of a bot to the people there.
//
// Each chat in which something happens has a goroutine of its own, a chatSender. It follows the chat's journal from its mark, folds
// the events into turns, and renders of each event the messages that people read: items of the chat's outbox. Items are sent one
// after the other. Beside them the chat shows what a running turn does: typing, a draft or a status message, and pictures that
// change. A chat in which nothing happens for a while has no goroutine and costs nothing.
//
// # Invariants
//
//   - Each item is sent once. Its record in the store is begun before and ended after the call. Where nobody can know whether it
//     arrived, it is sent again, and says so itself.
//   - The mark moves in the same transaction as the record of the last item of an event, and never past an open turn: after a
//     restart the same events render the same items, and those that were sent are passed over.
//   - A failed call is tried again until it works or [client.IsPermanent] says that it never will. Telegram's rate limits hold for
//     all calls of a chat.
//   - What nobody would miss is sent where there is time, and nothing waits for it.
package outbound

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// Config is everything that [Senders] are made of.
type Config struct {
	Client    caller
	Journal   Journal
	Outbox    OutboxStore
	Marks     MarkStore
	Live      LiveStore
	People    people
	Files     Files // nil: files are named, and not sent
	Callbacks callbacks
	Now       func() time.Time
	Log       *slog.Logger
	// Pace is how much time passes between two changes of a message while a reply is being written; 0 is the usual one.
	Pace time.Duration
}

// caller calls methods of the Bot API; [*client.API] is one.
type caller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Upload is Call with a file in the field of that name.
	Upload(ctx context.Context, method string, p client.Params, field, name string, file io.Reader, out any) error
}

// Journal is what happens in the chats.
type Journal interface {
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// OutboxStore is what is known of each message that tells a part of an event.
type OutboxStore interface {
	// BeginSend notes that a message is about to be sent, and returns the record: Tries counts this one. A message that
	// was sent or refused before comes back as it is.
	BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error)
	// EndSend notes what became of it. With a reader, that one is marked at mark in the same transaction.
	EndSend(ctx context.Context, s event.Send, reader string, mark int64) error
	// Sends returns what was sent of an event, by part.
	Sends(ctx context.Context, chat event.Chat, seq int64) ([]event.Send, error)
}

// MarkStore are up to where the journal of each chat was sent.
type MarkStore interface {
	Mark(ctx context.Context, reader string, seq int64) error
	Marked(ctx context.Context, reader string) (int64, error)
	// ChatsOf returns the chats whose names begin so, by name.
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
}

// LiveStore are the messages that show something by name: a picture that changes, or the choices of now.
type LiveStore interface {
	// Shown returns the message in which a chat shows what has that name, 0 where none does.
	Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error)
	// SetShown notes which message shows it from here on.
	SetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	// ForgetShown notes that a message shows it no more. Where another does by now, nothing changes.
	ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error
}

// people are the people who were let in.
type people interface {
	// Person returns the person or group with that id on the platform, if they were let in.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
}

// Files opens files that tools hand over. One that has changed since is an error that says so.
type Files interface {
	Open(ctx context.Context, f event.File) (io.ReadCloser, error)
}

// callbacks remembers what buttons do.
type callbacks interface {
	// Keep returns the data that a press of b will carry, for the message that is about to be sent to the place.
	Keep(to chat.Address, b chat.Button) string
}
