package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"hob/internal/event"
)

// Campaigns stores played stories: tables campaign, entry and entry_request. It is safe for
// concurrent use.
type Campaigns struct{ db *DB }

// Campaigns returns the store of played stories.
func (d *DB) Campaigns() *Campaigns { return &Campaigns{d} }

// Campaign is a story with a stored log: entries of bytes, to which more are only ever added.
type Campaign struct {
	ID, Title     string
	Made, Changed time.Time
	Entries       int64
}

// ConflictError says that a campaign, or an entry of its log, already exists, because somebody else
// wrote it.
type ConflictError struct {
	Campaign string
	N        int64 // the number of the entry; -1 is the campaign itself
}

func (e *ConflictError) Error() string {
	if e.N < 0 {
		return fmt.Sprintf("there is a campaign %q already: give this one another name", e.Campaign)
	}
	return fmt.Sprintf("entry %d of campaign %q was written by somebody else: read it and try again", e.N, e.Campaign)
}

// ErrNoCampaign says that there is no campaign of that name.
var ErrNoCampaign = errors.New("no such campaign")

// pageEntries is the size of a page of a campaign's entries.
const pageEntries = 512

// CampaignEntry is an entry of a campaign's log.
type CampaignEntry struct {
	Line    []byte
	Request string // by which [Campaigns.EntryOf] finds the entry, or ""
}

// Add adds a campaign with the first entries of its log, all or nothing. If the id is taken, the
// error is a *[ConflictError].
func (s *Campaigns) Add(ctx context.Context, id, title string, log []CampaignEntry) error {
	err := s.db.transact(ctx, func(tx transaction) error {
		now := s.db.now().UnixMilli()
		n, err := rowsAffected(tx.ExecContext(ctx, `INSERT INTO campaign (id, title, made, played) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			id, title, now, now))
		if err != nil {
			return err
		}
		if n == 0 {
			return &ConflictError{Campaign: id, N: -1}
		}
		for n, e := range log {
			if err := addEntry(ctx, tx, id, int64(n), e); err != nil {
				return err
			}
		}
		return nil
	})
	return campaignFailure("add a campaign to", s.db.path, err)
}

// addEntry writes an entry, and the request that finds it.
func addEntry(ctx context.Context, tx transaction, campaign string, n int64, e CampaignEntry) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO entry (campaign, n, line) VALUES (?, ?, ?)`, campaign, n, e.Line)
	if err == nil && e.Request != "" {
		_, err = tx.ExecContext(ctx, `INSERT INTO entry_request (campaign, request, n) VALUES (?, ?, ?)`, campaign, e.Request, n)
	}
	return err
}

// List returns all campaigns, the last changed one first.
func (s *Campaigns) List(ctx context.Context) (list []Campaign, err error) {
	list, err = collect(ctx, s.db.read, func(scan scanner) (c Campaign, err error) {
		err = scan(&c.ID, &c.Title, milliseconds{&c.Made}, milliseconds{&c.Changed}, &c.Entries)
		return c, err
	}, `SELECT id, title, made, played, coalesce((SELECT max(n) + 1 FROM entry WHERE campaign = id), 0)
		FROM campaign ORDER BY played DESC, id`)
	return list, wrap("read", s.db.path, err)
}

// Drop deletes a campaign with its log. This cannot be undone: export it first.
func (s *Campaigns) Drop(ctx context.Context, id string) error {
	err := s.db.transact(ctx, func(tx transaction) error {
		for _, table := range []string{"entry_request WHERE campaign", "entry WHERE campaign", "campaign WHERE id"} {
			n, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM `+table+` = ?`, id))
			if err != nil {
				return err
			}
			if n == 0 && table == "campaign WHERE id" {
				return ErrNoCampaign
			}
		}
		return nil
	})
	return campaignFailure("take a campaign from", s.db.path, err)
}

// StoryMove is how a log entry moves a story through its states: the contents of its row, from the
// state before the entry to the state after it. Fresh says that the last state is new.
type StoryMove struct {
	States [][]byte
	Fresh  bool
}

// StoryName is the name of a story in the log of changes.
func StoryName(campaign string) string { return "story/" + campaign }

// AppendMove makes entry n of a campaign's log durable. If n is not the next number, the error is a
// *[ConflictError], or another one if there is no campaign or a gap before n. [Campaigns.EntryOf]
// finds the entry by request, unless that is "". It also records a change for each step of the
// story from state to state, and returns these. A step that reverses an earlier one undoes that
// change. Each can be undone by itself.
func (s *Campaigns) AppendMove(ctx context.Context, campaign string, n int64, line []byte, request string, move StoryMove) (made []event.Change, err error) {
	err = s.db.transact(ctx, func(tx transaction) error {
		next, known, err := find(ctx, tx, scanOne[int64],
			`SELECT coalesce((SELECT max(n) + 1 FROM entry WHERE campaign = id), 0) FROM campaign WHERE id = ?`, campaign)
		switch {
		case err != nil:
			return err
		case !known:
			return ErrNoCampaign
		case n < next:
			return &ConflictError{Campaign: campaign, N: n}
		case n > next:
			return fmt.Errorf("entry %d of campaign %q would leave a hole: the next one is %d", n, campaign, next)
		}
		if err := addEntry(ctx, tx, campaign, n, CampaignEntry{Line: line, Request: request}); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE campaign SET played = ? WHERE id = ?`, s.db.now().UnixMilli(), campaign)
		if err == nil && len(move.States) > 1 {
			made, err = s.noteMove(ctx, tx, campaign, move)
		}
		return err
	})
	return made, campaignFailure("append to", s.db.path, err)
}

// noteMove records in tx the changes of a move of a story.
func (s *Campaigns) noteMove(ctx context.Context, tx transaction, campaign string, move StoryMove) (made []event.Change, err error) {
	name, changes := StoryName(campaign), s.db.Changes(Limits{})
	cause := causeOr(ctx, event.Cause{})
	cause.Tool = cmp.Or(cause.Tool, "story")
	var past []event.Change // newest first
	if !move.Fresh || len(move.States) > 2 {
		if past, err = changesOf(ctx, tx, name); err != nil {
			return nil, err
		}
	}
	asked := cause.Undoes // the change that a person undoes in the list of changes
	for i, state := range move.States[1:] {
		before, after := event.RowState(move.States[i]), event.RowState(state)
		cause.Undoes = takenBack(past, before, after)
		if len(move.States) == 2 && asked != 0 {
			cause.Undoes = asked
		}
		one, err := changes.keepRow(ctx, tx, event.Change{Cause: cause, Path: name}, move.States[i], state)
		if err != nil {
			return nil, err
		}
		made, past = append(made, one), append([]event.Change{one}, past...)
	}
	if made[0].ID%pruneEvery == 0 {
		err = changes.prune(ctx, tx)
	}
	return made, err
}

// ChangeTo returns the number of the newest change that brought a campaign to a state by playing
// on, or 0 if there is none. An undo does not count.
func (s *Campaigns) ChangeTo(ctx context.Context, campaign string, state []byte) (int64, error) {
	after, err := json.Marshal(event.RowState(state))
	if err != nil {
		return 0, err
	}
	n, _, err := find(ctx, s.db.read, scanOne[int64], `SELECT id FROM change WHERE path = ? AND after = ? AND undoes = 0 ORDER BY id DESC LIMIT 1`,
		StoryName(campaign), string(after))
	return n, wrap("read", s.db.path, err)
}

// takenBack returns the number of the newest change in force whose reverse leads from before to
// after, or 0. past are the changes of one name, newest first.
func takenBack(past []event.Change, before, after event.FileState) int64 {
	var fates event.Fates
	for _, c := range past {
		fates.Complete(&c)
		if c.InForce() && c.Before.Same(after) && c.After.Same(before) {
			return c.ID
		}
	}
	return 0
}

// campaignFailure returns err as it is if it is an answer and no failure of the file; otherwise it
// wraps it.
func campaignFailure(op, path string, err error) error {
	var taken *ConflictError
	if err == nil || errors.As(err, &taken) || errors.Is(err, ErrNoCampaign) {
		return err
	}
	return wrap(op, path, err)
}

// Entry returns entry n of a campaign's log, or nil if there is none.
func (s *Campaigns) Entry(ctx context.Context, campaign string, n int64) ([]byte, error) {
	line, err := value[[]byte](ctx, s.db.read, `SELECT line FROM entry WHERE campaign = ? AND n = ?`, campaign, n)
	return line, wrap("read", s.db.path, err)
}

// Entries yields the entries of a campaign's log, beginning with number from. Writers need not wait
// for the reader.
func (s *Campaigns) Entries(ctx context.Context, campaign string, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			lines, err := collect(ctx, s.db.read, scanOne[[]byte],
				`SELECT line FROM entry WHERE campaign = ? AND n >= ? ORDER BY n LIMIT ?`, campaign, from, pageEntries)
			if err != nil {
				yield(nil, wrap("read", s.db.path, err))
				return
			}
			for _, line := range lines {
				if !yield(line, nil) {
					return
				}
			}
			if len(lines) < pageEntries {
				return
			}
			from += int64(len(lines))
		}
	}
}

// EntryOf returns the number of the entry that answered a request; ok is false if there is none.
func (s *Campaigns) EntryOf(ctx context.Context, campaign, request string) (n int64, ok bool, err error) {
	n, ok, err = find(ctx, s.db.read, scanOne[int64], `SELECT n FROM entry_request WHERE campaign = ? AND request = ?`, campaign, request)
	return n, ok, wrap("read", s.db.path, err)
}

// EntryBy reports whether an entry of a campaign's log answered a request with this prefix, which
// must end with an ASCII character.
func (s *Campaigns) EntryBy(ctx context.Context, campaign, prefix string) (found bool, err error) {
	last := len(prefix) - 1
	behind := prefix[:last] + string(prefix[last]+1) // sorts behind all texts with the prefix
	found, err = value[bool](ctx, s.db.read,
		`SELECT EXISTS (SELECT 1 FROM entry_request WHERE campaign = ? AND request >= ? AND request < ?)`,
		campaign, prefix, behind)
	return found, wrap("read", s.db.path, err)
}

// Cache returns the snapshot of [Campaigns.SetCache], or nil if there is none.
func (s *Campaigns) Cache(ctx context.Context, campaign string) ([]byte, error) {
	cache, err := value[[]byte](ctx, s.db.read, `SELECT cache FROM campaign WHERE id = ?`, campaign)
	return cache, wrap("read", s.db.path, err)
}

// SetCache stores a snapshot of a campaign, and replaces the earlier one.
func (s *Campaigns) SetCache(ctx context.Context, campaign string, cache []byte) error {
	_, err := s.db.exec(ctx, `UPDATE campaign SET cache = ? WHERE id = ?`, cache, campaign)
	return wrap("keep a snapshot in", s.db.path, err)
}
