//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/sandbox"
)

// How commands end, in every tier the same.
func TestRun(t *testing.T) {
	everywhereAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		p, dir := policy(t, nil)
		if err := os.WriteFile(filepath.Join(dir, "text"), []byte("no program"), 0o644); err != nil {
			t.Fatal(err)
		}
		args := func(args ...string) sandbox.Command {
			c := sh("")
			c.Args = args
			return c
		}
		for _, c := range []struct {
			name     string
			command  sandbox.Command
			want     sandbox.Outcome
			out, err string
		}{
			{"both streams and a status", sh("echo out; echo oops >&2; exit 3"), sandbox.Outcome{Exit: 3}, "out\n", "oops\n"},
			{"silence", sh("true"), sandbox.Outcome{}, "", ""},
			{"a signal", sh("kill -TERM $$"), sandbox.Outcome{Exit: -1, Signal: "terminated"}, "", ""},
			{"no such program", args("no-such-program"), sandbox.Outcome{Exit: 127, Error: "no-such-program: not found"}, "", ""},
			{"no such path", args("./no-such-program"), sandbox.Outcome{Exit: 127, Error: "./no-such-program: not found"}, "", ""},
			{"not a program", args("./text"), sandbox.Outcome{Exit: 126, Error: "./text: permission denied"}, "", ""},
			{"a folder", args("/usr"), sandbox.Outcome{Exit: 126, Error: "/usr: is a folder"}, "", ""},
			{"looked up in the command's PATH", args("echo", "-n", "a b", "$c", ""), sandbox.Outcome{}, "a b $c ", ""},
			{"the folder is the workspace", sh("pwd; echo x > made; cat made"), sandbox.Outcome{}, dir + "\nx\n", ""},
			{"no input", sh("cat; read x || echo none"), sandbox.Outcome{}, "none\n", ""},
			{"no terminal", sh("tty; (: < /dev/tty) 2>/dev/null || echo none"), sandbox.Outcome{}, "not a tty\nnone\n", ""},
			{"a command of many lines", sh("cat <<'E'\n" + strings.Repeat("<&>\"\\\n", 9000) + "E\n"), sandbox.Outcome{}, strings.Repeat("<&>\"\\\n", 9000), ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				got := run(t, s, policyKeeping(t, dir, 100<<10), c.command)
				c.want.Tier = tier
				if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(sandbox.Outcome{}, "Stdout", "Stderr", "Duration")); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff([2]string{c.out, c.err}, [2]string{got.Stdout.String(), got.Stderr.String()}); diff != "" {
					t.Error(diff)
				}
				if got.Duration <= 0 && got.Exit < 126 {
					t.Error("it took no time")
				}
			})
		}
		t.Run("the same again", func(t *testing.T) { // a policy is a value, and is not used up
			for range 2 {
				if got := run(t, s, p, sh("echo hi")); got.Stdout.String() != "hi\n" {
					t.Errorf("%+v", got)
				}
			}
		})
	})
}

// policyKeeping is a policy for a folder that keeps n bytes of each end.
func policyKeeping(t *testing.T, dir string, n int) sandbox.Policy {
	t.Helper()
	p, err := sandbox.NewPolicy(sandbox.Rules{Workspace: dir, Limits: sandbox.Limits{Keep: n}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRun_Stdin(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, nil)
		big := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16) // many times what a pipe holds
		for _, c := range []struct{ name, script, want string }{
			{"read", "wc -c", "1048576\n"},
			{"read in part", "head -c 16", "0123456789abcde\n"},
			{"not read", "echo hi", "hi\n"},
			{"closed", "exec <&-; echo hi", "hi\n"},
		} {
			t.Run(c.name, func(t *testing.T) {
				command := sh(c.script)
				command.Stdin = big
				if o := run(t, s, p, command); o.Exit != 0 || o.Stdout.String() != c.want {
					t.Errorf("%+v\n%s%s", o, o.Stdout, o.Stderr)
				}
			})
		}
	})
}

// A command knows what it was told and nothing of hob.
func TestRun_Environment(t *testing.T) {
	t.Setenv("TELEGRAM_TOKEN", "s3cret")
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		p, _ := policy(t, nil)
		o := run(t, s, p, sandbox.Command{Args: []string{"/usr/bin/env"}, Env: []string{"A=1", "HOB_COMMAND=forged", "B=2"}})
		var got []string
		for line := range strings.Lines(o.Stdout.String()) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "=")
			got = append(got, name)
		}
		want := []string{"A", "B", "HOB_COMMAND"}
		if tier == sandbox.T3 {
			want = append(want, "TMPDIR") // its own folder
		}
		if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Error(diff)
		}
		if strings.Contains(o.Stdout.String(), "forged") {
			t.Error("the mark can be chosen")
		}
		if tier == sandbox.T4 {
			return
		}
		// Nor does anything else that can be read from within hold it.
		o = run(t, s, p, sh("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c s3cret"))
		if o.Stdout.String() != "0\n" {
			t.Errorf("%s%s", o.Stdout, o.Stderr)
		}
	})
}

// A descriptor that hob forgot to close on exec is not open in a command.
func TestRun_StrayDescriptor(t *testing.T) {
	stray, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer stray.Close()
	leak(t, stray)
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T4 {
			t.Skip("has no walls")
		}
		p, _ := policy(t, nil)
		if o := run(t, s, p, sh("ls /proc/$$/fd; true")); o.Stdout.String() != "0\n1\n2\n" {
			t.Errorf("open are %s %s", o.Stdout, o.Stderr)
		}
	})
}

func TestRun_Live(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, func(r *sandbox.Rules) { r.Limits.Keep = 10 })
		var inside atomic.Int32
		var streams [3]strings.Builder
		c := sh("seq 1 5000; seq 1 5000 >&2")
		c.Live = func(stream int, p []byte) {
			if inside.Add(1) != 1 {
				t.Error("two streams are told at once")
			}
			streams[stream].Write(p)
			inside.Add(-1)
		}
		o := run(t, s, p, c)
		for i, out := range []sandbox.Output{o.Stdout, o.Stderr} {
			all := streams[i+1].String()
			if int64(len(all)) != out.Total || !strings.HasPrefix(all, string(out.Head)) || !strings.HasSuffix(all, string(out.Tail)) {
				t.Errorf("stream %d: %d bytes told, %d counted", i+1, len(all), out.Total)
			}
			if len(out.Head) != 10 || len(out.Tail) != 10 {
				t.Errorf("stream %d: %d and %d bytes kept", i+1, len(out.Head), len(out.Tail))
			}
		}
	})
}

// What a command has written can be looked at while it runs.
func TestProcess_Output(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		told := make(chan struct{}, 100)
		c := sh("echo begun; while ! [ -e go ]; do :; done; echo ended")
		c.Live = func(int, []byte) { told <- struct{}{} }
		p, dir := policy(t, nil)
		process, err := s.Start(t.Context(), p, c)
		if err != nil {
			t.Fatal(err)
		}
		<-told
		for {
			if out, _ := process.Output(); out.Total > 0 {
				if out.String() != "begun\n" {
					t.Errorf("%q", out)
				}
				out.Head[0] = 'X' // it is a copy
				break
			}
		}
		select {
		case <-process.Done():
			t.Error("it is over")
		default:
		}
		if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		<-process.Done()
		if o := process.Wait(); o.Stdout.String() != "begun\nended\n" || o.Exit != 0 {
			t.Errorf("%+v", o)
		}
		process.Stop() // changes nothing any more
		if diff := cmp.Diff(process.Wait(), process.Wait()); diff != "" {
			t.Error(diff)
		}
	})
}

// Twenty commands at once know nothing of each other, and leave nothing open in hob.
func TestRun_Concurrent(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, nil)
		run(t, s, p, sh("true"))
		before := openFiles(t)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				c := sh("read x; echo $x; exit " + string(rune('0'+i%10)))
				c.Stdin = []byte{byte('a' + i), '\n'}
				o, err := s.Run(t.Context(), p, c)
				if err != nil || o.Exit != i%10 || o.Stdout.String() != string(rune('a'+i))+"\n" {
					t.Errorf("%d: %+v, %v", i, o, err)
				}
			})
		}
		all.Wait()
		if after := openFiles(t); after > before {
			t.Errorf("%d files are open, %d before", after, before)
		}
	})
}

// Commands that never begin leave nothing behind either.
func TestStart_Refused(t *testing.T) {
	s := box(t, sandbox.T4)
	p, dir := policy(t, nil)
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user went away"))
	before := openFiles(t)
	with := func(change func(*sandbox.Command)) sandbox.Command {
		c := sh("touch ran")
		change(&c)
		return c
	}
	for _, c := range []struct {
		name    string
		ctx     context.Context
		policy  sandbox.Policy
		command sandbox.Command
		want    string
	}{
		{"no policy", t.Context(), sandbox.Policy{}, sh("touch ran"), "a policy value cannot be zero: make it with NewPolicy"},
		{"cancelled", gone, p, sh("touch ran"), "the user went away"},
		{"no program", t.Context(), p, with(func(c *sandbox.Command) { c.Args = nil }), "the command names no program"},
		{"a NUL", t.Context(), p, with(func(c *sandbox.Command) { c.Args = []string{"sh", "a\x00b"} }), "the command holds a NUL, which no program can be given"},
		{"too long", t.Context(), p, sh("touch ran #" + strings.Repeat("x", 128<<10)), "the command or its environment is too long; write it to a file and run that"},
		{"no variable", t.Context(), p, with(func(c *sandbox.Command) { c.Env = []string{"=x"} }), `the environment variable "=x" is not of the form NAME=value`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if o, err := s.Run(c.ctx, c.policy, c.command); err == nil || err.Error() != c.want {
				t.Errorf("%+v, %v; want %s", o, err, c.want)
			}
		})
	}
	t.Run("in walls", func(t *testing.T) {
		s := box(t, sandbox.T3)
		if _, err := s.Run(gone, p, sh("touch ran")); err == nil || err.Error() != "the user went away" {
			t.Error(err)
		}
		long := sh("touch ran")
		for i := range 128 { // more than a packet holds, or more than a program can be given
			long.Env = append(long.Env, fmt.Sprintf("V%d=%s", i, strings.Repeat("\x01", 100<<10)))
		}
		if o, err := s.Run(t.Context(), p, long); (err == nil || !strings.Contains(err.Error(), "too long")) && o.Exit != 126 {
			t.Errorf("%+v %v", o, err)
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("one of them ran: %v %v", left, err)
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, %d before", after, before)
	}
}
