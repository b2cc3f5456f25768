package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
)

// Changes implements [commands.Changes].
func (a *App) Changes(ctx context.Context, by tools.Caller, chat event.Chat, n int) ([]commands.ListedChange, error) {
	_, calls, err := a.Env.ListChanges(ctx, a.Journal, by, chat, n)
	return calls, err
}

// ListChanges returns the newest changes that somebody may take back, and those of the newest n calls in a line each; 0 is all. chat ""
// is all chats.
func (s *Environment) ListChanges(ctx context.Context, db *store.DB, by tools.Caller, chat event.Chat, n int) (shown []event.Change, calls []commands.ListedChange, err error) {
	all, err := db.Changes(store.Limits{}).List(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	wholes := map[int64]int64{} // for each change, the number of all that its call changed
	for _, c := range all {
		wholes[c.ID] = c.GroupID()
	}
	calls = []commands.ListedChange{}
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].GroupID() == all[i].GroupID() {
			end++
		}
		some := all[i:end]
		if i = end; chat != "" && some[0].Chat != chat || slices.ContainsFunc(some, func(c event.Change) bool { return !MayUndo(by, c) }) {
			continue
		}
		if n > 0 && len(calls) == n {
			break
		}
		shown = append(shown, some...)
		calls = append(calls, s.listCall(some, wholes))
	}
	return shown, calls, nil
}

// listCall returns what one call has changed.
func (s *Environment) listCall(changes []event.Change, wholes map[int64]int64) commands.ListedChange {
	c := changes[0]
	l := commands.ListedChange{Number: c.GroupID(), Time: c.Time, Chat: c.Chat, By: c.By, Did: c.Verb(), What: s.DisplayChange(c), Undo: true}
	for _, one := range changes {
		if one.Verb() != l.Did {
			l.Did = "changed"
		}
		l.Undo = l.Undo && one.InForce() && !one.Lost
		if one.IsRow() {
			continue
		}
		l.Files = true
		if one.After.Kind != event.NoFile {
			l.Bytes += one.After.Size
		} else {
			l.Bytes += one.Before.Size
		}
	}
	switch first := changes[len(changes)-1]; {
	case len(changes) > 1 && first.IsRow():
		l.What = fmt.Sprintf("%s and %d more", s.DisplayChange(first), len(changes)-1)
	case len(changes) > 1:
		l.What = display.Count(len(changes), "path")
	}
	if c.What != "" && !c.IsRow() {
		l.What += ": " + c.What
	}
	c.Undoes, c.UndoneBy = cmp.Or(wholes[c.Undoes], c.Undoes), cmp.Or(wholes[c.UndoneBy], c.UndoneBy)
	l.State, l.Undoes = describeFate(c), c.Undoes != 0
	return l
}

// describeFate returns what became of a change, and whether it can be taken back.
func describeFate(c event.Change) string {
	var words []string
	if c.Undoes != 0 {
		words = append(words, fmt.Sprintf("takes back %d", c.Undoes))
	}
	switch {
	case c.UndoneBy != 0:
		words = append(words, fmt.Sprintf("taken back by %d", c.UndoneBy))
	case c.Lost:
		words = append(words, "can no longer be taken back")
	case c.Stage == event.StageBegun:
		words = append(words, "cut short")
	}
	return strings.Join(words, ", ")
}
