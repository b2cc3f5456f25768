package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/watch"
	"hob/internal/tools/shell"
)

// settle waits until a file system's clock shows that what is there was changed before now.
func settle(w marked) {
	w.t.Helper()
	old := time.Now().Add(-time.Hour)
	for path, n := range w.tree() {
		if n.Mode.IsRegular() {
			_ = os.Chtimes(filepath.Join(w.base, path), old, old)
		}
	}
	for began := time.Now(); time.Since(began) < 110*time.Millisecond; {
		w.tree() // there is no way to set when a file was last touched
	}
}

// What a stranger's command has made and changed is marked, whatever its size; what it left alone is not.
func TestWatch_MarksWhatCommandsWrite(t *testing.T) {
	w := newMarked(t)
	for _, name := range []string{"same", "changed", "gone", "moved", "touched", "d/same", "d/changed", "tree/f"} {
		w.put("ws/"+name, "before")
	}
	w.put("ws/large", strings.Repeat("x", 3<<20))
	settle(w)
	seen := w.command(strange(), func() {
		if diff := cmp.Diff([]string{looseMark}, w.now()); diff != "" {
			t.Errorf("while it runs (-want +got)\n%s", diff)
		}
		if !w.stranger("read_file", `{"path":"same"}`) || !w.file.Origins().Taint(t.Context()).Untrusted {
			t.Error("while it runs nobody can know what it writes")
		}
		for _, name := range []string{"changed", "d/changed", "new", "made/new", "large"} {
			w.put("ws/"+name, strings.Repeat("y", 3<<20))
		}
		at := func(name string) string { return filepath.Join(w.dir, name) }
		if err := errors.Join(os.Remove(at("gone")), os.Rename(at("moved"), at("d/moved")), os.Rename(at("tree"), at("wood")),
			os.Chmod(at("touched"), 0o600), os.Mkdir(at("empty"), 0o755), os.Symlink("same", at("link"))); err != nil {
			t.Fatal(err)
		}
	})
	want := []string{"changed", "d/changed", "d/moved", "empty/" + nameMark, "large", "link", "made/" + nameMark, "made/new", "new", "touched",
		"wood/" + nameMark, "wood/f"}
	if diff := cmp.Diff(want, w.now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if seen.Label != strange() || seen.Doubt != "" {
		t.Errorf("%+v", seen)
	}
	if w.stranger("read_file", `{"path":"same"}`) {
		t.Error("what it left alone counts as a stranger's")
	}
}

// The household's commands mark nothing, unless they could read what is a stranger's.
func TestWatch_TrustedCommands(t *testing.T) {
	w := newMarked(t)
	w.put("ws/page", "theirs")
	settle(w)
	if seen := w.command(event.Label{Private: true}, func() { w.put("ws/copy", "theirs") }); w.now() != nil || seen.Label.Untrusted {
		t.Errorf("%v is marked, %+v", w.now(), seen)
	}
	w.mark("page")
	settle(w)
	seen := w.command(event.Label{Private: true}, func() { w.put("ws/copy2", "theirs") })
	if diff := cmp.Diff([]string{"copy2", "page"}, w.now()); diff != "" || !seen.Label.Untrusted {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
}

// A tool writes strangers' words while a command is at work that began before: it may take them anywhere.
func TestWatch_MarkedMeanwhile(t *testing.T) {
	w := newMarked(t)
	w.put("ws/same", "x")
	w.put("ws/mine", "x")
	settle(w)
	watch := w.file.Watch()
	first := watch.Before(t.Context(), "first", event.Label{})
	w.put("ws/early", "x")
	if w.stranger("read_file", `{"path":"early"}`) {
		t.Error("there is nothing of strangers yet")
	}
	second := watch.Before(t.Context(), "second", event.Label{})
	w.must(strange(), "write_file", `{"path":"page","content":"theirs"}`)
	if err := os.Rename(filepath.Join(w.dir, "page"), filepath.Join(w.dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if !w.stranger("read_file", `{"path":"moved"}`) {
		t.Error("what a command moved is nobody's")
	}
	seen := second(t.Context())
	if !seen.Label.Untrusted || !w.stranger("read_file", `{"path":"mine"}`) {
		t.Errorf("while the first runs, it may still write what it has read: %+v", seen)
	}
	seen = first(t.Context())
	if diff := cmp.Diff([]string{"early", "moved", "page"}, w.now()); diff != "" || !seen.Label.Untrusted {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
	if w.stranger("read_file", `{"path":"mine"}`) || first(t.Context()) != seen {
		t.Error("what was left alone counts as a stranger's, or the end came twice")
	}
}

// A hob that is killed while a stranger's command runs leaves word, which stands until a person has looked.
func TestWatch_Killed(t *testing.T) {
	w := newMarked(t)
	w.put("ws/f", "x")
	w.file.Watch().Before(t.Context(), "a command", strange())
	w.put("ws/new", "theirs") // and here it ends
	w = w.again()
	if !w.stranger("read_file", `{"path":"new"}`) || !w.file.Origins().Taint(t.Context()).Untrusted {
		t.Error("what a command wrote is nobody's after a kill")
	}
	settle(w)
	w.command(strange(), func() {})
	if diff := cmp.Diff([]string{"."}, w.now()); diff != "" || !w.stranger("read_file", `{"path":"new"}`) {
		t.Errorf("the next command took the mark away (-want +got)\n%s", diff)
	}
	if err := w.o.ForgetOrigins(t.Context(), []string{w.dir}); err != nil || w.stranger("read_file", `{"path":"new"}`) {
		t.Errorf("a person cannot take it away: %v", err)
	}
	// One that is killed before it could find that out leaves it to the next.
	w.mark(looseMark)
	w = w.again()
	w.o.fail(errors.New("no"))
	w.command(strange(), func() {})
	w.o.fail(nil)
	w.command(event.Label{}, func() {})
	if diff := cmp.Diff([]string{"."}, w.now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What could not be marked makes all of the workspace a stranger's, and it is said.
func TestWatch_CannotMark(t *testing.T) {
	w := newMarked(t)
	w.put("ws/f", "x")
	settle(w)
	seen := w.command(strange(), func() {
		w.put("ws/new", "theirs")
		w.o.fail(errors.New("the disk is full"))
	})
	if want := "what it changed could not be marked: the disk is full"; seen.Doubt != want {
		t.Errorf("%q, want %q", seen.Doubt, want)
	}
	w.o.fail(nil)
	if !w.stranger("read_file", `{"path":"f"}`) || !w.stranger("list_files", `{"dir":"."}`) || !w.file.Origins().Taint(t.Context()).Untrusted {
		t.Error("what a command wrote is nobody's")
	}
	seen = w.command(event.Label{}, func() {})
	if diff := cmp.Diff([]string{"."}, w.now()); diff != "" || !seen.Label.Untrusted {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
}

// Where not all can be looked at, all that there is counts as a stranger's, and the model is told.
func TestWatch_MarksAllInDoubt(t *testing.T) {
	w := newMarked(t)
	w.put("ws/f", "x")
	deep := "ws" + strings.Repeat("/d", 70)
	seen := w.command(strange(), func() { w.put(deep+"/f", "theirs") })
	if diff := cmp.Diff([]string{"."}, w.now()); diff != "" || seen.Doubt == "" {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
	w = newMarked(t)
	s := shellAt(t, shell.Config{Sandbox: plain{}, Unsandboxed: true, Dir: w.dir, Watch: w.file.Watch()})
	res, err := runAt(t, s, "mkdir -p "+strings.Repeat("d/", 70))
	const words = "[all that is in the workspace counts as somebody else's now: not all of it could be looked at to find out what was changed]"
	if err != nil || !strings.HasSuffix(res.Text, words) {
		t.Errorf("%v, %q", err, res.Text)
	}
}

// A folder that a command closed behind it is marked with all that is in it.
func TestWatch_ClosedFolder(t *testing.T) {
	if unix.Geteuid() == 0 {
		t.Skip("no folder is closed to root")
	}
	w := newMarked(t)
	w.put("ws/d/f", "x")
	settle(w)
	w.command(strange(), func() {
		w.put("ws/d/f", "theirs")
		if err := os.Chmod(filepath.Join(w.dir, "d"), 0); err != nil {
			t.Fatal(err)
		}
	})
	if err := os.Chmod(filepath.Join(w.dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if !w.stranger("read_file", `{"path":"d/f"}`) {
		t.Errorf("only %v is marked", w.now())
	}
}

// Of very many files the folders are marked that the command made, and nothing is left out.
func TestWatch_MarksMany(t *testing.T) {
	w := newMarked(t)
	w.put("ws/d/f", "x")
	settle(w)
	w.command(strange(), func() {
		for i := range 2100 {
			w.put(fmt.Sprintf("ws/d/new/%d/%d", i%20, i), "theirs")
		}
		w.put("ws/d/g", "theirs")
	})
	if diff := cmp.Diff([]string{"d/g", "d/new"}, w.now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What was written right before a command, and is the same after it, is left alone.
func TestWatch_JustWritten(t *testing.T) {
	w := newMarked(t)
	w.must(event.Label{}, "write_file", `{"path":"mine","content":"x"}`)
	w.command(strange(), func() {})
	if got := w.now(); got != nil {
		t.Errorf("%v is marked", got)
	}
}

// A job that never began ends what was noted for it.
func TestWatch_JobThatNeverBegan(t *testing.T) {
	w := newMarked(t)
	w.put("ws/f", "x")
	jobs := shell.NewJobs(shell.JobsConfig{Now: time.Now})
	s := shellAt(t, shell.Config{Sandbox: plain{}, Unsandboxed: true, Dir: w.dir, Watch: w.file.Watch(), Jobs: jobs})
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	_, _ = tools.Call(ctx, s.Tool(), []byte(`{"command":"true","background":true}`))
	if got := w.now(); got != nil {
		t.Errorf("%v is marked", got)
	}
}

// Whatever tools and commands do with strangers' words, and in whatever order: nothing that shows them counts as the
// household's.
func TestOrigins_FollowTheWords(t *testing.T) {
	const words = "STRANGE"
	rapid.Check(t, func(r *rapid.T) {
		w := newMarked(t)
		name := rapid.SampledFrom([]string{"a", "b", "d/a", "d/e/b"})
		var running []func(context.Context) watch.Seen
		write := func(from event.Label, content string) {
			args := fmt.Sprintf(`{"path":%q,"content":%q,"mode":%q}`, name.Draw(r, "path"), content, rapid.SampledFrom([]string{"append", "overwrite"}).Draw(r, "mode"))
			_, _ = w.as(from, "write_file", args)
		}
		shown := func(res tools.Result) {
			if strings.Contains(res.Text, words) && !res.Label.Untrusted {
				r.Fatalf("%q is the household's; marked is %v", res.Text, w.now())
			}
		}
		look := func() {
			for _, path := range []string{"a", "b", "d/a", "d/e/b"} {
				res, _ := w.as(event.Label{}, "read_file", fmt.Sprintf(`{"path":%q}`, path))
				shown(res)
			}
			res, _ := w.as(event.Label{}, "search_files", `{"pattern":"STR"}`)
			shown(res)
		}
		r.Repeat(map[string]func(*rapid.T){
			"theirs": func(*rapid.T) { write(strange(), words) },
			"mine":   func(*rapid.T) { write(event.Label{}, "mine") },
			"edit": func(*rapid.T) {
				res, _ := w.as(event.Label{}, "read_file", fmt.Sprintf(`{"path":%q}`, name.Draw(r, "from")))
				write(res.Label, res.Text)
			},
			"delete": func(*rapid.T) {
				_, _ = w.as(event.Label{}, "delete_file", fmt.Sprintf(`{"path":%q}`, name.Draw(r, "path")))
			},
			"undo": func(*rapid.T) {
				_, _ = w.file.Changes().Undo(t.Context(), w.m.list(), changes.Last(w.m.list(), ""), changes.Options{Force: true})
			},
			"begin": func(*rapid.T) {
				if len(running) > 2 {
					r.Skip("there are enough")
				}
				running = append(running, w.file.Watch().Before(t.Context(), "a command", w.file.Origins().Taint(t.Context())))
			},
			"work": func(*rapid.T) {
				if len(running) == 0 {
					r.Skip("nothing runs")
				}
				from, to := filepath.Join(w.dir, name.Draw(r, "from")), filepath.Join(w.dir, name.Draw(r, "to"))
				raw, _ := os.ReadFile(from)
				_ = os.MkdirAll(filepath.Dir(to), 0o755)
				if rapid.Bool().Draw(r, "moves") {
					_ = os.Rename(from, to)
				} else if raw != nil {
					_ = os.WriteFile(to, raw, 0o600)
				}
			},
			"end": func(*rapid.T) {
				if len(running) > 0 {
					i := rapid.IntRange(0, len(running)-1).Draw(r, "which")
					running[i](t.Context())
					running = slices.Delete(running, i, i+1)
				}
			},
			"look": func(*rapid.T) { look() },
		})
		look()
	})
}
