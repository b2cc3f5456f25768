package telegram

import (
	"encoding/json"
	"strings"
)

// What of Telegram's objects is used here, by the names of the Bot API. Whatever else they hold is not read.

type update struct {
	ID       int64     `json:"update_id"`
	Message  *message  `json:"message"`
	Edited   *message  `json:"edited_message"`
	Callback *callback `json:"callback_query"`
	Stopped  *stopped  `json:"stopped_message_generation"` // the person has pressed stop below a draft
}

type user struct {
	ID       int64  `json:"id"`
	IsBot    bool   `json:"is_bot"`
	First    string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
	Lang     string `json:"language_code"`
}

type Chat struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"` // private, group, supergroup or channel
	Title string `json:"title"`
}

type message struct {
	ID         int64        `json:"message_id"`
	Topic      int64        `json:"message_thread_id"`
	IsTopic    bool         `json:"is_topic_message"`
	From       *user        `json:"from"`
	SenderChat *Chat        `json:"sender_chat"` // a channel or an anonymous admin speaks
	Chat       Chat         `json:"chat"`
	Date       int64        `json:"date"`
	EditDate   int64        `json:"edit_date"`
	ViaBot     *user        `json:"via_bot"`
	ReplyTo    *message     `json:"reply_to_message"`
	Quote      *quote       `json:"quote"`
	Text       string       `json:"text"`
	Entities   []entity     `json:"entities"`
	Caption    string       `json:"caption"`
	Captions   []entity     `json:"caption_entities"`
	Group      string       `json:"media_group_id"` // several pictures sent as one
	Photo      []attachment `json:"photo"`          // the same picture in several sizes
	Document   *attachment  `json:"document"`
	Voice      *attachment  `json:"voice"`
	Audio      *attachment  `json:"audio"`
	Video      *attachment  `json:"video"`
	VideoNote  *attachment  `json:"video_note"`
	Animation  *attachment  `json:"animation"`
	Sticker    *attachment  `json:"sticker"`
	Location   *location    `json:"location"`
	Contact    *contact     `json:"contact"`
	MigrateTo  int64        `json:"migrate_to_chat_id"` // the group has become another chat

	forwarded bool // somebody else wrote it
}

// UnmarshalJSON implements [json.Unmarshaler]. A server says that a message was forwarded in forward_origin, one from before Bot
// API 7.0 in half a dozen other fields: any field of that kind counts, whatever it holds.
func (m *message) UnmarshalJSON(raw []byte) error {
	type fields message
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
			m.forwarded = true
		}
	}
	return nil
}

type quote struct {
	Text string `json:"text"`
}

// entity is a part of a text that is more than text. Offset and Length count units of UTF-16.
type entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	User     *user  `json:"user,omitempty"`
	Language string `json:"language,omitempty"`
}

// attachment is a file of any kind.
type attachment struct {
	ID       string `json:"file_id"`
	Name     string `json:"file_name"`
	Type     string `json:"mime_type"`
	Size     int64  `json:"file_size"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Duration int    `json:"duration"`
	Emoji    string `json:"emoji"` // of a sticker
}

type location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type contact struct {
	Phone string `json:"phone_number"`
	First string `json:"first_name"`
	Last  string `json:"last_name"`
}

type callback struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

type stopped struct {
	Chat  Chat  `json:"chat"`
	Draft int64 `json:"draft_id"`
}
