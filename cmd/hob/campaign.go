package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/saga"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// campaignLog is the log of one campaign in the journal's file.
type campaignLog struct {
	db *store.DB
	id string
}

// Append implements [saga.Log].
func (l campaignLog) Append(ctx context.Context, n int64, line []byte, index saga.Index) error {
	err := l.db.AppendEntry(ctx, l.id, n, line, index.Request)
	var taken *store.TakenError
	if errors.As(err, &taken) {
		return saga.ErrStale
	}
	return err
}

// Line implements [saga.Log].
func (l campaignLog) Line(ctx context.Context, n int64) ([]byte, error) {
	line, err := l.db.Entry(ctx, l.id, n)
	if err == nil && line == nil {
		return nil, fmt.Errorf("campaign %q has no entry %d any more: was it removed meanwhile? hob game list says", l.id, n)
	}
	return line, err
}

// Lines implements [saga.Log].
func (l campaignLog) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return l.db.Entries(ctx, l.id, from)
}

// Request implements [saga.Log].
func (l campaignLog) Request(ctx context.Context, id string) (int64, bool, error) {
	return l.db.EntryOf(ctx, l.id, id)
}

// Snapshot implements [saga.Cache].
func (l campaignLog) Snapshot(ctx context.Context) ([]byte, error) {
	return l.db.CampaignCache(ctx, l.id)
}

// KeepSnapshot implements [saga.Cache].
func (l campaignLog) KeepSnapshot(ctx context.Context, b []byte) error {
	return l.db.CacheCampaign(ctx, l.id, b)
}

// heldLog is the log of a campaign that is being made. It becomes one of the journal when it is whole.
type heldLog struct {
	*saga.Memory
	requests []string // by line
}

// Append implements [saga.Log].
func (l *heldLog) Append(ctx context.Context, n int64, line []byte, index saga.Index) error {
	l.requests = append(l.requests, index.Request)
	return l.Memory.Append(ctx, n, line, index)
}

// Fill implements [saga.Bulk].
func (l *heldLog) Fill(ctx context.Context, lines iter.Seq[saga.Indexed]) error {
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
func (l *heldLog) entries(ctx context.Context) []store.CampaignEntry {
	list := make([]store.CampaignEntry, 0, len(l.requests))
	for line, err := range l.Lines(ctx, 0) {
		if err != nil {
			break // the context has ended, as whoever writes these will find
		}
		list = append(list, store.CampaignEntry{Line: line, Request: l.requests[len(list)]})
	}
	return list
}

// tale is a campaign that is open.
type tale struct {
	*saga.Saga
	id string
}

// options returns what a campaign needs from outside.
func sagaOptions() (saga.Options, error) {
	book, err := game.Rules()
	opt := game.Options(book, time.Now)
	opt.Keeps = game.Keeps
	return opt, err
}

// withTale does something with a campaign: the one of that name, or the one that was changed last for "". Another process may play it at the
// same time: who is late loads it again and does it once more, and if that is late, too, is told so. Nothing is lost, so do must not
// have shown anything before it has written.
func (a *app) withTale(ctx context.Context, name string, do func(tale) error) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	known := false
	err = s.withJournal(ctx, func(db *store.DB) error {
		known = true
		id, err := campaignOf(ctx, db, name)
		if err != nil {
			return err
		}
		if err = loaded(ctx, db, id, do); errors.Is(err, saga.ErrStale) {
			err = loaded(ctx, db, id, do)
		}
		switch {
		case errors.Is(err, saga.ErrStale):
			return exit.Errorf(exit.Failed, "another hob plays %s at this moment, and was faster: nothing was done, try again", id)
		case errors.Is(err, store.ErrNoCampaign), errors.Is(err, saga.ErrEmpty):
			return exit.Errorf(exit.Failed, "campaign %s was removed meanwhile: hob game list lists those that there are", id)
		}
		return err
	})
	if err == nil && !known {
		return exit.Errorf(exit.Failed, "there is no campaign yet: hob game new begins one")
	}
	return err
}

// loaded loads a campaign and does something with it.
func loaded(ctx context.Context, db *store.DB, id string, do func(tale) error) error {
	opt, err := sagaOptions()
	if err != nil {
		return err
	}
	t, err := saga.Load(ctx, campaignLog{db: db, id: id}, opt)
	if err != nil {
		return fmt.Errorf("load campaign %s: %w", id, err)
	}
	return do(tale{Saga: t, id: id})
}

// campaignOf returns the id of the campaign of that name, or of the one that was changed last.
func campaignOf(ctx context.Context, db *store.DB, name string) (string, error) {
	list, err := db.Campaigns(ctx)
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
		return "", exit.Errorf(exit.Failed, "there is no campaign yet: hob game new begins one")
	case len(names) > namesTold:
		names = append(names[:namesTold], "and others (hob game list)")
	}
	return "", exit.Errorf(exit.Usage, "there is no campaign %q: hob has %s", name, strings.Join(names, ", "))
}

// namesTold is how many names of campaigns are listed in an error.
const namesTold = 8

// addTale makes a campaign with make, which writes its log, and keeps it whole or not at all. It is called what make says, "" being its
// name.
func (a *app) addTale(ctx context.Context, c gamemaster.Campaign, make func(log saga.Log, opt saga.Options) (title string, err error)) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	opt, err := sagaOptions()
	if err != nil {
		return err
	}
	log := &heldLog{Memory: saga.NewMemory()}
	if c.Title, err = make(log, opt); err != nil {
		return err
	}
	c.Title = cmp.Or(c.Title, c.ID)
	if err := s.makeState(); err != nil {
		return err
	}
	db, err := s.openJournal(ctx)
	if err != nil {
		return err
	}
	err = keepTale(ctx, db, c, log)
	return closeAll(err, db.Close())
}
