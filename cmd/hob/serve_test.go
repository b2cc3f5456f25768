package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hob/internal/exit"
)

// Nothing that hob serve speaks to has to be there; what is not, it says once.
func TestServe_StartsAlone(t *testing.T) {
	h := newHouse(t, "http://127.0.0.1:1")
	s := h.serve("JOURNAL_STREAM=1:2", "HOB_TELEGRAM_TOKEN=123456:SECRET")
	s.hear("Ollama: Ollama does not answer at http://127.0.0.1:1")
	s.says("Ollama does not work")
	s.says("hob serves")
	said := s.said()
	for _, want := range []string{`<6>msg="Telegram is off"`, `<6>msg="hob serves"`, `<4>msg="Ollama does not work"`, "HOB_TELEGRAM_TOKEN is ignored"} {
		if strings.Count(said, want) != 1 {
			t.Errorf("%q is not said once:\n%s", want, said)
		}
	}
	if strings.Contains(said, "SECRET") || strings.Contains(said, "time=") {
		t.Errorf("it says too much:\n%s", said)
	}

	out, err := h.command("serve").CombinedOutput()
	var failure *exec.ExitError
	holder := fmt.Sprintf("hob: hob serve (pid %d) is using %s already", s.cmd.Process.Pid, h.state)
	if !errors.As(err, &failure) || failure.ExitCode() != exit.Failed || !strings.HasPrefix(string(out), holder) || strings.Count(string(out), "\n") != 1 {
		t.Errorf("a second one ends with %v:\n%s", err, out)
	}
	if out, err := h.command("stop").CombinedOutput(); err != nil || string(out) != "No turn is running.\n" {
		t.Errorf("hob stop: %v\n%s", err, out)
	}
	s.stop()
	s.hear("STOPPING=1")
}

// A tool that runs when hob is told to end comes to its end, and its turn goes on at the next start.
func TestServe_EndsBetweenTwoCalls(t *testing.T) {
	needsWalls(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure(patient)
	h.say("main", slow)
	s := h.serve()
	h.until("the tool has begun", func() bool { return h.exists("begun") })
	s.signal(syscall.SIGTERM)
	s.hear("STOPPING=1")
	h.make("go")
	s.over()
	if got := strings.Join(h.journal("main"), "\n"); strings.Contains(got, "ended") || !strings.Contains(got, "returned true\npaused") {
		t.Errorf("the turn did not rest after the tool:\n%s", got)
	}
	s = h.serve()
	h.ended("main")
	s.stop()
	h.doneOnce("main")
}

// A tool that does not end is waited for as long as the configuration says, and told as what it is.
func TestServe_EndsThoughAToolDoesNot(t *testing.T) {
	needsWalls(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure("[serve]\ndrain = \"100ms\"\n")
	h.say("main", slow)
	s := h.serve()
	h.until("the tool has begun", func() bool { return h.exists("begun") })
	s.stop()
	s.says("a tool still ran and was cut off")
	s = h.serve()
	h.ended("main")
	s.stop()
	if h.exists("done") {
		t.Error("the tool ran on")
	}
}

// A second signal ends hob at once.
func TestServe_EndsAtOnce(t *testing.T) {
	needsWalls(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.say("main", slow)
	s := h.serve()
	h.until("the tool has begun", func() bool { return h.exists("begun") })
	s.signal(syscall.SIGTERM)
	s.hear("STOPPING=1")
	s.signal(syscall.SIGTERM)
	var failure *exec.ExitError
	if err := s.cmd.Wait(); !errors.As(err, &failure) || failure.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v", err)
	}
}

// What a killed hob had begun goes on with the next, and can be stopped there.
func TestServe_GoesOnAfterAKill(t *testing.T) {
	notShort(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	h.say("one", "hang")
	s := h.serve()
	<-fake.hanging
	s.signal(syscall.SIGKILL)
	_ = s.cmd.Wait() // its status says that it was killed
	s = h.serve()
	<-fake.hanging
	if out, err := h.command("stop", "one").CombinedOutput(); err != nil || string(out) != "Stopped the turn in one.\n" {
		t.Errorf("hob stop: %v\n%s", err, out)
	}
	s.stop()
	if got := strings.Join(h.journal("one"), " "); got != "resumed resumed ended stopped" {
		t.Errorf("what happened is %s", got)
	}
}

// A new configuration comes into force between two calls of a turn, in the same process; one with a mistake does not.
func TestServe_Reloads(t *testing.T) {
	needsWalls(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure("[agent]\nmax_steps = 7\n" + patient)
	h.say("main", slow)
	s := h.serve()
	h.until("the tool has begun", func() bool { return h.exists("begun") })
	good := func() string {
		text, err := os.ReadFile(filepath.Join(h.state, "config.good.toml"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, mistake := range []string{"[agent]\nmax_steps = 0\n", "[telegram]\ntoken_file = \"/nowhere/token\"\n"} {
		h.configure(mistake)
		s.signal(syscall.SIGHUP)
		s.hear("RELOADING=1")
		s.hear("READY=1")
		s.hear("the old one stays in force")
	}
	s.says("[agent] max_steps at line 2 must be")
	s.says("[telegram] token_file: there is no file /nowhere/token")
	if !strings.Contains(good(), "max_steps = 7\n") {
		t.Errorf("the last good configuration is\n%s", good())
	}
	h.configure("[agent]\nmax_steps = 8\n")
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	if out, err := h.command("stop", "other").CombinedOutput(); err != nil { // while it waits for the tool it can be spoken to
		t.Errorf("hob stop: %v\n%s", err, out)
	}
	h.make("go")
	s.hear("READY=1")
	h.ended("main")
	h.doneOnce("main")
	if out, err := h.command("stop").CombinedOutput(); err != nil || string(out) != "No turn is running.\n" {
		t.Errorf("hob stop: %v\n%s", err, out)
	}
	s.stop()
	if !strings.Contains(good(), "max_steps = 8\n") {
		t.Errorf("the last good configuration is\n%s", good())
	}
}

// A new configuration does not wait for ever for a tool, and takes nothing from it.
func TestServe_ReloadsLater(t *testing.T) {
	needsWalls(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure("[serve]\ndrain = \"50ms\"\n")
	h.say("main", slow)
	s := h.serve()
	h.until("the tool has begun", func() bool { return h.exists("begun") })
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	s.hear("READY=1")
	s.says("a tool still runs: the new configuration comes into force later")
	h.make("go")
	h.ended("main")
	if out := h.hob("ask", "--chat", "next", "good morning"); out != "Good evening.\n" { // nothing is held back any more
		t.Errorf("%q", out)
	}
	s.stop()
	h.doneOnce("main")
}

// With a mistake in the configuration hob starts with the last one that was good, and without one it does not start.
func TestServe_StartsWithTheLastGoodConfiguration(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure("[agent]\nmax_steps = 7\n")
	h.serve().stop()
	h.configure("[agent\n")
	s := h.serve()
	s.hear("the last good one is in force")
	s.says("level=ERROR msg=\"the configuration is refused: the last good one is in force")
	s.says("line 1, column")
	s.stop()
	if err := os.Remove(filepath.Join(h.state, "config.good.toml")); err != nil {
		t.Fatal(err)
	}
	out, err := h.command("serve").CombinedOutput()
	var failure *exec.ExitError
	if !errors.As(err, &failure) || failure.ExitCode() != exit.Usage || !strings.Contains(string(out), "line 1, column") {
		t.Errorf("without a good one: %v\n%s", err, out)
	}
}

// systemd's watchdog is fed while all is well.
func TestServe_FeedsTheWatchdog(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	s := h.serve("WATCHDOG_USEC=100000")
	s.hear("WATCHDOG=1")
	s.hear("WATCHDOG=1")
	s.stop()
}
