package telegramtest

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Limits are how fast the bot may write: messages, files and changes of messages count, typing and drafts do not. A zero field
// is no limit.
type Limits struct {
	Chat  float64 // a second, in one chat, after a Burst
	Burst int     // at once, in one chat
	Group int     // in any minute, in one group
	All   int     // in any second, in all chats
}

// Usual are the limits that Telegram's FAQ for bots names: one message a second in a chat (short bursts go over it), 20 a minute in
// a group, 30 a second in all.
func Usual() *Limits { return &Limits{Chat: 1, Burst: 5, Group: 20, All: 30} }

// Violation is a call that came before the time that a 429 had named.
type Violation struct {
	Method string
	Chat   string // its chat_id, "" for none
	Early  time.Duration
}

// pace is how fast the bot has been.
type pace struct {
	until      map[string]time.Time // nobody of that key may call before
	chats      map[int64]*spent
	all        []time.Time
	violations []Violation
}

// spent is what a chat has been sent.
type spent struct {
	tokens float64
	at     time.Time
	minute []time.Time
}

// Violations returns the calls that came too early after a 429.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.pace.violations)
}

// writes reports whether a method counts as writing.
func writes(method string) bool {
	return method == "sendMessage" || method == "sendDocument" || method == "sendPhoto" || strings.HasPrefix(method, "editMessage")
}

// key is what a 429 is for: all that writes in a chat, else the method in that chat.
func (c *call) key() string {
	if writes(c.rec.Method) {
		return "write " + c.p["chat_id"]
	}
	return c.rec.Method + " " + c.p["chat_id"]
}

// early refuses who was told to wait and does not. The lock is held.
func (s *Server) early(c *call) *refusal {
	left := s.pace.until[c.key()].Sub(c.now)
	if left <= 0 {
		delete(s.pace.until, c.key())
		return nil
	}
	s.pace.violations = keep(append(s.pace.violations, Violation{c.rec.Method, c.p["chat_id"], left}), s.opts.Keep)
	return s.wait(c, left)
}

// wait tells a caller to wait.
func (s *Server) wait(c *call, d time.Duration) *refusal {
	seconds := int(math.Ceil(d.Seconds()))
	s.pace.until[c.key()] = c.now.Add(time.Duration(seconds) * time.Second)
	return &refusal{code: http.StatusTooManyRequests, text: "Too Many Requests: retry after " + number(seconds), retry: seconds}
}

// tooFast refuses what is over the limits. The lock is held.
func (s *Server) tooFast(c *call) *refusal {
	if no := s.early(c); no != nil {
		return no
	}
	if s.opts.Limits == nil || !writes(c.rec.Method) {
		return nil
	}
	l := s.opts.Limits
	id := c.p.number("chat_id", 0)
	chat := s.pace.chats[id]
	if chat == nil {
		chat = &spent{tokens: float64(max(l.Burst, 1)), at: c.now}
		s.pace.chats[id] = chat
	}
	chat.minute = since(chat.minute, c.now.Add(-time.Minute))
	s.pace.all = since(s.pace.all, c.now.Add(-time.Second))
	var wait time.Duration
	if l.Chat > 0 {
		chat.tokens = min(chat.tokens+c.now.Sub(chat.at).Seconds()*l.Chat, float64(max(l.Burst, 1)))
		if chat.tokens < 1-1e-9 {
			wait = time.Duration((1 - chat.tokens) / l.Chat * float64(time.Second))
		}
	}
	chat.at = c.now
	if l.Group > 0 && id < 0 && len(chat.minute) >= l.Group {
		wait = max(wait, chat.minute[len(chat.minute)-l.Group].Add(time.Minute).Sub(c.now))
	}
	if l.All > 0 && len(s.pace.all) >= l.All {
		wait = max(wait, s.pace.all[len(s.pace.all)-l.All].Add(time.Second).Sub(c.now))
	}
	if wait > 0 {
		return s.wait(c, wait)
	}
	chat.tokens--
	chat.minute = append(chat.minute, c.now)
	s.pace.all = append(s.pace.all, c.now)
	return nil
}

// since drops what is not after a time.
func since(all []time.Time, t time.Time) []time.Time {
	return slices.DeleteFunc(all, func(at time.Time) bool { return !at.After(t) })
}
