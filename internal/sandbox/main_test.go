//go:build linux

package sandbox_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"hob/internal/race"
	"hob/internal/sandbox"
	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	inside.Enter(os.Args, programs())
	if len(os.Args) > 4 && os.Args[1] == parentProgram {
		os.Exit(parent(sandbox.Tier(os.Args[2][0]-'0'), os.Args[3], os.Args[4]))
	}
	if len(os.Args) > 4 && os.Args[1] == leafProgram {
		os.Exit(leafParent(sandbox.Tier(os.Args[2][0]-'0'), os.Args[3], os.Args[4]))
	}
	race.SkipAll("each command is a process")
	goleak.VerifyTestMain(m)
}

// TestAsUser runs the tests again as an ordinary user.
func TestAsUser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as everything else together")
	}
	sandboxtest.AsUser(t, 65533, sandboxtest.Pattern(t))
}

// bwrap is where the tests look for it.
func bwrap() string { return cmp.Or(os.Getenv("HOB_TEST_BWRAP"), "/usr/bin/bwrap") }

// wanted says whether a test must not be skipped for want of a tier: where the tests are known to have what the tier is made
// of, one that is missing is a fault. Root has no T3 anywhere.
func wanted(tier sandbox.Tier) bool {
	return strings.Contains(os.Getenv("HOB_TEST_TIERS"), tier.String()) && (tier != sandbox.T3 || os.Getuid() != 0)
}

// box is a sandbox of one tier alone. The test is skipped where the machine does not have that tier.
func box(t testing.TB, tier sandbox.Tier) *sandbox.Sandbox {
	t.Helper()
	s := sandbox.New(sandbox.Config{Only: tier, Unsandboxed: tier == sandbox.T4, Bwrap: bwrap(), Scratch: t.TempDir()})
	r := s.Report(t.Context())
	if r.Tier != tier {
		if strings.Contains(r.Refused[0].Reason, "self-test") {
			t.Fatalf("%+v", r.Refused)
		}
		if wanted(tier) {
			t.Fatalf("HOB_TEST_TIERS wants %s: %+v", tier, r.Refused)
		}
		t.Skipf("there is no %s here: %+v", tier, r.Refused)
	}
	return s
}

// everywhere runs a test in each tier, as an ordinary user.
func everywhere(t *testing.T, f func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier)) {
	t.Helper()
	sandboxtest.Ordinary(t)
	everywhereAsRoot(t, f)
}

// everywhereAsRoot runs a test in each tier, also as root: the walls differ.
func everywhereAsRoot(t *testing.T, f func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier)) {
	t.Helper()
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3, sandbox.T4} {
		t.Run(tier.String(), func(t *testing.T) { f(t, box(t, tier), tier) })
	}
}

// policy is what most tests need: a workspace that is empty.
func policy(t testing.TB, change func(*sandbox.Rules)) (sandbox.Policy, string) {
	t.Helper()
	r := sandbox.Rules{Workspace: t.TempDir()}
	if change != nil {
		change(&r)
	}
	p, err := sandbox.NewPolicy(r)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(r.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}

// sh is a command for the shell. It has all the time in the world: a machine may stand still for a while.
func sh(script string) sandbox.Command {
	return sandbox.Command{
		Timeout: -1,
		Args:    []string{"/bin/sh", "-c", script},
		Env:     []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"},
	}
}

// run runs a script to its end.
func run(t testing.TB, s *sandbox.Sandbox, p sandbox.Policy, c sandbox.Command) sandbox.Outcome {
	t.Helper()
	o, err := s.Run(t.Context(), p, c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func programs() map[string]func(args []string) int {
	return sandbox.Programs()
}
