package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/event"
)

// TempPrefix begins the names of files that are being written. They are listed and searched by no tool.
const TempPrefix = ".hob-tmp-"

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Mode    string `json:"mode,omitempty" jsonschema:"create refuses an existing file" enum:"create,append,overwrite" default:"create"`
}

// writeData is the Data of write_file and edit_file.
type writeData struct {
	Path    string `json:"path"`
	Bytes   int    `json:"bytes"` // of the file as it is now
	Created bool   `json:"created,omitempty"`
	Places  int    `json:"places,omitempty"` // where edit_file changed it
	Note    string `json:"note,omitempty"`
}

func (f *FileTool) writeTool() Tool {
	return New(Def{
		Name:        "write_file",
		Description: "Write a text file; missing folders are made.",
		Powers:      Writes,
	}, f.write)
}

// write makes or changes a file as in says.
func (f *FileTool) write(ctx context.Context, in writeArgs) (Result, error) {
	s, bad := f.resolve(in.Path)
	if bad != nil {
		return Result{}, bad
	}
	if strings.HasSuffix(in.Path, "/") || s.rel == "." {
		return Result{}, invalid(event.CodeInvalidValue, "%s is the name of a folder; add the name of a file", shortQuote(in.Path))
	}
	d, bad := f.put(ctx, s, true, func(old *existing) ([]byte, *Error) {
		switch {
		case old != nil && in.Mode == "create":
			return nil, exists(s)
		case old != nil && in.Mode == "append":
			before, bad := old.read()
			return append(before, in.Content...), bad
		}
		return []byte(in.Content), nil
	})
	if bad != nil {
		return Result{}, bad
	}
	done := event.Effect{Kind: "wrote", Target: d.Path, Detail: fmt.Sprintf("%d bytes", len(in.Content))}
	text := fmt.Sprintf("wrote %s, %d bytes", shortQuote(d.Path), d.Bytes)
	if d.Created {
		text = fmt.Sprintf("created %s, %d bytes", shortQuote(d.Path), d.Bytes)
	} else if in.Mode == "append" {
		done.Detail += " appended"
		text = fmt.Sprintf("appended %d bytes to %s, which has %d now", len(in.Content), shortQuote(d.Path), d.Bytes)
	}
	if d.Note != "" {
		text += " (" + d.Note + ")"
	}
	return Result{Text: text, Data: d, Effects: []event.Effect{done}}, nil
}

func exists(s spot) *Error {
	e := invalid(event.CodeInvalidValue, "%s exists already", s.name())
	e.Suggestion = "use edit_file to change a part of it, or mode append or overwrite"
	return e
}

// existing is the file that a write replaces.
type existing struct {
	info fs.FileInfo
	file *os.File // nil when it cannot be opened for reading
	at   spot
}

// read returns all of the file.
func (old *existing) read() ([]byte, *Error) {
	if old.file == nil {
		return nil, old.at.denied("cannot be read")
	}
	if old.info.Size() > maxFile {
		return nil, fileTooLarge(old.at, old.info.Size())
	}
	raw := make([]byte, old.info.Size())
	n, err := old.file.ReadAt(raw, 0)
	if err != nil && n < len(raw) {
		return nil, old.at.fault(err)
	}
	return raw, nil
}

// put replaces the file at s by what change makes of it; old is nil when there is none. Only one put runs at a time in
// a FileTool, and only one in a folder among all processes. With makeDirs missing folders are made, and taken away
// again when the write fails.
func (f *FileTool) put(
	ctx context.Context, s spot, makeDirs bool, change func(old *existing) ([]byte, *Error),
) (writeData, *Error) {
	if s.in.readOnly {
		return writeData{}, &Error{
			Type: event.TypePermission, Code: event.CodeReadOnly, Message: s.name() + " is in a folder that is open for reading only",
		}
	}
	if strings.HasPrefix(filepath.Base(s.rel), TempPrefix) {
		return writeData{}, invalid(event.CodeInvalidValue, "names that begin with %s are hob's own", TempPrefix)
	}
	if s.top && isHandle(s.rel) {
		return writeData{}, notAFile(s.rel)
	}
	select {
	case f.writing <- struct{}{}:
		defer func() { <-f.writing }()
	case <-ctx.Done():
		return writeData{}, s.waiting(ctx)
	}
	for range 2 { // a link leads to a second round, at its target
		d, target, bad := f.putOnce(ctx, s, makeDirs, change)
		if target == "" {
			return d, bad
		}
		s = s.with(target)
	}
	return writeData{}, s.denied("changed from a file to a link while it was written")
}

// putOnce is put where s is no link; where it is one, it returns the target instead.
func (f *FileTool) putOnce(
	ctx context.Context, s spot, makeDirs bool, change func(old *existing) ([]byte, *Error),
) (d writeData, target string, bad *Error) {
	dir, undo, bad := f.openFolder(ctx, s, makeDirs)
	if bad != nil {
		return d, "", bad
	}
	defer func() {
		dir.close()
		if bad != nil || target != "" {
			undo()
		}
	}()
	old, target, bad := f.existing(s, dir)
	if bad != nil || target != "" {
		return d, target, bad
	}
	if old != nil {
		defer old.close()
	}
	content, bad := change(old)
	if bad != nil {
		return d, "", bad
	}
	if len(content) > maxFile {
		return d, "", fileTooLarge(s, int64(len(content)))
	}
	note, err := f.replace(dir, filepath.Base(s.rel), old, content)
	if errors.Is(err, fs.ErrExist) {
		return d, "", exists(s) // it appeared while this was written
	} else if err != nil {
		return d, "", s.fault(err)
	}
	return writeData{Path: s.shown(), Bytes: len(content), Created: old == nil, Note: note}, "", nil
}

// existing opens what is at s already. A link inside the workspace is followed by name: the result is its target.
func (f *FileTool) existing(s spot, dir *folder) (*existing, string, *Error) {
	base := filepath.Base(s.rel)
	info, err := dir.root.Lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", s.fault(err)
	case info.Mode()&fs.ModeSymlink != 0:
		target, bad := f.follow(s)
		return nil, target, bad
	}
	if bad := s.regular(info); bad != nil {
		return nil, "", bad
	}
	if twin := dir.twin(base, info); twin != "" {
		return nil, "", invalid(event.CodeInvalidValue, "%s differs from the existing %s by case only; use that name", s.name(), shortQuote(twin))
	}
	old := &existing{info: info, at: s}
	file, err := dir.root.OpenFile(base, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrPermission) {
		return old, "", nil // it can be replaced all the same
	} else if err != nil {
		return nil, "", s.fault(err)
	}
	old.file = file
	old.info, err = file.Stat()
	bad := f.guard(s, file)
	if err != nil {
		bad = s.fault(err)
	} else if bad == nil {
		bad = s.regular(old.info)
	}
	if bad != nil {
		old.close()
		return nil, "", bad
	}
	return old, "", nil
}

func (old *existing) close() {
	if old.file != nil {
		old.file.Close()
	}
}

// follow returns the place of the file that the link at s leads to.
func (f *FileTool) follow(s spot) (string, *Error) {
	file, _, bad := f.openRegular(s)
	if bad != nil {
		if bad.Code == event.CodeFileNotFound {
			bad = invalid(event.CodeInvalidValue, "%s is a link to a file that does not exist", s.name())
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

// replace puts content at base, whole or not at all.
func (f *FileTool) replace(dir *folder, base string, old *existing, content []byte) (note string, err error) {
	name, temp, err := dir.temp()
	if err != nil {
		return "", err
	}
	defer func() {
		temp.Close()
		if err != nil {
			err = errors.Join(err, ignoreMissing(dir.root.Remove(name)))
		}
	}()
	if err := f.save(temp, content); err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644)
	if old != nil {
		mode = old.info.Mode().Perm()
		note = carry(old, temp)
	}
	if err := temp.Chmod(mode); err != nil {
		return "", err
	}
	if err := temp.Sync(); err != nil {
		return "", err
	}
	if err := dir.rename(name, base, old != nil); err != nil {
		return "", err
	}
	if err := dir.sync(); err != nil {
		note = "a power cut now may undo it: " + plainError(err)
	}
	return note, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// carry gives temp the owner and the extended attributes of the file it replaces, as far as that is permitted, and
// names the attributes that are lost.
func carry(old *existing, temp *os.File) string {
	if uid, gid, ok := ownerOf(old.info); ok {
		_ = temp.Chown(uid, gid) // only root may give files away; the content matters more
	}
	if old.file == nil {
		return ""
	}
	var lost []string
	for _, name := range attributes(old.file) {
		if strings.HasPrefix(name, "security.") {
			continue // the kernel gives a new file its own
		}
		err := control(old.file, func(from int) error {
			value := make([]byte, 64<<10) // the most the kernel takes
			n, err := unix.Fgetxattr(from, name, value)
			if err != nil {
				return err
			}
			return control(temp, func(to int) error { return unix.Fsetxattr(to, name, value[:n], 0) })
		})
		if err != nil {
			lost = append(lost, name)
		}
	}
	if len(lost) == 0 {
		return ""
	}
	slices.Sort(lost)
	return "lost its extended attributes " + strings.Join(lost, ", ")
}

func attributes(file *os.File) []string {
	var names []string
	_ = control(file, func(fd int) error {
		buf := make([]byte, 64<<10)
		n, err := unix.Flistxattr(fd, buf)
		if err != nil {
			return err // a file system without them
		}
		for name := range bytes.SplitSeq(buf[:n], []byte{0}) {
			if len(name) > 0 {
				names = append(names, string(name))
			}
		}
		return nil
	})
	return names
}
