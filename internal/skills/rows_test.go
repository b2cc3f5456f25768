package skills_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConformanceRows looks up that each row of the conformance list that is about skills, choosing tools and permissions has a
// test of its name, here or where the thing itself is.
func TestConformanceRows(t *testing.T) {
	rows := map[string]string{
		"skill-search":    "01 02 04 05 07 08 10 11 13 14",
		"tool-filter":     "01 02 04 05 07 08 10 11 13 14",
		"tool-permission": "01 02 04 05 07 08 10 11 13 14",
	}
	var tests strings.Builder
	for _, dir := range []string{".", "../tools", "../policy"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests: %v", dir, err)
		}
		for _, f := range files {
			if filepath.Base(f) == "rows_test.go" {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(text)
		}
	}
	for group, numbers := range rows {
		for _, n := range strings.Fields(numbers) {
			if row := group + "-" + n; !strings.Contains(tests.String(), row) {
				t.Errorf("no test is named after %s", row)
			}
		}
	}
}
