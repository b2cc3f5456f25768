package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hob/internal/event"
)

// auditBegin is the setting with the Seq of the last event from before hob kept records.
const auditBegin = "audit/begin"

// AuditFilter selects records. A field that is "" or zero selects all.
type AuditFilter struct {
	Chat   string // exactly this chat
	Tool   string
	Status string
	Since  time.Time
	Limit  int // at most so many, the newest
}

// auditOf returns the record that goes with an entry, or nil if there is none. body is the entry's
// body as read back. The fields of a result are copied from it, so that the two cannot contradict
// each other.
func auditOf(e Entry, body event.Body) (*event.Audit, error) {
	if e.Audit == nil {
		return nil, nil
	}
	r, ok := body.(event.Returned)
	if !ok {
		return nil, fmt.Errorf("the record of a call goes with its result, not with %q", body.Type())
	}
	a := *e.Audit
	a.Chat, a.Turn, a.CallID, a.Tool, a.DurationMS = e.Chat, e.Turn, r.ID, r.Tool, r.DurationMS
	if r.Rule != "" {
		a.Rule = r.Rule
	}
	if (a.Status == statusOK) != r.OK {
		return nil, fmt.Errorf("the record of call %q says %q, and its result has ok=%t", r.ID, a.Status, r.OK)
	}
	return &a, nil
}

// statusOK is the status of a call that succeeded.
const statusOK = "ok"

// chain is the end of the chain of records, to which the next one is linked.
type chain struct {
	id   int64
	hash string
}

// link fills in the place of a record in the chain, makes it the newest and returns it as it will be
// read back, with its time truncated to milliseconds.
func (c *chain) link(a event.Audit) (event.Audit, error) {
	if a.Status == "" {
		return a, errors.New("the record of a call has no status")
	}
	a.ID, a.Time, a.Prev, a.Hash = c.id+1, time.UnixMilli(a.Time.UnixMilli()).UTC(), c.hash, ""
	raw, err := json.Marshal(a)
	if err != nil {
		return a, fmt.Errorf("encode the record of a call: %w", err)
	}
	a = event.Audit{}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, fmt.Errorf("read back the record of a call: %w", err)
	}
	a.Hash, err = auditHash(a)
	c.id, c.hash = a.ID, a.Hash
	return a, err
}

// auditHash returns the hash of a record as the package comment defines it.
func auditHash(a event.Audit) (string, error) {
	a.Hash = ""
	raw, err := json.Marshal(a)
	if err != nil {
		return "", fmt.Errorf("encode record %d: %w", a.ID, err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// newestAudit returns the end of the chain. Its id is the last one given, so if records were
// deleted by hand, the next one leaves a gap.
func newestAudit(ctx context.Context, tx transaction) (c chain, err error) {
	err = tx.QueryRowContext(ctx, `SELECT
		coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0),
		coalesce((SELECT hash FROM audit ORDER BY id DESC LIMIT 1), '')`).Scan(&c.id, &c.hash)
	return c, err
}

// addAudits appends the records of the rows' results.
func addAudits(ctx context.Context, tx transaction, rows []row) error {
	var c chain
	for _, r := range rows {
		if r.audit == nil {
			continue
		}
		if c.id == 0 {
			var err error
			if c, err = newestAudit(ctx, tx); err != nil {
				return err
			}
		}
		a := *r.audit
		a.Time = time.UnixMilli(r.time)
		if err := addAudit(ctx, tx, &c, a, r.seq); err != nil {
			return err
		}
	}
	return nil
}

func addAudit(ctx context.Context, tx transaction, c *chain, a event.Audit, seq int64) error {
	a, err := c.link(a)
	if err != nil {
		return err
	}
	var repairs []byte
	if len(a.Repairs) > 0 {
		if repairs, err = json.Marshal(a.Repairs); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO audit (`+auditColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID, seq, a.Time.UnixMilli(), string(a.Chat), a.Session, a.Turn, a.CallID, a.User, a.Platform, a.Tool,
		a.Source, a.ArgsHash, a.DurationMS, a.Status, a.Error, a.Rule, a.Tokens, string(repairs), a.Prev, a.Hash)
	return err
}

// AppendAudit records calls outside of a turn. It fills in ID, Prev and Hash, and Time if that is
// zero. The records become durable with the next durable write, at the latest when the journal is
// closed: a power cut may lose them, a kill may not.
func (d *DB) AppendAudit(ctx context.Context, records ...event.Audit) error {
	if len(records) == 0 {
		return nil
	}
	err := d.lazyTransact(ctx, func(tx transaction) error {
		c, err := newestAudit(ctx, tx)
		if err != nil {
			return err
		}
		for _, a := range records {
			if a.Time.IsZero() {
				a.Time = d.now()
			}
			if err := addAudit(ctx, tx, &c, a, 0); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("record a call in", d.path, err)
}

const auditColumns = `id, seq, time, chat, session_id, turn, call_id, user, platform, tool_name,
	source, args_hash, duration_ms, status, error, rule, tokens, repairs, prev, hash`

// Audits returns the records that match the filter, newest first.
func (d *DB) Audits(ctx context.Context, f AuditFilter) ([]event.Audit, error) {
	if f.Limit <= 0 {
		f.Limit = -1
	}
	rows, err := d.auditRows(ctx,
		`WHERE (?1 = '' OR chat = ?1) AND (?2 = '' OR tool_name = ?2) AND (?3 = '' OR status = ?3) AND time >= ?4
		ORDER BY id DESC LIMIT ?5`, f.Chat, f.Tool, f.Status, f.Since.UnixMilli(), f.Limit)
	if err != nil {
		return nil, wrap("read the records of calls in", d.path, err)
	}
	var all []event.Audit
	for _, r := range rows {
		all = append(all, r.Audit)
	}
	return all, nil
}

// auditRow is a record with the Seq of its event.
type auditRow struct {
	event.Audit
	seq int64
}

// auditRows returns records up to the first unreadable one, which is a *[flaw].
func (d *DB) auditRows(ctx context.Context, where string, args ...any) ([]auditRow, error) {
	return collect(ctx, d.read, func(scan scanner) (a auditRow, err error) {
		var repairs string
		err = scan(&a.ID, &a.seq, milliseconds{&a.Time}, &a.Chat, &a.Session, &a.Turn, &a.CallID, &a.User, &a.Platform, &a.Tool,
			&a.Source, &a.ArgsHash, &a.DurationMS, &a.Status, &a.Error, &a.Rule, &a.Tokens, &repairs, &a.Prev, &a.Hash)
		if err == nil && repairs != "" {
			if err := json.Unmarshal([]byte(repairs), &a.Repairs); err != nil {
				return a, &flaw{fmt.Sprintf("record %d cannot be read: %v", a.ID, err), a.ID, a.seq}
			}
		}
		return a, err
	}, `SELECT `+auditColumns+` FROM audit `+where, args...)
}
