package parser_test

import (
	"testing"

	"hob/internal/game/parser"
)

// What somebody waits for comes within a day, and an hour that is of no half of it within half a day.
func TestWaitUntil(t *testing.T) {
	b, w := book(t), house(t, "en")
	self := *w.Self()
	self.Minute = (3*24+14)*60 + 30
	put(t, w, &self)
	for words, want := range map[string]string{
		"wait until six":      `advance_time {"minutes":210}`,
		"wait until two":      `advance_time {"minutes":690}`,
		"wait until 2 pm":     `advance_time {"minutes":1410}`,
		"wait until 6 am":     `advance_time {"minutes":930}`,
		"wait until twelve":   `advance_time {"minutes":570}`,
		"wait until 12 pm":    `advance_time {"minutes":1290}`,
		"wait until noon":     `advance_time {"minutes":1290}`,
		"wait until midnight": `advance_time {"minutes":570}`,
		"wait until 14:30":    `advance_time {"minutes":1440}`,
		"wait until 14:31":    `advance_time {"minutes":1}`,
		"wait until 2:31":     `advance_time {"minutes":1}`,
		"wait until 24":       `advance_time {"minutes":570}`,
		"wait until 14 am":    "-",
	} {
		if got := comes(parser.Read(w, b, "en", w.Actor("pc"), words)); got != want {
			t.Errorf("%q comes to %s, not to %s", words, got, want)
		}
	}
	self.ClockSet = false
	put(t, w, &self)
	if got := comes(parser.Read(w, b, "en", w.Actor("pc"), "wait until six")); got != "-" {
		t.Errorf("without a clock it comes to %s", got)
	}
}
