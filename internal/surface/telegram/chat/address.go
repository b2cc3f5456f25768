// Package chat holds the words that all parts of the Telegram surface share, and those that know it from
// outside: the address of a chat, an answer, and the data of a button.
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

// Platform is the platform of this surface's people and of their [event.Principal], and what the names of its
// chats begin with.
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

// Private reports whether an address is that of the chat with one person.
func (a Address) Private() bool { return a.Chat > 0 }

// ParseAddress returns the address of a chat. A chat of another surface has none.
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
