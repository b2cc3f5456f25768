package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Campaign is a story whose log is kept: entries of bytes that are only ever added to.
type Campaign struct {
	ID, Title     string
	Made, Changed time.Time
	Entries       int64
}

// TakenError says that an entry of a campaign's log, or a campaign, is there already: somebody else wrote it.
type TakenError struct {
	Campaign string
	N        int64 // the entry; -1 is the campaign itself
}

func (e *TakenError) Error() string {
	if e.N < 0 {
		return fmt.Sprintf("there is a campaign %q already: give this one another name", e.Campaign)
	}
	return fmt.Sprintf("entry %d of campaign %q was written by somebody else: read it and try again", e.N, e.Campaign)
}

// ErrNoCampaign says that there is no campaign of that name.
var ErrNoCampaign = errors.New("no such campaign")

// A page of a campaign's entries ends after this many.
const pageEntries = 512

// CampaignEntry is an entry of a campaign's log.
type CampaignEntry struct {
	Line    []byte
	Request string // by which [DB.EntryOf] finds it; "" for none
}

// AddCampaign adds a campaign with the first entries of its log: all of it or nothing. One of that id is a *[TakenError].
func (d *DB) AddCampaign(ctx context.Context, id, title string, log []CampaignEntry) error {
	err := d.transact(ctx, func(tx *sql.Tx) error {
		now := d.now().UnixMilli()
		done, err := tx.ExecContext(ctx, `INSERT INTO campaign (id, title, made, played) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			id, title, now, now)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &TakenError{Campaign: id, N: -1})
		}
		for n, e := range log {
			if err := addEntry(ctx, tx, id, int64(n), e); err != nil {
				return err
			}
		}
		return nil
	})
	return campaignFailure("add a campaign to", d.path, err)
}

// addEntry writes an entry, and by what it is found.
func addEntry(ctx context.Context, tx *sql.Tx, campaign string, n int64, e CampaignEntry) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO entry (campaign, n, line) VALUES (?, ?, ?)`, campaign, n, e.Line)
	if err == nil && e.Request != "" {
		_, err = tx.ExecContext(ctx, `INSERT INTO entry_request (campaign, request, n) VALUES (?, ?, ?)`, campaign, e.Request, n)
	}
	return err
}

// Campaigns returns all campaigns, the one that was changed last first.
func (d *DB) Campaigns(ctx context.Context) (list []Campaign, err error) {
	rows, err := d.read.QueryContext(ctx, `SELECT id, title, made, played, coalesce((SELECT max(n) + 1 FROM entry WHERE campaign = id), 0)
		FROM campaign ORDER BY played DESC, id`)
	if err != nil {
		return nil, failure("read", d.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var c Campaign
		var made, played int64
		if err := rows.Scan(&c.ID, &c.Title, &made, &played, &c.Entries); err != nil {
			return nil, failure("read", d.path, err)
		}
		c.Made, c.Changed = time.UnixMilli(made).UTC(), time.UnixMilli(played).UTC()
		list = append(list, c)
	}
	if err := rows.Err(); err != nil {
		return nil, failure("read", d.path, err)
	}
	return list, nil
}

// DropCampaign takes a campaign away with its log. There is no way back: export it first.
func (d *DB) DropCampaign(ctx context.Context, id string) error {
	err := d.transact(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"entry_request WHERE campaign", "entry WHERE campaign", "campaign WHERE id"} {
			done, err := tx.ExecContext(ctx, `DELETE FROM `+table+` = ?`, id)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); table == "campaign WHERE id" && (err != nil || n == 0) {
				return errors.Join(err, ErrNoCampaign)
			}
		}
		return nil
	})
	if errors.Is(err, ErrNoCampaign) {
		return err
	}
	return campaignFailure("take a campaign from", d.path, err)
}

// AppendEntry makes entry n of a campaign's log durable; it must be the next one, or it is a *[TakenError] (or an error where there is no
// campaign, or a hole before it). A request that is not "" is found again by [DB.EntryOf].
func (d *DB) AppendEntry(ctx context.Context, campaign string, n int64, line []byte, request string) error {
	err := d.transact(ctx, func(tx *sql.Tx) error {
		var next int64
		err := tx.QueryRowContext(ctx, `SELECT coalesce((SELECT max(n) + 1 FROM entry WHERE campaign = id), 0) FROM campaign WHERE id = ?`,
			campaign).Scan(&next)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNoCampaign
		case err != nil:
			return err
		case n < next:
			return &TakenError{Campaign: campaign, N: n}
		case n > next:
			return fmt.Errorf("entry %d of campaign %q would leave a hole: the next one is %d", n, campaign, next)
		}
		if err := addEntry(ctx, tx, campaign, n, CampaignEntry{Line: line, Request: request}); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE campaign SET played = ? WHERE id = ?`, d.now().UnixMilli(), campaign)
		return err
	})
	return campaignFailure("append to", d.path, err)
}

// campaignFailure leaves alone what is an answer and no failure of the file.
func campaignFailure(op, path string, err error) error {
	var taken *TakenError
	if err == nil || errors.As(err, &taken) || errors.Is(err, ErrNoCampaign) {
		return err
	}
	return failure(op, path, err)
}

// Entry returns entry n of a campaign's log, nil where there is none.
func (d *DB) Entry(ctx context.Context, campaign string, n int64) (line []byte, err error) {
	err = d.read.QueryRowContext(ctx, `SELECT line FROM entry WHERE campaign = ? AND n = ?`, campaign, n).Scan(&line)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, failure("read", d.path, err)
	}
	return line, nil
}

// Entries yields the entries of a campaign's log from the given one on. Writers need not wait for its reader.
func (d *DB) Entries(ctx context.Context, campaign string, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			lines, err := d.entryPage(ctx, campaign, from)
			if err != nil {
				yield(nil, failure("read", d.path, err))
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

func (d *DB) entryPage(ctx context.Context, campaign string, from int64) (lines [][]byte, err error) {
	rows, err := d.read.QueryContext(ctx, `SELECT line FROM entry WHERE campaign = ? AND n >= ? ORDER BY n LIMIT ?`, campaign, from, pageEntries)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var line []byte
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, rows.Err()
}

// EntryOf returns the number of the entry that answered a request; ok is false where there is none.
func (d *DB) EntryOf(ctx context.Context, campaign, request string) (n int64, ok bool, err error) {
	err = d.read.QueryRowContext(ctx, `SELECT n FROM entry_request WHERE campaign = ? AND request = ?`, campaign, request).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, failure("read", d.path, err)
	}
	return n, true, nil
}

// EntryBy reports whether some entry of a campaign's log answered a request that begins with prefix, which is not empty and ends with a
// character of ASCII.
func (d *DB) EntryBy(ctx context.Context, campaign, prefix string) (found bool, err error) {
	last := len(prefix) - 1
	behind := prefix[:last] + string(prefix[last]+1) // all that begin so stand before it in the index
	err = d.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM entry_request WHERE campaign = ? AND request >= ? AND request < ?)`,
		campaign, prefix, behind).Scan(&found)
	if err != nil {
		return false, failure("read", d.path, err)
	}
	return found, nil
}

// CampaignCache returns what [DB.CacheCampaign] kept last, nil where it kept nothing.
func (d *DB) CampaignCache(ctx context.Context, campaign string) (cache []byte, err error) {
	err = d.read.QueryRowContext(ctx, `SELECT cache FROM campaign WHERE id = ?`, campaign).Scan(&cache)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, failure("read", d.path, err)
	}
	return cache, nil
}

// CacheCampaign keeps a snapshot of a campaign in place of the one before.
func (d *DB) CacheCampaign(ctx context.Context, campaign string, cache []byte) error {
	_, err := d.exec(ctx, `UPDATE campaign SET cache = ? WHERE id = ?`, cache, campaign)
	if err != nil {
		return failure("keep a snapshot in", d.path, err)
	}
	return nil
}
