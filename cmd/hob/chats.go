package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
)

// chatLine is a chat as `hob chats --json` prints it.
type chatLine struct {
	Chat event.Chat `json:"chat"`
	Time time.Time  `json:"time"` // of the last event
	Said string     `json:"said"` // the newest message of a person
	Open bool       `json:"open"` // a turn is not finished
}

func chatsCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{
		Use: "chats", Short: "list the chats, the newest first", Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		list, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]chatLine, error) { return readChats(ctx, db) })
		slices.SortStableFunc(list, func(x, y chatLine) int { return y.Time.Compare(x.Time) })
		t := newTable("CHAT", "LAST", "SAID").in(s.Zone())
		for _, c := range list {
			said := display.Truncate(display.OneLine(c.Said), 50)
			if c.Open {
				said += " (not finished)"
			}
			t.add(c.Chat, c.Time, said)
		}
		return result{value: append([]chatLine{}, list...), text: t.text("There is no chat yet: hob ask \"...\" begins one.\n")}, err
	})
}

func readChats(ctx context.Context, db *store.DB) (list []chatLine, _ error) {
	chats, err := db.Chats(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range chats {
		line := chatLine{Chat: c.Chat, Time: c.Time, Open: len(c.Open) > 0}
		for e, err := range db.Chat(ctx, c.Chat, 0) {
			if err != nil {
				return nil, err
			}
			if said, ok := e.Body.(event.Said); ok {
				line.Said = said.Text
			}
		}
		list = append(list, line)
	}
	return list, nil
}
