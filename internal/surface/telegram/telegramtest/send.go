package telegramtest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// target is the chat that a call names, where the bot may write.
func (s *Server) target(c *call) (*Chat, *refusal) {
	chat, no := s.named(c)
	if no == nil && chat.refuses != nil {
		no = chat.refuses
	}
	return chat, no
}

// named is the chat that a call names.
func (s *Server) named(c *call) (*Chat, *refusal) {
	if c.p["chat_id"] == "" {
		return nil, bad("chat_id is empty")
	}
	id, err := strconv.ParseInt(c.p["chat_id"], 10, 64)
	chat := s.chats[id]
	if err != nil || chat == nil {
		return nil, bad("chat not found")
	}
	if chat.movedTo != 0 {
		no := bad("group chat was upgraded to a supergroup chat")
		no.migrate = chat.movedTo
		return nil, no
	}
	return chat, nil
}

// thread is the topic that a call names.
func (c *call) thread(chat *Chat) (int64, *refusal) {
	id := c.p.number("message_thread_id", 0)
	if id == 0 {
		return 0, nil
	}
	open, known := chat.topics[id]
	switch {
	case !known:
		return 0, bad("message thread not found")
	case !open:
		return 0, bad("TOPIC_CLOSED")
	}
	return id, nil
}

// replied is what a call's message answers, by either of the two ways to say it.
func (c *call) replied(chat *Chat) (id int64, quote string, no *refusal) {
	var to struct {
		Message int64           `json:"message_id"`
		Without bool            `json:"allow_sending_without_reply"`
		Quote   string          `json:"quote"`
		Chat    json.RawMessage `json:"chat_id"`
	}
	to.Message = c.p.number("reply_to_message_id", 0)
	to.Without = c.p.yes("allow_sending_without_reply")
	if raw := c.p["reply_parameters"]; raw != "" {
		if err := json.Unmarshal([]byte(raw), &to); err != nil {
			return 0, "", bad("can't parse reply parameters JSON object")
		}
	}
	if to.Message == 0 {
		return 0, "", nil
	}
	m := chat.find(to.Message)
	switch {
	case m == nil && to.Without:
		return 0, "", nil
	case m == nil:
		return 0, "", bad("message to be replied not found")
	case to.Quote != "" && !strings.Contains(m.Text, to.Quote):
		return 0, "", bad("QUOTE_TEXT_INVALID")
	}
	return to.Message, to.Quote, nil
}

// text is the text of a call, which is something.
func (c *call) text() (words, *refusal) {
	if c.p["text"] == "" {
		return words{}, bad("message text is empty")
	}
	w, no := c.words("text", "entities", maxText)
	if no == nil && invisible(w.text) {
		no = bad("text must be non-empty")
	}
	return w, no
}

func (s *Server) sendMessage(c *call) (any, *refusal) {
	w, no := c.text()
	if no != nil {
		return nil, no
	}
	var preview struct {
		Disabled bool `json:"is_disabled"`
	}
	if raw := c.p["link_preview_options"]; raw != "" {
		if err := json.Unmarshal([]byte(raw), &preview); err != nil {
			return nil, bad("can't parse link preview options JSON object")
		}
	}
	m := &Message{NoPreview: preview.Disabled || c.p.yes("disable_web_page_preview")}
	return s.send(c, m, w)
}

func (s *Server) sendDocument(c *call) (any, *refusal) { return s.sendFile(c, "document") }
func (s *Server) sendPhoto(c *call) (any, *refusal)    { return s.sendFile(c, "photo") }

// sendFile sends an upload, or a file that the server knows by its id.
func (s *Server) sendFile(c *call, kind string) (any, *refusal) {
	w, no := c.words("caption", "caption_entities", maxCaption)
	if no != nil {
		return nil, no
	}
	f, no := s.carried(c, kind, c.p[kind])
	if no != nil {
		return nil, no
	}
	if _, no := s.target(c); no != nil {
		return nil, no
	}
	s.keepFile(&f)
	return s.send(c, &Message{File: &f}, w)
}

// send posts a message of the bot.
func (s *Server) send(c *call, m *Message, w words) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	if m.Topic, no = c.thread(chat); no != nil {
		return nil, no
	}
	if m.ReplyTo, m.Quote, no = c.replied(chat); no != nil {
		return nil, no
	}
	if m.Buttons, no = c.keyboard(); no != nil {
		return nil, no
	}
	if to := chat.find(m.ReplyTo); to != nil && m.Topic == 0 {
		m.Topic = to.Topic
	}
	m.From, m.Date = s.bot, c.now
	m.Text, m.Entities, m.Dropped = w.text, w.entities, w.dropped
	m.Silent = c.p.yes("disable_notification")
	m.Lost = c.lost
	chat.drafted = true
	s.post(chat, m)
	c.made = append(c.made, m)
	return s.wire(chat, m, true), nil
}

// mine is the message of the bot that a call names.
func (s *Server) mine(c *call) (*Chat, *Message, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, nil, no
	}
	m := chat.find(c.p.number("message_id", 0))
	switch {
	case c.p["message_id"] == "":
		return nil, nil, bad("message identifier is not specified")
	case m == nil:
		return nil, nil, bad("message to edit not found")
	case m.From.ID != s.bot.ID:
		return nil, nil, bad("message can't be edited")
	}
	return chat, m, nil
}

func (s *Server) editMessageText(c *call) (any, *refusal) {
	w, no := c.text()
	if no != nil {
		return nil, no
	}
	chat, m, no := s.mine(c)
	if no != nil {
		return nil, no
	}
	if m.File != nil {
		return nil, bad("there is no text in the message to edit")
	}
	return s.change(c, chat, m, w)
}

func (s *Server) editMessageCaption(c *call) (any, *refusal) {
	w, no := c.words("caption", "caption_entities", maxCaption)
	if no != nil {
		return nil, no
	}
	chat, m, no := s.mine(c)
	if no != nil {
		return nil, no
	}
	if m.File == nil {
		return nil, bad("there is no caption in the message to edit")
	}
	return s.change(c, chat, m, w)
}

func (s *Server) editMessageReplyMarkup(c *call) (any, *refusal) {
	chat, m, no := s.mine(c)
	if no != nil {
		return nil, no
	}
	return s.change(c, chat, m, words{m.Text, m.Entities, m.Dropped})
}

// change puts words and the call's buttons in the place of a message's.
func (s *Server) change(c *call, chat *Chat, m *Message, w words) (any, *refusal) {
	buttons, no := c.keyboard()
	if no != nil {
		return nil, no
	}
	same := func(a, b any, n, k int) bool { return n == 0 && k == 0 || reflect.DeepEqual(a, b) }
	if m.Text == w.text && same(m.Entities, w.entities, len(m.Entities), len(w.entities)) &&
		same(m.Buttons, buttons, len(m.Buttons), len(buttons)) {
		return nil, bad("message is not modified: specified new message content and reply markup are exactly the same as a " +
			"current content and reply markup of the message")
	}
	m.Text, m.Entities, m.Dropped, m.Buttons = w.text, w.entities, w.dropped, buttons
	m.Edits++
	m.edited = c.now
	return s.wire(chat, m, true), nil
}

// deletable is how long a bot can delete what was said.
const deletable = 48 * time.Hour

func (s *Server) deleteMessage(c *call) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	m := chat.find(c.p.number("message_id", 0))
	if m == nil {
		return nil, bad("message to delete not found")
	}
	admin := chat.members[s.bot.ID].Role == Administrator
	if c.now.Sub(m.Date) > deletable && !admin || m.From.ID != s.bot.ID && !chat.private() && !admin {
		return nil, bad("message can't be deleted")
	}
	chat.remove(m.ID)
	return true, nil
}

// keyboard is the inline keyboard of a call, and refuses what Telegram refuses.
func (c *call) keyboard() ([][]Button, *refusal) {
	raw := c.p["reply_markup"]
	if raw == "" {
		return nil, nil
	}
	var markup struct {
		Inline [][]Button `json:"inline_keyboard"`
	}
	if err := json.Unmarshal([]byte(raw), &markup); err != nil {
		return nil, bad("can't parse reply keyboard markup JSON object")
	}
	n := 0
	for _, row := range markup.Inline {
		if len(row) == 0 {
			return nil, bad("reply markup has a row without buttons")
		}
		for _, b := range row {
			if no := b.check(); no != nil {
				return nil, no
			}
			n++
		}
	}
	switch {
	case n == 0:
		return nil, bad("reply markup has no buttons: leave it out to take them away")
	case n > maxButtons:
		return nil, bad("reply markup is too long")
	}
	return markup.Inline, nil
}

func (b Button) check() *refusal {
	kinds := 0
	for _, has := range []bool{b.Data != "", b.URL != "", b.Copy != nil} {
		if has {
			kinds++
		}
	}
	switch {
	case strings.TrimSpace(b.Text) == "":
		return bad("inline keyboard button text must be non-empty")
	case len(b.Data) > maxData, kinds == 0:
		return bad("BUTTON_DATA_INVALID")
	case !slices.Contains([]string{"", "default", "primary", "danger", "success"}, b.Style):
		return bad("can't parse inline keyboard button: invalid button style specified")
	case kinds > 1:
		return bad("inline keyboard button must have exactly one action")
	case b.URL != "" && !strings.Contains(b.URL, ":"):
		return bad("BUTTON_URL_INVALID")
	case b.Copy != nil && (b.Copy.Text == "" || units(b.Copy.Text) > 256):
		return bad("BUTTON_COPY_TEXT_INVALID")
	}
	return nil
}
