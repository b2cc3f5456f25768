package client

import (
	"sync"
	"time"
)

// floodChats is the number of chats with a rate limit from which all chats count as limited,
// because Telegram does not say whether it limits the chat or the bot.
const floodChats = 3

// RateLimits remembers until when Telegram wants no messages, by chat. It is safe for concurrent
// use.
type RateLimits struct {
	now   func() time.Time
	mu    sync.Mutex
	until map[int64]time.Time // by chat
	all   time.Time
}

// NewRateLimits returns limits that use this clock.
func NewRateLimits(now func() time.Time) *RateLimits {
	return &RateLimits{now: now, until: map[int64]time.Time{}}
}

// Note records that Telegram wants no messages to a chat for a time.
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
