package changes

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// MadeFolder is a folder that was made.
type MadeFolder struct {
	Real   string // absolute and without links
	Note   string // "" where all is well
	Change int64  // the number of the change; 0 without a log
}

// MakeFolder makes the folder at p, where nothing is, with those above it that are missing. tool is who does it.
func (w *Writer) MakeFolder(ctx context.Context, p tree.Path, tool string) (done MadeFolder, bad *tools.Error) {
	end, bad := w.tree.Begin(ctx, p)
	if bad != nil {
		return done, bad
	}
	defer end()
	if bad := w.marks.MarkFolders(ctx, p.With(filepath.Join(p.Rel, "any"))); bad != nil { // its own name is one of theirs
		return done, bad
	}
	dir, undo, bad := w.tree.OpenDir(ctx, p, true)
	if bad != nil {
		return done, bad
	}
	defer func() {
		dir.Close()
		if bad != nil {
			undo()
		}
	}()
	if bad := p.NotGits(dir.Self); bad != nil {
		return done, bad
	}
	base := filepath.Base(p.Rel)
	if _, err := dir.Root.Lstat(base); err == nil {
		return done, tools.Invalid(event.CodeInvalidValue, "%s exists already", p.Name()).Suggest("use it as it is, or choose another name")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return done, p.Fault(err)
	}
	path, bad := dir.RealPath(p)
	if bad != nil {
		return done, bad
	}
	c := event.Change{
		Cause: tools.CallerFrom(ctx).Cause(tool), Path: path, Folders: dir.Made,
		After: event.FileState{Kind: event.Folder, Mode: 0o755, User: os.Getuid(), Group: os.Getgid()},
	}
	var err error
	if w.log != nil {
		if c.ID, err = w.log.Keep(ctx, c, nil); err != nil {
			return done, tools.StorageFailed("%s was not made, because that could not be kept for undo: %v", p.Name(), err)
		}
	}
	err = dir.MakeDir(base, c.After)
	w.settle(ctx, c.ID, err == nil)
	if err != nil {
		return done, p.Fault(err)
	}
	done = MadeFolder{Real: path, Change: c.ID}
	if err := dir.Sync(); err != nil {
		done.Note = "a power cut now may undo it: " + display.Reason(err)
	}
	return done, nil
}
