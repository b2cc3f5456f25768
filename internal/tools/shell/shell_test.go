package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// walls is the sandbox of the tests: the strongest that this machine gives, and if it gives none, none. All share it, for
// its self-test takes longer than most of them.
func walls() *sandbox.Sandbox { return sharedWalls() }

var sharedWalls = sync.OnceValue(func() *sandbox.Sandbox { return sandbox.New(sandbox.Config{Unsandboxed: true}) })

// shellIn is a shell in a workspace of its own.
func shellIn(t *testing.T, cfg shell.Config) (*shell.ShellTool, string) {
	t.Helper()
	if cfg.Sandbox == nil {
		cfg.Sandbox, cfg.Unsandboxed = walls(), true
	}
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Hour // this machine may stand still for a while
	}
	s, err := shell.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s, cfg.Dir
}

func shellRun(t *testing.T, ctx context.Context, s *shell.ShellTool, command string) (tools.Result, error) {
	t.Helper()
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	return tools.Call(ctx, s.Tool(), args)
}

// shellData is what programs see of a result.
func shellData(t *testing.T, res tools.Result) (d struct {
	Exit     int
	Signal   string
	Stdout   string
	Stderr   string
	Bytes    int64
	TimedOut bool `json:"timed_out"`
	Tier     string
}) {
	t.Helper()
	raw, err := json.Marshal(res.Data)
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// shellMark is an argument for sleep that no other process has: a command's processes have other numbers within its walls
// than outside.
func shellMark() string { return fmt.Sprintf("1000.%09d", rand.IntN(1e9)) }

// shellAlive reports whether a process with the mark in its command line runs.
func shellAlive(t *testing.T, mark string) bool {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lines {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), mark) {
			return true
		}
	}
	return false
}

func TestRunCommand_Success(t *testing.T) {
	box := walls()
	tier := box.Tier(t.Context())
	s, dir := shellIn(t, shell.Config{Sandbox: box, Unsandboxed: true})
	t.Run("shell_exec-14", func(t *testing.T) {
		res, err := shellRun(t, t.Context(), s, "echo out; echo oops >&2; exit 2")
		if err != nil {
			t.Fatal(err)
		}
		if d := shellData(t, res); d.Exit != 2 || d.Stdout != "out\n" || d.Stderr != "oops\n" || d.TimedOut || d.Tier != tier.String() {
			t.Errorf("data is %+v", d)
		}
		res.Data = nil
		want := tools.Result{
			Text:    "exit status 2\nstdout:\nout\nstderr:\noops",
			Effects: []event.Effect{{Kind: "ran", Target: "echo out; echo oops >&2; exit 2", Detail: "exit status 2", Status: 2, Failed: true}},
			Label:   event.Label{Private: true, Untrusted: tier == sandbox.T4, Source: "command"},
		}
		if diff := cmp.Diff(want, res); diff != "" {
			t.Error(diff)
		}
	})
	for _, c := range []struct{ name, command, want string }{
		{"silence", "true", "exit status 0\n(no output)"},
		{"working folder and home", `pwd; echo "$HOME"`, dir + "\n" + dir},
		{"no input", "cat; read x || echo none", "none"},
		{"no terminal", "tty; (: < /dev/tty) 2>/dev/null || echo none", "not a tty\nnone"},
		{"unknown program", "no-such-program-here 2>/dev/null", "exit status 127\n(no output)"},
		{"signal", "kill -TERM $$", "ended by signal: terminated\n(no output)"},
		{"begins like an option", "-x 2>/dev/null || echo ran", "ran"},
		{"not UTF-8", `printf 'caf\351'`, "caf\uFFFD"},
		{"no editor waits", `$EDITOR x; echo $?`, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := shellRun(t, t.Context(), s, c.command)
			if err != nil || res.Text != c.want {
				t.Errorf("%q, %v; want %q", res.Text, err, c.want)
			}
		})
	}
	t.Run("ExecuteCommand", func(t *testing.T) {
		got, err := s.ExecuteCommand("echo hi; exit 3")
		if err != nil || got != "exit status 3\nstdout:\nhi" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// Nothing of hob's environment reaches a command.
func TestRunCommand_Environment(t *testing.T) {
	t.Setenv("TELEGRAM_TOKEN", "s3cret")
	s, dir := shellIn(t, shell.Config{})
	res, err := shellRun(t, t.Context(), s, "env")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(shellData(t, res).Stdout) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "PWD", "OLDPWD", "SHLVL", "_", "HOB_COMMAND":
			continue // the shell's own, and the mark by which commands without walls are found
		}
		got = append(got, name+"="+value)
	}
	slices.Sort(got)
	want := []string{
		"DEBIAN_FRONTEND=noninteractive", "EDITOR=false", "GIT_EDITOR=false", "GIT_PAGER=cat", "GIT_SEQUENCE_EDITOR=false",
		"GIT_TERMINAL_PROMPT=0", "HOME=" + dir, "LANG=C.UTF-8", "PAGER=cat",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PIP_NO_INPUT=1", "TERM=dumb", "VISUAL=false",
		"npm_config_yes=true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRunCommand_BadArguments(t *testing.T) {
	s, dir := shellIn(t, shell.Config{Timeout: 5 * time.Second})
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "command: is required"},
		{"blank", `{"command":" \n"}`, event.CodeRequiredField, "command: must not be empty"},
		{"NUL", `{"command":"touch x\u0000"}`, event.CodeInvalidValue, "command: holds a NUL"},
		{"long", `{"command":"touch x #` + strings.Repeat("x", 100<<10) + `"}`, event.CodeInvalidValue, "is longer than 98304 bytes; write it to a file"},
		{"list", `{"command":["touch","x"]}`, event.CodeInvalidFormat, `command: must be a string, not ["touch","x"]`},
		{"too long a time", `{"command":"touch x","timeout":6}`, event.CodeInvalidValue, "timeout: must be at most 5, not 6"},
		{"no time", `{"command":"touch x","timeout":0}`, event.CodeInvalidValue, "timeout: must be at least 1, not 0"},
		{"a very long time", `{"command":"touch x","timeout":9223372036854775807}`, event.CodeInvalidValue, "timeout: must be at most 5"},
		{"a language that nobody has", `{"command":"touch x","language":"cobol"}`, event.CodeInvalidValue, `language: must be one of "sh", "bash", "python", "node", not "cobol"`},
		{"a network that is not there", `{"command":"touch x","network":true}`, event.CodeInvalidValue, "network: unknown argument"},
		{"a bounded process", `{"command":"touch x","background":true,"timeout":3}`, event.CodeInvalidValue, "timeout: a command in the background has none"},
		{"unknown", `{"command":"touch x","cwd":"/"}`, event.CodeInvalidValue, "cwd: unknown argument; the arguments are command, language, timeout, background"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := tools.Call(t.Context(), s.Tool(), json.RawMessage(c.args))
			toolstest.IsError(t, err, c.code, c.words)
			if diff := cmp.Diff(tools.Result{}, res); diff != "" {
				t.Error(diff)
			}
		})
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("one of them ran: %v, %v", left, err)
	}
}

// What a command leaves running dies with it, in its group or out of it, and does not hold up the call although it
// holds the pipes.
func TestRunCommand_NothingStays(t *testing.T) {
	background := "sleep MARK & echo $! > pid"
	settled := "; while ! grep -q ^sleep /proc/$(cat pid)/cmdline; do :; done" // it is there, or, as grep sees any argument, on its way
	escaped := "setsid sh -c 'sleep MARK & echo $! > pid; wait' & while ! [ -s pid ]; do :; done" + settled
	const outOfTime = "killed after 3s: out of time\n(no output)\n[it may have waited for input: commands have no terminal and no input]"
	for _, c := range []struct{ name, command, text string }{
		{"background", background + settled, "exit status 0\n(no output)\n[killed 1 process that it had left running]"},
		{"forgotten at once", "setsid sh -c 'echo $$ > pid; exec sleep MARK' >/dev/null 2>&1 & while ! [ -s pid ]; do :; done; exit 7", ""},
		{"new session", escaped, "exit status 0\n(no output)\n[killed 2 processes that it had left running]"},
		{"shell_exec-13", background + "; wait", outOfTime},
		{"out of time in a new session", escaped + "; wait", outOfTime},
		{"deaf to signals", "trap '' TERM INT HUP; " + background + "; wait", outOfTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			timedOut := strings.Contains(c.text, "out of time")
			cfg := shell.Config{Timeout: 5 * time.Minute} // as much as a busy machine takes, or one that stands still
			if timedOut {
				cfg.Timeout = 3 * time.Second
			}
			s, _ := shellIn(t, cfg)
			mark := shellMark()
			res, err := shellRun(t, t.Context(), s, strings.ReplaceAll(c.command, "MARK", mark))
			if err != nil || c.text != "" && res.Text != c.text {
				t.Errorf("%q, %v; want %q", res.Text, err, c.text)
			}
			if shellData(t, res).TimedOut != timedOut {
				t.Errorf("data is %+v", shellData(t, res))
			}
			if shellAlive(t, mark) {
				t.Error("its child lives")
			}
		})
	}
}

func TestRunCommand_Output(t *testing.T) {
	t.Run("shell_exec-16", func(t *testing.T) {
		s, _ := shellIn(t, shell.Config{})
		res, err := shellRun(t, t.Context(), s, "head -c 100000000 /dev/zero | tr '\\0' x; echo done")
		if err != nil {
			t.Fatal(err)
		}
		d := shellData(t, res)
		if d.Bytes <= 64<<20 || d.Bytes > 65<<20 || len(res.Text) > 600<<10 || !strings.HasPrefix(res.Text, "killed after it wrote 6") {
			t.Errorf("%d bytes written, %d shown: %.100s", d.Bytes, len(res.Text), res.Text)
		}
	})
	t.Run("both ends of both streams", func(t *testing.T) {
		s, _ := shellIn(t, shell.Config{Keep: 20})
		res, err := shellRun(t, t.Context(), s, "seq 1000; seq 2000 3000 >&2")
		want := "exit status 0\nstdout:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n[... 3858 bytes left out; send the output to a file to see all of it ...]\n997\n998\n999\n1000\n" +
			"stderr:\n2000\n2001\n2002\n2003\n[... 4970 bytes left out; send the output to a file to see all of it ...]\n2998\n2999\n3000"
		if diff := cmp.Diff(want, res.Text); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})
	t.Run("cut between two letters", func(t *testing.T) {
		s, _ := shellIn(t, shell.Config{Keep: 9})
		res, err := shellRun(t, t.Context(), s, `printf 'ééééééééééééé'`)
		want := "éééé\n[... 10 bytes left out; send the output to a file to see all of it ...]\néééé"
		if diff := cmp.Diff(want, res.Text); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})
}

func TestRunCommand_Errors(t *testing.T) {
	t.Run("cancelled", func(t *testing.T) {
		s, dir := shellIn(t, shell.Config{})
		ctx, cancel := context.WithCancelCause(t.Context())
		ready, mark := filepath.Join(dir, "ready"), shellMark()
		go func() { // when the command is under way
			for {
				if raw, err := os.ReadFile(ready); err == nil && len(raw) > 0 {
					cancel(errors.New("stopped by the user"))
					return
				}
			}
		}()
		args, _ := json.Marshal(map[string]string{"command": "sleep " + mark + " & echo $! > ready; echo begun; wait"})
		res, err := s.Tool().(tools.Runner).Run(ctx, args) // a busy machine may take longer for it than a call waits
		toolstest.IsError(t, err, event.CodeCancelled, "run_command was cancelled and was killed: stopped by the user")
		if len(res.Effects) != 1 || res.Effects[0].Detail != "killed: it was stopped" {
			t.Errorf("the receipts are %+v", res.Effects)
		}
		if shellAlive(t, mark) {
			t.Error("its child lives")
		}
	})
	t.Run("cancelled before", func(t *testing.T) {
		s, dir := shellIn(t, shell.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := shellRun(t, ctx, s, "touch x")
		toolstest.IsError(t, err, event.CodeCancelled, "before it began")
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Error("it ran")
		}
	})
	t.Run("no workspace", func(t *testing.T) {
		s, dir := shellIn(t, shell.Config{})
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		_, err := shellRun(t, t.Context(), s, "true")
		toolstest.IsError(t, err, event.CodeExecutionFailed, "the command could not be run: ")
	})
}

func TestRunCommand_UnchangedState(t *testing.T) {
	s, dir := shellIn(t, shell.Config{})
	before, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, err := shellRun(t, t.Context(), s, "cd /; umask 000; exit "+strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	after, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	if len(after) > len(before)+2 { // the runtime may have opened its poller
		t.Errorf("%d files are open, %d before", len(after), len(before))
	}
	res, err := shellRun(t, t.Context(), s, "pwd")
	if err != nil || res.Text != ""+dir {
		t.Errorf("one command's folder is the next one's: %q, %v", res.Text, err)
	}
}
