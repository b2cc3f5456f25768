// Package outbound sends the events of a bot's chats to the people there.
//
//	Wake --> Senders.Run --> chatSender.run <-- readJournal <-- the chat's journal, from its mark
//	                              | handleEvent
//	                              |--> fold: turns, items --> startNext --> sendItem, attempt --> Bot API
//	                              '--> liveTurn.fold -------> showLive ---> callLive -----------> Bot API
//
// A chat that is awake has a goroutine, its [chatSender]. It follows the chat's journal and folds the events
// into turns. Each event becomes items of the chat's outbox: the messages, and the changes of messages, that
// people see of it. Items are sent one after the other, in order. The mark of the chat says up to which event
// all was sent; a restart reads the journal from there. Beside the items the chat sender shows a live view of
// the turn that runs: typing, then a draft (in a private chat) or a status message (in a group), and pictures
// that change. A chat in which nothing happens for a minute falls asleep.
//
//   - senders.go: [Senders] and the chats that are awake. requests.go: what others ask of one chat.
//   - chatsender.go: the loop of one chat. turns.go: the fold of its journal. items.go, question.go, choices.go,
//     parked.go, files.go: from events to items.
//   - messages.go: from texts to messages, and keyboards. poster.go: one try of each message for the Bot API.
//   - outbox.go: how an item is sent and tried again. ledger.go: its record, and the mark.
//   - live.go, liveturn.go, pictures.go: the live view.
//
// # Goroutines
//
// [Senders.Run] starts and ends the loops of the chats and waits for them. The loop, chatSender.run, owns the
// state of its chat and never waits for the network. It has up to three goroutines that report to it by channels:
// one reads the journal, one sends an item, one makes a live call. While an item is being sent, its goroutine owns
// the [ledger]. Others reach a chat by its [requestQueue], which has a lock, and wait for records by the
// [broadcast], which has the other.
//
// # Invariants
//
//   - An item with a seq is sent once. Its record in the store is begun before the call and says after it what
//     became of it. Where nobody can know whether a message arrived, it is sent again, and says so itself. Answers
//     and cleanups have no record.
//   - The mark moves in the same transaction as the record of the last item of an event, or alone where no record
//     changes, and never past an open turn. After a restart the same events become the same items, and items with
//     an ended record are skipped.
//   - A failed call is tried again until it works or isFinal says that it never will. Telegram's rate limits hold
//     for all calls of a chat.
//   - The live view is sent when there is time. After a failure the next view is shown; only a picture is tried
//     again, three times in all. A reply waits half a second for a draft, and the deletion of a status message for
//     a call that sends or changes one.
package outbound

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
)

// Config holds the parts that [Senders] are built from.
type Config struct {
	Client  caller
	Journal Journal
	Outbox  OutboxStore
	Marks   MarkStore
	Shown   ShownStore
	People  people
	Files   Files // nil: a sentence is sent instead of each file
	// Language returns the language in which hob speaks in a chat, or "" if nothing shows it. Nil:
	// always "".
	Language func(ctx context.Context, chat event.Chat) string
	Now      func() time.Time
	Zone     func() *time.Location // time zone of the household, for times in messages
	Log      *slog.Logger
	// Pace is the time between two updates of a message while a reply is being written; 0 is the
	// default.
	Pace time.Duration
}

// caller calls methods of the Bot API; [*client.API] is one.
type caller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Upload is Call with a file in the given field.
	Upload(ctx context.Context, method string, p client.Params, field, name string, file io.Reader, out any) error
}

// Journal has the events of the chats.
type Journal interface {
	// Follow yields the events of a chat after one, and then new ones, until ctx ends.
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// OutboxStore stores a record of each message that is a part of an event.
type OutboxStore interface {
	// BeginSend records that a message is about to be sent, and returns the record. If the record
	// had begun before, it counts one more try; in another state it is returned unchanged.
	BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error)
	// SetSend replaces a record. If reader is not "", it moves the reader's mark to mark in the
	// same transaction.
	SetSend(ctx context.Context, s event.Send, reader string, mark int64) error
	// Sends returns the records of an event, by part.
	Sends(ctx context.Context, chat event.Chat, seq int64) ([]event.Send, error)
}

// MarkStore stores the marks of readers in journals. Each chat that is sent to is such a reader.
type MarkStore interface {
	Mark(ctx context.Context, reader string, seq int64) error
	Marked(ctx context.Context, reader string) (int64, error)
	// ChatsOf returns the chats whose names begin with prefix, sorted.
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
}

// ShownStore records which message of a chat shows something that changes: a picture, or the
// current choices.
type ShownStore interface {
	// Shown returns the message in which a chat shows the thing of that name, or 0.
	Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error)
	// SetShown records that a message shows the thing from now on.
	SetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	// ForgetShown records that a message no longer shows the thing. If another message does,
	// nothing changes.
	ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error
}

// people looks up the admitted people.
type people interface {
	// Person returns the admitted person or group with this id on the platform.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
}

// Files opens files of tools. It fails if a file has changed since.
type Files interface {
	Open(ctx context.Context, f event.File) (io.ReadCloser, error)
}
