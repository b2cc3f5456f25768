package skills_test

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs compiles the programs that docs/tools.md shows, as if they stood where their first line says, and runs the tests
// among them. A complete tool has less than 25 lines there, a complete skill less than 60.
func TestDocs(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]int{"internal/skills/count/count.go": 24, "internal/skills/units/units.go": 59}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	packages, dir := map[string]bool{}, t.TempDir()
	for _, m := range regexp.MustCompile("(?ms)^```go\n// (\\S+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		name, program := m[1], "// "+m[1]+"\n"+m[2]
		if lines := strings.Count(program, "\n"); most[name] > 0 && lines > most[name] {
			t.Errorf("%s has %d lines", name, lines)
		}
		if formatted, err := format.Source([]byte(program)); err != nil || string(formatted) != program {
			t.Errorf("%s is not as gofmt has it: %v", name, err)
		}
		delete(most, name)
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = file
		packages[path.Dir(name)] = true
	}
	if len(most) > 0 || len(packages) != 2 || len(overlay.Replace) != 4 || strings.Count(string(text), "```go\n") != 4 {
		t.Fatalf("docs/tools.md shows %v; not %v", overlay.Replace, most)
	}
	raw, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for name := range packages {
		binary := filepath.Join(dir, path.Base(name)+".test")
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", list, "-o", binary, "./"+name)
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		run := exec.CommandContext(t.Context(), binary, "-test.v")
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), "\n--- PASS: Test") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
