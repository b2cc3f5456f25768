package commands

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hob/internal/display"
	"hob/internal/lists"
)

// Contacts is the ledger of contacted hosts.
type Contacts interface {
	// Contacts returns the ledger's totals for each host since a time.
	Contacts(ctx context.Context, since time.Time) ([]Contact, error)
	// Coverage returns the text that says which connections the ledger covers.
	Coverage() string
}

// Contact is a host that hob contacted or refused to contact: `hob privacy --json` prints it.
type Contact struct {
	Reason      string    `json:"reason"`
	Host        string    `json:"host"`
	Address     string    `json:"address,omitempty"` // the last one
	Connections int64     `json:"connections"`
	Sent        int64     `json:"sent"` // bytes
	Received    int64     `json:"received"`
	Refused     int64     `json:"refused"`       // attempts
	Why         string    `json:"why,omitempty"` // of the last refusal
	First       time.Time `json:"first"`
	Last        time.Time `json:"last"`
}

// PrivacyCheckReason is the ledger's reason for the connections that `hob privacy --verify`
// attempts.
const PrivacyCheckReason = "privacy check"

// ContactLists are the hosts of the ledger by what became of them. A host may be in two.
type ContactLists struct {
	Reached []Contact
	Missed  []Contact // tried, and never reached
	Refused []Contact
	Proofs  int64 // attempts of `hob privacy --verify`, which stand in none of the lists
}

// SplitContacts separates hosts by what became of them.
func SplitContacts(all []Contact) (l ContactLists) {
	for _, c := range all {
		if c.Reason == PrivacyCheckReason {
			l.Proofs += c.Refused
			continue
		}
		if c.Connections > 0 {
			l.Reached = append(l.Reached, c)
		}
		if c.Refused > 0 {
			l.Refused = append(l.Refused, c)
		}
		if c.Connections == 0 && c.Refused == 0 {
			l.Missed = append(l.Missed, c)
		}
	}
	return l
}

// privacy lists the contacted hosts, the last first, then those that were not reached or refused.
func (d Deps) privacy(ctx context.Context, by Request) (Answer, error) {
	all, err := d.Contacts.Contacts(ctx, time.Time{})
	if err != nil {
		return Answer{}, err
	}
	slices.SortStableFunc(all, func(a, b Contact) int { return b.Last.Compare(a.Last) })
	l := SplitContacts(all)
	text := d.Contacts.Coverage()
	if len(l.Reached) == 0 {
		text += "\n\nNobody was contacted."
	}
	text += contactSection("Contacted", l.Reached, func(c Contact) string {
		return fmt.Sprintf("%s, %s sent, %s received, last %s",
			display.Count(int(c.Connections), "connection"), display.Bytes(c.Sent), display.Bytes(c.Received), d.timeFor(by, c.Last))
	})
	text += contactSection("Tried, not reached", l.Missed, func(c Contact) string { return "last " + d.timeFor(by, c.Last) })
	text += contactSection("Refused", l.Refused, func(c Contact) string {
		return display.Count(int(c.Refused), "attempt") + ", " + escape(c.Why)
	})
	return Answer{Text: text, Data: append([]Contact{}, all...)}, nil
}

// contactSection is a list of hosts below a heading, or "" without any.
func contactSection(heading string, of []Contact, describe func(Contact) string) string {
	if len(of) == 0 {
		return ""
	}
	lines := lists.Map(of, func(c Contact) string {
		return fmt.Sprintf("- %s \\(%s\\): %s", escape(c.Host), escape(c.Reason), describe(c))
	})
	return "\n\n**" + heading + "**\n" + truncateLines(lines, maxLines, ", which hob privacy lists")
}
