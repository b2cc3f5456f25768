//go:build linux

package sandbox_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openFiles is how many files this process has open. The runtime's own are opened at the first use.
func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// leak makes a file stay open on exec.
func leak(t *testing.T, f *os.File) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		if _, err := unix.FcntlInt(fd, unix.F_SETFD, 0); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// nap is a command line that sleeps for long, and is like no other on this machine. It is known by it from outside,
// whatever its number is inside.
func nap() (line, token string) {
	token = "1000." + strconv.Itoa(int(rand.Text()[0])) + strconv.FormatInt(time.Now().UnixNano(), 10)
	return "sleep " + token, token
}

// sleepers are the processes that a nap started.
func sleepers(token string) (found []int) {
	dir, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range dir {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline") // empty for the dead
		if err == nil && bytes.HasPrefix(line, []byte("sleep\x00"+token)) {
			found = append(found, pid)
		}
	}
	return found
}
