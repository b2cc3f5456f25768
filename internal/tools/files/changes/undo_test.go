package changes_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

// Every kind of change is taken back and made again, with permissions, time, attributes and the folders that were made.
func TestUndo(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/run", "#!/bin/sh\n")
	w.Put("ws/gone", "x")
	w.Link("../outside", "ws/way")
	past := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
	for name, mode := range map[string]fs.FileMode{"run": 0o751, "gone": 0o4711 | fs.ModeSetuid} {
		path := filepath.Join(w.Dir, name)
		if err := errors.Join(os.Chmod(path, mode), os.Chtimes(path, past, past)); err != nil {
			t.Fatal(err)
		}
	}
	attr := unix.Setxattr(filepath.Join(w.Dir, "gone"), "user.origin", []byte("letter"), 0)
	before, wasSince := w.Tree(), times(w)
	w.Text("write_file", `{"path":"a/b/new","content":"x"}`)
	w.Text("write_file", `{"path":"run","content":"echo\n","mode":"append"}`)
	w.Text("edit_file", `{"path":"run","old_string":"echo","new_string":"true"}`)
	w.Text("delete_file", `{"path":"gone"}`)
	w.Text("delete_file", `{"path":"way"}`)
	after := w.Tree()

	if done := w.Undo(m, changes.Options{DryRun: true}, m.InForce()...); len(done) != 5 || done[0].By.ID != 0 {
		t.Errorf("a dry run says %+v", done)
	}
	if diff := cmp.Diff(after, w.Tree()); diff != "" {
		t.Fatalf("a dry run changed something: %s", diff)
	}
	done := w.Undo(m, changes.Options{}, m.InForce()...)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("after the undo (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(wasSince, times(w)); diff != "" {
		t.Errorf("times after the undo (-want +got)\n%s", diff)
	}
	value := make([]byte, 10)
	if n, err := unix.Getxattr(filepath.Join(w.Dir, "gone"), "user.origin", value); attr == nil && (err != nil || string(value[:n]) != "letter") {
		t.Errorf("the attribute is %q, %v", value[:max(n, 0)], err)
	}
	if left := m.InForce(); len(left) != 0 {
		t.Errorf("in force there is still %+v", left)
	}

	var again []int64
	for _, u := range done {
		again = append(again, u.By.ID)
	}
	w.Undo(m, changes.Options{}, again...)
	if diff := cmp.Diff(after, w.Tree()); diff != "" {
		t.Errorf("after the undo of the undo (-want +got)\n%s", diff)
	}
	if left := m.InForce(); len(left) != 5 {
		t.Errorf("in force there is %+v", left)
	}
	w.Undo(m, changes.Options{}, m.InForce()...)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("after the third time (-want +got)\n%s", diff)
	}
}

// times returns when the files of the workspace were changed.
func times(w *filestest.World) map[string]time.Time {
	w.T.Helper()
	times := map[string]time.Time{}
	for name, n := range w.Tree() {
		info, err := os.Lstat(filepath.Join(w.Base, name))
		if err != nil {
			w.T.Fatal(err)
		}
		if !n.Mode.IsDir() {
			times[name] = info.ModTime()
		}
	}
	return times
}

// What others build on is not taken back before them, even where the file happens to look right; found by the property below.
func TestUndo_OutOfOrder(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Text("write_file", `{"path":"f","content":""}`)
	w.Undo(m, changes.Options{}, 1) // 2
	w.Undo(m, changes.Options{}, 2) // 3: made again
	w.Undo(m, changes.Options{}, 1) // 4
	_, err := w.Files.Changes().Undo(t.Context(), m.List(), []int64{3}, changes.Options{})
	filestest.IsConflict(t, err, "change 4 of it came later")
	w.Undo(m, changes.Options{}, 4) // 5: made again
	w.Undo(m, changes.Options{}, 3) // what 4 and 5 did is as if it had never been
	if got := w.Tree(); len(got) != 2 || len(m.InForce()) != 0 {
		t.Errorf("there is %v, and in force %v", got, m.InForce())
	}
}

// A file that was changed by two ways to it is one file.
func TestUndo_TwoWaysToAFile(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/real/f", "x")
	w.Link("real", "ws/way")
	before := w.Tree()
	w.Text("write_file", `{"path":"way/f","content":"1","mode":"append"}`)
	w.Text("write_file", `{"path":"real/f","content":"2","mode":"append"}`)
	w.Text("delete_file", `{"path":"way/f"}`)
	_, err := w.Files.Changes().Undo(t.Context(), m.List(), []int64{1}, changes.Options{})
	filestest.IsConflict(t, err, "change 3 of it came later")
	w.Undo(m, changes.Options{}, m.InForce()...)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What was changed since is not overwritten unless that is wanted, and then it is kept. One conflict, and nothing of
// what was asked for happens.
func TestUndo_Conflict(t *testing.T) {
	w, m := filestest.NewKept(t)
	for _, name := range []string{"edited", "other", "chmod", "removed"} {
		w.Put("ws/"+name, "old")
		w.Text("write_file", `{"path":"`+name+`","content":"new","mode":"overwrite"}`)
	}
	w.Put("ws/edited", "a person's")
	if err := errors.Join(os.Chmod(filepath.Join(w.Dir, "chmod"), 0o755), os.Remove(filepath.Join(w.Dir, "removed"))); err != nil {
		t.Fatal(err)
	}
	before := w.Tree()
	_, err := w.Files.Changes().Undo(t.Context(), m.List(), m.InForce(), changes.Options{})
	filestest.IsConflict(t, err, "changed since by somebody", "changed since by somebody", "changed since by somebody") // removed, chmod, edited
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Fatalf("something was taken back: %s", diff)
	}

	done := w.Undo(m, changes.Options{Force: true}, m.InForce()...)
	for _, name := range []string{"edited", "other", "chmod", "removed"} {
		if got := w.Tree()["ws/"+name]; got != (filestest.Node{Mode: 0o644, Content: "old"}) {
			t.Errorf("%s is %+v", name, got)
		}
	}
	var by []int64
	for _, u := range done {
		if u.Forced != (filepath.Base(u.Change.Path) != "other") {
			t.Errorf("%s: forced is %t", u.Change.Path, u.Forced)
		}
		by = append(by, u.By.ID)
	}
	w.Undo(m, changes.Options{}, by...) // and back: nothing was lost
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("what a person had made is not back (-want +got)\n%s", diff)
	}
}

// What cannot be taken back says why.
func TestUndo_Refused(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Text("write_file", `{"path":"d/f","content":"one"}`)
	w.Text("write_file", `{"path":"d/f","content":"two","mode":"overwrite"}`)
	w.Undo(m, changes.Options{}, 2)
	refuse := func(words string, change func(*event.Change)) {
		t.Helper()
		c := m.List()
		change(&c[len(c)-1])
		_, err := w.Files.Changes().Undo(t.Context(), c, []int64{1}, changes.Options{})
		filestest.IsConflict(t, err, words)
	}
	refuse("it is in none of the folders that are open", func(c *event.Change) { c.Path = "/etc/passwd" })
	refuse("it was taken back already, by change 9", func(c *event.Change) { c.UndoneBy = 9 })
	refuse("cannot be read", func(c *event.Change) { c.Before = event.FileState{Kind: event.RegFile, Sum: "00"} })
	refuse("is a folder", func(c *event.Change) { c.Path = w.Dir + "/d" })
	refuse("goes through a link that leaves", func(c *event.Change) {
		if err := os.Symlink("..", w.Dir+"/up"); err != nil {
			t.Fatal(err)
		}
		c.Path = w.Dir + "/up/f"
	})
	if err := os.Truncate(w.Dir+"/d/f", 1<<30); err != nil {
		t.Fatal(err)
	}
	_, err := w.Files.Changes().Undo(t.Context(), m.List(), []int64{1}, changes.Options{Force: true})
	filestest.IsConflict(t, err, "is too large to be kept now")

	closed, err := files.New(files.Config{Dir: w.Dir, ReadOnly: true, Log: m})
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	w.Put("ws/d/f", "one")
	_, err = closed.Changes().Undo(t.Context(), m.List(), []int64{1}, changes.Options{})
	toolstest.IsError(t, err, event.CodeReadOnly, "open for reading only")
}

// A created file whose folder somebody has removed is taken back all the same.
func TestUndo_FolderGone(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Text("write_file", `{"path":"d/f","content":"x"}`)
	w.Text("write_file", `{"path":"e/f","content":"x"}`)
	w.Text("delete_file", `{"path":"e/f"}`)
	if err := errors.Join(os.RemoveAll(w.Dir+"/d"), os.RemoveAll(w.Dir+"/e")); err != nil {
		t.Fatal(err)
	}
	w.Undo(m, changes.Options{}, m.InForce()...)
	if got := w.Tree(); len(got) != 2 {
		t.Errorf("there is %v", got)
	}
	if left := m.InForce(); len(left) != 0 {
		t.Errorf("in force there is %v", left)
	}
}

// When one of several fails half way, those before it are made again.
func TestUndo_HalfWay(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Text("write_file", `{"path":"a","content":"1"}`)
	w.Text("write_file", `{"path":"b","content":"2"}`)
	w.Text("write_file", `{"path":"c","content":"3"}`)
	before := w.Tree()
	n := 0
	hook := &meddler{Log: m, do: func() {
		if n++; n == 2 { // while b goes, somebody writes to a
			w.Put("ws/a", "theirs")
		}
	}}
	file, err := files.New(files.Config{Dir: w.Dir, Log: hook})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = file.Changes().Undo(t.Context(), m.List(), m.InForce(), changes.Options{})
	toolstest.IsError(t, err, event.CodeExecutionFailed, "a was changed at the same moment")
	before["ws/a"] = filestest.Node{Mode: 0o644, Content: "theirs"}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if left := m.InForce(); len(left) != 3 {
		t.Errorf("in force there is %v", left)
	}
}

// Wherever the process ends, the file is what it was or what it was to be, and it is known which.
func TestUndo_AfterACrash(t *testing.T) {
	for _, c := range []struct {
		dies, tool, args string
		stage            event.Stage
	}{
		{"kept", "write_file", `{"path":"f","content":"new","mode":"overwrite"}`, event.StageVoid},
		{"kept", "write_file", `{"path":"d/g","content":"new"}`, event.StageVoid},
		{"kept", "delete_file", `{"path":"f"}`, event.StageVoid},
		{"done", "write_file", `{"path":"f","content":"new","mode":"overwrite"}`, event.StageMade},
		{"done", "write_file", `{"path":"d/g","content":"new"}`, event.StageMade},
		{"done", "delete_file", `{"path":"f"}`, event.StageMade},
		{"kept", "move_file", `{"path":"f","to":"d/"}`, event.StageVoid},
		{"done", "move_file", `{"path":"f","to":"d/"}`, event.StageMade},
	} {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprint(c.dies, c.tool, c.args, later), func(t *testing.T) {
				w, m := filestest.NewKept(t)
				w.Put("ws/f", "old")
				before := w.Tree()
				m.Dies = c.dies
				_, _ = w.Call(c.tool, c.args)
				m.Dies = ""
				if later { // more happened to the file before anybody looked
					_, _ = w.Call("write_file", `{"path":"f","content":"more","mode":"append"}`)
					_, _ = w.Call("write_file", `{"path":"d/g","content":"more","mode":"append"}`)
				}
				if got := m.Changes[0].Stage; got != event.StageBegun {
					t.Fatalf("the change is %s: this is no crash", got)
				}
				if err := w.Files.Changes().Reconcile(t.Context(), m.List()); err != nil {
					t.Fatal(err)
				}
				if got := m.Changes[0].Stage; got != c.stage {
					t.Errorf("the change is found to be %s, want %s", got, c.stage)
				}
				w.Undo(m, changes.Options{}, m.InForce()...)
				if diff := cmp.Diff(before, w.Tree()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	}
	t.Run("and a person edited it", func(t *testing.T) {
		w, m := filestest.NewKept(t)
		w.Put("ws/f", "old")
		m.Dies = "done"
		w.Text("write_file", `{"path":"f","content":"new","mode":"overwrite"}`)
		m.Dies = ""
		w.Put("ws/f", "a person's")
		if err := w.Files.Changes().Reconcile(t.Context(), m.List()); err != nil {
			t.Fatal(err)
		}
		if got := m.Changes[0].Stage; got != event.StageBegun {
			t.Errorf("it is said to be %s, which nobody can know", got)
		}
		_, err := w.Files.Changes().Undo(t.Context(), m.List(), m.InForce(), changes.Options{})
		filestest.IsConflict(t, err, "it was changed since")
	})
}

// Whatever the tools did, in whatever order, and whatever of it was taken back and made again: taking all of it back
// leaves every file with the bytes and the permissions it had.
func TestUndo_Everything(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rapid.Check(t, func(r *rapid.T) {
		w, m := filestest.NewKept(t)
		w.Put("ws/a", "alpha\n")
		w.Put("ws/d/b", "beta\n")
		w.Link("a", "ws/l")
		if err := os.Chmod(w.Dir+"/d/b", 0o750); err != nil {
			t.Fatal(err)
		}
		before := w.Tree()
		path := rapid.SampledFrom([]string{"a", "d/b", "d/c", "e/f/g", "l"})
		text := rapid.SampledFrom([]string{"", "a", "alpha\n", "xyz"})
		call := func(tool, format string, args ...any) { _, _ = w.Call(tool, fmt.Sprintf(format, args...)) }
		write := func(mode string) func(*rapid.T) {
			return func(r *rapid.T) {
				call("write_file", `{"path":%q,"content":%q,"mode":%q}`, path.Draw(r, "path"), text.Draw(r, "text"), mode)
			}
		}
		r.Repeat(map[string]func(*rapid.T){
			"create": write("create"), "append": write("append"), "overwrite": write("overwrite"),
			"edit": func(r *rapid.T) {
				call("edit_file", `{"path":%q,"old_string":"a","new_string":%q,"replace_all":true}`, path.Draw(r, "path"), text.Draw(r, "text"))
			},
			"delete": func(r *rapid.T) { call("delete_file", `{"path":%q}`, path.Draw(r, "path")) },
			"move":   func(r *rapid.T) { call("move_file", `{"path":%q,"to":%q}`, path.Draw(r, "path"), path.Draw(r, "to")) },
			"undo or redo": func(r *rapid.T) {
				if all := m.List(); len(all) > 0 {
					_, _ = w.Files.Changes().Undo(t.Context(), m.List(), []int64{rapid.Int64Range(1, int64(len(all))).Draw(r, "number")}, changes.Options{})
				}
			},
		})
		if _, err := w.Files.Changes().Undo(t.Context(), m.List(), m.InForce(), changes.Options{}); err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(before, w.Tree()); diff != "" {
			r.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

// A folder that becomes a link to the outside and back again leads nobody out, for deleting and for taking back.
func TestUndo_SwappedForALink(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/d/f", "mine")
	w.Put("outside/f", "secret")
	w.Link("../outside", "ws/link")
	w.Swap("ws/d", "ws/link", func() {
		for n := 0; n < 300 || n < 100_000 && len(m.List()) < 10; n++ { // on one processor the link may stand there for most of it
			_, _ = w.Call("delete_file", `{"path":"d/f"}`)
			_, _ = w.Call("write_file", `{"path":"d/f","content":"mine","mode":"overwrite"}`)
			_, _ = w.Files.Changes().Undo(t.Context(), m.List(), changes.LastCall(m.List(), ""), changes.Options{Force: true})
		}
	})
	if got := w.Content("outside/f"); got != "secret" || len(m.List()) < 10 {
		t.Errorf("outside there is %q after %d changes", got, len(m.List()))
	}
	for _, c := range m.List() {
		if strings.HasPrefix(c.Path, filepath.Join(w.Base, "outside")) {
			t.Errorf("a change outside: %+v", c)
		}
	}
}
