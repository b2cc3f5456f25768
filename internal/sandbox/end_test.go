//go:build linux

package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/sandbox"
	"hob/internal/sandbox/sandboxtest"
)

// Whatever a command starts, and however it hides it, is dead when Wait returns.
func TestNothingStays(t *testing.T) {
	settled := "; until grep -qs ^sleep /proc/$(cat pid)/cmdline; do :; done 2>/dev/null" // it is there, or, as grep sees any argument, on its way
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		for _, c := range []struct {
			name, script string
			timeout      time.Duration
			want         sandbox.Outcome
		}{
			{"in the background, with the pipe", "NAP & echo $! > pid" + settled, -1, sandbox.Outcome{Left: 1}},
			{"in a session of its own", "setsid NAP & echo $! > pid" + settled + "; exit 4", -1, sandbox.Outcome{Exit: 4, Left: 1}},
			{"an orphan", "(setsid sh -c 'NAP & echo $! > pid; wait' >/dev/null 2>&1 &)" + settled, -1, sandbox.Outcome{Left: 2}},
			{"out of time", "NAP", time.Second, sandbox.Outcome{Exit: -1, Signal: "killed", TimedOut: true}},
			{"out of time, deaf to signals", "trap '' TERM INT HUP QUIT; (setsid NAP &); NAP & while :; do wait; done", time.Second, sandbox.Outcome{Exit: -1, Signal: "killed", TimedOut: true}},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				line, token := nap()
				p, _ := policy(t, nil)
				command := sh(strings.ReplaceAll(c.script, "NAP", line))
				command.Timeout = c.timeout
				o := run(t, s, p, command)
				c.want.Tier = tier
				if diff := cmp.Diff(c.want, o, cmpopts.IgnoreFields(sandbox.Outcome{}, "Stdout", "Stderr", "Duration")); diff != "" {
					t.Errorf("%s\n%s", diff, o.Stderr)
				}
				if left := sleepers(token); len(left) > 0 {
					t.Errorf("still there: %v", left)
				}
			})
		}
	})
}

// Stop and the end of the context are the same.
func TestStop(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		for _, way := range []string{"Stop", "context"} {
			t.Run(way, func(t *testing.T) {
				line, token := nap()
				p, _ := policy(t, nil)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c := sh("echo begun; (setsid " + line + " &) ; " + line + "; true")
				c.Timeout = -1
				process, err := s.Start(ctx, p, c)
				if err != nil {
					t.Fatal(err)
				}
				sandboxtest.Eventually(t, "both run", func() bool { return len(sleepers(token)) == 2 })
				if way == "Stop" {
					process.Stop()
				} else {
					cancel()
				}
				o := process.Wait()
				want := sandbox.Outcome{Exit: -1, Signal: "killed", Stopped: true, Tier: tier}
				if diff := cmp.Diff(want, o, cmpopts.IgnoreFields(sandbox.Outcome{}, "Stdout", "Stderr", "Duration")); diff != "" {
					t.Error(diff)
				}
				if o.Stdout.String() != "begun\n" {
					t.Errorf("it wrote %q", o.Stdout)
				}
				if left := sleepers(token); len(left) > 0 {
					t.Errorf("still there: %v", left)
				}
			})
		}
	})
}

// Who stops a command does not ask it to end: what would do something first, or not listen, is dead like all others.
func TestStop_NobodyIsAsked(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		line, token := nap()
		p, dir := policy(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := sh(strings.ReplaceAll("trap 'echo late >>late' TERM INT HUP QUIT; (trap '' TERM INT HUP; setsid NAP &); NAP & while :; do wait; done", "NAP", line))
		c.Timeout = -1
		process, err := s.Start(ctx, p, c)
		if err != nil {
			t.Fatal(err)
		}
		sandboxtest.Eventually(t, "both run", func() bool { return len(sleepers(token)) == 2 })
		began := time.Now()
		cancel()
		o := process.Wait()
		t.Logf("it took %s", time.Since(began))
		if o.Exit != -1 || !o.Stopped {
			t.Errorf("%+v", o)
		}
		if left := sleepers(token); len(left) > 0 {
			t.Errorf("still there: %v", left)
		}
		if _, err := os.Stat(filepath.Join(dir, "late")); err == nil {
			t.Error("it was asked to end")
		}
	})
}

// What is written without end is stopped, and takes no more memory than what is kept of it.
func TestFlood(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		t.Run("killed", func(t *testing.T) {
			p, _ := policy(t, func(r *sandbox.Rules) { r.Limits.Output = 1 << 20 })
			o := run(t, s, p, sh("yes & yes >&2; wait"))
			want := sandbox.Outcome{Exit: -1, Signal: "killed", Flooded: true, Tier: tier}
			if diff := cmp.Diff(want, o, cmpopts.IgnoreFields(sandbox.Outcome{}, "Stdout", "Stderr", "Duration")); diff != "" {
				t.Error(diff)
			}
			if all := o.Stdout.Total + o.Stderr.Total; all <= 1<<20 || all > 2<<20 {
				t.Errorf("%d bytes were read", all)
			}
		})
		t.Run("bounded", func(t *testing.T) {
			const size = 200 << 20
			p, _ := policy(t, func(r *sandbox.Rules) { r.Limits.Output = 2 * size })
			var before, after runtime.MemStats
			c, told := sh("head -c "+strconv.Itoa(size)+" /dev/zero"), size
			if tier == sandbox.T4 { // where what it left is looked for among all processes of the machine, which takes memory, too
				told = 0
				c.Live = func(_ int, p []byte) {
					if told += len(p); told == size {
						runtime.ReadMemStats(&after)
					}
				}
			}
			runtime.ReadMemStats(&before)
			o := run(t, s, p, c)
			if c.Live == nil {
				runtime.ReadMemStats(&after)
			}
			if o.Exit != 0 || o.Stdout.Total != size || len(o.Stdout.Head) != 16<<10 || len(o.Stdout.Tail) != 16<<10 {
				t.Errorf("exit %d, %d bytes, %d and %d kept: %s", o.Exit, o.Stdout.Total, len(o.Stdout.Head), len(o.Stdout.Tail), o.Stderr)
			}
			more := after.TotalAlloc - before.TotalAlloc // by all that runs in this process
			fmt.Printf("figure: allocated while a command writes 200 MiB in %s: %.1f MiB (aim 4 MiB)\n", tier, float64(more)/(1<<20))
			if told != size {
				t.Errorf("%d bytes were told", told)
			}
		})
	})
}

// parentProgram is a hob that runs a command and is then killed.
const parentProgram = "__parent"

func parent(tier sandbox.Tier, workspace, nap string) int {
	s := sandbox.New(sandbox.Config{Only: tier, Unsandboxed: tier == sandbox.T4, Bwrap: bwrap()})
	p, err := sandbox.NewPolicy(sandbox.Rules{Workspace: workspace})
	if err != nil {
		panic(err)
	}
	c := sh(strings.ReplaceAll("(setsid NAP &); (setsid sh -c '(setsid NAP &)' &); NAP; true", "NAP", nap))
	if _, err := s.Run(context.Background(), p, c); err != nil {
		panic(err)
	}
	return 0
}

// When hob is killed without warning, its commands do not outlive it; where there are no walls, the next start finds
// them.
func TestParentKilled(t *testing.T) {
	everywhere(t, func(t *testing.T, _ *sandbox.Sandbox, tier sandbox.Tier) {
		line, token := nap()
		dir := t.TempDir()
		cmd := exec.Command("/proc/self/exe", parentProgram, strconv.Itoa(int(tier)), dir, line)
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		sandboxtest.Eventually(t, "all three run", func() bool { return len(sleepers(token)) == 3 })
		if n := sandbox.Sweep(t.Context()); len(sleepers(token)) != 3 {
			t.Fatalf("%d processes were swept away, of a living hob", n)
		}
		if tier < sandbox.T3 {
			for _, pid := range children(t, cmd.Process.Pid) { // nobody needs to do anything for it
				if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if tier == sandbox.T4 {
			if n := sandbox.Sweep(t.Context()); n < 2 {
				t.Errorf("%d processes were swept away", n)
			}
		}
		sandboxtest.Eventually(t, "nothing is left", func() bool { return len(sleepers(token)) == 0 })
	})
}

// In T3 the helper could be killed, too. The command's processes are then known by their mark.
func TestHelperKilled(t *testing.T) {
	s := box(t, sandbox.T3)
	line, token := nap()
	p, _ := policy(t, nil)
	c := sh("echo $TMPDIR; exec >/dev/null 2>&1; (setsid " + line + " &); " + line + "; true") // no pipe gives them away
	c.Timeout = -1
	process, err := s.Start(t.Context(), p, c)
	if err != nil {
		t.Fatal(err)
	}
	sandboxtest.Eventually(t, "both run", func() bool { return len(sleepers(token)) == 2 })
	helper := 0
	for _, pid := range children(t, os.Getpid()) {
		if line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); string(line) == "hob\x00__sandbox\x00" {
			helper = pid
		}
	}
	if helper == 0 {
		t.Fatal("there is no helper")
	}
	if err := syscall.Kill(helper, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	o := process.Wait()
	if dir := strings.TrimSpace(o.Stdout.String()); strings.HasPrefix(dir, "/tmp/hob-") {
		os.RemoveAll(dir) // the helper could not
	}
	if o.Exit != -1 || o.Signal != "killed" || o.Error != "the sandbox's helper ended before the command: signal: killed" {
		t.Errorf("%+v", o)
	}
	if left := sleepers(token); len(left) > 0 {
		t.Errorf("still there: %v", left)
	}
}

func children(t *testing.T, pid int) (all []int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tasks {
		text, _ := os.ReadFile(file)
		for word := range strings.FieldsSeq(string(text)) {
			n, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
	}
	return all
}
