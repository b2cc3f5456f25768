// Package sandboxtest is for tests of walls: as whom they run, in which tiers, and how they wait.
//
// The walls are built in one way for an ordinary user and in another for root, whose processes no limit counts and whom no file's
// mode holds back. So each attack is tried by an ordinary user in each tier, and by root where the walls differ for root. Where
// root runs the tests, [AsUser] runs them once more as somebody else, and what is [Ordinary] is left to that user. With
// HOB_TEST_FULL set, as in make soak, root tries everything, too.
package sandboxtest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ordinary leaves a test to the ordinary user as whom [AsUser] runs it: the walls that it tries are the same for root.
func Ordinary(t testing.TB) {
	t.Helper()
	if os.Getuid() == 0 && os.Getenv("HOB_TEST_FULL") == "" {
		t.Skip("the walls are the same for root: an ordinary user tries them, and root, too, with HOB_TEST_FULL")
	}
}

// AsUser runs the tests of this program that a pattern of -test.run names once more, as the ordinary user uid, where root runs
// them; elsewhere it is skipped. Each package has a user of its own: without a user namespace all processes of a user count
// together.
func AsUser(t *testing.T, uid uint32, pattern string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("an ordinary user runs the tests already")
	}
	home, err := os.MkdirTemp("/tmp", "hob-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	own := filepath.Join(home, "own")
	for _, err := range []error{os.Chmod(home, 0o755), os.Mkdir(own, 0o755), os.Chown(own, int(uid), int(uid))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(home, filepath.Base(os.Args[0]))
	copyProgram(t, "/proc/self/exe", program)
	args := []string{"-test.count=1", "-test.run=" + pattern} // without -test.v it prints what fails, and nothing else
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = own
	cmd.Env = append(os.Environ(), "HOME="+own, "TMPDIR="+own)
	if bwrap := os.Getenv("HOB_TEST_BWRAP"); bwrap != "" { // to where that user may go
		there := filepath.Join(home, "bwrap")
		copyProgram(t, bwrap, there)
		cmd.Env = append(cmd.Env, "HOB_TEST_BWRAP="+there)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("as uid %d: %v\n%s", uid, err, out)
	}
}

// Pattern is what -test.run names except for the test that calls it, which is to run the others.
func Pattern(t *testing.T) string {
	run := strings.ReplaceAll(flag.Lookup("test.run").Value.String(), t.Name(), "")
	if strings.Trim(run, "^$|") == "" {
		return ""
	}
	return strings.Trim(run, "|")
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	program, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Eventually waits until something is so. It counts how often it looks, not the time: the machine may stand still.
func Eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for range 10_000 {
		if so() {
			return
		}
		<-again.C
	}
	t.Fatal("not in time: " + what)
}
