package proc_test

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/sandbox/proc"
)

func TestParseMounts(t *testing.T) {
	text := `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 8:1 /a\040b /c\134d ro,nosuid - ext4 /dev/sda1 rw
24 22 0:5 / /e\xyz ro - cgroup2 none rw
25 22 0:5 no mount
26 22 0:5 / /without rw
`
	want := []proc.Mount{
		{Device: "8:1", Root: "/", Place: "/", Type: "ext4"},
		{Device: "8:1", Root: "/a b", Place: `/c\d`, Type: "ext4", ReadOnly: true},
		{Device: "0:5", Root: "/", Place: `/e\xyz`, Type: "cgroup2", ReadOnly: true},
	}
	if diff := cmp.Diff(want, proc.ParseMounts(text)); diff != "" {
		t.Error(diff)
	}
}

func TestProcess(t *testing.T) {
	self := strconv.Itoa(os.Getpid())
	if !slices.Contains(proc.Processes(), self) {
		t.Error("this process is not there")
	}
	stat := proc.ReadStat(self)
	if int(stat.Number(proc.Parent)) != os.Getppid() || stat.Number(proc.Threads) < 1 || stat.Number(1000) != 0 {
		t.Errorf("%s", stat)
	}
	cmd := exec.CommandContext(t.Context(), "sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child := strconv.Itoa(cmd.Process.Pid)
	if proc.BornAt(child) < proc.BornAt(self) || !proc.HasEnvironment(self) {
		t.Error(proc.BornAt(child), proc.BornAt(self))
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if gone := proc.ReadStat(child); gone.State() != 0 || proc.BornAt(child) != 0 {
		t.Errorf("%s", gone)
	}
}
