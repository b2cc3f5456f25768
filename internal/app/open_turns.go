package app

import (
	"context"
	"slices"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
)

// OpenTurns returns the chats with turns that have not ended. It creates no journal.
func (s *Environment) OpenTurns(ctx context.Context) ([]store.ChatInfo, error) {
	return ReadJournal(ctx, s, func(db *store.DB) ([]store.ChatInfo, error) { return openTurns(ctx, db) })
}

func openTurns(ctx context.Context, db *store.DB) ([]store.ChatInfo, error) {
	all, err := db.Chats(ctx)
	return slices.DeleteFunc(all, func(c store.ChatInfo) bool { return len(c.Open) == 0 }), err
}

// ParkedTurns returns the turns of all chats that wait for the model or are parked, oldest first.
// It creates no journal.
func (s *Environment) ParkedTurns(ctx context.Context) ([]event.ParkedTurn, error) {
	return ReadJournal(ctx, s, func(db *store.DB) ([]event.ParkedTurn, error) { return ParkedTurns(ctx, db) })
}

// ParkedTurns returns the turns of all chats that wait for the model or are parked, oldest first.
func ParkedTurns(ctx context.Context, db *store.DB) ([]event.ParkedTurn, error) {
	chats, err := db.Chats(ctx)
	if err != nil {
		return nil, err
	}
	var all []event.ParkedTurn
	for _, c := range chats {
		some, err := session.ParkedIn(ctx, db, c.Chat, c.Open)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b event.ParkedTurn) int { return int(a.ID - b.ID) })
	return all, nil
}

// RunningTurns returns the open turns of a chat that neither wait for the model nor are parked.
func RunningTurns(c store.ChatInfo, parked []event.ParkedTurn) (open []int64) {
	for _, turn := range c.Open {
		if !slices.ContainsFunc(parked, func(p event.ParkedTurn) bool { return p.ID == turn }) {
			open = append(open, turn)
		}
	}
	return open
}

// Questions returns the open questions of all chats, oldest first. It creates no journal.
func (s *Environment) Questions(ctx context.Context) ([]commands.Question, error) {
	return ReadJournal(ctx, s, func(db *store.DB) ([]commands.Question, error) {
		open, err := openTurns(ctx, db)
		if err != nil {
			return nil, err
		}
		return collectQuestions(ctx, db, open)
	})
}

// collectQuestions returns the open questions of these chats.
func collectQuestions(ctx context.Context, db *store.DB, open []store.ChatInfo) (all []commands.Question, _ error) {
	for _, c := range open {
		some, err := readQuestions(ctx, db, c)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func readQuestions(ctx context.Context, db *store.DB, c store.ChatInfo) ([]commands.Question, error) {
	var all []commands.Question
	decided, known := map[string]bool{}, map[string]bool{}
	for e, err := range db.Chat(ctx, c.Chat, c.Open[0]-1) {
		if err != nil {
			return nil, err
		}
		switch b := e.Body.(type) {
		case event.Asked:
			if !known[b.ID] && slices.Contains(c.Open, e.Turn) {
				all = append(all, commands.Question{Chat: c.Chat, Turn: e.Turn, Asked: b})
			}
			known[b.ID] = true
		case event.Decided:
			decided[b.ID] = true
		}
	}
	return slices.DeleteFunc(all, func(q commands.Question) bool { return decided[q.ID] }), nil
}
