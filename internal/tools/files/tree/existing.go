package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/tools"
)

// Existing is the file or link that a change is about.
type Existing struct {
	Info   fs.FileInfo
	File   *os.File // nil for a link, and when it cannot be opened for reading
	target string   // of a link
	at     Path
	raw    []byte // all of the file, once it was read
}

// IsLink reports whether it is a link.
func (old *Existing) IsLink() bool { return old.Info.Mode()&fs.ModeSymlink != 0 }

// Close lets go of the file; nil is nothing.
func (old *Existing) Close() {
	if old != nil && old.File != nil {
		old.File.Close()
	}
}

// Open opens the file at p for reading alone, as it is or where it leads, and returns its absolute path.
func (t *Tree) Open(p Path) (old *Existing, path string, bad *tools.Error) {
	file, info, bad := t.OpenRegular(p)
	if bad != nil {
		return nil, "", bad
	}
	path, err := RealPath(file)
	if err != nil {
		file.Close()
		return nil, "", p.Fault(err)
	}
	return &Existing{Info: info, File: file, at: p}, path, nil
}

// Look opens the file or link at p, a name in dir; nil is nothing. A link is looked at itself.
func (t *Tree) Look(p Path, dir *Dir) (*Existing, *tools.Error) {
	base := filepath.Base(p.Rel)
	info, err := dir.Root.Lstat(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, p.Fault(err)
	}
	old := &Existing{Info: info, at: p}
	if !old.IsLink() {
		if bad := p.Regular(info); bad != nil {
			return nil, bad
		}
	}
	if twin := dir.twin(base, info); twin != "" {
		return nil, tools.Invalid(event.CodeInvalidValue, "%s differs from the existing %s by case only; use that name",
			p.Name(), display.Quote(twin))
	}
	if old.IsLink() {
		for _, deny := range t.deny {
			if closed, err := os.Lstat(deny); err == nil && os.SameFile(closed, info) {
				return nil, p.Denied("belongs to hob itself")
			}
		}
		if old.target, err = dir.Root.Readlink(base); err != nil {
			return nil, p.Fault(err)
		}
		return old, nil
	}
	if bad := old.open(t, dir, base); bad != nil {
		old.Close()
		return nil, bad
	}
	return old, nil
}

// open opens a file and checks what was opened.
func (old *Existing) open(t *Tree, dir *Dir, base string) *tools.Error {
	file, err := dir.Root.OpenFile(base, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_NOFOLLOW, 0)
	readable := !errors.Is(err, fs.ErrPermission)
	if !readable { // it can be replaced all the same
		file, err = dir.Root.OpenFile(base, linux.OPath|unix.O_NOFOLLOW, 0)
	}
	if err != nil {
		return old.at.Fault(err)
	}
	if readable {
		old.File = file
	} else {
		defer file.Close()
	}
	if old.Info, err = file.Stat(); err != nil {
		return old.at.Fault(err)
	}
	if bad := t.Guard(old.at, file); bad != nil {
		return bad
	}
	return old.at.Regular(old.Info)
}

// Read returns all of the file.
func (old *Existing) Read() ([]byte, *tools.Error) {
	if old.File == nil {
		return nil, old.at.Denied("cannot be read")
	}
	if old.Info.Size() > MaxFile {
		return nil, old.at.TooLarge(old.Info.Size())
	}
	if old.raw != nil {
		return old.raw, nil
	}
	raw := make([]byte, old.Info.Size())
	if n, err := old.File.ReadAt(raw, 0); err != nil && n < len(raw) {
		return nil, old.at.Fault(err)
	}
	old.raw = raw
	return raw, nil
}

// State returns the state of old, and its content, which is nil where it cannot be had; why says why not.
func (old *Existing) State() (st event.FileState, content []byte, why string, bad *tools.Error) {
	if old == nil {
		return st, nil, "", nil
	}
	st = stateOf(old.Info)
	switch {
	case old.IsLink():
		content = []byte(old.target)
	case old.File == nil:
		return st, nil, "it cannot be read", nil
	case old.Info.Size() > MaxFile:
		return st, nil, fmt.Sprintf("it has %d bytes, and %d is the most that is kept for undo", old.Info.Size(), MaxFile), nil
	default:
		if content, bad = old.Read(); bad != nil {
			return st, nil, "", bad
		}
		st.Attrs = Attributes(old.File)
	}
	st.Sum = SumOf(content)
	return st, content, "", nil
}

// stateOf is the state of a file, link or folder as far as info tells.
func stateOf(info fs.FileInfo) event.FileState {
	st := event.FileState{Kind: event.RegFile, Size: info.Size(), Mode: bitsOf(info), Time: info.ModTime()}
	if info.Mode()&fs.ModeSymlink != 0 {
		st.Kind, st.Mode = event.Link, 0
	} else if info.IsDir() {
		st.Kind, st.Size = event.Folder, 0
	}
	if uid, gid, ok := ownerOf(info); ok {
		st.User, st.Group = uid, gid
	}
	return st
}

// bitsOf returns the permissions, with the bits that make a program run as its owner.
func bitsOf(info fs.FileInfo) fs.FileMode {
	return info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
}

// SumOf is the SHA-256 of content in hexadecimal.
func SumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// changedSince reports whether somebody has put something else under the name, or written to the file.
func (old *Existing) changedSince(now fs.FileInfo) bool {
	return !os.SameFile(old.Info, now) || old.Info.Size() != now.Size() || !old.Info.ModTime().Equal(now.ModTime())
}

// Follow returns the place in the open folder to which the link at p leads.
func (t *Tree) Follow(p Path) (string, *tools.Error) {
	file, _, bad := t.OpenRegular(p)
	if bad != nil {
		if bad.Code == event.CodeFileNotFound {
			bad = tools.Invalid(event.CodeInvalidValue, "%s is a link to a file that does not exist", p.Name())
		}
		return "", bad
	}
	defer file.Close()
	real, err := RealPath(file)
	if err != nil {
		return "", p.Fault(err)
	}
	rel, ok := Inside(p.In.Real, real)
	if !ok {
		return "", p.Denied("goes through a link that leaves the workspace")
	}
	return rel, nil
}

// StateAt returns the state of the file, link or folder at p now.
func (t *Tree) StateAt(p Path) (event.FileState, *tools.Error) {
	at := p.With(filepath.Dir(p.Rel))
	root, err := at.In.Root.OpenRoot(at.Rel)
	if err != nil {
		e := p.Fault(err)
		if e.Code == event.CodeFileNotFound {
			return event.FileState{}, nil
		}
		return event.FileState{}, e
	}
	d, err := newDir(root)
	if err != nil {
		return event.FileState{}, p.Fault(err)
	}
	defer d.Close()
	if bad := t.Guard(at, d.Self); bad != nil {
		return event.FileState{}, bad
	}
	if info, err := root.Lstat(filepath.Base(p.Rel)); err == nil && info.IsDir() {
		return stateOf(info), nil
	}
	old, bad := t.Look(p, d)
	if bad != nil {
		return event.FileState{}, bad
	}
	defer old.Close()
	st, _, _, bad := old.State()
	return st, bad
}
