// Package golden holds what a test gets against a file in testdata.
package golden

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Check compares got with the file at path. With update it writes it there first: -update accepts what tests get.
func Check(t testing.TB, update bool, path, got string) {
	t.Helper()
	if update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is another; -update accepts it (-want +got):\n%s", path, diff)
	}
}
