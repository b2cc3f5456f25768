package folder_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"hob/internal/skills/folder"
)

// holds checks what is so of whatever a SKILL.md holds.
func holds(t interface {
	Helper()
	Errorf(string, ...any)
}, dir string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), raw, 0o600); err != nil {
		t.Errorf("%v", err)
	}
	s, problems, err := folder.Read(dir, folder.Options{})
	broken := slices.ContainsFunc(problems, func(p folder.Problem) bool { return p.Severity == folder.Error })
	if (err != nil) != broken {
		t.Errorf("error %v with the problems %v", err, problems)
	}
	lines := 1 + strings.Count(string(raw), "\n")
	for _, p := range problems {
		if p.Line < 0 || p.Line > lines {
			t.Errorf("of %d lines: %v", lines, p)
		}
		if len(p.Text) > 1000 || strings.ContainsAny(p.Text, "\n\r\x00\x1b") || !utf8.ValidString(p.Text) {
			t.Errorf("no sentence: %q", p.Text)
		}
	}
	if len(problems) > 51 {
		t.Errorf("%d problems", len(problems))
	}
	if err != nil {
		return
	}
	switch {
	case s.Name != "tea", s.Description == "", utf8.RuneCountInString(s.Description) > 1024, strings.ContainsAny(s.Description, "\n\x1b"):
		t.Errorf("%q, %q", s.Name, s.Description)
	case !s.Label.Untrusted, len(s.Instructions) > 25<<10, !utf8.ValidString(s.Instructions), len(s.Keywords) > 50, len(s.Tags) > 50, len(s.Scopes) == 0:
		t.Errorf("%+v", s)
	}
}

func seeds(t testing.TB) (all []string) {
	archive, err := txtar.ParseFile("testdata/fronts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		if i%2 == 0 {
			all = append(all, string(f.Data))
		}
	}
	return append(all, "", "---", "---\n---", "---\n\x00\n---\n", "---\n%YAML 9.9\n---\n", "---\n\"\\\n---\n", "---\n? [\n---\n", "---\n!<\n---\n", "---\r---\r")
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
	}
	dir := filepath.Join(f.TempDir(), "tea")
	must(f, os.Mkdir(dir, 0o700))
	f.Fuzz(func(t *testing.T, raw []byte) { holds(t, dir, raw) })
}

// Whatever bytes there are, a reading comes to its end and to what a skill may be.
func TestReadAnything(t *testing.T) {
	all := seeds(t)
	dir := filepath.Join(t.TempDir(), "tea")
	must(t, os.Mkdir(dir, 0o700))
	rapid.Check(t, func(rt *rapid.T) {
		raw := []byte(rapid.SampledFrom(all).Draw(rt, "seed"))
		for range rapid.IntRange(0, 4).Draw(rt, "changes") {
			i := rapid.IntRange(0, len(raw)).Draw(rt, "at")
			j := min(len(raw), i+rapid.IntRange(0, 9).Draw(rt, "cut"))
			raw = slices.Concat(raw[:i], rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(rt, "put"), raw[j:])
		}
		holds(rt, dir, raw)
	})
}
