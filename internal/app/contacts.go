package app

import (
	"context"
	"time"

	"hob/internal/commands"
	"hob/internal/store"
)

// Contacts implements [commands.Contacts].
func (p commandPorts) Contacts(ctx context.Context, since time.Time) ([]commands.Contact, error) {
	_ = p.Egress.Flush() // an entry that fails now is written and shown later
	lines, err := p.Journal.Ledger().Since(ctx, since)
	return mergeContacts(lines), err
}

// Coverage implements [commands.Contacts].
func (p commandPorts) Coverage() string { return p.Env.Coverage() }

// Contacts returns the ledger since a time, with one entry for each host and reason.
func (s *Environment) Contacts(ctx context.Context, since time.Time) ([]commands.Contact, error) {
	lines, err := ReadJournal(ctx, s, func(db *store.DB) ([]store.Contact, error) { return db.Ledger().Since(ctx, since) })
	return mergeContacts(lines), err
}

// mergeContacts sums the ledger's lines, which are kept by day, for each host and reason.
func mergeContacts(lines []store.Contact) []commands.Contact {
	all := []commands.Contact{}
	for _, l := range lines {
		if n := len(all) - 1; n < 0 || all[n].Reason != l.Reason || all[n].Host != l.Host {
			all = append(all, commands.Contact{Reason: l.Reason, Host: l.Host, First: l.First})
		}
		c := &all[len(all)-1]
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
	return all
}

// Coverage returns the text that says which connections the ledger covers.
func (s *Environment) Coverage() string {
	programs := "Commands have no network."
	if len(s.Shell.Network) > 0 {
		programs = "Commands reach only what [shell] network lists, and that is counted here."
	}
	if s.Shell.AllowUnsandboxed {
		programs = "Commands that run without a sandbox ([shell] allow_unsandboxed) are not seen here."
	}
	return "Every host that hob itself contacted in the last 90 days. " + programs + "\n" +
		"What Ollama contacts, such as its registry for a pull, and the looking up of names are the machine's, not hob's, to list."
}
