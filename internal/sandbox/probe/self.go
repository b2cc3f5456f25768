//go:build linux

package probe

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

func privileges() []attack {
	return []attack{
		{name: "capabilities", try: capabilities},
		{name: "gain privileges", try: func(*targets) (string, error) {
			return status("NoNewPrivs", "0")
		}},
		{name: "unfiltered system calls", try: func(*targets) (string, error) {
			return status("Seccomp", "0")
		}},
		{name: "setuid program", attempt: "slow", try: setuid},
		{name: "leave a setuid program", try: leaveSetuid, outside: setuidLeft},
	}
}

func inherited() []attack {
	return []attack{{name: "stray descriptors", try: findStray}}
}

func terminal() []attack {
	return []attack{
		{name: "controlling terminal", try: func(*targets) (string, error) {
			return closeFD(unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0))
		}},
		{name: "terminal as input", try: func(*targets) (string, error) {
			for fd := range 3 {
				if _, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == nil {
					return fmt.Sprintf("descriptor %d is one", fd), nil
				}
			}
			return "", unix.ENOTTY
		}},
		{name: "new terminal", try: func(*targets) (string, error) {
			return closeFD(unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0))
		}},
		{name: "type into the terminal", attempt: "slow", try: typeInto},
	}
}

// status succeeds when the kernel says bad of this process under name.
func status(name, bad string) (string, error) {
	is, err := statusOf("self", name)
	if err != nil {
		return "", err
	}
	if is != bad {
		return "", errors.New("in force")
	}
	return name + " is " + is, nil
}

func statusOf(process, name string) (string, error) {
	text, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest), nil
		}
	}
	return "", errors.New("the kernel does not say")
}

// capabilities looks at those that this process has, and at those that a program that it starts could get: the
// bounding set counts unless no_new_privs keeps it out of reach. Only root can empty it.
func capabilities(*targets) (string, error) {
	sets := []string{"CapEff", "CapPrm", "CapInh", "CapAmb"}
	if locked, err := statusOf("self", "NoNewPrivs"); err != nil || locked != "1" {
		sets = append(sets, "CapBnd")
	}
	for _, set := range sets {
		is, err := statusOf("self", set)
		if err != nil {
			return "", err
		}
		if strings.Trim(is, "0") != "" {
			return set + " is " + is, nil
		}
	}
	return "", errors.New("none")
}

// setuid runs a program that would make its user root, and looks whether it did before the program does anything.
func setuid(*targets) (string, error) {
	for _, p := range []string{"/usr/bin/su", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/mount", "/bin/su"} {
		var st unix.Stat_t
		if unix.Stat(p, &st) != nil || st.Mode&unix.S_ISUID == 0 {
			continue
		}
		cmd := exec.Command(p)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return "", err
		}
		if err := cmd.Start(); err != nil {
			return "", err
		}
		ids, err1 := statusOf(fmt.Sprint(cmd.Process.Pid), "Uid")
		caps, err2 := statusOf(fmt.Sprint(cmd.Process.Pid), "CapPrm")
		_ = stdin.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if err := errors.Join(err1, err2); err != nil {
			return "", err
		}
		if id := strings.Fields(ids); len(id) != 4 || id[0] != id[1] || strings.Trim(caps, "0") != "" {
			return p + " runs as another user or with capabilities", nil
		}
		return "", errors.New("it gains nothing")
	}
	return "", errors.New("there is none")
}

// leftName is what the names of the files begin with that leaveSetuid leaves in the workspace.
const leftName = "runs as another by "

// leaveSetuid makes files in the workspace that would run with the rights of their owner or group for whoever starts them. They are
// empty and cannot be executed. It ends with the first way that works.
func leaveSetuid(*targets) (string, error) {
	const mode = unix.S_ISUID | unix.S_ISGID | 0o600
	allCapabilities := []byte{0: 1, 3: 2, 4: 0xff, 12: 0xff, 19: 0} // version 2, effective
	var errs []error
	for _, way := range []struct {
		name string
		do   func(path string, fd int) error
	}{
		{"chmod", func(path string, _ int) error { return unix.Chmod(path, mode) }},
		{"fchmod", func(_ string, fd int) error { return unix.Fchmod(fd, mode) }},
		{"fchmodat", func(path string, _ int) error { return unix.Fchmodat(unix.AT_FDCWD, path, mode, 0) }},
		{"fchmodat2", func(path string, _ int) error {
			return unix.Fchmodat(unix.AT_FDCWD, path, mode, unix.AT_SYMLINK_NOFOLLOW)
		}},
		{"open", func(path string, _ int) error {
			return opens(unix.Open(path+" anew", unix.O_CREAT|unix.O_WRONLY, mode))
		}},
		{"openat2", func(path string, _ int) error {
			how := unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: mode}
			return opens(unix.Openat2(unix.AT_FDCWD, path+" anew", &how))
		}},
		{"mknod", func(path string, _ int) error { return unix.Mknod(path+" anew", unix.S_IFREG|mode, 0) }},
		{"capabilities", func(path string, _ int) error { return unix.Setxattr(path, "security.capability", allCapabilities, 0) }},
	} {
		path := leftName + way.name
		fd, err := unix.Open(path, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
		if err != nil {
			return "", err
		}
		err = way.do(path, fd)
		_ = unix.Close(fd)
		if err == nil {
			return "it was done by " + way.name, nil
		}
		errs = append(errs, err)
	}
	return "", errs[0]
}

func opens(fd int, err error) error {
	_, err = closeFD(fd, err)
	return err
}

// setuidLeft looks for the files from outside.
func setuidLeft(c *Canaries, _ Seen, r Result) Result {
	left, _ := filepath.Glob(filepath.Join(c.Workspace(), leftName+"*"))
	for _, path := range left {
		var st unix.Stat_t
		if unix.Lstat(path, &st) == nil && st.Mode&(unix.S_ISUID|unix.S_ISGID) != 0 {
			return Result{Attack: r.Attack, Found: "there is a file: " + filepath.Base(path)}
		}
	}
	return r
}

// findStray looks for descriptors that this program did not open: its own are all closed on exec, and these were not.
func findStray(t *targets) (string, error) {
	for fd := 3; fd < 4096; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue
		}
		return fmt.Sprintf("descriptor %d", fd), nil
	}
	return "", errors.New("none")
}

// typeInto puts a space into the input of whatever terminal there is.
func typeInto(*targets) (string, error) {
	space := byte(' ')
	if fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0); err == nil {
		defer unix.Close(fd)
		if ioctlByte(fd, unix.TIOCSTI, &space) == nil {
			return "it was typed", nil
		}
	}
	var err error
	for fd := range 3 {
		if err = ioctlByte(fd, unix.TIOCSTI, &space); err == nil {
			return "it was typed", nil
		}
	}
	return "", err
}
