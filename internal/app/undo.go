package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/undo"
)

// Changes returns the log of the changes in a journal, by which they can be undone.
func (s *Environment) Changes(db *store.DB) *undo.Log {
	return undo.New(db, undo.Config{
		Open:  func() (*changes.Writer, func(), error) { return s.openUndo(db) },
		IsOwn: s.isOwnFile, ConfigPath: s.ConfigPath, Display: s.DisplayPath, Now: s.Clock(),
		IsSkill: func(path string) bool { return isWithin(path, s.OwnSkillsDir()) },
		Report:  func(text string) { fmt.Fprintf(s.stderr, "hob: %s\n", text) },
	})
}

// openUndo opens everything in which changes can be undone: the folders of the tools, the rows of
// the journal, stories, and hob's own files.
func (s *Environment) openUndo(db *store.DB) (w *changes.Writer, closeFiles func(), err error) {
	tool, err := s.OpenFiles(nil, nil, JournalTools(db), s.NewShell().Sandbox)
	if err != nil {
		return nil, nil, err
	}
	if !isFolder(filepath.Dir(s.ConfigPath)) { // without the folder nothing was changed there
		return tool.Changes(), func() { _ = tool.Close() }, nil
	}
	own, files, err := s.ownFiles(db, s.ConfigPath)
	if err != nil {
		return nil, nil, errors.Join(err, tool.Close())
	}
	return tool.Changes().Beside(own, s.isOwnFile), func() { _, _ = files.Close(), tool.Close() }, nil
}

// Changes implements [commands.Changes].
func (a *App) Changes(ctx context.Context, by tools.Caller, chat event.Chat, n int) ([]commands.ListedChange, error) {
	_, calls, err := a.Env.Changes(a.Journal).List(ctx, by, chat, n)
	return calls, err
}

// Undo implements [commands.Changes]. It fails while a turn runs, except for a dry run.
func (a *App) Undo(ctx context.Context, r commands.UndoRequest) (commands.UndoReport, error) {
	busy, err := event.Chat(""), error(nil)
	asks := tools.CallerFrom(ctx) // the turn in which a person asks for the undo does not count as running
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
	open, err := a.Journal.Reminders().Open(ctx)
	if err != nil {
		return commands.UndoReport{}, err
	}
	report, err := a.Env.Changes(a.Journal).Undo(ctx, r)
	if err == nil && len(report.Undone) > 0 && !r.DryRun {
		a.Env.readZone()
		cfg := a.Env.reminderConfig(JournalTools(a.Journal), a.notes)
		err = reminders.AnnounceUndo(tools.WithCaller(ctx, r.By), cfg, open)
	}
	return report, err
}

// FindBusyChat returns a chat with a running turn, other than except, or "".
func (a *App) FindBusyChat(ctx context.Context, except event.Chat) (event.Chat, error) {
	chats, err := a.Chats(ctx)
	if err != nil {
		return "", err
	}
	for _, c := range chats {
		if c == except {
			continue
		}
		if busy, err := a.IsBusy(ctx, c); busy || err != nil {
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
