package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
)

// Undo takes changes of files back. The caller makes sure that no turn changes files meanwhile.
func (s *Environment) Undo(ctx context.Context, db *store.DB, r commands.UndoRequest) (commands.UndoReport, error) {
	report := commands.UndoReport{DryRun: r.DryRun, Undone: []commands.UndoneChange{}, Conflicts: []commands.Conflict{}}
	tool, err := s.OpenFiles(nil, nil, JournalTools(db), s.NewShell().Sandbox)
	if err != nil {
		return report, err
	}
	defer tool.Close()
	kept := db.Changes(store.Limits{})
	all, err := kept.List(ctx, 0)
	if err != nil {
		return report, err
	}
	if err := tool.Changes().Reconcile(ctx, all); err != nil {
		return report, err
	}
	if all, err = kept.List(ctx, 0); err != nil {
		return report, err
	}
	if report.Selected, err = chooseChanges(r, all); err != nil {
		return report, err
	}
	if len(report.Selected) == 0 {
		report.Error = commands.ErrNothingToUndo.Error()
		return report, nil
	}
	done, err := tool.Changes().Undo(tools.WithCaller(ctx, r.By), all, report.Selected, changes.Options{Force: r.Force, DryRun: r.DryRun})
	refused := (*changes.ConflictError)(nil)
	if errors.As(err, &refused) {
		report.Conflicts, report.Error = s.describeConflicts(refused.Conflicts), err.Error()
		return report, nil
	}
	report.Undone = append(report.Undone, s.describeUndone(done)...)
	if err != nil || r.DryRun {
		return report, err
	}
	return report, kept.Prune(ctx)
}

func (s *Environment) describeUndone(all []changes.Undone) (list []commands.UndoneChange) {
	for _, d := range all {
		c := d.Change
		u := commands.UndoneChange{Change: c.ID, By: d.By.ID, Path: c.Path, Did: c.Verb(), Now: c.Before, Forced: d.Forced, Note: d.Note}
		shown := s.DisplayPath(c.Path)
		if c.IsRow() && c.What != "" {
			shown += " (" + display.Clean(c.What) + ")"
		}
		u.Text = commands.DescribeUndone(shown, c, u)
		list = append(list, u)
	}
	return list
}

func (s *Environment) describeConflicts(all []changes.Conflict) (list []commands.Conflict) {
	for _, c := range all {
		list = append(list, commands.Conflict{
			Change: c.Change.ID, Path: c.Change.Path, Why: c.Why, Later: c.Later, Force: c.Force, After: c.Change.After, Current: c.Found,
			DisplayPath: s.DisplayPath(c.Change.Path),
		})
	}
	return list
}

// DisplayPath returns a path for people: relative to the workspace for a file in it.
func (s *Environment) DisplayPath(path string) string {
	if rel, err := filepath.Rel(ResolvePath(s.WorkspaceDir), path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return display.Clean(path)
}

// chooseChanges returns the numbers of the changes that a request selects.
func chooseChanges(r commands.UndoRequest, all []event.Change) ([]int64, error) {
	switch {
	case len(r.Numbers) > 0:
		chosen := changes.Together(all, r.Numbers)
		for _, c := range all {
			if r.Chat != "" && c.Chat != r.Chat && slices.Contains(chosen, c.ID) {
				return nil, fmt.Errorf("change %d was not made in this chat", c.ID)
			}
		}
		return chosen, nil
	case r.Of > 0:
		return changes.OfTurn(all, r.Chat, r.Of), nil
	case r.Turn:
		return changes.LastTurn(all, r.Chat), nil
	case r.Since > 0:
		return changes.Since(all, r.Chat, time.Now().Add(-r.Since)), nil
	}
	return lastChanges(all, r.Chat, max(r.Last, 1)), nil
}

// lastChanges returns the numbers of the newest n changes of a chat. A call's changes count as one.
func lastChanges(all []event.Change, chat event.Chat, n int) []int64 {
	var chosen []int64
	for left := slices.Clone(all); n > 0; n-- {
		some := changes.LastCall(left, chat)
		if len(some) == 0 {
			break
		}
		chosen = append(chosen, some...)
		left = slices.DeleteFunc(left, func(c event.Change) bool { return slices.Contains(some, c.ID) })
	}
	return chosen
}

// Undo implements [commands.Changes]. It fails while a turn runs, but for a dry run.
func (a *App) Undo(ctx context.Context, r commands.UndoRequest) (commands.UndoReport, error) {
	busy, err := event.Chat(""), error(nil)
	asks := tools.CallerFrom(ctx) // the turn in which a person asks for it in words changes nothing itself
	switch own := event.Chat(""); {
	case r.DryRun, r.BesideOtherTurns && asks.Turn != 0 && asks.Chat == r.Chat:
	case r.BesideOtherTurns:
		busy, err = a.checkBusy(ctx, r.Chat)
	default:
		if asks.Turn != 0 {
			own = asks.Chat
		}
		busy, err = a.FindBusyChat(ctx, own)
	}
	if err == nil && busy != "" {
		err = &commands.BusyError{Chat: busy}
	}
	if err != nil {
		return commands.UndoReport{}, err
	}
	return a.Model.Env.Undo(ctx, a.Journal, r)
}

// FindBusyChat returns a chat with a running turn that is not this one, or "".
func (a *App) FindBusyChat(ctx context.Context, except event.Chat) (event.Chat, error) {
	chats, err := a.Chats(ctx)
	if err != nil {
		return "", err
	}
	for _, c := range chats {
		if c == except {
			continue
		}
		if busy, err := a.Resume(ctx, c); busy || err != nil {
			return c, err
		}
	}
	return "", nil
}

// checkBusy returns the chat if one of its turns runs, or "".
func (a *App) checkBusy(ctx context.Context, chat event.Chat) (event.Chat, error) {
	open, err := openTurns(ctx, a.Journal)
	if err != nil {
		return "", err
	}
	parked, err := ParkedTurns(ctx, a.Journal)
	for _, c := range open {
		if c.Chat == chat && len(RunningTurns(c, parked)) > 0 {
			return chat, err
		}
	}
	return "", err
}
