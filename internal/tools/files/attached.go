package files

import (
	"context"
	"os"

	"hob/internal/event"
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
	path, err := realPath(file)
	if err != nil {
		return event.Label{}, false
	}
	top := &f.places[0]
	rel, in := inside(top.real, path)
	s := spot{in: top, rel: rel, top: true}
	if !in || f.guard(s, file) != nil {
		return event.Label{}, false
	}
	if now, err := top.root.Lstat(rel); err != nil || !os.SameFile(info, now) { // the path of a file that is gone has no marks
		return event.Label{}, false
	}
	shown := shownFiles{}
	shown.add(top.real, path)
	return f.labelOf(ctx, s, shown), true
}
