//go:build linux

package inside_test

import (
	"archive/tar"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/inside"
)

// place is what a call is made on: a name, a descriptor of it where it is there already, and the mode.
type place struct{ path, fd, mode uintptr }

// idCall is a call that can give a file the set-uid or set-gid bit.
type idCall struct {
	name   string
	number uintptr
	args   func(place) []uintptr
	there  bool // the file is there before
}

const here = ^uintptr(99) // AT_FDCWD

var unixDay = time.Unix(86400, 0)

// idCalls are all calls that a filter can look into.
func idCalls() []idCall {
	return append(oldCalls(), []idCall{
		{"fchmod", unix.SYS_FCHMOD, func(p place) []uintptr { return []uintptr{p.fd, p.mode} }, true},
		{"fchmodat", unix.SYS_FCHMODAT, func(p place) []uintptr { return []uintptr{here, p.path, p.mode} }, true},
		{"openat", unix.SYS_OPENAT, func(p place) []uintptr {
			return []uintptr{here, p.path, unix.O_CREAT | unix.O_RDWR, p.mode}
		}, false},
		{"openat without a name", unix.SYS_OPENAT, func(p place) []uintptr {
			return []uintptr{here, uintptr(unsafe.Pointer(unsafe.StringData(".\x00"))), unix.O_TMPFILE | unix.O_RDWR, p.mode}
		}, false},
		{"mkdirat", unix.SYS_MKDIRAT, func(p place) []uintptr { return []uintptr{here, p.path, p.mode} }, false},
		{"mknodat", unix.SYS_MKNODAT, func(p place) []uintptr { return []uintptr{here, p.path, unix.S_IFREG | p.mode} }, false},
	}...)
}

// idModes are modes with one of the bits or both, some with garbage above the 16 bits of which the kernel takes notice.
func idModes() []uintptr {
	modes := []uintptr{0o4755, 0o2755, 0o6755, 0o4000, 0o2600, 1<<16 | 0o4755, 1<<31 | 0o2755}
	if unsafe.Sizeof(uintptr(0)) == 8 {
		modes = append(modes, uintptr(uint64(1)<<40|0o4755))
	}
	return modes
}

// tryIDs makes every call with every mode, prints those that were not refused, and then those with usual modes that were.
func tryIDs([]string) int {
	runtime.LockOSThread()
	for _, c := range idCalls() {
		for n, mode := range idModes() {
			if errno := c.try(fmt.Sprintf("%s %d", c.name, n), mode); errno != unix.EPERM {
				fmt.Printf("%s %#o: %d\n", c.name, mode, errno)
			}
		}
		if c.number |= foreignBit; foreignBit != 0 && c.try("x32 "+c.name, 0o4755) != unix.ENOSYS {
			fmt.Println(c.name, "was answered in x32")
		}
		c.number &^= foreignBit
		for n, mode := range []uintptr{0o755, 0o1777, 0o700} {
			if errno := c.try(fmt.Sprintf("usual %s %d", c.name, n), mode); errno != 0 {
				fmt.Printf("usual %s %#o: %d\n", c.name, mode, errno)
			}
		}
	}
	// A file that is there is opened without a mode: what lies in its place says nothing.
	path, _ := unix.BytePtrFromString("usual fchmod 0")
	fd, _, errno := syscall.RawSyscall6(unix.SYS_OPENAT, here, uintptr(unsafe.Pointer(path)), unix.O_RDONLY, 0o6755, 0, 0)
	if errno != 0 {
		fmt.Println("openat with garbage:", errno)
	}
	unix.Close(int(fd))
	how := unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o4755}
	if _, err := unix.Openat2(unix.AT_FDCWD, "openat2", &how); err != unix.ENOSYS {
		fmt.Println("openat2:", err)
	}
	if err := unix.Fchmodat(unix.AT_FDCWD, "usual fchmod 0", 0o4755, unix.AT_SYMLINK_NOFOLLOW); err == nil {
		fmt.Println("fchmodat2: it was done")
	}
	for _, mode := range []uintptr{0o4755, 0o755} {
		_, _, errno = syscall.RawSyscall6(unix.SYS_FCHMODAT2, here, uintptr(unsafe.Pointer(path)), mode, 0, 0, 0)
		if errno != unix.ENOSYS {
			fmt.Printf("fchmodat2 %#o: %d\n", mode, errno)
		}
	}
	if err := useRoot(); err != nil {
		fmt.Println("os.Root:", err)
	}
	return tryCapabilities()
}

// useRoot does what hob's own programs do with files: in a folder that they opened, by calls that the filter takes away where there
// are others.
func useRoot() error {
	root, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer root.Close()
	err = errors.Join(root.MkdirAll("root/deep", 0o750), root.WriteFile("root/deep/f", []byte("x"), 0o600), root.Chmod("root/deep/f", 0o644),
		root.Rename("root/deep/f", "root/g"))
	if err != nil {
		return err
	}
	info, err := root.Stat("root/g")
	if err == nil && info.Mode() != 0o644 {
		err = fmt.Errorf("it is %v", info.Mode())
	}
	return err
}

func (c idCall) try(name string, mode uintptr) syscall.Errno {
	p := place{fd: ^uintptr(0), mode: mode}
	if c.there {
		f, err := os.Create(name)
		if err != nil {
			return unix.EIO
		}
		defer f.Close()
		p.fd = f.Fd()
	}
	path, err := unix.BytePtrFromString(name)
	if err != nil {
		return unix.EIO
	}
	p.path = uintptr(unsafe.Pointer(path))
	var args [6]uintptr
	copy(args[:], c.args(p))
	r, _, errno := syscall.RawSyscall6(c.number, args[0], args[1], args[2], args[3], 0, 0)
	runtime.KeepAlive(path)
	if errno == 0 && strings.HasPrefix(c.name, "open") || errno == 0 && c.name == "creat" {
		unix.Close(int(r))
	}
	return errno
}

// fileCapabilities are the forms in which the kernel takes the capabilities of a program: those of the machine's root, and those of
// the root of a user namespace.
func fileCapabilities() map[string][]byte {
	const v2, v3, effective = 0x02000000, 0x03000000, 1
	words := func(ws ...uint32) (b []byte) {
		for _, w := range ws {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	all := ^uint32(0)
	return map[string][]byte{
		"v2":           words(v2|effective, all, 0, all, 0),
		"v3 of root":   words(v3|effective, all, 0, all, 0, 0),
		"v3 of my own": words(v3|effective, all, 0, all, 0, uint32(os.Getuid())),
	}
}

// tryCapabilities sets extended attributes by every call that there is for that, and prints which were set.
func tryCapabilities() int {
	f, err := os.Create("capable")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer f.Close()
	for form, value := range fileCapabilities() {
		for _, name := range []string{"security.capability", "security.hob"} {
			for call, errno := range setAttribute(f, name, value) {
				if errno == 0 {
					fmt.Printf("%s %s by %s was set\n", name, form, call)
				}
			}
		}
	}
	for call, errno := range setAttribute(f, "user.hob", []byte("x")) {
		if errno != 0 && !(call == "setxattrat" && errno == unix.ENOSYS) && errno != unix.ENOTSUP {
			fmt.Printf("user.hob by %s: %v\n", call, errno)
		}
	}
	return 0
}

func setAttribute(f *os.File, name string, value []byte) map[string]syscall.Errno {
	number := func(err error) syscall.Errno {
		errno, _ := err.(syscall.Errno)
		return errno
	}
	attr, _ := unix.BytePtrFromString(name)
	path, _ := unix.BytePtrFromString(f.Name())
	args := struct {
		value       uint64
		size, flags uint32
	}{uint64(uintptr(unsafe.Pointer(&value[0]))), uint32(len(value)), 0}
	_, _, at := syscall.RawSyscall6(unix.SYS_SETXATTRAT, here, uintptr(unsafe.Pointer(path)), 0, uintptr(unsafe.Pointer(attr)),
		uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args))
	return map[string]syscall.Errno{
		"setxattr": number(unix.Setxattr(f.Name(), name, value, 0)), "lsetxattr": number(unix.Lsetxattr(f.Name(), name, value, 0)),
		"fsetxattr": number(unix.Fsetxattr(int(f.Fd()), name, value, 0)), "setxattrat": at,
	}
}

// marked returns what in a folder runs with rights that are not those of whoever starts it.
func marked(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
			found = append(found, fmt.Sprintf("%s is %v", e.Name(), info.Mode()))
		}
		if n, err := unix.Lgetxattr(path, "security.capability", nil); err == nil {
			found = append(found, fmt.Sprintf("%s has capabilities in %d bytes", e.Name(), n))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// No call leaves a file in the workspace that runs as somebody else, and the usual modes are set as ever.
func TestNoCallSetsIDs(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "ids")
		s.Tier = tier
		r := run(t, s)
		if r.Out != "" || r.Exit != 0 {
			t.Errorf("not answered as it should be:\n%s%s", r.Out, r.Err)
		}
		if found := marked(t, s.Workspace); len(found) > 0 {
			t.Errorf("the workspace has %q", found)
		}
		info, err := os.Stat(s.Workspace + "/usual mkdirat 1")
		if err != nil || info.Mode() != fs.ModeDir|fs.ModeSticky|0o755 && info.Mode() != fs.ModeDir|fs.ModeSticky|0o777 {
			t.Errorf("%v, %v", info, err)
		}
	})
}

func TestACallOfAnotherArchitectureSetsNoIDs(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has two ways in")
	}
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "foreign ids", "file")
		s.Tier = tier
		if r := run(t, s); r.Signal != int(syscall.SIGSYS) {
			t.Errorf("%+v", r)
		}
		if found := marked(t, s.Workspace); len(found) > 0 {
			t.Errorf("the workspace has %q", found)
		}
	})
}

// What people do every day works; what would make a set-uid program fails and says so, or leaves the bit out.
func TestProgramsAndSetIDs(t *testing.T) {
	for name, test := range map[string]struct {
		script, want string
		refused      bool // it may fail
	}{
		"cp -p":               {script: `cp -p prog copy && stat -c '%a %Y' copy`, want: "755 86400\n"},
		"cp -a":               {script: `cp -a tree copy && stat -c %a copy copy/sub copy/sub/prog`, want: "751\n1777\n755\n"},
		"install -m 755":      {script: `install -m 755 prog copy && stat -c %a copy && install -d -m 750 d && stat -c %a d`, want: "755\n750\n"},
		"tar x":               {script: `tar cf a.tar tree && mkdir x && tar xf a.tar -C x && stat -c %a x/tree x/tree/sub/prog`, want: "751\n755\n"},
		"tar xp":              {script: `tar cf a.tar tree && mkdir x && tar xpf a.tar -C x && stat -c %a x/tree x/tree/sub/prog`, want: "751\n755\n"},
		"tar with attributes": {script: `tar --xattrs --acls -cf a.tar tree && mkdir x && tar --xattrs --acls -xf a.tar -C x && stat -c %a x/tree/sub/prog`, want: "755\n"},
		"chmod":               {script: `chmod 600 prog && chmod u+x,go+r prog && chmod +t tree && stat -c %a prog tree`, want: "744\n1751\n"},
		"mktemp":              {script: `stat -c %a "$(mktemp -p .)" "$(mktemp -d -p .)"`, want: "600\n700\n"},
		"umask":               {script: `umask 077; mkdir d; : >f; stat -c %a d f`, want: "700\n600\n"},
		"git": {script: `command -v git >/dev/null || { echo 0; exit; }; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1; git init -q r && cd r && ` +
			`cp -p ../prog . && git add . && git -c user.email=a@b -c user.name=n commit -qm x && git clone -q . ../c && [ -x ../c/prog ]; echo $?`, want: "0\n"},
		"chmod u+s":                  {script: `cp prog b; chmod 4755 b; echo $?; stat -c %a b`, want: "1\n755\n"},
		"chmod g+s":                  {script: `mkdir d; chmod 755 d; chmod g+s d; echo $?; stat -c %a d`, want: "1\n755\n"},
		"install -m 4755":            {script: `install -m 4755 prog b; [ $? -ne 0 ] && echo refused`, want: "refused\n"},
		"cp -p of a set-uid program": {script: `cp -p suid copy; echo $?; cmp suid copy && echo whole`, want: "1\nwhole\n", refused: true},
		"tar x of a set-uid program": {script: `tar xpf /dev/stdin <suid.tar || echo refused; cmp suid s && echo whole`, want: "refused\nwhole\n", refused: true},
		"python": {script: `command -v python3 >/dev/null || exit 0; cd /; /usr/bin/python3 -c 'import os, sys
os.chdir(sys.argv[1])
for f in (lambda: os.chmod("prog", 0o4755), lambda: os.close(os.open("n", os.O_CREAT | os.O_WRONLY, 0o4755)), lambda: os.mknod("m", 0o104755)):
    try: f(); print("done")
    except PermissionError: pass' "$HOME"`, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
				s := shell(t, test.script)
				s.Tier = tier
				layPrograms(t, s.Workspace)
				r := run(t, s)
				if r.Out != test.want {
					t.Errorf("%q, want %q; it said %q", r.Out, test.want, r.Err)
				}
				if test.refused && !strings.Contains(r.Err, "not permitted") {
					t.Errorf("it did not say why: %q", r.Err)
				}
				if found := marked(t, s.Workspace); len(found) != 1 || found[0] != "suid is urwxr-xr-x" {
					t.Errorf("the workspace has %q", found)
				}
			})
		})
	}
}

// layPrograms makes a program, a tree with it in it, and a set-uid one, as a file and in an archive.
func layPrograms(t *testing.T, dir string) {
	t.Helper()
	text := []byte("#!/bin/sh\necho hello\n")
	var errs []error
	for _, d := range []struct {
		name string
		mode fs.FileMode
	}{{"tree", 0o751}, {"tree/sub", 0o777 | fs.ModeSticky}} {
		errs = append(errs, os.Mkdir(filepath.Join(dir, d.name), 0o700), os.Chmod(filepath.Join(dir, d.name), d.mode))
	}
	for name, mode := range map[string]fs.FileMode{"prog": 0o755, "tree/sub/prog": 0o755, "suid": 0o755 | fs.ModeSetuid} {
		path := filepath.Join(dir, name)
		errs = append(errs, os.WriteFile(path, text, 0o600), os.Chmod(path, mode), os.Chtimes(path, unixDay, unixDay))
	}
	f, err := os.Create(filepath.Join(dir, "suid.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := tar.NewWriter(f)
	errs = append(errs, w.WriteHeader(&tar.Header{Name: "s", Mode: 0o4755, Size: int64(len(text)), Uid: os.Getuid(), Gid: os.Getgid(), Format: tar.FormatUSTAR}))
	_, err = w.Write(text)
	if err := errors.Join(append(errs, err, w.Close())...); err != nil {
		t.Fatal(err)
	}
}

// A set-uid program of the machine does not get another name in the workspace, and what is set-uid there stays so only as long as
// nobody writes to it.
func TestSetIDProgramsThatAreThere(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `for p in /usr/bin/su /usr/bin/passwd; do ln $p linked; ln -P $p linked; mv $p moved; cp --reflink=auto -p $p copied; done; echo x >>suid; true`)
		s.Tier = tier
		layPrograms(t, s.Workspace)
		run(t, s)
		if found := marked(t, s.Workspace); len(found) > 0 {
			t.Errorf("the workspace has %q", found)
		}
	})
}
