//go:build linux

package cgroup

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/sandbox/proc"
)

// role is the variable that makes this program what lives in a group of its own.
const role = "HOB_TEST_ROLE"

func TestMain(m *testing.M) {
	if r := os.Getenv(role); r != "" {
		os.Exit(play(r))
	}
	os.Exit(m.Run())
}

// seen is what one who lives in a group tells.
type seen struct {
	Error  string
	Bounds Bounds
	Leaf   string // what a command in a leaf says of its group
	Killed string // how it ended
	Left   []string
}

// play is hob's part.
func play(role string) int {
	var s seen
	g, err := Find()
	if err != nil {
		s.Error = err.Error()
	} else {
		s.Bounds = g.Bounds()
		if err := s.command(g, role == "dies"); err != nil {
			s.Error = err.Error()
		}
		entries, _ := os.ReadDir(g.dir)
		for _, e := range entries {
			if e.IsDir() {
				s.Left = append(s.Left, e.Name())
			}
		}
	}
	json.NewEncoder(os.Stdout).Encode(s)
	return 0
}

// command runs one that hides a process, and kills it, or leaves it behind.
func (s *seen) command(g *Group, leave bool) error {
	leaf, err := g.New(Limits{Memory: 64 << 20, Processes: 20})
	if err != nil {
		return err
	}
	cmd := exec.Command("sh", "-c", "(setsid sleep 1000 >/dev/null 2>&1 &); cat /proc/self/cgroup; exec >/dev/null; sleep 1000; true")
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: leaf.FD()}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var text strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := out.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			break
		}
	}
	for line := range strings.Lines(text.String()) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok && filepath.Base(path) == filepath.Base(leaf.dir) {
			s.Leaf = "its own"
		}
	}
	if leave {
		return nil
	}
	if err := leaf.Kill(); err != nil {
		return err
	}
	s.Killed = ""
	if err := cmd.Wait(); err != nil {
		s.Killed = err.Error()
	}
	if !leaf.WaitEmpty(time.Hour) {
		s.Killed += ", but not everything"
	}
	return leaf.Remove()
}

// newGroup makes a real group, where the machine has version 2 and this is root.
func newGroup(t *testing.T) *os.File {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to make a control group")
	}
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range proc.ParseMounts(string(text)) {
		if m.Type != "cgroup2" {
			continue
		}
		dir, err := os.MkdirTemp(m.Place, "hob.test.")
		if err != nil {
			t.Skip("control groups cannot be made here: " + err.Error())
		}
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			f.Close()
			if err := remove(dir); err != nil {
				t.Error(err)
			}
		})
		return f
	}
	t.Skip("there are no control groups of version 2")
	return nil
}

// in runs this program in a group, in a role.
func in(t *testing.T, group *os.File, as string) (s seen) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// With the kernel's own groups: what hides itself in a leaf is killed with it, and the leaf is gone.
func TestReal(t *testing.T) {
	group := newGroup(t)
	got := in(t, group, "lives")
	got.Bounds, got.Left = Bounds{}, nil // they differ from machine to machine
	if diff := cmp.Diff(seen{Leaf: "its own", Killed: "signal: killed"}, got); diff != "" {
		t.Error(diff)
	}
}

// What a hob left behind that died is killed and cleared away by the next one.
func TestReal_Sweep(t *testing.T) {
	group := newGroup(t)
	in(t, group, "dies")
	leaves, err := filepath.Glob(filepath.Join(group.Name(), leafPrefix+"*"))
	if err != nil || len(leaves) != 1 {
		t.Fatal(leaves, err)
	}
	if (&Leaf{dir: leaves[0]}).Empty() {
		t.Fatal("nothing lives in it")
	}
	// A group that gives controllers to its children takes no processes of its own; whoever starts hob anew takes care.
	if on, err := os.ReadFile(filepath.Join(group.Name(), "cgroup.subtree_control")); err == nil && len(bytes.TrimSpace(on)) > 0 {
		off := "-" + strings.Join(strings.Fields(string(on)), " -")
		if err := os.WriteFile(filepath.Join(group.Name(), "cgroup.subtree_control"), []byte(off), 0); err != nil {
			t.Fatal(err)
		}
	}
	if got := in(t, group, "lives"); got.Error != "" || got.Killed != "signal: killed" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(leaves[0]); err == nil {
		t.Error("it is still there")
	}
}

// A group that others are in is left alone.
func TestReal_Others(t *testing.T) {
	group := newGroup(t)
	other := exec.Command("sleep", "1000")
	other.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	if got := in(t, group, "lives"); got.Error != "hob shares its control group with other processes" {
		t.Errorf("%+v", got)
	}
	entries, err := os.ReadDir(group.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			t.Errorf("it made %s", e.Name())
		}
	}
}
