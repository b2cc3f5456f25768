package client

import (
	"sync"
	"time"
)

// floodChats is in how many chats at once Telegram has to ask for silence before all are silent: its answer
// does not say whether it means the chat or the bot.
const floodChats = 3

// RateLimits keep until when Telegram wants no messages, by chat. They are safe for concurrent use.
type RateLimits struct {
	now   func() time.Time
	mu    sync.Mutex
	until map[int64]time.Time // by chat
	all   time.Time
}

// NewRateLimits returns limits by that clock.
func NewRateLimits(now func() time.Time) *RateLimits {
	return &RateLimits{now: now, until: map[int64]time.Time{}}
}

// Note notes that Telegram wants no messages to a chat for so long.
func (l *RateLimits) Note(chat int64, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for other, until := range l.until {
		if !until.After(now) {
			delete(l.until, other)
		}
	}
	until := now.Add(d)
	if until.After(l.until[chat]) {
		l.until[chat] = until
	}
	if len(l.until) >= floodChats && until.After(l.all) {
		l.all = until
	}
}

// Left returns how long nothing may be sent to a chat.
func (l *RateLimits) Left(chat int64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	return max(0, l.until[chat].Sub(now), l.all.Sub(now))
}
