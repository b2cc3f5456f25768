//go:build linux

package probe_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox"
)

// What people write into a shell to bring a machine down. Each is told by a word among its arguments, by which what is
// left of it can be found.
func TestBombs(t *testing.T) {
	for _, bomb := range []struct {
		name   string
		script string
		limits sandbox.Limits
		below  sandbox.Tier // only in tiers stronger than this
		forks  bool
		want   func(o sandbox.Outcome) string
	}{
		{
			name: "fork", forks: true, script: `f() { f | f & }; f; sleep 600`, limits: sandbox.Limits{Processes: 60},
			want: func(o sandbox.Outcome) string {
				return unless(o.Over == "processes" || o.TimedOut || o.Exit != 0, "it was neither stopped nor ended in failure")
			},
		},
		{
			name: "fork by one that ignores signals", forks: true, script: `trap "" TERM HUP INT; while :; do (trap "" TERM; sleep 600) & done`, limits: sandbox.Limits{Processes: 60},
			want: func(o sandbox.Outcome) string {
				return unless(o.Over == "processes" || o.TimedOut || o.Exit != 0, "it was neither stopped nor ended in failure")
			},
		},
		{
			name: "memory of one", script: `perl -e '$x = "x" x (1 << 30); sleep 600'`, limits: sandbox.Limits{Memory: 256 << 20},
			want: func(o sandbox.Outcome) string {
				return unless(o.Over == "memory" || o.Exit != 0 && !o.TimedOut, "1 GiB was had")
			},
		},
		{
			name: "memory of many", script: `for i in 1 2 3 4 5 6; do perl -e '$x = "x" x (100 << 20); sleep 600' & done; wait`, limits: sandbox.Limits{Memory: 256 << 20},
			want: func(o sandbox.Outcome) string {
				return unless(o.Over == "memory", "six times 100 MiB were had")
			},
		},
		{
			name: "one large file", script: `head -c 20000000 /dev/zero >large`, limits: sandbox.Limits{FileSize: 10 << 20},
			want: func(o sandbox.Outcome) string { return unless(o.Exit != 0, "20 MB were written") },
		},
		{
			name: "full temporary folder", script: `for i in 1 2 3 4 5 6 7 8; do head -c 100000000 /dev/zero >/tmp/$i || exit 3; done`, below: sandbox.T3,
			want: func(o sandbox.Outcome) string {
				return unless(o.Exit == 3 || o.Over == "memory", "800 MB were written")
			},
		},
		{
			name: "full shared memory", script: `for i in 1 2 3 4 5 6 7 8; do head -c 100000000 /dev/zero >/dev/shm/$i || exit 3; done`, below: sandbox.T3,
			want: func(o sandbox.Outcome) string {
				return unless(o.Exit == 3 || o.Over == "memory", "800 MB were written")
			},
		},
		{
			name: "output", script: `exec yes`, limits: sandbox.Limits{Output: 1 << 20},
			want: func(o sandbox.Outcome) string { return unless(o.Flooded, "it was not stopped") },
		},
		{
			name: "output on both streams", script: `yes & yes >&2`, limits: sandbox.Limits{Output: 1 << 20},
			want: func(o sandbox.Outcome) string { return unless(o.Flooded, "it was not stopped") },
		},
		{
			name: "daemons", script: `for i in 1 2 3 4 5; do (setsid sh -c 'trap "" TERM HUP; sleep 600; :' "$0" </dev/null >/dev/null 2>&1 &); done; sleep 0.2`,
			want: func(o sandbox.Outcome) string {
				return unless(o.Left >= 5 && o.Exit == 0, "it is not said what was left")
			},
		},
	} {
		t.Run(bomb.name, func(t *testing.T) {
			tiers := eachTier
			if bomb.forks { // root's processes are counted in other ways
				tiers = eachTierAsRoot
			}
			tiers(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
				if bomb.below != 0 && tier >= bomb.below {
					t.Skip("this tier does not bound it")
				}
				if bomb.forks {
					boundsForks(t, s, tier)
				}
				word := "bomb-" + rand.Text()
				c := sandbox.Command{Args: []string{"sh", "-c", bomb.script, word}}
				if bomb.forks {
					c.Timeout = 4 * time.Second // it goes on until its time is up
				}
				out := command(t, s, bomb.limits, c)
				if wrong := bomb.want(out); wrong != "" {
					t.Errorf("%s: exit %d %s, over %q, timed out %v, flooded %v, left %d; errors: %.300s", wrong,
						out.Exit, out.Signal, out.Over, out.TimedOut, out.Flooded, out.Left, text(out.Stderr))
				}
				if left := processes(word); len(left) > 0 {
					t.Errorf("%d processes are left: %v", len(left), left)
					for _, pid := range left {
						_ = unix.Kill(pid, unix.SIGKILL)
					}
				}
				if err := exec.Command("true").Run(); err != nil {
					t.Error("nothing else can be started:", err)
				}
			})
		})
	}
}

// boundsForks skips the test where a fork bomb would fill the machine before it is stopped, and so disturb the tests
// beside it: the kernel holds no limit of processes against root. T1 sets one for the pid namespace (Linux 6.14), which
// bwrap does not.
func boundsForks(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
	t.Helper()
	if tier != sandbox.T1 && os.Getuid() == 0 && s.Report(context.Background()).Group != "cgroup" {
		t.Skip("this tier does not hold root's processes back")
	}
}

func unless(ok bool, wrong string) string {
	if ok {
		return ""
	}
	return wrong
}

// processes are those that have a word among their arguments.
func processes(word string) []int {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var found []int
	for _, line := range lines {
		text, _ := os.ReadFile(line)
		pid := 0
		if _, err := fmt.Sscan(strings.Split(line, "/")[2], &pid); err == nil && bytes.Contains(text, []byte(word)) {
			found = append(found, pid)
		}
	}
	return found
}

// While one command bombs, another goes on.
func TestBombsHurtNobodyElse(t *testing.T) {
	eachTierAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T3 && os.Getuid() != 0 {
			t.Skip("without a user namespace the limit counts all of the user's processes")
		}
		boundsForks(t, s, tier)
		policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: workspace(t), Limits: sandbox.Limits{Processes: 60}})
		if err != nil {
			t.Fatal(err)
		}
		start := func(c sandbox.Command) *sandbox.Process {
			c.Env, c.Timeout = environment(), -1
			p, err := s.Start(context.Background(), policy, c)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		quiet := script("until [ -e bombs ]; do sleep 0.1; done; sleep 0.5; read line; echo $line; echo $(echo and can start others)")
		quiet.Stdin = []byte("still here\n")
		p, bomb := start(quiet), start(script(`touch bombs; f() { f | f & }; f; sleep 600`))
		says(t, p.Wait(), "still here\nand can start others")
		bomb.Stop()
		bomb.Wait()
	})
}

// Who keeps the output open does not keep the command from ending.
func TestOutputHeldOpen(t *testing.T) {
	eachTier(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		c := script(`(setsid sleep 600 &); echo done`)
		out := command(t, s, sandbox.Limits{}, c)
		says(t, out, "done")
		if out.TimedOut || out.Left == 0 {
			t.Errorf("timed out %v, left %d", out.TimedOut, out.Left)
		}
	})
}
