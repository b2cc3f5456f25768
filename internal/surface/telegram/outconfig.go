package telegram

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

// senderConfig is everything that [Senders] are made of.
type senderConfig struct {
	Client    outCaller
	Journal   outJournal
	Outbox    outbox
	Marks     marks
	Live      liveMessages
	People    outPeople
	Files     openFiles // nil: files are named, and not sent
	Callbacks callbackKeeper
	Now       func() time.Time
	Log       *slog.Logger
	// Pace is how much time passes between two changes of a message while a reply is being written; 0 is the usual one.
	Pace time.Duration
}

// outCaller calls methods of the Bot API; [*client.API] is one.
type outCaller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Upload is Call with a file in the field of that name.
	Upload(ctx context.Context, method string, p client.Params, field, name string, file io.Reader, out any) error
}

// outJournal is what happens in the chats.
type outJournal interface {
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// outbox is what is known of each message that tells a part of an event.
type outbox interface {
	// BeginSend notes that a message is about to be sent, and returns the record: Tries counts this one. A message that
	// was sent or refused before comes back as it is.
	BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error)
	// EndSend notes what became of it. With a reader, that one is marked at mark in the same transaction.
	EndSend(ctx context.Context, s event.Send, reader string, mark int64) error
	// Sends returns what was sent of an event, by part.
	Sends(ctx context.Context, chat event.Chat, seq int64) ([]event.Send, error)
}

// marks are up to where the journal of each chat was sent.
type marks interface {
	Mark(ctx context.Context, reader string, seq int64) error
	Marked(ctx context.Context, reader string) (int64, error)
	// ChatsOf returns the chats whose names begin so, by name.
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
}

// liveMessages are the messages that show something by name: a picture that changes, or the choices of now.
type liveMessages interface {
	// Shown returns the message in which a chat shows what has that name, 0 where none does.
	Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error)
	// SetShown notes which message shows it from here on.
	SetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	// ForgetShown notes that a message shows it no more. Where another does by now, nothing changes.
	ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error
}

// outPeople are the people who were let in.
type outPeople interface {
	// Person returns the person or group with that id on the platform, if they were let in.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
}

// openFiles opens files that tools hand over. One that has changed since is an error that says so.
type openFiles interface {
	Open(ctx context.Context, f event.File) (io.ReadCloser, error)
}

// callbackKeeper remembers what buttons do.
type callbackKeeper interface {
	// Keep returns the data that a press of b will carry, for the message that is about to be sent to the place.
	Keep(to chat.Address, b chat.Button) string
}
