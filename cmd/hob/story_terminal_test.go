package main

import (
	"os"
	"strings"
	"testing"

	"hob/internal/game/eventlog"
)

// The same story at a terminal that is none, to its end, and no model is asked.
func TestStory_InATerminal(t *testing.T) {
	p := newParlour(t, nowhereToAsk, "")
	script, err := os.Open("testdata/story/cosy_terminal.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer script.Close()
	cmd := p.command("game", "play", "cosy", "--no-model")
	cmd.Stdin = script
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"The dice are sealed:", "No model tells this story", "The story waits", "has come to its end, and a good one", "the seed is",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is nowhere to be read", want)
		}
	}
	for _, never := range []string{"cannot make that out", "hob game play:", "\\u{", "There is no choice"} {
		if strings.Contains(string(out), never) {
			t.Errorf("%q is to be read", never)
		}
	}
	p.campaign("cosy", func(s *eventlog.Log) {
		if self := s.World().Self(); !self.Ended || self.EndedReason != "goal" {
			t.Errorf("ended %v, %q", self.Ended, self.EndedReason)
		}
	})
	if out := p.hob("game", "verify", "-c", "cosy"); !strings.Contains(out, "the log is whole") {
		t.Errorf("verify: %s", out)
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
