package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/toolstest"
)

// memory is a keeper that can fail and can stop where a process could be killed.
type memory struct {
	mu      sync.Mutex
	changes []event.Change // changes[i] has the number i+1
	images  map[string][]byte
	failing error  // of every call of Keep
	dies    string // "kept" or "done": where the process ends
	pruned  string // as a Recorder has it
	taken   int    // how many contents were kept before anything replaced them
}

func (m *memory) Keep(_ context.Context, c event.Change, content []byte) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		return 0, m.failing
	}
	c.ID, c.Stage = int64(len(m.changes))+1, event.Begun
	m.changes = append(m.changes, c)
	if content != nil {
		m.images[c.Before.Sum] = slices.Clone(content)
	}
	if m.dies == "kept" {
		return 0, errors.New("the process is gone")
	}
	return c.ID, nil
}

func (m *memory) Settle(_ context.Context, id int64, happened bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dies == "done" {
		return errors.New("the process is gone")
	}
	c := &m.changes[id-1]
	c.Stage = event.Void
	if happened {
		c.Stage = event.Made
	}
	return nil
}

func (m *memory) Image(_ context.Context, sum string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if content, ok := m.images[sum]; ok {
		return content, nil
	}
	return nil, errors.New("it is not kept")
}

// list returns what is remembered, the newest first.
func (m *memory) list() []event.Change {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(m.changes), func(c event.Change) bool { return c.Stage == event.Void })
	slices.Reverse(all)
	var fates event.Fates
	for i := range all {
		fates.Tell(&all[i])
		_, kept := m.images[all[i].Before.Sum]
		all[i].Lost = all[i].Before.HasContent() && !kept
	}
	return all
}

// inForce returns the numbers of what an undo of everything takes back.
func (m *memory) inForce() []int64 { return changes.Since(m.list(), "", time.Time{}) }

// newKeptWorld is a workspace whose changes are remembered.
func newKeptWorld(t *testing.T, adjust ...func(*files.Config)) (*fileWorld, *memory) {
	t.Helper()
	m := &memory{images: map[string][]byte{}}
	own := func(c *files.Config) { c.Log, c.WatchTime = m, time.Hour }
	return newFileWorld(t, append([]func(*files.Config){own}, adjust...)...), m
}

// undo takes changes back, which must work.
func (w *fileWorld) undo(m *memory, how changes.Options, numbers ...int64) []changes.Undone {
	w.t.Helper()
	done, err := w.file.Changes().Undo(w.t.Context(), m.list(), numbers, how)
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

// What is remembered of a change: who made it, what was there, what is there now, whether it happened.
func TestKeeper_Remembers(t *testing.T) {
	w, m := newKeptWorld(t)
	w.put("ws/old", "before")
	if err := os.Chmod(filepath.Join(w.dir, "old"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main", Turn: 7})
	for tool, args := range map[string]string{"write_file": `{"path":"a/b/new","content":"x"}`} {
		if _, err := tools.Call(ctx, w.tool(tool), []byte(args)); err != nil {
			t.Fatal(err)
		}
	}
	w.link("old", "ws/way")
	w.text("write_file", `{"path":"way","content":" after","mode":"append"}`)
	w.text("edit_file", `{"path":"old","old_string":"before","new_string":"B"}`)
	w.text("delete_file", `{"path":"way"}`)
	w.text("delete_file", `{"path":"old"}`)
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
	for _, c := range slices.Backward(m.list()) {
		rel, err := filepath.Rel(w.dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, said{c.Cause, rel, c.Did(), c.Folders, c.Before.Kind, c.After.Kind, c.Before.Mode, c.After.Mode,
			string(m.images[c.Before.Sum]), c.Stage})
	}
	want := []said{
		{event.Cause{Chat: "main", Turn: 7, Tool: "write_file"}, "a/b/new", "created", 2, "", "file", 0, 0o644, "", event.Made},
		{event.Cause{Tool: "write_file"}, "old", "changed", 0, "file", "file", 0o600, 0o600, "before", event.Made},
		{event.Cause{Tool: "edit_file"}, "old", "changed", 0, "file", "file", 0o600, 0o600, "before after", event.Made},
		{event.Cause{Tool: "delete_file"}, "way", "deleted", 0, "link", "", 0, 0, "old", event.Made},
		{event.Cause{Tool: "delete_file"}, "old", "deleted", 0, "file", "", 0o600, 0, "B after", event.Made},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A keeper that fails, such as one whose disk is full, lets nothing change.
func TestKeeper_Fails(t *testing.T) {
	w, m := newKeptWorld(t)
	w.put("ws/f", "x")
	m.failing = errors.New("no room")
	for tool, args := range map[string]string{
		"write_file":  `{"path":"a/b/new","content":"y"}`,
		"edit_file":   `{"path":"f","old_string":"x","new_string":"y"}`,
		"delete_file": `{"path":"f"}`,
	} {
		w.fails(tool, args, event.CodeExecutionFailed, "was not changed, because what it is could not be kept for undo: no room")
	}
	w.fails("write_file", `{"path":"f","content":"y","mode":"overwrite"}`, event.CodeExecutionFailed, "f was not changed")
}

// What is larger than a file tool can read is replaced, and the result says that this is for good. It is not deleted.
func TestKeeper_TooLarge(t *testing.T) {
	w, m := newKeptWorld(t)
	for _, size := range []int64{16<<20 + 1, 1 << 30, 1 << 40} {
		w.put("ws/f", "")
		if err := os.Truncate(filepath.Join(w.dir, "f"), size); err != nil {
			t.Fatal(err)
		}
		w.fails("delete_file", `{"path":"f"}`, event.CodePermissionDenied, "so nobody could take this back; leave it")
		w.fails("write_file", `{"path":"f","content":"y","mode":"append"}`, event.CodeInvalidValue, "16777216 is the most")
		w.fails("edit_file", `{"path":"f","old_string":"x","new_string":"y"}`, event.CodeInvalidValue, "16777216 is the most")
		got := w.text("write_file", `{"path":"f","content":"y","mode":"overwrite"}`)
		if !strings.HasPrefix(got, "wrote f, 1 bytes (this cannot be taken back: it has ") {
			t.Error(got)
		}
	}
	_, err := w.file.Changes().Undo(t.Context(), m.list(), []int64{1}, changes.Options{Force: true})
	isConflict(t, err, "what was there before is not kept")
}

// A file of exactly the largest size is kept.
func TestKeeper_LargestFile(t *testing.T) {
	w, m := newKeptWorld(t)
	large := strings.Repeat("0123456789abcdef", 1<<20)
	w.put("ws/f", large)
	w.text("delete_file", `{"path":"f"}`)
	w.undo(m, changes.Options{}, m.inForce()...)
	if raw, err := os.ReadFile(filepath.Join(w.dir, "f")); err != nil || string(raw) != large {
		t.Errorf("%d bytes came back of %d, %v", len(raw), len(large), err)
	}
}

// A file that another program writes to while hob replaces it is not lost: the change does not happen.
func TestKeeper_ChangedMeanwhile(t *testing.T) {
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
			w, m := newKeptWorld(t)
			for _, call := range []string{"delete_file", "write_file"} {
				w.put("ws/f", "mine")
				past := time.Now().Add(-time.Hour)
				if err := os.Chtimes(filepath.Join(w.dir, "f"), past, past); err != nil {
					t.Fatal(err)
				}
				hook := &meddler{memory: m, do: func() {
					if err := c.meddle(filepath.Join(w.dir, "f")); err != nil {
						t.Error(err)
					}
				}}
				file, err := files.New(files.Config{Dir: w.dir, Log: hook})
				if err != nil {
					t.Fatal(err)
				}
				args := map[string]string{"delete_file": `{"path":"f"}`, "write_file": `{"path":"f","content":"x","mode":"overwrite"}`}[call]
				_, err = tools.Call(t.Context(), (&fileWorld{file: file}).tool(call), []byte(args))
				file.Close()
				toolstest.IsError(t, err, event.CodeExecutionFailed, "it was changed by another program at the same moment")
				if got := w.content("ws/f"); got != "theirs" {
					t.Errorf("after %s the file holds %q", call, got)
				}
				if got := m.changes[len(m.changes)-1].Stage; got != event.Void {
					t.Errorf("the change is remembered as %s", got)
				}
			}
			if names, err := os.ReadDir(w.dir); err != nil || len(names) != 1 {
				t.Errorf("the folder holds %v, %v", names, err)
			}
		})
	}
}

// meddler does something between the keeping and the change.
type meddler struct {
	*memory
	do func()
}

func (m *meddler) Keep(ctx context.Context, c event.Change, content []byte) (int64, error) {
	id, err := m.memory.Keep(ctx, c, content)
	m.do()
	return id, err
}

// Without a keeper everything works as ever, and nothing can be deleted.
func TestKeeper_None(t *testing.T) {
	w := newFileWorld(t)
	w.text("write_file", `{"path":"f","content":"x"}`)
	if w.tool("delete_file") != nil {
		t.Error("there is a delete_file that nobody could take back")
	}
	if _, err := w.file.Changes().Undo(t.Context(), nil, nil, changes.Options{}); err == nil {
		t.Error("Undo without a keeper works")
	}
}

// A file that this user may not read can be replaced, but not deleted. The superuser may read everything.
func TestKeeper_Unreadable(t *testing.T) {
	w, _ := newKeptWorld(t)
	w.put("ws/f", "x")
	if err := os.Chmod(filepath.Join(w.dir, "f"), 0o200); err != nil {
		t.Fatal(err)
	}
	if unix.Access(filepath.Join(w.dir, "f"), unix.R_OK) == nil {
		t.Log("this user may read everything: only the other way is tested")
		w.text("delete_file", `{"path":"f"}`)
		return
	}
	_, err := w.call("delete_file", `{"path":"f"}`)
	toolstest.IsError(t, err, event.CodePermissionDenied, "it cannot be read, so nobody could take this back")
	if got := w.text("write_file", `{"path":"f","content":"y","mode":"overwrite"}`); got != "wrote f, 1 bytes (this cannot be taken back: it cannot be read)" {
		t.Error(got)
	}
}
