package telegramtest

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits are how fast the bot may write: messages, files and changes of messages count, typing and drafts do
// not. A zero field is no limit.
type Limits struct {
	Chat  float64 // a second, in one chat, after a Burst
	Burst int     // at once, in one chat
	Group int     // in any minute, in one group
	All   int     // in any second, in all chats
}

// Usual are the limits that Telegram's FAQ for bots names: one message a second in a chat (short bursts go over
// it), 20 a minute in a group, 30 a second in all.
func Usual() *Limits { return &Limits{Chat: 1, Burst: 5, Group: 20, All: 30} }

// Violation is a call that came before the time that a 429 had named.
type Violation struct {
	Method string
	Chat   string // its chat_id, "" for none
	Early  time.Duration
}

// rates are how fast the bot has been.
type rates struct {
	until      map[string]time.Time // no call of that key may come before
	chats      map[int64]*chatRate
	all        []time.Time
	violations []Violation
}

// chatRate is how fast the bot has been in a chat.
type chatRate struct {
	tokens float64
	at     time.Time
	minute []time.Time
}

// Violations returns the calls that came too early after a 429.
func (s *Server) Violations() []Violation { return copied(s, &s.rates.violations) }

// writes reports whether a method counts as writing.
func writes(method string) bool {
	return method == "sendMessage" || method == "sendDocument" || method == "sendPhoto" || strings.HasPrefix(method, "editMessage")
}

// rateKey is what a 429 holds for: all that writes in a chat, else the method in that chat.
func (c *call) rateKey() string {
	if writes(c.rec.Method) {
		return "write " + c.p["chat_id"]
	}
	return c.rec.Method + " " + c.p["chat_id"]
}

// noteEarly returns a refusal of a call that was to come later, nil for others. The lock is held.
func (c *call) noteEarly() *refusal {
	left := c.rates.until[c.rateKey()].Sub(c.now)
	if left <= 0 {
		delete(c.rates.until, c.rateKey())
		return nil
	}
	c.rates.violations = keep(append(c.rates.violations, Violation{c.rec.Method, c.p["chat_id"], left}), c.opts.Keep)
	return c.retryAfter(left)
}

// retryAfter returns a refusal until d has passed.
func (c *call) retryAfter(d time.Duration) *refusal {
	seconds := int(math.Ceil(d.Seconds()))
	c.rates.until[c.rateKey()] = c.now.Add(time.Duration(seconds) * time.Second)
	return &refusal{code: http.StatusTooManyRequests, text: "Too Many Requests: retry after " + strconv.Itoa(seconds), retry: seconds}
}

// limitRate refuses a call over the limits. The lock is held.
func (c *call) limitRate() {
	if no := c.noteEarly(); no != nil {
		panic(no)
	}
	if c.opts.Limits == nil || !writes(c.rec.Method) {
		return
	}
	l := c.opts.Limits
	id := c.p.number("chat_id")
	chat := c.rates.chats[id]
	if chat == nil {
		chat = &chatRate{tokens: float64(max(l.Burst, 1)), at: c.now}
		c.rates.chats[id] = chat
	}
	chat.minute = after(chat.minute, c.now.Add(-time.Minute))
	c.rates.all = after(c.rates.all, c.now.Add(-time.Second))
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
	if l.All > 0 && len(c.rates.all) >= l.All {
		wait = max(wait, c.rates.all[len(c.rates.all)-l.All].Add(time.Second).Sub(c.now))
	}
	if wait > 0 {
		panic(c.retryAfter(wait))
	}
	chat.tokens--
	chat.minute = append(chat.minute, c.now)
	c.rates.all = append(c.rates.all, c.now)
}

// after drops the times that are not after t.
func after(all []time.Time, t time.Time) []time.Time {
	return slices.DeleteFunc(all, func(at time.Time) bool { return !at.After(t) })
}
