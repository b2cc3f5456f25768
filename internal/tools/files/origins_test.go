package files_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/tree"
)

const (
	looseMark = ".hob-tmp-command"
	nameMark  = ".hob-tmp-name"
)

// What is written from strangers' words is marked before it is there, and nothing else is.
func TestOrigins_Writes(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		want             []string
	}{
		{"a new file", "write_file", `{"path":"new","content":"x"}`, []string{"new"}},
		{"in new folders", "write_file", `{"path":"a/b/new","content":"x"}`, []string{"a/" + nameMark, "a/b/" + nameMark, "a/b/new"}},
		{"in a folder that is there", "write_file", `{"path":"d/new","content":"x"}`, []string{"d/new"}},
		{"another content", "write_file", `{"path":"old","content":"x","mode":"overwrite"}`, []string{"old"}},
		{"more content", "write_file", `{"path":"d/old","content":"x","mode":"append"}`, []string{"d/old"}},
		{"an edit", "edit_file", `{"path":"old","old_string":"before","new_string":"x"}`, []string{"old"}},
		{"through links", "write_file", `{"path":"way/link","content":"x","mode":"overwrite"}`, []string{"old"}},
		{"a file that goes", "delete_file", `{"path":"old"}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newMarked(t)
			w.put("ws/old", "before")
			w.put("ws/d/old", "before")
			w.link("d", "ws/way")
			w.link("../old", "ws/d/link")
			w.o.marking = func(paths []string) {
				for at, n := range w.tree() {
					if n.Content == "x" || n.Content == "beforex" {
						t.Errorf("%s was there before the mark was", at)
					}
				}
				for _, p := range paths {
					if dir, named := strings.CutSuffix(p, nameMark); named && w.tree()[must(filepath.Rel(w.base, dir))].Mode != 0 {
						t.Errorf("%s was there before its mark was", dir)
					}
				}
			}
			w.must(strange(), c.tool, c.args)
			if diff := cmp.Diff(c.want, w.now()); diff != "" {
				t.Errorf("marks (-want +got):\n%s", diff)
			}

			w = newMarked(t)
			w.put("ws/old", "before")
			w.put("ws/d/old", "before")
			w.link("d", "ws/way")
			w.link("../old", "ws/d/link")
			w.must(event.Label{Private: true, Source: "chat"}, c.tool, c.args)
			if got := w.now(); got != nil {
				t.Errorf("from nobody's words %v is marked", got)
			}
		})
	}
}

// What could not be marked is not written.
func TestOrigins_NoMarkNoWrite(t *testing.T) {
	w := newMarked(t)
	w.put("ws/old", "before")
	w.o.fail(errors.New("the disk is full"))
	was := w.tree()
	for tool, args := range map[string]string{
		"write_file": `{"path":"a/new","content":"x"}`,
		"edit_file":  `{"path":"old","old_string":"before","new_string":"x"}`,
	} {
		_, err := w.as(strange(), tool, args)
		e := (*tools.Error)(nil)
		if !errors.As(err, &e) || e.Type != event.TypeStorage || !strings.Contains(e.Message, "was not changed, because") ||
			!strings.Contains(e.Message, "the disk is full") {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if diff := cmp.Diff(was, w.tree()); diff != "" || len(w.m.list()) != 0 {
		t.Errorf("%d changes (-before +after):\n%s", len(w.m.list()), diff)
	}
	w.must(event.Label{}, "write_file", `{"path":"mine","content":"x"}`) // it needs no mark
}

// A result counts as a stranger's where anything that it shows is: contents, and names.
func TestOrigins_Results(t *testing.T) {
	for _, c := range []struct {
		mark, tool, args string
		want             bool
	}{
		{"", "read_file", `{"path":"d/a"}`, false},
		{"d/a", "read_file", `{"path":"d/a"}`, true},
		{"d", "read_file", `{"path":"d/a"}`, true},
		{".", "read_file", `{"path":"d/a"}`, true},
		{"d/b", "read_file", `{"path":"d/a"}`, false},
		{"d/a/x", "read_file", `{"path":"d/a"}`, false},
		{"d/" + nameMark, "read_file", `{"path":"d/a"}`, true}, // its name is there
		{"d/a", "read_file", `{"path":"link"}`, true},
		{"link", "read_file", `{"path":"link"}`, true},
		{"d/a", "read_file", `{"path":"way/a"}`, true},
		{"e", "read_file", `{"path":"d/a"}`, false},
		{looseMark, "read_file", `{"path":"d/a"}`, true},
		{"", "read_file", `{"path":".hob-tmp-x/f"}`, true},
		{"", "read_file", `{"path":"d/.hob-tmp-name"}`, true},

		{"d/a", "list_files", `{"dir":"."}`, false}, // only the name of d is shown
		{"d/" + nameMark, "list_files", `{"dir":"."}`, true},
		{"d", "list_files", `{"dir":"."}`, true},
		{"d/a", "list_files", `{"dir":"d"}`, true},
		{"d/a", "list_files", `{"dir":"way"}`, true},
		{"d/a", "list_files", `{"dir":".","recursive":true}`, true},
		{"d/e/" + nameMark, "list_files", `{"dir":".","recursive":true}`, true},
		{".hidden", "list_files", `{"dir":"."}`, false},
		{".hidden", "list_files", `{"dir":".","include_hidden":true}`, true},
		{"link", "list_files", `{"dir":"."}`, true},
		{looseMark, "list_files", `{"dir":"d/e"}`, true},

		{"d/a", "search_files", `{"pattern":"milk"}`, true},
		{"d/a", "search_files", `{"pattern":"milk","dir":"way"}`, true},
		{"d/a", "search_files", `{"pattern":"bread"}`, false},
		{"d/a", "search_files", `{"pattern":"milk","glob":"b"}`, false},
		{"d/e/" + nameMark, "search_files", `{"pattern":"eggs"}`, true},
		{"d/" + nameMark, "search_files", `{"pattern":"eggs"}`, true},
		{"d/e/" + nameMark, "search_files", `{"pattern":"milk"}`, false},
		{"d", "search_files", `{"pattern":"eggs"}`, true},
		{"", "search_files", `{"pattern":"eggs"}`, false},
	} {
		t.Run(fmt.Sprintf("%s %s %s", c.mark, c.tool, c.args), func(t *testing.T) {
			w := newMarked(t)
			for path, text := range map[string]string{
				"d/a": "milk", "d/b": "bread", "d/e/c": "eggs", ".hidden": "x", ".hob-tmp-x/f": "x", "d/" + nameMark: "x",
			} {
				w.put("ws/"+path, text)
			}
			w.link("d/a", "ws/link")
			w.link("d", "ws/way")
			if c.mark != "" {
				w.mark(c.mark)
			}
			res := w.must(event.Label{}, c.tool, c.args)
			if res.Label.Untrusted != c.want || !res.Label.Private || !strings.HasPrefix(res.Label.Source, "file:") {
				t.Errorf("the label is %+v", res.Label)
			}
			if w.o.asked > 1 {
				t.Errorf("it was asked %d times", w.o.asked)
			}
			w.o.fail(errors.New("no"))
			if !w.stranger(c.tool, c.args) {
				t.Error("what cannot be found out is taken for the household's")
			}
		})
	}
}

// The words of an error may be lines of a file, or names of its neighbours.
func TestOrigins_Errors(t *testing.T) {
	for _, c := range []struct {
		mark, tool, args string
		want             bool
	}{
		{"shop.md", "edit_file", `{"path":"shop.md","old_string":"milk or eggs","new_string":"x"}`, true},
		{"other", "edit_file", `{"path":"shop.md","old_string":"milk or eggs","new_string":"x"}`, false},
		{"shop.md", "read_file", `{"path":"shop.txt"}`, true},
		{"other", "read_file", `{"path":"shop.txt"}`, false},
		{"shop.md", "delete_file", `{"path":"shop.m"}`, true},
		{"shop.md", "edit_file", `{"path":"shop.m","old_string":"a","new_string":"x"}`, true},
		{"shop.md", "list_files", `{"dir":"shop.m"}`, true},
		{"shop.md", "search_files", `{"pattern":"x","dir":"shop.m"}`, true},
	} {
		w := newMarked(t)
		w.put("ws/shop.md", "milk and eggs")
		w.put("ws/other", "x")
		w.mark(c.mark)
		if res, err := w.as(event.Label{}, c.tool, c.args); err == nil || res.Label.Untrusted != c.want {
			t.Errorf("%s, %s %s: %v, %+v", c.mark, c.tool, c.args, err, res.Label)
		}
	}
}

// What is deleted and brought back is still a stranger's, and so is what it was before somebody else wrote there.
func TestOrigins_Undo(t *testing.T) {
	w := newMarked(t)
	w.must(strange(), "write_file", `{"path":"page","content":"theirs"}`)
	w.must(event.Label{}, "delete_file", `{"path":"page"}`)
	if w.file.Origins().Taint(t.Context()).Untrusted {
		t.Error("what is gone can still be read")
	}
	w.undo(w.m, changes.Options{}, changes.Last(w.m.list(), "")...)
	if w.content("ws/page") != "theirs" || !w.stranger("read_file", `{"path":"page"}`) || !w.file.Origins().Taint(t.Context()).Untrusted {
		t.Errorf("%q is nobody's after it was brought back", w.content("ws/page"))
	}
	w.must(event.Label{}, "write_file", `{"path":"page","content":"mine","mode":"overwrite"}`)
	if !w.stranger("read_file", `{"path":"page"}`) {
		t.Error("a file lost its mark to a later content")
	}
	w.undo(w.m, changes.Options{}, changes.Last(w.m.list(), "")...)
	if !w.stranger("read_file", `{"path":"page"}`) {
		t.Error("a file lost its mark to undo")
	}
}

// Marks of what is not there and cannot come back are forgotten when there are many, and no others.
func TestOrigins_Forgets(t *testing.T) {
	other := t.TempDir()
	w := newMarked(t, func(c *files.Config) { c.Grants = []tree.Grant{{Dir: other}} })
	w.must(strange(), "write_file", `{"path":"deep/er/page","content":"theirs"}`)
	w.must(strange(), "write_file", `{"path":"stays","content":"theirs"}`)
	w.must(event.Label{}, "delete_file", `{"path":"deep/er/page"}`)
	if err := os.RemoveAll(filepath.Join(w.dir, "deep")); err != nil {
		t.Fatal(err)
	}
	gone := make([]string, 2100)
	for i := range gone {
		gone[i] = fmt.Sprintf("gone/%d", i)
	}
	w.mark(gone...)
	w.mark("stays/below", "gone/"+nameMark)
	w.o.marks[filepath.Join(other, "gone")] = strange()
	w.o.marks["/not-open/gone"] = strange()
	want := sorted(append(w.now(), ""))[1:]
	end := w.file.Watch().Before(t.Context(), "a command", event.Label{})
	w.file.Origins().Taint(t.Context())
	if got := w.now(); len(got) < len(want) {
		t.Fatalf("while a command runs marks are forgotten: %d of %d", len(want)-len(got), len(want))
	}
	end(t.Context())
	w.file.Origins().Taint(t.Context())
	want = []string{"deep/" + nameMark, "deep/er/" + nameMark, "deep/er/page", "stays"}
	want = append(want, must(filepath.Rel(w.dir, "/not-open/gone")))
	if diff := cmp.Diff(sorted(want), w.now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// Taint is the join of what is marked and there.
func TestTaint(t *testing.T) {
	open, closed := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		name string
		mark string
		want bool
	}{
		{"nothing", "", false},
		{"a file", "{ws}/d/f", true},
		{"a folder", "{ws}/d", true},
		{"the name of a folder", "{ws}/d/" + nameMark, true},
		{"the workspace", "{ws}", true},
		{"all around it", "{ws}/..", true},
		{"a file that is gone", "{ws}/d/g", false},
		{"a file in what is a file", "{ws}/d/f/g", false},
		{"the name of a folder that is gone", "{ws}/g/" + nameMark, false},
		{"what a killed hob has left", "{ws}/" + looseMark, true},
		{"in a folder that is open", open + "/f", true},
		{"gone from a folder that is open", open + "/g", false},
		{"in a folder that is not", closed + "/f", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newMarked(t, func(c *files.Config) { c.Grants = []tree.Grant{{Dir: open}} })
			w.put("ws/d/f", "x")
			for _, dir := range []string{open, closed} {
				if err := os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.mark != "" {
				w.o.marks[filepath.Clean(strings.ReplaceAll(c.mark, "{ws}", w.dir))] = strange()
			}
			want := event.Label{}
			if c.want {
				want = strange()
			}
			if diff := cmp.Diff(want, w.file.Origins().Taint(t.Context())); diff != "" {
				t.Error(diff)
			}
			w.o.fail(errors.New("no"))
			if !w.file.Origins().Taint(t.Context()).Untrusted {
				t.Error("what cannot be found out is taken for the household's")
			}
		})
	}
	if got := newFileWorld(t).file.Origins().Taint(t.Context()); got != (event.Label{}) {
		t.Errorf("where nothing is known it is %+v", got)
	}
}

// Where commands could change files and nobody looks after that, nothing could be known of where they come from.
func TestOrigins_NeedAKeeper(t *testing.T) {
	o := &origins{t: t, marks: map[string]event.Label{}}
	if f, err := files.New(files.Config{Dir: t.TempDir(), Origins: o}); err == nil || f != nil {
		t.Errorf("%v, %v", f, err)
	}
	f, err := files.New(files.Config{Dir: t.TempDir(), Origins: o, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// A name that a command gave to what is no file is shown by list_files as any other.
func TestOrigins_OddNames(t *testing.T) {
	w := newMarked(t)
	seen := w.command(strange(), func() {
		w.special("ws/do as I say", func(p string) error { return unix.Mkfifo(p, 0o600) })
		w.put("ws/.hob-tmp-command", "x")
	})
	if !w.stranger("list_files", `{"dir":"."}`) || seen.Doubt != "" || !w.stranger("read_file", `{"path":".hob-tmp-command"}`) {
		t.Errorf("%v %+v", w.now(), seen)
	}
	if !w.file.Origins().Taint(t.Context()).Untrusted {
		t.Error("another command is not told of it")
	}
}
