package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/tools"
)

func auditCommand(a *program) *cobra.Command {
	filter := store.AuditFilter{Limit: 20}
	var since string
	cmd := a.withResult(&cobra.Command{
		Use: "audit", Short: "every call that was made, and that the record is whole",
		Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		if filter.Status != "" && !slices.Contains(app.AuditStatuses(), filter.Status) {
			return result{}, exit.Errorf(exit.Usage, "no call is ever %q: give one of %s", filter.Status, strings.Join(app.AuditStatuses(), ", "))
		}
		if filter.Limit < 0 {
			return result{}, exit.Errorf(exit.Usage, "-n %d: say how many, or 0 for all", filter.Limit)
		}
		if since != "" {
			span, err := readSpan(since)
			if err != nil {
				return result{}, err
			}
			filter.Since = time.Now().Add(-span)
		}
		all, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Audit, error) { return db.Audits(ctx, filter) })
		none := "No call was made.\n"
		if filter != (store.AuditFilter{Limit: filter.Limit}) {
			none = "No such call was made.\n"
		}
		return result{value: append([]event.Audit{}, all...), text: auditTable(all, s.Zone()).text(none)}, err
	})
	cmd.Flags().StringVar(&filter.Chat, "chat", "", "only of this chat")
	cmd.Flags().StringVar(&filter.Tool, "tool", "", "only of this tool")
	cmd.Flags().StringVar(&filter.Status, "status", "", "only those that were "+strings.Join(app.AuditStatuses(), ", "))
	cmd.Flags().StringVar(&since, "since", "", "only of this time, such as 1h or 2d")
	cmd.Flags().IntVarP(&filter.Limit, "number", "n", filter.Limit, "how many; 0 is all")
	cmd.AddCommand(auditVerifyCommand(a))
	return cmd
}

func auditTable(all []event.Audit, zone *time.Location) *table {
	t := newTable("CALL", "WHEN", "CHAT", "TOOL", "CAME TO", "TOOK", "HASH OF ARGUMENTS")
	for _, c := range all {
		came := c.Status
		why := c.Error // the rule of a call that ran only says why it was permitted
		if c.Status == "denied" {
			why = cmp.Or(c.Rule, c.Error)
		}
		if why != "" && c.Status != "ok" {
			came += " (" + why + ")"
		}
		tool := c.Tool
		if c.Source != "" && c.Source != tools.BuiltIn {
			tool += " from " + c.Source
		}
		t.add(c.ID, c.Time.In(zone).Format(time.DateTime), cmp.Or(c.Chat, "-"), tool, came, fmt.Sprint(c.DurationMS, " ms"), c.ArgsHash[:min(8, len(c.ArgsHash))])
	}
	return t
}

func auditVerifyCommand(a *program) *cobra.Command {
	var head string
	cmd := &cobra.Command{
		Use: "verify", Short: "check that no record was changed, added or taken away",
		Args: cobra.NoArgs,
	}
	cmd.Flags().StringVar(&head, "head", "", "a hash that verify printed before")
	return a.withResult(cmd, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		if raw, err := hex.DecodeString(head); cmd.Flags().Changed("head") && (err != nil || len(raw) != sha256.Size) {
			return result{}, exit.Errorf(exit.Usage, "--head %q: give the whole hash that verify printed, 64 digits", head)
		}
		report, err := s.VerifyAudit(ctx, head)
		got := result{value: report, text: "No call was made.\n"}
		switch {
		case report.Problem != "":
			got.text, got.failure = "", exit.Errorf(exit.Failed, "the record is not whole: %s", display.Clean(report.Problem))
		case report.Calls > 0:
			got.text = fmt.Sprintf("The record is whole: %s, the newest has the hash\n%s\n", display.Count(report.Calls, "call"), report.Head)
		}
		return got, err
	})
}
