package commands

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ledger is a ledger of hosts.
type ledger []Contact

func (l ledger) Contacts(context.Context, time.Time) ([]Contact, error) { return l, nil }
func (l ledger) Coverage() string                                       { return "All hosts." }

// A host that was only tried is not among those that were contacted.
func TestPrivacy(t *testing.T) {
	at := time.Date(2020, 11, 24, 9, 30, 0, 0, time.Local)
	down := Contact{Reason: "ollama", Host: "10.0.0.7:11434", Last: at}
	for _, tc := range []struct {
		of   ledger
		want string
	}{
		{nil, "All hosts.\n\nNobody was contacted."},
		{ledger{down}, "All hosts.\n\nNobody was contacted.\n\n**Tried, not reached**\n- 10.0.0.7:11434 (ollama): last 2020-11-24 09:30"},
		{
			ledger{
				{Reason: "fetch", Host: "example.org", Connections: 2, Sent: 300, Received: 5000, Refused: 1, Why: "loopback", Last: at}, down,
				{Reason: PrivacyCheckReason, Host: "192.0.2.1:80", Refused: 4, Last: at},
			},
			"All hosts.\n\n**Contacted**\n- example.org (fetch): 2 connections, 300 B sent, 5 kB received, last 2020-11-24 09:30" +
				"\n\n**Tried, not reached**\n- 10.0.0.7:11434 (ollama): last 2020-11-24 09:30" +
				"\n\n**Refused**\n- example.org (fetch): 1 attempt, loopback",
		},
	} {
		a, err := Deps{Contacts: tc.of, Now: time.Now}.privacy(t.Context(), Request{})
		if diff := cmp.Diff(tc.want, strings.ReplaceAll(a.Text, `\`, "")); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}
