package folder_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/skills"
	"hob/internal/skills/folder"
)

func skillText(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\nx\n"
}

// later is a clock by which all that is on the disk has long settled, so that only changes are read again.
func later() time.Time { return time.Now().Add(time.Hour) }

func lines(all []skills.Skill) (got []string) {
	for _, s := range all {
		got = append(got, s.Name+": "+s.Description)
	}
	return got
}

func sentences(root string, problems []folder.Problem) (got []string) {
	for _, p := range problems {
		got = append(got, strings.ReplaceAll(p.String(), root, "ROOT"))
	}
	return got
}

// loads loads and compares.
func loads(t *testing.T, s *folder.Loader, root string, want, problems []string) {
	t.Helper()
	all, bad := s.Load(t.Context())
	if diff := cmp.Diff(want, lines(all)); diff != "" {
		t.Errorf("skills: %s", diff)
	}
	if diff := cmp.Diff(problems, sentences(root, bad)); diff != "" {
		t.Errorf("problems: %s", diff)
	}
}

func TestShelf(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"a/tea/SKILL.md": skillText("tea", "One."), "a/broken/SKILL.md": "x", "a/coffee/SKILL.md": skillText("coffee", "One."),
		"a/.hidden/SKILL.md": "x", "a/README.md": "x", "a/SKILL.md": "x", "a/empty/x.txt": "x", "a/list/SKILL.md": "broken",
		"b/tea/SKILL.md": skillText("tea", "Two."), "b/apple/SKILL.md": skillText("apple", "Two."), "b/list/SKILL.md": skillText("list", "Two."),
	})
	must(t, os.Symlink("coffee", filepath.Join(root, "a", "link")))
	must(t, os.Symlink(filepath.Join(root, "b"), filepath.Join(root, "a", "out")))
	s := folder.NewLoader(folder.LoaderConfig{Now: later, Roots: []folder.Root{
		{Dir: root + "/a/"}, {Dir: root + "/none"}, {Dir: root + "/b"},
	}})
	problems := []string{
		"ROOT/a/SKILL.md: error: this file must stand in a folder that has the name of the skill: make one and move it there",
		"ROOT/a/broken/SKILL.md:1: error: the first line must be ---: put a line ---, then name: broken, then description: and what it is for, then another line --- above the instructions",
		"ROOT/a/empty: error: there is no SKILL.md in this folder: write one, or make a folder that has one with hob skill new NAME",
		"ROOT/a/link: error: the folder cannot be read: it is a link: put the folder itself here, hob follows no links to skills",
		"ROOT/a/list/SKILL.md:1: error: the first line must be ---: put a line ---, then name: list, then description: and what it is for, then another line --- above the instructions",
		"ROOT/a/out: error: the folder cannot be read: it is a link: put the folder itself here, hob follows no links to skills",
		"ROOT/b/tea: warning: there is a skill of the name tea from ROOT/a/tea, which wins, and this one is left out: rename or remove one of the two",
	}
	want := []string{"apple: Two.", "coffee: One.", "list: Two.", "tea: One."}
	loads(t, s, root, want, problems)
	loads(t, s, root, want, problems) // of what it remembers
}

// A shelf takes up what changes, without reading the rest again, and keeps a skill that somebody is at work on.
func TestReload(t *testing.T) {
	root := t.TempDir()
	s := folder.NewLoader(folder.LoaderConfig{Now: later, Roots: []folder.Root{{Dir: root + "/skills"}}})
	loads(t, s, root, nil, nil) // not there yet
	file := filepath.Join(root, "skills", "tea", "SKILL.md")
	write(t, root, map[string]string{"skills/tea/SKILL.md": skillText("tea", "One.")})
	loads(t, s, root, []string{"tea: One."}, nil)

	must(t, os.WriteFile(file, []byte(skillText("tea", "Two.")), 0o600)) // of the same size
	loads(t, s, root, []string{"tea: Two."}, nil)

	was, err := os.Stat(file)
	must(t, err)
	must(t, os.WriteFile(file, []byte(skillText("tea", "One.")), 0o600)) // of the same size and time
	must(t, os.Chtimes(file, was.ModTime(), was.ModTime()))
	loads(t, s, root, []string{"tea: One."}, nil)
	must(t, os.WriteFile(file, []byte(skillText("tea", "Two.")), 0o600))
	loads(t, s, root, []string{"tea: Two."}, nil)

	must(t, os.WriteFile(file, []byte("---\nname: tea\ndescr"), 0o600))
	half := []string{"ROOT/skills/tea/SKILL.md:1: error: the frontmatter has no end: put a line --- between the description and the instructions; " +
		"until then the skill stays as it was before this change"}
	loads(t, s, root, []string{"tea: Two."}, half)
	loads(t, s, root, []string{"tea: Two."}, half)
	must(t, os.WriteFile(file, []byte("---\nname: tea\ndescription"), 0o600))
	loads(t, s, root, []string{"tea: Two."}, half)
	must(t, os.WriteFile(file, []byte(skillText("tea", "Three.")), 0o600))
	loads(t, s, root, []string{"tea: Three."}, nil)

	write(t, root, map[string]string{"skills/tea/references/a.md": "x"})
	if all, _ := s.Load(t.Context()); all[0].Pages == nil {
		t.Error("a new page is not seen")
	}
	must(t, os.Remove(file))
	loads(t, s, root, nil, []string{"ROOT/skills/tea: error: there is no SKILL.md in this folder: write one, or make a folder that has one with hob skill new NAME"})
	must(t, os.WriteFile(file, []byte("x"), 0o600)) // what is gone does not come back with it
	if all, _ := s.Load(t.Context()); len(all) != 0 {
		t.Errorf("%v", lines(all))
	}
	must(t, os.WriteFile(file, []byte(skillText("tea", "Four.")), 0o600))
	loads(t, s, root, []string{"tea: Four."}, nil)
	must(t, os.Rename(filepath.Dir(file), filepath.Join(root, "moved")))
	must(t, os.Symlink(filepath.Join(root, "moved"), filepath.Dir(file)))
	loads(t, s, root, nil, []string{"ROOT/skills/tea: error: the folder cannot be read: it is a link: put the folder itself here, hob follows no links to skills"})
	must(t, os.RemoveAll(filepath.Join(root, "skills")))
	loads(t, s, root, nil, nil)
	must(t, os.WriteFile(filepath.Join(root, "skills"), nil, 0o600))
	loads(t, s, root, nil, []string{"ROOT/skills: error: the folder of skills cannot be read: it is no folder"})
}

// A SKILL.md may be a link to another file of the folder, whose changes are seen.
func TestReloadLink(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"tea/docs/real.md": skillText("tea", "One.")})
	must(t, os.Symlink("docs/real.md", filepath.Join(root, "tea", "SKILL.md")))
	s := folder.NewLoader(folder.LoaderConfig{Now: later, Roots: []folder.Root{{Dir: root}}})
	loads(t, s, root, []string{"tea: One."}, nil)
	write(t, root, map[string]string{"tea/docs/real.md": skillText("tea", "Two.")})
	loads(t, s, root, []string{"tea: Two."}, nil)
}

// What has not changed is not read again.
func TestUnchanged(t *testing.T) {
	root := t.TempDir()
	before := time.Now()
	write(t, root, map[string]string{"tea/SKILL.md": skillText("tea", "One."), "tea/references/a.md": "x"})
	read := 0
	s := folder.NewLoader(folder.LoaderConfig{Now: later, Roots: []folder.Root{{Dir: root}},
		Options: folder.Options{Trusted: func(string) bool { read++; return false }}})
	for range 3 {
		s.Load(t.Context())
	}
	if read != 1 {
		t.Errorf("it was read %d times", read)
	}
	fresh := folder.NewLoader(folder.LoaderConfig{Now: func() time.Time { return before }, Roots: []folder.Root{{Dir: root}},
		Options: folder.Options{Trusted: func(string) bool { read++; return false }}})
	fresh.Load(t.Context())
	fresh.Load(t.Context())
	if read != 3 {
		t.Errorf("just changed, it was read %d times, want twice", read-1)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if all, _ := s.Load(ended); len(all) != 1 {
		t.Errorf("a context that has ended takes away what is known: %v", lines(all))
	}
}

func TestTwoHundredSkills(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{}
	for i := range 202 {
		name := fmt.Sprintf("s%03d", i)
		files[name+"/SKILL.md"] = skillText(name, "d")
	}
	write(t, root, files)
	all, problems := folder.NewLoader(folder.LoaderConfig{Now: later, Roots: []folder.Root{{Dir: root}}}).Load(t.Context())
	if len(all) != 200 {
		t.Errorf("%d skills", len(all))
	}
	want := []string{
		"ROOT/s200: error: there are more than 200 skills: remove one that nobody needs",
		"ROOT/s201: error: there are more than 200 skills: remove one that nobody needs",
	}
	if diff := cmp.Diff(want, sentences(root, problems)); diff != "" {
		t.Error(diff)
	}
}

// Somebody writes while others load: at any time there is the skill as it was or as it becomes, and in the end the last.
func TestEditWhileLoading(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "tea", "SKILL.md")
	write(t, root, map[string]string{"tea/SKILL.md": skillText("tea", "Number 000.")})
	s := folder.NewLoader(folder.LoaderConfig{Now: time.Now, Roots: []folder.Root{{Dir: root}}})
	loads(t, s, root, []string{"tea: Number 000."}, nil)
	var wg sync.WaitGroup
	written := make(chan struct{})
	wg.Go(func() {
		defer close(written)
		for i := range 300 {
			text := skillText("tea", fmt.Sprintf("Number %03d.", i))
			if i%2 == 0 {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Error(err)
				}
				continue
			}
			beside := file + ".new"
			if err := os.WriteFile(beside, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
			if err := os.Rename(beside, file); err != nil {
				t.Error(err)
			}
		}
	})
	for range 3 {
		wg.Go(func() {
			for {
				all, _ := s.Load(t.Context())
				if len(all) != 1 || !strings.HasPrefix(all[0].Description, "Number ") || len(all[0].Description) != len("Number 000.") {
					t.Errorf("half a skill: %v", lines(all))
				}
				select {
				case <-written:
					return
				default:
				}
			}
		})
	}
	wg.Wait()
	loads(t, s, root, []string{"tea: Number 299."}, nil)
}
