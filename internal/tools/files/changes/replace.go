package changes

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// installed is what came of [Writer.replace].
type installed struct {
	change event.Change // as it was kept; zero without a log
	path   string       // absolute, without links in its folders
	note   string
}

// pinnedError is the error that a process runs the file at p.
func pinnedError(p tree.Path) *tools.Error {
	return p.Denied("is run by a process that was approved with it as it is; stop the process first")
}

// replace puts n in the place of old, which is at p in dir, whole or not at all. The order is what makes it safe: it is
// marked where the new content comes from, that is on the disk under another name, then what was there is kept, then the
// one takes the place of the other.
func (w *Writer) replace(ctx context.Context, dir *tree.Dir, p tree.Path, old *tree.Existing, n next) (done installed, bad *tools.Error) {
	path, bad := dir.RealPath(p)
	if bad == nil && w.tree.Pinned(path) {
		bad = pinnedError(p)
	}
	if bad == nil && n.Kind != event.NoFile {
		bad = w.marks.Mark(ctx, p, path)
	}
	if bad != nil {
		return done, bad
	}
	temp, after, note, err := w.tree.Prepare(dir, old, n.Content)
	if err != nil {
		return done, p.Fault(err)
	}
	c, lasting, bad := w.keep(ctx, dir, p, old, n, event.Change{Path: path, After: after})
	if bad != nil {
		dir.Discard(temp)
		return done, bad
	}
	err = dir.Swap(temp, filepath.Base(p.Rel), old)
	w.settle(ctx, c.ID, err == nil)
	if err != nil {
		dir.Discard(temp)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return done, p.Exists() // it appeared while this was written
	case errors.Is(err, tree.ErrChanged):
		return done, tools.StorageFailed("%s: %v", p.Name(), err).Retry()
	case err != nil:
		return done, p.Fault(err)
	}
	if lasting != "" {
		note = lasting
	}
	if err := dir.Sync(); err != nil {
		note = "a power cut now may undo it: " + display.Reason(err)
	}
	return installed{change: c, path: path, note: note}, nil
}
