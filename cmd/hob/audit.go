package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
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
	var chat, tool, status, since string
	var asJSON bool
	most := 20
	cmd := &cobra.Command{
		Use: "audit", Short: "every call that was made, and that the record is whole",
		Long: "audit lists the calls of tools, of models and of people: who made them, what came of them, by which rule. Each record\n" +
			"holds the hash of the one before it; hob audit verify says whether any was changed or is missing.",
		Example: "  hob audit                      the newest calls\n" +
			"  hob audit --status denied -n 0 all that were denied\n" +
			"  hob audit verify               that nobody changed the record",
		Args: cobra.NoArgs,
		RunE: does(func(ctx context.Context, _ []string) error {
			if status != "" && !slices.Contains(app.AuditStatuses(), status) {
				return exit.Errorf(exit.Usage, "no call is ever %q: give one of %s", status, strings.Join(app.AuditStatuses(), ", "))
			}
			if most < 0 {
				return exit.Errorf(exit.Usage, "-n %d: say how many, or 0 for all", most)
			}
			filter := store.AuditFilter{Chat: chat, Tool: tool, Status: status, Limit: most}
			if since != "" {
				span, err := readSpan(since)
				if err != nil {
					return err
				}
				filter.Since = time.Now().Add(-span)
			}
			return a.listAudit(ctx, filter, asJSON)
		}),
	}
	cmd.Flags().StringVar(&chat, "chat", "", "only of this chat")
	cmd.Flags().StringVar(&tool, "tool", "", "only of this tool")
	cmd.Flags().StringVar(&status, "status", "", "only those that were "+strings.Join(app.AuditStatuses(), ", "))
	cmd.Flags().StringVar(&since, "since", "", "only of this time, such as 1h or 2d")
	cmd.Flags().IntVarP(&most, "number", "n", most, "how many; 0 is all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.AddCommand(auditVerifyCommand(a))
	return cmd
}

func auditVerifyCommand(a *program) *cobra.Command {
	var head string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "verify", Short: "check that no record was changed, added or taken away",
		Long: "verify recomputes the chain of hashes, and holds it against the journal. It prints the newest hash: who keeps that\n" +
			"somewhere else can later ask with --head whether all up to there is as it was.",
		Args: cobra.NoArgs,
	}
	cmd.RunE = does(func(ctx context.Context, _ []string) error {
		if raw, err := hex.DecodeString(head); cmd.Flags().Changed("head") && (err != nil || len(raw) != sha256.Size) {
			return exit.Errorf(exit.Usage, "--head %q: give the whole hash that verify printed, 64 digits", head)
		}
		return a.verifyAudit(ctx, head, asJSON)
	})
	cmd.Flags().StringVar(&head, "head", "", "a hash that verify printed before")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) listAudit(ctx context.Context, filter store.AuditFilter, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	all := []event.Audit{}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		some, err := db.Audits(ctx, filter)
		all = append(all, some...)
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(all)
	}
	if len(all) == 0 {
		none := "No call was made."
		if filter != (store.AuditFilter{Limit: filter.Limit}) {
			none = "No such call was made."
		}
		_, err := fmt.Fprintln(a.stdout, none)
		return err
	}
	return a.auditTable(all)
}

func (a *program) auditTable(all []event.Audit) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CALL\tWHEN\tCHAT\tTOOL\tCAME TO\tTOOK\tHASH OF ARGUMENTS")
	for _, c := range all {
		came := c.Status
		why := c.Error // of one that ran, the rule is only what let it
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
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d ms\t%s\n", c.ID, c.Time.Local().Format("2006-01-02 15:04:05"),
			cmp.Or(display.Clean(string(c.Chat)), "-"), display.Clean(tool), came, c.DurationMS, c.ArgsHash[:min(8, len(c.ArgsHash))])
	}
	return w.Flush()
}

func (a *program) verifyAudit(ctx context.Context, head string, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	report, err := s.VerifyAudit(ctx, head)
	if err != nil {
		return err
	}
	if asJSON {
		if err := a.printJSON(report); err != nil || report.OK {
			return err
		}
		return exit.Silently(exit.Failed)
	}
	if report.Problem != "" {
		return exit.Errorf(exit.Failed, "the record is not whole: %s", display.Clean(report.Problem))
	}
	if report.Calls == 0 {
		_, err = fmt.Fprintln(a.stdout, "No call was made.")
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "The record is whole: %d calls, the newest has the hash\n%s\n", report.Calls, report.Head)
	return err
}
