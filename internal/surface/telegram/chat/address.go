// Package chat holds the terms that all parts of the Telegram surface share, and that its callers
// need: the address of a chat, an answer, and the data of a button.
//
// The chats of this surface are named "telegram/<id>", those of a group's topics "telegram/<id>/<topic>". The
// id of a private chat is that of its person and positive; the id of a group is negative.
package chat

import (
	"fmt"
	"strconv"
	"strings"

	"hob/internal/event"
)

// Platform is the platform of this surface's people and their [event.Principal]. It begins the
// names of its chats.
const Platform = "telegram"

// Address is where a message goes: a chat, or a topic of a group.
type Address struct{ Chat, Topic int64 }

// Name returns the name of the chat at an address.
func (a Address) Name() event.Chat {
	if a.Topic != 0 {
		return event.Chat(fmt.Sprintf("%s/%d/%d", Platform, a.Chat, a.Topic))
	}
	return event.Chat(fmt.Sprintf("%s/%d", Platform, a.Chat))
}

// Private reports whether the address is that of a private chat.
func (a Address) Private() bool { return a.Chat > 0 }

// ParseAddress returns the address of a chat; it fails for a chat of another surface.
func ParseAddress(name event.Chat) (a Address, ok bool) {
	rest, ok := strings.CutPrefix(string(name), Platform+"/")
	if !ok {
		return Address{}, false
	}
	chat, topic, has := strings.Cut(rest, "/")
	var err error
	if a.Chat, err = strconv.ParseInt(chat, 10, 64); err != nil {
		return Address{}, false
	}
	if has {
		if a.Topic, err = strconv.ParseInt(topic, 10, 64); err != nil {
			return Address{}, false
		}
	}
	return a, a.Name() == name
}
