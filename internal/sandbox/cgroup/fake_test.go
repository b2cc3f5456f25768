package cgroup

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/sandbox/proc"
)

// tree is a folder that looks like a hierarchy of groups to one who reads and writes files. It does nothing of what the
// kernel does, except that new groups have files and the controllers that the tree has.
type tree struct {
	t    *testing.T
	proc string
	top  string
	has  string // controllers
}

// newTree is a tree in which this process alone is in the group /unit.
func newTree(t *testing.T, controllers string) *tree {
	t.Helper()
	dir := t.TempDir()
	tr := &tree{t: t, proc: filepath.Join(dir, "proc"), top: filepath.Join(dir, "groups"), has: controllers}
	tr.mountinfo("30 1 0:1 / / rw - ext4 /dev/root rw\n31 30 0:28 / " + tr.top + " rw,nosuid shared:9 - cgroup2 cgroup2 rw\n")
	tr.write(filepath.Join(tr.proc, "self/cgroup"), "4:memory:/other\n0::/unit\n")
	if err := tr.mkdir(filepath.Join(tr.top, "unit"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr.write(filepath.Join(tr.top, "unit/cgroup.procs"), strconv.Itoa(os.Getpid())+"\n")
	return tr
}

func (tr *tree) mountinfo(text string) {
	tr.write(filepath.Join(tr.proc, "self/mountinfo"), text)
}

func (tr *tree) write(path, text string) {
	tr.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) mkdir(path string, _ fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"cgroup.type": "domain\n", "cgroup.procs": "", "cgroup.controllers": tr.has + "\n", "cgroup.subtree_control": "",
		"cgroup.events": "populated 0\nfrozen 0\n", "cgroup.kill": "",
	} {
		tr.write(filepath.Join(path, name), text)
	}
	for word := range strings.FieldsSeq(tr.has) {
		tr.write(filepath.Join(path, word+".max"), "")
		tr.write(filepath.Join(path, word+".events"), "max 0\n")
		if word == "memory" {
			tr.write(filepath.Join(path, "memory.oom.group"), "")
		}
	}
	return nil
}

// says is the text of a file of the tree.
func (tr *tree) says(path string) string {
	tr.t.Helper()
	text, err := os.ReadFile(filepath.Join(tr.top, path))
	if err != nil {
		tr.t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// The group is found wherever version 2 is mounted, and used only if it is hob's own and nobody else's.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(tr *tree)
		want   string // the error, "" for none
	}{
		{"delegated", func(*tree) {}, ""},
		{"beside version 1", func(tr *tree) {
			tr.mountinfo("31 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n41 31 0:38 / " + tr.top + " rw - cgroup2 cgroup2 rw\n")
		}, ""},
		{"a part is mounted", func(tr *tree) {
			tr.mountinfo("41 31 0:38 /slice " + tr.top + " rw - cgroup2 cgroup2 rw\n")
			tr.write(filepath.Join(tr.proc, "self/cgroup"), "0::/slice/unit\n")
		}, ""},
		{"another part is mounted", func(tr *tree) {
			tr.mountinfo("41 31 0:38 /slice " + tr.top + " rw - cgroup2 cgroup2 rw\n")
		}, "hob's own control group cannot be seen from here"},
		{"above the namespace", func(tr *tree) {
			tr.write(filepath.Join(tr.proc, "self/cgroup"), "0::/../unit\n")
		}, "hob's own control group cannot be seen from here"},
		{"version 1 alone", func(tr *tree) {
			tr.write(filepath.Join(tr.proc, "self/cgroup"), "4:memory:/unit\n")
		}, "this machine has no control groups of version 2"},
		{"not mounted", func(tr *tree) { tr.mountinfo("") }, "this machine has no control groups of version 2"},
		{"removed", func(tr *tree) {
			tr.write(filepath.Join(tr.proc, "self/cgroup"), "0::/unit (deleted)\n")
		}, "hob's control group /unit was removed"},
		{"the root group", func(tr *tree) { os.Remove(filepath.Join(tr.top, "unit/cgroup.type")) }, "hob runs in the root control group, which belongs to the whole machine"},
		{"threaded", func(tr *tree) { tr.write(filepath.Join(tr.top, "unit/cgroup.type"), "threaded\n") }, `hob's control group is of the kind "threaded", in which no leaves can be made`},
		{"with others", func(tr *tree) {
			tr.write(filepath.Join(tr.top, "unit/cgroup.procs"), "1\n"+strconv.Itoa(os.Getpid())+"\n")
		}, "hob shares its control group with other processes"},
		{"with one from another namespace", func(tr *tree) {
			tr.write(filepath.Join(tr.top, "unit/cgroup.procs"), "0\n"+strconv.Itoa(os.Getpid())+"\n")
		}, "hob shares its control group with other processes"},
		{"with others' children", func(tr *tree) { tr.mkdir(filepath.Join(tr.top, "unit/app"), 0o755) }, "hob's control group has children that are not hob's"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTree(t, "memory pids")
			c.change(tr)
			g, err := find(tr.proc+"/self", tr.mkdir)
			if c.want != "" {
				if err == nil || err.Error() != c.want {
					t.Errorf("%+v, %v; want %s", g, err, c.want)
				}
				if _, err := os.Stat(filepath.Join(tr.top, "unit/daemon")); err == nil {
					t.Error("it was changed all the same")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Bounds{Memory: true, Processes: true}, g.Bounds()); diff != "" {
				t.Error(diff)
			}
			if pid := tr.says("unit/daemon/cgroup.procs"); pid != strconv.Itoa(os.Getpid()) {
				t.Errorf("in daemon is %q", pid)
			}
		})
	}
	t.Run("not delegated", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("root may write everything")
		}
		tr := newTree(t, "memory pids")
		if err := os.Chmod(filepath.Join(tr.top, "unit/cgroup.procs"), 0o444); err != nil {
			t.Fatal(err)
		}
		if _, err := find(tr.proc+"/self", tr.mkdir); err == nil || err.Error() != "hob's control group is not delegated to it" {
			t.Error(err)
		}
	})
}

// Started again from where an earlier start put it, hob finds the same place.
func TestFind_Again(t *testing.T) {
	tr := newTree(t, "memory pids")
	if _, err := find(tr.proc+"/self", tr.mkdir); err != nil {
		t.Fatal(err)
	}
	tr.write(filepath.Join(tr.proc, "self/cgroup"), "0::/unit/daemon\n")
	tr.write(filepath.Join(tr.top, "unit/cgroup.procs"), "")
	stale := filepath.Join(tr.top, "unit", fmt.Sprintf("hob-1-%d-A", proc.BornAt("1")+1)) // not the one that has this number now
	live := filepath.Join(tr.top, "unit", fmt.Sprintf("hob-%d-%d-B", os.Getpid(), proc.BornAt(strconv.Itoa(os.Getpid()))))
	for _, leaf := range []string{stale, live} {
		if err := os.Mkdir(leaf, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	g, err := find(tr.proc+"/self", tr.mkdir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("a dead hob's leaf is still there")
	}
	if _, err := os.Stat(live); err != nil {
		t.Error("a living hob's leaf is gone")
	}
	if g.dir != filepath.Join(tr.top, "unit") {
		t.Errorf("leaves are made in %s", g.dir)
	}
	if diff := cmp.Diff(Bounds{Memory: true, Processes: true}, g.Bounds()); diff != "" {
		t.Error(diff)
	}
}

// What is missing is said, and what is there is used.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		controllers string
		want        Bounds
		moved       bool
	}{
		{"cpu memory pids", Bounds{Memory: true, Processes: true}, true},
		{"cpu pids", Bounds{Processes: true, Why: "the memory controller cannot be had: it was not delegated"}, true},
		{"memory", Bounds{Memory: true, Why: "the pids controller cannot be had: it was not delegated"}, true},
		{"cpu hugetlb", Bounds{Why: "neither the memory nor the pids controller was delegated"}, false},
	} {
		t.Run(c.controllers, func(t *testing.T) {
			tr := newTree(t, c.controllers)
			g, err := find(tr.proc+"/self", tr.mkdir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, g.Bounds()); diff != "" {
				t.Error(diff)
			}
			if _, err := os.Stat(filepath.Join(tr.top, "unit/daemon")); (err == nil) != c.moved {
				t.Errorf("moved: %v", err)
			}
		})
	}
	t.Run("in vain", func(t *testing.T) { // the kernel refuses the controllers: hob goes back to where it was
		tr := newTree(t, "memory pids")
		mkdir := func(path string, mode fs.FileMode) error {
			tr.has = "cpu"                                           // those below have none
			tr.write(filepath.Join(tr.top, "unit/cgroup.procs"), "") // as it is when hob has moved
			return tr.mkdir(path, mode)
		}
		g, err := find(tr.proc+"/self", mkdir)
		if err != nil {
			t.Fatal(err)
		}
		want := Bounds{Why: "the memory controller cannot be had: it was not delegated; the pids controller cannot be had: it was not delegated"}
		if diff := cmp.Diff(want, g.Bounds()); diff != "" {
			t.Error(diff)
		}
		if in := tr.says("unit/cgroup.procs"); in != strconv.Itoa(os.Getpid()) {
			t.Errorf("in the group is %q", in)
		}
	})
}

func TestNew_Limits(t *testing.T) {
	tr := newTree(t, "memory pids")
	g, err := find(tr.proc+"/self", tr.mkdir)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := g.New(Limits{Memory: 64 << 20, Processes: 20})
	if err != nil {
		t.Fatal(err)
	}
	defer leaf.file.Close()
	name, err := filepath.Rel(tr.top, leaf.dir)
	if err != nil {
		t.Fatal(err)
	}
	got := [3]string{tr.says(name + "/memory.max"), tr.says(name + "/memory.oom.group"), tr.says(name + "/pids.max")}
	if diff := cmp.Diff([3]string{"67108864", "1", "20"}, got); diff != "" { // there is no swap to be set
		t.Error(diff)
	}
	tr.write(filepath.Join(leaf.dir, "memory.events"), "low 0\noom 2\noom_kill 3\n")
	if !leaf.OutOfMemory() {
		t.Error("it does not say that something was killed for memory")
	}
	if err := leaf.Kill(); err != nil || tr.says(name+"/cgroup.kill") != "1" {
		t.Error(err, tr.says(name+"/cgroup.kill"))
	}
}

// Without cgroup.kill the members are killed one by one.
func TestKill_OldKernel(t *testing.T) {
	tr := newTree(t, "")
	g, err := find(tr.proc+"/self", tr.mkdir)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := g.New(Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer leaf.file.Close()
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(leaf.dir, "cgroup.kill")); err != nil {
		t.Fatal(err)
	}
	tr.write(filepath.Join(leaf.dir, "cgroup.procs"), strconv.Itoa(cmd.Process.Pid)+"\n")
	if err := leaf.Kill(); err == nil || err.Error() != "kill a control group: its processes fork faster than they can be killed" {
		t.Error(err) // this tree does not see it die
	}
	if err := cmd.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Error(err)
	}
}
