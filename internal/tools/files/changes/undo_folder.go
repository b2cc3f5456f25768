package changes

import (
	"context"
	"path/filepath"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools/files/tree"
)

// forecast is what will be there when the changes that were looked at so far are taken back.
type forecast struct {
	left  map[string]event.FileState // by path
	empty map[string]bool            // paths with nothing below: there was no folder
}

func (o forecast) add(t reversal) {
	o.left[t.change.Path] = t.change.Before
	if t.found.Kind != event.Folder && !t.change.IsRow() {
		o.empty[t.change.Path] = true
	}
}

// at returns what will be at a path, if that is known without looking.
func (o forecast) at(path string) (event.FileState, bool) {
	if st, known := o.left[path]; known {
		return st, true
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if o.empty[dir] {
			return event.FileState{}, true
		}
	}
	return event.FileState{}, false
}

// revertFolder takes back that a folder was made or removed or has other permissions.
func (w *Writer) revertFolder(ctx context.Context, t reversal) (by event.Change, note string, err error) {
	p, want := t.at, t.change.Before
	end, bad := w.tree.Begin(ctx, p)
	if bad != nil {
		return by, "", bad
	}
	defer end()
	dir, undo, bad := w.tree.OpenDir(ctx, p, want.Kind == event.Folder)
	if bad != nil && bad.Code == event.CodeFileNotFound {
		by, err = w.keepGone(ctx, t)
		return by, "", err
	} else if bad != nil {
		return by, "", bad
	}
	defer dir.Close()
	if by, err = w.keepFolder(ctx, dir, t); err != nil {
		undo()
		return by, "", err
	}
	if want.Kind == event.Folder {
		err = dir.MakeDir(filepath.Base(p.Rel), by.After)
	} else if dir.RemoveDir(filepath.Base(p.Rel)) == nil {
		tree.RemoveFolders(p.With(filepath.Dir(p.Rel)), t.change.Folders)
	} else if t.found.Kind == event.Folder {
		note = "it stays, because something else is in it"
	}
	w.settle(ctx, by.ID, err == nil)
	if err != nil {
		undo()
		return by, "", p.Fault(err)
	}
	if err := dir.Sync(); err != nil {
		note = "a power cut now may undo it: " + display.Reason(err)
	}
	return by, note, nil
}

// keepFolder has it kept that a folder in dir is about to be as it was.
func (w *Writer) keepFolder(ctx context.Context, dir *tree.Dir, t reversal) (by event.Change, err error) {
	path, bad := dir.RealPath(t.at)
	if bad != nil {
		return by, bad
	}
	by = event.Change{Cause: t.cause(ctx), Path: path, Folders: dir.Made, Before: t.found, After: t.change.Before}
	if by.After.Kind == event.Folder {
		by.After.Mode |= 0o700 // or what was in it could not be brought back
	}
	by.ID, err = w.log.Keep(ctx, by, nil)
	return by, err
}
