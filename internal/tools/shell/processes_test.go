package shell_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// processWorld is a shell with processes, and a chat that they belong to.
type processWorld struct {
	*testing.T

	shell     tools.Tool
	processes *shell.Processes
	process   tools.Tool
	dir       string
	ctx       context.Context
}

func newProcessWorld(t *testing.T, cfg shell.ProcessesConfig) *processWorld {
	t.Helper()
	began := time.Now()
	cfg.Now = func() time.Time { return began }
	dir := t.TempDir() // taken away when the processes, which write there, have ended
	processes := shell.NewProcesses(cfg)
	t.Cleanup(processes.Close)
	s, _ := shellIn(t, shell.Config{Background: processes, Dir: dir})
	w := &processWorld{T: t, shell: s.Tool(), processes: processes, process: processes.Tool(), dir: dir}
	w.ctx = tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	return w
}

// start starts a command in the background, which says so by a file named up.
func (w *processWorld) start(command string) (tools.Result, error) {
	w.Helper()
	args, err := json.Marshal(map[string]any{"command": command, "background": true})
	if err != nil {
		w.Fatal(err)
	}
	return tools.Call(w.ctx, w.shell, args)
}

// sleeper starts a process that does nothing, and returns the mark of its process.
func (w *processWorld) sleeper() string {
	w.Helper()
	mark := shellMark()
	res, err := w.start("touch up; exec sleep " + mark)
	if err != nil || !strings.HasPrefix(res.Text, "process ") {
		w.Fatalf("%q, %v", res.Text, err)
	}
	w.until("the process runs", func() bool { return shellAlive(w.T, mark) })
	return mark
}

// until waits for what another process does, which needs the processor for it.
func (w *processWorld) until(what string, done func() bool) {
	w.Helper()
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for !done() {
		select {
		case <-again.C:
		case <-w.ctx.Done():
			w.Fatalf("never: %s", what)
		}
	}
}

func (w *processWorld) call(args string) (tools.Result, error) {
	return tools.Call(w.ctx, w.process, json.RawMessage(args))
}

// text is what the model reads of a call that must succeed.
func (w *processWorld) text(args string) string {
	w.Helper()
	res, err := w.call(args)
	if err != nil {
		w.Fatalf("process %s: %v", args, err)
	}
	return res.Text
}

func TestProcess_Success(t *testing.T) {
	t.Parallel()
	w := newProcessWorld(t, shell.ProcessesConfig{})
	if got := w.text(`{}`); got != "there are no processes" {
		t.Errorf("%q", got)
	}
	res, err := w.start("echo one; while ! [ -e go ]; do sleep 0.01; done; echo two >&2; touch done; exec sleep 1000")
	if err != nil || res.Text != "process 1 runs. Read its output with process. It ends with this turn, unless the user keeps it." {
		t.Fatalf("%q, %v", res.Text, err)
	}
	if diff := cmp.Diff([]event.Effect{{Kind: "ran", Target: "echo one; while ! [ -e go ]; do sleep 0.01; done; echo two >&2; touch done; exec sleep 1000", Detail: "process 1"}}, res.Effects); diff != "" {
		t.Error(diff)
	}
	got := ""
	w.until("its first line", func() bool { got = w.text(`{"id":1}`); return !strings.Contains(got, "no new output") })
	if got != "process 1: running for 0s\none" {
		t.Errorf("%q", got)
	}
	if got := w.text(`{"id":1}`); got != "process 1: running for 0s\n(no new output)" {
		t.Errorf("what was read comes again: %q", got)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w.until("its second line", func() bool { got = w.text(`{"id":1}`); return !strings.Contains(got, "no new output") })
	if got != "process 1: running for 0s\ntwo" {
		t.Errorf("%q", got)
	}
	w.until("a person sees it, too", func() bool { // what the model is told is kept a moment later
		all, err := w.processes.Output("main", 1)
		return err == nil && strings.HasSuffix(all, "stdout:\none\nstderr:\ntwo\n")
	})
	if got, want := w.text(`{}`), "process 1: running for 0s: echo one; while ! [ -e go ]; do sleep 0.01; done; echo two…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := w.text(`{"id":1,"stop":true}`); got != "process 1: stopped\n(no more output)" {
		t.Errorf("%q", got)
	}
	if got := w.text(`{"id":1,"stop":true}`); got != "process 1: stopped\n(no more output)" {
		t.Errorf("a process that has ended is stopped: %q", got)
	}

	res, err = w.start("echo broken; exit 3") // it fails at once, or in the next moment
	if err != nil {
		t.Fatal(err)
	}
	w.until("its end", func() bool { return strings.Contains(w.text(`{}`), "process 2: exit status 3") })
	if text := res.Text + w.text(`{"id":2}`); !strings.Contains(text, "process 2: exit status 3") || !strings.Contains(text, "broken") {
		t.Errorf("%q", text)
	}
	if got := w.processes.List("main"); len(got) != 2 || w.processes.List("other") != nil {
		t.Errorf("%q", got)
	}
	w.ctx = tools.WithCaller(t.Context(), tools.Caller{Chat: "other"})
	if got := w.text(`{}`); got != "there are no processes" {
		t.Errorf("another chat sees %q", got)
	}
}

// What a process writes is bounded in memory; the beginning and the end are kept.
func TestProcess_LongOutput(t *testing.T) {
	t.Parallel()
	w := newProcessWorld(t, shell.ProcessesConfig{})
	if _, err := w.start("seq 1000000; exec sleep 1000"); err != nil {
		t.Fatal(err)
	}
	w.until("all of it", func() bool {
		all, err := w.processes.Output("main", 1)
		return err == nil && strings.Contains(all, "\n1000000\n")
	})
	got := w.text(`{"id":1}`)
	if len(got) > 300<<10 || !strings.Contains(got, "\n1\n2\n3\n") || !strings.Contains(got, " bytes left out ...]\n") || !strings.HasSuffix(got, "\n1000000") {
		t.Errorf("%d bytes, which end with %q", len(got), got[max(0, len(got)-50):])
	}
}

func TestProcess_BadArguments(t *testing.T) {
	w := newProcessWorld(t, shell.ProcessesConfig{})
	for _, c := range []struct{ name, args, code, words string }{
		{"stop what", `{"stop":true}`, event.CodeRequiredField, "id: is required to stop a process"},
		{"no number", `{"id":"one"}`, event.CodeInvalidFormat, "id: must be an integer"},
		{"zero", `{"id":0}`, event.CodeInvalidValue, "id: must be at least 1, not 0"},
		{"unknown", `{"name":"x"}`, event.CodeInvalidValue, "name: unknown argument; the arguments are id, stop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := w.call(c.args)
			toolstest.IsError(t, err, c.code, c.words)
		})
	}
}

func TestProcess_Errors(t *testing.T) {
	t.Run("none", func(t *testing.T) {
		w := newProcessWorld(t, shell.ProcessesConfig{})
		_, err := w.call(`{"id":7}`)
		toolstest.IsError(t, err, event.CodeInvalidValue, "id: there are no processes; start one with run_command and background")
	})
	t.Run("another number", func(t *testing.T) {
		w := newProcessWorld(t, shell.ProcessesConfig{})
		w.sleeper()
		_, err := w.call(`{"id":7}`)
		toolstest.IsError(t, err, event.CodeInvalidValue, "id: there is no process 7, the last is 1")
	})
	t.Run("too many", func(t *testing.T) {
		t.Parallel()
		w := newProcessWorld(t, shell.ProcessesConfig{})
		for _, chat := range []event.Chat{"one", "two"} {
			w.ctx = tools.WithCaller(t.Context(), tools.Caller{Chat: chat})
			for range 8 {
				w.sleeper()
			}
			_, err := w.start("touch nine")
			toolstest.IsError(t, err, event.CodeRateLimitExceeded, "not started: 8 processes are running, as many as may be; stop one with process")
		}
		w.ctx = tools.WithCaller(t.Context(), tools.Caller{Chat: "three"})
		_, err := w.start("touch nine")
		toolstest.IsError(t, err, event.CodeRateLimitExceeded, "not started: 16 processes are running in all chats together")
		if _, err := os.Stat(filepath.Join(w.dir, "nine")); err == nil {
			t.Error("it ran")
		}
		if err := w.processes.Stop("one", 3); err != nil {
			t.Fatal(err)
		}
		w.sleeper()
	})
	t.Run("no conversation", func(t *testing.T) {
		s, _ := shellIn(t, shell.Config{})
		_, err := tools.Call(t.Context(), s.Tool(), json.RawMessage(`{"command":"sleep 1","background":true}`))
		toolstest.IsError(t, err, event.CodeToolDisabled, "nothing can run in the background here")
	})
	t.Run("shutting down", func(t *testing.T) {
		w := newProcessWorld(t, shell.ProcessesConfig{})
		w.processes.Close()
		_, err := w.start("exec sleep 1000")
		toolstest.IsError(t, err, event.CodeCancelled, "hob is shutting down")
	})
	t.Run("out of time", func(t *testing.T) {
		w := newProcessWorld(t, shell.ProcessesConfig{Timeout: 500 * time.Millisecond})
		mark := shellMark()
		if _, err := w.start("exec sleep " + mark); err != nil {
			t.Fatal(err)
		}
		w.until("its end", func() bool { return strings.Contains(w.text(`{}`), "killed after 500ms: out of time") })
		if shellAlive(t, mark) {
			t.Error("it lives")
		}
	})
}

// A process that was only looked at is as it was.
func TestProcess_UnchangedState(t *testing.T) {
	t.Parallel()
	w := newProcessWorld(t, shell.ProcessesConfig{})
	mark := w.sleeper()
	for _, args := range []string{`{}`, `{"id":1}`, `{"id":2,"stop":true}`, `{"stop":true}`, `{"id":1,"stop":false}`, `{"id":1,"stop":1}`} {
		_, _ = w.call(args)
	}
	if !shellAlive(t, mark) {
		t.Error("it has ended")
	}
}

// A process lives as long as its turn, unless a person keeps it.
func TestProcess_LiveAsLongAsTheirTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		cfg    shell.ProcessesConfig
		keep   bool
		reason event.Reason
		end    string // what the person is told at the end of the turn, %s being the command
		after  bool   // it lives then
		begin  string // what they are told when the next begins
		later  bool   // it lives then
	}{
		{"nobody at the prompt", shell.ProcessesConfig{}, false, event.Done, "process 1 ended with the turn: %s", false, "", false},
		{"kept", shell.ProcessesConfig{}, true, event.Done, "", true, "", true},
		{"the owner keeps all", shell.ProcessesConfig{KeepAll: true}, false, event.Done, "", true, "", true},
		{"a person at the prompt", shell.ProcessesConfig{Linger: true}, false, event.Done,
			"process 1 runs until your next message; /background 1 keeps it: %s", true, "process 1 was not kept and has ended: %s", false},
		{"kept at the prompt", shell.ProcessesConfig{Linger: true}, true, event.Done, "", true, "", true},
		{"the turn is stopped", shell.ProcessesConfig{Linger: true}, false, event.Stopped, "process 1 ended with the turn: %s", false, "", false},
		{"the turn breaks off", shell.ProcessesConfig{Linger: true}, false, event.Broken, "process 1 ended with the turn: %s", false, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newProcessWorld(t, c.cfg)
			mark := w.sleeper()
			told := func(format string) []string {
				if format == "" {
					return nil
				}
				return []string{fmt.Sprintf(format, "touch up; exec sleep "+mark)}
			}
			if c.keep {
				if err := w.processes.Keep("main", 1); err != nil {
					t.Fatal(err)
				}
			}
			if got := w.processes.End(t.Context(), "other", c.reason); got != nil || !shellAlive(t, mark) {
				t.Errorf("another chat's turn ends it: %q", got)
			}
			if got := w.processes.End(t.Context(), "main", c.reason); !slices.Equal(got, told(c.end)) || shellAlive(t, mark) != c.after {
				t.Errorf("at the end: %q, alive %v; want %q", got, shellAlive(t, mark), told(c.end))
			}
			if got := w.processes.Begin(t.Context(), "main"); !slices.Equal(got, told(c.begin)) || shellAlive(t, mark) != c.later {
				t.Errorf("at the next beginning: %q, alive %v; want %q", got, shellAlive(t, mark), told(c.begin))
			}
			w.processes.Close()
			if shellAlive(t, mark) {
				t.Error("it outlives hob")
			}
		})
	}
}

// Who keeps or stops what has ended is told so.
func TestProcess_AreOver(t *testing.T) {
	t.Parallel()
	w := newProcessWorld(t, shell.ProcessesConfig{})
	w.sleeper()
	if err := w.processes.Stop("main", 1); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{w.processes.Keep("main", 1), w.processes.Stop("main", 1)} {
		if err == nil || err.Error() != "process 1 has already ended" {
			t.Error(err)
		}
	}
	if got := w.processes.List("main"); len(got) != 1 || !strings.HasPrefix(got[0], "process 1: stopped by the user: touch up") {
		t.Errorf("%q", got)
	}
	// The oldest that have ended are forgotten.
	for range 20 {
		w.sleeper()
		if err := w.processes.Stop("main", len(w.processes.List("main"))); err != nil && !strings.Contains(err.Error(), "ended") {
			break
		}
		_ = w.processes.End(t.Context(), "main", event.Done)
	}
	if got := w.processes.List("main"); len(got) != 16 || !strings.HasPrefix(got[15], "process 21: ") {
		t.Errorf("%d: %q", len(got), got)
	}
}
