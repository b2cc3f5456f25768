package changes

import (
	"context"
	"fmt"
	"io/fs"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Moved is a file that was moved.
type Moved struct {
	Real  string // where it is now, absolute and without links
	Bytes int64
	Sum   string // SHA-256 in hexadecimal
	Note  string // "" where all is well

	Change int64 // the number of the change; 0 without a log
}

// Move gives the file at from the name to, where nothing is, with its content, permissions, owner, extended attributes and
// times. Missing folders are made. It is made there first and removed here then, two changes of one call that are taken back
// together; where the second fails the first is taken back, and a process that dies in between leaves both. A file that could
// not be kept stays. What is known of where its content comes from goes with it. tool is who does it.
func (w *Writer) Move(ctx context.Context, from, to tree.Path, tool string) (Moved, *tools.Error) {
	end, bad := w.tree.Begin(ctx, from, to)
	if bad != nil {
		return Moved{}, bad
	}
	defer end()
	old, path, bad := w.lookToMove(ctx, from)
	if bad != nil {
		return Moved{}, bad
	}
	defer old.Close()
	state, content, why, bad := old.State()
	switch {
	case bad != nil:
		return Moved{}, bad
	case why != "":
		return Moved{}, from.Denied("stays where it is: " + why + ", so nobody could take this back").Suggest("leave it, or ask a person to do it")
	}
	made, undo, bad := w.bring(ctx, from, path, to, next{Content: tree.Content{Kind: event.RegFile, Raw: content, Like: &state}, tool: tool, done: "moved"})
	if bad != nil {
		return Moved{}, bad
	}
	gone, bad := w.takeAway(ctx, from, state, next{tool: tool, part: made.change.ID})
	if bad != nil {
		if err := undo(); err != nil {
			bad.Message += fmt.Sprintf("; and %s is there too by now: %v", to.Name(), err)
		}
		return Moved{}, bad
	}
	done := Moved{Real: made.path, Bytes: state.Size, Sum: state.Sum, Note: made.note, Change: made.change.ID}
	if gone.note != "" {
		done.Note = gone.note
	}
	return done, nil
}

// Copy makes the file to, where nothing is, of the file at from, with its content, permissions and extended attributes. Missing
// folders are made. Of a link it copies the file that it leads to. What is known of where its content comes from is known of the
// copy, too. tool is who does it.
func (w *Writer) Copy(ctx context.Context, from, to tree.Path, tool string) (Moved, *tools.Error) {
	end, bad := w.tree.Begin(ctx, to)
	if bad != nil {
		return Moved{}, bad
	}
	defer end()
	old, path, bad := w.tree.Open(from)
	if bad != nil {
		return Moved{}, bad
	}
	defer old.Close()
	state, _, _, bad := old.State()
	if bad != nil {
		return Moved{}, bad
	}
	content, bad := old.Read()
	if bad != nil {
		return Moved{}, bad
	}
	like := event.FileState{Mode: state.Mode & fs.ModePerm, User: -1, Group: -1, Attrs: state.Attrs} // it is new, and ours
	made, _, bad := w.bring(ctx, from, path, to, next{Content: tree.Content{Kind: event.RegFile, Raw: content, Like: &like}, tool: tool, done: "copied"})
	if bad != nil {
		return Moved{}, bad
	}
	return Moved{Real: made.path, Bytes: state.Size, Sum: state.Sum, Note: made.note, Change: made.change.ID}, nil
}

// bring makes the file to of the content of the file from, whose absolute path is path, with the marks of that.
func (w *Writer) bring(ctx context.Context, from tree.Path, path string, to tree.Path, n next) (done installed, undo func() error, bad *tools.Error) {
	if bad := w.marks.MarkFolders(ctx, to); bad != nil {
		return done, nil, bad
	}
	if ctx, bad = w.marks.WithOrigin(ctx, from, path); bad != nil {
		return done, nil, bad
	}
	return w.place(ctx, to, n)
}

// lookToMove opens the file that is to be moved, and returns its absolute path. A link stays: it may lead elsewhere from another
// folder.
func (w *Writer) lookToMove(ctx context.Context, from tree.Path) (*tree.Existing, string, *tools.Error) {
	dir, _, bad := w.tree.OpenDir(ctx, from, false)
	if bad != nil {
		return nil, "", bad
	}
	defer dir.Close()
	path, bad := dir.RealPath(from)
	if bad != nil {
		return nil, "", bad
	}
	old, bad := w.tree.Look(from, dir)
	switch {
	case bad != nil:
	case old == nil:
		bad = w.tree.Missing(from, fs.ErrNotExist)
	case old.IsLink():
		old.Close()
		bad = tools.Invalid(event.CodeInvalidValue, "%s is a link", from.Name()).Suggest("move the file that it leads to")
	case w.tree.Pinned(path):
		old.Close()
		bad = pinnedError(from)
	}
	return old, path, bad
}

// place makes the file to, where nothing is. undo takes it away again, with the folders that were made for it.
func (w *Writer) place(ctx context.Context, to tree.Path, n next) (done installed, undo func() error, bad *tools.Error) {
	dir, removeFolders, bad := w.tree.OpenDir(ctx, to, true)
	if bad != nil {
		return done, nil, bad
	}
	defer func() {
		dir.Close()
		if bad != nil {
			removeFolders()
		}
	}()
	if bad := to.NotGits(dir.Self); bad != nil {
		return done, nil, bad
	}
	old, bad := w.tree.Look(to, dir)
	if bad != nil {
		return done, nil, bad
	}
	if old != nil {
		old.Close()
		return done, nil, to.Taken(n.done)
	}
	done, bad = w.replace(ctx, dir, to, nil, n)
	if bad != nil {
		return done, nil, bad
	}
	return done, func() error {
		made := reversal{change: done.change, of: w, at: to, found: done.change.After}
		_, _, err := w.revertFile(context.WithoutCancel(ctx), made, next{tool: n.tool, undoes: done.change.ID})
		return err
	}, nil
}

// takeAway removes the file at from, which is still as it was when its content was read.
func (w *Writer) takeAway(ctx context.Context, from tree.Path, was event.FileState, n next) (done installed, bad *tools.Error) {
	dir, _, bad := w.tree.OpenDir(ctx, from, false)
	if bad != nil {
		return done, bad
	}
	defer dir.Close()
	old, bad := w.tree.Look(from, dir)
	if bad != nil {
		return done, bad
	}
	defer old.Close()
	if now, _, _, bad := old.State(); bad != nil {
		return done, bad
	} else if !now.Same(was) {
		return done, tools.StorageFailed("%s: %v", from.Name(), tree.ErrChanged).Retry()
	}
	return w.replace(ctx, dir, from, old, n)
}
