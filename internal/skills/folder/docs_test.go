package folder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/skills"
	"hob/internal/skills/folder"
)

// The first skill of docs/skills.md is one, and found by the question that the page asks.
func TestFirstSkillOfTheDocs(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/skills.md")
	must(t, err)
	_, rest, _ := strings.Cut(string(raw), "```markdown\n")
	text, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("docs/skills.md has no first skill")
	}
	dir := filepath.Join(t.TempDir(), "tea")
	write(t, dir, map[string]string{"SKILL.md": text})
	r := folder.Check(dir, folder.Options{})
	if !r.OK || len(r.Problems) != 0 || r.Hint != "" {
		t.Errorf("%+v", r)
	}
	if got := skills.Search([]skills.Skill{r.Skill}, "How long does green tea brew?", 0); len(got) != 1 || got[0].Score < 1 {
		t.Errorf("%v", got)
	}
}
