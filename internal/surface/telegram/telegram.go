// Package telegram is hob on Telegram: it builds a [Bot] from its parts and runs it.
//
//		Telegram --getUpdates--> inbound.Poller --Receive--> store --Deliver--> inbound.Handler --Submit--> session
//		Telegram <--sendMessage-- outbound.Senders <--Follow(chat)-- store (journal) <--Append--------------'
//
//	  - chat holds the words that all of them share: addresses, answers, the data of buttons.
//	  - client calls the Bot API. No other package knows the token.
//	  - inbound receives updates, finds out who may ask for what, and hands in inputs, answers and commands.
//	  - outbound sends the events of the chats, and the answers of commands.
//	  - groups manages groups as their administrators do.
//	  - markup renders Markdown as texts with entities; telegramtest is a strict Bot API server for tests, and sessiontest has sessions
//	    that a test plays.
//
// inbound and outbound do not know each other: each declares the interfaces that it needs, and this package
// passes them on. This package itself asks who the bot is, shows people their menus, and writes to the owners
// what they must mend.
//
// # Invariants
//
//   - An update is durable before the next is asked for, and is handled once: a command that acts and was cut
//     short is reported, not repeated.
//   - Updates of one chat are handled in order; chats do not wait for each other.
//   - Each message that is a part of an event is sent once. Where nobody can know whether it arrived, it is
//     sent again and says so.
//   - A choice below a reply can be picked once (unless the story says that it stays), and until a newer reply
//     has choices, also after a restart. The data of a button proves nothing: its message must be the one of
//     that reply.
//   - Typing, drafts, status messages and pictures that change are sent when there is time; nothing waits for them.
//   - Strangers get no answer and cost no model a token. Only the press of a button gets a sentence.
//   - The token is in no error, log or address that leaves client.
package telegram

import (
	"context"
	"log/slog"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
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

// Deliveries stores received updates and sent messages across restarts.
type Deliveries interface {
	inbound.PollStore
	inbound.UpdateStore
	inbound.SendStore
	outbound.OutboxStore
	outbound.ShownStore
}

// People stores who was added, across restarts.
type People interface {
	inbound.PeopleStore
	// People returns everybody who was added, sorted by id.
	People(ctx context.Context, platform string) ([]event.Person, error)
}

// Files is the workspace as this surface uses it.
type Files interface {
	inbound.Inbox
	outbound.Files
}

// Config holds the parts that a [Bot] is built from.
type Config struct {
	API        *client.API
	Sessions   Sessions
	Marks      outbound.MarkStore
	Deliveries Deliveries
	People     People
	Files      Files          // nil: only texts are received and sent
	Story      inbound.Story  // nil: no driver leads a chat
	Commands   commands.Table // besides the surface's own: /start /help /new /stop
	Now        func() time.Time
	Zone       func() *time.Location // time zone of the household; nil: that of this machine
	Log        *slog.Logger

	inbound.Actions

	// Named is called with the name of the bot, for links to it. May be nil.
	Named func(ctx context.Context, name string) error
	// Alert tells the owner, outside of Telegram, about a failure of this surface, in a sentence;
	// "" says that it works again.
	Alert func(problem string)
	// Changed is called after [State.Problem] changed. May be nil.
	Changed func()

	MaxFile int64 // size limit in bytes for received files; Telegram gives bots 20 MB
	// Pace is the time between two updates of a message while a reply is being written.
	Pace time.Duration
}
