package folder_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hob/internal/skills"
	"hob/internal/skills/folder"
)

var update = flag.Bool("update", false, "accept what comes as what is wanted")

// write makes files below dir, whose names end in "/" where they are folders.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tea is the text of a SKILL.md for the folder tea.
const tea = "---\nname: tea\ndescription: Makes tea.\n---\nBoil water.\n"

// told is what a reading came to: a line for each problem, and what the skill says in JSON.
func told(dir string, s skills.Skill, problems []folder.Problem, err error) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(strings.TrimPrefix(p.String(), dir+"/") + "\n")
	}
	if err != nil {
		return b.String()
	}
	raw, _ := json.Marshal(map[string]any{
		"description": printable(s.Description), "keywords": s.Keywords, "tags": s.Tags, "level": s.Level, "scopes": s.Scopes,
		"platforms": s.Platforms, "label": s.Label, "allowed": s.Allowed, "instructions": s.Instructions,
	})
	return b.String() + string(raw) + "\n"
}

func printable(text string) string { return text[:min(len(text), 80)] }

// Every sentence that the author of a skill can be told, and what else comes of odd and hostile files.
func TestFronts(t *testing.T) {
	const file = "testdata/fronts.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unseen := strings.NewReplacer("<BOM>", "\ufeff", "<CR>", "\r", "<NUL>", "\x00", "<FF>", "\xff", "<RLO>", "\u202e", "<TAG>", "\U000e0041")
	for i := 0; i+1 < len(archive.Files); i += 2 {
		given, want := archive.Files[i], &archive.Files[i+1]
		t.Run(given.Name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "tea")
			write(t, dir, map[string]string{"SKILL.md": unseen.Replace(string(given.Data))})
			s, problems, err := folder.Read(dir, folder.Options{})
			got := told(dir, s, problems, err)
			if *update {
				want.Data = []byte(got)
			} else if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if len(archive.Files) < 80 {
		t.Errorf("%d files: where has the corpus gone?", len(archive.Files))
	}
}
