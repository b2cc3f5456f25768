package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
)

// hob log and hob status show the times of the household, whatever the zone of the machine.
func TestZone(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	at := time.Date(2026, 3, 1, 22, 5, 0, 0, time.UTC)
	var out bytes.Buffer
	show := newProgram(strings.NewReader(""), &out, io.Discard, func(string) string { return "" }).newEventPrinter(tokyo)
	for seq, body := range []event.Body{event.Said{Text: "good evening"}, event.Asked{Tool: "fetch", Text: "url: x", Expires: at}} {
		if err := show(event.Event{Seq: int64(seq + 1), Time: at, Chat: "main", Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"2026-03-02 07:05  main\n", "without an answer by 2026-03-02 07:05 JST"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log says\n%s\nand not %q", &out, want)
		}
	}
	st := statusReport{StatusReport: commands.StatusReport{
		Errors: []commands.StatusError{{Time: at, Chat: "main", Text: "it failed"}}, Parked: []event.ParkedTurn{{Chat: "main", ID: 5, Text: "tea", Since: at}},
	}}
	for _, want := range []string{"error     07:05 main: it failed", "since 2026-03-02 07:05"} {
		if got := st.text(tokyo); !strings.Contains(got, want) {
			t.Errorf("the status says\n%s\nand not %q", got, want)
		}
	}
}
