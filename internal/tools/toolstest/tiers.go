package toolstest

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"hob/internal/sandbox"
)

// Tiers runs a test in each sandbox with walls, as a subtest of the tier's name. A tier that this machine or user does not have is
// skipped, but fails where HOB_TEST_TIERS names it; root has no T3.
func Tiers(t *testing.T, test func(t *testing.T, box *sandbox.Sandbox)) {
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
