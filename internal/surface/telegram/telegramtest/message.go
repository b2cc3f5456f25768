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
	Quote     string     // the part of it that is replied to
	Silent    bool
	NoPreview bool // of links
	Edits     int
	Reaction  string // the bot's emoji
	Dropped   int    // entities past the hundredth, or within code
	// Lost says that the bot got no answer to the call that sent it, so that it cannot know that it is there.
	Lost bool

	edited time.Time
	extra  map[string]any // fields of the wire that a tester has added
}

// Entity is a part of a text that is more than text. Offset and Length count units of UTF-16.
type Entity struct {
	Type        string `json:"type"`
	Offset      int    `json:"offset"`
	Length      int    `json:"length"`
	URL         string `json:"url,omitempty"`
	User        *who   `json:"user,omitempty"`
	Language    string `json:"language,omitempty"`
	CustomEmoji string `json:"custom_emoji_id,omitempty"`
}

// who is the user of a text_mention.
type who struct {
	ID int64 `json:"id"`
}

// Button is one below a message.
type Button struct {
	Text  string    `json:"text"`
	Data  string    `json:"callback_data,omitempty"`
	URL   string    `json:"url,omitempty"`
	Copy  *copyText `json:"copy_text,omitempty"`
	Style string    `json:"style,omitempty"`
}

type copyText struct {
	Text string `json:"text"`
}

// File is what a message carries.
type File struct {
	Kind     string // document, photo, voice, audio, video, sticker
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

// post puts a message into a chat, with the next id, and gives it to the bot where the bot may see it.
func (s *Server) post(c *Chat, m *Message) {
	counter := &c.last
	if c.Type != "supergroup" {
		counter = &s.lastMessage // all chats but supergroups count together
	}
	*counter++
	m.ID, m.Chat = *counter, c.ID
	c.messages = append(c.messages, m)
	if len(c.messages) > s.opts.Keep {
		c.messages = slices.Delete(c.messages, 0, len(c.messages)-s.opts.Keep)
	}
	if m.From.ID != s.bot.ID && s.sees(c, m) {
		s.push("message", s.wire(c, m, true))
	}
	s.touch()
}

// wire is a message as the Bot API writes it.
func (s *Server) wire(c *Chat, m *Message, replies bool) map[string]any {
	w := map[string]any{"message_id": m.ID, "from": m.From.wire(), "chat": c.wire(), "date": m.Date.Unix()}
	text, entities := "text", "entities"
	if m.File != nil {
		text, entities = "caption", "caption_entities"
		for k, v := range m.File.wire() {
			w[k] = v
		}
	}
	if m.Text != "" {
		w[text] = m.Text
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
			w["message_thread_id"] = c.root(to) // a thread of replies, which is no topic
		}
		if m.Quote != "" {
			w["quote"] = map[string]any{"text": m.Quote, "position": 0, "is_manual": true}
		}
	}
	maps.Copy(w, m.extra)
	return w
}

// root is the first message of a thread of replies.
func (c *Chat) root(m *Message) int64 {
	for range 1000 {
		to := c.find(m.ReplyTo)
		if to == nil {
			break
		}
		m = to
	}
	return m.ID
}

func (f *File) wire() map[string]any {
	one := map[string]any{"file_id": f.ID, "file_unique_id": "u" + f.ID, "file_size": f.Size}
	switch f.Kind {
	case "photo":
		size := func(id string, side int, bytes int64) map[string]any {
			return map[string]any{"file_id": id, "file_unique_id": "u" + id, "file_size": bytes, "width": side, "height": side}
		}
		full := size(f.ID, 0, f.Size)
		full["width"], full["height"] = f.Width, f.Height
		return map[string]any{"photo": []any{size(f.ID+"-s", 90, thumbSize), size(f.ID+"-m", 320, thumbSize), full}}
	case "voice", "audio", "video", "video_note":
		one["duration"] = f.Duration
	}
	if f.Type != "" {
		one["mime_type"] = f.Type
	}
	if f.Name != "" && f.Kind != "voice" {
		one["file_name"] = f.Name
	}
	return map[string]any{f.Kind: one}
}
