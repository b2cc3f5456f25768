package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
)

// memoryRequest is a request as [Memory] keeps it.
type memoryRequest struct {
	time           time.Time
	chat, id, hash string
	outcome        json.RawMessage // nil while there is none
}

// lock locks, unless the context has ended.
func (m *Memory) lock(ctx context.Context, what string) (unlock func(), err error) {
	m.mu.Lock()
	if err := ctx.Err(); err != nil {
		m.mu.Unlock()
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return m.mu.Unlock, nil
}

// Settings is [DB.Settings].
func (m *Memory) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	unlock, err := m.lock(ctx, "read settings")
	if err != nil {
		return nil, err
	}
	defer unlock()
	found := maps.Clone(m.settings)
	maps.DeleteFunc(found, func(key, _ string) bool { return !strings.HasPrefix(key, prefix) })
	return found, nil
}

// DeleteSetting is [DB.DeleteSetting].
func (m *Memory) DeleteSetting(ctx context.Context, key string) error {
	unlock, err := m.lock(ctx, "delete setting "+key)
	if err != nil {
		return err
	}
	defer unlock()
	delete(m.settings, key)
	m.version++
	return nil
}

// Version is [DB.Version].
func (m *Memory) Version(ctx context.Context) (int64, error) {
	unlock, err := m.lock(ctx, "read the version of grants and settings")
	if err != nil {
		return 0, err
	}
	defer unlock()
	return m.version, nil
}

// record appends records, all or none.
func (m *Memory) record(records []event.Audit) error {
	c, all := chain{}, slices.Clip(m.audits)
	if n := len(all); n > 0 {
		c = chain{all[n-1].ID, all[n-1].Hash}
	}
	for _, a := range records {
		a, err := c.link(a)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	m.audits = all
	return nil
}

// keep keeps what belongs to rows beside their events, all or nothing.
func (m *Memory) keep(rows []row) error {
	var records []event.Audit
	for _, r := range rows {
		if r.audit != nil {
			a := *r.audit
			a.Time = time.UnixMilli(r.time)
			records = append(records, a)
		}
	}
	if err := m.record(records); err != nil {
		return err
	}
	for _, r := range rows {
		for _, g := range r.grants {
			m.grant(g, time.UnixMilli(r.time))
		}
	}
	return nil
}

// AppendAudit is [DB.AppendAudit].
func (m *Memory) AppendAudit(ctx context.Context, records ...event.Audit) error {
	unlock, err := m.lock(ctx, "record a call")
	if err != nil {
		return err
	}
	defer unlock()
	records = slices.Clone(records)
	for i := range records {
		if records[i].Time.IsZero() {
			records[i].Time = m.now()
		}
	}
	if err := m.record(records); err != nil {
		return fmt.Errorf("record a call: %w", err)
	}
	return nil
}

// Audits is [DB.Audits].
func (m *Memory) Audits(ctx context.Context, f AuditFilter) ([]event.Audit, error) {
	unlock, err := m.lock(ctx, "read the records of calls")
	if err != nil {
		return nil, err
	}
	defer unlock()
	var found []event.Audit
	for _, a := range slices.Backward(m.audits) {
		if f.picks(a) && (f.Limit <= 0 || len(found) < f.Limit) {
			a.Repairs = slices.Clone(a.Repairs)
			found = append(found, a)
		}
	}
	return found, nil
}

// AddGrant is [DB.AddGrant].
func (m *Memory) AddGrant(ctx context.Context, g event.Grant) (event.Grant, error) {
	unlock, err := m.lock(ctx, "add a grant")
	if err != nil {
		return event.Grant{}, err
	}
	defer unlock()
	if err := checkGrant(g); err != nil {
		return event.Grant{}, fmt.Errorf("add a grant: %w", err)
	}
	return m.grant(g, m.now()), nil
}

func (m *Memory) grant(g event.Grant, now time.Time) event.Grant {
	for _, there := range m.grants {
		if there.Revoked.IsZero() && there.Tool == g.Tool && there.Host == g.Host && there.Path == g.Path {
			return there.Grant
		}
	}
	g.ID, g.Time = int64(len(m.grants)+1), time.UnixMilli(now.UnixMilli()).UTC()
	m.grants = append(m.grants, Granted{Grant: g})
	m.version++
	return g
}

// RevokeGrant is [DB.RevokeGrant].
func (m *Memory) RevokeGrant(ctx context.Context, id int64) (bool, error) {
	unlock, err := m.lock(ctx, "revoke a grant")
	if err != nil {
		return false, err
	}
	defer unlock()
	for i, g := range m.grants {
		if g.ID == id && g.Revoked.IsZero() {
			m.grants[i].Revoked = time.UnixMilli(m.now().UnixMilli()).UTC()
			m.version++
			return true, nil
		}
	}
	return false, nil
}

// Grants is [DB.Grants].
func (m *Memory) Grants(ctx context.Context) (grants []event.Grant, err error) {
	all, err := m.AllGrants(ctx)
	for _, g := range all {
		if g.Revoked.IsZero() {
			grants = append(grants, g.Grant)
		}
	}
	return grants, err
}

// AllGrants is [DB.AllGrants].
func (m *Memory) AllGrants(ctx context.Context) ([]Granted, error) {
	unlock, err := m.lock(ctx, "read the grants")
	if err != nil {
		return nil, err
	}
	defer unlock()
	return slices.Clone(m.grants), nil
}

// BeginRequest is [DB.BeginRequest].
func (m *Memory) BeginRequest(ctx context.Context, chat, id, hash string) (Request, error) {
	if err := checkRequest(id); err != nil {
		return Request{}, err
	}
	unlock, err := m.lock(ctx, "begin a request")
	if err != nil {
		return Request{}, err
	}
	defer unlock()
	now := m.now()
	m.requests = slices.DeleteFunc(m.requests, func(r memoryRequest) bool { return now.Sub(r.time) > requestAge })
	i := m.request(chat, id)
	if i < 0 {
		m.requests = append(m.requests, memoryRequest{time: now, chat: chat, id: id, hash: hash})
		m.requests = m.requests[max(0, len(m.requests)-requestRows):]
		return Request{}, nil
	}
	r := m.requests[i]
	if r.hash != hash {
		return Request{}, &RequestConflictError{chat, id}
	}
	return Request{Known: true, Done: r.outcome != nil, Outcome: slices.Clone(r.outcome)}, nil
}

// EndRequest is [DB.EndRequest].
func (m *Memory) EndRequest(ctx context.Context, chat, id string, outcome json.RawMessage) error {
	outcome, err := checkOutcome(outcome)
	if err != nil {
		return err
	}
	unlock, err := m.lock(ctx, "end a request")
	if err != nil {
		return err
	}
	defer unlock()
	i := m.request(chat, id)
	if i < 0 {
		return unknownRequest(chat, id)
	}
	if m.requests[i].outcome == nil {
		m.requests[i].outcome = slices.Clone(outcome)
	}
	return nil
}

func (m *Memory) request(chat, id string) int {
	return slices.IndexFunc(m.requests, func(r memoryRequest) bool { return r.chat == chat && r.id == id })
}
