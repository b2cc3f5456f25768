package tree

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
)

// Content is what comes to a name.
type Content struct {
	Kind event.FileKind
	Raw  []byte           // of a link: its target
	Like *event.FileState // the state that is brought back; nil means like the file that is replaced
}

// ErrChanged says that somebody else was at a file between the look at it and the change.
var ErrChanged = errors.New("it was changed by another program at the same moment; nothing was done, try again")

// Prepare writes c under a temporary name in d, "" for nothing, and returns the state that it will have. note says what of
// old or c.Like could not be carried over. The name is for [Dir.Swap] or [Dir.Discard].
func (t *Tree) Prepare(d *Dir, old *Existing, c Content) (temp string, after event.FileState, note string, err error) {
	if c.Kind == event.NoFile {
		return "", after, "", nil
	}
	if c.Kind == event.Link {
		temp, err = d.tempLink(c)
	} else {
		temp, note, err = t.tempFile(d, old, c)
	}
	info := fs.FileInfo(nil)
	if err == nil {
		info, err = d.Root.Lstat(temp)
	}
	if err != nil {
		d.Discard(temp)
		return "", after, "", err
	}
	after = stateOf(info)
	after.Sum = SumOf(c.Raw)
	return temp, after, note, nil
}

// tempFile makes a file under a name of its own, on the disk when it returns. After an error it is to be discarded.
func (t *Tree) tempFile(d *Dir, old *Existing, c Content) (name, note string, err error) {
	name, temp, err := d.Temp()
	if err != nil {
		return "", "", err
	}
	defer temp.Close()
	if err := t.save(temp, c.Raw); err != nil {
		return name, "", err
	}
	if c.Like != nil {
		if note, err = restoreAttributes(temp, *c.Like); err == nil {
			err = d.Root.Chtimes(name, time.Time{}, c.Like.Time)
		}
	} else {
		mode := fs.FileMode(0o644)
		if old != nil {
			mode = old.Info.Mode().Perm()
			note = copyAttributes(old, temp)
		}
		err = temp.Chmod(mode)
	}
	if err != nil {
		return name, "", err
	}
	return name, note, temp.Sync()
}

// tempLink makes a link under a name of its own. After an error it is to be discarded.
func (d *Dir) tempLink(c Content) (string, error) {
	name := TempPrefix + rand.Text()
	if err := d.Root.Symlink(string(c.Raw), name); err != nil {
		return name, err
	}
	if c.Like == nil {
		return name, nil
	}
	_ = d.Root.Lchown(name, c.Like.User, c.Like.Group) // where it leads matters more than whose it is
	return name, Control(d.Self, func(fd int) error {
		at := unix.NsecToTimespec(c.Like.Time.UnixNano())
		return unix.UtimesNanoAt(fd, name, []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW)
	})
}

// Discard removes a temporary file that is not needed; "" is none.
func (d *Dir) Discard(temp string) {
	if temp != "" {
		_ = d.Root.Remove(temp) // who writes here next removes what is left
	}
}

// Swap puts temp, or with "" nothing, in the place of old. Where old is not what is there any more it does nothing, and the
// error is [ErrChanged], or [fs.ErrExist] where there was nothing.
func (d *Dir) Swap(temp, base string, old *Existing) error {
	switch {
	case old == nil && temp == "":
		return nil
	case old == nil:
		return d.Rename(temp, base, false)
	case temp == "":
		return d.remove(base, old)
	}
	if now, err := d.Root.Lstat(base); err != nil || old.changedSince(now) {
		return ErrChanged
	}
	return d.Rename(temp, base, true)
}

// remove deletes old. It is moved aside first, and moved back if it turns out to be something else that nobody has kept.
func (d *Dir) remove(base string, old *Existing) error {
	aside := TempPrefix + rand.Text()
	if err := d.Root.Rename(base, aside); errors.Is(err, fs.ErrNotExist) {
		return ErrChanged
	} else if err != nil {
		return err
	}
	now, err := d.Root.Lstat(aside)
	if err == nil && old.changedSince(now) {
		err = ErrChanged
	}
	if err == nil {
		err = unlink(d.Self, aside, 0)
	}
	if err != nil {
		return errors.Join(err, d.Rename(aside, base, false))
	}
	return nil
}

// RemoveDir removes the empty folder base.
func (d *Dir) RemoveDir(base string) error { return unlink(d.Self, base, unix.AT_REMOVEDIR) }

// MakeDir makes a folder in d, where there is none, and gives it its permissions and, where that is permitted, its owner.
func (d *Dir) MakeDir(base string, like event.FileState) error {
	if err := d.Root.Mkdir(base, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	made, err := d.Root.OpenFile(base, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer made.Close()
	_ = made.Chown(like.User, like.Group) // only root may give folders away
	return made.Chmod(like.Mode)
}
