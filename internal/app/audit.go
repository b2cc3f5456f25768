package app

import (
	"context"
	"encoding/json"

	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// AuditStatuses returns the possible statuses of a recorded call.
func AuditStatuses() []string {
	return []string{"ok", "failed", "denied", "refused", "stopped", "interrupted"}
}

// AuditReport is the result of a check: `hob audit verify --json` prints it.
type AuditReport struct {
	OK      bool   `json:"ok"`
	Calls   int    `json:"calls"`             // number of recorded calls
	Head    string `json:"head"`              // hash of the newest record
	Problem string `json:"problem,omitempty"` // the first problem found
	Call    int64  `json:"call,omitempty"`    // the record with the problem
	Event   int64  `json:"event,omitempty"`   // the event with the problem
}

// VerifyAudit checks the recorded calls against each other, against the journal and, unless it is
// "", against a head that was noted before.
func (s *Environment) VerifyAudit(ctx context.Context, head string) (AuditReport, error) {
	found, err := ReadJournal(ctx, s, func(db *store.DB) (store.AuditReport, error) { return VerifyAudit(ctx, db, head) })
	return AuditReport{found.Problem == "", found.Calls, found.Head, found.Problem, found.ID, found.Seq}, err
}

// VerifyAudit is [Environment.VerifyAudit] for an open journal.
func VerifyAudit(ctx context.Context, db *store.DB, head string) (store.AuditReport, error) {
	return db.VerifyAudit(ctx, head, func(args json.RawMessage) (string, error) { return HashArgs(args), nil })
}

// HashArgs returns the hash of a call's arguments that the audit stores.
func HashArgs(args json.RawMessage) string {
	canonical, err := tools.Canonical(args)
	if err != nil {
		canonical = args
	}
	return policy.HashArgs(canonical)
}
