package telegramtest

import (
	"bytes"
	"maps"
	"slices"
	"time"
)

// Message is one as it is shown now.
type Message struct {
	ID        int64
	Chat      int64
	Topic     int64 // 0 for none
	From      User
	Date      time.Time
	Text      string // or the caption of File
	Entities  []Entity
	Buttons   [][]Button // rows
	File      *File      // nil for none
	ReplyTo   int64      // 0 for none
	Silent    bool
	NoPreview bool // of links
	Edits     int
	Dropped   int // entities past the hundredth, or within code
	// Lost says that the bot got no answer to the call that sent it, so that it cannot know that it is there.
	Lost bool

	edited time.Time
	extra  map[string]any // fields of the wire that a test has added
}

// Entity is a part of a text that is more than text. Offset and Length count units of UTF-16.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
}

// Button is one below a message.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data,omitempty"`
}

// File is a file of a message.
type File struct {
	Kind     string // document, photo or voice
	ID       string // of the largest
	Name     string
	Type     string // MIME
	Data     []byte
	Size     int64 // what Telegram says of it
	Width    int
	Height   int
	Duration int // seconds
}

func (m *Message) copy() Message {
	c := *m
	c.Entities = slices.Clone(m.Entities)
	c.Buttons = slices.Clone(m.Buttons)
	if m.File != nil {
		f := *m.File
		f.Data = bytes.Clone(f.Data)
		c.File = &f
	}
	return c
}

// set puts a text in the place of the one there is.
func (m *Message) set(t text) { m.Text, m.Entities, m.Dropped = t.words, t.entities, t.dropped }

// edit notes that a message was changed.
func (m *Message) edit(now time.Time) {
	m.Edits++
	m.edited = now
}

// post puts a message into a chat, with the next id, and gives it to the bot where the bot may see it.
func (s *Server) post(c *Chat, m *Message) {
	counter := &c.last
	if c.Type != "supergroup" {
		counter = &s.lastMessage // all chats but supergroups count together
	}
	*counter++
	m.ID, m.Chat = *counter, c.ID
	c.messages = keep(append(c.messages, m), s.opts.Keep)
	if m.From.ID != s.bot.ID && s.sees(c, m) {
		s.push("message", s.wire(c, m, true))
	}
	s.notify()
}

// wire returns a message as the Bot API writes it.
func (s *Server) wire(c *Chat, m *Message, replies bool) map[string]any {
	w := map[string]any{"message_id": m.ID, "from": m.From.wire(), "chat": c.wire(), "date": m.Date.Unix()}
	words, entities := "text", "entities"
	if m.File != nil {
		words, entities = "caption", "caption_entities"
		w[m.File.Kind] = m.File.wire()
	}
	if m.Text != "" {
		w[words] = m.Text
	}
	if len(m.Entities) > 0 {
		w[entities] = m.Entities
	}
	if len(m.Buttons) > 0 {
		w["reply_markup"] = map[string]any{"inline_keyboard": m.Buttons}
	}
	if m.Topic != 0 {
		w["message_thread_id"] = m.Topic
		w["is_topic_message"] = true
	}
	if m.Edits > 0 {
		w["edit_date"] = m.edited.Unix()
	}
	if to := c.find(m.ReplyTo); to != nil && replies {
		w["reply_to_message"] = s.wire(c, to, false)
		if c.Type == "supergroup" && m.Topic == 0 {
			w["message_thread_id"] = to.ID // a thread of replies, which is no topic
		}
	}
	maps.Copy(w, m.extra)
	return w
}

func (f *File) wire() any {
	one := map[string]any{"file_id": f.ID, "file_unique_id": "u" + f.ID, "file_size": f.Size}
	switch f.Kind {
	case "photo":
		size := func(id string, width, height int, bytes int64) map[string]any {
			return map[string]any{"file_id": id, "file_unique_id": "u" + id, "file_size": bytes, "width": width, "height": height}
		}
		return []any{size(f.ID+"-s", 90, 90, thumbSize), size(f.ID+"-m", 320, 320, thumbSize), size(f.ID, f.Width, f.Height, f.Size)}
	case "voice":
		one["duration"] = f.Duration
	}
	if f.Type != "" {
		one["mime_type"] = f.Type
	}
	if f.Name != "" {
		one["file_name"] = f.Name
	}
	return one
}
