package session

import (
	"context"
	"errors"

	"hob/internal/event"
)

// Tell puts a note into a chat, outside of any turn, and returns its Seq once it is durable. If the
// chat has had a note with this ID, Tell returns the Seq of the first. So a caller that crashed may
// repeat the call.
func (s *Sessions) Tell(ctx context.Context, name event.Chat, note event.Noted) (int64, error) {
	if note.ID == "" {
		return 0, errors.New("a note for a person needs an ID of its own")
	}
	var seq int64
	err := s.onChat(ctx, name, func(ctx context.Context, c *chat) (err error) {
		if seq, err = c.cfg.Journal.Keyed(ctx, name, event.Key(note)); err != nil || seq != 0 {
			return err
		}
		events, err := c.append(ctx, 0, note)
		if err == nil {
			seq = events[0].Seq
		}
		return err
	})
	return seq, err
}
