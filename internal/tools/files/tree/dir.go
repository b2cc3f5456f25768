package tree

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/tools"
)

// lockWait is how long a writer waits for another process to let go of a folder.
const lockWait = 10 * time.Second

// Dir is a folder that is open for changes, by one writer at a time.
type Dir struct {
	Root *os.Root // pins it: what happens to its name matters no more
	Self *os.File
	Made int // so many folders above and with this one were made for the change

	held bool // the lock of other processes works here and is held
}

// Close lets go of the folder, and of its lock.
func (d *Dir) Close() {
	d.Self.Close() // and with it the lock
	d.Root.Close()
}

// newDir takes over a folder that is open, and closes it where it cannot.
func newDir(root *os.Root) (*Dir, error) {
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Dir{Root: root, Self: self}, nil
}

// OpenDir opens the folder of p for changes, makes it where that is wanted, and removes what killed writers left there. undo
// removes the folders that were made, if they are empty.
func (t *Tree) OpenDir(ctx context.Context, p Path, makeDirs bool) (_ *Dir, undo func(), bad *tools.Error) {
	at := p.With(filepath.Dir(p.Rel))
	undo, made := func() {}, 0
	if makeDirs {
		var err error
		if undo, made, err = makeFolders(at); err != nil {
			undo()
			return nil, nil, p.noParent(t, err)
		}
	}
	root, err := at.In.Root.OpenRoot(at.Rel)
	if err != nil {
		undo()
		return nil, nil, p.noParent(t, err)
	}
	d, err := newDir(root)
	if err != nil {
		undo()
		return nil, nil, p.Fault(err)
	}
	d.Made = made
	bad = t.Guard(at, d.Self)
	if bad == nil {
		bad = d.lock(ctx, at)
	}
	if bad != nil {
		d.Close()
		undo()
		return nil, nil, bad
	}
	t.sweep(d)
	return d, undo, nil
}

// noParent says why the folder of p cannot be opened.
func (p Path) noParent(t *Tree, err error) *tools.Error {
	for dir := filepath.Dir(p.Rel); dir != "."; dir = filepath.Dir(dir) {
		if info, err := p.In.Root.Stat(dir); err == nil && !info.IsDir() {
			return tools.Invalid(event.CodeInvalidValue, "%s: a part of its path is a file and no folder", p.Name())
		}
	}
	return t.Missing(p, err)
}

// makeFolders makes the folder at and those above it, and says how many that were. What it returns removes them, if they
// are empty.
func makeFolders(at Path) (undo func(), made int, err error) {
	for dir := at.Rel; dir != "."; dir = filepath.Dir(dir) {
		if _, err := at.In.Root.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made++
	}
	undo = func() { RemoveFolders(at, made) }
	if made == 0 {
		return undo, 0, nil
	}
	return undo, made, at.In.Root.MkdirAll(at.Rel, 0o755)
}

// RemoveFolders removes the folder at and those above it, n in all, as long as they are empty.
func RemoveFolders(at Path, n int) {
	for dir := at.Rel; n > 0 && dir != "."; n-- {
		above, err := at.In.Root.Open(filepath.Dir(dir))
		if err != nil {
			return
		}
		err = unlink(above, filepath.Base(dir), unix.AT_REMOVEDIR)
		above.Close()
		if err != nil {
			return // somebody else uses it by now
		}
		dir = filepath.Dir(dir)
	}
}

// lock takes the lock that other processes of hob take too. Where the file system has none, this process alone is
// kept in order.
func (d *Dir) lock(ctx context.Context, at Path) *tools.Error {
	for pause, waited := time.Millisecond, time.Duration(0); ; pause = min(2*pause, 50*time.Millisecond) {
		err := Control(d.Self, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
		switch {
		case err == nil:
			d.held = true
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return nil
		case waited >= lockWait:
			return tools.StorageFailed("another program keeps %s locked", at.Name()).Retry()
		}
		again := time.NewTimer(pause)
		select {
		case <-again.C:
			waited += pause // and no more, where the machine stood still: who keeps the lock stood still as well
		case <-ctx.Done():
			again.Stop()
			return at.Waiting(ctx)
		}
	}
}

// sweep removes the temporary files that killed writers left in d: whoever holds the lock is the only writer.
func (t *Tree) sweep(d *Dir) {
	info, err := d.Self.Stat()
	if err != nil || !d.held {
		return
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	key := Inode{Dev: uint64(st.Dev), Ino: st.Ino} //nolint:unconvert // 32 bits on some machines
	if t.swept[key] {
		return
	}
	t.swept[key] = true
	names, err := d.Self.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, TempPrefix) {
			continue
		}
		if info, err := d.Root.Lstat(name); err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0) {
			_ = unlink(d.Self, name, 0)
		}
	}
}

// Temp makes a new file in d that nobody else has open.
func (d *Dir) Temp() (string, *os.File, error) {
	name := TempPrefix + rand.Text()
	file, err := d.Root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	return name, file, err
}

// Rename gives the temporary file its name. Unless over says so it replaces nothing.
func (d *Dir) Rename(temp, base string, over bool) error {
	if over {
		return d.Root.Rename(temp, base)
	}
	err := Control(d.Self, func(fd int) error {
		return linux.Renameat2(fd, temp, fd, base, linux.NoReplace)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		// A file system without it. Nobody else of hob writes here now, so looking first is enough.
		if _, err := d.Root.Lstat(base); err == nil {
			return fs.ErrExist
		}
		return d.Root.Rename(temp, base)
	}
	return err
}

// Sync makes the names in d durable.
func (d *Dir) Sync() error {
	if err := d.Self.Sync(); !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil // a file system that keeps names without being told
}

// twin returns the name under which base is really kept, when that differs: on a folder that ignores case a new name
// would take the place of the old one.
func (d *Dir) twin(base string, info fs.FileInfo) string {
	other := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, base)
	if other == base {
		return ""
	}
	if same, err := d.Root.Lstat(other); err != nil || !os.SameFile(same, info) {
		return ""
	}
	dir, err := d.Root.Open(".")
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	return twinOf(base, names)
}

// twinOf returns the name among names that differs from base by case only, unless base itself is there.
func twinOf(base string, names []string) string {
	if slices.Contains(names, base) {
		return ""
	}
	for _, name := range names {
		if strings.EqualFold(name, base) {
			return name
		}
	}
	return ""
}

// OpenPlainDir opens the folder at an absolute path, and nothing else that may lie there under its name. It takes no lock.
func OpenPlainDir(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	d, err := newDir(root)
	if err != nil {
		return nil, err
	}
	opened, err := d.Self.Stat()
	if err == nil {
		var named fs.FileInfo
		if named, err = os.Lstat(path); err == nil && !os.SameFile(named, opened) {
			err = errors.New("its folder is a link")
		}
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// ReadFile returns the content of a regular file in d, the first 16 MiB of it.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	before, err := d.Root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s, not a file", KindOf(before.Mode()))
	}
	file, err := d.Root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if after, err := file.Stat(); err != nil {
		return nil, err
	} else if !os.SameFile(before, after) {
		return nil, errors.New("it was replaced meanwhile")
	}
	return io.ReadAll(io.LimitReader(file, MaxFile))
}

// RealPath returns the absolute path of p, which is a name in d, where d really is.
func (d *Dir) RealPath(p Path) (string, *tools.Error) {
	real, err := RealPath(d.Self)
	if err != nil {
		return "", p.Fault(err)
	}
	if _, in := Inside(p.In.Real, real); !in {
		return "", p.Denied("is in a folder that was moved away meanwhile")
	}
	return filepath.Join(real, filepath.Base(p.Rel)), nil
}
