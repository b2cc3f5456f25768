package session

import (
	"context"

	"hob/internal/agent"
	"hob/internal/event"
)

// Stop ends the chat's running turn, if one runs, and reports whether one did. It does not wait for its end.
func (s *Sessions) Stop(ctx context.Context, name event.Chat) (bool, error) {
	c, err := s.chat(ctx, name)
	if err != nil {
		return false, err
	}
	ran := false
	err = c.do(ctx, func(context.Context) error {
		if ran = c.stop != nil; ran {
			c.stop(agent.ErrStopped)
		}
		return nil
	})
	return ran, err
}

// Halt is Stop, and waits until the turn has ended and nothing of it runs any more.
func (s *Sessions) Halt(ctx context.Context, name event.Chat) (bool, error) {
	c, err := s.chat(ctx, name)
	if err != nil {
		return false, err
	}
	return s.halt(ctx, c, func(context.Context) error { return nil })
}

// Reset makes the model forget the chat: the next turn begins a conversation. Turns that run or wait are stopped first. The
// journal keeps everything.
func (s *Sessions) Reset(ctx context.Context, name event.Chat) error {
	c, err := s.chat(ctx, name)
	if err != nil {
		return err
	}
	for {
		ran, err := s.halt(ctx, c, func(ctx context.Context) error { return c.forget(ctx, 0, c.tr.last+1) })
		if err != nil || !ran {
			return err
		}
	}
}

// halt stops the turn that runs and waits for its end; where none runs it does idle, before another can begin. It reports
// whether one ran.
func (s *Sessions) halt(ctx context.Context, c *chat, idle func(context.Context) error) (bool, error) {
	running, last := int64(0), int64(0)
	err := c.do(ctx, func(ctx context.Context) error {
		cur := c.tr.current()
		if cur == nil {
			return idle(ctx)
		}
		running, last = cur.seq, c.tr.last
		if c.stop != nil {
			c.stop(agent.ErrStopped)
		}
		return nil
	})
	if err != nil || running == 0 {
		return false, err
	}
	for e, err := range s.Follow(ctx, c.name, last) {
		if err != nil {
			return true, err
		}
		if _, over := e.Body.(event.Ended); over && e.Turn == running {
			break
		}
	}
	return true, nil
}

// Chats returns the chats that this process has been asked about, by name.
func (s *Sessions) Chats(ctx context.Context) ([]event.Chat, error) {
	reply := make(chan []event.Chat, 1)
	select {
	case s.list <- reply:
		return <-reply, nil
	case <-s.done:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Waiting reports whether a question of the chat waits for an answer.
func (s *Sessions) Waiting(ctx context.Context, name event.Chat, id string) (bool, error) {
	c, err := s.chat(ctx, name)
	if err != nil {
		return false, err
	}
	waits := false
	err = c.do(ctx, func(context.Context) error {
		_, waits = c.asked[id]
		return nil
	})
	return waits, err
}
