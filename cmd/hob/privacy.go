package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/doctor"
	"hob/internal/egress"
	"hob/internal/exit"
)

func privacyCommand(a *program) *cobra.Command {
	var since time.Duration
	var asJSON, verify bool
	cmd := &cobra.Command{
		Use: "privacy", Short: "list every host that was contacted, or prove that no other can be", Args: cobra.NoArgs,
		Long: "privacy prints the hosts that hob has contacted, why, how often and with how many bytes, and those that it refused\n" +
			"to contact. With --verify it tries, live, to get out in the ways that must not work, and fails if one does.",
		Example: "  hob privacy\n  hob privacy --since 24h --json\n  hob privacy --verify",
		RunE: does(func(ctx context.Context, _ []string) error {
			if since < 0 {
				return exit.Errorf(exit.Usage, "--since takes how long ago, such as 24h")
			}
			if verify {
				return a.verify(ctx, asJSON)
			}
			s, err := a.Load()
			if err != nil {
				return err
			}
			return a.privacy(ctx, s, since, asJSON)
		}),
	}
	cmd.Flags().DurationVar(&since, "since", 0, "only hosts contacted since so long ago, such as 24h; their days count whole")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.Flags().BoolVar(&verify, "verify", false, "try to get out in ways that must not work")
	cmd.MarkFlagsMutuallyExclusive("since", "verify")
	return cmd
}

func (a *program) privacy(ctx context.Context, s *app.Environment, since time.Duration, asJSON bool) error {
	from := time.Time{}
	if since > 0 {
		from = time.Now().Add(-since)
	}
	rows, err := s.Contacts(ctx, from)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(map[string]any{"contacts": rows})
	}
	fmt.Fprintln(a.stdout, s.Coverage())
	if len(rows) == 0 {
		fmt.Fprintln(a.stdout, "\nNobody was contacted.")
		return nil
	}
	return a.printContacts(rows)
}

func (a *program) printContacts(rows []commands.Contact) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	at := func(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
	reached, refused, tried := commands.SplitContacts(rows)
	if len(reached) > 0 {
		fmt.Fprintln(w, "\nWHY\tHOST\tADDRESS\tCONNECTIONS\tSENT\tRECEIVED\tFIRST\tLAST")
	}
	for _, r := range reached {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", r.Reason, display.Clean(r.Host), r.Address, r.Connections,
			display.Bytes(r.Sent), display.Bytes(r.Received), at(r.First), at(r.Last))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(refused) > 0 {
		fmt.Fprintln(w, "\nREFUSED\tHOST\tADDRESS\tATTEMPTS\tBECAUSE\tLAST")
	}
	for _, r := range refused {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", r.Reason, display.Clean(r.Host), r.Address, r.Refused, r.Why, at(r.Last))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if tried > 0 {
		fmt.Fprintf(a.stdout, "\nhob privacy --verify tried to get out in vain: %s.\n", display.Count(int(tried), "attempt"))
	}
	return nil
}

// verify tries to get out in the ways that must not work.
func (a *program) verify(ctx context.Context, asJSON bool) error {
	canary, err := egress.Baited(ctx) // before anything is open
	if err != nil {
		return err
	}
	proofs, err := a.proofs(ctx, canary)
	if err := errors.Join(err, canary.Close()); err != nil {
		return err
	}
	return a.printProofs(proofs, asJSON)
}

// proofs reads the configuration and makes the proofs.
func (a *program) proofs(ctx context.Context, canary *egress.Canary) ([]doctor.Proof, error) {
	s, err := a.Load()
	if err != nil {
		return nil, err
	}
	ctx, stop := client.UntilInterrupted(ctx)
	defer stop()
	return doctor.Prove(ctx, s, canary)
}

// printProofs prints what the proofs came to. Its error names those that failed.
func (a *program) printProofs(proofs []doctor.Proof, asJSON bool) (err error) {
	var broken []string
	for _, p := range proofs {
		if !p.Holds {
			broken = append(broken, p.Name)
		}
	}
	if asJSON {
		err = a.printJSON(map[string]any{"ok": len(broken) == 0, "checks": proofs})
	} else {
		w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, p := range proofs {
			word := "holds"
			if !p.Holds {
				word = "FAILS"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", word, p.Name, display.Clean(p.Found))
		}
		err = w.Flush()
	}
	if err == nil && len(broken) > 0 {
		return exit.Errorf(exit.Failed, "something got out that must not: %s", strings.Join(broken, "; "))
	}
	return err
}
