//go:build linux

package probe_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/probe"
)

// Without walls every attack succeeds, or there is a reason why it cannot on this machine. This is what makes the
// other tests worth something: an attack that fails anywhere proves nothing.
func TestAttacksAreReal(t *testing.T) {
	c := start(t)
	var seen []probe.Seen
	for _, trial := range c.All() {
		if testing.Short() && trial.Name != "quick" {
			continue
		}
		trial.Stdin = bytes.Replace(trial.Stdin, []byte(`"patience":3000`), []byte(`"patience":1`), 1) // nobody comes
		seen = append(seen, plain(t, c, trial))
	}
	for _, p := range c.Judge(probe.Walls{Tier: 4}, seen...) {
		if p.Broken {
			t.Errorf("%s: T4 promises nothing, and is said to have broken it", p.Name)
		}
		for _, a := range p.Attacks {
			t.Run(a.Attack, func(t *testing.T) {
				switch why := hindrance(a.Attack); {
				case a.Denied && why == "":
					t.Errorf("it failed without walls: %s", a.Found)
				case a.Denied:
					t.Skipf("not here: %s (%s)", why, a.Found)
				}
			})
		}
	}
}

// hindrance is why an attack cannot succeed on this machine by this user even without walls.
func hindrance(attack string) string {
	missing := func(paths ...string) string {
		for _, p := range paths {
			if _, err := os.Stat(p); err == nil {
				return ""
			}
		}
		return "there is no " + strings.Join(paths, ", ")
	}
	if os.Getuid() != 0 {
		switch attack {
		case "read by file handle", "/etc/shadow", "packet socket", "raw socket", "mount namespace", "network namespace", "mount",
			"open a mount", "new file system", "chroot", "host name", "bpf", "perf events", "user page faults", "kernel settings",
			"system request", "kernel log", "kernel's memory", "block device", "other families of sockets":
			return "only root may"
		case "steal a descriptor", "ptrace", "memory by call", "memory by file":
			if text, _ := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope"); len(text) > 0 && text[0] != '0' {
				return "the kernel restricts ptrace"
			}
		}
	}
	switch attack {
	case "TCP over IPv6", "UDP over IPv6":
		return missing("/proc/net/if_inet6")
	case "MPTCP":
		return missing("/proc/sys/net/mptcp/enabled")
	case "vsock":
		return missing("/dev/vsock", "/proc/sys/net/vsock")
	case "system request":
		return missing("/proc/sysrq-trigger")
	case "kernel's memory":
		return missing("/proc/kcore")
	case "kernel log":
		return missing("/dev/kmsg")
	case "new terminal":
		return missing("/dev/ptmx")
	case "setuid program":
		return missing("/usr/bin/su", "/usr/bin/passwd")
	case "DNS":
		return noRoute()
	case "controlling terminal", "terminal as input", "type into the terminal":
		return "no terminal here; TestTerminal has one"
	case "user namespace", "user namespace by clone3":
		if exec.Command("unshare", "-U", "true").Run() != nil {
			return "the machine refuses user namespaces"
		}
	case "block device", "io_uring", "keys", "add a key", "perf events", "user page faults", "open a mount", "new file system",
		"mount", "bpf", "other families of sockets", "setxattr", "leave a setuid program", "unfiltered system calls", "gain privileges", "capabilities":
		if text, _ := os.ReadFile("/proc/self/status"); !bytes.Contains(text, []byte("\nSeccomp:\t0\n")) {
			return "these tests run in walls themselves"
		}
	}
	return ""
}

func noRoute() string {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err.Error()
	}
	defer unix.Close(fd)
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: 53, Addr: [4]byte{192, 0, 2, 1}}); err != nil {
		return "the machine has no network"
	}
	return ""
}

func start(t *testing.T) *probe.Canaries {
	t.Helper()
	c, err := probe.Start(scratch(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end(c.Workspace())
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// end kills whoever has a file in dir open.
func end(dir string) {
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range open {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, dir+"/") {
			pid := 0
			if json.Unmarshal([]byte(strings.Split(fd, "/")[2]), &pid) == nil && pid != os.Getpid() {
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
}

// What the probe says is not believed over the canaries: here it says that everything was denied.
func TestCanariesOutrankTheProbe(t *testing.T) {
	c := start(t)
	seen := plain(t, c, c.Quick())
	seen.Stdout = bytes.ReplaceAll(seen.Stdout, []byte(`"denied":false`), []byte(`"denied":true`))
	holds := map[string]bool{}
	var attacks []string
	for _, p := range c.Judge(probe.Walls{Tier: 1}, seen) {
		holds[p.Name] = p.Holds
		for _, a := range p.Attacks {
			if !a.Denied {
				attacks = append(attacks, a.Attack)
			}
		}
		if p.Broken == p.Holds {
			t.Errorf("%s: holds is %v, broken is %v", p.Name, p.Holds, p.Broken)
		}
	}
	for _, name := range []string{"write outside", "change outside (chmod, times)", "network", "host unix sockets"} {
		if holds[name] {
			t.Errorf("%s: counts as held", name)
		}
	}
	for _, name := range []string{
		"write", "append", "open to truncate", "truncate", "unlink", "rename", "move away", "move over", "write through a symlink",
		"create", "mkdir", "mkfifo", "symlink", "link out", "chmod", "chown", "utimes", "TCP over IPv4", "UDP over IPv4",
		"unix socket", "unix datagram socket", "abstract unix socket",
	} {
		if !strings.Contains("\n"+strings.Join(attacks, "\n")+"\n", "\n"+name+"\n") {
			t.Errorf("%s: left no trace", name)
		}
	}
}

// A probe that says nothing has proven nothing.
func TestSilenceIsNotProof(t *testing.T) {
	c := start(t)
	for _, p := range c.Judge(probe.Walls{Tier: 1}, probe.Seen{Attempt: "quick"}, probe.Seen{Attempt: "fork"}, probe.Seen{Attempt: "memory"}) {
		if p.Holds || !p.Broken || !strings.Contains(p.Found, "was not tried") {
			t.Errorf("%s: holds %v, broken %v: %s", p.Name, p.Holds, p.Broken, p.Found)
		}
	}
}
