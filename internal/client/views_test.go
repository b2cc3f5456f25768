package client_test

import (
	"bytes"
	"strings"
	"testing"

	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/surface/cli"
)

// In a pipe the reply alone is output. A reply that is hob's own is none, but for the part that the model wrote.
func TestPipeView(t *testing.T) {
	for _, c := range []struct {
		name      string
		reply     event.Replied
		end       event.Reason
		own       bool
		out, errs string
	}{
		{"a reply", event.Replied{Text: "Good evening."}, event.Done, true, "Good evening.\n", ""},
		{"no model", event.Replied{Text: "The model is away."}, event.NoModel, true, "", "hob: The model is away.\n"},
		{"half a reply", event.Replied{Text: "Good\n\nThe model died."}, event.Broken, true, "Good\n", "hob: The model died.\n"},
		{"a receipt", event.Replied{Text: "The model died.\nwrote a.txt", Receipt: "wrote a.txt"}, event.Broken, true, "", "hob: The model died.\nwrote a.txt\n"},
		{"another turn's", event.Replied{Text: "Good evening."}, event.Done, false, "", "Good evening.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			v := client.NewView(&cli.Terminal{In: strings.NewReader("y\n"), Out: &out, Err: &errs, Env: func(string) string { return "" }}, false)
			for _, b := range []event.Body{c.reply, event.Ended{Reason: c.end}} {
				if err := v.Event(event.Event{Turn: 1, Body: b}, c.own); err != nil {
					t.Fatal(err)
				}
			}
			if out.String() != c.out || errs.String() != c.errs {
				t.Errorf("output %q, want %q\nerrors %q, want %q", &out, c.out, &errs, c.errs)
			}
			if d, err := v.Ask(t.Context(), event.Asked{}); err != nil || d.Allow || d.By != "nobody" {
				t.Errorf("nobody is there, and %+v, %v", d, err)
			}
		})
	}
}
