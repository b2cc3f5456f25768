package changes

import (
	"context"
	"io/fs"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Marker makes it durable, before something is written, that strangers may have had a hand in it.
type Marker interface {
	// Mark marks absolute paths if the call of ctx was made from anything of strangers. p is named in the error.
	Mark(ctx context.Context, p tree.Path, paths ...string) *tools.Error
	// MarkFolders marks the names of the folders that will be made for p.
	MarkFolders(ctx context.Context, p tree.Path) *tools.Error
	// WithOrigin returns ctx for writing the content of the file at that absolute path anew: its caller has the label of the
	// file, too. p is named in the error.
	WithOrigin(ctx context.Context, p tree.Path, path string) (context.Context, *tools.Error)
}

// Writer changes the files of a tree, one at a time, and takes changes back.
type Writer struct {
	tree  *tree.Tree
	log   Log // nil: nothing can be taken back
	marks Marker

	other    *Writer // see [Writer.Beside]; may be nil
	isOthers func(path string) bool
}

// New returns the writer of a tree. log may be nil: then nothing is kept, and nothing can be taken back. Where marks is nil, nobody
// asks where the content of the files comes from.
func New(t *tree.Tree, log Log, marks Marker) *Writer {
	if marks == nil {
		marks = unmarked{}
	}
	return &Writer{tree: t, log: log, marks: marks}
}

// unmarked is a Marker of files that no stranger has a hand in.
type unmarked struct{}

func (unmarked) Mark(context.Context, tree.Path, ...string) *tools.Error { return nil }
func (unmarked) MarkFolders(context.Context, tree.Path) *tools.Error     { return nil }
func (unmarked) WithOrigin(ctx context.Context, _ tree.Path, _ string) (context.Context, *tools.Error) {
	return ctx, nil
}

// Written is a file as it was written.
type Written struct {
	Path    string // as people and models know it
	Real    string // absolute, without links
	Bytes   int
	Sum     string // SHA-256 in hexadecimal
	Created bool
	Note    string // "" where all is well
	Change  int64  // the number of the change; 0 without a log
}

// Write replaces the file at p by what change makes of it; old is nil when there is none. Only one change runs at a time in
// a tree, and only one in a folder among all processes. With makeDirs missing folders are made, and taken away
// again when the write fails. tool is who does it.
func (w *Writer) Write(
	ctx context.Context, p tree.Path, tool string, makeDirs bool, change func(old *tree.Existing) ([]byte, *tools.Error),
) (Written, *tools.Error) {
	end, bad := w.tree.Begin(ctx, p)
	if bad != nil {
		return Written{}, bad
	}
	defer end()
	if makeDirs {
		if bad := w.marks.MarkFolders(ctx, p); bad != nil {
			return Written{}, bad
		}
	}
	for range 2 { // a link leads to a second round, at its target
		done, target, bad := w.writeOnce(ctx, p, tool, makeDirs, change)
		if target == "" {
			return done, bad
		}
		p = p.With(target)
	}
	return Written{}, p.Denied("changed from a file to a link while it was written")
}

// writeOnce is [Writer.Write] where p is no link; where it is one, it returns the target instead.
func (w *Writer) writeOnce(
	ctx context.Context, p tree.Path, tool string, makeDirs bool, change func(old *tree.Existing) ([]byte, *tools.Error),
) (_ Written, target string, bad *tools.Error) {
	dir, undo, bad := w.tree.OpenDir(ctx, p, makeDirs)
	if bad != nil {
		return Written{}, "", bad
	}
	defer func() {
		dir.Close()
		if bad != nil || target != "" {
			undo()
		}
	}()
	if bad := p.NotGits(dir.Self); bad != nil {
		return Written{}, "", bad
	}
	old, bad := w.tree.Look(p, dir)
	if bad != nil {
		return Written{}, "", bad
	}
	defer old.Close()
	if old != nil && old.IsLink() {
		target, bad = w.tree.Follow(p)
		return Written{}, target, bad
	}
	content, bad := change(old)
	if bad != nil {
		return Written{}, "", bad
	}
	if len(content) > tree.MaxFile {
		return Written{}, "", p.TooLarge(int64(len(content)))
	}
	done, bad := w.replace(ctx, dir, p, old, next{Content: tree.Content{Kind: event.RegFile, Raw: content}, tool: tool})
	if bad != nil {
		return Written{}, "", bad
	}
	return Written{
		Path: p.Shown(), Real: done.path, Bytes: len(content), Sum: tree.SumOf(content), Created: old == nil, Note: done.note,
		Change: done.change.ID,
	}, "", nil
}

// Deleted is a file or link that was deleted.
type Deleted struct {
	Real  string // its absolute path, without links
	Bytes int64
	Link  bool
	Note  string // "" where all is well

	Change int64 // the number of the change; 0 without a log
}

// Delete removes the file at p; of a link the link, not the file that it leads to. The caller has its turn ([tree.Tree.Begin]).
// A file that cannot be kept stays. tool is who does it.
func (w *Writer) Delete(ctx context.Context, p tree.Path, tool string) (Deleted, *tools.Error) {
	dir, _, bad := w.tree.OpenDir(ctx, p, false)
	if bad != nil {
		return Deleted{}, bad
	}
	defer dir.Close()
	old, bad := w.tree.Look(p, dir)
	if bad == nil && old == nil {
		bad = w.tree.Missing(p, fs.ErrNotExist)
	}
	if bad != nil {
		return Deleted{}, bad
	}
	defer old.Close()
	done, bad := w.replace(ctx, dir, p, old, next{Content: tree.Content{Kind: event.NoFile}, tool: tool})
	if bad != nil {
		return Deleted{}, bad
	}
	return Deleted{Real: done.path, Bytes: old.Info.Size(), Link: old.IsLink(), Note: done.note, Change: done.change.ID}, nil
}
