package origins

import (
	"context"
	"os"

	"hob/internal/event"
	"hob/internal/tools/files/tree"
)

// LabelOf returns where the content of an open file comes from, as a result about it would say, and whether it is a file of the
// workspace: a regular one that lies there now, whatever path it was opened by. What is denied, on another mount, or only looks as
// if it were there is none.
func (o *Tracker) LabelOf(ctx context.Context, file *os.File) (from event.Label, ok bool) {
	defer o.Look()()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return event.Label{}, false
	}
	path, err := tree.RealPath(file)
	if err != nil {
		return event.Label{}, false
	}
	top := o.tree.Workspace()
	rel, in := tree.Inside(top.Real, path)
	p := o.tree.At(rel)
	if !in || o.tree.Guard(p, file) != nil {
		return event.Label{}, false
	}
	if now, err := top.Root.Lstat(rel); err != nil || !os.SameFile(info, now) { // the path of a file that is gone has no marks
		return event.Label{}, false
	}
	shown := Shown{}
	shown.Add(top.Real, path)
	return o.Label(ctx, p, shown), true
}
