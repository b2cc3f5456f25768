package files_test

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
	"hob/internal/tools/toolstest"
)

// isConflict checks that nothing was taken back, and why.
func isConflict(t *testing.T, err error, words ...string) {
	t.Helper()
	e := (*changes.ConflictError)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want a conflict", err)
	}
	var got []string
	for _, c := range e.Conflicts {
		got = append(got, c.Why)
	}
	if len(got) != len(words) {
		t.Fatalf("conflicts: %q", got)
	}
	for i := range words {
		if !strings.Contains(got[i], words[i]) {
			t.Errorf("conflict %d is %q, want %q", i, got[i], words[i])
		}
	}
}

// Every kind of change is taken back and made again, with permissions, time, attributes and the folders that were made.
func TestUndo(t *testing.T) {
	w, m := newKeptWorld(t)
	w.put("ws/run", "#!/bin/sh\n")
	w.put("ws/gone", "x")
	w.link("../outside", "ws/way")
	past := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
	for name, mode := range map[string]fs.FileMode{"run": 0o751, "gone": 0o4711 | fs.ModeSetuid} {
		path := filepath.Join(w.dir, name)
		if err := errors.Join(os.Chmod(path, mode), os.Chtimes(path, past, past)); err != nil {
			t.Fatal(err)
		}
	}
	attr := unix.Setxattr(filepath.Join(w.dir, "gone"), "user.origin", []byte("letter"), 0)
	before, wasSince := w.tree(), w.times()
	w.text("write_file", `{"path":"a/b/new","content":"x"}`)
	w.text("write_file", `{"path":"run","content":"echo\n","mode":"append"}`)
	w.text("edit_file", `{"path":"run","old_string":"echo","new_string":"true"}`)
	w.text("delete_file", `{"path":"gone"}`)
	w.text("delete_file", `{"path":"way"}`)
	after := w.tree()

	if done := w.undo(m, changes.Options{DryRun: true}, m.inForce()...); len(done) != 5 || done[0].By.ID != 0 {
		t.Errorf("a dry run says %+v", done)
	}
	if diff := cmp.Diff(after, w.tree()); diff != "" {
		t.Fatalf("a dry run changed something: %s", diff)
	}
	done := w.undo(m, changes.Options{}, m.inForce()...)
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("after the undo (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(wasSince, w.times()); diff != "" {
		t.Errorf("times after the undo (-want +got)\n%s", diff)
	}
	value := make([]byte, 10)
	if n, err := unix.Getxattr(filepath.Join(w.dir, "gone"), "user.origin", value); attr == nil && (err != nil || string(value[:n]) != "letter") {
		t.Errorf("the attribute is %q, %v", value[:max(n, 0)], err)
	}
	if left := m.inForce(); len(left) != 0 {
		t.Errorf("in force there is still %+v", left)
	}

	var again []int64
	for _, u := range done {
		again = append(again, u.By.ID)
	}
	w.undo(m, changes.Options{}, again...)
	if diff := cmp.Diff(after, w.tree()); diff != "" {
		t.Errorf("after the undo of the undo (-want +got)\n%s", diff)
	}
	if left := m.inForce(); len(left) != 5 {
		t.Errorf("in force there is %+v", left)
	}
	w.undo(m, changes.Options{}, m.inForce()...)
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("after the third time (-want +got)\n%s", diff)
	}
}

// times returns when the files of the workspace were changed.
func (w *fileWorld) times() map[string]time.Time {
	w.t.Helper()
	times := map[string]time.Time{}
	for name, n := range w.tree() {
		info, err := os.Lstat(filepath.Join(w.base, name))
		if err != nil {
			w.t.Fatal(err)
		}
		if !n.Mode.IsDir() {
			times[name] = info.ModTime()
		}
	}
	return times
}

// What others build on is not taken back before them, even where the file happens to look right; found by the property below.
func TestUndo_OutOfOrder(t *testing.T) {
	w, m := newKeptWorld(t)
	w.text("write_file", `{"path":"f","content":""}`)
	w.undo(m, changes.Options{}, 1) // 2
	w.undo(m, changes.Options{}, 2) // 3: made again
	w.undo(m, changes.Options{}, 1) // 4
	_, err := w.file.Changes().Undo(t.Context(), m.list(), []int64{3}, changes.Options{})
	isConflict(t, err, "change 4 of it came later")
	w.undo(m, changes.Options{}, 4) // 5: made again
	w.undo(m, changes.Options{}, 3) // what 4 and 5 did is as if it had never been
	if got := w.tree(); len(got) != 2 || len(m.inForce()) != 0 {
		t.Errorf("there is %v, and in force %v", got, m.inForce())
	}
}

// A file that was changed by two ways to it is one file.
func TestUndo_TwoWaysToAFile(t *testing.T) {
	w, m := newKeptWorld(t)
	w.put("ws/real/f", "x")
	w.link("real", "ws/way")
	before := w.tree()
	w.text("write_file", `{"path":"way/f","content":"1","mode":"append"}`)
	w.text("write_file", `{"path":"real/f","content":"2","mode":"append"}`)
	w.text("delete_file", `{"path":"way/f"}`)
	_, err := w.file.Changes().Undo(t.Context(), m.list(), []int64{1}, changes.Options{})
	isConflict(t, err, "change 3 of it came later")
	w.undo(m, changes.Options{}, m.inForce()...)
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What was changed since is not overwritten unless that is wanted, and then it is kept. One conflict, and nothing of
// what was asked for happens.
func TestUndo_Conflict(t *testing.T) {
	w, m := newKeptWorld(t)
	for _, name := range []string{"edited", "other", "chmod", "removed"} {
		w.put("ws/"+name, "old")
		w.text("write_file", `{"path":"`+name+`","content":"new","mode":"overwrite"}`)
	}
	w.put("ws/edited", "a person's")
	if err := errors.Join(os.Chmod(filepath.Join(w.dir, "chmod"), 0o755), os.Remove(filepath.Join(w.dir, "removed"))); err != nil {
		t.Fatal(err)
	}
	before := w.tree()
	_, err := w.file.Changes().Undo(t.Context(), m.list(), m.inForce(), changes.Options{})
	isConflict(t, err, "changed since by somebody", "changed since by somebody", "changed since by somebody") // removed, chmod, edited
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Fatalf("something was taken back: %s", diff)
	}

	done := w.undo(m, changes.Options{Force: true}, m.inForce()...)
	for _, name := range []string{"edited", "other", "chmod", "removed"} {
		if got := w.tree()["ws/"+name]; got != (node{Mode: 0o644, Content: "old"}) {
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
	w.undo(m, changes.Options{}, by...) // and back: nothing was lost
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("what a person had made is not back (-want +got)\n%s", diff)
	}
}

// What cannot be taken back says why.
func TestUndo_Refused(t *testing.T) {
	w, m := newKeptWorld(t)
	w.text("write_file", `{"path":"d/f","content":"one"}`)
	w.text("write_file", `{"path":"d/f","content":"two","mode":"overwrite"}`)
	w.undo(m, changes.Options{}, 2)
	refuse := func(words string, change func(*event.Change)) {
		t.Helper()
		c := m.list()
		change(&c[len(c)-1])
		_, err := w.file.Changes().Undo(t.Context(), c, []int64{1}, changes.Options{})
		isConflict(t, err, words)
	}
	refuse("it is in none of the folders that are open", func(c *event.Change) { c.Path = "/etc/passwd" })
	refuse("it was taken back already, by change 9", func(c *event.Change) { c.UndoneBy = 9 })
	refuse("cannot be read", func(c *event.Change) { c.Before = event.FileState{Kind: event.RegFile, Sum: "00"} })
	refuse("is a folder", func(c *event.Change) { c.Path = w.dir + "/d" })
	refuse("goes through a link that leaves", func(c *event.Change) {
		if err := os.Symlink("..", w.dir+"/up"); err != nil {
			t.Fatal(err)
		}
		c.Path = w.dir + "/up/f"
	})
	if err := os.Truncate(w.dir+"/d/f", 1<<30); err != nil {
		t.Fatal(err)
	}
	_, err := w.file.Changes().Undo(t.Context(), m.list(), []int64{1}, changes.Options{Force: true})
	isConflict(t, err, "is too large to be kept now")

	closed, err := files.New(files.Config{Dir: w.dir, ReadOnly: true, Log: m})
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	w.put("ws/d/f", "one")
	_, err = closed.Changes().Undo(t.Context(), m.list(), []int64{1}, changes.Options{})
	toolstest.IsError(t, err, event.CodeReadOnly, "open for reading only")
}

// A created file whose folder somebody has removed is taken back all the same.
func TestUndo_FolderGone(t *testing.T) {
	w, m := newKeptWorld(t)
	w.text("write_file", `{"path":"d/f","content":"x"}`)
	w.text("write_file", `{"path":"e/f","content":"x"}`)
	w.text("delete_file", `{"path":"e/f"}`)
	if err := errors.Join(os.RemoveAll(w.dir+"/d"), os.RemoveAll(w.dir+"/e")); err != nil {
		t.Fatal(err)
	}
	w.undo(m, changes.Options{}, m.inForce()...)
	if got := w.tree(); len(got) != 2 {
		t.Errorf("there is %v", got)
	}
	if left := m.inForce(); len(left) != 0 {
		t.Errorf("in force there is %v", left)
	}
}

// When one of several fails half way, those before it are made again.
func TestUndo_HalfWay(t *testing.T) {
	w, m := newKeptWorld(t)
	w.text("write_file", `{"path":"a","content":"1"}`)
	w.text("write_file", `{"path":"b","content":"2"}`)
	w.text("write_file", `{"path":"c","content":"3"}`)
	before := w.tree()
	n := 0
	hook := &meddler{memory: m, do: func() {
		if n++; n == 2 { // while b goes, somebody writes to a
			w.put("ws/a", "theirs")
		}
	}}
	file, err := files.New(files.Config{Dir: w.dir, Log: hook})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = file.Changes().Undo(t.Context(), m.list(), m.inForce(), changes.Options{})
	toolstest.IsError(t, err, event.CodeExecutionFailed, "a was changed at the same moment")
	before["ws/a"] = node{Mode: 0o644, Content: "theirs"}
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if left := m.inForce(); len(left) != 3 {
		t.Errorf("in force there is %v", left)
	}
}

// Wherever the process ends, the file is what it was or what it was to be, and it is known which.
func TestUndo_AfterACrash(t *testing.T) {
	for _, c := range []struct {
		dies, tool, args string
		stage            event.Stage
	}{
		{"kept", "write_file", `{"path":"f","content":"new","mode":"overwrite"}`, event.Void},
		{"kept", "write_file", `{"path":"d/g","content":"new"}`, event.Void},
		{"kept", "delete_file", `{"path":"f"}`, event.Void},
		{"done", "write_file", `{"path":"f","content":"new","mode":"overwrite"}`, event.Made},
		{"done", "write_file", `{"path":"d/g","content":"new"}`, event.Made},
		{"done", "delete_file", `{"path":"f"}`, event.Made},
	} {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprint(c.dies, c.tool, c.args, later), func(t *testing.T) {
				w, m := newKeptWorld(t)
				w.put("ws/f", "old")
				before := w.tree()
				m.dies = c.dies
				_, _ = w.call(c.tool, c.args)
				m.dies = ""
				if later { // more happened to the file before anybody looked
					_, _ = w.call("write_file", `{"path":"f","content":"more","mode":"append"}`)
					_, _ = w.call("write_file", `{"path":"d/g","content":"more","mode":"append"}`)
				}
				if got := m.changes[0].Stage; got != event.Begun {
					t.Fatalf("the change is %s: this is no crash", got)
				}
				if err := w.file.Changes().Reconcile(t.Context(), m.list()); err != nil {
					t.Fatal(err)
				}
				if got := m.changes[0].Stage; got != c.stage {
					t.Errorf("the change is found to be %s, want %s", got, c.stage)
				}
				w.undo(m, changes.Options{}, m.inForce()...)
				if diff := cmp.Diff(before, w.tree()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	}
	t.Run("and a person edited it", func(t *testing.T) {
		w, m := newKeptWorld(t)
		w.put("ws/f", "old")
		m.dies = "done"
		w.text("write_file", `{"path":"f","content":"new","mode":"overwrite"}`)
		m.dies = ""
		w.put("ws/f", "a person's")
		if err := w.file.Changes().Reconcile(t.Context(), m.list()); err != nil {
			t.Fatal(err)
		}
		if got := m.changes[0].Stage; got != event.Begun {
			t.Errorf("it is said to be %s, which nobody can know", got)
		}
		_, err := w.file.Changes().Undo(t.Context(), m.list(), m.inForce(), changes.Options{})
		isConflict(t, err, "it was changed since")
	})
}

// Whatever the tools did, in whatever order, and whatever of it was taken back and made again: taking all of it back
// leaves every file with the bytes and the permissions it had.
func TestUndo_Everything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, m := newKeptWorld(t)
		w.put("ws/a", "alpha\n")
		w.put("ws/d/b", "beta\n")
		w.link("a", "ws/l")
		if err := os.Chmod(w.dir+"/d/b", 0o750); err != nil {
			t.Fatal(err)
		}
		before := w.tree()
		path := rapid.SampledFrom([]string{"a", "d/b", "d/c", "e/f/g", "l"})
		text := rapid.SampledFrom([]string{"", "a", "alpha\n", "xyz"})
		call := func(tool, format string, args ...any) { _, _ = w.call(tool, fmt.Sprintf(format, args...)) }
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
			"undo or redo": func(r *rapid.T) {
				if all := m.list(); len(all) > 0 {
					_, _ = w.file.Changes().Undo(t.Context(), m.list(), []int64{rapid.Int64Range(1, int64(len(all))).Draw(r, "number")}, changes.Options{})
				}
			},
		})
		if _, err := w.file.Changes().Undo(t.Context(), m.list(), m.inForce(), changes.Options{}); err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(before, w.tree()); diff != "" {
			r.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

// A folder that becomes a link to the outside and back again leads nobody out, for deleting and for taking back.
func TestUndo_SwappedForALink(t *testing.T) {
	w, m := newKeptWorld(t)
	w.put("ws/d/f", "mine")
	w.put("outside/f", "secret")
	w.link("../outside", "ws/link")
	w.swap("ws/d", "ws/link", func() {
		for n := 0; n < 300 || n < 100_000 && len(m.list()) < 10; n++ { // on one processor the link may stand there for most of it
			_, _ = w.call("delete_file", `{"path":"d/f"}`)
			_, _ = w.call("write_file", `{"path":"d/f","content":"mine","mode":"overwrite"}`)
			_, _ = w.file.Changes().Undo(t.Context(), m.list(), changes.Last(m.list(), ""), changes.Options{Force: true})
		}
	})
	if got := w.content("outside/f"); got != "secret" || len(m.list()) < 10 {
		t.Errorf("outside there is %q after %d changes", got, len(m.list()))
	}
	for _, c := range m.list() {
		if strings.HasPrefix(c.Path, filepath.Join(w.base, "outside")) {
			t.Errorf("a change outside: %+v", c)
		}
	}
}
