// Package campaigns keeps the campaigns of the game master, and which of them a chat plays, in the journal's file.
package campaigns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"hob/internal/exit"
	"hob/internal/game/saga"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// EventLog is the log of one campaign in the journal's file.
type EventLog struct {
	kept *store.Campaigns
	id   string
}

// Append implements [saga.Log].
func (l EventLog) Append(ctx context.Context, n int64, line []byte, index saga.Index) error {
	err := l.kept.AppendEntry(ctx, l.id, n, line, index.Request)
	var taken *store.TakenError
	if errors.As(err, &taken) {
		return saga.ErrStale
	}
	return err
}

// Line implements [saga.Log].
func (l EventLog) Line(ctx context.Context, n int64) ([]byte, error) {
	line, err := l.kept.Entry(ctx, l.id, n)
	if err == nil && line == nil {
		return nil, fmt.Errorf("campaign %q has no entry %d any more: was it removed meanwhile? hob game list says", l.id, n)
	}
	return line, err
}

// Lines implements [saga.Log].
func (l EventLog) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return l.kept.Entries(ctx, l.id, from)
}

// Request implements [saga.Log].
func (l EventLog) Request(ctx context.Context, id string) (int64, bool, error) {
	return l.kept.EntryOf(ctx, l.id, id)
}

// Snapshot implements [saga.Cache].
func (l EventLog) Snapshot(ctx context.Context) ([]byte, error) {
	return l.kept.Cache(ctx, l.id)
}

// KeepSnapshot implements [saga.Cache].
func (l EventLog) KeepSnapshot(ctx context.Context, b []byte) error {
	return l.kept.SetCache(ctx, l.id, b)
}

// DraftLog is the log of a campaign that is being made. It becomes one of the journal when it is whole.
type DraftLog struct {
	*saga.Memory
	requests []string // by line
}

// Append implements [saga.Log].
func (l *DraftLog) Append(ctx context.Context, n int64, line []byte, index saga.Index) error {
	l.requests = append(l.requests, index.Request)
	return l.Memory.Append(ctx, n, line, index)
}

// Fill implements [saga.Bulk].
func (l *DraftLog) Fill(ctx context.Context, lines iter.Seq[saga.Indexed]) error {
	return l.Memory.Fill(ctx, func(yield func(saga.Indexed) bool) {
		for line := range lines {
			l.requests = append(l.requests, line.Index.Request)
			if !yield(line) {
				return
			}
		}
	})
}

// entries returns the lines with their requests.
func (l *DraftLog) entries(ctx context.Context) []store.CampaignEntry {
	list := make([]store.CampaignEntry, 0, len(l.requests))
	for line, err := range l.Lines(ctx, 0) {
		if err != nil {
			break // the context has ended, as whoever writes these will find
		}
		list = append(list, store.CampaignEntry{Line: line, Request: l.requests[len(list)]})
	}
	return list
}

// Campaign is a campaign that is open.
type Campaign struct {
	*saga.Saga
	ID string
}

// Edit calls do with a campaign: the one of that name, or the one that was changed last for "". Another process may play it at
// the same time: if that one is faster, the campaign is loaded again and do is called once more; if it is faster again, the error
// says so. Nothing is lost, so do must not show anything before it has written.
func Edit(ctx context.Context, db *store.DB, name string, do func(Campaign) error) error {
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

// ErrNone returns the error for a journal without campaigns.
func ErrNone() error {
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
		return "", ErrNone()
	case len(names) > namesTold:
		names = append(names[:namesTold], "and others (hob game list)")
	}
	return "", exit.Errorf(exit.Usage, "there is no campaign %q: hob has %s", name, strings.Join(names, ", "))
}

// namesTold is how many names of campaigns are listed in an error.
const namesTold = 8

// Draft makes a campaign with make, which writes its log and returns its title, "" for its name.
func Draft(c gamemaster.Campaign, make func(log saga.Log, opt saga.Options) (title string, err error)) (gamemaster.Campaign, *DraftLog, error) {
	opt, err := Options()
	if err != nil {
		return c, nil, err
	}
	log := &DraftLog{Memory: saga.NewMemory()}
	if c.Title, err = make(log, opt); err != nil {
		return c, nil, err
	}
	c.Title = cmp.Or(c.Title, c.ID)
	return c, log, nil
}
