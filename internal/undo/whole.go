package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
)

// undoBegun begins the names of the settings that hold an undo of several changes while it is done: the first of its numbers follows.
const undoBegun = "undo/begun/"

// begunUndo is an undo of several changes that has begun.
type begunUndo struct {
	Numbers []int64     `json:"changes"`
	By      event.Cause `json:"by"`
	Force   bool        `json:"force,omitempty"`
}

func (b begunUndo) key() string { return undoBegun + strconv.FormatInt(b.Numbers[0], 10) }

// undoWhole takes changes back, all or none, whatever ends the process meanwhile. One change is a single step. Of several it is kept
// before the first that they are taken back, and [Log.Finish] does the rest where this does not come to its end.
func (l *Log) undoWhole(ctx context.Context, w *changes.Writer, all []event.Change, numbers []int64, force bool) ([]changes.Undone, error) {
	begun := begunUndo{numbers, tools.CallerFrom(ctx).Cause("undo"), force}
	if len(numbers) > 1 {
		raw, err := json.Marshal(begun)
		if err == nil {
			err = l.db.Settings().Set(ctx, begun.key(), string(raw))
		}
		if err != nil {
			return nil, err
		}
		// Where this cannot be forgotten, the next hob finds that all of it is done, or nothing.
		defer func() { _ = l.db.Settings().Delete(context.WithoutCancel(ctx), begun.key()) }()
	}
	return w.Undo(ctx, all, numbers, changes.Options{Force: force})
}

// Finish finishes what an undo that was cut short had begun: all of its changes are taken back then. One that had not taken back
// any of them is forgotten. Both are said on standard error, and in the chat in which the undo was asked for. The caller has opened the
// journal just now, and nothing takes anything back yet.
func (l *Log) Finish(ctx context.Context) error {
	all, err := l.db.Settings().List(ctx, undoBegun)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		var begun begunUndo
		if json.Unmarshal([]byte(all[key]), &begun) == nil && len(begun.Numbers) > 0 {
			if err = errors.Join(err, l.finish(ctx, begun)); err != nil {
				return fmt.Errorf("finish an undo: %w", err)
			}
		}
		err = errors.Join(err, l.db.Settings().Delete(ctx, key))
	}
	return err
}

func (l *Log) finish(ctx context.Context, begun begunUndo) error {
	writer, closeFiles, err := l.cfg.Open()
	if err != nil {
		return err
	}
	defer closeFiles()
	all, err := l.settled(ctx, writer)
	if err != nil {
		return err
	}
	var left, done []int64
	for _, c := range all {
		switch {
		case !slices.Contains(begun.Numbers, c.ID):
		case c.InForce():
			left = append(left, c.ID)
		default:
			done = append(done, c.ID)
		}
	}
	text := "An undo was cut short, and everything is as it was before it: nothing was taken back."
	if len(done) > 0 {
		text = fmt.Sprintf("An undo was cut short, and is finished now: %s taken back.", display.Count(len(begun.Numbers), "change"))
		_, err = writer.Undo(tools.WithCaller(ctx, callerOf(begun.By)), all, left, changes.Options{Force: begun.Force})
	}
	if refused := (*changes.ConflictError)(nil); errors.As(err, &refused) {
		why := l.describeConflicts(refused.Conflicts)[0]
		text = fmt.Sprintf("An undo was cut short, and cannot be finished: %s: %s. Of its %s %d are taken back; hob undo --list shows them.",
			why.DisplayPath, why.Why, display.Count(len(begun.Numbers), "change"), len(done))
	} else if err != nil {
		return err
	}
	l.cfg.Report(text)
	if begun.By.Chat == "" {
		return nil
	}
	note := event.Noted{ID: begun.key(), Text: text}
	if _, err = l.db.Append(ctx, store.Entry{Chat: begun.By.Chat, Body: note}); errors.Is(err, store.ErrDuplicate) {
		return nil
	}
	return err
}

// callerOf returns who has the cause c.
func callerOf(c event.Cause) tools.Caller {
	platform, user, _ := strings.Cut(c.By, "/")
	return tools.Caller{Chat: c.Chat, User: user, Turn: c.Turn, Principal: event.Principal{Platform: platform}}
}

// settled returns all changes that are remembered, once it is known of each whether it happened.
func (l *Log) settled(ctx context.Context, w *changes.Writer) ([]event.Change, error) {
	kept := l.db.Changes(store.Limits{})
	all, err := kept.Since(ctx, 0)
	if err == nil {
		err = w.Reconcile(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	return kept.Since(ctx, 0)
}
