package watch

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// mark has what a command has changed marked, where strangers had a hand in that.
func (w *Watcher) mark(ctx context.Context, n *snapshot, now *walk, seen *Seen) {
	all := false
	from, err := w.origins.EndCommand(ctx, func() []string {
		if all = !n.complete || !now.complete; all {
			return []string{w.tree.Workspace().Real}
		}
		return w.wrote(n, now)
	})
	switch {
	case !from.Untrusted:
		return
	case err != nil:
		seen.Doubt = "what it changed could not be marked: " + display.Reason(err)
	case all:
		seen.Doubt = "not all of it could be looked at to find out what was changed"
	}
	seen.Label = from
}

// markMost is how many files of one command are marked each for itself. Of more, the folders that it made are.
const markMost = 2000

// wrote returns the paths of all that a command may have written, and the marks of the names of folders that it made.
func (w *Watcher) wrote(n *snapshot, now *walk) []string {
	top := w.tree.Workspace().Real
	paths := map[string]bool{}
	for rel, is := range now.seen {
		was := n.seen[rel]
		switch {
		case is.kind == event.Folder && was.kind == event.Folder:
		case is.kind == event.Folder:
			paths[filepath.Join(top, rel, origins.NameMark)] = true
		case was != is || n.began-was.changed < clockStep && !w.same(n, rel, is):
			paths[filepath.Join(top, rel)] = true
		}
	}
	for rel := range now.closed {
		paths[filepath.Join(top, rel)] = true // and all that is in it
	}
	for _, rel := range now.odd {
		at := filepath.Join(top, rel)
		if at == origins.LooseMark(top) {
			at = top // a file of that name would take its mark along
		}
		paths[at] = true
	}
	if len(paths) > markMost {
		paths = w.coarsen(n, now, paths)
	}
	return slices.Sorted(maps.Keys(paths))
}

// same reports whether a file that was changed right before a command, so that its times do not tell, is what it was.
func (w *Watcher) same(n *snapshot, rel string, is fileInfo) bool {
	was, kept := n.kept[rel]
	if !kept {
		return false
	}
	st, _, ok := w.contentOf(rel, is)
	return ok && st.Sum == was.Sum
}

// coarsen is paths with folders that the command made in the place of all that is in them.
func (w *Watcher) coarsen(n *snapshot, now *walk, paths map[string]bool) map[string]bool {
	top := w.tree.Workspace().Real
	fewer := map[string]bool{}
	for path := range paths {
		rel, _ := tree.Inside(top, path)
		for dir := filepath.Dir(rel); rel != "." && dir != "."; dir = filepath.Dir(dir) {
			if n.seen[dir].kind != event.Folder && now.seen[dir].kind == event.Folder {
				path = filepath.Join(top, dir)
			}
		}
		fewer[path] = true
	}
	return fewer
}
