package files_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
)

// fakeCommands is what runs in a workspace: one command that was approved, or a process.
type fakeCommands struct {
	pinned  string // the path that a process runs
	running bool   // an approved command runs
	writes  int    // that are under way
}

func (f *fakeCommands) Writing(context.Context) (func(), error) {
	if f.running {
		return nil, errors.New("the caller did not want to wait")
	}
	f.writes++
	return func() { f.writes-- }, nil
}

func (f *fakeCommands) Pinned(path string) bool { return path == f.pinned }

// While an approved command runs nothing is written, and what a process runs stays as it is.
func TestWrite_LeavesWhatRuns(t *testing.T) {
	commands := &fakeCommands{}
	w := filestest.New(t, func(cfg *files.Config) { cfg.Commands, cfg.Log = commands, &filestest.Log{Images: map[string][]byte{}} })
	w.Put("ws/x.sh", "old")
	real, err := filepath.EvalSymlinks(w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]string{
		"write_file":  `{"path":"x.sh","content":"new","mode":"overwrite"}`,
		"edit_file":   `{"path":"x.sh","old_string":"old","new_string":"new"}`,
		"delete_file": `{"path":"x.sh"}`,
		"move_file":   `{"path":"x.sh","to":"z.sh"}`,
	}
	try := func(want, code string) {
		t.Helper()
		for name, args := range calls {
			_, err := w.Call(name, args)
			if e := (*tools.Error)(nil); !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if commands.writes != 0 {
			t.Errorf("%d writes are under way", commands.writes)
		}
	}
	commands.running = true
	try("did not want to wait", event.CodeExecutionFailed)
	commands.running, commands.pinned = false, filepath.Join(real, "x.sh")
	try("is run by a process", event.CodePermissionDenied)
	if _, err := w.Call("write_file", `{"path":"y.sh","content":"new"}`); err != nil {
		t.Error(err)
	}
}
