// Package campaigns keeps the campaigns of the game in the journal's file, and which of them a chat plays.
//
// [Repository] is their store, for the game master and its chats. The functions are what the commands of `hob game` do: [Begin] and
// [Import] make a campaign, [Edit] opens one, and [Play], [Undo], [Recap], [Draw] and others work on the one that is open. They return
// values whose JSON is what those commands print, and errors that are sentences with an exit status. [TaleFolder] is the folder of the
// tales that the owner writes.
package campaigns

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/exit"
	"hob/internal/game/saga"
	"hob/internal/store"
)

// Campaign is a campaign that is open.
type Campaign struct {
	*saga.Saga
	ID string
}

// Journal is where campaigns are kept.
type Journal interface {
	// WithJournal calls do with the journal, where there is one.
	WithJournal(ctx context.Context, do func(*store.DB) error) error
	// MakeState makes the folder of the journal.
	MakeState() error
	// OpenJournal opens the journal, and makes it where there is none.
	OpenJournal(ctx context.Context) (*store.DB, error)
}

// Edit calls do with a campaign: the one of that name, or the one that was changed last for "". Another process may play it at
// the same time: if that one is faster, the campaign is loaded again and do is called once more; if it is faster again, the error
// says so. Nothing is lost, so do must not show anything before it has written.
func Edit(ctx context.Context, j Journal, name string, do func(Campaign) error) error {
	known := false
	err := j.WithJournal(ctx, func(db *store.DB) error {
		known = true
		return edit(ctx, db, name, do)
	})
	if err == nil && !known {
		return errNone()
	}
	return err
}

func edit(ctx context.Context, db *store.DB, name string, do func(Campaign) error) error {
	id, err := find(ctx, db, name)
	if err != nil {
		return err
	}
	if err = load(ctx, db, id, do); errors.Is(err, saga.ErrStale) {
		err = load(ctx, db, id, do)
	}
	switch {
	case errors.Is(err, saga.ErrStale):
		return exit.Errorf(exit.Failed, "another hob plays %s at this moment, and was faster: nothing was done, try again", id)
	case errors.Is(err, store.ErrNoCampaign), errors.Is(err, saga.ErrEmpty):
		return exit.Errorf(exit.Failed, "campaign %s was removed meanwhile: hob game list lists those that there are", id)
	}
	return err
}

// errNone is the error for a journal without campaigns.
func errNone() error {
	return exit.Errorf(exit.Failed, "there is no campaign yet: hob game new begins one")
}

// load loads a campaign and does something with it.
func load(ctx context.Context, db *store.DB, id string, do func(Campaign) error) error {
	opt, err := Options()
	if err != nil {
		return err
	}
	t, err := saga.Load(ctx, EventLog{kept: db.Campaigns(), id: id}, opt)
	if err != nil {
		return fmt.Errorf("load campaign %s: %w", id, err)
	}
	return do(Campaign{Saga: t, ID: id})
}

// find returns the id of the campaign of that name, or of the one that was changed last.
func find(ctx context.Context, db *store.DB, name string) (string, error) {
	list, err := db.Campaigns().List(ctx)
	if err != nil {
		return "", err
	}
	names := make([]string, 0, len(list))
	for _, c := range list {
		if c.ID == name || name == "" {
			return c.ID, nil
		}
		names = append(names, c.ID)
	}
	switch {
	case len(names) == 0:
		return "", errNone()
	case len(names) > namesTold:
		names = append(names[:namesTold], "and others (hob game list)")
	}
	return "", exit.Errorf(exit.Usage, "there is no campaign %q: hob has %s", name, strings.Join(names, ", "))
}

// namesTold is how many names of campaigns are listed in an error.
const namesTold = 8
