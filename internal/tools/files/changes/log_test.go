package changes_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

// What is remembered of a change: who made it, what was there, what is there now, whether it happened.
func TestLog_Remembers(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/old", "before")
	if err := os.Chmod(filepath.Join(w.Dir, "old"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main", Turn: 7})
	for tool, args := range map[string]string{"write_file": `{"path":"a/b/new","content":"x"}`} {
		if _, err := tools.Call(ctx, w.Tool(tool), []byte(args)); err != nil {
			t.Fatal(err)
		}
	}
	w.Link("old", "ws/way")
	w.Text("write_file", `{"path":"way","content":" after","mode":"append"}`)
	w.Text("edit_file", `{"path":"old","old_string":"before","new_string":"B"}`)
	w.Text("delete_file", `{"path":"way"}`)
	w.Text("delete_file", `{"path":"old"}`)
	type said struct {
		event.Cause
		Path, Did       string
		Folders         int
		Before, After   event.FileKind
		BeforeM, AfterM os.FileMode
		Content         string
		Stage           event.Stage
	}
	var got []said
	for _, c := range slices.Backward(m.List()) {
		rel, err := filepath.Rel(w.Dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, said{c.Cause, rel, c.Verb(), c.Folders, c.Before.Kind, c.After.Kind, c.Before.Mode, c.After.Mode,
			string(m.Images[c.Before.Sum]), c.Stage})
	}
	want := []said{
		{event.Cause{Chat: "main", Turn: 7, Tool: "write_file"}, "a/b/new", "created", 2, "", "file", 0, 0o644, "", event.StageMade},
		{event.Cause{Tool: "write_file"}, "old", "changed", 0, "file", "file", 0o600, 0o600, "before", event.StageMade},
		{event.Cause{Tool: "edit_file"}, "old", "changed", 0, "file", "file", 0o600, 0o600, "before after", event.StageMade},
		{event.Cause{Tool: "delete_file"}, "way", "deleted", 0, "link", "", 0, 0, "old", event.StageMade},
		{event.Cause{Tool: "delete_file"}, "old", "deleted", 0, "file", "", 0o600, 0, "B after", event.StageMade},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A log that fails, such as one whose disk is full, lets nothing change.
func TestLog_Fails(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/f", "x")
	m.Failing = errors.New("no room")
	for tool, args := range map[string]string{
		"write_file":  `{"path":"a/b/new","content":"y"}`,
		"edit_file":   `{"path":"f","old_string":"x","new_string":"y"}`,
		"delete_file": `{"path":"f"}`,
	} {
		w.Fails(tool, args, event.CodeExecutionFailed, "was not changed, because what it is could not be kept for undo: no room")
	}
	w.Fails("write_file", `{"path":"f","content":"y","mode":"overwrite"}`, event.CodeExecutionFailed, "f was not changed")
}

// What is larger than a file tool can read is replaced, and the result says that this is for good. It is not deleted.
func TestLog_TooLarge(t *testing.T) {
	w, m := filestest.NewKept(t)
	for _, size := range []int64{16<<20 + 1, 1 << 30, 1 << 40} {
		w.Put("ws/f", "")
		if err := os.Truncate(filepath.Join(w.Dir, "f"), size); err != nil {
			t.Fatal(err)
		}
		w.Fails("delete_file", `{"path":"f"}`, event.CodePermissionDenied, "so nobody could take this back; leave it")
		w.Fails("write_file", `{"path":"f","content":"y","mode":"append"}`, event.CodeInvalidValue, "16777216 is the most")
		w.Fails("edit_file", `{"path":"f","old_string":"x","new_string":"y"}`, event.CodeInvalidValue, "16777216 is the most")
		got := w.Text("write_file", `{"path":"f","content":"y","mode":"overwrite"}`)
		if !strings.HasPrefix(got, "wrote f, 1 bytes (this cannot be taken back: it has ") {
			t.Error(got)
		}
	}
	_, err := w.Files.Changes().Undo(t.Context(), m.List(), []int64{1}, changes.Options{Force: true})
	filestest.IsConflict(t, err, "what was there before is not kept")
}

// A file of exactly the largest size is kept.
func TestLog_LargestFile(t *testing.T) {
	w, m := filestest.NewKept(t)
	large := strings.Repeat("0123456789abcdef", 1<<20)
	w.Put("ws/f", large)
	w.Text("delete_file", `{"path":"f"}`)
	w.Undo(m, changes.Options{}, m.InForce()...)
	if raw, err := os.ReadFile(filepath.Join(w.Dir, "f")); err != nil || string(raw) != large {
		t.Errorf("%d bytes came back of %d, %v", len(raw), len(large), err)
	}
}

// A file that another program writes to while hob replaces it is not lost: the change does not happen.
func TestLog_ChangedMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name   string
		meddle func(path string) error
	}{
		{"written to", func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o644) }},
		{"replaced", func(p string) error {
			if err := os.WriteFile(p+"2", []byte("theirs"), 0o644); err != nil {
				return err
			}
			return os.Rename(p+"2", p)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, m := filestest.NewKept(t)
			for _, call := range []string{"delete_file", "write_file"} {
				w.Put("ws/f", "mine")
				past := time.Now().Add(-time.Hour)
				if err := os.Chtimes(filepath.Join(w.Dir, "f"), past, past); err != nil {
					t.Fatal(err)
				}
				hook := &meddler{Log: m, do: func() {
					if err := c.meddle(filepath.Join(w.Dir, "f")); err != nil {
						t.Error(err)
					}
				}}
				file, err := files.New(files.Config{Dir: w.Dir, Log: hook})
				if err != nil {
					t.Fatal(err)
				}
				args := map[string]string{"delete_file": `{"path":"f"}`, "write_file": `{"path":"f","content":"x","mode":"overwrite"}`}[call]
				_, err = tools.Call(t.Context(), (&filestest.World{Files: file}).Tool(call), []byte(args))
				file.Close()
				toolstest.IsError(t, err, event.CodeExecutionFailed, "it was changed by another program at the same moment")
				if got := w.Content("ws/f"); got != "theirs" {
					t.Errorf("after %s the file holds %q", call, got)
				}
				if got := m.Changes[len(m.Changes)-1].Stage; got != event.StageVoid {
					t.Errorf("the change is remembered as %s", got)
				}
			}
			if names, err := os.ReadDir(w.Dir); err != nil || len(names) != 1 {
				t.Errorf("the folder holds %v, %v", names, err)
			}
		})
	}
}

// meddler does something between the keeping and the change.
type meddler struct {
	*filestest.Log
	do func()
}

func (m *meddler) Keep(ctx context.Context, c event.Change, content []byte) (int64, error) {
	id, err := m.Log.Keep(ctx, c, content)
	m.do()
	return id, err
}

// Without a log everything works as ever, and nothing can be deleted.
func TestLog_None(t *testing.T) {
	w := filestest.New(t)
	w.Text("write_file", `{"path":"f","content":"x"}`)
	if w.Tool("delete_file") != nil {
		t.Error("there is a delete_file that nobody could take back")
	}
	if _, err := w.Files.Changes().Undo(t.Context(), nil, nil, changes.Options{}); err == nil {
		t.Error("Undo Without a log works")
	}
}

// A file that this user may not read can be replaced, but not deleted. The superuser may read everything.
func TestLog_Unreadable(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/f", "x")
	if err := os.Chmod(filepath.Join(w.Dir, "f"), 0o200); err != nil {
		t.Fatal(err)
	}
	if unix.Access(filepath.Join(w.Dir, "f"), unix.R_OK) == nil {
		t.Log("this user may read everything: only the other way is tested")
		w.Text("delete_file", `{"path":"f"}`)
		return
	}
	_, err := w.Call("delete_file", `{"path":"f"}`)
	toolstest.IsError(t, err, event.CodePermissionDenied, "it cannot be read, so nobody could take this back")
	if got := w.Text("write_file", `{"path":"f","content":"y","mode":"overwrite"}`); got != "wrote f, 1 bytes (this cannot be taken back: it cannot be read)" {
		t.Error(got)
	}
}
