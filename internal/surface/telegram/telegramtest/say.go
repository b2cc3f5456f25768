package telegramtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Option is something about what is said.
type Option func(*Message)

// ReplyTo makes it a reply.
func ReplyTo(id int64) Option { return func(m *Message) { m.ReplyTo = id } }

// Quoting makes it a reply to a part of a message.
func Quoting(id int64, part string) Option {
	return func(m *Message) { m.ReplyTo, m.Quote = id, part }
}

// InTopic says it in a topic.
func InTopic(id int64) Option { return func(m *Message) { m.Topic = id } }

// With adds a field of the wire, or replaces one: With("location", map[string]any{...}).
func With(field string, value any) Option { return func(m *Message) { m.extra[field] = value } }

// Entities adds entities to those that Telegram finds by itself.
func Entities(all ...Entity) Option {
	return func(m *Message) { m.Entities = append(m.Entities, all...) }
}

// Forwarded makes it another user's words.
func Forwarded(from User) Option {
	return With("forward_origin", map[string]any{"type": "user", "date": 1, "sender_user": from.wire()})
}

// ForwardedFrom makes it the words of a channel.
func ForwardedFrom(channel int64, title string) Option {
	return With("forward_origin", map[string]any{
		"type": "channel", "date": 1, "message_id": 1,
		"chat": map[string]any{"id": channel, "type": "channel", "title": title},
	})
}

// Via says it through another, inline, bot.
func Via(bot User) Option { return With("via_bot", bot.wire()) }

// Anonymous is an administrator who speaks as the group.
func Anonymous(c *Chat) Option {
	return func(m *Message) {
		m.From = User{ID: 1087968824, Name: "Group", Username: "GroupAnonymousBot", Bot: true}
		m.extra["sender_chat"] = c.wire()
	}
}

// AsChannel is somebody who speaks as a channel.
func AsChannel(id int64, title string) Option {
	return func(m *Message) {
		m.From = User{ID: 136817688, Name: "Channel", Username: "Channel_Bot", Bot: true}
		m.extra["sender_chat"] = map[string]any{"id": id, "type": "channel", "title": title}
	}
}

// Album makes it a part of several pictures sent as one.
func Album(id string) Option { return With("media_group_id", id) }

// Document attaches a file; the text is its caption.
func Document(name, mime string, data []byte) Option {
	return attach(File{Kind: "document", Name: name, Type: mime, Data: data})
}

// BigDocument attaches a file of which Telegram says that it has so many bytes, and which is empty: larger than 20 MB a
// bot does not get it.
func BigDocument(name, mime string, size int64) Option {
	return attach(File{Kind: "document", Name: name, Type: mime, Size: size})
}

// Photo attaches a picture in three sizes, of which data is the largest.
func Photo(width, height int, data []byte) Option {
	return attach(File{Kind: "photo", Width: width, Height: height, Type: "", Data: data})
}

// Voice attaches a recording of so many seconds.
func Voice(seconds int, data []byte) Option {
	return attach(File{Kind: "voice", Type: "audio/ogg", Duration: seconds, Data: data})
}

func attach(f File) Option { return func(m *Message) { g := f; m.File = &g } }

// Say writes a message as a user, and returns its id. Commands, mentions and links in it become entities. The bot gets it
// where it may.
func (c *Chat) Say(u *User, text string, opts ...Option) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m := &Message{From: *u, Date: c.s.opts.Now(), Text: text, Entities: found(text), extra: map[string]any{}}
	for _, o := range opts {
		o(m)
	}
	if m.File != nil {
		c.s.keepFile(m.File)
	}
	c.s.post(c, m)
	return m.ID
}

// Edit changes what a user has said.
func (c *Chat) Edit(id int64, text string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m := c.find(id)
	if m == nil {
		return
	}
	m.Text, m.Entities = text, found(text)
	m.Edits++
	m.edited = c.s.opts.Now()
	if c.s.sees(c, m) {
		c.s.push("edited_message", c.s.wire(c, m, true))
	}
	c.s.touch()
}

// Delete deletes a message as a person does, of which bots are not told.
func (c *Chat) Delete(id int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.remove(id)
	c.s.touch()
}

func (c *Chat) remove(id int64) {
	c.messages = slices.DeleteFunc(c.messages, func(m *Message) bool { return m.ID == id })
	c.deleted = keep(append(c.deleted, id), c.s.opts.Keep)
}

// Callback is a press of a button.
type Callback struct {
	ID       string
	From     User
	Chat     int64
	Message  int64
	Data     string
	At       time.Time
	Answered bool
	Text     string // what was shown for an answer
	Alert    bool
}

// Press presses the button of a message that has that text, or, where none has, sends button itself as the data, as whoever has
// made up a client can. It returns the id of the callback; "" where the message's button opens a link.
func (c *Chat) Press(u *User, message int64, button string) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m := c.find(message)
	shown := map[string]any{"message_id": message, "date": 0, "chat": c.wire()} // one that is not there any more
	data := button
	if m != nil {
		shown = c.s.wire(c, m, true)
		for _, b := range slices.Concat(m.Buttons...) {
			if b.Text == button {
				data = b.Data
			}
		}
	}
	if data == "" {
		return ""
	}
	c.s.serial++
	cb := &Callback{ID: strconv.FormatInt(7_000_000_000_000_000_000+c.s.serial, 10), From: *u, Chat: c.ID, Message: message,
		Data: data, At: c.s.opts.Now()}
	c.s.asked[cb.ID] = cb
	c.s.askedIDs = append(c.s.askedIDs, cb.ID)
	if len(c.s.askedIDs) > c.s.opts.Keep {
		delete(c.s.asked, c.s.askedIDs[0])
		c.s.askedIDs = c.s.askedIDs[1:]
	}
	c.s.push("callback_query", map[string]any{
		"id": cb.ID, "from": u.wire(), "message": shown, "data": data, "chat_instance": fmt.Sprint(c.ID),
	})
	return cb.ID
}

// Callback returns what became of a press.
func (s *Server) Callback(id string) (cb Callback, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cb := s.asked[id]; cb != nil {
		return *cb, true
	}
	return Callback{}, false
}

// Inject queues a value of JSON as it is, of whatever kind it says it is. One with an update_id that was used before, or without
// one, is delivered once, with the next answer; without one that is an object gets the next. It panics where raw is no JSON.
func (s *Server) Inject(raw string) {
	if !json.Valid([]byte(raw)) {
		panic("telegramtest: an update that is injected is valid JSON; for an answer that is not, use the fault NotJSON")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var head struct {
		ID *int64 `json:"update_id"`
	}
	_ = json.Unmarshal([]byte(raw), &head)
	q := queued{raw: json.RawMessage(raw), at: s.opts.Now()}
	if head.ID == nil && strings.HasPrefix(strings.TrimSpace(raw), "{") {
		var fields map[string]json.RawMessage
		_ = json.Unmarshal([]byte(raw), &fields)
		fields["update_id"] = json.RawMessage(strconv.FormatInt(s.next, 10))
		q.raw, _ = json.Marshal(fields)
		head.ID = &s.next
	}
	if head.ID == nil || *head.ID < s.next {
		q.loose = true
	} else {
		q.id = *head.ID
		s.next = q.id + 1
	}
	s.queue = append(s.queue, q)
	s.touch()
}

// keep returns the last n of all.
func keep[T any](all []T, n int) []T {
	if len(all) > n {
		all = slices.Delete(all, 0, len(all)-n)
	}
	return all
}
