// Package campaigns keeps the campaigns of the game in the journal's file, and which of them a chat
// plays.
//
// [Repository] is their store, for the game master and its chats. The functions are what the
// commands of `hob game` do: [Begin] and [Import] make a campaign; [Edit] opens one; [Play],
// [Undo], [Recap], [Draw] and others work on the open one. They return values whose JSON those
// commands print. Their errors are sentences with an exit status. [TaleFolder] is the folder of the
// owner's tales.
package campaigns

import (
	"context"
	"errors"
	"strings"

	"hob/internal/exit"
	"hob/internal/game/eventlog"
	"hob/internal/store"
)

// Campaign is an open campaign.
type Campaign struct {
	*eventlog.Log
	ID string
}

// Journal opens the journal, which holds the campaigns.
type Journal interface {
	// WithJournal calls do with the journal, if it exists.
	WithJournal(ctx context.Context, do func(*store.DB) error) error
	// MakeState makes the folder of the journal.
	MakeState() error
	// OpenJournal opens the journal, or creates it.
	OpenJournal(ctx context.Context) (*store.DB, error)
}

// Edit calls do with the campaign of that name, or with the last changed one for "". Another
// process may play it at the same time. If that one writes first, Edit loads the campaign again and
// calls do once more; after a second time it returns an error. So do must show nothing before it
// has written.
func Edit(ctx context.Context, j Journal, name string, do func(Campaign) error) error {
	known := false
	err := j.WithJournal(ctx, func(db *store.DB) error {
		known = true
		return editCampaign(ctx, db, name, do)
	})
	if err == nil && !known {
		return newNoCampaignError()
	}
	return err
}

func editCampaign(ctx context.Context, db *store.DB, name string, do func(Campaign) error) error {
	id, err := findCampaign(ctx, db, name)
	if err != nil {
		return err
	}
	play := func(t *eventlog.Log) error { return do(Campaign{Log: t, ID: id}) }
	log := EventLog{db: db.Campaigns(), id: id}
	if err = log.load(ctx, play); errors.Is(err, eventlog.ErrStale) {
		err = log.load(ctx, play)
	}
	switch {
	case errors.Is(err, eventlog.ErrStale):
		return exit.Errorf(exit.Failed, "another hob plays %s at this moment, and was faster: nothing was done, try again", id)
	case errors.Is(err, store.ErrNoCampaign), errors.Is(err, eventlog.ErrEmpty):
		return exit.Errorf(exit.Failed, "campaign %s was removed meanwhile: hob game list lists those that there are", id)
	}
	return err
}

// newNoCampaignError returns the error for a journal without campaigns.
func newNoCampaignError() error {
	return exit.Errorf(exit.Failed, "there is no campaign yet: hob game play cosy begins a story, and hob game new a world of its own")
}

// findCampaign returns the id of the campaign of that name, or of the last changed one.
func findCampaign(ctx context.Context, db *store.DB, name string) (string, error) {
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
		return "", newNoCampaignError()
	case len(names) > maxNames:
		names = append(names[:maxNames], "and others (hob game list)")
	}
	return "", exit.Errorf(exit.Usage, "there is no campaign %q: hob has %s", name, strings.Join(names, ", "))
}

// maxNames limits the names in an error.
const maxNames = 8
