package watch_test

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
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/watch"
	"hob/internal/tools/shell"
)

// settle waits until a file system's clock shows that what is there was changed longer ago than it may stand still.
func settle(w filestest.Marked) {
	w.T.Helper()
	old := time.Now().Add(-time.Hour)
	for path, n := range w.Tree() {
		if n.Mode.IsRegular() {
			_ = os.Chtimes(filepath.Join(w.Base, path), old, old)
		}
	}
	probe := filepath.Join(w.T.TempDir(), "clock")
	clock := func() time.Time {
		if err := os.WriteFile(probe, []byte("tick"), 0o600); err != nil {
			w.T.Fatal(err)
		}
		info, err := os.Stat(probe)
		if err != nil {
			w.T.Fatal(err)
		}
		return info.ModTime()
	}
	for now := clock(); clock().Sub(now) <= 100*time.Millisecond; {
		<-time.After(time.Millisecond)
	}
}

// What a stranger's command has made and changed is filestest.Marked, whatever its size; what it left alone is not.
func TestWatch_MarksWhatCommandsWrite(t *testing.T) {
	w := filestest.NewMarked(t)
	for _, name := range []string{"same", "changed", "gone", "moved", "touched", "d/same", "d/changed", "tree/f"} {
		w.Put("ws/"+name, "before")
	}
	w.Put("ws/large", strings.Repeat("x", 3<<20))
	settle(w)
	seen := w.Command(filestest.Strange(), func() {
		if diff := cmp.Diff([]string{filestest.LooseMark}, w.Now()); diff != "" {
			t.Errorf("while it runs (-want +got)\n%s", diff)
		}
		if !w.Stranger("read_file", `{"path":"same"}`) || !w.Files.Origins().Taint(t.Context()).Untrusted {
			t.Error("while it runs nobody can know what it writes")
		}
		for _, name := range []string{"changed", "d/changed", "new", "made/new", "large"} {
			w.Put("ws/"+name, strings.Repeat("y", 3<<20))
		}
		at := func(name string) string { return filepath.Join(w.Dir, name) }
		if err := errors.Join(os.Remove(at("gone")), os.Rename(at("moved"), at("d/moved")), os.Rename(at("tree"), at("wood")),
			os.Chmod(at("touched"), 0o600), os.Mkdir(at("empty"), 0o755), os.Symlink("same", at("link"))); err != nil {
			t.Fatal(err)
		}
	})
	want := []string{"changed", "d/changed", "d/moved", "empty/" + filestest.NameMark, "large", "link", "made/" + filestest.NameMark, "made/new", "new", "touched",
		"wood/" + filestest.NameMark, "wood/f"}
	if diff := cmp.Diff(want, w.Now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if seen.Label != filestest.Strange() || seen.Doubt != "" {
		t.Errorf("%+v", seen)
	}
	if w.Stranger("read_file", `{"path":"same"}`) {
		t.Error("what it left alone counts as a stranger's")
	}
}

// The household's commands mark nothing, unless they could read what is a stranger's.
func TestWatch_TrustedCommands(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/page", "theirs")
	settle(w)
	if seen := w.Command(event.Label{Private: true}, func() { w.Put("ws/copy", "theirs") }); w.Now() != nil || seen.Label.Untrusted {
		t.Errorf("%v is filestest.Marked, %+v", w.Now(), seen)
	}
	w.Mark("page")
	settle(w)
	seen := w.Command(event.Label{Private: true}, func() { w.Put("ws/copy2", "theirs") })
	if diff := cmp.Diff([]string{"copy2", "page"}, w.Now()); diff != "" || !seen.Label.Untrusted {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
}

// A tool writes strangers' words while a command is at work that began before: it may take them anywhere.
func TestWatch_MarkedMeanwhile(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/same", "x")
	w.Put("ws/mine", "x")
	settle(w)
	watch := w.Files.Watch()
	first := watch.Before(t.Context(), "first", event.Label{})
	w.Put("ws/early", "x")
	if w.Stranger("read_file", `{"path":"early"}`) {
		t.Error("there is nothing of strangers yet")
	}
	second := watch.Before(t.Context(), "second", event.Label{})
	w.Must(filestest.Strange(), "write_file", `{"path":"page","content":"theirs"}`)
	if err := os.Rename(filepath.Join(w.Dir, "page"), filepath.Join(w.Dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if !w.Stranger("read_file", `{"path":"moved"}`) {
		t.Error("what a command moved is nobody's")
	}
	seen := second(t.Context())
	if !seen.Label.Untrusted || !w.Stranger("read_file", `{"path":"mine"}`) {
		t.Errorf("while the first runs, it may still write what it has read: %+v", seen)
	}
	seen = first(t.Context())
	if diff := cmp.Diff([]string{"early", "moved", "page"}, w.Now()); diff != "" || !seen.Label.Untrusted {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
	if w.Stranger("read_file", `{"path":"mine"}`) || first(t.Context()) != seen {
		t.Error("what was left alone counts as a stranger's, or the end came twice")
	}
}

// A hob that is killed while a stranger's command runs leaves word, which stands until a person has looked.
func TestWatch_Killed(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/f", "x")
	w.Files.Watch().Before(t.Context(), "a command", filestest.Strange())
	w.Put("ws/new", "theirs") // and here it ends
	w = w.Again()
	if !w.Stranger("read_file", `{"path":"new"}`) || !w.Files.Origins().Taint(t.Context()).Untrusted {
		t.Error("what a command wrote is nobody's after a kill")
	}
	settle(w)
	w.Command(filestest.Strange(), func() {})
	if diff := cmp.Diff([]string{"."}, w.Now()); diff != "" || !w.Stranger("read_file", `{"path":"new"}`) {
		t.Errorf("the next command took the mark away (-want +got)\n%s", diff)
	}
	if err := w.Origins.Forget(t.Context(), []string{w.Dir}); err != nil || w.Stranger("read_file", `{"path":"new"}`) {
		t.Errorf("a person cannot take it away: %v", err)
	}
	// One that is killed before it could find that out leaves it to the next.
	w.Mark(filestest.LooseMark)
	w = w.Again()
	w.Origins.Fail(errors.New("no"))
	w.Command(filestest.Strange(), func() {})
	w.Origins.Fail(nil)
	w.Command(event.Label{}, func() {})
	if diff := cmp.Diff([]string{"."}, w.Now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What could not be filestest.Marked makes all of the workspace a stranger's, and it is said.
func TestWatch_CannotMark(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/f", "x")
	settle(w)
	seen := w.Command(filestest.Strange(), func() {
		w.Put("ws/new", "theirs")
		w.Origins.Fail(errors.New("the disk is full"))
	})
	if want := "what it changed could not be marked: the disk is full"; seen.Doubt != want {
		t.Errorf("%q, want %q", seen.Doubt, want)
	}
	w.Origins.Fail(nil)
	if !w.Stranger("read_file", `{"path":"f"}`) || !w.Stranger("list_files", `{"path":"."}`) || !w.Files.Origins().Taint(t.Context()).Untrusted {
		t.Error("what a command wrote is nobody's")
	}
	seen = w.Command(event.Label{}, func() {})
	if diff := cmp.Diff([]string{"."}, w.Now()); diff != "" || !seen.Label.Untrusted {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
}

// Where not all can be looked at, all that there is counts as a stranger's, and the model is told.
func TestWatch_MarksAllInDoubt(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/f", "x")
	deep := "ws" + strings.Repeat("/d", 70)
	seen := w.Command(filestest.Strange(), func() { w.Put(deep+"/f", "theirs") })
	if diff := cmp.Diff([]string{"."}, w.Now()); diff != "" || seen.Doubt == "" {
		t.Errorf("%+v (-want +got)\n%s", seen, diff)
	}
	w = filestest.NewMarked(t)
	s := shellAt(t, shell.Config{Sandbox: plain{}, Unsandboxed: true, Dir: w.Dir, Watch: w.Files.Watch()})
	res, err := runAt(t, s, "mkdir -p "+strings.Repeat("d/", 70))
	const words = "[all that is in the workspace counts as somebody else's now: not all of it could be looked at to find out what was changed]"
	if err != nil || !strings.HasSuffix(res.Text, words) {
		t.Errorf("%v, %q", err, res.Text)
	}
}

// A folder that a command closed behind it is filestest.Marked with all that is in it.
func TestWatch_ClosedFolder(t *testing.T) {
	if unix.Geteuid() == 0 {
		t.Skip("no folder is closed to root")
	}
	w := filestest.NewMarked(t)
	w.Put("ws/d/f", "x")
	settle(w)
	w.Command(filestest.Strange(), func() {
		w.Put("ws/d/f", "theirs")
		if err := os.Chmod(filepath.Join(w.Dir, "d"), 0); err != nil {
			t.Fatal(err)
		}
	})
	if err := os.Chmod(filepath.Join(w.Dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if !w.Stranger("read_file", `{"path":"d/f"}`) {
		t.Errorf("only %v is marked", w.Now())
	}
}

// Of very many files the folders are filestest.Marked that the command made, and nothing is left out.
func TestWatch_MarksMany(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/d/f", "x")
	settle(w)
	w.Command(filestest.Strange(), func() {
		for i := range 2100 {
			w.Put(fmt.Sprintf("ws/d/new/%d/%d", i%20, i), "theirs")
		}
		w.Put("ws/d/g", "theirs")
	})
	if diff := cmp.Diff([]string{"d/g", "d/new"}, w.Now()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What was written right before a command, and is the same after it, is left alone.
func TestWatch_JustWritten(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Must(event.Label{}, "write_file", `{"path":"mine","content":"x"}`)
	w.Command(filestest.Strange(), func() {})
	if got := w.Now(); got != nil {
		t.Errorf("%v is marked", got)
	}
}

// A process that never began ends what was noted for it.
func TestWatch_ProcessThatNeverBegan(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/f", "x")
	processes := shell.NewProcesses(shell.ProcessesConfig{Now: time.Now})
	s := shellAt(t, shell.Config{Sandbox: plain{}, Unsandboxed: true, Dir: w.Dir, Watch: w.Files.Watch(), Background: processes})
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	_, _ = tools.Call(ctx, s.Tool(), []byte(`{"command":"true","background":true}`))
	if got := w.Now(); got != nil {
		t.Errorf("%v is marked", got)
	}
}

// Whatever tools and commands do with strangers' words, and in whatever order: nothing that shows them counts as the
// household's.
func TestOrigins_FollowTheWords(t *testing.T) {
	const words = "STRANGE"
	rapid.Check(t, func(r *rapid.T) {
		w := filestest.NewMarked(t)
		name := rapid.SampledFrom([]string{"a", "b", "d/a", "d/e/b"})
		var running []func(context.Context) watch.Seen
		write := func(from event.Label, content string) {
			args := fmt.Sprintf(`{"path":%q,"content":%q,"mode":%q}`, name.Draw(r, "path"), content, rapid.SampledFrom([]string{"append", "overwrite"}).Draw(r, "mode"))
			_, _ = w.As(from, "write_file", args)
		}
		shown := func(res tools.Result) {
			if strings.Contains(res.Text, words) && !res.Label.Untrusted {
				r.Fatalf("%q is the household's; filestest.Marked is %v", res.Text, w.Now())
			}
		}
		look := func() {
			for _, path := range []string{"a", "b", "d/a", "d/e/b"} {
				res, _ := w.As(event.Label{}, "read_file", fmt.Sprintf(`{"path":%q}`, path))
				shown(res)
			}
			res, _ := w.As(event.Label{}, "search_files", `{"pattern":"STR"}`)
			shown(res)
		}
		r.Repeat(map[string]func(*rapid.T){
			"theirs": func(*rapid.T) { write(filestest.Strange(), words) },
			"mine":   func(*rapid.T) { write(event.Label{}, "mine") },
			"edit": func(*rapid.T) {
				res, _ := w.As(event.Label{}, "read_file", fmt.Sprintf(`{"path":%q}`, name.Draw(r, "from")))
				write(res.Label, res.Text)
			},
			"delete": func(*rapid.T) {
				_, _ = w.As(event.Label{}, "delete_file", fmt.Sprintf(`{"path":%q}`, name.Draw(r, "path")))
			},
			"move": func(*rapid.T) {
				_, _ = w.As(event.Label{}, "move_file", fmt.Sprintf(`{"path":%q,"to":%q}`, name.Draw(r, "path"), name.Draw(r, "to")))
			},
			"undo": func(*rapid.T) {
				_, _ = w.Files.Changes().Undo(t.Context(), w.Log.List(), changes.LastCall(w.Log.List(), ""), changes.Options{Force: true})
			},
			"begin": func(*rapid.T) {
				if len(running) > 2 {
					r.Skip("there are enough")
				}
				running = append(running, w.Files.Watch().Before(t.Context(), "a command", w.Files.Origins().Taint(t.Context())))
			},
			"work": func(*rapid.T) {
				if len(running) == 0 {
					r.Skip("nothing runs")
				}
				from, to := filepath.Join(w.Dir, name.Draw(r, "from")), filepath.Join(w.Dir, name.Draw(r, "to"))
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
