//go:build linux

package probe_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/race"
	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/probe"
	"hob/internal/sandbox/sandboxtest"
)

// plainly is the first argument with which the test program runs the probe without any walls.
const plainly = "__plain"

func TestMain(m *testing.M) {
	inside.Enter(os.Args, map[string]func([]string) int{probe.Name: probe.Main, ownProgram: ownMain})
	if len(os.Args) > 1 && os.Args[1] == plainly {
		os.Exit(probe.Main(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == ownProgram {
		os.Exit(ownMain(os.Args[2:]))
	}
	race.SkipAll("each attack is a process")
	os.Exit(m.Run())
}

// TestAsUser runs the tests again as an ordinary user.
func TestAsUser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than all that root tries")
	}
	sandboxtest.AsUser(t, 65534, sandboxtest.Pattern(t))
}

// folder makes a folder that every user may pass through, in the system's folder for temporary files.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hob-probe-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bwrap is the program of the second tier, or "" when the machine has none.
func bwrap() string {
	for _, p := range []string{os.Getenv("HOB_TEST_BWRAP"), "/usr/bin/bwrap"} {
		if _, err := os.Stat(p); p != "" && err == nil {
			return p
		}
	}
	return ""
}

// scratch is a folder that commands do not see; in the third tier, which has the machine's root, that is not so of
// everything below /tmp.
func scratch(t *testing.T) string {
	t.Helper()
	dir := folder(t)
	return dir
}

func environment() []string {
	return []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8"}
}

// plain runs a trial without walls.
func plain(t *testing.T, c *probe.Canaries, trial probe.Attempt) probe.Seen {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{plainly}, trial.Args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Workspace(), environment(), strings.NewReader(string(trial.Stdin))
	out, err := os.Create(filepath.Join(t.TempDir(), "out")) // a file: what detached itself keeps a pipe open
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return probe.Seen{Attempt: trial.Name, Stdout: text}
}
