package folder_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/skills"
	"hob/internal/skills/folder"
)

// The skeleton is a skill that works as it is.
func TestNew(t *testing.T) {
	root := filepath.Join(t.TempDir(), "config", "skills")
	dir, err := folder.New(root, "say-hello", nil)
	must(t, err)
	if dir != filepath.Join(root, "say-hello") {
		t.Errorf("%q", dir)
	}
	r := folder.Check(dir, folder.Options{Commands: true})
	if !r.OK || len(r.Problems) != 0 || r.Hint != "" {
		t.Errorf("%+v", r)
	}
	made, err := os.ReadDir(dir)
	if len(made) != 1 || made[0].Name() != "SKILL.md" || err != nil {
		t.Errorf("there is more to delete than to fill in: %v, %v", made, err)
	}
	want := "Nothing is written here yet: say so, and that the owner fills in the SKILL.md of the skill say-hello."
	if r.Skill.Instructions != want || r.Skill.Description != "About say-hello. Write here what it does, and when it is needed." {
		t.Errorf("%q, %q", r.Skill.Description, r.Skill.Instructions)
	}
	if found := skills.Search([]skills.Skill{r.Skill}, "what is say-hello about?", 0); len(found) != 1 {
		t.Error("a message about it does not find it")
	}
	_, err = folder.New(root, "say-hello", nil)
	if want := dir + " is there already: choose another name, or edit what is in it"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for name, want := range map[string]string{
		"Say Hello": `the name "Say Hello" has 'S' in it, and only a to z, 0 to 9 and hyphens are allowed: use say-hello, for example`,
		"../x":      `the name ../x has '.' in it, and only a to z, 0 to 9 and hyphens are allowed: use x, for example`,
		"":          `the name "" is empty: use my-skill, for example`,
		"-a":        `the name -a begins or ends with a hyphen: use a, for example`,
	} {
		if _, err := folder.New(root, name, nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	entries, err := os.ReadDir(root)
	if len(entries) != 1 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tea")
	write(t, dir, map[string]string{"SKILL.md": "---\nzebra: 1\nname: tea\ndescription: Makes tea.\n---\n" + strings.Repeat("Boil it\n", 1500)})
	r := folder.Check(dir, folder.Options{})
	got := fmt.Sprintln(r.OK, r.Line, r.Body, sentences(dir, r.Problems)) + r.Hint
	want := "true {18 5} {11999 3000} [ROOT/SKILL.md:2: warning: hob knows no field zebra and goes on without it; " +
		"what is for people to read can stand below metadata:]\n" +
		"the instructions take about 3000 tokens, which is 37% of all that a small model with a context of 8,192 can read, " +
		"in every turn while the skill is open: move what is rarely needed into files below references"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	write(t, dir, map[string]string{"SKILL.md": "---\nzebra: 1\nname: coffee\nzebra: 2\n---\n"})
	r = folder.Check(dir, folder.Options{})
	var all []string
	for _, p := range sentences(dir, r.Problems) {
		all = append(all, strings.SplitN(p, ": ", 3)[0])
	}
	if diff := cmp.Diff([]string{"ROOT/SKILL.md", "ROOT/SKILL.md:1", "ROOT/SKILL.md:2", "ROOT/SKILL.md:3", "ROOT/SKILL.md:4"}, all); diff != "" || r.OK {
		t.Error(r.OK, diff)
	}
	if r := folder.Check(filepath.Join(dir, "none"), folder.Options{}); r.OK || len(r.Problems) != 1 ||
		!strings.HasSuffix(r.Problems[0].String(), "/none: error: the folder cannot be read: it is not there") {
		t.Errorf("%v", r.Problems)
	}
}
