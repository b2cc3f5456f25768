package telegramtest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"hob/internal/lists"
)

// User is somebody, or a bot.
type User struct {
	ID       int64
	Name     string // first name
	Username string // "" for none
	Bot      bool
	Lang     string // of their app, such as "ru"; "" for none
}

func (u User) wire() map[string]any {
	w := map[string]any{"id": u.ID, "is_bot": u.Bot, "first_name": u.Name}
	if u.Username != "" {
		w["username"] = u.Username
	}
	if u.Lang != "" {
		w["language_code"] = u.Lang
	}
	return w
}

// Roles of members, as Telegram calls them.
const (
	Creator       = "creator"
	Administrator = "administrator"
	Ordinary      = "member"
	Restricted    = "restricted"
	Left          = "left"
	Banned        = "kicked"
)

// Member is a user in a group.
type Member struct {
	User *User
	Role string // "" for [Ordinary]

	Rights []string  // of an [Administrator], such as "can_pin_messages"
	By     int64     // the bot, where it has made them one
	Muted  bool      // they may not write
	Until  time.Time // when that ends; zero for never
}

// Chat is a private chat or a group. Its methods are what its people do and what they see.
type Chat struct {
	ID    int64
	Type  string // private, group or supergroup
	Title string

	s        *Server
	user     *User // of a private chat
	members  map[int64]Member
	refuses  *refusal       // of whatever the bot does, or nil
	movedTo  int64          // the chat has become that one
	topics   map[int64]bool // those that are there
	messages []*Message     // by id
	last     int64          // id of a message
	pinned   []int64        // messages, the last one last
	deleted  []int64
	actions  []Action
	drafts   []Draft
	drafted  bool // a message has taken the place of the last draft
}

// User returns the user with that id, and makes them on the first call: their user name is the name in small letters.
func (s *Server) User(id int64, name string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ok := s.users[id]
	if !ok {
		u = &User{ID: id, Name: name, Username: strings.ToLower(strings.ReplaceAll(name, " ", "_"))}
		s.users[id] = u
	}
	return u
}

// Private returns the chat of a user with the bot, which they have started.
func (s *Server) Private(u *User) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addChat(u.ID, "private", u.Name, u)
}

// Group returns the group with that negative id, and makes it on the first call: a supergroup where the id
// begins with -100 and has 13 digits. The bot is an ordinary member.
func (s *Server) Group(id int64, title string, members ...Member) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	kind := "group"
	if id <= -1_000_000_000_000 {
		kind = "supergroup"
	}
	g := s.addChat(id, kind, title, nil)
	for _, m := range append(members, Member{User: &s.bot}) {
		m.Role = cmp.Or(m.Role, Ordinary)
		if _, in := g.members[m.User.ID]; !in || m.User.ID != s.bot.ID {
			g.members[m.User.ID] = m
		}
	}
	return g
}

func (s *Server) addChat(id int64, kind, title string, u *User) *Chat {
	c, ok := s.chats[id]
	if !ok {
		c = &Chat{ID: id, Type: kind, Title: title, s: s, user: u, members: map[int64]Member{}, topics: map[int64]bool{}}
		s.chats[id] = c
	}
	return c
}

func (c *Chat) private() bool { return c.user != nil }

func (c *Chat) wire() map[string]any {
	if c.private() {
		return map[string]any{"id": c.ID, "type": c.Type, "first_name": c.user.Name, "username": c.user.Username}
	}
	return map[string]any{"id": c.ID, "type": c.Type, "title": c.Title, "is_forum": len(c.topics) > 0}
}

// Block makes the user of a private chat block the bot, which gets 403 from then on.
func (c *Chat) Block() { c.setRefusal(forbidden("bot was blocked by the user")) }

// Kick throws the bot out of a group: it gets 403 from then on.
func (c *Chat) Kick() { c.setRefusal(forbidden("bot was kicked from the " + c.Type + " chat")) }

// Accept takes back Block and Kick.
func (c *Chat) Accept() { c.setRefusal(nil) }

func (c *Chat) setRefusal(no *refusal) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.refuses = no
}

// Join gives a user, or the bot, a role in the group.
func (c *Chat) Join(u *User, role string) { c.setMember(Member{User: u, Role: role}) }

// JoinBot gives the bot a role in the group: an [Administrator] sees all messages.
func (c *Chat) JoinBot(role string) { c.Join(&c.s.bot, role) }

func (c *Chat) setMember(m Member) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.members[m.User.ID] = m
}

// Topic opens the topic of that id, whose root message it is. A group with topics is a forum.
func (c *Chat) Topic(id int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.topics[id] = true
	c.last = max(c.last, id)
}

// Migrate makes a group the supergroup of that id, and tells the bot in both.
func (c *Chat) Migrate(id int64) *Chat {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	n := c.s.addChat(id, "supergroup", c.Title, nil)
	maps.Copy(n.members, c.members)
	c.movedTo = id
	from := User{ID: id, Name: c.Title}
	for _, m := range c.members {
		if m.Role == Creator {
			from = *m.User
		}
	}
	now := time.Now()
	c.s.post(c, &Message{From: from, Date: now, extra: map[string]any{"migrate_to_chat_id": id}})
	c.s.post(n, &Message{From: from, Date: now, extra: map[string]any{"migrate_from_chat_id": c.ID}})
	return n
}

// Messages returns what a person sees in the chat now, by id.
func (c *Chat) Messages() []Message {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return lists.Map(c.messages, (*Message).copy)
}

// Message returns one of Messages; known is false where there is none, or none any more.
func (c *Chat) Message(id int64) (m Message, known bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if m := c.find(id); m != nil {
		return m.copy(), true
	}
	return Message{}, false
}

// FromBot returns those of Messages that the bot has sent.
func (c *Chat) FromBot() []Message {
	return slices.DeleteFunc(c.Messages(), func(m Message) bool { return m.From.ID != c.s.bot.ID })
}

// BotTexts returns the texts of the messages that the bot has sent and that are still there. A file stands before its caption.
func (c *Chat) BotTexts() (all []string) {
	for _, m := range c.FromBot() {
		if m.File != nil {
			m.Text = "<" + m.File.Kind + " " + m.File.Name + "> " + m.Text
		}
		all = append(all, m.Text)
	}
	return all
}

// copied returns what a list holds now.
func copied[T any](s *Server, list *[]T) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(*list)
}

// Deleted returns the ids of messages that were deleted, in order.
func (c *Chat) Deleted() []int64 { return copied(c.s, &c.deleted) }

// Action is a "typing".
type Action struct {
	Topic int64
	At    time.Time
}

// Actions returns when the bot was seen typing, in order.
func (c *Chat) Actions() []Action { return copied(c.s, &c.actions) }

// Typing reports whether the bot is shown as typing: for 5 seconds or until it writes.
func (c *Chat) Typing() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	n := len(c.actions)
	if n == 0 || time.Since(c.actions[n-1].At) >= 5*time.Second {
		return false
	}
	for _, m := range slices.Backward(c.messages) {
		if m.From.ID == c.s.bot.ID {
			return m.Date.Before(c.actions[n-1].At)
		}
	}
	return true
}

// Draft is one state of a message that is being written. Empty text shows "Thinking...".
type Draft struct {
	ID       int64
	Text     string
	Entities []Entity
	CanStop  bool
	At       time.Time
}

// Drafts returns all states of drafts, in order.
func (c *Chat) Drafts() []Draft { return copied(c.s, &c.drafts) }

// Draft returns what is being written in the chat now, as a client shows it: the last draft, for 30 seconds or
// until the next message.
func (c *Chat) Draft() (d Draft, shown bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if len(c.drafts) == 0 {
		return Draft{}, false
	}
	d = c.drafts[len(c.drafts)-1]
	return d, !c.drafted && time.Since(d.At) < 30*time.Second
}

// find returns a message that is there, or nil.
func (c *Chat) find(id int64) *Message {
	i, ok := slices.BinarySearchFunc(c.messages, id, func(m *Message, id int64) int { return int(m.ID - id) })
	if !ok {
		return nil
	}
	return c.messages[i]
}
