package campaigns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game/eventlog"
	"hob/internal/store"
)

// Changes is the log of changes, with those of stories: each turn that changed something is one, and the engine itself takes it back.
type Changes struct {
	*store.Changes
	stories *store.Campaigns
}

// NewChanges returns the log of changes of a journal.
func NewChanges(db *store.DB) Changes { return Changes{db.Changes(store.Limits{}), db.Campaigns()} }

// IsStory reports whether a change is a turn of a story.
func IsStory(c event.Change) bool { return c.IsRow() && strings.HasPrefix(c.Path, store.StoryName("")) }

// Row returns the state of a row, or of a story.
func (c Changes) Row(ctx context.Context, name string) (st event.FileState, err error) {
	id, isStory := strings.CutPrefix(name, store.StoryName(""))
	if !isStory {
		return c.Changes.Row(ctx, name)
	}
	err = c.story(ctx, id, nil, func(t *eventlog.Log) error {
		st = event.RowState(stateAt(t.Commitment(), t.Acted()))
		return nil
	})
	return st, err
}

// SetRow puts content in the place of a row, or takes a story to the turn that content names.
func (c Changes) SetRow(ctx context.Context, change event.Change, content []byte) (made event.Change, err error) {
	id, isStory := strings.CutPrefix(change.Path, store.StoryName(""))
	if !isStory {
		return c.Changes.SetRow(ctx, change, content)
	}
	var to struct {
		Turn  int64
		Story string
	}
	if err := json.Unmarshal(content, &to); err != nil {
		return made, fmt.Errorf("read a turn of %s: %w", id, err)
	}
	err = c.story(ctx, id, &made, func(t *eventlog.Log) error {
		if !event.RowState(stateAt(t.Commitment(), t.Acted())).Same(change.Before) || to.Story != t.Commitment() {
			return store.ErrRowChanged
		}
		_, err := t.Return(event.WithCause(ctx, change.Cause), to.Turn, eventlog.Origin{User: path.Base(change.By)})
		return err
	})
	if errors.Is(err, eventlog.ErrStale) || err == nil && made.ID == 0 {
		err = store.ErrRowChanged
	}
	return made, err
}

// story opens a story for do. made gets the change that an entry comes to, if it is not nil.
func (c Changes) story(ctx context.Context, id string, made *event.Change, do func(*eventlog.Log) error) error {
	err := EventLog{db: c.stories, id: id, made: made}.load(ctx, do)
	if errors.Is(err, eventlog.ErrEmpty) {
		return exit.Errorf(exit.Failed, "there is no story %s any more", id)
	}
	return err
}
