package main

import "testing"

// Chores are read at a terminal that moves no cursor, too.
func TestDumbTerminal(t *testing.T) {
	cmd := hobCommand(t.Context(), newFakeOllama(t), t.TempDir(), "chat")
	cmd.Env = append(cmd.Env, "TERM=dumb")
	talk := startAtTerminal(t, cmd)
	talk.say("note buy milk\r") // there is no prompt that could be waited for
	talk.until("wrote notes/general.md")
	talk.say("\x04")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
