package telegram

import (
	"slices"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// met are those who were heard in groups since the start, as Telegram named them then: a bot cannot ask who is in a group, and
// cannot find a number by a user name. The zero met is ready. It is safe for concurrent use.
type met struct {
	mu sync.Mutex
	of map[int64][]acquaintance // by group, the last heard last
}

type acquaintance struct {
	client.User
	at time.Time
}

const (
	maxMet       = 200 // in a group
	maxMetGroups = 100
)

// hear notes who has written a message in a group that was let in, and whom it answers.
func (k *met) hear(m *client.Message, now time.Time) {
	if m.Chat.ID >= 0 {
		return
	}
	if r := m.RepliesTo(); r != nil && r.From != nil && r.SenderChat == nil {
		k.note(m.Chat.ID, *r.From, now)
	}
	if m.From != nil && m.SenderChat == nil {
		k.note(m.Chat.ID, *m.From, now)
	}
}

func (k *met) note(group int64, u client.User, now time.Time) {
	if u.IsBot || u.ID <= 0 || u.ID == client.AnonymousAdmin {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[int64][]acquaintance{}
	}
	all, known := k.of[group]
	if !known && len(k.of) >= maxMetGroups {
		k.forgetOldest()
	}
	all = slices.DeleteFunc(all, func(a acquaintance) bool { return a.ID == u.ID })
	if len(all) >= maxMet {
		all = slices.Delete(all, 0, len(all)-maxMet+1)
	}
	k.of[group] = append(all, acquaintance{u, now})
}

// forgetOldest forgets the group in which nobody was heard for the longest time.
func (k *met) forgetOldest() {
	oldest, at := int64(0), time.Time{}
	for group, all := range k.of {
		if last := all[len(all)-1].at; oldest == 0 || last.Before(at) {
			oldest, at = group, last
		}
	}
	delete(k.of, oldest)
}

// in returns who was heard in a group, the last heard first.
func (k *met) in(group int64) []event.Member {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := make([]event.Member, 0, len(k.of[group]))
	for _, a := range slices.Backward(k.of[group]) {
		all = append(all, memberOf(a.User))
	}
	return all
}

// memberOf is what a user says of themselves.
func memberOf(u client.User) event.Member {
	return event.Member{ID: u.ID, Name: chat.OneLine(u.First+" "+u.Last, 64), Handle: chat.OneLine(u.Username, 32), Bot: u.IsBot}
}
