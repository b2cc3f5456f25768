package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"hob/internal/event"
	"hob/internal/exit"
)

// A mistake in the configuration keeps nobody from a daemon that works with the one before, and stop needs none at all.
func TestServe_BesideAMistake(t *testing.T) {
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	h.configure("[agent]\nmax_steps = 7\n")
	h.say("main", "hang")
	s := h.serve()
	<-fake.hanging
	h.configure("[agent]\nmax_steps = 0\n")
	if out := h.hob("status"); !strings.Contains(out, "hob serve (pid ") || !strings.Contains(out, "[agent] max_steps at line 2 must be") ||
		!strings.Contains(out, "hob serve works with the configuration before that, and so does this command") {
		t.Errorf("%q", out)
	}
	if out := h.hob("stop", "main"); out != "Stopped the turn in main.\n" {
		t.Errorf("%q", out)
	}
	if out := h.hob("ask", "--chat", "other", "good morning"); !strings.HasSuffix(out, "\nGood evening.\n") {
		t.Errorf("%q", out)
	}
	h.say("late", "hang")
	s.signal(syscall.SIGKILL)
	_ = s.cmd.Wait() // its status says that it was killed
	if out := h.hob("stop"); out != "Stopped the turn in late.\n" {
		t.Errorf("%q", out)
	}
	out, err := h.command("ask", "good morning").CombinedOutput()
	var failure *exec.ExitError
	if !errors.As(err, &failure) || failure.ExitCode() != exit.Usage || !strings.Contains(string(out), "max_steps") {
		t.Errorf("without the daemon: %v\n%s", err, out)
	}
}

// At a terminal beside a daemon a process that has ended with its turn cannot be kept, and the sentence says what can be done.
func TestServe_KeepFromATerminal(t *testing.T) {
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	s := h.serve()
	cmd, talk := atTerminal(t, fake, h.state, []string{"HOB_CONFIG=" + h.config}, "chat")
	talk.enter("start sleep 1000")
	talk.until("process 1 ended with the turn")
	talk.enter("/background 1")
	talk.until("unless [shell] keep_jobs = true")
	talk.leave(cmd)
	s.stop()
}

// Who has spoken as often as is allowed has done so in the eyes of a new configuration, too; and who is let in no longer is
// heard no longer, while the turn that they began is named.
func TestServe_LimitsOverAReload(t *testing.T) {
	s := newStopping(t)
	before, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	limited := string(before) + "[policy]\nturns_per_minute = 2\n"
	s.daemon.reload(limited)
	answered := func(n int) func() bool {
		return func() bool {
			return strings.Count(fmt.Sprint(s.chat.FromBot()), "Good evening.") == n
		}
	}
	s.chat.Say(s.ana, "one")
	s.wait("the first is answered", answered(1))
	s.chat.Say(s.ana, "two")
	s.wait("the second is answered", answered(2))
	s.daemon.reload(limited + "[agent]\nmax_steps = 7\n")
	s.chat.Say(s.ana, "three")
	s.wait("the third comes too early", func() bool { return strings.Contains(lastWords(s.chat), "at most 2 messages") })
	s.daemon.reload(limited + "max_text = 5000\n") // other limits: they begin anew
	s.hang()
	if out := s.hob("allow", "7", "--remove"); out != "7 is let in no longer.\nWhat was asked for in telegram/7 before that goes on: hob stop telegram/7 ends it.\n" {
		t.Errorf("%q", out)
	}
	s.chat.Say(s.ana, "/status")
	s.wait("nothing is left to be read", func() bool { return s.server.Pending() == 0 })
	if out := s.hob("stop", "telegram/7"); out != "Stopped the turn in telegram/7.\n" {
		t.Errorf("%q", out)
	}
	s.daemon.stop()
	if got := s.journal(event.Chat("telegram/7")); got[len(got)-1] != "ended stopped" {
		t.Errorf("%q", got)
	}
}
