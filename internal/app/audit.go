package app

import (
	"context"
	"encoding/json"

	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// AuditStatuses are what may come of a call.
func AuditStatuses() []string {
	return []string{"ok", "failed", "denied", "refused", "stopped", "interrupted"}
}

// AuditReport is what `hob audit verify --json` prints.
type AuditReport struct {
	OK      bool   `json:"ok"`
	Calls   int    `json:"calls"`             // that are recorded
	Head    string `json:"head"`              // hash of the newest record
	Problem string `json:"problem,omitempty"` // what is wrong first
	Call    int64  `json:"call,omitempty"`    // the record that it is about
	Event   int64  `json:"event,omitempty"`   // the event in the journal that it is about
}

// VerifyAudit checks the record of calls against itself, against the journal, and against a head that was noted before, unless that is "".
func (s *Environment) VerifyAudit(ctx context.Context, head string) (out AuditReport, err error) {
	var found store.AuditReport
	err = s.WithJournal(ctx, func(db *store.DB) error {
		found, err = VerifyAudit(ctx, db, head)
		return err
	})
	return AuditReport{found.Problem == "", found.Calls, found.Head, found.Problem, found.ID, found.Seq}, err
}

// VerifyAudit is [Environment.VerifyAudit] with a journal that is open.
func VerifyAudit(ctx context.Context, db *store.DB, head string) (store.AuditReport, error) {
	return db.VerifyAudit(ctx, head, func(args json.RawMessage) (string, error) { return HashArgs(args), nil })
}

// HashArgs is the hash of a call's arguments as the audit has it.
func HashArgs(args json.RawMessage) string {
	canonical, err := tools.Canonical(args)
	if err != nil {
		canonical = args
	}
	return policy.HashArgs(canonical)
}
