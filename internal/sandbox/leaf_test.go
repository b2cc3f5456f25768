//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox"
)

// leafProgram is a hob that has a control group of its own.
const leafProgram = "__leaf"

// inLeaf is what it tells.
type inLeaf struct {
	Group string
	Own   bool // the command, and what it started at once, were in a leaf from the beginning
	Over  string
	Exit  int
	Left  int // leaves that are still there
	Said  string
}

func leafParent(tier sandbox.Tier, workspace, group string) int {
	s := sandbox.New(sandbox.Config{Only: tier, Unsandboxed: tier == sandbox.T4, Bwrap: bwrap()})
	p, err := sandbox.NewPolicy(sandbox.Rules{Workspace: workspace})
	if err != nil {
		panic(err)
	}
	// The group is read as soon as there is a process that can read it, and by one that has left its session.
	o, err := s.Run(context.Background(), p, sh("cat /proc/self/cgroup; setsid cat /proc/self/cgroup; (setsid sleep 1000 &); exit 7"))
	if err != nil {
		panic(err)
	}
	told := inLeaf{Group: s.Report(context.Background()).Group, Exit: o.Exit, Over: o.Over, Said: o.Stdout.String() + o.Stderr.String()}
	told.Own = strings.Count(o.Stdout.String(), "/hob-"+strconv.Itoa(os.Getpid())+"-") == 2
	leaves, err := filepath.Glob(filepath.Join(group, "hob-*"))
	if err != nil {
		panic(err)
	}
	told.Left = len(leaves)
	if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
		return 1
	}
	return 0
}

// newGroup makes a control group, where there is version 2 and this is root.
func newGroup(t *testing.T) *os.File {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to make a control group")
	}
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		front, back, _ := strings.Cut(line, " - ")
		if !strings.HasPrefix(back, "cgroup2 ") {
			continue
		}
		dir, err := os.MkdirTemp(strings.Fields(front)[4], "hob.test.")
		if err != nil {
			t.Skip("control groups cannot be made here: " + err.Error())
		}
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			f.Close()
			unix.Rmdir(filepath.Join(dir, "daemon"))
			if err := unix.Rmdir(dir); err != nil {
				t.Error(err)
			}
		})
		return f
	}
	t.Skip("there are no control groups of version 2")
	return nil
}

// Where hob has a group of its own, commands are born in leaves of it, and nothing of those is left.
func TestLeaf(t *testing.T) {
	everywhereAsRoot(t, func(t *testing.T, _ *sandbox.Sandbox, tier sandbox.Tier) {
		group := newGroup(t)
		cmd := exec.Command("/proc/self/exe", leafProgram, strconv.Itoa(int(tier)), t.TempDir(), group.Name())
		cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}
		var failed bytes.Buffer
		cmd.Stderr = &failed
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, failed.String())
		}
		var got inLeaf
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if got.Exit != 7 || !got.Own || got.Left != 0 || got.Over != "" || !strings.HasPrefix(got.Group, "cgroup") {
			t.Errorf("%+v", got)
		}
	})
}
