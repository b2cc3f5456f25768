package session

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/lists"
)

// Stop stops the chat's running turn, or the one that waits for a hold or for the model. It reports
// whether there was one. It does not wait for the turn to end.
func (s *Sessions) Stop(ctx context.Context, name event.Chat) (bool, error) {
	return readChat(ctx, s, name, func(c *chat) bool { return c.stopTurn() != nil })
}

// Halt is Stop, but waits until the turn has ended and nothing of it runs any more.
func (s *Sessions) Halt(ctx context.Context, name event.Chat) (bool, error) {
	return s.halt(ctx, name, func(context.Context, *chat) error { return nil })
}

// Reset makes the model forget the chat: the next turn begins a new conversation. It first stops
// turns that run or wait. The journal keeps everything.
func (s *Sessions) Reset(ctx context.Context, name event.Chat) error {
	for {
		ran, err := s.halt(ctx, name, func(ctx context.Context, c *chat) error { return c.forget(ctx, c.tr.last+1) })
		if err != nil || !ran {
			return err
		}
	}
}

// stopTurn stops the open turn, or the one that waits for the model, and returns it, or nil if
// there is none. A turn counts as ended once its end is journaled, even if its goroutine still
// runs.
func (c *chat) stopTurn() *turn {
	t := c.tr.stoppable()
	if t == nil {
		return nil
	}
	if c.tr.current() == nil {
		c.due[t.seq] = true
	}
	c.stopRequestedFor = t.seq // kept for a turn that has not begun
	if c.cancelTurn != nil {
		c.cancelTurn(agent.ErrStopped)
	}
	return t
}

// stoppable returns the turn that a stop would end: the open one, else the one that waits for the
// model.
func (tr *transcript) stoppable() *turn {
	if cur := tr.current(); cur != nil {
		return cur
	}
	return tr.parkedForModel()
}

// halt stops the running turn and waits for its end. If none runs, it calls idle before another can
// begin. It reports whether one ran.
func (s *Sessions) halt(ctx context.Context, name event.Chat, idle func(context.Context, *chat) error) (bool, error) {
	running, last := int64(0), int64(0)
	err := s.onChat(ctx, name, func(ctx context.Context, c *chat) error {
		cur := c.stopTurn()
		if cur == nil {
			return idle(ctx, c)
		}
		running, last = cur.seq, c.tr.last
		return nil
	})
	if err != nil || running == 0 {
		return false, err
	}
	for e, err := range s.Follow(ctx, name, last) {
		if err != nil {
			return true, err
		}
		if _, over := e.Body.(event.Ended); over && e.Turn == running {
			break
		}
	}
	return true, nil
}

// Chats returns the names of the chats that are in memory.
func (s *Sessions) Chats(ctx context.Context) ([]event.Chat, error) {
	all, err := s.allChats(ctx)
	names := lists.Map(all, func(c *chat) event.Chat { return c.name })
	slices.Sort(names)
	return names, err
}

// allChats returns the chats in memory.
func (s *Sessions) allChats(ctx context.Context) ([]*chat, error) {
	return withChats(ctx, s, func(_ context.Context, chats chatTable) []*chat { return slices.Collect(maps.Values(chats)) })
}

// Alive returns nil once the router and every chat in memory have answered, or an error that names
// the chat that did not.
func (s *Sessions) Alive(ctx context.Context) error {
	all, err := s.allChats(ctx)
	if err != nil {
		return fmt.Errorf("ask for the chats: %w", err)
	}
	for _, c := range all {
		select {
		case c.pings <- struct{}{}:
		case <-c.done: // it is idle or has failed, and restarts when needed
		case <-ctx.Done():
			return fmt.Errorf("chat %s does not answer: %w", c.name, context.Cause(ctx))
		}
	}
	return nil
}

// IsAsking reports whether the question with this id, or any question for "", waits for an answer
// in the chat.
func (s *Sessions) IsAsking(ctx context.Context, name event.Chat, id string) (bool, error) {
	return readChat(ctx, s, name, func(c *chat) bool { return c.questions[id] != nil || id == "" && len(c.questions) > 0 })
}
