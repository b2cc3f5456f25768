package commands

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hob/internal/display"
)

// Contacts is which hosts were contacted.
type Contacts interface {
	// Contacts returns what the ledger has of each host since a time.
	Contacts(ctx context.Context, since time.Time) ([]Contact, error)
	// Coverage says what that list is a list of.
	Coverage() string
}

// Contact is a host that was contacted, or that hob refused to contact: `hob privacy --json` prints it.
type Contact struct {
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

// CanaryReason is the reason of the contacts that `hob privacy --verify` tries to make.
const CanaryReason = "privacy check"

// PartContacts parts contacts into hosts that were reached and hosts that were refused, and counts what hob privacy --verify
// tried in vain.
func PartContacts(all []Contact) (reached, refused []Contact, tried int64) {
	for _, c := range all {
		if c.Reason == CanaryReason { // hob's own canaries
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

// privacy lists the hosts that were contacted, the last first, and then those that hob refused to contact.
func (d Deps) privacy(ctx context.Context, _ Request) (Answer, error) {
	all, err := d.Contacts.Contacts(ctx, time.Time{})
	if err != nil {
		return Answer{}, err
	}
	slices.SortStableFunc(all, func(a, b Contact) int { return b.Last.Compare(a.Last) })
	reached, refused, _ := PartContacts(all)
	text := d.Contacts.Coverage()
	var lines []string
	for _, c := range reached {
		lines = append(lines, fmt.Sprintf("- %s \\(%s\\): %s, %s sent, %s received, last %s", safe(c.Host), safe(c.Reason),
			display.Count(int(c.Connections), "connection"), display.Bytes(c.Sent), display.Bytes(c.Received), at(c.Last)))
	}
	if len(lines) == 0 {
		text += "\n\nNobody was contacted."
	} else {
		text += "\n\n**Contacted**\n" + firstLines(lines, mostLines, ", which hob privacy lists")
	}
	lines = nil
	for _, c := range refused {
		lines = append(lines, fmt.Sprintf("- %s \\(%s\\): %s, %s", safe(c.Host), safe(c.Reason),
			display.Count(int(c.Refused), "attempt"), safe(c.Why)))
	}
	if len(lines) > 0 {
		text += "\n\n**Refused**\n" + firstLines(lines, mostLines, ", which hob privacy lists")
	}
	return Answer{Text: text, Data: append([]Contact{}, all...)}, nil
}
