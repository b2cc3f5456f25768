//go:build linux

package probe

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

func reading() []attack {
	return []attack{
		{name: "read", try: func(t *targets) (string, error) { return t.read(t.Secret) }},
		{name: "read through a symlink", try: throughSymlink},
		{name: "read through a hard link", try: throughHardLink},
		{name: "read through hob's root", try: func(t *targets) (string, error) {
			return t.read(fmt.Sprintf("/proc/%d/root%s", t.PID, t.Secret))
		}},
		{name: "read through hob's descriptor", try: func(t *targets) (string, error) {
			return t.read(fmt.Sprintf("/proc/%d/fd/%d", t.PID, t.Stray))
		}},
		{name: "read by file handle", try: byHandle},
		{name: "find", attempt: "slow", try: find},
		{name: "/etc/shadow", attempt: "slow", try: shadow, gap: notT3("the root's /etc is the machine's, and root owns it")},
	}
}

func looking() []attack {
	gap := notT3("Landlock hides no names, sizes and times")
	return []attack{
		{name: "stat", gap: gap, try: func(t *targets) (string, error) {
			var st unix.Stat_t
			err := unix.Stat(t.Secret, &st)
			return fmt.Sprintf("%d bytes", st.Size), err
		}},
		{name: "access", gap: gap, try: func(t *targets) (string, error) {
			return "it is there", unix.Access(t.Secret, unix.F_OK)
		}},
		{name: "list", try: func(t *targets) (string, error) {
			entries, err := os.ReadDir(filepath.Dir(t.Secret))
			return fmt.Sprintf("%d names", len(entries)), err
		}},
	}
}

func writing() []attack {
	truncate := onFile("truncate", func(p string) error { return unix.Truncate(p, 1) })
	truncate.gap = ruleset(3, "truncate")
	return []attack{
		onFile("write", opened(unix.O_WRONLY)),
		onFile("append", opened(unix.O_WRONLY|unix.O_APPEND)),
		onFile("open to truncate", opened(unix.O_WRONLY|unix.O_TRUNC)),
		truncate,
		onFile("unlink", unix.Unlink),
		onFile("rename", func(p string) error { return unix.Rename(p, p+newSuffix) }),
		onFile("move away", func(p string) error { return unix.Rename(p, "moved") }),
		onFile("move over", func(p string) error {
			if err := os.WriteFile("mine", []byte("mine\n"), 0o600); err != nil {
				return err
			}
			return unix.Rename("mine", p)
		}),
		onFile("write through a symlink", func(p string) error {
			_ = unix.Unlink("to outside")
			if err := unix.Symlink(p, "to outside"); err != nil {
				return err
			}
			return opened(unix.O_WRONLY)("to outside")
		}),
		onNew("create", opened(unix.O_WRONLY|unix.O_CREAT)),
		onNew("mkdir", func(p string) error { return unix.Mkdir(p, 0o700) }),
		onNew("mkfifo", func(p string) error { return unix.Mkfifo(p, 0o600) }),
		onNew("symlink", func(p string) error { return unix.Symlink("/", p) }),
		onNew("link out", func(p string) error {
			if err := os.WriteFile("mine to link", nil, 0o600); err != nil {
				return err
			}
			return unix.Link("mine to link", p)
		}),
	}
}

func changing() []attack {
	gap := notT3("Landlock holds back no chmod, chown, utimes and setxattr")
	all := []attack{
		onFile("chmod", func(p string) error { return unix.Chmod(p, 0o666) }),
		onFile("chown", func(p string) error { return unix.Chown(p, os.Getuid(), -1) }),
		onFile("utimes", func(p string) error { return os.Chtimes(p, time.Unix(1, 0), time.Unix(1, 0)) }),
		onFile("setxattr", func(p string) error { return unix.Setxattr(p, "user.hob", []byte("x"), 0) }),
	}
	for i := range all {
		all[i].gap = gap
	}
	return all
}

// read reads the secret at path.
func (t *targets) read(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return t.secretIn(f)
}

func (t *targets) secretIn(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, 4096))
	if err != nil {
		return "", err
	}
	if sum(text) != t.SecretSum {
		return "", errors.New("it is another file")
	}
	return "the secret was read", nil
}

func throughSymlink(t *targets) (string, error) {
	_ = unix.Unlink("to secret") // of an earlier trial
	if err := unix.Symlink(t.Secret, "to secret"); err != nil {
		return "", err
	}
	return t.read("to secret")
}

func throughHardLink(t *targets) (string, error) {
	_ = unix.Unlink("secret")
	if err := unix.Link(t.Secret, "secret"); err != nil {
		return "", err
	}
	return t.read("secret")
}

// byHandle opens the secret by its number on the file system, past every folder: a way out for root with capabilities
// when the workspace is on the same file system.
func byHandle(t *targets) (string, error) {
	if len(t.Handle) == 0 {
		return "", errors.New("no handles on this file system")
	}
	here, err := unix.Open(".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(here)
	fd, err := unix.OpenByHandleAt(here, unix.NewFileHandle(t.HandleType, t.Handle), unix.O_RDONLY|unix.O_CLOEXEC)
	if err != nil {
		return "", err
	}
	f := os.NewFile(uintptr(fd), "handle")
	defer f.Close()
	return t.secretIn(f)
}

// find looks for a file with the secret's name: first where it was, then in the whole tree, for a while.
func find(t *targets) (string, error) {
	name, found := filepath.Base(t.Secret), ""
	for _, root := range []string{filepath.Dir(filepath.Dir(t.Secret)), "/"} {
		until := time.Now().Add(2 * time.Second)
		_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err == nil && d.Name() == name:
				found = p
				return fs.SkipAll
			case root == "/" && time.Now().After(until):
				return fs.SkipAll
			case p == "/proc" || p == "/sys" || p == "/usr" || d == nil:
				return fs.SkipDir
			}
			return nil
		})
		if found != "" {
			return "its name was found", nil
		}
	}
	return "", errors.New("not found")
}

func shadow(*targets) (string, error) {
	text, err := os.ReadFile("/etc/shadow")
	if err == nil && !strings.Contains(string(text), ":") {
		return "", errors.New("it is another file")
	}
	return "it was read", err
}

// onFile is an attack on the canary of that name.
func onFile(name string, do func(path string) error) attack {
	return attack{name: name, onFile: true, try: func(t *targets) (string, error) {
		return "it was done", do(filepath.Join(t.Out, name))
	}}
}

// onNew is an attack that leaves something new among the canaries.
func onNew(name string, do func(path string) error) attack {
	return attack{name: name, try: onFile(name+newSuffix, do).try}
}

// opened opens a file with flags and writes to it.
func opened(flags int) func(path string) error {
	return func(path string) error {
		fd, err := unix.Open(path, flags|unix.O_CLOEXEC|unix.O_NONBLOCK, 0o600)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		_, err = unix.Write(fd, []byte("hostile\n"))
		return err
	}
}
