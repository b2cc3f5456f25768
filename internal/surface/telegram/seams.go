package telegram

import (
	"context"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
)

// teller tells people what happens; package-internal seam between what comes in and what goes out.
type teller interface {
	// wake makes sure that somebody tells what happens in a chat.
	wake(name event.Chat)
	// say sends an answer of hob's own, in order with what else is sent there, and returns when it was sent or never will
	// be. reply is the message that it answers, 0 none.
	say(ctx context.Context, to chat.Address, reply int64, a chat.Answer) error
	// edit puts an answer in the place of a message that was sent.
	edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error
	// do has something done in a place after what is to be told there by now. It does not wait, and nobody hears of it where
	// Telegram will not have it.
	do(to chat.Address, todo chore)
}

// buttons remembers what buttons do.
type buttons interface {
	// keep returns the data that a press of b will carry, for the message that is about to be sent to the place.
	keep(to chat.Address, b chat.Button) string
}
