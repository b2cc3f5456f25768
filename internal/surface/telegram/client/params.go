package client

import (
	"strconv"

	"hob/internal/surface/telegram/chat"
)

// Params are a method's arguments: strings, or JSON for other values.
type Params map[string]string

// ParamsFor returns the arguments for an address.
func ParamsFor(to chat.Address) Params {
	p := Params{"chat_id": strconv.FormatInt(to.Chat, 10)}
	if to.Topic != 0 {
		p["message_thread_id"] = strconv.FormatInt(to.Topic, 10)
	}
	return p
}

// ParamsForMessage returns the arguments to change a message and give it the keyboard keys, as
// JSON. Empty keys remove its buttons.
func ParamsForMessage(to chat.Address, message int64, keys string) Params {
	p := Params{"chat_id": strconv.FormatInt(to.Chat, 10), "message_id": strconv.FormatInt(message, 10)}
	if keys != "" {
		p["reply_markup"] = keys
	}
	return p
}
