package gamemaster

import (
	"context"
	"encoding/json"

	"hob/internal/event"
	"hob/internal/game/chart"
	"hob/internal/game/rules/land"
	"hob/internal/game/show"
	"hob/internal/tools"
)

// StoryState is the state of a story in hob's own form. The state_patch of a result applies to its
// JSON.
type StoryState struct {
	Campaign string
	Turn     int64 // the newest
	State    json.RawMessage
	Hash     string // of the state
}

// StoryState returns the state of the chat's story, with all its secrets. The error is an
// [*event.Error] of type not_found if the chat has none.
func (m *Master) StoryState(ctx context.Context, chat event.Chat) (s StoryState, err error) {
	err = m.at(ctx, chat, func(camp *campaign) error {
		s = StoryState{Campaign: camp.id, Turn: camp.Head(), State: camp.World().AppendState(nil), Hash: camp.StateHash()}
		return nil
	})
	return s, err
}

// StoryMap is the map of a story as its players know it.
type StoryMap struct {
	Campaign string
	Turn     int64 // the newest
	chart.Map
}

// StoryMap returns the map of the chat's story: the places around the active character, or the
// zones of the open world. It has no secrets, and neither name nor id of an unknown place. The
// error is as of [Master.StoryState].
func (m *Master) StoryMap(ctx context.Context, chat event.Chat, zones bool) (s StoryMap, err error) {
	err = m.at(ctx, chat, func(camp *campaign) error {
		trail, err := camp.Trail(ctx, camp.Head(), "")
		s = StoryMap{Campaign: camp.id, Turn: camp.Head(), Map: land.Picture(camp.World(), land.View{Zones: zones, Trail: trail})}
		return err
	})
	return s, err
}

// Draw returns the map as a file: svg or png.
func (s StoryMap) Draw(format string) ([]byte, error) {
	if len(s.Rooms) == 0 {
		return nil, &tools.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: "the story of this chat has no map yet"}
	}
	return drawFile(s.Map, format)
}

// StoryPanel is what players see beside a story, each part as Markdown. It has no secrets.
type StoryPanel struct {
	Campaign string
	Title    string
	Turn     int64 // the newest
	Rooms    int   // on the map
	Zones    int
	Parts    []string
}

// StoryPanel returns the panel of the chat's story for a person: their sheet and things, who is with them, quests with
// clocks, and how the last turn was decided, with its dice. The error is as of [Master.StoryState].
func (m *Master) StoryPanel(ctx context.Context, chat event.Chat, user string) (s StoryPanel, err error) {
	err = m.at(ctx, chat, func(camp *campaign) error {
		w, lang, actor := camp.World(), camp.lang(), camp.actorOf(user)
		why, err := camp.explainTurn(ctx)
		if err != nil {
			return err
		}
		s = StoryPanel{
			Campaign: camp.id, Title: show.Name(w.Self().Title), Turn: camp.Head(),
			Rooms: len(land.Picture(w, land.View{}).Rooms), Zones: len(land.Picture(w, land.View{Zones: true}).Rooms),
		}
		for _, text := range []string{
			show.Sheet(w, lang, actor), show.Inventory(w, lang, actor), show.Party(w, lang), show.Quests(w, lang), why,
		} {
			if text != "" {
				s.Parts = append(s.Parts, asMarkdown(show.Veil(w, text)))
			}
		}
		return nil
	})
	return s, err
}
