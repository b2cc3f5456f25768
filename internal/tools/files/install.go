package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/phrase"
)

// installed is what came of [Tool.install].
type installed struct {
	change event.Change // as it was kept; zero without a keeper
	path   string       // absolute, without links in its folders
	note   string
}

// errChanged says that somebody else was at a file between the look at it and the change.
var errChanged = errors.New("it was changed by another program at the same moment; nothing was done, try again")

// install puts n in the place of old, which is at s in dir, whole or not at all. The order is what makes it safe: it is
// marked where the new content comes from, that is on the disk under another name, then what was there is kept, then the
// one takes the place of the other.
func (f *Tool) install(ctx context.Context, dir *folder, s spot, old *existing, n next) (done installed, bad *tools.Error) {
	path, bad := dir.path(s)
	if bad == nil && f.commands != nil && f.commands.Pinned(path) {
		bad = s.denied("is run by a job that was approved with it as it is; stop the job first")
	}
	if bad == nil && n.kind != event.NoFile {
		bad = f.mark(ctx, s, path)
	}
	if bad != nil {
		return done, bad
	}
	temp, after, note, err := f.prepare(dir, old, n)
	if err != nil {
		return done, s.fault(err)
	}
	c, lasting, bad := f.keep(ctx, dir, s, old, n, event.Change{Path: path, After: after})
	if bad != nil {
		dir.discard(temp)
		return done, bad
	}
	err = dir.swap(temp, filepath.Base(s.rel), old)
	f.settle(ctx, c.ID, err == nil)
	if err != nil {
		dir.discard(temp)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return done, exists(s) // it appeared while this was written
	case errors.Is(err, errChanged):
		return done, &tools.Error{Type: event.TypeStorage, Code: event.CodeExecutionFailed, Retryable: true,
			Message: s.name() + ": " + err.Error()}
	case err != nil:
		return done, s.fault(err)
	}
	if lasting != "" {
		note = lasting
	}
	if err := dir.sync(); err != nil {
		note = "a power cut now may undo it: " + phrase.Plain(err)
	}
	return installed{change: c, path: path, note: note}, nil
}

// path returns the absolute path of s, which is a name in d, where d really is.
func (d *folder) path(s spot) (string, *tools.Error) {
	real, err := realPath(d.self)
	if err != nil {
		return "", s.fault(err)
	}
	if _, in := inside(s.in.real, real); !in {
		return "", s.denied("is in a folder that was moved away meanwhile")
	}
	return filepath.Join(real, filepath.Base(s.rel)), nil
}

// prepare makes n under a name of its own, "" for nothing, and says what it will be.
func (f *Tool) prepare(dir *folder, old *existing, n next) (name string, after event.FileState, note string, err error) {
	if n.kind == event.NoFile {
		return "", after, "", nil
	}
	if n.kind == event.Link {
		name, err = dir.tempLink(n)
	} else {
		name, note, err = f.tempFile(dir, old, n)
	}
	info := fs.FileInfo(nil)
	if err == nil {
		info, err = dir.root.Lstat(name)
	}
	if err != nil {
		dir.discard(name)
		return "", after, "", err
	}
	after = stateOf(info)
	after.Sum = sumOf(n.content)
	return name, after, note, nil
}

// tempFile makes a file under a name of its own, on the disk when it returns. After an error it is to be discarded.
func (f *Tool) tempFile(dir *folder, old *existing, n next) (name, note string, err error) {
	name, temp, err := dir.temp()
	if err != nil {
		return "", "", err
	}
	defer temp.Close()
	if err := f.save(temp, n.content); err != nil {
		return name, "", err
	}
	if n.like != nil {
		if note, err = bringBack(temp, *n.like); err == nil {
			err = dir.root.Chtimes(name, time.Time{}, n.like.Time)
		}
	} else {
		mode := fs.FileMode(0o644)
		if old != nil {
			mode = old.info.Mode().Perm()
			note = carry(old, temp)
		}
		err = temp.Chmod(mode)
	}
	if err != nil {
		return name, "", err
	}
	return name, note, temp.Sync()
}

// tempLink makes a link under a name of its own. After an error it is to be discarded.
func (d *folder) tempLink(n next) (string, error) {
	name := TempPrefix + rand.Text()
	if err := d.root.Symlink(string(n.content), name); err != nil {
		return name, err
	}
	if n.like == nil {
		return name, nil
	}
	_ = d.root.Lchown(name, n.like.User, n.like.Group) // where it leads matters more than whose it is
	return name, control(d.self, func(fd int) error {
		at := unix.NsecToTimespec(n.like.Time.UnixNano())
		return unix.UtimesNanoAt(fd, name, []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW)
	})
}

func (d *folder) discard(temp string) {
	if temp != "" {
		_ = d.root.Remove(temp) // who writes here next removes what is left
	}
}

// swap puts temp, or with "" nothing, in the place of old. It does nothing when old is not what is there any more.
func (d *folder) swap(temp, base string, old *existing) error {
	switch {
	case old == nil && temp == "":
		return nil
	case old == nil:
		return d.rename(temp, base, false)
	case temp == "":
		return d.remove(base, old)
	}
	now, err := d.root.Lstat(base)
	if err != nil || old.changedSince(now) {
		return errChanged
	}
	return d.rename(temp, base, true)
}

// remove deletes old. It is moved aside first, and moved back if it turns out to be something else that nobody has kept.
func (d *folder) remove(base string, old *existing) error {
	aside := TempPrefix + rand.Text()
	if err := d.root.Rename(base, aside); errors.Is(err, fs.ErrNotExist) {
		return errChanged
	} else if err != nil {
		return err
	}
	now, err := d.root.Lstat(aside)
	if err == nil && old.changedSince(now) {
		err = errChanged
	}
	if err == nil {
		err = unlink(d.self, aside, 0)
	}
	if err != nil {
		return errors.Join(err, d.rename(aside, base, false))
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// unlink removes a name in a folder: with [unix.AT_REMOVEDIR] that of an empty folder, else that of anything but a folder.
// Unlike [os.Root.Remove] it never does the one for the other.
func unlink(dir *os.File, name string, flags int) error {
	return control(dir, func(fd int) error {
		if err := unix.Unlinkat(fd, name, flags); err != nil {
			return &fs.PathError{Op: "unlink", Path: name, Err: err}
		}
		return nil
	})
}
