//go:build linux

package inside_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/inside"
)

// BenchmarkPlain is a command without a helper, to hold the others against.
func BenchmarkPlain(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/bin/sh", "-c", "true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkT1(b *testing.B) { benchmarkTier(b, inside.T1) }
func BenchmarkT3(b *testing.B) { benchmarkTier(b, inside.T3) }

func benchmarkTier(b *testing.B, tier inside.Tier) {
	workspace := b.TempDir()
	s := inside.Spec{
		Tier: tier, Workspace: workspace, Dir: workspace, Args: []string{"/bin/sh", "-c", "true"}, Env: []string{"PATH=/usr/bin:/bin"},
		Processes: 64, Memory: 1 << 30, FileSize: 1 << 30, OpenFiles: 256,
	}
	packet, _ := json.Marshal(s)
	for b.Loop() {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			b.Fatal(err)
		}
		theirs := os.NewFile(uintptr(pair[1]), "theirs")
		cmd := exec.Command("/proc/self/exe", inside.Name)
		cmd.ExtraFiles, cmd.Env, cmd.SysProcAttr = []*os.File{theirs}, inside.Environ(), attributes(tier)
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		theirs.Close()
		unix.Send(pair[0], packet, 0)
		buf := make([]byte, 4096)
		var m inside.Message
		for m.Ended == nil {
			n, err := unix.Read(pair[0], buf)
			if err == unix.EINTR {
				continue
			}
			if n == 0 {
				b.Fatal("gone")
			}
			if err := json.Unmarshal(buf[:n], &m); err != nil || m.Error != "" {
				b.Fatal(m, err)
			}
		}
		if err := cmd.Wait(); err != nil || m.Ended.Exit != 0 {
			b.Fatal(err, m.Ended)
		}
		unix.Close(pair[0])
	}
}
