package watch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/shell"
)

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
func shellAt(t *testing.T, cfg shell.Config) *shell.ShellTool {
	t.Helper()
	cfg.Timeout = time.Hour // this machine may stand still for a while
	s, err := shell.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runAt(t *testing.T, s *shell.ShellTool, command string) (tools.Result, error) {
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
	*filestest.World

	Log   *filestest.Log
	shell *shell.ShellTool
}

func newWatched(t *testing.T, box shell.Sandbox, adjust ...func(*files.Config)) watched {
	t.Helper()
	w, m := filestest.NewKept(t, adjust...)
	s := shellAt(t, shell.Config{Sandbox: box, Unsandboxed: true, Dir: w.Dir, Watch: w.Files.Watch()})
	return watched{w, m, s}
}

func (w watched) run(format string, args ...any) tools.Result {
	w.T.Helper()
	res, err := runAt(w.T, w.shell, fmt.Sprintf(format, args...))
	if err != nil {
		w.T.Fatal(err)
	}
	return res
}

// undoLast takes the last call back.
func (w watched) undoLast() {
	w.T.Helper()
	w.Undo(w.Log, changes.Options{}, changes.LastCall(w.Log.List(), "")...)
}

// is checks what is there.
func (w watched) is(want map[string]filestest.Node) {
	w.T.Helper()
	if diff := cmp.Diff(want, w.Tree()); diff != "" {
		w.T.Errorf("(-want +got)\n%s", diff)
	}
}

func (w watched) until(done func() bool) {
	for !done() {
		if w.T.Context().Err() != nil {
			w.T.Fatal("never")
		}
	}
}
