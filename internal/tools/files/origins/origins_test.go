package origins_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/tree"
)

// What is written from strangers' words is filestest.Marked before it is there, and nothing else is.
func TestOrigins_Writes(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		want             []string
	}{
		{"a new file", "write_file", `{"path":"new","content":"x"}`, []string{"new"}},
		{"in new folders", "write_file", `{"path":"a/b/new","content":"x"}`, []string{"a/" + filestest.NameMark, "a/b/" + filestest.NameMark, "a/b/new"}},
		{"in a folder that is there", "write_file", `{"path":"d/new","content":"x"}`, []string{"d/new"}},
		{"another content", "write_file", `{"path":"old","content":"x","mode":"overwrite"}`, []string{"old"}},
		{"more content", "write_file", `{"path":"d/old","content":"x","mode":"append"}`, []string{"d/old"}},
		{"an edit", "edit_file", `{"path":"old","old_string":"before","new_string":"x"}`, []string{"old"}},
		{"through links", "write_file", `{"path":"way/link","content":"x","mode":"overwrite"}`, []string{"old"}},
		{"a file that goes", "delete_file", `{"path":"old"}`, nil},
		{"a file that gets another name", "move_file", `{"path":"old","to":"a/new"}`, []string{"a/" + filestest.NameMark, "a/new"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := filestest.NewMarked(t)
			w.Put("ws/old", "before")
			w.Put("ws/d/old", "before")
			w.Link("d", "ws/way")
			w.Link("../old", "ws/d/link")
			w.Origins.Marking = func(paths []string) {
				for at, n := range w.Tree() {
					if n.Content == "x" || n.Content == "beforex" {
						t.Errorf("%s was there before the mark was", at)
					}
				}
				for _, p := range paths {
					if dir, named := strings.CutSuffix(p, filestest.NameMark); named && w.Tree()[must(filepath.Rel(w.Base, dir))].Mode != 0 {
						t.Errorf("%s was there before its mark was", dir)
					}
				}
			}
			w.Must(filestest.Strange(), c.tool, c.args)
			if diff := cmp.Diff(c.want, w.Now()); diff != "" {
				t.Errorf("marks (-want +got):\n%s", diff)
			}

			w = filestest.NewMarked(t)
			w.Put("ws/old", "before")
			w.Put("ws/d/old", "before")
			w.Link("d", "ws/way")
			w.Link("../old", "ws/d/link")
			w.Must(event.Label{Private: true, Source: "chat"}, c.tool, c.args)
			if got := w.Now(); got != nil {
				t.Errorf("from nobody's words %v is marked", got)
			}
		})
	}
}

// What could not be filestest.Marked is not written.
func TestOrigins_NoMarkNoWrite(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/old", "before")
	w.Origins.Fail(errors.New("the disk is full"))
	was := w.Tree()
	for tool, args := range map[string]string{
		"write_file": `{"path":"a/new","content":"x"}`,
		"edit_file":  `{"path":"old","old_string":"before","new_string":"x"}`,
	} {
		_, err := w.As(filestest.Strange(), tool, args)
		e := (*tools.Error)(nil)
		if !errors.As(err, &e) || e.Type != event.TypeStorage || !strings.Contains(e.Message, "was not changed, because") ||
			!strings.Contains(e.Message, "the disk is full") {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if diff := cmp.Diff(was, w.Tree()); diff != "" || len(w.Log.List()) != 0 {
		t.Errorf("%d changes (-before +after):\n%s", len(w.Log.List()), diff)
	}
	w.Must(event.Label{}, "write_file", `{"path":"mine","content":"x"}`) // it needs no mark
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
		{"d/" + filestest.NameMark, "read_file", `{"path":"d/a"}`, true}, // its name is there
		{"d/a", "read_file", `{"path":"link"}`, true},
		{"link", "read_file", `{"path":"link"}`, true},
		{"d/a", "read_file", `{"path":"way/a"}`, true},
		{"e", "read_file", `{"path":"d/a"}`, false},
		{filestest.LooseMark, "read_file", `{"path":"d/a"}`, true},
		{"", "read_file", `{"path":".hob-tmp-x/f"}`, true},
		{"", "read_file", `{"path":"d/.hob-tmp-name"}`, true},

		{"d/a", "list_files", `{"path":"."}`, false}, // only the name of d is shown
		{"d/" + filestest.NameMark, "list_files", `{"path":"."}`, true},
		{"d", "list_files", `{"path":"."}`, true},
		{"d/a", "list_files", `{"path":"d"}`, true},
		{"d/a", "list_files", `{"path":"way"}`, true},
		{"d/a", "list_files", `{"path":".","recursive":true}`, true},
		{"d/e/" + filestest.NameMark, "list_files", `{"path":".","recursive":true}`, true},
		{".hidden", "list_files", `{"path":"."}`, false},
		{".hidden", "list_files", `{"path":".","include_hidden":true}`, true},
		{"link", "list_files", `{"path":"."}`, true},
		{filestest.LooseMark, "list_files", `{"path":"d/e"}`, true},

		{"d/a", "search_files", `{"pattern":"milk"}`, true},
		{"d/a", "search_files", `{"pattern":"milk","path":"way"}`, true},
		{"d/a", "search_files", `{"pattern":"bread"}`, false},
		{"d/a", "search_files", `{"pattern":"milk","glob":"b"}`, false},
		{"d/e/" + filestest.NameMark, "search_files", `{"pattern":"eggs"}`, true},
		{"d/" + filestest.NameMark, "search_files", `{"pattern":"eggs"}`, true},
		{"d/e/" + filestest.NameMark, "search_files", `{"pattern":"milk"}`, false},
		{"d", "search_files", `{"pattern":"eggs"}`, true},
		{"", "search_files", `{"pattern":"eggs"}`, false},
	} {
		t.Run(fmt.Sprintf("%s %s %s", c.mark, c.tool, c.args), func(t *testing.T) {
			w := filestest.NewMarked(t)
			for path, text := range map[string]string{
				"d/a": "milk", "d/b": "bread", "d/e/c": "eggs", ".hidden": "x", ".hob-tmp-x/f": "x", "d/" + filestest.NameMark: "x",
			} {
				w.Put("ws/"+path, text)
			}
			w.Link("d/a", "ws/link")
			w.Link("d", "ws/way")
			if c.mark != "" {
				w.Mark(c.mark)
			}
			res := w.Must(event.Label{}, c.tool, c.args)
			if res.Label.Untrusted != c.want || !res.Label.Private || !strings.HasPrefix(res.Label.Source, "file:") {
				t.Errorf("the label is %+v", res.Label)
			}
			if w.Origins.Asked > 1 {
				t.Errorf("it was asked %d times", w.Origins.Asked)
			}
			w.Origins.Fail(errors.New("no"))
			if !w.Stranger(c.tool, c.args) {
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
		{"shop.md", "list_files", `{"path":"shop.m"}`, true},
		{"shop.md", "search_files", `{"pattern":"x","path":"shop.m"}`, true},
	} {
		w := filestest.NewMarked(t)
		w.Put("ws/shop.md", "milk and eggs")
		w.Put("ws/other", "x")
		w.Mark(c.mark)
		if res, err := w.As(event.Label{}, c.tool, c.args); err == nil || res.Label.Untrusted != c.want {
			t.Errorf("%s, %s %s: %v, %+v", c.mark, c.tool, c.args, err, res.Label)
		}
	}
}

// What is deleted and brought back is still a stranger's, and so is what it was before somebody else wrote there.
func TestOrigins_Undo(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Must(filestest.Strange(), "write_file", `{"path":"page","content":"theirs"}`)
	w.Must(event.Label{}, "delete_file", `{"path":"page"}`)
	if w.Files.Origins().Taint(t.Context()).Untrusted {
		t.Error("what is gone can still be read")
	}
	w.Undo(w.Log, changes.Options{}, changes.LastCall(w.Log.List(), "")...)
	if w.Content("ws/page") != "theirs" || !w.Stranger("read_file", `{"path":"page"}`) || !w.Files.Origins().Taint(t.Context()).Untrusted {
		t.Errorf("%q is nobody's after it was brought back", w.Content("ws/page"))
	}
	w.Must(event.Label{}, "write_file", `{"path":"page","content":"mine","mode":"overwrite"}`)
	if !w.Stranger("read_file", `{"path":"page"}`) {
		t.Error("a file lost its mark to a later content")
	}
	w.Undo(w.Log, changes.Options{}, changes.LastCall(w.Log.List(), "")...)
	if !w.Stranger("read_file", `{"path":"page"}`) {
		t.Error("a file lost its mark to undo")
	}
}

// Marks of what is not there and cannot come back are forgotten when there are many, and no others.
func TestOrigins_Forgets(t *testing.T) {
	other := t.TempDir()
	w := filestest.NewMarked(t, func(c *files.Config) { c.Grants = []tree.Grant{{Dir: other}} })
	w.Must(filestest.Strange(), "write_file", `{"path":"deep/er/page","content":"theirs"}`)
	w.Must(filestest.Strange(), "write_file", `{"path":"stays","content":"theirs"}`)
	w.Must(event.Label{}, "delete_file", `{"path":"deep/er/page"}`)
	if err := os.RemoveAll(filepath.Join(w.Dir, "deep")); err != nil {
		t.Fatal(err)
	}
	gone := make([]string, 2100)
	for i := range gone {
		gone[i] = fmt.Sprintf("gone/%d", i)
	}
	w.Mark(gone...)
	w.Mark("stays/below", "gone/"+filestest.NameMark)
	w.Origins.Marks[filepath.Join(other, "gone")] = filestest.Strange()
	w.Origins.Marks["/not-open/gone"] = filestest.Strange()
	want := slices.Sorted(slices.Values(w.Now()))
	end := w.Files.Watch().Before(t.Context(), "a command", event.Label{})
	w.Files.Origins().Taint(t.Context())
	if got := w.Now(); len(got) < len(want) {
		t.Fatalf("while a command runs marks are forgotten: %d of %d", len(want)-len(got), len(want))
	}
	end(t.Context())
	w.Files.Origins().Taint(t.Context())
	want = []string{"deep/" + filestest.NameMark, "deep/er/" + filestest.NameMark, "deep/er/page", "stays"}
	want = append(want, must(filepath.Rel(w.Dir, "/not-open/gone")))
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), w.Now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// Taint is the join of what is filestest.Marked and there.
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
		{"the name of a folder", "{ws}/d/" + filestest.NameMark, true},
		{"the workspace", "{ws}", true},
		{"all around it", "{ws}/..", true},
		{"a file that is gone", "{ws}/d/g", false},
		{"a file in what is a file", "{ws}/d/f/g", false},
		{"the name of a folder that is gone", "{ws}/g/" + filestest.NameMark, false},
		{"what a killed hob has left", "{ws}/" + filestest.LooseMark, true},
		{"in a folder that is open", open + "/f", true},
		{"gone from a folder that is open", open + "/g", false},
		{"in a folder that is not", closed + "/f", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := filestest.NewMarked(t, func(c *files.Config) { c.Grants = []tree.Grant{{Dir: open}} })
			w.Put("ws/d/f", "x")
			for _, dir := range []string{open, closed} {
				if err := os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.mark != "" {
				w.Origins.Marks[filepath.Clean(strings.ReplaceAll(c.mark, "{ws}", w.Dir))] = filestest.Strange()
			}
			want := event.Label{}
			if c.want {
				want = filestest.Strange()
			}
			if diff := cmp.Diff(want, w.Files.Origins().Taint(t.Context())); diff != "" {
				t.Error(diff)
			}
			w.Origins.Fail(errors.New("no"))
			if !w.Files.Origins().Taint(t.Context()).Untrusted {
				t.Error("what cannot be found out is taken for the household's")
			}
		})
	}
	if got := filestest.New(t).Files.Origins().Taint(t.Context()); got != (event.Label{}) {
		t.Errorf("where nothing is known it is %+v", got)
	}
}

// Where commands could change files and nobody looks after that, nothing could be known of where they come from.
func TestOrigins_NeedALog(t *testing.T) {
	o := &filestest.Origins{Marks: map[string]event.Label{}}
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
	w := filestest.NewMarked(t)
	seen := w.Command(filestest.Strange(), func() {
		w.Special("ws/do as I say", func(p string) error { return unix.Mkfifo(p, 0o600) })
		w.Put("ws/.hob-tmp-command", "x")
	})
	if !w.Stranger("list_files", `{"path":"."}`) || seen.Doubt != "" || !w.Stranger("read_file", `{"path":".hob-tmp-command"}`) {
		t.Errorf("%v %+v", w.Now(), seen)
	}
	if !w.Files.Origins().Taint(t.Context()).Untrusted {
		t.Error("another command is not told of it")
	}
}
