package client

import (
	"encoding/json"
	"strings"

	"hob/internal/surface/telegram/chat"
)

// The parts of Telegram's objects that hob uses, under their names in the Bot API. Other fields are
// ignored.

// Update is one thing that happened: a message, a correction, a press of a button or a stop.
type Update struct {
	ID       int64     `json:"update_id"`
	Message  *Message  `json:"message"`
	Edited   *Message  `json:"edited_message"`
	Callback *Callback `json:"callback_query"`
	Stopped  *Stopped  `json:"stopped_message_generation"` // the person pressed stop below a draft
	Reaction *Reaction `json:"message_reaction"`
}

// User is an account, of a person or a bot.
type User struct {
	ID       int64  `json:"id"`
	IsBot    bool   `json:"is_bot"`
	First    string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
	Lang     string `json:"language_code"`
}

// Chat is a private chat, a group or a channel.
type Chat struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"` // private, group, supergroup or channel
	Title string `json:"title"`
}

// Message is a message as Telegram delivers it.
type Message struct {
	ID         int64        `json:"message_id"`
	Topic      int64        `json:"message_thread_id"`
	IsTopic    bool         `json:"is_topic_message"`
	From       *User        `json:"from"`
	SenderChat *Chat        `json:"sender_chat"` // a channel or an anonymous admin as the sender
	Chat       Chat         `json:"chat"`
	Date       int64        `json:"date"`
	EditDate   int64        `json:"edit_date"`
	ViaBot     *User        `json:"via_bot"`
	ReplyTo    *Message     `json:"reply_to_message"`
	Quote      *Quote       `json:"quote"`
	Text       string       `json:"text"`
	Entities   []Entity     `json:"entities"`
	Caption    string       `json:"caption"`
	Captions   []Entity     `json:"caption_entities"`
	Group      string       `json:"media_group_id"` // several pictures sent as one
	Photo      []Attachment `json:"photo"`          // the same picture in several sizes
	Document   *Attachment  `json:"document"`
	Voice      *Attachment  `json:"voice"`
	Audio      *Attachment  `json:"audio"`
	Video      *Attachment  `json:"video"`
	VideoNote  *Attachment  `json:"video_note"`
	Animation  *Attachment  `json:"animation"`
	Sticker    *Attachment  `json:"sticker"`
	Location   *Location    `json:"location"`
	Contact    *Contact     `json:"contact"`
	MigrateTo  int64        `json:"migrate_to_chat_id"` // the group has become another chat

	Forwarded bool // somebody else wrote it
}

// UnmarshalJSON implements [json.Unmarshaler]. Servers mark a forwarded message with
// forward_origin, before Bot API 7.0 with several other fields. Any of these fields counts,
// whatever its value.
func (m *Message) UnmarshalJSON(raw []byte) error {
	type fields Message
	if err := json.Unmarshal(raw, (*fields)(m)); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	for name, value := range all {
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "forward_") || name == "is_automatic_forward" && string(value) != "false" {
			m.Forwarded = true
		}
	}
	return nil
}

// Quote is the part of a message that a reply quotes.
type Quote struct {
	Text string `json:"text"`
}

// Entity marks a part of a text, such as a link. Offset and Length are in UTF-16 units.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	User     *User  `json:"user,omitempty"`
	Language string `json:"language,omitempty"`
}

// Attachment is a file of any kind.
type Attachment struct {
	ID       string `json:"file_id"`
	Name     string `json:"file_name"`
	Type     string `json:"mime_type"`
	Size     int64  `json:"file_size"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Duration int    `json:"duration"`
	Emoji    string `json:"emoji"` // of a sticker
}

// Location is a place on the earth.
type Location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Contact is an entry of an address book.
type Contact struct {
	Phone string `json:"phone_number"`
	First string `json:"first_name"`
	Last  string `json:"last_name"`
}

// Callback is the press of a button.
type Callback struct {
	ID      string   `json:"id"`
	From    User     `json:"from"`
	Message *Message `json:"message"`
	Data    string   `json:"data"`
}

// Reaction says that a person changed their reactions to a message.
type Reaction struct {
	Chat    Chat         `json:"chat"`
	Message int64        `json:"message_id"`
	From    *User        `json:"user"` // nil: an anonymous administrator
	New     []EmojiState `json:"new_reaction"`
}

// EmojiState is one reaction: Type is emoji, custom_emoji or paid.
type EmojiState struct {
	Type  string `json:"type"`
	Emoji string `json:"emoji"`
}

// Stopped says that the person pressed stop below a draft.
type Stopped struct {
	Chat  Chat  `json:"chat"`
	Draft int64 `json:"draft_id"`
}

// IsOwnWords reports whether the sender of a message wrote it.
func (m *Message) IsOwnWords() bool { return !m.Forwarded && m.ViaBot == nil }

// Words returns the text of a message, or the caption of its picture or file.
func (m *Message) Words() (string, []Entity) {
	if m.Text != "" {
		return m.Text, m.Entities
	}
	return m.Caption, m.Captions
}

// RepliesTo returns the message that a message replies to, or nil. In a topic every message replies
// to the one that opened it, which does not count.
func (m *Message) RepliesTo() *Message {
	if m.ReplyTo != nil && m.IsTopic && m.ReplyTo.ID == m.Topic {
		return nil
	}
	return m.ReplyTo
}

// Address returns the address of a message's chat or topic.
func (m *Message) Address() chat.Address {
	if m.IsTopic {
		return chat.Address{Chat: m.Chat.ID, Topic: m.Topic}
	}
	return chat.Address{Chat: m.Chat.ID}
}

// anonymousAdmin is the account that Telegram gives as the author of what administrators write in
// the group's name.
const anonymousAdmin = 1087968824

// IsPerson reports whether an account belongs to one person.
func (u *User) IsPerson() bool { return u != nil && !u.IsBot && u.ID > 0 && u.ID != anonymousAdmin }
