package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// At the prompt a person says yes, no or always to what would leave the machine, stops the turn instead, or somebody
// answers in another window meanwhile.
func TestApprovalAtATerminal(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	host := strings.TrimPrefix(fake.URL, "http://")
	config := filepath.Join(state, "config.toml")
	if err := os.WriteFile(config, []byte("[fetch]\nallow = [\""+host+"\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, talk := atTerminal(t, fake, state, []string{"HOB_CONFIG=" + config}, "chat")
	elsewhere := func(args ...string) string {
		t.Helper()
		cmd := hobCommand(t.Context(), fake, state, args...)
		cmd.Env = append(cmd.Env, "HOB_CONFIG="+config)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("hob %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	exchange := func(words, until string) {
		t.Helper()
		talk.enter(words)
		talk.until(until)
	}
	const question = "asks to do this:"

	exchange("write notes.txt mine", "That is all.")
	exchange("peruse notes.txt", "That is all.") // what is in the workspace is private

	exchange("wander /page?n=1", question)
	talk.say("n\r")
	talk.until("it needed something that was not allowed")

	exchange("wander /page?n=2", question)
	talk.say("y\r")
	talk.until("fetched " + host + "/page?n=2 (200)")

	exchange("wander /page?n=3", question) // that was once
	var all []struct{ ID string }
	if err := json.Unmarshal([]byte(elsewhere("approve", "--json")), &all); err != nil || len(all) != 1 {
		t.Fatalf("what waits: %v, %v", all, err)
	}
	if out := elsewhere("approve", all[0].ID[:6]); out != "Allowed: fetch in main.\n" {
		t.Errorf("the answer from elsewhere: %q", out)
	}
	talk.until("◆ allowed by owner")
	talk.until("fetched " + host + "/page?n=3 (200)")
	exchange("good morning", "good morning") // of which no key is lost
	talk.until("Good evening.")

	exchange("wander /page?n=4", question)
	talk.say("\x03")
	talk.until("withdrawn: the turn was stopped")
	talk.until("Stopped.")
	if out := elsewhere("grant"); out != "Nothing is allowed for good.\n" {
		t.Errorf("a grant is there that nobody gave: %s", out)
	}

	exchange("wander /page?n=5", question)
	talk.say("a\r")
	talk.until("from now on without a question: fetch on " + host)
	talk.until("fetched " + host + "/page?n=5 (200)") // before the turn has ended the next words would join it
	if out := elsewhere("grant"); !strings.Contains(out, "owner  fetch on "+host+"\n") {
		t.Errorf("the grant is not there: %s", out)
	}
	exchange("wander /page?n=6", "fetched "+host+"/page?n=6 (200)")
	talk.leave(cmd)
	if n := strings.Count(talk.seen.String(), "asks to do this:"); n != 5 {
		t.Errorf("it asked %d times, want 5:\n%s", n, talk.seen.String())
	}
}
