package door

import (
	"context"
	"time"

	"hob/internal/event"
)

// Members knows who is in the groups of a platform.
type Members interface {
	// IsMember reports whether a person is in a group now.
	IsMember(ctx context.Context, p Person, group event.Chat) (bool, error)
}

// How long an answer of [Members] holds, and for how long the last one counts where they cannot be asked.
const (
	memberAge   = time.Minute
	memberGrace = 10 * time.Minute
	maxMembers  = 1000
)

// membership is what [Members] is asked of; the answers are kept for a while.
type membership struct {
	person Person
	group  event.Chat
}

type memberAnswer struct {
	is    bool
	known time.Time // when it was last certain
	asked time.Time
}

// MayWatch reports whether p may read a chat: their own, see [Person.MayRead], and that of a group that they are in.
func (d *Door) MayWatch(ctx context.Context, p Person, chat event.Chat, level event.Level) bool {
	return p.MayRead(chat, level) || d.cfg.Members != nil && !p.IsHost() && chat.Shared() && d.isMember(ctx, p, chat)
}

// isMember asks, at most once in [memberAge] for each person and group.
func (d *Door) isMember(ctx context.Context, p Person, group event.Chat) bool {
	p.Name = ""
	key, now := membership{p, group}, d.cfg.Now()
	old, known := d.members.Get(key)
	if known && now.Sub(old.asked) < memberAge {
		return old.is
	}
	is, err := d.cfg.Members.IsMember(ctx, p, group)
	fresh := memberAnswer{is, now, now}
	if err != nil { // nobody knows: what was known holds for a while
		fresh = memberAnswer{old.is && now.Sub(old.known) < memberGrace, old.known, now}
	}
	d.members.Set(key, fresh)
	return fresh.is
}
