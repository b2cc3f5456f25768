package watch_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/shell"
)

// What a command did is taken back by one undo, and made again by another.
func TestWatch(t *testing.T) {
	for _, command := range []string{
		"rm -r *",
		"rm -rf * .hidden",
		"mv notes old",
		"mv notes/a.md notes/b.md; echo more >> notes/b.md",
		"rm -r notes; echo file > notes",
		"rm top; mkdir -p top/d; echo x > top/d/f; ln -s d top/way",
		"mv notes plans; ln -s plans notes",
		"rm way; echo 'a file' > way",
		"ln -sfn notes way",
		"chmod 600 top; chmod 700 notes; chmod u+s notes/run",
		"rm -r empty; mkdir -p a/b/c",
		"rm -r notes; mkdir notes; mkdir notes/sub",
		"ln top twin; echo two >> twin",
		"sed -i s/one/two/ notes/a.md",
		"mkfifo pipe; rm notes/a.md; mkfifo notes/a.md; rm pipe notes/a.md",
		": > top; printf 'new' > new; exit 3",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWatched(t, plain{})
			w.Put("ws/notes/a.md", "one\n")
			w.Put("ws/notes/sub/deep/b", "two\n")
			w.Put("ws/notes/run", "#!/bin/sh\n")
			w.Put("ws/top", "top\n")
			w.Put("ws/.hidden", "h")
			w.Link("top", "ws/way")
			if err := errors.Join(os.Mkdir(w.Dir+"/empty", 0o700), os.Chmod(w.Dir+"/notes/run", 0o750), os.Chmod(w.Dir+"/notes/sub", 0o711)); err != nil {
				t.Fatal(err)
			}
			before := w.Tree()
			w.run("%s", command)
			after := w.Tree()
			w.undoLast()
			w.is(before)
			again := w.Log.List()[0].ID
			w.Undo(w.Log, changes.Options{}, changes.Together(w.Log.List(), []int64{again})...)
			w.is(after)
			w.Undo(w.Log, changes.Options{}, changes.Together(w.Log.List(), []int64{w.Log.List()[0].ID})...)
			w.is(before)
			for _, c := range w.Log.List() {
				if c.Lost {
					t.Errorf("lost: %+v", c)
				}
			}
		})
	}
}

// The receipt counts what a command changed, and no change is remembered of one that changed nothing.
func TestWatch_Tells(t *testing.T) {
	w := newWatched(t, strongest())
	w.Put("ws/a", "a")
	w.Put("ws/b", "b")
	if got := w.run("ls; touch a").Effects[0].Detail; got != "exit status 0" || len(w.Log.List()) > 0 {
		t.Errorf("%q, %v", got, w.Log.List())
	}
	res := w.run("rm a; echo >> b; echo > c; echo > d")
	if got := res.Effects[0].Detail; got != "exit status 0; created 2 files, changed 1, deleted 1" {
		t.Errorf("%q", got)
	}
	if res.Text != "exit status 0\n(no output)" {
		t.Errorf("the model reads %q", res.Text)
	}
	for _, c := range w.Log.List() {
		if c.What != "rm a; echo >> b; echo > c; echo > d" || c.GroupID() != 1 {
			t.Errorf("%+v", c)
		}
	}
}

// What is too large is not brought back, and that is said; all else is.
func TestWatch_TooLarge(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("ws/large", strings.Repeat("x", 1<<20+1))
	w.Put("ws/small", "small")
	res := w.run("rm *")
	if want := "exit status 0\n(no output)\n[1 changed file cannot be taken back: too large]"; res.Text != want {
		t.Errorf("the model reads %q", res.Text)
	}
	w.undoLast()
	if got := w.Tree(); got["ws/small"].Content != "small" || len(got) != 3 {
		t.Errorf("there is %v", got)
	}
	w.Put("ws/large", strings.Repeat("x", 1<<20+1))
	if got := w.run("ln large twin").Text; strings.Contains(got, "[") {
		t.Errorf("the model reads %q of what only got another name", got)
	}
}

// Of many files those that were changed last are kept.
func TestWatch_TooMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	w := newWatched(t, plain{})
	for n := range 5010 {
		w.Put(fmt.Sprintf("ws/d%d/f%d", n%50, n), "x")
	}
	w.Put("ws/new", "new")
	res := w.run("rm new; rm -r d*")
	if want := "[11 changed files cannot be taken back: too many]"; !strings.HasSuffix(res.Text, want) {
		t.Errorf("the model reads %q", res.Text)
	}
	if got := res.Effects[0].Detail; got != "exit status 0; deleted 5011 files" {
		t.Errorf("%q", got)
	}
	if _, err := w.Log.Image(t.Context(), fmt.Sprintf("%x", sha256.Sum256([]byte("new")))); err != nil {
		t.Errorf("the newest: %v", err)
	}
}

// A folder that nobody may write to comes back as one that its owner may: what was in it has to come back, too.
func TestWatch_FolderForReading(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("ws/d/f", "x")
	if err := os.Chmod(w.Dir+"/d", 0o555); err != nil {
		t.Fatal(err)
	}
	w.run("chmod 755 d; rm -r d")
	w.undoLast()
	if got := w.Tree(); got["ws/d"].Mode.Perm() != 0o755 || got["ws/d/f"].Content != "x" {
		t.Errorf("there is %v", got)
	}
}

// Where not everything can be looked at, nothing is taken for made or deleted; that is said when something did change.
func TestWatch_NotAllSeen(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("ws/a", "a")
	want := "[what it changed cannot be taken back: there are too many files in the workspace]"
	for _, command := range []string{"mkdir -p " + strings.Repeat("d/", 70), "rm a"} {
		if got := w.run("%s", command).Text; !strings.HasSuffix(got, want) {
			t.Errorf("the model reads %q", got)
		}
	}
	if got := w.run("ls").Text; got != "d" {
		t.Errorf("the model reads %q", got)
	}
	if len(w.Log.Changes) > 0 {
		t.Errorf("there is %v", w.Log.Changes)
	}
}

// What is not kept in time is said to be lost; the command runs all the same.
func TestWatch_NoTime(t *testing.T) {
	w := newWatched(t, plain{}, func(c *files.Config) { c.WatchTime = time.Nanosecond })
	w.Put("ws/a", "a")
	want := "exit status 0\n(no output)\n[what it changed cannot be taken back: there are too many files in the workspace]"
	if got := w.run("rm a").Text; got != want {
		t.Errorf("the model reads %q", got)
	}
}

// With a full disk commands run; that what they change cannot be taken back is said of those that do change something.
func TestWatch_DiskFull(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("ws/a", "a")
	w.Log.Failing = errors.New("disk full")
	if got := w.run("cat a").Text; got != "a" {
		t.Errorf("%q", got)
	}
	want := "exit status 0\n(no output)\n[2 changed files cannot be taken back: there was no room or time to keep what they were]"
	if got := w.run("rm a; echo > b").Text; got != want {
		t.Errorf("%q", got)
	}
	w.Log.Failing = nil
	w.run("echo > c")
	w.undoLast()
	if got := w.Tree(); len(got) != 3 {
		t.Errorf("there is %v", got)
	}
}

// A content is read and kept once, until the log has let go of some.
func TestWatch_ReadsOnce(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("ws/a", "a")
	past := time.Now().Add(-time.Hour)
	w.until(func() bool { // the times of the file are those of a while ago
		w.run("true")
		n := w.Log.Taken
		w.run("true")
		return w.Log.Taken == n
	})
	n := w.Log.Taken
	if err := os.Chtimes(w.Dir+"/a", past, past); err != nil {
		t.Fatal(err)
	}
	w.run("true")
	if w.Log.Taken == n {
		t.Error("what was changed was not read again")
	}
	w.until(func() bool { n = w.Log.Taken; w.run("true"); return w.Log.Taken == n })
	w.Log.Pruned, w.Log.Images = "1", map[string][]byte{}
	w.run("rm a")
	w.undoLast()
	if got := w.Content("ws/a"); got != "a" {
		t.Errorf("there is %q", got)
	}
}

// meddling is a plain in which something happens after the command, before anybody looks.
type meddling struct {
	plain

	do func()
}

func (m *meddling) Run(ctx context.Context, p sandbox.Policy, c sandbox.Command) (sandbox.Outcome, error) {
	out, err := m.plain.Run(ctx, p, c)
	m.do()
	return out, err
}

// What tools write while a command runs is remembered once, as theirs.
func TestWatch_OthersMeanwhile(t *testing.T) {
	box := &meddling{}
	w := newWatched(t, box)
	w.Put("ws/a", "a")
	w.Put("ws/b", "b")
	before := w.Tree()
	box.do = func() {
		w.Text("write_file", `{"path":"a","content":"tool","mode":"overwrite"}`)
		w.Text("write_file", `{"path":"d/new","content":"tool"}`)
		w.Text("delete_file", `{"path":"b"}`)
	}
	res := w.run("echo mine > mine")
	if got := res.Effects[0].Detail; got != "exit status 0; created 1 file" || len(w.Log.List()) != 4 {
		t.Errorf("%q, %d changes", got, len(w.Log.List()))
	}
	w.Undo(w.Log, changes.Options{}, w.Log.InForce()...)
	w.is(before)

	box.do = func() { w.Text("write_file", `{"path":"a","content":"tool","mode":"overwrite"}`) }
	if got := w.run("echo more >> a").Text; !strings.HasSuffix(got, "[1 changed file cannot be taken back: changed by several at the same time]") {
		t.Errorf("the model reads %q", got)
	}
}

// What a person changed since stands in the way of all of it.
func TestWatch_Conflict(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("ws/a", "a")
	w.Put("ws/b", "b")
	w.run("rm a; echo x >> b; mkdir d; echo > c")
	w.Put("ws/b", "mine")
	left := w.Tree()
	_, err := w.Files.Changes().Undo(t.Context(), w.Log.List(), changes.LastCall(w.Log.List(), ""), changes.Options{})
	filestest.IsConflict(t, err, "changed since")
	w.is(left)
	w.Put("ws/d/mine", "mine")
	w.Undo(w.Log, changes.Options{Force: true}, changes.LastCall(w.Log.List(), "")...)
	if got := w.Tree(); got["ws/b"].Content != "b" || got["ws/a"].Content != "a" || got["ws/d/mine"].Content != "mine" {
		t.Errorf("there is %v", got)
	}
}

// Other mounts, links to the outside, pipes and what is denied are not looked into, and cannot hold a command up.
func TestWatch_Guards(t *testing.T) {
	var w watched
	w = newWatched(t, plain{}, func(c *files.Config) { c.Deny = []string{c.Dir + "/own", c.Dir + "/mine"} })
	w.Put("ws/own/secret", "secret")
	w.Put("ws/mine", "secret2")
	w.Put("outside/f", "far")
	w.Link("../outside", "ws/far")
	w.Special("ws/pipe", func(path string) error { return unix.Mkfifo(path, 0o600) })
	if err := os.Link(w.Dir+"/mine", w.Dir+"/twin"); err != nil {
		t.Fatal(err)
	}
	w.Put("ws/.hob-tmp-1", "being written")
	res := w.run("echo x >> own/secret; echo x >> mine; echo x >> far/f; echo x > .hob-tmp-1; rm pipe")
	if len(w.Log.Changes) > 0 || len(w.Log.Images) > 1 || res.Effects[0].Detail != "exit status 0" {
		t.Errorf("%v, %q, %q", w.Log.Changes, w.Log.Images, res.Effects[0].Detail)
	}
	for _, content := range w.Log.Images {
		if strings.Contains(string(content), "secret") {
			t.Errorf("%q was kept", content)
		}
	}
	if w.Files.Watch() == nil {
		t.Error("there is no watch")
	}
	readOnly, _ := filestest.NewKept(t, func(c *files.Config) { c.ReadOnly = true })
	if readOnly.Files.Watch() != nil {
		t.Error("what cannot change is watched")
	}
}

// Whatever commands do to a few names, one after the other, each can be taken back, and all together.
func TestWatch_Everything(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rapid.Check(t, func(r *rapid.T) {
		w := newWatched(t, plain{})
		w.Put("ws/a", "alpha\n")
		w.Put("ws/d/b", "beta\n")
		w.Put("ws/d/e/c", "gamma\n")
		w.Link("a", "ws/l")
		before := w.Tree()
		name := rapid.SampledFrom([]string{"a", "d", "d/b", "d/e", "d/e/c", "l", "n", "n/m"})
		for range rapid.IntRange(1, 4).Draw(r, "commands") {
			start, known := w.Tree(), len(w.Log.List())
			var script []string
			for range rapid.IntRange(1, 6).Draw(r, "steps") {
				x, y := name.Draw(r, "x"), name.Draw(r, "y")
				script = append(script, fmt.Sprintf(rapid.SampledFrom([]string{
					"echo %[1]s > %[1]s", "echo %[2]s >> %[1]s", "mv %[1]s %[2]s", "rm -rf %[1]s", "mkdir -p %[1]s", "ln -s %[2]s %[1]s",
					"ln %[1]s %[2]s", "chmod 750 %[1]s", "cp -r %[1]s %[2]s", "rmdir %[1]s", "mkfifo %[1]s; rm %[1]s",
				}).Draw(r, "step"), x, y))
			}
			w.run("%s", "exec 2>/dev/null; "+strings.Join(script, "; ")+"; true")
			if len(w.Log.List()) == known || !rapid.Bool().Draw(r, "undo") {
				continue
			}
			w.undoLast()
			if diff := cmp.Diff(start, w.Tree()); diff != "" {
				r.Fatalf("after %q (-want +got)\n%s", script, diff)
			}
		}
		if _, err := w.Files.Changes().Undo(t.Context(), w.Log.List(), w.Log.InForce(), changes.Options{}); err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(before, w.Tree()); diff != "" {
			r.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

// What a process changed is remembered when it has ended, and can be taken back.
func TestWatch_Process(t *testing.T) {
	w, m := filestest.NewKept(t)
	processes := shell.NewProcesses(shell.ProcessesConfig{Now: time.Now})
	t.Cleanup(processes.Close)
	s := shellAt(t, shell.Config{Sandbox: strongest(), Unsandboxed: true, Background: processes, Dir: w.Dir, Watch: w.Files.Watch()})
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	w.Put("ws/a", "a")
	w.Put("ws/b", "b")
	start := []byte(`{"command":"rm a; touch up; exec sleep 1000","background":true}`)
	if res, err := tools.Call(ctx, s.Tool(), start); err != nil || len(m.List()) > 0 {
		t.Fatalf("%q, %v, %v", res.Text, err, m.List())
	}
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for w.Tree()["ws/up"] == (filestest.Node{}) { // it runs when this is there
		<-again.C
	}
	w.Text("write_file", `{"path":"b","content":"tool","mode":"overwrite"}`)
	if res, err := tools.Call(ctx, processes.Tool(), []byte(`{"id":1,"stop":true}`)); err != nil || !strings.HasPrefix(res.Text, "process 1: stopped") {
		t.Errorf("%q, %v", res.Text, err)
	}
	if n := len(m.List()); n != 3 {
		t.Errorf("there are %d changes, want those of a, b and up", n)
	}
	w.Undo(&filestest.Log{Changes: m.Changes, Images: m.Images}, changes.Options{}, changes.LastCall(m.List(), "")...)
	if got := w.Tree(); got["ws/a"].Content != "a" || got["ws/b"].Content != "tool" || len(got) != 4 {
		t.Errorf("there is %v", got)
	}
}
