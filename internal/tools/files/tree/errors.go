package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

// Regular is nil for a regular file and says what else info is.
func (p Path) Regular(info fs.FileInfo) *tools.Error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return tools.Invalid(event.CodeInvalidValue, "%s is a folder", p.Name()).Suggest("use list_files to see what is in it")
	default:
		return tools.Invalid(event.CodeInvalidValue, "%s is %s, not a file", p.Name(), KindOf(mode))
	}
}

// Denied is the error that p may not be reached or changed.
func (p Path) Denied(why string) *tools.Error {
	return tools.Denied(event.CodePermissionDenied, "%s %s", p.Name(), why)
}

// Exists is the error that there is a file of that name already.
func (p Path) Exists() *tools.Error {
	return tools.Invalid(event.CodeInvalidValue, "%s exists already", p.Name()).
		Suggest("use edit_file to change a part of it, or mode append or overwrite")
}

// Taken is the error that a file cannot get the name p, because there is something of that name already. done is what would have been
// done to it.
func (p Path) Taken(done string) *tools.Error {
	return tools.Invalid(event.CodeInvalidValue, "%s exists already; nothing was %s", p.Name(), done).
		Suggest("give it another name, or move or delete that one first")
}

// TooLarge is the error that a file has too many bytes.
func (p Path) TooLarge(size int64) *tools.Error {
	return tools.Invalid(event.CodeInvalidValue, "%s has %d bytes, and %d is the most", p.Name(), size, MaxFile).
		Suggest("use run_command for files of that size")
}

// Waiting is the error of a write whose turn did not come before ctx ended.
func (p Path) Waiting(ctx context.Context) *tools.Error {
	return tools.EndedError(ctx, "writing "+p.Name(), "while it waited for its turn; nothing was changed").Retry()
}

// NotGits refuses to write git's own files. The settings and hooks of a repository name programs, which git starts for
// whoever uses it next, and no wall is around those. dir is the folder of p, whatever links led there.
func (p Path) NotGits(dir *os.File) *tools.Error {
	real, err := RealPath(dir)
	if err != nil {
		return p.Fault(err)
	}
	if rel, ok := Inside(p.In.Real, real); ok {
		real = rel
	}
	for name := range strings.SplitSeq(filepath.Join(real, filepath.Base(p.Rel)), "/") {
		if strings.EqualFold(name, ".git") {
			return p.Denied("belongs to git").Suggest("use git itself, with run_command")
		}
	}
	return nil
}

// Fault gives an error of the system the type and the words that help.
func (p Path) Fault(err error) *tools.Error {
	e := tools.StorageFailed("%s: %s", p.Name(), display.Reason(err))
	switch {
	case escapes(err):
		return p.Denied("goes through a link that leaves the workspace")
	case errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.ELOOP), errors.Is(err, unix.EINVAL), errors.Is(err, fs.ErrInvalid):
		e.Type, e.Code = event.TypeValidation, event.CodeInvalidValue
	case errors.Is(err, unix.EROFS):
		e.Type, e.Code = event.TypePermission, event.CodeReadOnly
	case errors.Is(err, fs.ErrPermission):
		e.Type, e.Code = event.TypePermission, event.CodePermissionDenied
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		e.Type, e.Code = event.TypeNotFound, event.CodeFileNotFound
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		e.Message = p.Name() + ": the disk is full; nothing was changed"
	}
	return e
}

// escapes reports whether os.Root refused to leave its folder. It has no exported error for that.
func escapes(err error) bool {
	e := (*fs.PathError)(nil)
	return errors.As(err, &e) && e.Err != nil && e.Err.Error() == "path escapes from parent"
}
