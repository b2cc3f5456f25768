//go:build linux

package probe_test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hob/internal/sandbox"
	"hob/internal/sandbox/probe"
	"hob/internal/sandbox/sandboxtest"
)

// eachTier runs a test in every tier that walls commands in, as an ordinary user.
func eachTier(t *testing.T, test func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier)) {
	t.Helper()
	sandboxtest.Ordinary(t)
	eachTierAsRoot(t, test)
}

// eachTierAsRoot runs a test in every tier that walls commands in, also as root: the walls differ.
func eachTierAsRoot(t *testing.T, test func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier)) {
	t.Helper()
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3} {
		t.Run(fmt.Sprint(tier), func(t *testing.T) { test(t, walled(t, tier), tier) })
	}
}

// The whole matrix: all attacks in all tiers. A tier may fail to stop only what it says it does not.
func TestMatrix(t *testing.T) {
	eachTierAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		c := start(t)
		var seen []probe.Seen
		for _, trial := range c.All() {
			seen = append(seen, try(t, s, c, trial))
		}
		w := probe.Walls{Tier: int(tier), Landlock: s.Report(context.Background()).Ruleset}
		gaps := probe.Gaps(w)
		for _, p := range c.Judge(w, seen...) {
			t.Run(p.Name, func(t *testing.T) {
				if p.Broken {
					t.Errorf("broken: %s", p.Found)
				}
				if tier < sandbox.T3 && !p.Holds {
					t.Errorf("must hold in this tier: %s", p.Found)
				}
				for _, a := range p.Attacks {
					t.Run(a.Attack, func(t *testing.T) {
						open := slices.ContainsFunc(gaps, func(g probe.Gap) bool { return g.Attack == a.Attack })
						switch {
						case a.Denied:
							t.Log("stopped:", a.Found)
						case open:
							t.Log("possible, as this tier says:", a.Found)
						default:
							t.Error("succeeded:", a.Found)
						}
					})
				}
			})
		}
	})
}

// With the network on there is a way to the proxy, and still none to anything else.
func TestOnlyTheProxyIsReached(t *testing.T) {
	sandboxtest.Ordinary(t)
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2} {
		t.Run(fmt.Sprint(tier), func(t *testing.T) {
			s, c := walled(t, tier), start(t)
			trial := c.Quick()
			policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: c.Workspace(), Serve: func(_ context.Context, l net.Listener) {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					_, _ = conn.Write([]byte("proxy\n"))
					_ = conn.Close()
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			attack := sandbox.Command{Program: probe.Name, Args: trial.Args, Stdin: trial.Stdin, Env: environment(), Timeout: -1}
			out, err := s.Run(context.Background(), policy, attack)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range c.Judge(probe.Walls{Tier: int(tier)}, probe.Seen{Attempt: trial.Name, Stdout: text(out.Stdout)}) {
				if !p.Holds {
					t.Errorf("%s: %s", p.Name, p.Found)
				}
			}
			reach := sandbox.Command{Args: []string{"bash", "-c", "read line </dev/tcp/127.0.0.1/3128; echo $line"}, Env: environment(), Timeout: -1}
			if out, err = s.Run(context.Background(), policy, reach); err != nil {
				t.Fatal(err)
			}
			says(t, out, "proxy")
		})
	}
}

// wanted says whether a test must not be skipped for want of a tier: where the tests are known to have what the tier is made
// of, one that is missing is a fault. Root has no T3 anywhere.
func wanted(tier sandbox.Tier) bool {
	return strings.Contains(os.Getenv("HOB_TEST_TIERS"), tier.String()) && (tier != sandbox.T3 || os.Getuid() != 0)
}

// walled returns a sandbox of one tier; the test is skipped where the machine has not what that tier is made of.
func walled(t *testing.T, tier sandbox.Tier) *sandbox.Sandbox {
	t.Helper()
	if tier == sandbox.T2 && bwrap() == "" {
		t.Skip("there is no bwrap: install bubblewrap, or name one with HOB_TEST_BWRAP")
	}
	s := sandbox.New(sandbox.Config{Only: tier, Bwrap: bwrap(), Scratch: scratch(t)})
	if report := s.Report(context.Background()); report.Tier != tier {
		for _, r := range report.Refused {
			t.Logf("%v: %s %s", r.Tier, r.Reason, r.Advice)
		}
		for _, c := range report.Checks {
			t.Logf("%s: %v %s", c.Name, c.Holds, c.Found)
		}
		if strings.Contains(report.Refused[0].Reason, "self-test") {
			t.Fatalf("%v does not hold", tier)
		}
		if wanted(tier) {
			t.Fatalf("HOB_TEST_TIERS wants %v", tier)
		}
		t.Skipf("this machine gives %v, not %v", report.Tier, tier)
	}
	return s
}

// try runs a trial in walls.
func try(t *testing.T, s *sandbox.Sandbox, c *probe.Canaries, trial probe.Attempt) probe.Seen {
	t.Helper()
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: c.Workspace(), Limits: sandbox.Limits{
		Processes: trial.Processes, Memory: trial.Memory, FileSize: trial.FileSize, Output: trial.Output,
	}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run(context.Background(), policy, sandbox.Command{
		Program: probe.Name, Args: trial.Args, Stdin: trial.Stdin, Env: environment(), Timeout: -1,
	})
	if len(out.Stderr.Head) > 0 {
		t.Logf("%s: %s", trial.Name, out.Stderr.Head)
	}
	return probe.Seen{
		Attempt: trial.Name, Stdout: text(out.Stdout), Signal: out.Signal,
		TimedOut: out.TimedOut, Flooded: out.Flooded, Over: out.Over, Err: err,
	}
}

func text(o sandbox.Output) []byte { return append(slices.Clone(o.Head), o.Tail...) }

// command runs a command in a folder of its own.
func command(t *testing.T, s *sandbox.Sandbox, limits sandbox.Limits, c sandbox.Command) sandbox.Outcome {
	t.Helper()
	return commandIn(t, s, workspace(t), limits, c)
}

func commandIn(t *testing.T, s *sandbox.Sandbox, dir string, limits sandbox.Limits, c sandbox.Command) sandbox.Outcome {
	t.Helper()
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: dir, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	if c.Env == nil {
		c.Env = environment()
	}
	c.Timeout = cmp.Or(c.Timeout, -1) // a machine may stand still for a while
	out, err := s.Run(context.Background(), policy, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func workspace(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(folder(t), "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// script is a command of the shell.
func script(text string) sandbox.Command {
	return sandbox.Command{Args: []string{"sh", "-c", text}, Timeout: -1}
}

// says fails unless a command ended well and said want on its first stream.
func says(t *testing.T, out sandbox.Outcome, want string) {
	t.Helper()
	if got := strings.TrimSpace(string(text(out.Stdout))); got != want || out.Exit != 0 {
		t.Errorf("exit %d %s%s, output %q, want %q; errors: %s", out.Exit, out.Signal, out.Over, got, want, text(out.Stderr))
	}
}

// What the self-test's trial costs above a command that does nothing.
func BenchmarkQuick(b *testing.B) {
	dir, err := os.MkdirTemp("", "hob-bench-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s := sandbox.New(sandbox.Config{Only: sandbox.T1, Scratch: dir})
	for _, name := range []string{"none", "quick"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, err := probe.Start(dir)
				if err != nil {
					b.Fatal(err)
				}
				policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: c.Workspace()})
				if err != nil {
					b.Fatal(err)
				}
				trial := c.Quick()
				if name == "none" {
					trial.Args = nil // the probe says how it is to be used, and ends
				}
				if _, err := s.Run(context.Background(), policy, sandbox.Command{Program: probe.Name, Args: trial.Args, Stdin: trial.Stdin, Env: environment()}); err != nil {
					b.Fatal(err)
				}
				_ = c.Close()
			}
		})
	}
}
