package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/phrase"
)

// existing is the file or link that a change is about.
type existing struct {
	info   fs.FileInfo
	file   *os.File // nil for a link, and when it cannot be opened for reading
	target string   // of a link
	at     spot
	raw    []byte // all of the file, once it was read
}

func (old *existing) link() bool { return old.info.Mode()&fs.ModeSymlink != 0 }

func (old *existing) close() {
	if old != nil && old.file != nil {
		old.file.Close()
	}
}

// look opens what is at s, a name in dir; nil is nothing. A link is looked at itself.
func (f *Tool) look(s spot, dir *folder) (*existing, *tools.Error) {
	base := filepath.Base(s.rel)
	info, err := dir.root.Lstat(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, s.fault(err)
	}
	old := &existing{info: info, at: s}
	if !old.link() {
		if bad := s.regular(info); bad != nil {
			return nil, bad
		}
	}
	if twin := dir.twin(base, info); twin != "" {
		return nil, tools.Invalid(event.CodeInvalidValue, "%s differs from the existing %s by case only; use that name",
			s.name(), phrase.Quote(twin))
	}
	if old.link() {
		for _, deny := range f.deny {
			if closed, err := os.Lstat(deny); err == nil && os.SameFile(closed, info) {
				return nil, s.denied("belongs to hob itself")
			}
		}
		if old.target, err = dir.root.Readlink(base); err != nil {
			return nil, s.fault(err)
		}
		return old, nil
	}
	if bad := old.open(f, dir, base); bad != nil {
		old.close()
		return nil, bad
	}
	return old, nil
}

// open opens a file and checks what was opened.
func (old *existing) open(f *Tool, dir *folder, base string) *tools.Error {
	file, err := dir.root.OpenFile(base, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_NOFOLLOW, 0)
	readable := !errors.Is(err, fs.ErrPermission)
	if !readable { // it can be replaced all the same
		file, err = dir.root.OpenFile(base, unix.O_PATH|unix.O_NOFOLLOW, 0)
	}
	if err != nil {
		return old.at.fault(err)
	}
	if readable {
		old.file = file
	} else {
		defer file.Close()
	}
	if old.info, err = file.Stat(); err != nil {
		return old.at.fault(err)
	}
	if bad := f.guard(old.at, file); bad != nil {
		return bad
	}
	return old.at.regular(old.info)
}

// read returns all of the file.
func (old *existing) read() ([]byte, *tools.Error) {
	if old.file == nil {
		return nil, old.at.denied("cannot be read")
	}
	if old.info.Size() > maxFile {
		return nil, fileTooLarge(old.at, old.info.Size())
	}
	if old.raw != nil {
		return old.raw, nil
	}
	raw := make([]byte, old.info.Size())
	n, err := old.file.ReadAt(raw, 0)
	if err != nil && n < len(raw) {
		return nil, old.at.fault(err)
	}
	old.raw = raw
	return raw, nil
}

// state returns what old is, and its content, which is nil where it is not to be had; why says why not.
func (old *existing) state() (st event.FileState, content []byte, why string, bad *tools.Error) {
	if old == nil {
		return st, nil, "", nil
	}
	st = stateOf(old.info)
	switch {
	case old.link():
		content = []byte(old.target)
	case old.file == nil:
		return st, nil, "it cannot be read", nil
	case old.info.Size() > maxFile:
		return st, nil, fmt.Sprintf("it has %d bytes, and %d is the most that is kept for undo", old.info.Size(), maxFile), nil
	default:
		if content, bad = old.read(); bad != nil {
			return st, nil, "", bad
		}
		st.Attrs = keptAttributes(old.file)
	}
	st.Sum = sumOf(content)
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

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// changedSince reports whether somebody has put something else under the name, or written to the file.
func (old *existing) changedSince(now fs.FileInfo) bool {
	return !os.SameFile(old.info, now) || old.info.Size() != now.Size() || !old.info.ModTime().Equal(now.ModTime())
}

// follow returns the place of the file that the link at s leads to.
func (f *Tool) follow(s spot) (string, *tools.Error) {
	file, _, bad := f.openRegular(s)
	if bad != nil {
		if bad.Code == event.CodeFileNotFound {
			bad = tools.Invalid(event.CodeInvalidValue, "%s is a link to a file that does not exist", s.name())
		}
		return "", bad
	}
	defer file.Close()
	real, err := realPath(file)
	if err != nil {
		return "", s.fault(err)
	}
	rel, ok := inside(s.in.real, real)
	if !ok {
		return "", s.denied("goes through a link that leaves the workspace")
	}
	return rel, nil
}
