//go:build linux

package probe_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox"
)

// hob in a terminal: what runs in walls neither sees it nor types into it. Without walls it does.
func TestTerminal(t *testing.T) {
	const look = `if (echo hello >/dev/tty) 2>/dev/null; then echo tty; fi; if test -t 0 || test -t 1 || test -t 2; then echo stream; fi; ` +
		`if perl -e 'open(F, "+<", "/dev/tty") or exit 1; $x = " "; ioctl(F, 0x5412, $x) or exit 1' 2>/dev/null; then echo typed; fi; echo end`
	if got := inTerminal(t, exec.Command("sh", "-c", look)); !strings.Contains(got, "tty") || !strings.Contains(got, "stream") {
		t.Fatalf("without walls there is no terminal either: %q", got)
	}
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3} {
		t.Run(fmt.Sprint(tier), func(t *testing.T) {
			walled(t, tier) // there is this tier
			cmd := own(t, "run", fmt.Sprint(int(tier)), workspace(t), look)
			if got := strings.Fields(inTerminal(t, cmd)); strings.Join(got, " ") != "end <nil>" {
				t.Errorf("it said %q", got)
			}
		})
	}
}

// inTerminal runs a command with a terminal of its own and returns what it wrote there.
func inTerminal(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("the machine has no terminals:", err)
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	var said strings.Builder
	p := make([]byte, 4096)
	for {
		n, err := master.Read(p)
		said.Write(p[:n])
		if err != nil { // EIO: nobody has the other end any more
			break
		}
	}
	_ = cmd.Wait()
	return said.String()
}
