package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hob/internal/sandbox/sandboxtest"

	"github.com/google/go-cmp/cmp"
)

// onSmallDisk has the daemon's state on a file system of its own, which nobody else sees, and returns what finds a file of it. It
// skips the test where that cannot be had.
func onSmallDisk(t *testing.T, cmd *exec.Cmd, state string) (at func(name string) string) {
	t.Helper()
	attr := sandboxtest.OwnMounts()
	const mount = `mount --make-rprivate / && mount -t tmpfs -o size=4m,mode=700 hob "$HOB_STATE_DIR"`
	probe := exec.CommandContext(t.Context(), "/bin/sh", "-c", mount)
	probe.Env, probe.SysProcAttr = append(cmd.Env, "PATH=/usr/sbin:/usr/bin:/sbin:/bin"), attr
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v %s", err, out)
	}
	cmd.Args = append([]string{"/bin/sh", "-c", mount + ` && mkdir -p "$HOB_STATE_DIR/workspace" && exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path, cmd.SysProcAttr, cmd.Env = "/bin/sh", attr, probe.Env
	return func(name string) string {
		return filepath.Join(fmt.Sprintf("/proc/%d/root", cmd.Process.Pid), state, name)
	}
}

// fill leaves no room on a disk. It returns an error only if that cannot be.
func fill(ballast string) error {
	f, err := os.Create(ballast)
	if err != nil {
		return err
	}
	for size := 1 << 16; size > 0; size /= 2 {
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return errors.Join(err, f.Close())
		}
		err = nil
	}
	return f.Close()
}

// Whoever writes while the disk is full is told so, once, and answered when there is room.
func TestServe_FullDisk(t *testing.T) {
	h, chat, ana := botHouse(t)
	s := &served{h: h, cmd: h.command("serve")}
	at := onSmallDisk(t, s.cmd, h.state)
	s.cmd.Stderr = s
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _, _ = s.cmd.Process.Wait() })
	s.says("telegram: connected")
	allow := h.command("allow", "7", "--as", "owner")
	enter := []string{"-t", fmt.Sprint(s.cmd.Process.Pid), "-m"}
	if os.Geteuid() != 0 {
		enter = append(enter, "-U", "--preserve-credentials")
	}
	enter = append(enter, allow.Path)
	inside := exec.CommandContext(t.Context(), "nsenter", append(enter, allow.Args[1:]...)...)
	inside.Env = append(allow.Env, "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
	if out, err := inside.CombinedOutput(); err != nil {
		t.Skipf("nobody can be let in there: %v %s", err, out)
	}
	chat.Say(ana, "good morning")
	h.answers(chat, 1)
	if err := fill(at("ballast")); err != nil {
		t.Fatal(err)
	}
	chat.Say(ana, "are you there?")
	told := func() (all []string) {
		for _, m := range chat.FromBot() {
			if strings.Contains(m.Text, "disk") || strings.Contains(m.Text, "room") {
				all = append(all, m.Text)
			}
		}
		return all
	}
	h.until("she is told", func() bool { return len(told()) > 0 })
	chat.Say(ana, "hello?")
	s.says("nothing can be kept")
	if err := os.Remove(at("ballast")); err != nil {
		t.Fatal(err)
	}
	h.answers(chat, 2)
	const want = "I cannot keep your message: the disk is full. It stays with Telegram, and I answer when there is room."
	if diff := cmp.Diff([]string{want}, told()); diff != "" {
		t.Errorf("she was told (-want +got)\n%s", diff)
	}
	s.stop()
}
