package daemon

import (
	"context"
	"errors"
	"io"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/skills/gamemaster"
	"hob/internal/surface/http/api"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/surface/web"
	"hob/internal/tools"
)

// files is the workspace of an App, and the files of its stories, which are generated when read.
type files struct{ current func() *app.App }

// Receive implements [inbound.Inbox] and [web.Files].
func (f files) Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error) {
	return f.current().Tools.FileTool.Receive(ctx, name, most, from, r)
}

// Open implements [outbound.Files] and [web.Files].
func (f files) Open(ctx context.Context, file event.File) (io.ReadCloser, error) {
	h := f.current()
	if gamemaster.IsFile(file.Path) {
		return h.GameMaster.OpenFile(ctx, file)
	}
	return h.Tools.FileTool.Open(ctx, file)
}

// stories shows the surfaces the stories of an App, and tells them which chats a story drives.
type stories struct{ current func() *app.App }

// StoryState implements [http.Stories].
func (s stories) StoryState(ctx context.Context, chat event.Chat) (api.StoryState, error) {
	is, err := s.current().GameMaster.StoryState(ctx, chat)
	return api.StoryState{Campaign: is.Campaign, Turn: is.Turn, State: is.State, StateHash: is.Hash}, err
}

// StoryMap implements [http.Stories].
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

// DrawMap implements [http.Stories] and [web.Stories].
func (s stories) DrawMap(ctx context.Context, chat event.Chat, zones bool, format string) ([]byte, error) {
	m, err := s.current().GameMaster.StoryMap(ctx, chat, zones)
	if err != nil {
		return nil, err
	}
	return m.Draw(format)
}

// Story implements [web.Stories].
func (s stories) Story(ctx context.Context, chat event.Chat) (web.Story, bool, error) {
	h := s.current()
	if led, err := h.HasDriver(ctx, chat); !led || err != nil {
		return web.Story{}, false, err
	}
	is, err := h.GameMaster.StoryPanel(ctx, chat, "")
	if own := (*event.Error)(nil); errors.As(err, &own) && own.Type == event.TypeNotFound {
		return web.Story{}, false, nil
	}
	return web.Story{Title: is.Title, Turn: is.Turn, Map: is.Rooms > 0, Zones: is.Zones > 0, Parts: is.Parts}, err == nil, err
}

// Takes implements [inbound.Story] and [web.Stories].
func (s stories) Takes(ctx context.Context, chat event.Chat, name, args string) (takes, discreet bool) {
	if takes, discreet = gamemaster.TakesCommand(name, args); !takes {
		return false, false
	}
	led, err := s.current().HasDriver(ctx, chat)
	return led && err == nil, discreet
}

// Picked implements [inbound.Story].
func (s stories) Picked(ctx context.Context, chat event.Chat, by commands.Request, c event.Choice) inbound.Picking {
	return inbound.Picking(s.current().GameMaster.AnswerPick(ctx, tools.Caller{Chat: chat, User: by.From, Principal: by.Principal}, c))
}
