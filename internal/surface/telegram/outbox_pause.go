package telegram

import (
	"sync"
	"time"
)

// floodChats is in how many chats at once Telegram has to ask for silence before all are silent: its answer does not say
// whether it means the chat or the bot.
const floodChats = 3

// sendPauses are the times until which Telegram wants to be left alone.
type sendPauses struct {
	now   func() time.Time
	mu    sync.Mutex
	until map[int64]time.Time // by chat
	all   time.Time
}

func newSendPauses(now func() time.Time) *sendPauses {
	return &sendPauses{now: now, until: map[int64]time.Time{}}
}

// note notes that Telegram wants nothing to be sent to a chat for so long.
func (p *sendPauses) note(chat int64, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	for other, until := range p.until {
		if !until.After(now) {
			delete(p.until, other)
		}
	}
	until := now.Add(d)
	if until.After(p.until[chat]) {
		p.until[chat] = until
	}
	if len(p.until) >= floodChats && until.After(p.all) {
		p.all = until
	}
}

// left is how long nothing may be sent to a chat.
func (p *sendPauses) left(chat int64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	return max(0, p.until[chat].Sub(now), p.all.Sub(now))
}
