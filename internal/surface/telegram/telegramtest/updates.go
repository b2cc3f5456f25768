package telegramtest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// queued is an update that the bot has not confirmed.
type queued struct {
	id    int64
	raw   json.RawMessage
	at    time.Time
	loose bool // delivered once, whatever the offset
}

// poll is a getUpdates that waits.
type poll struct {
	ended chan struct{} // closed by whoever takes its place
	why   string
}

// pollMemory is what the server remembers of the last getUpdates, to slow down who asks without end.
type pollMemory struct {
	offset int64
	at     time.Time
	fought time.Time // no conflict is told at once before then
}

const (
	keepUpdates  = 24 * time.Hour
	maxPoll      = 50 * time.Second
	future       = 10 // an offset that is so far past the last update is not believed
	conflictRest = 3 * time.Second
)

// push queues an update, unless the bot did not ask for such ones, which get no id. The lock is held.
func (s *Server) push(kind string, value any) {
	allowed := slices.Contains(s.allowed, kind)
	if s.allowed == nil {
		allowed = !slices.Contains([]string{"chat_member", "message_reaction", "message_reaction_count"}, kind)
	}
	if allowed {
		id := s.next
		s.next++
		raw, err := json.Marshal(map[string]any{"update_id": id, kind: value})
		if err != nil {
			panic("telegramtest: an update cannot be written: " + err.Error())
		}
		s.queue = keep(append(s.queue, queued{id: id, raw: raw, at: s.opts.Now()}), s.opts.Keep)
	}
	s.touch()
}

// LastUpdate is the id of the last update, delivered or not.
func (s *Server) LastUpdate() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next - 1
}

// Pending is how many updates the bot has not confirmed.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// getUpdates answers with what is queued, or waits for it.
func (s *Server) getUpdates(ctx context.Context, c *call, f Fault) (any, *refusal) {
	s.mu.Lock()
	if s.webhook != "" {
		s.mu.Unlock()
		return nil, s.conflict(ctx, "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	offset, limit, timeout := s.readPoll(c.p)
	s.endPoll("terminated by other getUpdates request; make sure that only one bot instance is running")
	s.confirm(offset)
	s.touch() // whoever waits for an update to be confirmed
	me := &poll{ended: make(chan struct{})}
	s.poll = me
	defer s.leave(me)
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for last := timeout == 0; ; {
		got := s.take(limit)
		changed := s.changed
		down := s.gone(c)
		s.mu.Unlock()
		if len(got) > 0 || last || down || ctx.Err() != nil {
			return disturbed(got, f), nil
		}
		select {
		case <-changed:
		case <-me.ended:
			return nil, s.conflict(ctx, me.why)
		case <-timer.C:
			last = true
		case <-ctx.Done():
		}
		s.mu.Lock()
	}
}

// readPoll reads what a getUpdates asks for, and slows it down where it asks the same again at once.
func (s *Server) readPoll(p params) (offset, limit int64, timeout time.Duration) {
	offset = p.number("offset", 0)
	limit = min(max(p.number("limit", 100), 1), 100)
	timeout = min(max(time.Duration(p.number("timeout", 0))*time.Second, 0), maxPoll)
	if raw, ok := p["allowed_updates"]; ok {
		var kinds []string
		if json.Unmarshal([]byte(raw), &kinds) == nil {
			s.allowed = kinds
			if len(kinds) == 0 {
				s.allowed = nil
			}
		}
	}
	now := s.opts.Now()
	if since := now.Sub(s.lastPoll.at); offset == s.lastPoll.offset && !s.lastPoll.at.IsZero() {
		if since < 3*time.Second {
			timeout = max(timeout, 3*time.Second)
		}
		if since < time.Second/2 {
			limit = 1
		}
	}
	s.lastPoll.offset, s.lastPoll.at = offset, now
	return offset, limit, timeout
}

// confirm forgets what an offset says was dealt with, and what is older than a day.
func (s *Server) confirm(offset int64) {
	old := s.opts.Now().Add(-keepUpdates)
	s.queue = slices.DeleteFunc(s.queue, func(q queued) bool { return q.at.Before(old) })
	if offset < 0 {
		s.queue = slices.Delete(s.queue, 0, max(len(s.queue)+int(max(offset, -1<<20)), 0))
	}
	if offset <= 0 || offset > s.next+future {
		return
	}
	past := len(s.queue)
	if i := slices.IndexFunc(s.queue, func(q queued) bool { return !q.loose && q.id >= offset }); i >= 0 {
		past = i
	}
	n := 0
	s.queue = slices.DeleteFunc(s.queue, func(q queued) bool {
		n++
		return n <= past && !q.loose
	})
}

// take returns what is due, and forgets what is delivered once only.
func (s *Server) take(limit int64) []json.RawMessage {
	n := min(int(limit), len(s.queue))
	got := make([]json.RawMessage, 0, n)
	for _, q := range s.queue[:n] {
		got = append(got, q.raw)
	}
	for i := n - 1; i >= 0; i-- {
		if s.queue[i].loose {
			s.queue = slices.Delete(s.queue, i, i+1)
		}
	}
	return got
}

// disturbed are updates after a fault.
func disturbed(got []json.RawMessage, f Fault) []json.RawMessage {
	got = slices.Clone(got)
	switch f.Kind {
	case Duplicates:
		got = append(got, got...)
	case Shuffled:
		slices.Reverse(got)
	}
	return got
}

// endPoll ends the getUpdates that waits, if one does.
func (s *Server) endPoll(why string) {
	if s.poll != nil {
		s.poll.why = why
		close(s.poll.ended)
		s.poll = nil
	}
}

func (s *Server) leave(p *poll) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.poll == p {
		s.poll = nil
	}
}

// conflict is 409; the second within three seconds is told later.
func (s *Server) conflict(ctx context.Context, why string) *refusal {
	s.mu.Lock()
	now := s.opts.Now()
	wait := now.Before(s.lastPoll.fought)
	if !wait {
		s.lastPoll.fought = now.Add(conflictRest)
	}
	s.mu.Unlock()
	if wait {
		pause(ctx, conflictRest)
	}
	return &refusal{code: http.StatusConflict, text: "Conflict: " + why}
}

// sees reports whether the bot may see a message: in a group only what is meant for it, unless privacy mode is off or it is an
// administrator there.
func (s *Server) sees(c *Chat, m *Message) bool {
	if c.refuses != nil && c.refuses.code == http.StatusForbidden {
		return false
	}
	if m.From.Bot && m.extra["sender_chat"] == nil {
		return false // bots do not see each other
	}
	if c.private() || s.opts.SeesAll || c.members[s.bot.ID].Role == Administrator {
		return true
	}
	if to := c.find(m.ReplyTo); to != nil && to.From.ID == s.bot.ID {
		return true
	}
	if m.Text == "" && m.File == nil {
		return true // of service
	}
	me := "@" + strings.ToLower(s.opts.Username)
	for _, e := range m.Entities {
		word := strings.ToLower(Cut(m.Text, e.Offset, e.Length))
		_, at, addressed := strings.Cut(word, "@")
		switch {
		case e.Type == "mention" && word == me,
			e.Type == "bot_command" && (!addressed || "@"+at == me),
			e.Type == "text_mention" && e.User != nil && e.User.ID == s.bot.ID:
			return true
		}
	}
	return false
}
