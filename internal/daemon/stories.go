package daemon

import (
	"context"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// stories shows the stories of the current App to the local API.
type stories struct{ current func() *app.App }

// StoryState implements [local.Stories].
func (s stories) StoryState(ctx context.Context, chat event.Chat) (api.StoryState, error) {
	is, err := s.current().GameMaster.StoryState(ctx, chat)
	return api.StoryState{Campaign: is.Campaign, Turn: is.Turn, State: is.State, StateHash: is.Hash}, err
}

// StoryMap implements [local.Stories].
func (s stories) StoryMap(ctx context.Context, chat event.Chat, zones bool) (api.StoryMap, error) {
	is, err := s.current().GameMaster.StoryMap(ctx, chat, zones)
	m := api.StoryMap{
		Campaign: is.Campaign, Turn: is.Turn, Title: is.Title, Layer: string(is.Layer), Beyond: is.Beyond, North: is.North,
		Rooms: []api.MapRoom{}, Links: []api.MapLink{},
	}
	for _, r := range is.Rooms {
		m.Rooms = append(m.Rooms, api.MapRoom{
			ID: r.ID, Name: r.Name, X: r.X, Y: r.Y, Radius: r.Radius, Visited: r.Visited, Current: r.Current, Up: r.Up, Down: r.Down, Party: r.Party,
		})
	}
	for _, l := range is.Links {
		m.Links = append(m.Links, api.MapLink{From: l.From, To: l.To, OneWay: l.OneWay, Door: string(l.Door), Dir: l.Dir})
	}
	return m, err
}

// DrawMap implements [local.Stories].
func (s stories) DrawMap(ctx context.Context, chat event.Chat, zones bool, format string) ([]byte, error) {
	m, err := s.current().GameMaster.StoryMap(ctx, chat, zones)
	if err != nil {
		return nil, err
	}
	return m.Draw(format)
}
