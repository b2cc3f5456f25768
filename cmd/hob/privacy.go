package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/doctor"
	"hob/internal/egress"
	"hob/internal/exit"
	"hob/internal/store"
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

// contacted is what `hob privacy --json` prints of a host.
type contacted struct {
	Reason      string    `json:"reason"`
	Host        string    `json:"host"`
	Address     string    `json:"address,omitempty"` // the last one
	Connections int64     `json:"connections"`
	Sent        int64     `json:"sent"` // bytes
	Received    int64     `json:"received"`
	Refused     int64     `json:"refused"`       // attempts
	Why         string    `json:"why,omitempty"` // the last one was refused
	First       time.Time `json:"first"`
	Last        time.Time `json:"last"`
}

func (a *program) privacy(ctx context.Context, s *app.Environment, since time.Duration, asJSON bool) error {
	rows, err := contactsOf(ctx, s, since)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(map[string]any{"contacts": rows})
	}
	fmt.Fprintln(a.stdout, covered(s))
	if len(rows) == 0 {
		fmt.Fprintln(a.stdout, "\nNobody was contacted.")
		return nil
	}
	return a.printContacts(rows)
}

// covered says what the list is a list of.
func covered(s *app.Environment) string {
	commands := "Commands have no network."
	if len(s.Shell.Network) > 0 {
		commands = "Commands reach only what [shell] network lists, and that is counted here."
	}
	if s.Shell.AllowUnsandboxed {
		commands = "Commands that run without a sandbox ([shell] allow_unsandboxed) are not seen here."
	}
	return "Every host that hob itself contacted in the last 90 days. " + commands + "\n" +
		"What Ollama contacts, such as its registry for a pull, and the looking up of names are the machine's, not hob's, to list."
}

// contactsOf reads the ledger, days put together.
func contactsOf(ctx context.Context, s *app.Environment, since time.Duration) ([]contacted, error) {
	rows := []contacted{}
	if _, err := os.Stat(s.JournalPath()); os.IsNotExist(err) {
		return rows, nil // looking must not make it look as if something had happened
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	from := time.Time{}
	if since > 0 {
		from = time.Now().Add(-since)
	}
	lines, err := db.Contacts(ctx, from)
	if err != nil {
		return nil, err
	}
	return together(lines), nil
}

// together puts the lines of the ledger for each host together.
func together(lines []store.Contact) []contacted {
	rows := []contacted{}
	for _, l := range lines {
		if n := len(rows) - 1; n >= 0 && rows[n].Reason == l.Reason && rows[n].Host == l.Host {
			rows[n].add(l)
			continue
		}
		row := contacted{Reason: l.Reason, Host: l.Host, First: l.First}
		row.add(l)
		rows = append(rows, row)
	}
	return rows
}

// add puts a later line to what is there.
func (c *contacted) add(l store.Contact) {
	c.Connections += l.Connections
	c.Sent += l.Sent
	c.Received += l.Received
	c.Refused += l.Refused
	c.Last = l.Last
	if l.Address != "" {
		c.Address = l.Address
	}
	if l.Why != "" {
		c.Why = l.Why
	}
}

func (a *program) printContacts(rows []contacted) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	at := func(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
	var reached, refused []contacted
	var tried int64
	for _, r := range rows {
		if r.Reason == app.PrivacyCheck { // hob's own canaries
			tried += r.Refused
			continue
		}
		if r.Refused > 0 {
			refused = append(refused, r)
		}
		if r.Refused == 0 || r.Connections > 0 {
			reached = append(reached, r)
		}
	}
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
	ctx, stop := untilInterrupted(ctx)
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
