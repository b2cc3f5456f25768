package eventlog

import (
	"context"
	"slices"

	"hob/internal/game/world"
)

// trailTurns is how many turns a trail goes back.
const trailTurns = 40

// Trail returns the places where an actor was in the last turns up to one, the oldest first and the last where it is then. For
// "" it is the active actor of that turn.
func (s *Log) Trail(ctx context.Context, turn int64, actor string) ([]string, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	f := s.fold
	w, err := f.worldAfter(ctx, turn)
	if err != nil {
		return nil, err
	}
	if actor == "" {
		actor = w.Self().Active
	}
	a := w.Actor(actor)
	if a == nil {
		return nil, nil
	}
	places := []string{a.Place}
	for n := 0; turn > 0 && n < trailTurns; n++ {
		back, err := f.stepTurn(ctx, w, turn, world.Back, nil)
		if err != nil {
			return nil, err
		}
		for _, e := range back {
			was, ok := e.New.(*world.Actor)
			if ok && was.ID == actor && was.Place != places[len(places)-1] {
				places = append(places, was.Place)
			}
		}
		turn = f.nodes[turn].Parent
	}
	slices.Reverse(places)
	return places, nil
}
