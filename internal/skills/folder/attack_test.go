package folder_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/skills/folder"
	"hob/internal/tools"
)

// within fails the test where f waits for something, such as the other end of a named pipe. It has the time that f takes on a
// machine that is slow, or stands still for a minute.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatal("it waits")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A SKILL.md that is not simply a file of this folder is refused, whatever it is.
func TestSkillFileAttacks(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir, outside string)
		want string
	}{
		{"a link out of the folder", func(t *testing.T, dir, outside string) { must(t, os.Symlink(outside, filepath.Join(dir, "SKILL.md"))) },
			"SKILL.md: error: it is a link that leads out of the folder: put a copy in its place"},
		{"a relative link out of the folder", func(t *testing.T, dir, outside string) {
			must(t, os.Symlink("../outside", filepath.Join(dir, "SKILL.md")))
		}, "SKILL.md: error: it is a link that leads out of the folder: put a copy in its place"},
		{"a link to itself", func(t *testing.T, dir, _ string) { must(t, os.Symlink("SKILL.md", filepath.Join(dir, "SKILL.md"))) },
			"SKILL.md: error: it is a link that leads to itself: remove it"},
		{"a hard link", func(t *testing.T, dir, outside string) { must(t, os.Link(outside, filepath.Join(dir, "SKILL.md"))) },
			"SKILL.md: error: it has a second name (a hard link), by which it may be a file from elsewhere: put a copy in its place"},
		{"a named pipe", func(t *testing.T, dir, _ string) { must(t, unix.Mkfifo(filepath.Join(dir, "SKILL.md"), 0o600)) },
			"SKILL.md: error: it is a named pipe and no file: remove it"},
		{"a device by a link", func(t *testing.T, dir, _ string) { must(t, os.Symlink("/dev/zero", filepath.Join(dir, "SKILL.md"))) },
			"SKILL.md: error: it is a link that leads out of the folder: put a copy in its place"},
		{"a folder", func(t *testing.T, dir, _ string) { must(t, os.Mkdir(filepath.Join(dir, "SKILL.md"), 0o700)) },
			"SKILL.md: error: it is a folder"},
		{"nothing", func(*testing.T, string, string) {},
			": error: there is no SKILL.md in this folder: write one, or make a folder that has one with hob skill new NAME"},
		{"small letters", func(t *testing.T, dir, _ string) { write(t, dir, map[string]string{"skill.md": tea}) },
			`: error: the file "skill.md" must be called SKILL.md, in capital letters: rename it`},
		{"far too large", func(t *testing.T, dir, _ string) {
			write(t, dir, map[string]string{"SKILL.md": tea + strings.Repeat("x", 256<<10)})
		}, "SKILL.md: error: the file has more than 256 KiB: move most of it into files below references, which are read on demand"},
		{"a large frontmatter", func(t *testing.T, dir, _ string) {
			write(t, dir, map[string]string{"SKILL.md": "---\nname: tea\nlicense: " + strings.Repeat("x", 16<<10) + "\n---\n"})
		}, "SKILL.md:1: error: there are more than 16 KiB between the two lines ---: move what is not name, description or metadata below them"},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := t.TempDir()
			dir := filepath.Join(above, "tea")
			must(t, os.Mkdir(dir, 0o700))
			write(t, above, map[string]string{"outside": tea})
			c.make(t, dir, filepath.Join(above, "outside"))
			within(t, func() {
				s, problems, err := folder.Read(dir, folder.Options{})
				got := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(told(dir, s, problems, err)), dir), "/")
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
				if err == nil {
					t.Error("it was loaded")
				}
			})
		})
	}
}

// Deep nesting is bounded by the size of the frontmatter, and neither waits nor breaks anything.
func TestDeepNesting(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 16000), strings.Repeat("{a: ", 4000), strings.Repeat("- ", 8000), strings.Repeat("? ", 8000)} {
		dir := filepath.Join(t.TempDir(), "tea")
		write(t, dir, map[string]string{"SKILL.md": "---\nname: tea\ndescription: d\nmetadata:\n  a: " + text + "\n---\nx\n"})
		within(t, func() {
			if _, problems, err := folder.Read(dir, folder.Options{}); err == nil && len(problems) == 0 {
				t.Errorf("%.10s... is taken for good", text)
			}
		})
	}
}

// What in a folder is no file of it is neither listed nor read; the skill is loaded all the same.
func TestPageAttacks(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "tea")
	write(t, above, map[string]string{"secret": "the secret", "tea/SKILL.md": tea, "tea/references/kinds.md": "green, black"})
	ref := func(name string) string { return filepath.Join(dir, "references", name) }
	must(t, os.Symlink("../../secret", ref("link.md")))
	must(t, os.Symlink("kinds.md", ref("near.md")))
	must(t, os.Link(filepath.Join(above, "secret"), ref("hard.md")))
	must(t, unix.Mkfifo(ref("pipe.md"), 0o600))
	must(t, os.Symlink(above, ref("up")))
	within(t, func() {
		s, problems, err := folder.Read(dir, folder.Options{})
		must(t, err)
		want := []string{
			"references/hard.md: warning: it has a second name (a hard link), by which it may be a file from elsewhere: put a copy in its place; it is left out",
			"references/link.md: warning: it is a link that leads out of the folder: put a copy in its place; it is left out",
			"references/pipe.md: warning: it is a named pipe and no file: remove it; it is left out",
			"references/up: warning: it is a link that leads out of the folder: put a copy in its place; it is left out",
		}
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimPrefix(p.String(), dir+"/"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"references/kinds.md", "references/near.md"}, s.Pages.Names()); diff != "" {
			t.Error(diff)
		}
		for name, code := range map[string]string{
			"references/link.md": event.CodeExecutionFailed, "references/hard.md": event.CodeExecutionFailed,
			"references/pipe.md": event.CodeExecutionFailed, "references/up/secret": event.CodeExecutionFailed, "references": event.CodeExecutionFailed,
			"../secret": event.CodePathTraversal, "references/../../secret": event.CodePathTraversal, "/etc/passwd": event.CodePathTraversal,
			`..\secret`: event.CodePathTraversal, "a\x00b": event.CodePathTraversal, "references/none.md": event.CodeFileNotFound,
			"references/none.md#3": event.CodeFileNotFound, "references/kinds.md/x": event.CodeFileNotFound, "references/kinds.md#99": event.CodeInvalidValue,
		} {
			text, err := s.Pages.Read(t.Context(), name)
			var bad *tools.Error
			if !errors.As(err, &bad) || bad.Code != code || text != "" {
				t.Errorf("%q: %q, %v; want %s", name, text, err, code)
			}
			if strings.Contains(fmt.Sprint(err), above) {
				t.Errorf("%q: the error tells where the folder is: %v", name, err)
			}
		}
		if text, err := s.Pages.Read(t.Context(), "references/near.md"); text != "green, black" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		ended, end := context.WithCancelCause(t.Context())
		end(errors.New("stopped"))
		if _, err := s.Pages.Read(ended, "references/near.md"); err == nil || err.Error() != "stopped" {
			t.Error(err)
		}
	})
}

// A folder can hold more than anybody lists.
func TestManyFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tea")
	files := map[string]string{"SKILL.md": tea, ".git/config": "x", "node_modules/a.js": "x", "assets/" + strings.Repeat("d/", 9) + "deep.txt": "x"}
	for i := range 1005 {
		files[fmt.Sprintf("references/%04d.md", i)] = "x"
	}
	write(t, dir, files)
	s, problems, err := folder.Read(dir, folder.Options{})
	must(t, err)
	if n := len(s.Pages.Names()); n != 1000 {
		t.Errorf("%d pages", n)
	}
	var got []string
	for _, p := range problems {
		got = append(got, strings.TrimPrefix(p.String(), dir))
	}
	want := []string{
		": warning: there are more than 1000 files, and the rest is not listed: move out what the skill does not need",
		"/assets/d/d/d/d/d/d/d/d: warning: folders are looked into 8 deep, and this one is left out: move it up",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want := `references/0019.md and 980 more, which page="." lists.`; !strings.HasSuffix(s.Instructions, want+"\n\nBoil water.") {
		t.Errorf("%q", s.Instructions)
	}
}

// A file that becomes a named pipe between the look at it and the opening is not waited for.
func TestSwappedForAPipe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tea")
	write(t, dir, map[string]string{"SKILL.md": tea, "file": tea})
	must(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	ended := make(chan struct{})
	swapped := make(chan struct{})
	go func() {
		defer close(swapped)
		for {
			for _, name := range []string{"file", "pipe"} {
				if err := linux.Renameat2(unix.AT_FDCWD, filepath.Join(dir, name), unix.AT_FDCWD, filepath.Join(dir, "SKILL.md"), linux.Exchange); err != nil {
					t.Error(err)
				}
			}
			select {
			case <-ended:
				return
			default:
			}
		}
	}()
	within(t, func() {
		good := 0
		for range 3000 {
			s, _, err := folder.Read(dir, folder.Options{})
			if err == nil && s.Description == "Makes tea." {
				good++
			}
		}
		if good == 0 {
			t.Error("it was never a file")
		}
	})
	close(ended)
	<-swapped
}
