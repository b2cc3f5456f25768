// Package telegram is hob on Telegram: it builds a [Bot] from its parts and runs it.
//
//		Telegram --getUpdates--> inbound.Poller --Receive--> store --Deliver--> inbound.Handler --Submit--> session
//		Telegram <--sendMessage-- outbound.Senders <--Follow(chat)-- store (journal) <--Append--------------'
//
//	  - chat holds the words that all of them share: addresses, commands with their answers, the data of buttons.
//	  - client speaks to the Bot API, and is the only one that knows the token.
//	  - inbound receives updates, knows who may ask for what, and hands in inputs, answers and commands.
//	  - outbound sends what happens in the chats, and the answers of commands.
//	  - groups manages groups as their administrators do.
//	  - markup makes texts with entities of Markdown; telegramtest is a strict Telegram for tests, and sessiontest has sessions that
//	    a test plays.
//
// inbound and outbound do not know each other: each declares the interfaces that it needs, and this package passes them on. What
// this package does itself is to find out who the bot is, to show people their menus, and to write to the owners what they must mend.
//
// # Invariants
//
//   - An update is durable before Telegram is asked for the next, and is dealt with once: a command that was cut short while it
//     acted is reported, not repeated.
//   - Updates of one chat are dealt with in the order in which they came; chats do not wait for each other.
//   - Each message that tells a part of an event is sent once. Where nobody can know whether one arrived, it is sent again
//     and says so itself.
//   - A choice below a reply can be picked until it was, unless the story says that it stays, or until a newer reply has choices,
//     also after a restart. The data of a press proves nothing: its message must be the one that tells the reply.
//   - What nobody would miss (typing, drafts, a line about tools, a picture that changes) is sent where there is time; nothing
//     waits for it.
//   - Strangers get no answer and cost no model a token. Only the press of a button is ended for them, with a sentence.
//   - The token is in no error, log or address that leaves client.
package telegram

import (
	"context"
	"log/slog"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/surface/telegram/outbound"
)

// Sessions is what the surface needs of [*session.Sessions].
type Sessions interface {
	inbound.Sessions
	inbound.Questions
	outbound.Journal
}

// Deliveries keep over restarts what was received and sent.
type Deliveries interface {
	inbound.PollStore
	inbound.UpdateStore
	inbound.SendStore
	outbound.OutboxStore
	outbound.LiveStore
}

// People keep over restarts who was let in.
type People interface {
	inbound.PeopleStore
	// People returns all who were let in, by id.
	People(ctx context.Context, platform string) ([]event.Person, error)
}

// Files is the workspace as the surface uses it.
type Files interface {
	inbound.Inbox
	outbound.Files
}

// Config is everything that a [Bot] is made of.
type Config struct {
	API        *client.API
	Sessions   Sessions
	Marks      outbound.MarkStore
	Deliveries Deliveries
	People     People
	Files      Files          // nil: only words are received and sent
	Story      inbound.Story  // nil: nothing leads a chat
	Commands   []chat.Command // beside those of the surface itself: /start /help /new /stop
	Now        func() time.Time
	Log        *slog.Logger

	// These are as in [inbound.Actions].
	Tool    func(ctx context.Context, r chat.Request, name string) (usage string, known bool)
	Nearest func(word string, words []string) string
	Hear    func(ctx context.Context, f event.File) (string, error)
	Retry   func(ctx context.Context, chat event.Chat, turn int64) error

	// Named is called with the name of the bot, for links to it. May be nil.
	Named func(ctx context.Context, name string) error
	// Alert sends the owner, elsewhere than here, a sentence about what keeps this surface from working; "" that it works again.
	Alert func(problem string)
	// Changed is called when [State.Problem] has changed, also by what goes by of itself. Nil: nobody wants to know.
	Changed func()

	MaxFile int64 // bytes of a file that is received; Telegram gives bots 20 MB
	// Pace is how much time passes between two changes of a message while a reply is being written.
	Pace time.Duration
}
