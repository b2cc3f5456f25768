package eventlog

import (
	"context"
	"errors"

	"hob/internal/game/world"
)

// Pending is a turn that was tried: what would come of it. The world does not have it, and neither has the log.
type Pending struct {
	PlayResult
	draft draft
	lines int64 // of the log when it was tried
}

// Preview runs a request like [Log.Play] and takes it back. A request that was played before is answered with what came of it
// then.
func (s *Log) Preview(ctx context.Context, r Request) (*Pending, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if p, ok, err := s.findPlayed(ctx, r.ID, bodyHash(r.ID, r.Body)); ok || err != nil {
		return &Pending{PlayResult: p}, err
	}
	d, err := s.runRequest(ctx, r, false)
	if err != nil {
		return nil, err
	}
	if !d.Ended {
		if err := s.revert(d.Events); err != nil {
			return nil, err
		}
	}
	return &Pending{PlayResult: d.PlayResult, draft: d, lines: s.fold.lines}, nil
}

// Commit plays what was previewed, without running it again. It is [ErrChanged] when anything was logged since. To drop a
// preview there is nothing to do.
func (s *Log) Commit(ctx context.Context, p *Pending) (PlayResult, error) {
	if err := s.lock(); err != nil {
		return PlayResult{}, err
	}
	defer s.mu.Unlock()
	if p.Replayed || p.Ended {
		return p.PlayResult, nil
	}
	f := s.fold
	if p.lines != f.lines {
		return PlayResult{}, ErrChanged
	}
	for i, e := range p.Events {
		if err := f.world.Apply(e); err != nil {
			return PlayResult{}, errors.Join(err, s.revert(p.Events[:i]))
		}
	}
	if state := f.world.Hash(); state != p.State {
		return PlayResult{}, errors.Join(ErrChanged, s.revert(p.Events))
	}
	if err := s.logPart(ctx, &p.draft); err != nil {
		return PlayResult{}, errors.Join(err, s.revert(p.Events))
	}
	return p.draft.PlayResult, nil
}

// Changes returns what events change in all, field by field: kinds and keys in the order in which they first come, fields by
// name. What is at the end as it was before is left out.
func Changes(events []world.Event) []world.Change {
	list := []world.Change{}
	for _, e := range world.Merge(events) {
		list = append(list, e.Changes()...)
	}
	return list
}
