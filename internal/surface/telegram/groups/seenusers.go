package groups

import (
	"slices"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// SeenUsers remembers the people who wrote in groups since the start, as Telegram named them then.
// A bot cannot list a group, nor look up an id by a user name. The zero SeenUsers is ready to use.
// It is safe for concurrent use.
type SeenUsers struct {
	mu     sync.Mutex
	groups map[int64][]seenUser // the latest last
}

type seenUser struct {
	client.User
	at time.Time
}

const (
	maxUsers  = 200 // in a group
	maxGroups = 100
)

// Observe records the author of a message in an admitted group, and the author of the message that
// it answers.
func (s *SeenUsers) Observe(m *client.Message, now time.Time) {
	if m.Chat.ID >= 0 {
		return
	}
	for _, m := range []*client.Message{m.RepliesTo(), m} {
		if m != nil && m.From.IsPerson() && m.SenderChat == nil {
			s.note(m.Chat.ID, *m.From, now)
		}
	}
}

func (s *SeenUsers) note(group int64, u client.User, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.groups == nil {
		s.groups = map[int64][]seenUser{}
	}
	all, known := s.groups[group]
	if !known && len(s.groups) >= maxGroups {
		s.forgetOldest()
	}
	all = slices.DeleteFunc(all, func(old seenUser) bool { return old.ID == u.ID })
	if len(all) >= maxUsers {
		all = slices.Delete(all, 0, len(all)-maxUsers+1)
	}
	s.groups[group] = append(all, seenUser{u, now})
}

// forgetOldest forgets the group that was silent for the longest time.
func (s *SeenUsers) forgetOldest() {
	oldest, at := int64(0), time.Time{}
	for group, all := range s.groups {
		if last := all[len(all)-1].at; oldest == 0 || last.Before(at) {
			oldest, at = group, last
		}
	}
	delete(s.groups, oldest)
}

// Members returns the people who wrote in a group, the latest first.
func (s *SeenUsers) Members(group int64) []event.Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]event.Member, 0, len(s.groups[group]))
	for _, a := range slices.Backward(s.groups[group]) {
		all = append(all, memberOf(a.User))
	}
	return all
}

// memberOf returns a user as a member, under the names that they chose.
func memberOf(u client.User) event.Member {
	return event.Member{ID: u.ID, Name: chat.OneLine(u.First+" "+u.Last, 64), Handle: chat.OneLine(u.Username, 32), Bot: u.IsBot}
}
