package files

import (
	"context"
	"os"

	"hob/internal/event"
	"hob/internal/tools/files/tree"
)

// LabelOf returns where the content of an open file comes from, as a result about it would say, and whether it is a file of the
// workspace: a regular one that lies there now, whatever path it was opened by. What is denied, on another mount, or only looks as
// if it were there is none.
func (f *Tool) LabelOf(ctx context.Context, file *os.File) (from event.Label, ok bool) {
	defer f.origins.look()()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return event.Label{}, false
	}
	path, err := tree.RealPath(file)
	if err != nil {
		return event.Label{}, false
	}
	top := f.tree.Workspace()
	rel, in := tree.Inside(top.Real, path)
	p := f.tree.At(rel)
	if !in || f.tree.Guard(p, file) != nil {
		return event.Label{}, false
	}
	if now, err := top.Root.Lstat(rel); err != nil || !os.SameFile(info, now) { // the path of a file that is gone has no marks
		return event.Label{}, false
	}
	shown := shownFiles{}
	shown.add(top.Real, path)
	return f.labelOf(ctx, p, shown), true
}
