package files_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/shell"
)

func (m *memory) Mark(context.Context) (int64, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.changes)), m.pruned, nil
}

func (m *memory) KeepImages(_ context.Context, contents [][]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		return m.failing
	}
	for _, c := range contents {
		m.images[fmt.Sprintf("%x", sha256.Sum256(c))] = bytes.Clone(c)
		m.taken++
	}
	return nil
}

func (m *memory) Since(_ context.Context, number int64) ([]event.Change, error) {
	var since []event.Change
	for _, c := range m.list() {
		if c.ID > number {
			since = append(since, c)
		}
	}
	return since, nil
}

func (m *memory) Record(_ context.Context, changes []event.Change) (made []event.Change, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		return nil, m.failing
	}
	for _, c := range changes {
		if _, there := m.images[c.Before.Sum]; c.Before.HasContent() && !there {
			continue
		}
		c.ID, c.Time, c.Stage = int64(len(m.changes))+1, time.Now(), event.Made
		if len(made) > 0 {
			c.Part = made[0].ID
		}
		m.changes, made = append(m.changes, c), append(made, c)
	}
	return made, nil
}

// plain runs commands without any walls, which is quicker.
type plain struct{}

func (plain) Tier(context.Context) sandbox.Tier     { return sandbox.T4 }
func (plain) Report(context.Context) sandbox.Report { return sandbox.Report{} }
func (plain) Start(context.Context, sandbox.Policy, sandbox.Command) (*sandbox.Process, error) {
	return nil, sandbox.ErrOff
}

func (plain) Run(ctx context.Context, p sandbox.Policy, c sandbox.Command) (out sandbox.Outcome, err error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Env = c.Env
	for _, line := range c.Env {
		if home, ok := strings.CutPrefix(line, "HOME="); ok {
			cmd.Dir = home
		}
	}
	text, err := cmd.CombinedOutput()
	out.Tier, out.Stdout = sandbox.T4, sandbox.Output{Head: text, Total: int64(len(text))}
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		out.Exit, err = e.ExitCode(), nil
	}
	return out, err
}

// shellAt is a shell in a workspace.
func shellAt(t *testing.T, cfg shell.Config) *shell.Tool {
	t.Helper()
	s, err := shell.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runAt(t *testing.T, s *shell.Tool, command string) (tools.Result, error) {
	t.Helper()
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	return tools.Call(t.Context(), s.Tool(), args)
}

// strongest is the strongest sandbox that this machine gives.
func strongest() *sandbox.Sandbox { return sandbox.New(sandbox.Config{Unsandboxed: true}) }

// watched is a workspace in which commands are watched.
type watched struct {
	*fileWorld

	m     *memory
	shell *shell.Tool
}

func newWatched(t *testing.T, box shell.Sandbox, adjust ...func(*files.Config)) watched {
	t.Helper()
	w, m := newKeptWorld(t, adjust...)
	s := shellAt(t, shell.Config{Sandbox: box, Unsandboxed: true, Dir: w.dir, Watch: w.file.Watch()})
	return watched{w, m, s}
}

func (w watched) run(format string, args ...any) tools.Result {
	w.t.Helper()
	res, err := runAt(w.t, w.shell, fmt.Sprintf(format, args...))
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

// undoLast takes the last call back.
func (w watched) undoLast() {
	w.t.Helper()
	w.undo(w.m, changes.Options{}, changes.Last(w.m.list(), "")...)
}

// is checks what is there.
func (w watched) is(want map[string]node) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.tree()); diff != "" {
		w.t.Errorf("(-want +got)\n%s", diff)
	}
}

func (w watched) until(done func() bool) {
	for !done() {
		if w.t.Context().Err() != nil {
			w.t.Fatal("never")
		}
	}
}
