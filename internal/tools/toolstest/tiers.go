package toolstest

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"hob/internal/sandbox"
	"hob/internal/sandbox/sandboxtest"
)

// Tiers runs a test in each sandbox with walls, as a subtest of the tier's name, as an ordinary user and, where root runs the
// tests, as root, too. A tier that this machine or user does not have is skipped, but fails where HOB_TEST_TIERS names it; root has
// no T3.
func Tiers(t *testing.T, test func(t *testing.T, box *sandbox.Sandbox)) {
	t.Helper()
	asUser(t)
	tiers(t, test)
}

// TiersOfUser is [Tiers] for walls that are the same for root: root runs the test only with HOB_TEST_FULL.
func TiersOfUser(t *testing.T, test func(t *testing.T, box *sandbox.Sandbox)) {
	t.Helper()
	asUser(t)
	sandboxtest.Ordinary(t)
	tiers(t, test)
}

// asUser runs the test that calls it as an ordinary user, where root runs it.
func asUser(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	var pattern []string
	for name := range strings.SplitSeq(t.Name(), "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(name)+"$")
	}
	t.Run("user", func(t *testing.T) { sandboxtest.AsUser(t, ordinary, strings.Join(pattern, "/")) })
}

// ordinary is the user as whom tests of tools run once more.
const ordinary = 65531

func tiers(t *testing.T, test func(t *testing.T, box *sandbox.Sandbox)) {
	t.Helper()
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3} {
		t.Run(tier.String(), func(t *testing.T) {
			box := sandbox.New(sandbox.Config{Only: tier, Bwrap: cmp.Or(os.Getenv("HOB_TEST_BWRAP"), "/usr/bin/bwrap"), Scratch: t.TempDir()})
			if r := box.Report(t.Context()); r.Tier != tier {
				if strings.Contains(os.Getenv("HOB_TEST_TIERS"), tier.String()) && (tier != sandbox.T3 || os.Getuid() != 0) {
					t.Fatalf("HOB_TEST_TIERS wants %s: %+v", tier, r.Refused)
				}
				t.Skipf("there is no %s here: %+v", tier, r.Refused)
			}
			test(t, box)
		})
	}
}
