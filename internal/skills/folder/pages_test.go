package folder_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/skills/folder"
	"hob/internal/tools"
)

func readTea(t *testing.T, o folder.Options, files map[string]string) (string, skills.Skill) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my tea", "tea")
	write(t, dir, files)
	s, _, err := folder.Read(dir, o)
	must(t, err)
	return dir, s
}

func TestInstructions(t *testing.T) {
	script := "#!/usr/bin/env bash\necho tea\n"
	const body = "---\nname: tea\ndescription: Makes tea.\n---\nSee {baseDir}/references/a.md, run ${CLAUDE_SKILL_DIR}/scripts/x in ${baseDir}.\n"
	for _, c := range []struct {
		name  string
		o     folder.Options
		files map[string]string
		want  string
	}{
		{"nothing beside it", folder.Options{Commands: true}, map[string]string{"SKILL.md": tea}, "Boil water."},
		{"no commands", folder.Options{}, map[string]string{"SKILL.md": body, "scripts/x": script, "references/a.md": "x"},
			`Pages of this skill, which use_skill with name="tea" and page="..." reads: references/a.md, scripts/x.` + "\n\n" +
				"See references/a.md, run scripts/x in the skill's folder."},
		{"a script for bash", folder.Options{Commands: true}, map[string]string{"SKILL.md": body, "scripts/x": script, "references/a.md": "x"},
			`Pages of this skill, which use_skill with name="tea" and page="..." reads: references/a.md, scripts/x.` +
				" Its files are in DIR, which commands can read; run a script with e.g. `bash 'DIR/scripts/x'`.\n\n" +
				"See DIR/references/a.md, run DIR/scripts/x in DIR."},
		{"a script without a first line", folder.Options{Commands: true}, map[string]string{"SKILL.md": tea, "scripts/x.py": "print(1)"},
			`Pages of this skill, which use_skill with name="tea" and page="..." reads: scripts/x.py.` +
				" Its files are in DIR, which commands can read; run a script with e.g. `python3 'DIR/scripts/x.py'`.\n\nBoil water."},
		{"a program", folder.Options{Commands: true}, map[string]string{"SKILL.md": tea, "scripts/x": "\x7fELF"},
			`Pages of this skill, which use_skill with name="tea" and page="..." reads: scripts/x.` +
				" Its files are in DIR, which commands can read; run a script with e.g. `'DIR/scripts/x'`.\n\nBoil water."},
		{"no script", folder.Options{Commands: true}, map[string]string{"SKILL.md": tea, "assets/x.txt": "x"},
			`Pages of this skill, which use_skill with name="tea" and page="..." reads: assets/x.txt.` +
				" Its files are in DIR, which commands can read.\n\nBoil water."},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, s := readTea(t, c.o, c.files)
			if diff := cmp.Diff(strings.ReplaceAll(c.want, "DIR", dir), s.Instructions); diff != "" {
				t.Error(diff)
			}
			if (s.Pages == nil) != (len(c.files) == 1) {
				t.Errorf("pages: %v", s.Pages)
			}
			if s.Source != dir {
				t.Errorf("source %q", s.Source)
			}
		})
	}
}

// What does not fit goes on where the last line says, until all of it was told.
func TestPieces(t *testing.T) {
	long := strings.Repeat("Boil the wäter.\n", 9000)
	_, s := readTea(t, folder.Options{}, map[string]string{
		"SKILL.md": tea + long, "references/long.md": long, "references/line.md": strings.Repeat("ä", 50000), "references/no#1": "numbered",
		"references/bom.md": "\ufeffx", "references/empty.md": "",
	})
	if n := len(s.Instructions); n > 25<<10 || !strings.Contains(s.Instructions, `bytes are left out here; use_skill with page="SKILL.md#`) {
		t.Errorf("%d bytes: %q", n, s.Instructions[n-200:])
	}
	for page, want := range map[string]string{
		"SKILL.md": "Boil water.\n" + strings.TrimSpace(long), "references/long.md": long, "./references/line.md": strings.Repeat("ä", 50000),
		"references/no#1": "numbered", "references/bom.md": "x", "references/empty.md": "",
		".": "references/bom.md\nreferences/empty.md\nreferences/line.md\nreferences/long.md\nreferences/no#1",
	} {
		var all strings.Builder
		for next, n := page, 0; next != "" && n < 20; n++ {
			text, err := s.Pages.Read(t.Context(), next)
			must(t, err)
			if len(text) > 65<<10 {
				t.Errorf("%s: %d bytes at once", next, len(text))
			}
			next = ""
			if i := strings.LastIndex(text, "["); i >= 0 {
				var left, size int
				if _, err := fmt.Sscanf(text[i:], "[%d of %d bytes are left out here; use_skill with page=%q goes on]", &left, &size, &next); err != nil {
					t.Fatalf("%q: %v", text[i:], err)
				}
				text = text[:i]
				if page == "./references/line.md" {
					text = strings.TrimSuffix(text, "\n") // which ends the line that was cut
				}
				if all.Len()+len(text)+left != size || size != len(want) {
					t.Errorf("%s: %d told, %d left of %d", page, all.Len()+len(text), left, size)
				}
			}
			all.WriteString(text)
		}
		if all.String() != want {
			t.Errorf("%s: %d bytes, want %d", page, all.Len(), len(want))
		}
	}
}

func TestNoText(t *testing.T) {
	dir, s := readTea(t, folder.Options{Commands: true}, map[string]string{
		"SKILL.md": tea, "assets/a.png": "\x89PNG\r\n\x1a\n\x00\x00", "assets/latin.txt": "Gr\xfc\xdfe",
	})
	for page, want := range map[string]*tools.Error{
		"assets/a.png": {
			Type: event.TypeValidation, Code: event.CodeInvalidFormat, Message: "assets/a.png is no text but image/png of 10 bytes",
			Suggestion: "a command can read it: '" + dir + "/assets/a.png'",
		},
		"assets/latin.txt": {
			Type: event.TypeValidation, Code: event.CodeInvalidFormat, Message: "assets/latin.txt is no UTF-8 text (5 bytes)",
			Suggestion: "a command can read it: '" + dir + "/assets/latin.txt'",
		},
		"assets/b.png": {
			Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: "the skill has no page assets/b.png",
			Suggestion: "its pages are assets/a.png, assets/latin.txt",
		},
	} {
		_, err := s.Pages.Read(t.Context(), page)
		var got *tools.Error
		if errors.As(err, &got); cmp.Diff(want, got) != "" {
			t.Error(cmp.Diff(want, got))
		}
	}
}

// Trust is a person's to give, and by the name alone.
func TestTrust(t *testing.T) {
	trusted := func(name string) bool { return name == "tea" }
	if _, s := readTea(t, folder.Options{Trusted: trusted}, map[string]string{"SKILL.md": tea}); s.Label != (event.Label{}) {
		t.Errorf("trusted: %+v", s.Label)
	}
	for _, o := range []folder.Options{{}, {Trusted: func(name string) bool { return name == "coffee" }}} {
		if _, s := readTea(t, o, map[string]string{"SKILL.md": tea}); s.Label != (event.Label{Untrusted: true, Source: "skill:tea"}) {
			t.Errorf("not trusted: %+v", s.Label)
		}
	}
}

func TestKnownTools(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tea")
	write(t, dir, map[string]string{"SKILL.md": "---\nname: tea\ndescription: d\nallowed-tools: read_file, brew, Bash\n---\nx\n"})
	s, problems, err := folder.Read(dir, folder.Options{HasTool: func(name string) bool { return name == "read_file" }})
	must(t, err)
	want := []folder.Problem{{Path: dir + "/SKILL.md", Line: 4, Text: "allowed-tools: there is no tool brew, run_command now; hob tool lists the names"}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"read_file", "brew", "run_command"}, s.Allowed); diff != "" {
		t.Error(diff)
	}
}

// The words of a name that are derived where nobody gives any.
func TestWordsOfName(t *testing.T) {
	for name, want := range map[string][]string{
		"tea": {"tea"}, "tea-for-the-tea-pot": {"tea", "pot"}, "pdf-helper": {"pdf"}, "the-skill": {}, "a-b-c": {}, "tax-2026": {"tax"},
	} {
		dir := filepath.Join(t.TempDir(), name)
		write(t, dir, map[string]string{"SKILL.md": strings.Replace(tea, "tea", name, 1)})
		s, _, err := folder.Read(dir, folder.Options{})
		must(t, err)
		if diff := cmp.Diff(want, s.Keywords); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	_, s := readTea(t, folder.Options{}, map[string]string{"SKILL.md": "---\nname: tea\ndescription: d\nmetadata:\n  keywords: " +
		strings.Repeat("x", 65) + ", a" + strings.Repeat(", b", 60) + "\n---\nx\n"})
	if diff := cmp.Diff([]string{"a", "b"}, s.Keywords); diff != "" {
		t.Error(diff)
	}
}
