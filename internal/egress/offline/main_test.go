//go:build linux

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain lets the test binary be offline, and what offline runs.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && (os.Args[1] == "--" || os.Args[1] == inside):
		main()
	case os.Getenv("LOOK_AROUND") != "":
		lookAround()
	default:
		os.Exit(m.Run())
	}
}

// lookAround prints what a command finds.
func lookAround() {
	ways, err := waysOut()
	fmt.Println("ways out:", ways, err)
	fmt.Println("told:", os.Getenv(variable))
	fmt.Println("user:", os.Getuid())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println("loopback:", err)
		return
	}
	c, err := net.Dial("tcp", l.Addr().String())
	fmt.Println("loopback:", c != nil, err)
	status, err := os.ReadFile("/proc/self/status")
	fmt.Println("capabilities:", capabilities(status, "CapInh"), capabilities(status, "CapAmb"), capabilities(status, "CapEff"), err)
	nested := exec.Command("/proc/self/exe", "-test.run=^$")
	nested.Env = []string{}
	nested.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}}
	fmt.Println("namespaces inside:", nested.Run())
	os.Exit(7)
}

// capabilities returns one set of a process's, in hexadecimal.
func capabilities(status []byte, set string) string {
	_, caps, _ := strings.Cut(string(status), set+":")
	caps, _, _ = strings.Cut(caps, "\n")
	return strings.TrimSpace(caps)
}

// waysOut names what a packet could leave this machine by: interfaces but loopback, and routes over them.
func waysOut() ([]string, error) {
	var ways []string
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			ways = append(ways, "interface "+i.Name)
		}
	}
	for file, column := range map[string]int{"/proc/self/net/route": 0, "/proc/self/net/ipv6_route": 9} {
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue // no IPv6
		}
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > column && f[column] != "lo" && f[column] != "Iface" {
				ways = append(ways, "route "+strings.TrimSpace(line))
			}
		}
	}
	return ways, nil
}

// The suite runs without a network where HOB_OFFLINE says so.
func TestThisIsOffline(t *testing.T) {
	if os.Getenv(variable) == "" {
		t.Skip("not under offline: make test runs the suite under it")
	}
	if ways, err := waysOut(); len(ways) > 0 || err != nil {
		t.Errorf("there are ways out: %v, %v", ways, err)
	}
	if c, err := net.Dial("udp", "192.0.2.1:53"); err == nil { // sends nothing: it asks for a route
		c.Close()
		t.Error("there is a route to 192.0.2.1")
	}
}

func TestOffline(t *testing.T) {
	for name, uid := range map[string]int{"as this user": os.Geteuid(), "as an ordinary user": 65534} {
		if uid != os.Geteuid() && os.Geteuid() != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			exe := copyFor(t)
			cmd := exec.Command(exe, "--", exe)
			cmd.Env = []string{"LOOK_AROUND=1"}
			if uid != os.Geteuid() {
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
			}
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, _ := cmd.Output()
			if strings.Contains(errs.String(), "gives no network namespace") {
				t.Skipf("this kernel cannot: %s", errs.String())
			}
			const none = "0000000000000000"
			caps := none
			if uid == 0 { // root keeps its own
				status, err := os.ReadFile("/proc/self/status")
				if err != nil {
					t.Fatal(err)
				}
				caps = capabilities(status, "CapEff")
			}
			caps = strings.Join([]string{none, none, caps}, " ")
			want := fmt.Sprintf("ways out: [] <nil>\ntold: 1\nuser: %d\nloopback: true <nil>\ncapabilities: %s <nil>\nnamespaces inside: <nil>\n", uid, caps)
			if string(out) != want || cmd.ProcessState.ExitCode() != 7 {
				t.Errorf("exit status %d, it finds\n%s\nwant\n%s\n%s", cmd.ProcessState.ExitCode(), out, want, errs.String())
			}
		})
	}
}

// copyFor returns this program where any user can run it.
func copyFor(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "offline")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "offline")
	for _, err := range []error{os.Chmod(dir, 0o755), os.WriteFile(path, program, 0o755), os.Chmod(path, 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]int{"--": exitUsage, "-- /nothing/there": exitBroken, "-- false": 1, "-- true": 0} {
		cmd := exec.Command("/proc/self/exe", strings.Fields(args)...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit status %d, want %d\n%s", args, got, want, out)
		}
	}
}
