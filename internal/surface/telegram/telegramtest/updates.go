package telegramtest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"hob/internal/lists"
)

// update is one that the bot has not confirmed.
type update struct {
	id  int64
	raw json.RawMessage
	at  time.Time
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
	fought time.Time // no conflict is answered at once before then
}

const (
	keepUpdates  = 24 * time.Hour
	maxPoll      = 50 * time.Second
	future       = 10 // an offset that is so far past the last update is not believed
	conflictRest = 3 * time.Second
	otherPoll    = "terminated by other getUpdates request; make sure that only one bot instance is running"
)

// push queues an update, unless the bot did not ask for such ones, which get no id. The lock is held.
func (s *Server) push(kind string, value any) {
	if s.allowed == nil || slices.Contains(s.allowed, kind) {
		s.queue(kind, value)
	}
}

func (s *Server) queue(kind string, value any) {
	raw, err := json.Marshal(map[string]any{"update_id": s.nextUpdate, kind: value})
	if err != nil {
		panic("telegramtest: an update cannot be written: " + err.Error())
	}
	s.updates = keep(append(s.updates, update{s.nextUpdate, raw, time.Now()}), s.opts.Keep)
	s.nextUpdate++
	s.notify()
}

// Inject queues an update of whatever kind raw says it is, with the next id. It panics where raw is no object of JSON.
func (s *Server) Inject(raw string) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(raw), &fields); err != nil {
		panic("telegramtest: an update that is injected is an object of JSON: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for kind, value := range fields {
		s.queue(kind, value)
	}
}

// LastUpdate returns the id of the last update, delivered or not.
func (s *Server) LastUpdate() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nextUpdate - 1
}

// Pending returns how many updates the bot has not confirmed.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}

// getUpdates answers with what is queued, or waits for it.
func (c *call) getUpdates(ctx context.Context, f Fault) (any, *refusal) {
	var mine *poll
	var limit int
	var timeout time.Duration
	_, no := c.run(func(c *call) any {
		if c.webhook != "" {
			return nil
		}
		limit, timeout = c.readPoll()
		c.endPoll(otherPoll)
		c.confirm(c.p.number("offset"))
		mine = &poll{ended: make(chan struct{})}
		c.poll = mine
		return nil
	})
	switch {
	case no != nil:
		return nil, no
	case mine == nil:
		return nil, c.refusePoll(ctx, "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	defer c.leavePoll(mine)
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for last := timeout == 0; ; {
		c.mu.Lock()
		got, changed, down := c.queued(limit), c.changed, c.isGone(c)
		c.mu.Unlock()
		if len(got) > 0 || last || down || ctx.Err() != nil {
			return disturb(got, f), nil
		}
		select {
		case <-changed:
		case <-mine.ended:
			return nil, c.refusePoll(ctx, mine.why)
		case <-timer.C:
			last = true
		case <-ctx.Done():
		}
	}
}

// readPoll reads what a getUpdates asks for, and slows it down where it asks the same again at once.
func (c *call) readPoll() (limit int, timeout time.Duration) {
	if limit = int(c.p.number("limit")); limit < 1 || limit > 100 {
		limit = 100
	}
	timeout = min(time.Duration(c.p.number("timeout"))*time.Second, maxPoll)
	if raw, ok := c.p["allowed_updates"]; ok {
		if err := json.Unmarshal([]byte(raw), &c.allowed); err != nil {
			panic(bad("can't parse allowed_updates JSON array"))
		}
	}
	offset := c.p.number("offset")
	if since := c.now.Sub(c.lastPoll.at); offset == c.lastPoll.offset && !c.lastPoll.at.IsZero() {
		if since < 3*time.Second {
			timeout = max(timeout, 3*time.Second)
		}
		if since < time.Second/2 {
			limit = 1
		}
	}
	c.lastPoll.offset, c.lastPoll.at = offset, c.now
	return limit, timeout
}

// confirm forgets the updates before an offset, and those that are older than a day.
func (c *call) confirm(offset int64) {
	old := c.now.Add(-keepUpdates)
	c.updates = slices.DeleteFunc(c.updates, func(u update) bool { return u.at.Before(old) })
	if offset <= 0 || offset > c.nextUpdate+future {
		return
	}
	past := len(c.updates)
	if i := slices.IndexFunc(c.updates, func(u update) bool { return u.id >= offset }); i >= 0 {
		past = i
	}
	c.updates = slices.Delete(c.updates, 0, past)
}

// queued returns the first updates.
func (s *Server) queued(limit int) []json.RawMessage {
	return lists.Map(s.updates[:min(limit, len(s.updates))], func(u update) json.RawMessage { return u.raw })
}

// disturb returns updates after a fault.
func disturb(all []json.RawMessage, f Fault) []json.RawMessage {
	switch f.Kind {
	case Duplicates:
		all = append(all, all...)
	case Shuffled:
		slices.Reverse(all)
	}
	return all
}

// endPoll ends the getUpdates that waits, if one does.
func (s *Server) endPoll(why string) {
	if s.poll != nil {
		s.poll.why = why
		close(s.poll.ended)
		s.poll = nil
	}
}

func (s *Server) leavePoll(p *poll) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.poll == p {
		s.poll = nil
	}
}

func conflict(why string) *refusal {
	return &refusal{code: http.StatusConflict, text: "Conflict: " + why}
}

// refusePoll returns a conflict; the second within three seconds comes later.
func (s *Server) refusePoll(ctx context.Context, why string) *refusal {
	s.mu.Lock()
	now := time.Now()
	wait := now.Before(s.lastPoll.fought)
	if !wait {
		s.lastPoll.fought = now.Add(conflictRest)
	}
	s.mu.Unlock()
	if wait {
		sleep(ctx, conflictRest)
	}
	return conflict(why)
}

// sees reports whether the bot may see a message: in a group only what is meant for it, unless privacy mode is
// off or it is an administrator there.
func (s *Server) sees(c *Chat, m *Message) bool {
	if c.private() || s.opts.SeesAll || c.members[s.bot.ID].Role == Administrator || m.Text == "" && m.File == nil {
		return true
	}
	if to := c.find(m.ReplyTo); to != nil && to.From.ID == s.bot.ID {
		return true
	}
	for _, e := range m.Entities {
		word := strings.ToLower(cutUnits(m.Text, e))
		_, bot, addressed := strings.Cut(word, "@")
		if e.Type == "mention" && bot == username || e.Type == "bot_command" && (!addressed || bot == username) {
			return true
		}
	}
	return false
}
