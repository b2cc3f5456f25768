package files

import (
	"context"
	"crypto/rand"
	"errors"
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
	"hob/internal/tools"
)

// lockWait is how long a writer waits for another process to let go of a folder.
const lockWait = 10 * time.Second

// folder is a folder that is open for changes, by one writer at a time.
type folder struct {
	root *os.Root // pins it: what happens to its name matters no more
	self *os.File
	made int  // so many folders above and with this one were made for the change
	held bool // the lock of other processes works here and is held
}

func (d *folder) close() {
	d.self.Close() // and with it the lock
	d.root.Close()
}

// openFolder opens the folder of s for changes, makes it where that is wanted, and removes what killed writers left
// there. The second result takes away again what was made.
func (f *Tool) openFolder(ctx context.Context, s spot, makeDirs bool) (*folder, func(), *tools.Error) {
	at := s.with(filepath.Dir(s.rel))
	undo, made := func() {}, 0
	if makeDirs {
		var err error
		if undo, made, err = makeFolders(at); err != nil {
			undo()
			return nil, nil, s.noParent(f, err)
		}
	}
	root, err := at.in.root.OpenRoot(at.rel)
	if err != nil {
		undo()
		return nil, nil, s.noParent(f, err)
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		undo()
		return nil, nil, s.fault(err)
	}
	d := &folder{root: root, self: self, made: made}
	bad := f.guard(at, self)
	if bad == nil {
		bad = d.lock(ctx, at)
	}
	if bad != nil {
		d.close()
		undo()
		return nil, nil, bad
	}
	f.sweep(d)
	return d, undo, nil
}

// noParent says why the folder of s cannot be opened.
func (s spot) noParent(f *Tool, err error) *tools.Error {
	for dir := filepath.Dir(s.rel); dir != "."; dir = filepath.Dir(dir) {
		if info, err := s.in.root.Stat(dir); err == nil && !info.IsDir() {
			return tools.Invalid(event.CodeInvalidValue, "%s: a part of its path is a file and no folder", s.name())
		}
	}
	return f.missing(s, err)
}

// makeFolders makes the folder at and those above it, and says how many that were. What it returns removes them, if they
// are empty.
func makeFolders(at spot) (undo func(), made int, err error) {
	for dir := at.rel; dir != "."; dir = filepath.Dir(dir) {
		if _, err := at.in.root.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made++
	}
	undo = func() { removeFolders(at, made) }
	if made == 0 {
		return undo, 0, nil
	}
	return undo, made, at.in.root.MkdirAll(at.rel, 0o755)
}

// removeFolders removes the folder at and those above it, n in all, as long as they are empty.
func removeFolders(at spot, n int) {
	for dir := at.rel; n > 0 && dir != "."; n-- {
		above, err := at.in.root.Open(filepath.Dir(dir))
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
func (d *folder) lock(ctx context.Context, at spot) *tools.Error {
	for pause, waited := time.Millisecond, time.Duration(0); ; pause = min(2*pause, 50*time.Millisecond) {
		err := control(d.self, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
		switch {
		case err == nil:
			d.held = true
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return nil
		case waited >= lockWait:
			return &tools.Error{
				Type: event.TypeStorage, Code: event.CodeExecutionFailed, Retryable: true,
				Message: "another program keeps " + at.name() + " locked",
			}
		}
		again := time.NewTimer(pause)
		select {
		case <-again.C:
			waited += pause // and no more, where the machine stood still: who keeps the lock stood still as well
		case <-ctx.Done():
			again.Stop()
			return at.waiting(ctx)
		}
	}
}

// waiting is the error of a write whose turn did not come before ctx ended.
func (s spot) waiting(ctx context.Context) *tools.Error {
	e := tools.Ended(ctx, "writing "+s.name(), "while it waited for its turn; nothing was changed")
	e.Retryable = true
	return e
}

// sweep removes the temporary files that killed writers left in d: whoever holds the lock is the only writer.
func (f *Tool) sweep(d *folder) {
	info, err := d.self.Stat()
	if err != nil || !d.held {
		return
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	key := inode{dev: uint64(st.Dev), ino: st.Ino} //nolint:unconvert // 32 bits on some machines
	if f.swept[key] {
		return
	}
	f.swept[key] = true
	names, err := d.self.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, TempPrefix) {
			continue
		}
		if info, err := d.root.Lstat(name); err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0) {
			_ = unlink(d.self, name, 0)
		}
	}
}

// temp makes a new file in d that nobody else has open.
func (d *folder) temp() (string, *os.File, error) {
	name := TempPrefix + rand.Text()
	file, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	return name, file, err
}

// rename gives the temporary file its name. Unless over says so it replaces nothing.
func (d *folder) rename(temp, base string, over bool) error {
	if over {
		return d.root.Rename(temp, base)
	}
	err := control(d.self, func(fd int) error {
		return unix.Renameat2(fd, temp, fd, base, unix.RENAME_NOREPLACE)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		// A file system without it. Nobody else of hob writes here now, so looking first is enough.
		if _, err := d.root.Lstat(base); err == nil {
			return fs.ErrExist
		}
		return d.root.Rename(temp, base)
	}
	return err
}

func (d *folder) sync() error {
	if err := d.self.Sync(); !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil // a file system that keeps names without being told
}

// twin returns the name under which base is really kept, when that differs: on a folder that ignores case a new name
// would take the place of the old one.
func (d *folder) twin(base string, info fs.FileInfo) string {
	other := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, base)
	if other == base {
		return ""
	}
	if same, err := d.root.Lstat(other); err != nil || !os.SameFile(same, info) {
		return ""
	}
	dir, err := d.root.Open(".")
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

func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}
