package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/doctor"
	"hob/internal/surface/telegram/telegramtest"
)

// What the doctor finds out about the daemon and the bot.
func TestDoctor_LooksAfterTheDaemon(t *testing.T) {
	notShort(t)
	api := telegramtest.New(telegramtest.Options{})
	base := httptest.NewServer(api)
	defer base.Close()
	h := newHouse(t, newFakeOllama(t).URL)
	token := filepath.Join(t.TempDir(), "token")
	configure := func(text string, mode os.FileMode) {
		t.Helper()
		h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", base.URL, token))
		if err := os.WriteFile(token, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(token, mode); err != nil {
			t.Fatal(err)
		}
	}
	found := func(name string) doctor.Check {
		t.Helper()
		out, _ := h.command("doctor", "--json").Output() // its status is about all that it looks at
		var d doctor.Diagnosis
		if err := json.Unmarshal(out, &d); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, g := range d.Groups {
			for _, c := range g.Checks {
				if g.Name == "serve" && c.Name == name {
					return c
				}
			}
		}
		t.Fatalf("nothing is said of %s:\n%s", name, out)
		return doctor.Check{}
	}
	finds := func(name string, want doctor.State, words string) {
		t.Helper()
		var c doctor.Check
		for range 5 { // it waits for an answer for a second, which a busy machine may need
			if c = found(name); c.State == want && strings.Contains(c.Found, words) {
				return
			}
		}
		t.Errorf("%s is %+v, want %s and %q", name, c, want, words)
	}
	finds("Telegram", doctor.OK, "off: there is no token")
	finds("daemon", doctor.OK, "none runs")
	configure(api.Token(), 0o644)
	finds("bot token", doctor.Broken, "is open to other users")
	configure("1:AAwrong-wrong-wrong-wrong-wrong-wrong", 0o600)
	finds("Telegram", doctor.Broken, "does not know the bot's token")
	configure(api.Token(), 0o600)
	finds("Telegram", doctor.OK, "@hob_bot at "+base.URL)
	finds("people", doctor.Weak, "nobody may talk")
	if out, err := h.command("allow", "7", "--as", "owner").CombinedOutput(); err != nil {
		t.Fatalf("hob allow: %v\n%s", err, out)
	}
	s := h.serve()
	finds("people", doctor.OK, "1 may talk")
	finds("daemon", doctor.OK, fmt.Sprintf("hob serve (pid %d) answers", s.cmd.Process.Pid))
	api.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Conflict, Times: 10})
	chat := api.Private(api.User(7, "Ada"))
	chat.Say(api.User(7, "Ada"), "/help") // ends the request that waits
	s.says("Another program asks for this bot's messages")
	finds("messages", doctor.Broken, "Another program asks for this bot's messages")
	s.stop()
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", nowhereToAsk, token)) // a port that was given back may be another's by now
	finds("Telegram", doctor.Broken, "refused")
}

// What the daemon would refuse to start with is told before it starts.
func TestConfigCheck_KnowsWhatTheDaemonNeeds(t *testing.T) {
	h := newHouse(t, "http://127.0.0.1:1")
	h.configure("[api]\nlisten = \"127.0.0.1:8787\"\n")
	out, err := h.command("config", "check").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "[api] listen needs [api] token_file") {
		t.Errorf("it says %v\n%s", err, out)
	}
}
