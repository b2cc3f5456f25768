package commands

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hob/internal/display"
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

// SplitContacts separates reached from refused hosts, and counts the attempts of `hob privacy
// --verify`.
func SplitContacts(all []Contact) (reached, refused []Contact, tried int64) {
	for _, c := range all {
		if c.Reason == PrivacyCheckReason {
			tried += c.Refused
			continue
		}
		if c.Refused > 0 {
			refused = append(refused, c)
		}
		if c.Refused == 0 || c.Connections > 0 {
			reached = append(reached, c)
		}
	}
	return reached, refused, tried
}

// privacy lists the contacted hosts, the last first, and then the refused ones.
func (d Deps) privacy(ctx context.Context, _ Request) (Answer, error) {
	all, err := d.Contacts.Contacts(ctx, time.Time{})
	if err != nil {
		return Answer{}, err
	}
	slices.SortStableFunc(all, func(a, b Contact) int { return b.Last.Compare(a.Last) })
	reached, refused, _ := SplitContacts(all)
	text := d.Contacts.Coverage()
	var lines []string
	for _, c := range reached {
		lines = append(lines, fmt.Sprintf("- %s \\(%s\\): %s, %s sent, %s received, last %s", escape(c.Host), escape(c.Reason),
			display.Count(int(c.Connections), "connection"), display.Bytes(c.Sent), display.Bytes(c.Received), escapeTime(c.Last)))
	}
	if len(lines) == 0 {
		text += "\n\nNobody was contacted."
	} else {
		text += "\n\n**Contacted**\n" + truncateLines(lines, maxLines, ", which hob privacy lists")
	}
	lines = nil
	for _, c := range refused {
		lines = append(lines, fmt.Sprintf("- %s \\(%s\\): %s, %s", escape(c.Host), escape(c.Reason),
			display.Count(int(c.Refused), "attempt"), escape(c.Why)))
	}
	if len(lines) > 0 {
		text += "\n\n**Refused**\n" + truncateLines(lines, maxLines, ", which hob privacy lists")
	}
	return Answer{Text: text, Data: append([]Contact{}, all...)}, nil
}
