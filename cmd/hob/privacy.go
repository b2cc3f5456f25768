package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	var since string
	var verify bool
	cmd := &cobra.Command{
		Use: "privacy", Short: "list every host that was contacted, or prove that no other can be", Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			span := time.Duration(0)
			if since != "" {
				var err error
				if span, err = readSpan(since); err != nil {
					return err
				}
			}
			if verify {
				return a.verify(ctx)
			}
			s, err := a.Load()
			if err != nil {
				return err
			}
			return a.listContacts(ctx, s, span)
		}),
	}
	cmd.Flags().StringVar(&since, "since", "", "only hosts contacted since so long ago, such as 24h or 2d; their days count whole")
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value")
	cmd.Flags().BoolVar(&verify, "verify", false, "try to get out in ways that must not work")
	exclude(cmd, "since", "verify")
	return cmd
}

func (a *program) listContacts(ctx context.Context, s *app.Environment, since time.Duration) error {
	from := time.Time{}
	if since > 0 {
		from = time.Now().Add(-since)
	}
	all, err := s.Contacts(ctx, from)
	if err != nil {
		return err
	}
	return a.printResult(result{value: map[string]any{"contacts": all}, text: s.Coverage() + "\n" + contactsText(all, s.Zone())})
}

// contactsText lists the hosts that were contacted, those that could not be reached, and those that
// were refused.
func contactsText(all []commands.Contact, zone *time.Location) (text string) {
	l := commands.SplitContacts(all)
	if len(l.Reached) == 0 {
		text = "\nNobody was contacted.\n"
	} else {
		t := newTable("WHY", "HOST", "ADDRESS", "CONNECTIONS", "SENT", "RECEIVED", "FIRST", "LAST").in(zone)
		for _, r := range l.Reached {
			t.add(r.Reason, r.Host, r.Address, r.Connections, display.Bytes(r.Sent), display.Bytes(r.Received), r.First, r.Last)
		}
		text = "\n" + t.text("")
	}
	if len(l.Missed) > 0 {
		t := newTable("NOT REACHED", "HOST", "FIRST", "LAST").in(zone)
		for _, r := range l.Missed {
			t.add(r.Reason, r.Host, r.First, r.Last)
		}
		text += "\n" + t.text("")
	}
	if len(l.Refused) > 0 {
		t := newTable("REFUSED", "HOST", "ADDRESS", "ATTEMPTS", "BECAUSE", "LAST").in(zone)
		for _, r := range l.Refused {
			t.add(r.Reason, r.Host, r.Address, r.Refused, r.Why, r.Last)
		}
		text += "\n" + t.text("")
	}
	if l.Proofs > 0 {
		text += fmt.Sprintf("\nhob privacy --verify tried to get out in vain: %s.\n", display.Count(int(l.Proofs), "attempt"))
	}
	return text
}

// verify tries each way out of the machine that must be closed.
func (a *program) verify(ctx context.Context) error {
	canary, err := egress.RestartWithCanary(ctx) // first, before this process opens anything
	if err != nil {
		return err
	}
	proofs, err := a.proofs(ctx, canary)
	if err := errors.Join(err, canary.Close()); err != nil {
		return err
	}
	return a.printProofs(proofs)
}

// proofs reads the configuration and runs the proofs.
func (a *program) proofs(ctx context.Context, canary *egress.Canary) ([]doctor.Proof, error) {
	s, err := a.Load()
	if err != nil {
		return nil, err
	}
	ctx, stop := client.UntilInterrupted(ctx)
	defer stop()
	return doctor.Prove(ctx, s, canary)
}

// printProofs prints the results of the proofs. Its error names those that failed.
func (a *program) printProofs(proofs []doctor.Proof) error {
	var broken []string
	t := newTable()
	for _, p := range proofs {
		word := "holds"
		if !p.Holds {
			word = "FAILS"
			broken = append(broken, p.Name)
		}
		t.add(word, p.Name, p.Found)
	}
	err := a.printResult(result{value: map[string]any{"ok": len(broken) == 0, "checks": proofs}, text: t.text("")})
	if err == nil && len(broken) > 0 {
		return exit.Errorf(exit.Failed, "something got out that must not: %s", strings.Join(broken, "; "))
	}
	return err
}
