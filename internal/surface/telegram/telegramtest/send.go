package telegramtest

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// chat returns the chat that a call names.
func (c *call) chat() *Chat {
	chat := c.chats[c.p.number("chat_id")]
	if chat == nil {
		panic(bad("chat not found"))
	}
	if chat.movedTo != 0 {
		no := bad("group chat was upgraded to a supergroup chat")
		no.migrate = chat.movedTo
		panic(no)
	}
	if chat.refuses != nil {
		panic(chat.refuses)
	}
	return chat
}

// topic returns the topic that a call names, 0 for none.
func (c *call) topic(chat *Chat) int64 {
	id := c.p.number("message_thread_id")
	if id != 0 && !chat.topics[id] {
		panic(bad("message thread not found"))
	}
	return id
}

// replyTo returns the message that a call's message answers, 0 for none.
func (c *call) replyTo(chat *Chat) int64 {
	raw := c.p["reply_parameters"]
	if raw == "" {
		return 0
	}
	var to struct {
		Message int64 `json:"message_id"`
		Without bool  `json:"allow_sending_without_reply"`
	}
	if err := json.Unmarshal([]byte(raw), &to); err != nil {
		panic(bad("can't parse reply parameters JSON object"))
	}
	if chat.find(to.Message) != nil {
		return to.Message
	}
	if !to.Without {
		panic(bad("message to be replied not found"))
	}
	return 0
}

// text returns the text of a call, in which something can be seen.
func (c *call) text() text {
	t := checkText(c.p["text"], c.p["entities"], maxText)
	if isInvisible(t.words) {
		panic(bad("text must be non-empty"))
	}
	return t
}

func (c *call) sendMessage() any {
	return c.send(&Message{NoPreview: c.p["link_preview_options"] == `{"is_disabled":true}`}, c.text())
}

func (c *call) sendDocument() any { return c.sendFile("document") }
func (c *call) sendPhoto() any    { return c.sendFile("photo") }

func (c *call) sendFile(kind string) any {
	caption := checkText(c.p["caption"], "", maxCaption)
	f := c.attached(kind, kind)
	c.chat()
	c.keepFile(&f)
	return c.send(&Message{File: &f}, caption)
}

// send posts a message of the bot.
func (c *call) send(m *Message, t text) any {
	chat := c.chat()
	m.Topic, m.ReplyTo, m.Buttons = c.topic(chat), c.replyTo(chat), c.keyboard()
	if to := chat.find(m.ReplyTo); to != nil && m.Topic == 0 {
		m.Topic = to.Topic
	}
	m.From, m.Date = c.bot, c.now
	m.set(t)
	m.Silent = c.p.yes("disable_notification")
	m.Lost = c.lost
	chat.drafted = true
	c.post(chat, m)
	c.made = append(c.made, m)
	return c.wire(chat, m, true)
}

// ownMessage returns the message of the bot that a call names.
func (c *call) ownMessage() (*Chat, *Message) {
	chat := c.chat()
	m := chat.find(c.p.number("message_id"))
	switch {
	case m == nil:
		panic(bad("message to edit not found"))
	case m.From.ID != c.bot.ID:
		panic(bad("message can't be edited"))
	}
	return chat, m
}

func (c *call) editMessageText() any {
	t := c.text()
	chat, m := c.ownMessage()
	if m.File != nil {
		panic(bad("there is no text in the message to edit"))
	}
	return c.change(chat, m, t)
}

func (c *call) editMessageReplyMarkup() any {
	chat, m := c.ownMessage()
	return c.change(chat, m, text{m.Text, m.Entities, m.Dropped})
}

// change puts a text and the call's buttons in the place of a message's.
func (c *call) change(chat *Chat, m *Message, t text) any {
	buttons := c.keyboard()
	same := func(a, b any, n, k int) bool { return n == 0 && k == 0 || reflect.DeepEqual(a, b) }
	if m.Text == t.words && same(m.Entities, t.entities, len(m.Entities), len(t.entities)) &&
		same(m.Buttons, buttons, len(m.Buttons), len(buttons)) {
		panic(bad("message is not modified: specified new message content and reply markup are exactly the same as a " +
			"current content and reply markup of the message"))
	}
	m.set(t)
	m.Buttons = buttons
	m.edit(c.now)
	return c.wire(chat, m, true)
}

// deletable is how long a bot can delete a message.
const deletable = 48 * time.Hour

func (c *call) deleteMessage() any {
	chat := c.chat()
	m := chat.find(c.p.number("message_id"))
	if m == nil {
		panic(bad("message to delete not found"))
	}
	admin := chat.members[c.bot.ID].Role == Administrator
	if c.now.Sub(m.Date) > deletable && !admin || m.From.ID != c.bot.ID && !chat.private() && !admin {
		panic(bad("message can't be deleted"))
	}
	chat.remove(m.ID)
	return true
}

// keyboard returns the inline keyboard of a call.
func (c *call) keyboard() [][]Button {
	raw := c.p["reply_markup"]
	if raw == "" {
		return nil
	}
	var markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	}
	if err := json.Unmarshal([]byte(raw), &markup); err != nil {
		panic(bad("can't parse reply keyboard markup JSON object"))
	}
	n := 0
	for _, row := range markup.Rows {
		if len(row) == 0 {
			panic(bad("reply markup has a row without buttons"))
		}
		for _, b := range row {
			switch {
			case strings.TrimSpace(b.Text) == "":
				panic(bad("inline keyboard button text must be non-empty"))
			case b.Data == "" || len(b.Data) > maxData:
				panic(bad("BUTTON_DATA_INVALID"))
			}
		}
		n += len(row)
	}
	switch {
	case n == 0:
		panic(bad("reply markup has no buttons: leave it out to take them away"))
	case n > maxButtons:
		panic(bad("reply markup is too long"))
	}
	return markup.Rows
}
