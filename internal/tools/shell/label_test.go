package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files/watch"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// fakeWatch notes what it is told, and looks at nothing before it may.
type fakeWatch struct {
	from   []event.Label
	looked chan struct{} // nil: at once
	rights string        // what is said of rights that were removed
}

func (w *fakeWatch) Before(_ context.Context, _ string, from event.Label) func(context.Context) watch.Seen {
	w.from = append(w.from, from)
	return func(context.Context) watch.Seen {
		if w.looked != nil {
			<-w.looked
		}
		return watch.Seen{Changed: 1, Rights: watch.Rights{Note: w.rights}}
	}
}

// What a command writes is a stranger's where it could read a stranger's words, or be told them, and the household's always.
func TestRunCommand_Label(t *testing.T) {
	own := event.Label{Private: true, Source: "command"}
	web := event.Label{Untrusted: true, Source: "web:example.org"}
	for _, c := range []struct {
		name   string
		tier   sandbox.Tier
		args   string
		caller event.Label
		taint  event.Label
		want   event.Label
	}{
		{"its own", sandbox.T1, `{"command":"x"}`, event.Label{}, event.Label{}, own},
		{"a private turn", sandbox.T3, `{"command":"x"}`, event.Label{Private: true, Source: "file"}, event.Label{}, own},
		{"an untrusted turn", sandbox.T1, `{"command":"x"}`, web, event.Label{}, event.Label{Private: true, Untrusted: true, Source: "web:example.org"}},
		{"an untrusted file", sandbox.T1, `{"command":"x"}`, event.Label{}, web, event.Label{Private: true, Untrusted: true, Source: "web:example.org"}},
		{"a network", sandbox.T1, `{"command":"x","network":true}`, event.Label{}, event.Label{}, event.Label{Private: true, Untrusted: true, Source: "command"}},
		{"no walls", sandbox.T4, `{"command":"x"}`, event.Label{}, event.Label{}, event.Label{Private: true, Untrusted: true, Source: "command"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			watch := &fakeWatch{}
			s, _ := shellIn(t, shell.Config{
				Sandbox: &fakeWalls{tier: c.tier}, Unsandboxed: true, Serve: func(context.Context, net.Listener) {}, Watch: watch,
				Taint: func(context.Context) event.Label { return c.taint },
			})
			ctx := tools.WithCaller(t.Context(), tools.Caller{Label: c.caller})
			res, err := tools.Call(ctx, s.Tool(), json.RawMessage(c.args))
			if diff := cmp.Diff(c.want, res.Label); diff != "" || err != nil {
				t.Error(err, diff)
			}
			if diff := cmp.Diff([]event.Label{c.want}, watch.from); diff != "" {
				t.Errorf("what it writes: %s", diff)
			}
		})
	}
	t.Run("a file that came while it ran", func(t *testing.T) {
		asked := 0
		s, _ := shellIn(t, shell.Config{Sandbox: &fakeWalls{tier: sandbox.T1}, Taint: func(ctx context.Context) event.Label {
			asked++
			return event.Label{Untrusted: asked > 1}
		}})
		if res, err := shellRun(t, t.Context(), s, "x"); err != nil || !res.Label.Untrusted {
			t.Errorf("%+v, %v", res.Label, err)
		}
	})
}

// What a process says comes from all that it could read, as long as it is known, whoever reads it.
func TestProcess_Label(t *testing.T) {
	processes := shell.NewProcesses(shell.ProcessesConfig{Now: time.Now})
	t.Cleanup(processes.Close)
	taint := event.Label{}
	watch := &fakeWatch{}
	s, _ := shellIn(t, shell.Config{Background: processes, Watch: watch, Taint: func(ctx context.Context) event.Label {
		if ctx.Err() != nil {
			t.Error("it is asked with a context that has ended")
		}
		return taint
	}})
	in := func(chat event.Chat, l event.Label) context.Context {
		return tools.WithCaller(t.Context(), tools.Caller{Chat: chat, Label: l})
	}
	labels := func(chat event.Chat) (all []event.Label) {
		for _, args := range []string{`{"id":1}`, `{}`} {
			res, err := tools.Call(in(chat, event.Label{}), processes.Tool(), json.RawMessage(args))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, res.Label)
		}
		return all
	}
	start := json.RawMessage(`{"command":"exec sleep 1000","background":true}`)
	walled := s.Tool().(tools.Describer).Def().CapabilitiesOf(t.Context(), start).Has(tools.Confined)
	own := event.Label{Private: true, Untrusted: !walled, Source: "command"}
	for _, chat := range []event.Chat{"clean", "told"} {
		l := event.Label{Untrusted: chat == "told", Source: "web:example.org"}
		if _, err := tools.Call(in(chat, l), s.Tool(), start); err != nil {
			t.Fatal(err)
		}
	}
	if got := labels("clean"); !slices.Equal(got, []event.Label{own, own}) {
		t.Errorf("%+v", got)
	}
	for _, l := range append(labels("told"), watch.from[1]) {
		if !l.Untrusted || !l.Private {
			t.Errorf("a process of an untrusted turn is %+v", l)
		}
	}
	taint = event.Label{Untrusted: true, Source: "file"}
	for range 2 {
		if got := labels("clean"); !got[0].Untrusted || !got[1].Untrusted {
			t.Errorf("after an untrusted file came: %+v", got)
		}
		taint = event.Label{} // it has gone, and may have been read
	}
	res, err := tools.Call(in("nobody", event.Label{}), processes.Tool(), json.RawMessage(`{}`))
	if err != nil || res.Label != (event.Label{}) {
		t.Errorf("a list of nothing is %+v, %v", res.Label, err)
	}
}

// A receipt says what a program can hold against the world.
func TestRunCommand_Effects(t *testing.T) {
	for _, c := range []struct {
		out  sandbox.Outcome
		want event.Effect
	}{
		{sandbox.Outcome{}, event.Effect{Detail: "exit status 0"}},
		{sandbox.Outcome{Exit: 127}, event.Effect{Detail: "exit status 127", Status: 127, Failed: true}},
		{sandbox.Outcome{Exit: -1, Signal: "terminated"}, event.Effect{Detail: "ended by signal: terminated", Status: -1, Failed: true}},
		{sandbox.Outcome{Exit: -1, Signal: "killed", TimedOut: true}, event.Effect{Detail: "killed after 1m0s: out of time", Status: -1, Failed: true}},
		{sandbox.Outcome{Flooded: true}, event.Effect{Detail: "killed after it wrote 0 B", Status: -1, Failed: true}},
		{sandbox.Outcome{Exit: 1, Over: "memory"}, event.Effect{Detail: "killed: it used more memory than it may", Status: -1, Failed: true}},
	} {
		s, _ := shellIn(t, shell.Config{Timeout: time.Minute, Sandbox: &fakeWalls{tier: sandbox.T1, out: c.out}})
		res, err := shellRun(t, t.Context(), s, "x y")
		c.want.Kind, c.want.Target = "ran", "x y"
		if diff := cmp.Diff([]event.Effect{c.want}, res.Effects); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
}

// deaf is a command that does not listen to signals, nor do those that it starts, and tells if it got one.
func deaf(mark string) string {
	return "trap 'echo late >>late' TERM INT HUP QUIT; (trap '' TERM INT HUP; setsid sleep " + mark + " &); sleep " + mark +
		" & while :; do echo up >up; sleep " + mark + "; wait; done"
}

// When a command is stopped it is dead at once, with all that it started, and gets no time for anything.
func TestRunCommand_StopsTheDeaf(t *testing.T) {
	s, dir := shellIn(t, shell.Config{Taint: func(ctx context.Context) event.Label {
		if ctx.Err() != nil {
			t.Error("where it comes from is asked with a context that has ended")
		}
		return event.Label{}
	}})
	ctx, cancel := context.WithCancelCause(t.Context())
	mark := shellMark()
	go func() {
		for {
			if raw, _ := os.ReadFile(filepath.Join(dir, "up")); len(raw) > 0 {
				cancel(errors.New("stopped by the user"))
				return
			}
		}
	}()
	args, _ := json.Marshal(map[string]string{"command": deaf(mark)})
	res, err := s.Tool().(tools.Runner).Run(ctx, args) // a busy machine may take longer for it than a call waits
	toolstest.IsError(t, err, event.CodeCancelled, "run_command was cancelled and was killed: stopped by the user")
	want := []event.Effect{{Kind: "ran", Target: deaf(mark), Detail: "killed: it was stopped", Status: -1, Failed: true}}
	if diff := cmp.Diff(want, res.Effects); diff != "" || !res.Label.Private {
		t.Error(diff, res.Label)
	}
	if shellAlive(t, mark) {
		t.Error("something lives")
	}
	if _, err := os.Stat(filepath.Join(dir, "late")); err == nil {
		t.Error("it was asked to end")
	}
}

// The processes of a turn that is stopped die with it like that, even one that only begins when it is over.
func TestProcess_StopTheDeaf(t *testing.T) {
	w := newProcessWorld(t, shell.ProcessesConfig{Linger: true})
	mark := shellMark()
	if _, err := w.start(deaf(mark)); err != nil {
		t.Fatal(err)
	}
	w.until("it is up", func() bool { raw, _ := os.ReadFile(filepath.Join(w.dir, "up")); return len(raw) > 0 })
	w.processes.End(t.Context(), "main", event.Stopped)
	if shellAlive(t, mark) {
		t.Error("something lives")
	}
	if _, err := os.Stat(filepath.Join(w.dir, "late")); err == nil {
		t.Error("it was asked to end")
	}

	processes := shell.NewProcesses(shell.ProcessesConfig{Linger: true, Now: time.Now})
	t.Cleanup(processes.Close)
	slow := &slowWalls{Sandbox: walls()}
	s, _ := shellIn(t, shell.Config{Background: processes, Sandbox: slow, Unsandboxed: true})
	ctx, cancel := context.WithCancel(tools.WithCaller(t.Context(), tools.Caller{Chat: "main"}))
	slow.stop = func() {
		cancel()
		processes.End(t.Context(), "main", event.Stopped) // it does not know of the process
	}
	args, _ := json.Marshal(map[string]any{"command": deaf(mark), "background": true})
	res, err := s.Tool().(tools.Runner).Run(ctx, args)
	toolstest.IsError(t, err, event.CodeCancelled, "run_command was cancelled and was killed")
	if want := []event.Effect{{Kind: "ran", Target: deaf(mark), Detail: "process 1: stopped", Status: -1, Failed: true}}; !cmp.Equal(want, res.Effects) {
		t.Error(cmp.Diff(want, res.Effects))
	}
	if shellAlive(t, mark) {
		t.Error("what began too late lives")
	}
}

// slowWalls is a sandbox in which a command begins only after something else has happened.
type slowWalls struct {
	*sandbox.Sandbox

	stop func()
}

func (s *slowWalls) Start(ctx context.Context, p sandbox.Policy, c sandbox.Command) (*sandbox.Process, error) {
	process, err := s.Sandbox.Start(ctx, p, c)
	s.stop()
	return process, err
}

// A stop does not wait until it is known what has changed; the end of hob does.
func TestStopDoesNotWaitForTheLookAround(t *testing.T) {
	processes := shell.NewProcesses(shell.ProcessesConfig{Now: time.Now})
	watch := &fakeWatch{looked: make(chan struct{}), rights: "\n[removed]"}
	s, dir := shellIn(t, shell.Config{Background: processes, Watch: watch})
	ctx, cancel := context.WithCancel(tools.WithCaller(t.Context(), tools.Caller{Chat: "main"}))
	run := s.Tool().(tools.Runner).Run
	if res, err := run(ctx, json.RawMessage(`{"command":"exec sleep 1000","background":true}`)); err != nil || !strings.HasPrefix(res.Text, "process 1 runs") {
		t.Fatal(res.Text, err)
	}
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(dir, "up")); err == nil {
				cancel()
				return
			}
		}
	}()
	res, err := run(ctx, json.RawMessage(`{"command":"touch up; exec sleep 1000"}`))
	toolstest.IsError(t, err, event.CodeCancelled, "and was killed")
	if len(res.Effects) != 1 || res.Effects[0].Detail != "killed: it was stopped" {
		t.Errorf("%+v", res.Effects)
	}
	if got := processes.End(t.Context(), "main", event.Stopped); len(got) != 1 {
		t.Errorf("%q", got)
	}
	closed := make(chan struct{})
	go func() { processes.Close(); close(closed) }()
	select {
	case <-closed:
		t.Error("hob ends before all was looked at")
	default:
	}
	close(watch.looked)
	<-closed
	for _, want := range [][]string{{"touch up; exec sleep 1000: [removed]", "process 1: [removed]"}, nil} {
		if got := processes.Begin(t.Context(), "main"); !slices.Equal(got, want) {
			t.Errorf("the next turn begins with %q, want %q", got, want)
		}
	}
	if res, err := run(context.WithoutCancel(ctx), json.RawMessage(`{"command":"true"}`)); err != nil || res.Effects[0].Detail != "exit status 0; changed 1 file" {
		t.Errorf("after the end of all processes: %+v, %v", res.Effects, err)
	}
}

// A folder of a stranger's is there only for commands that name it or that a stranger could have made, and what these write
// is the stranger's.
func TestRunCommand_FoldersOfStrangers(t *testing.T) {
	dir, own := t.TempDir(), t.TempDir()
	theirs := event.Label{Untrusted: true, Source: "skill:tea"}
	for _, c := range []struct {
		command string
		caller  event.Label
		sees    bool
	}{
		{"ls", event.Label{}, false},
		{"ls", event.Label{Private: true, Source: "file"}, false},
		{"ls", event.Label{Untrusted: true, Source: "web:example.org"}, true},
		{"cat " + dir + "/a", event.Label{}, true},
		{"cd ~/.config/hob/skills/tea && ./go", event.Label{}, true},
	} {
		walls := &fakeWalls{tier: sandbox.T1}
		s, _ := shellIn(t, shell.Config{Sandbox: walls, ReadNow: func() []shell.Folder {
			return []shell.Folder{{Dir: dir, Word: "skills/tea", Label: theirs}, {Dir: own}}
		}})
		args, _ := json.Marshal(map[string]string{"command": c.command})
		res, err := tools.Call(tools.WithCaller(t.Context(), tools.Caller{Label: c.caller}), s.Tool(), args)
		if err != nil || res.Label.Untrusted != c.sees {
			t.Errorf("%s: %v %+v", c.command, err, res.Label)
		}
	}
}
