package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/schema"
	"hob/internal/tools"
	"hob/internal/tools/phrase"
)

// maxPath bounds the bytes of a path.
const maxPath = 4096

// spot is a name in an open folder. Nothing need be there.
type spot struct {
	in  *place
	rel string // clean and local; "." is the folder itself
	top bool   // in is the workspace
}

// shown is the name that people and models know s by: relative to the workspace, or absolute elsewhere.
func (s spot) shown() string {
	if s.top && isHandle(s.rel) {
		return "./" + s.rel
	}
	if s.top {
		return s.rel
	}
	return filepath.Join(s.in.dir, s.rel)
}

func (s spot) with(rel string) spot { return spot{in: s.in, rel: rel, top: s.top} }

// resolve finds the open folder that path is in. It looks at no file.
func (f *Tool) resolve(path string) (spot, *tools.Error) {
	switch {
	case strings.TrimSpace(path) == "":
		return spot{}, tools.Invalid(event.CodeRequiredField, "the path is empty")
	case strings.ContainsRune(path, 0):
		return spot{}, tools.Invalid(event.CodeInvalidValue, "the path %s holds a NUL", strconv.Quote(schema.Shorten(path)))
	case len(path) > maxPath:
		return spot{}, tools.Invalid(event.CodeInvalidValue, "the path is longer than %d bytes", maxPath)
	case !utf8.ValidString(path):
		return spot{}, tools.Invalid(event.CodeInvalidValue, "the path is not valid UTF-8")
	case isHandle(path):
		return spot{}, notAFile(path)
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = "." + path[1:]
	}
	clean := filepath.Clean(path)
	if !filepath.IsAbs(clean) {
		if !filepath.IsLocal(clean) {
			return spot{}, &tools.Error{
				Type: event.TypePermission, Code: event.CodePathTraversal,
				Message:    phrase.Quote(path) + " leads out of the workspace",
				Suggestion: `use a path inside the workspace; "." is its top`,
			}
		}
		return spot{in: &f.places[0], rel: clean, top: true}, nil
	}
	best, depth := spot{}, -1
	for i := range f.places {
		p := &f.places[i]
		for _, dir := range []string{p.dir, p.real} {
			if rel, ok := inside(dir, clean); ok && len(dir) > depth {
				best, depth = spot{in: p, rel: rel, top: i == 0}, len(dir)
			}
		}
	}
	if depth < 0 {
		return spot{}, &tools.Error{
			Type: event.TypePermission, Code: event.CodePermissionDenied,
			Message:    phrase.Quote(path) + " is outside of the workspace",
			Suggestion: `use a path relative to the workspace; "." is its top`,
		}
	}
	return best, nil
}

// resolveFile is resolve for a file that is to be changed: the name of a folder is refused.
func (f *Tool) resolveFile(path string) (spot, *tools.Error) {
	s, bad := f.resolve(path)
	if last := path[strings.LastIndexByte(path, '/')+1:]; bad == nil && (last == "" || last == "." || last == ".." || s.rel == ".") {
		bad = tools.Invalid(event.CodeInvalidValue, "%s is the name of a folder; add the name of a file", phrase.Quote(path))
	}
	return s, bad
}

// inside returns path relative to dir, when it lies there. Both are clean and absolute.
func inside(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// guard checks what was opened in s: the mount it is on, and that nothing denied was reached.
func (f *Tool) guard(s spot, file *os.File) *tools.Error {
	info, err := file.Stat()
	if err != nil {
		return s.fault(err)
	}
	if !f.mounts {
		mount, err := mountOf(file)
		if err != nil {
			return s.fault(err)
		}
		if mount != s.in.mount {
			return s.denied("is on another mount than the folder that was opened")
		}
	}
	if len(f.deny) == 0 {
		return nil
	}
	real, err := realPath(file)
	if err != nil {
		return s.fault(err)
	}
	for _, deny := range f.deny {
		closed, err := os.Stat(deny)
		if err != nil {
			continue // not there, so nothing is it
		}
		if os.SameFile(closed, info) {
			return s.denied("belongs to hob itself")
		}
		below, err := filepath.EvalSymlinks(deny)
		if err != nil {
			continue
		}
		if _, above := inside(below, s.in.real); above {
			continue // the open folder lies in the denied one, and was opened all the same
		}
		if _, in := inside(below, real); in {
			return s.denied("belongs to hob itself")
		}
	}
	return nil
}

// realPath returns the path of an open file without links, as the kernel knows it.
func realPath(file *os.File) (string, error) {
	var path string
	err := control(file, func(fd int) (err error) {
		path, err = os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
		return err
	})
	return path, err
}

// openRegular opens a regular file for reading.
func (f *Tool) openRegular(s spot) (*os.File, fs.FileInfo, *tools.Error) {
	info, err := s.in.root.Stat(s.rel) // before opening: opening a device can do something
	if err != nil {
		return nil, nil, f.missing(s, err)
	}
	if bad := s.regular(info); bad != nil {
		return nil, nil, bad
	}
	// What was looked at may have been replaced by a FIFO, a terminal or a device by now: none of them may block or
	// become ours, and each is found out below.
	file, err := s.in.root.OpenFile(s.rel, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, f.missing(s, err)
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, nil, s.fault(err)
	}
	bad := s.regular(info)
	if bad == nil {
		bad = f.guard(s, file)
	}
	if bad != nil {
		file.Close()
		return nil, nil, bad
	}
	return file, info, nil
}

// regular is nil for a regular file and says what else info is.
func (s spot) regular(info fs.FileInfo) *tools.Error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		e := tools.Invalid(event.CodeInvalidValue, "%s is a folder", s.name())
		e.Suggestion = "use list_files to see what is in it"
		return e
	default:
		return tools.Invalid(event.CodeInvalidValue, "%s is %s, not a file", s.name(), kindOf(mode))
	}
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "something special"
}

func (s spot) name() string { return phrase.Quote(s.shown()) }

func (s spot) denied(why string) *tools.Error {
	return &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: s.name() + " " + why}
}

// fault gives an error of the system the type and the words that help.
func (s spot) fault(err error) *tools.Error {
	e := &tools.Error{Type: event.TypeStorage, Code: event.CodeExecutionFailed, Message: s.name() + ": " + phrase.Plain(err)}
	switch {
	case escapes(err):
		return s.denied("goes through a link that leaves the workspace")
	case errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.ELOOP), errors.Is(err, unix.EINVAL), errors.Is(err, fs.ErrInvalid):
		e.Type, e.Code = event.TypeValidation, event.CodeInvalidValue
	case errors.Is(err, unix.EROFS):
		e.Type, e.Code = event.TypePermission, event.CodeReadOnly
	case errors.Is(err, fs.ErrPermission):
		e.Type, e.Code = event.TypePermission, event.CodePermissionDenied
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		e.Type, e.Code = event.TypeNotFound, event.CodeFileNotFound
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		e.Message = s.name() + ": the disk is full; nothing was changed"
	}
	return e
}

// escapes reports whether os.Root refused to leave its folder. It has no exported error for that.
func escapes(err error) bool {
	e := (*fs.PathError)(nil)
	return errors.As(err, &e) && e.Err != nil && e.Err.Error() == "path escapes from parent"
}

// missing is fault for a file that should be there: it adds the names it may have been meant to be.
func (f *Tool) missing(s spot, err error) *tools.Error {
	e := s.fault(err)
	if e.Code != event.CodeFileNotFound {
		return e
	}
	e.Message = fmt.Sprintf("there is no file %s", s.name())
	e.Suggestion = "use list_files to see what there is"
	if near := f.near(s); len(near) > 0 {
		e.Suggestion = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

// near returns names beside s that resemble its own, the nearest first.
func (f *Tool) near(s spot) []string {
	dir, err := s.in.root.Open(filepath.Dir(s.rel))
	if err != nil {
		return nil
	}
	defer dir.Close()
	if f.guard(s, dir) != nil {
		return nil
	}
	names, _ := dir.Readdirnames(1000)
	near := nearest(filepath.Base(s.rel), names, 2)
	for i, name := range near {
		near[i] = s.with(filepath.Join(filepath.Dir(s.rel), name)).name()
	}
	return near
}
