package telegramtest

import (
	"slices"
	"strconv"
	"time"
)

// Option is something about what is said.
type Option func(*Message)

// ReplyTo makes it a reply.
func ReplyTo(id int64) Option { return func(m *Message) { m.ReplyTo = id } }

// InTopic says it in a topic.
func InTopic(id int64) Option { return func(m *Message) { m.Topic = id } }

// With adds a field of the wire, or replaces one: With("location", map[string]any{...}).
func With(field string, value any) Option { return func(m *Message) { m.extra[field] = value } }

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

func attach(f File) Option { return func(m *Message) { m.File = &f } }

// Say writes a message as a user, and returns its id. Commands, mentions and links in it become entities. The
// bot gets it where it may.
func (c *Chat) Say(u *User, text string, opts ...Option) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m := &Message{From: *u, Date: time.Now(), Text: text, Entities: findEntities(text), extra: map[string]any{}}
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
	m.Text, m.Entities = text, findEntities(text)
	m.edit(time.Now())
	if c.s.sees(c, m) {
		c.s.push("edited_message", c.s.wire(c, m, true))
	}
	c.s.notify()
}

// Delete deletes a message as a person does, about which bots hear nothing.
func (c *Chat) Delete(id int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.remove(id)
	c.s.notify()
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
	Data     string
	At       time.Time
	Answered bool
	Text     string // what was shown for an answer
}

// Press presses the button of a message that has that text, or, where none has, sends button itself as the
// data, as a made-up client can. It returns the id of the callback.
func (c *Chat) Press(u *User, message int64, button string) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	shown := map[string]any{"message_id": message, "date": 0, "chat": c.wire()} // one that is not there any more
	data := button
	if m := c.find(message); m != nil {
		shown = c.s.wire(c, m, true)
		for _, b := range slices.Concat(m.Buttons...) {
			if b.Text == button {
				data = b.Data
			}
		}
	}
	c.s.serial++
	cb := &Callback{ID: strconv.FormatInt(7_000_000_000_000_000_000+c.s.serial, 10), From: *u, Chat: c.ID, Data: data, At: time.Now()}
	c.s.presses = keep(append(c.s.presses, cb), c.s.opts.Keep)
	c.s.push("callback_query", map[string]any{"id": cb.ID, "from": u.wire(), "message": shown, "data": data, "chat_instance": "1"})
	return cb.ID
}

// React has a user react to a message with an emoji, "" with none any more.
func (c *Chat) React(u *User, message int64, emoji string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	now := []any{}
	if emoji != "" {
		now = append(now, map[string]any{"type": "emoji", "emoji": emoji})
	}
	c.s.push("message_reaction", map[string]any{
		"chat": c.wire(), "message_id": message, "user": u.wire(), "date": 1, "old_reaction": []any{}, "new_reaction": now,
	})
}

// PressLabel presses the button of that text below the newest message of the bot that has one, and returns the
// id of the callback; "" where none has.
func (c *Chat) PressLabel(u *User, label string) string {
	for _, m := range slices.Backward(c.FromBot()) {
		if slices.ContainsFunc(slices.Concat(m.Buttons...), func(b Button) bool { return b.Text == label }) {
			return c.Press(u, m.ID, label)
		}
	}
	return ""
}

// press returns the press with that id, or nil. The lock is held.
func (s *Server) press(id string) *Callback {
	if i := slices.IndexFunc(s.presses, func(cb *Callback) bool { return cb.ID == id }); i >= 0 {
		return s.presses[i]
	}
	return nil
}

// Callback returns what became of a press.
func (s *Server) Callback(id string) (cb Callback, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cb := s.press(id); cb != nil {
		return *cb, true
	}
	return Callback{}, false
}

// Toast returns what was shown last to a user of the chat for a press; "" also where nothing was.
func (c *Chat) Toast(u *User) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, cb := range slices.Backward(c.s.presses) {
		if cb.Answered && cb.Chat == c.ID && cb.From.ID == u.ID {
			return cb.Text
		}
	}
	return ""
}
